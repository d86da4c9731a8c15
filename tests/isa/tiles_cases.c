/* Tiling: what kernels say of themselves, and launches of all sizes, whose groups are in blocks
 * each once, and whose blocks are whole tiles. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/analysis/isolation.h"
#include "device/analysis/tiles.h"

/* ---- kernels ---- */

enum {
    MAY = 1,
    COLUMNS = 2,
    ASKS = 4,
    APART = 8,
    ROWS = 16,
    DEPENDS = 32,
    SHARES = 128,
    TURNED = 256,
    TURNS = 512, /* in its groups */
    DOWN = 1024,
    UNEVEN = 2048,
    TOGETHER = 4096 /* several groups at once */
};
enum {
    HOLDS = 64 /* DEPENDS: the work-items of such a launch are apart */,
    ITEMS = 64,
    GROUP = 32,
    ACROSS = 1 << 13 /* of two dimensions: 8 rows */
};

static const struct {
    const char *name, *body;
    int traits;
} cases[] = {
    {"nothing", "", MAY | APART},
    {"a row",
     "special %i0, global_id_x\n shl.i32 %i1, %i0, 2\n ld.param.i32 %i2, [0]\n"
     "add.i32 %i3, %i1, %i2\n st.global.i32 [%i3], %i0",
     MAY | APART},
    {"columns",
     "special %i0, global_id_x\n ld.param.i32 %i1, [4]\n mul.i32 %i2, %i0, %i1\n"
     "shl.i32 %i3, %i2, 2\n ld.param.i32 %i4, [0]\n add.i32 %i5, %i3, %i4\n"
     "st.global.i32 [%i5], %i0",
     MAY | APART | COLUMNS},
    {"rows along y",
     "special %i0, global_id_x\n ld.param.i32 %i1, [4]\n mul.i32 %i2, %i0, %i1\n"
     "special %i3, global_id_y\n add.i32 %i2, %i2, %i3\n shl.i32 %i2, %i2, 2\n"
     "ld.global.i32 %i4, [%i2]",
     MAY | APART | COLUMNS | TURNED | DOWN},
    {"from rows along y to such along x",
     "special %i0, global_id_x\n ld.param.i32 %i1, [4]\n mul.i32 %i2, %i0, %i1\n"
     "special %i3, global_id_y\n add.i32 %i2, %i2, %i3\n ld.global.i32 %i4, [%i2]\n"
     "mul.i32 %i2, %i3, %i1\n add.i32 %i2, %i2, %i0\n ld.global.i32 %i4, [%i2]",
     MAY | APART | COLUMNS | DOWN},
    {"rows of what lies in columns",
     "special %i0, global_id_x\n ld.param.i32 %i1, [4]\n mul.i32 %i2, %i0, %i1\n"
     "special %i3, global_id_y\n add.i32 %i2, %i2, %i3\n ld.global.i32 %i4, [%i2]\n"
     "mul.i32 %i5, %i3, %i1\n add.i32 %i5, %i5, %i0\n st.global.i32 [%i5], %i4",
     MAY | COLUMNS | DOWN},
    {"a product of what y chooses of each row",
     "special %i0, global_id_x\n ld.param.i32 %i1, [4]\n mul.i32 %i2, %i0, %i1\n"
     "special %i3, global_id_y\n mul.i32 %i5, %i3, %i1\n loop\n add.i32 %i2, %i2, 4\n"
     "ld.global.i32 %i4, [%i2]\n eq.i32 %p6, %i4, %i0\n breakif %p6, 0\n endloop\n"
     "add.i32 %i5, %i5, %i0\n ld.global.i32 %i4, [%i5]",
     MAY | APART | COLUMNS | SHARES},
    {"rows that load the same",
     "special %i0, global_id_x\n shl.i32 %i1, %i0, 2\n special %i2, global_id_y\n"
     "mul.i32 %i3, %i2, 1000\n add.i32 %i4, %i3, %i1\n"
     "ld.global.i32 %i5, [%i1+0]\n ld.global.i32 %i5, [%i1+4096]\n"
     "ld.global.i32 %i5, [%i1+8192]\n ld.global.i32 %i5, [%i1+12288]\n"
     "ld.global.i32 %i5, [%i1+16384]\n ld.global.i32 %i5, [%i1+20480]\n"
     "ld.global.i32 %i5, [%i1+24576]\n ld.global.i32 %i5, [%i1+28672]\n"
     "st.global.i32 [%i4], %i0",
     MAY | SHARES},
    {"rows that load some of it",
     "special %i0, global_id_x\n shl.i32 %i1, %i0, 2\n special %i2, global_id_y\n"
     "mul.i32 %i3, %i2, 1000\n add.i32 %i4, %i3, %i1\n"
     "ld.global.i32 %i5, [%i1+0]\n ld.global.i32 %i5, [%i1+4096]\n"
     "ld.global.i32 %i5, [%i1+8192]\n ld.global.i32 %i5, [%i1+12288]\n"
     "st.global.i32 [%i4], %i0",
     MAY},
    {"columns of a length that is known",
     "special %i0, local_id_x\n shl.i32 %i1, %i0, 12\n ld.global.i32 %i2, [%i1]",
     MAY | APART | COLUMNS | ASKS | DOWN},
    {"rows of a flat range",
     "special %i0, global_id_x\n ld.param.i32 %i1, [4]\n div_s.i32 %i2, %i0, %i1\n"
     "mul.i32 %i3, %i2, %i1\n rem_s.i32 %i4, %i0, %i1\n add.i32 %i5, %i3, %i4\n"
     "ld.global.i32 %i6, [%i5]",
     MAY | APART | ROWS},
    {"columns of a flat range",
     "special %i0, global_id_x\n shr_u.i32 %i2, %i0, 8\n and.i32 %i4, %i0, 255\n"
     "mul.i32 %i3, %i4, 1000\n add.i32 %i5, %i3, %i2\n ld.global.i32 %i6, [%i5]",
     MAY | APART | COLUMNS | ROWS | DOWN | TURNED},
    {"a flat range, once along it and once across",
     "special %i0, global_id_x\n ld.param.i32 %i1, [4]\n div_s.i32 %i2, %i0, %i1\n"
     "rem_s.i32 %i3, %i0, %i1\n mul.i32 %i4, %i3, 1000\n add.i32 %i5, %i4, %i2\n"
     "ld.global.i32 %i6, [%i5]\n st.global.i32 [%i0], %i6",
     MAY | COLUMNS | ROWS | DOWN},
    {"a flat range and another dimension",
     "special %i0, global_id_x\n shr_u.i32 %i2, %i0, 8\n and.i32 %i4, %i0, 255\n"
     "special %i7, global_id_z\n add.i32 %i4, %i4, %i7\n"
     "mul.i32 %i3, %i4, 1000\n add.i32 %i5, %i3, %i2\n ld.global.i32 %i6, [%i5]",
     MAY | APART | COLUMNS | ROWS | DOWN},
    {"rows of a power of two, signed", "special %i0, global_id_x\n rem_s.i32 %i1, %i0, 256",
     MAY | APART | ROWS},
    {"rows of groups of a size that is known",
     "special %i0, group_id_x\n special %i1, local_id_x\n shl.i32 %i2, %i0, 6\n"
     "add.i32 %i3, %i2, %i1\n ld.param.i32 %i4, [4]\n div_u.i32 %i5, %i3, %i4",
     MAY | APART | ASKS | ROWS},
    {"rows of the other dimension",
     "special %i0, global_id_y\n ld.param.i32 %i1, [4]\n rem_s.i32 %i2, %i0, %i1", MAY | APART},
    {"rows of a few", "special %i0, global_id_x\n and.i32 %i1, %i0, 31\n rem_u.i32 %i2, %i0, 5",
     MAY | APART},
    {"rows of several lengths",
     "special %i0, global_id_x\n ld.param.i32 %i1, [4]\n add.i32 %i1, %i1, 1\n"
     "rem_s.i32 %i2, %i0, %i1",
     MAY | APART},
    {"structures", "special %i0, global_id_x\n mul.i32 %i1, %i0, 24\n ld.global.i32 %i2, [%i1]",
     MAY | APART},
    {"rows far apart",
     "special %i0, global_id_y\n special %i1, global_size_x\n mul.i32 %i2, %i0, %i1\n"
     "special %i3, global_id_x\n add.i32 %i4, %i2, %i3\n shl.i32 %i5, %i4, 2\n"
     "ld.global.i32 %i6, [%i5]",
     MAY | APART},
    {"a table by way of a table",
     "special %i0, global_id_x\n ld.global.i32 %i1, [%i0]\n special %i2, global_size_x\n"
     "mul.i32 %i3, %i0, %i2\n add.i32 %i4, %i1, %i3\n ld.global.i32 %i5, [%i4]",
     MAY | APART},
    {"its group", "special %i0, group_id_z", MAY | APART | ASKS},
    {"its group's size", "special %i0, local_size_y", MAY | APART | ASKS},
    {"how many groups", "special %i0, num_groups_x", MAY | APART},
    {"a barrier", "bar", TURNS | APART | TOGETHER},
    {"local memory", "localaddr %i0, 0", TURNS | APART | TOGETHER},
    {"a barrier between a store and a load",
     "special %i0, local_id_x\n localaddr %i1, 0\n add.i32 %i2, %i0, %i1\n"
     "st.local.i32 [%i2], %i0\n bar\n ld.local.i32 %i3, [%i1]",
     TURNS | APART | ASKS | TOGETHER},
    {"no barrier between them",
     "special %i0, local_id_x\n localaddr %i1, 0\n add.i32 %i2, %i0, %i1\n"
     "st.local.i32 [%i2], %i0\n ld.local.i32 %i3, [%i1]",
     ASKS | TOGETHER},
    {"two arrays",
     "special %i0, local_id_x\n localaddr %i1, 0\n add.i32 %i2, %i0, %i1\n localaddr %i3, 4\n"
     "st.local.i32 [%i2], %i0\n ld.local.i32 %i4, [%i3]",
     TURNS | APART | ASKS | TOGETHER},
    {"a barrier that not all ways pass",
     "special %i0, local_id_x\n localaddr %i1, 0\n add.i32 %i2, %i0, %i1\n"
     "st.local.i32 [%i2], %i0\n lt_s.i32 %p3, %i0, 5\n if %p3\n bar\n endif\n"
     "ld.local.i32 %i4, [%i1]",
     ASKS},
    {"a barrier that some groups come to, by where their work-items are",
     "special %i0, global_id_x\n shr_u.i32 %i1, %i0, 6\n and.i32 %i1, %i1, 1\n eq.i32 %p2, %i1, 0\n"
     "if %p2\n bar\n endif",
     TURNS | APART | ROWS},
    {"an early return by where the work-item is",
     "special %i0, global_id_x\n ld.param.i32 %i1, [4]\n lt_s.i32 %p2, %i1, %i0\n if %p2\n"
     "ret\n endif\n bar",
     TURNS | APART | TOGETHER},
    {"a barrier behind a guard with one",
     "special %i0, global_id_x\n ld.param.i32 %i1, [4]\n lt_s.i32 %p2, %i1, %i0\n if %p2\n"
     "bar\n endif\n bar",
     TURNS | APART},
    {"a loop that all groups leave together",
     "special %i0, local_id_x\n ld.param.i32 %i1, [4]\n loop\n bar\n sub.i32 %i1, %i1, 1\n"
     "eq.i32 %p2, %i1, 0\n breakif %p2, 0\n endloop",
     TURNS | APART | ASKS | SHARES | TOGETHER},
    {"a loop that each leaves by itself",
     "special %i0, group_id_x\n ld.param.i32 %i1, [4]\n loop\n bar\n sub.i32 %i1, %i1, 1\n"
     "eq.i32 %p2, %i1, %i0\n breakif %p2, 0\n endloop",
     TURNS | APART | ASKS | SHARES},
    {"a count that each has by itself",
     "special %i0, group_id_x\n ld.param.i32 %i1, [4]\n eq.i32 %p2, %i1, %i0\n if %p2\n"
     "mov.i32 %i1, 7\n endif\n loop\n bar\n sub.i32 %i1, %i1, 1\n"
     "eq.i32 %p3, %i1, 0\n breakif %p3, 0\n endloop",
     TURNS | APART | ASKS | SHARES},
    {"a barrier that ended groups do not come to",
     "special %i0, group_id_x\n ld.param.i32 %i1, [4]\n eq.i32 %p2, %i1, %i0\n if %p2\n"
     "ret\n endif\n bar",
     TURNS | APART | ASKS},
    {"what is loaded by each says how often",
     "ld.param.i32 %i0, [0]\n ld.global.i32 %i1, [%i0]\n loop\n bar\n sub.i32 %i1, %i1, 1\n"
     "eq.i32 %p2, %i1, 0\n breakif %p2, 0\n endloop",
     TURNS | APART | SHARES},
    {"what others have added is asked",
     "ld.param.i32 %i0, [0]\n bar\n atom_add.global.i32 %i1, [%i0], 1\n"
     "st.global.i32 [%i0+4], %i1",
     TURNS},
    {"a loop that brings what is handed on",
     "ld.param.i32 %i0, [0]\n ld.param.i32 %i1, [4]\n loop\n ld.global.i32 %i3, [%i0]\n bar\n"
     "sub.i32 %i1, %i1, 1\n eq.i32 %p2, %i1, 0\n breakif %p2, 0\n endloop",
     TURNS | APART | SHARES},
    {"a loop that comes back to a load",
     "special %i0, local_id_x\n localaddr %i1, 0\n add.i32 %i2, %i0, %i1\n"
     "loop\n ld.local.i32 %i3, [%i1]\n bar\n st.local.i32 [%i2], %i3\n lt_s.i32 %p4, %i3, 5\n"
     "breakif %p4, 0\n endloop",
     ASKS},
    {"a loop with a barrier at its end",
     "special %i0, local_id_x\n localaddr %i1, 0\n add.i32 %i2, %i0, %i1\n"
     "loop\n ld.local.i32 %i3, [%i1]\n bar\n st.local.i32 [%i2], %i3\n bar\n"
     "lt_s.i32 %p4, %i3, 5\n breakif %p4, 0\n endloop",
     TURNS | APART | ASKS | SHARES},
    {"a private array", "ld.private.i32 %i0, [4]", MAY | APART},
    {"in place",
     "special %i0, global_id_x\n ld.param.i32 %i1, [0]\n add.i32 %i2, %i0, %i1\n"
     "ld.global.i32 %i3, [%i2]\n st.global.i32 [%i2], %i3",
     MAY | DEPENDS},
    {"two stores",
     "special %i0, global_id_x\n ld.param.i32 %i1, [0]\n add.i32 %i2, %i0, %i1\n"
     "st.global.i32 [%i2], %i0\n st.global.i32 [%i2+4], %i0",
     MAY | DEPENDS},
    {"a store in each part of an if",
     "special %i0, global_id_x\n ld.param.i32 %i1, [0]\n add.i32 %i2, %i0, %i1\n"
     "eq.i32 %p3, %i0, %i1\n if %p3\n st.global.i32 [%i2], %i0\n else\n"
     "st.global.i32 [%i2+4], %i1\n endif",
     MAY | APART},
    {"another one behind it",
     "special %i0, global_id_x\n ld.param.i32 %i1, [0]\n add.i32 %i2, %i0, %i1\n"
     "eq.i32 %p3, %i0, %i1\n if %p3\n st.global.i32 [%i2], %i0\n else\n"
     "mov.i32 %i0, %i1\n endif\n st.global.i32 [%i2+4], %i0",
     MAY},
    {"two in one part",
     "special %i0, global_id_x\n ld.param.i32 %i1, [0]\n add.i32 %i2, %i0, %i1\n"
     "eq.i32 %p3, %i0, %i1\n if %p3\n mov.i32 %i0, %i1\n else\n"
     "st.global.i32 [%i2], %i0\n st.global.i32 [%i2+4], %i1\n endif",
     MAY},
    {"two stores to one place",
     "special %i0, global_id_x\n ld.param.i32 %i1, [0]\n add.i32 %i2, %i0, %i1\n"
     "st.global.i32 [%i2], 0\n loop\n st.global.i32 [%i2], %i0\n eq.i32 %p3, %i0, %i0\n"
     "breakif %p3, 0\n endloop\n st.global.i32 [%i2], %i0",
     MAY | APART | SHARES},
    {"a place that moves",
     "special %i0, global_id_x\n ld.param.i32 %i1, [0]\n add.i32 %i2, %i0, %i1\n"
     "st.global.i32 [%i2], 0\n add.i32 %i2, %i2, 4\n st.global.i32 [%i2], %i0",
     MAY | DEPENDS},
    {"two places in turn",
     "special %i0, global_id_x\n ld.param.i32 %i1, [0]\n add.i32 %i2, %i0, %i1\n"
     "eq.i32 %p3, %i0, %i1\n if %p3\n st.global.i32 [%i2], %i0\n else\n"
     "st.global.i32 [%i2+4], %i0\n endif\n st.global.i32 [%i2+4], %i1",
     MAY | DEPENDS},
    {"one place, which is read",
     "special %i0, global_id_x\n ld.param.i32 %i1, [0]\n add.i32 %i2, %i0, %i1\n"
     "st.global.i32 [%i2], 0\n ld.global.i32 %i3, [%i2]\n st.global.i32 [%i2], %i3",
     MAY | DEPENDS},
    {"a row for eight iterations of a loop",
     "special %i0, global_id_x\n ld.param.i32 %i1, [0]\n mov.i32 %i2, 0\n loop\n"
     "le_s.i32 %p3, 32, %i2\n breakif %p3, 0\n shr_u.i32 %i4, %i2, 3\n"
     "mul.i32 %i5, %i4, 64\n add.i32 %i6, %i5, %i0\n shl.i32 %i7, %i6, 2\n"
     "add.i32 %i8, %i7, %i1\n st.global.i32 [%i8], %i2\n add.i32 %i2, %i2, 1\n endloop",
     MAY | DEPENDS | SHARES | HOLDS},
    {"such rows that meet",
     "special %i0, global_id_x\n ld.param.i32 %i1, [0]\n mov.i32 %i2, 0\n loop\n"
     "le_s.i32 %p3, 32, %i2\n breakif %p3, 0\n shr_u.i32 %i4, %i2, 3\n"
     "mul.i32 %i5, %i4, 63\n add.i32 %i6, %i5, %i0\n shl.i32 %i7, %i6, 2\n"
     "add.i32 %i8, %i7, %i1\n st.global.i32 [%i8], %i2\n add.i32 %i2, %i2, 1\n endloop",
     MAY | DEPENDS | SHARES},
    {"a row for each iteration of two loops",
     "special %i0, global_id_x\n ld.param.i32 %i1, [0]\n shl.i32 %i0, %i0, 2\n"
     "add.i32 %i8, %i0, %i1\n eq.i32 %p4, %i1, 3\n if %p4\n mov.i32 %i2, 0\n loop\n"
     "le_s.i32 %p3, 4, %i2\n breakif %p3, 0\n mul.i32 %i5, %i2, 4096\n"
     "add.i32 %i7, %i5, %i8\n st.global.i32 [%i7], %i2\n add.i32 %i2, %i2, 1\n endloop\n"
     "else\n mov.i32 %i6, 0\n loop\n"
     "le_s.i32 %p3, 5, %i6\n breakif %p3, 0\n mul.i32 %i5, %i6, 4096\n"
     "add.i32 %i7, %i5, %i8\n st.global.i32 [%i7], %i1\n add.i32 %i6, %i6, 1\n endloop\n"
     "endif",
     MAY | DEPENDS | SHARES | HOLDS},
    {"such rows of two loops that meet",
     "special %i0, global_id_x\n ld.param.i32 %i1, [0]\n shl.i32 %i0, %i0, 2\n"
     "add.i32 %i8, %i0, %i1\n mov.i32 %i2, 0\n loop\n"
     "le_s.i32 %p3, 4, %i2\n breakif %p3, 0\n mul.i32 %i5, %i2, 4096\n"
     "add.i32 %i7, %i5, %i8\n st.global.i32 [%i7], %i2\n add.i32 %i2, %i2, 1\n endloop\n"
     "mov.i32 %i6, 0\n loop\n"
     "le_s.i32 %p3, 4, %i6\n breakif %p3, 0\n mul.i32 %i5, %i6, 4096\n"
     "add.i32 %i7, %i5, %i8\n st.global.i32 [%i7+4], %i1\n add.i32 %i6, %i6, 1\n endloop",
     MAY | DEPENDS | SHARES},
    {"stores in a loop",
     "special %i0, global_id_x\n ld.param.i32 %i1, [0]\n add.i32 %i2, %i0, %i1\n"
     "loop\n st.global.i32 [%i2], %i0\n add.i32 %i2, %i2, 4\n eq.i32 %p3, %i0, %i0\n"
     "breakif %p3, 0\n endloop",
     MAY | DEPENDS | SHARES},
    {"in place, words",
     "special %i0, global_id_x\n ld.param.i32 %i1, [0]\n shl.i32 %i0, %i0, 2\n add.i32 %i2, %i0, "
     "%i1\n"
     "ld.global.i32 %i3, [%i2]\n st.global.i32 [%i2], %i3",
     MAY | DEPENDS | HOLDS},
    {"twice as far, behind all that is read",
     "special %i0, global_id_x\n ld.param.i32 %i1, [0]\n shl.i32 %i2, %i0, 2\n add.i32 %i3, %i2, "
     "%i1\n"
     "shl.i32 %i4, %i0, 3\n add.i32 %i5, %i4, %i1\n"
     "ld.global.i32 %i6, [%i3]\n st.global.i32 [%i5+256], %i6",
     MAY | DEPENDS | HOLDS},
    {"twice as far, one of them read",
     "special %i0, global_id_x\n ld.param.i32 %i1, [0]\n shl.i32 %i2, %i0, 2\n add.i32 %i3, %i2, "
     "%i1\n"
     "shl.i32 %i4, %i0, 3\n add.i32 %i5, %i4, %i1\n"
     "ld.global.i32 %i6, [%i3+4]\n st.global.i32 [%i5+256], %i6",
     MAY | DEPENDS},
    {"twice as far, behind what a few read",
     "special %i0, global_id_x\n ld.param.i32 %i1, [0]\n shl.i32 %i2, %i0, 2\n add.i32 %i3, %i2, "
     "%i1\n"
     "shl.i32 %i4, %i0, 3\n add.i32 %i5, %i4, %i1\n lt_s.i32 %p7, %i0, 7\n if %p7\n"
     "ld.global.i32 %i6, [%i3]\n st.global.i32 [%i5+28], %i6\n endif",
     MAY | DEPENDS | HOLDS},
    {"twice as far, behind what all but one of a few read",
     "special %i0, global_id_x\n ld.param.i32 %i1, [0]\n shl.i32 %i2, %i0, 2\n add.i32 %i3, %i2, "
     "%i1\n"
     "shl.i32 %i4, %i0, 3\n add.i32 %i5, %i4, %i1\n lt_s.i32 %p7, %i0, 8\n if %p7\n"
     "ld.global.i32 %i6, [%i3]\n st.global.i32 [%i5+28], %i6\n endif",
     MAY | DEPENDS},
    {"what lies before all that is stored",
     "special %i0, global_id_x\n ld.param.i32 %i1, [0]\n shl.i32 %i2, %i0, 2\n add.i32 %i3, %i2, "
     "%i1\n"
     "lt_s.i32 %p7, 5, %i0\n if %p7\n"
     "ld.global.i32 %i6, [%i1+20]\n st.global.i32 [%i3], %i6\n endif",
     MAY | DEPENDS | HOLDS},
    {"what is the first that is stored",
     "special %i0, global_id_x\n ld.param.i32 %i1, [0]\n shl.i32 %i2, %i0, 2\n add.i32 %i3, %i2, "
     "%i1\n"
     "le_s.i32 %p7, 5, %i0\n if %p7\n"
     "ld.global.i32 %i6, [%i1+20]\n st.global.i32 [%i3], %i6\n endif",
     MAY | DEPENDS},
    {"rows and columns behind one of each that is read",
     "special %i0, global_id_x\n ld.param.i32 %i1, [0]\n shl.i32 %i2, %i0, 2\n add.i32 %i3, %i2, "
     "%i1\n"
     "lt_s.i32 %p7, 5, %i0\n special %i4, global_id_y\n lt_s.i32 %p8, 3, %i4\n"
     "and.pred %p9, %p7, %p8\n shl.i32 %i4, %i4, 8\n add.i32 %i5, %i1, %i4\n"
     "add.i32 %i6, %i3, %i4\n if %p9\n ld.global.i32 %i10, [%i5+20]\n"
     "ld.global.i32 %i11, [%i3+768]\n add.i32 %i10, %i10, %i11\n"
     "st.global.i32 [%i6], %i10\n endif",
     MAY | DEPENDS | HOLDS | ACROSS},
    {"rows and columns from one of them that is read on",
     "special %i0, global_id_x\n ld.param.i32 %i1, [0]\n shl.i32 %i2, %i0, 2\n add.i32 %i3, %i2, "
     "%i1\n"
     "le_s.i32 %p7, 5, %i0\n special %i4, global_id_y\n lt_s.i32 %p8, 3, %i4\n"
     "and.pred %p9, %p7, %p8\n shl.i32 %i4, %i4, 8\n add.i32 %i5, %i1, %i4\n"
     "add.i32 %i6, %i3, %i4\n if %p9\n ld.global.i32 %i10, [%i5+20]\n"
     "ld.global.i32 %i11, [%i3+768]\n add.i32 %i10, %i10, %i11\n"
     "st.global.i32 [%i6], %i10\n endif",
     MAY | DEPENDS | ACROSS},
    {"two elements each of rows of an odd length",
     "special %i0, global_id_x\n ld.param.i32 %i1, [0]\n special %i4, global_id_y\n"
     "shl.i32 %i2, %i0, 1\n mul.i32 %i5, %i4, 500\n shl.i32 %i6, %i0, 3\n"
     "add.i32 %i9, %i5, %i6\n add.i32 %i10, %i9, %i1\n lt_s.i32 %p7, %i2, 125\n"
     "if %p7\n st.global.i32 [%i10], %i0\n endif\n add.i32 %i3, %i2, 1\n"
     "lt_s.i32 %p8, %i3, 125\n if %p8\n st.global.i32 [%i10+4], %i0\n endif",
     MAY | DEPENDS | HOLDS | ACROSS},
    {"two elements each of rows that overlap",
     "special %i0, global_id_x\n ld.param.i32 %i1, [0]\n special %i4, global_id_y\n"
     "shl.i32 %i2, %i0, 1\n mul.i32 %i5, %i4, 496\n shl.i32 %i6, %i0, 3\n"
     "add.i32 %i9, %i5, %i6\n add.i32 %i10, %i9, %i1\n lt_s.i32 %p7, %i2, 125\n"
     "if %p7\n st.global.i32 [%i10], %i0\n endif\n add.i32 %i3, %i2, 1\n"
     "lt_s.i32 %p8, %i3, 125\n if %p8\n st.global.i32 [%i10+4], %i0\n endif",
     MAY | DEPENDS | ACROSS},
    {"what the next one stores",
     "special %i0, global_id_x\n ld.param.i32 %i1, [0]\n shl.i32 %i0, %i0, 2\n add.i32 %i2, %i0, "
     "%i1\n"
     "ld.global.i32 %i3, [%i2+4]\n st.global.i32 [%i2], %i3",
     MAY | DEPENDS},
    {"the range again and again",
     "special %i0, global_id_x\n ld.param.i32 %i1, [0]\n ld.param.i32 %i2, [4]\n special %i3, "
     "global_size_x\n"
     "loop\n le_s.i32 %p4, %i2, %i0\n breakif %p4, 0\n shl.i32 %i5, %i0, 2\n add.i32 %i6, %i5, "
     "%i1\n"
     "st.global.i32 [%i6], %i0\n add.i32 %i0, %i0, %i3\n endloop",
     MAY | DEPENDS | HOLDS},
    {"less than the range again and again",
     "special %i0, global_id_x\n ld.param.i32 %i1, [0]\n ld.param.i32 %i2, [4]\n"
     "loop\n le_s.i32 %p4, %i2, %i0\n breakif %p4, 0\n shl.i32 %i5, %i0, 2\n add.i32 %i6, %i5, "
     "%i1\n"
     "st.global.i32 [%i6], %i0\n add.i32 %i0, %i0, 63\n endloop",
     MAY | DEPENDS},
    {"from a row's index on",
     "special %i0, global_id_y\n ld.param.i32 %i2, [4]\n"
     "loop\n le_s.i32 %p4, %i2, %i0\n breakif %p4, 0\n add.i32 %i0, %i0, 1\n endloop",
     MAY | APART | SHARES | UNEVEN},
    {"somewhere", "special %i0, global_id_x\n st.global.i32 [%i0], %i0", MAY},
    {"sums",
     "ld.param.i32 %i1, [0]\n special %i0, global_id_x\n atom_add.global.i32 %i2, [%i1], %i0\n"
     "atom_sub.global.i32 %i3, [%i1], 1",
     MAY | APART},
    {"sums that are asked for",
     "ld.param.i32 %i1, [0]\n special %i0, global_id_x\n atom_add.global.i32 %i2, [%i1], %i0\n"
     "mov.i32 %i3, %i2",
     MAY},
    {"sums, of which the largest is chosen",
     "ld.param.i32 %i1, [0]\n special %i0, global_id_x\n atom_add.global.i32 %i2, [%i1], %i0\n"
     "atom_max_s.global.i32 %i3, [%i1], 7",
     MAY},
    {"sums that are looked at",
     "ld.param.i32 %i1, [0]\n special %i0, global_id_x\n atom_add.global.i32 %i2, [%i1], %i0\n"
     "ld.global.i32 %i3, [%i1]",
     MAY},
    {"sums that are stored over",
     "ld.param.i32 %i1, [0]\n special %i0, global_id_x\n atom_add.global.i32 %i2, [%i1], %i0\n"
     "st.global.i32 [%i1+4], %i0",
     MAY},
    {"exchanged",
     "ld.param.i32 %i1, [0]\n special %i0, global_id_x\n atom_xchg.global.i32 %i2, [%i1], %i0",
     MAY},
    {"flags of which another one is raised",
     "ld.param.i32 %i1, [0]\n st.global.i32 [%i1], 1\n st.global.i32 [%i1+4], 1",
     MAY | DEPENDS | HOLDS},
    {"flags that overlap",
     "ld.param.i32 %i1, [0]\n st.global.i32 [%i1], 1\n st.global.i32 [%i1+2], 1", MAY | DEPENDS},
    {"flags that are raised and lowered",
     "ld.param.i32 %i1, [0]\n st.global.i32 [%i1], 1\n st.global.i32 [%i1+4], 1\n "
     "st.global.i32 [%i1], 0",
     MAY | DEPENDS},
    {"flags that are looked at",
     "ld.param.i32 %i1, [0]\n ld.global.i32 %i0, [%i1]\n st.global.i32 [%i1], 1", MAY | DEPENDS},
};

static const uint32_t params[] = {0x10000, ITEMS};

static struct isa_module *parse(unsigned c) {
    char text[4000];
    struct isa_error error;
    snprintf(text, sizeof text,
             "simtcl-ir 1\n.kernel \"k\"\n"
             ".param \"a\" \"int*\" global offset 0 size 4 align 4 pointee 4\n"
             ".param \"n\" \"int\" value offset 4 size 4 align 4\n"
             ".param_bytes 8\n%s.private_bytes 64\n{\n%s\n}\n",
             strstr(cases[c].body, "localaddr") ? ".local_bytes 64\n" : "", cases[c].body);
    struct isa_module *m = isa_parse(text, strlen(text), &error);
    if (!m) fprintf(stderr, "%s: line %u: %s\n", cases[c].name, error.line, error.text);
    return m;
}

static bool check_case(unsigned c) {
    struct isa_module *m = parse(c);
    if (!m) return false;
    struct tiles_traits t = tiletraits_find(m->kernels[0]);
    bool across = cases[c].traits & ACROSS;
    struct affine_launch l = {
        {ITEMS / GROUP, across ? 4 : 1, 1}, {GROUP, across ? 2 : 1, 1}, {0}, params};
    bool holds = t.depends && isolation_holds(m->kernels[0], &l, true);
    int traits = (t.may ? MAY : 0) | (t.rows[0].columns ? COLUMNS : 0) | (t.asks ? ASKS : 0) |
                 (t.apart ? APART : 0) | (t.row.is ? ROWS : 0) | (t.depends ? DEPENDS : 0) |
                 (t.shares ? SHARES : 0) | (holds ? HOLDS : 0) | (t.along == 1 ? TURNED : 0) |
                 (t.turns ? TURNS : 0) | (t.rows[0].down ? DOWN : 0) | (t.uneven ? UNEVEN : 0) |
                 (t.together ? TOGETHER : 0);
    bool good = traits == (cases[c].traits & ~ACROSS);
    if (!good) fprintf(stderr, "%s: %d, not %d\n", cases[c].name, traits, cases[c].traits);
    isa_module_free(m);
    return good;
}

/* Bytes in rows, in no loop that loads. */
static bool check_stored(void) {
    static const struct {
        const char *name;
        uint32_t bytes;
    } stored[] = {{"a row", 4},
                  {"columns", 0},
                  {"two stores", 8},
                  {"a store in each part of an if", 4},
                  {"stores in a loop", 0}};
    bool good = true;
    for (unsigned n = 0; n < sizeof stored / sizeof *stored; n++) {
        unsigned c = 0;
        while (strcmp(cases[c].name, stored[n].name) != 0) c++;
        struct isa_module *m = parse(c);
        bool is = m && tiletraits_find(m->kernels[0]).rows[0].stored == stored[n].bytes;
        if (!is) fprintf(stderr, "%s: not %u bytes\n", cases[c].name, stored[n].bytes);
        good &= is;
        if (m) isa_module_free(m);
    }
    return good;
}

/* ---- launches ---- */

static uint32_t state = 1;
static uint32_t any(uint32_t most) {
    state = state * 1664525 + 1013904223;
    return (state >> 8) % most + 1;
}

/* Of rows, too: their ends, and that of the range, are tiles' or guarded. */
static bool check_rows(const struct tiles *t, uint32_t items) {
    bool ends = t->row % t->size[0], last = items % ((uint64_t)t->row * t->size[1]);
    return t->cut == (uint32_t)(ends | last << 1);
}

/* Each work-item is in one tile of all blocks, or, of a range in rows, each place in a row. */
static bool check_blocks(const struct tiles *t, const uint32_t global[3], const uint32_t local[3],
                         const uint32_t groups[3]) {
    uint64_t all = 1, tiles = 0, numbers = tiles_groups(t);
    uint32_t id[3], first[3], end[3];
    for (unsigned d = 0; d < 3; d++) numbers *= t->blocks[d];
    for (unsigned d = 0; d < 3; d++) {
        uint32_t items = !t->row  ? global[d]
                         : d == 0 ? t->row
                         : d == 1 ? (global[0] - 1) / t->row + 1
                                  : 1;
        all *= (items + t->size[d] - 1) / t->size[d];
    }
    for (uint64_t n = 0; n < numbers; n += tiles_groups(t)) {
        if (!tiles_group(t, groups, n, id)) return false; /* a block begins with a group */
        tiles_of_block(t, global, local, id, first, end);
        tiles += (uint64_t)(end[0] - first[0]) * (end[1] - first[1]) * (end[2] - first[2]);
    }
    return tiles == all;
}

/* What must hold of a launch that is tiled. */
static bool check_tiling(const struct tiles *t, const uint32_t global[3], const uint32_t local[3]) {
    uint32_t groups[3], id[3];
    uint64_t all = 1, numbers = tiles_groups(t), items = 1;
    for (unsigned d = 0; d < 3; d++) {
        groups[d] = global[d] / local[d];
        all *= groups[d];
        numbers *= t->blocks[d];
        items *= t->size[d];
        uint64_t whole = t->row && !d ? (uint64_t)t->row * t->size[1] : t->size[d];
        if (t->block[d] > groups[d]) return false;
        if (t->block[d] < groups[d] && (uint64_t)t->block[d] * local[d] % (t->row && d ? 1 : whole))
            return false;
        if ((uint64_t)t->block[d] * t->blocks[d] < groups[d]) return false;
        if (!t->row && (global[d] % t->size[d] != 0) != (t->cut >> d & 1)) return false;
    }
    if (t->row && !check_rows(t, global[0])) return false;
    if (items % ISA_WARP || items > 1024) return false;
    uint8_t *seen = calloc(all, 1);
    bool good = seen;
    for (uint64_t n = 0; good && n < numbers; n++) {
        bool is = tiles_group(t, groups, n, id);
        if (!is) continue;
        uint8_t *one = &seen[id[0] + (uint64_t)groups[0] * (id[1] + (uint64_t)groups[1] * id[2])];
        good &= !*one;
        *one = 1;
        all--;
    }
    free(seen);
    return good && !all && check_blocks(t, global, local, groups);
}

static bool check_launch(unsigned *tiled) {
    static const uint32_t usual[] = {1, 2, 4, 8, 16, 32, 64, 128, 256};
    uint32_t local[3], global[3];
    unsigned dimensions = any(3), threads = any(8);
    for (unsigned d = 0; d < 3; d++) {
        uint32_t most = d == 0 ? 64 : 12;
        local[d] = d >= dimensions ? 1 : any(2) == 1 ? usual[any(d ? 5 : 9) - 1] : any(most);
        global[d] = d >= dimensions ? 1 : local[d] * any(d == 2 ? 4 : 60);
    }
    struct tiles_traits k = {
        .may = true, .apart = any(2) == 1, .along = any(3) - 1, .shares = any(2) == 1};
    if (any(4) == 1)
        k = (struct tiles_traits){
            .together = true, .turns = any(2) == 1, .apart = any(2) == 1, .local_bytes = any(4000)};
    k.boxes = k.together && k.turns && any(2) == 1;
    for (unsigned turned = 0; turned < 2; turned++)
        k.rows[turned] = (struct tiles_rows){any(2) == 1, any(2) == 1, any(2) == 1 ? 1 << 20 : 0};
    struct tiles t;
    uint32_t row = any(2) == 1 ? any(any(2) == 1 ? 300 : 40) * any(2) : 0;
    if (row && any(3) == 1) global[0] = local[0] * any(2000);
    tiles_choose(&t, &k, global, local, row, threads);
    *tiled += t.size[0] != 0;
    static const struct tiles none;
    if (t.size[0] ? check_tiling(&t, global, local) : !memcmp(&t, &none, sizeof t)) return true;
    fprintf(stderr, "%u x %u x %u in groups of %u x %u x %u: wrong in tiles of %u x %u\n",
            global[0], global[1], global[2], local[0], local[1], local[2], t.size[0], t.size[1]);
    return false;
}

/* Without columns, barriers and small launches 8 x 8 becomes what is best. */
static bool check_usual(void) {
    const uint32_t global[] = {1024, 1024, 1}, local[] = {8, 8, 1}, few[] = {32, 16, 1};
    struct tiles_traits k = {.may = true, .apart = true, .shares = true};
    struct tiles t;
    k.rows[0].stored = 8;
    tiles_choose(&t, &k, global, local, 0, 2);
    bool good = t.size[0] == 128 && t.size[1] == 2 && t.size[2] == 1 && !t.cut;
    /* Many rows where they are short, or no long tiles, or little is stored. */
    const uint32_t slim[] = {256, 8192, 1};
    tiles_choose(&t, &k, slim, local, 0, 2);
    good &= t.size[0] == 32 && t.size[1] == 8 && !t.cut;
    const uint32_t ends[] = {1056, 1024, 1};
    tiles_choose(&t, &k, ends, local, 0, 2);
    good &= t.size[0] == 32 && t.size[1] == 8 && !t.cut;
    k.uneven = true; /* each row by itself */
    tiles_choose(&t, &k, global, local, 0, 2);
    good &= t.size[0] == 256 && t.size[1] == 1 && !t.cut;
    k.uneven = false;
    k.rows[0].stored = 7;
    tiles_choose(&t, &k, global, local, 0, 2);
    good &= t.size[0] == 32 && t.size[1] == 8 && t.size[2] == 1 && !t.cut;
    /* Rows of whole warps, and a few work-items beyond the range; not where they were many. */
    const uint32_t almost[] = {1008, 1024, 1}, half[] = {16, 16, 1}, narrow[] = {80, 1024, 1};
    tiles_choose(&t, &k, almost, half, 0, 2);
    good &= t.size[0] == 32 && t.size[1] == 8 && t.cut == 1;
    tiles_choose(&t, &k, narrow, half, 0, 2);
    good &= !t.size[0];
    k.rows[0].columns = true;
    tiles_choose(&t, &k, global, local, 0, 2);
    good &= t.size[0] == 16 && t.size[1] == 16;
    tiles_choose(&t, &k, few, local, 0, 2);
    good &= !t.size[0];
    /* Down the columns, where what is stored in rows goes past the caches. */
    const uint32_t large[] = {2048, 1024, 1}, square[] = {16, 16, 1};
    k.rows[0].down = true, k.rows[0].stored = 4;
    tiles_choose(&t, &k, large, square, 0, 2);
    good &= t.size[0] == 16 && t.size[1] == 16 && t.down && t.block[0] < t.block[1];
    tiles_choose(&t, &k, global, square, 0, 2);
    good &= !t.size[0];
    k.apart = false; /* a warp is 8 x 4 */
    tiles_choose(&t, &k, global, local, 0, 2);
    good &= !t.size[0];
    k.apart = true, k.may = false;
    tiles_choose(&t, &k, global, local, 0, 2);
    good &= !t.size[0];
    if (!good) fprintf(stderr, "groups of 8 x 8 are not tiled as they should be\n");
    return good;
}

/* Without loops work-items are run in memory's order, in rows as long as they divide or waste
 * little of it, if there are enough of them for the threads. */
static bool check_order(void) {
    static const struct {
        uint32_t global[3], local[3], size[2], cut;
    } launches[] = {
        {{2048, 1024, 1}, {8, 8, 1}, {1024, 1}, 0},   {{768, 1024, 1}, {8, 8, 1}, {256, 1}, 0},
        {{1 << 20, 1, 1}, {256, 1, 1}, {1024, 1}, 0}, {{1 << 12, 1, 1}, {64, 1, 1}, {256, 1}, 0},
        {{1000, 1000, 1}, {8, 8, 1}, {1024, 1}, 1},   {{1100, 1000, 1}, {10, 10, 1}, {256, 1}, 1},
        {{64, 4096, 1}, {64, 1, 1}, {64, 4}, 0},      {{200, 120, 90}, {10, 10, 1}, {32, 8}, 1},
        {{80, 1024, 1}, {16, 16, 1}, {0, 0}, 0},      {{256, 256, 256}, {8, 8, 4}, {256, 1}, 0},
        {{100, 100, 100}, {100, 2, 1}, {128, 2}, 1},  {{50001, 1, 1}, {21, 1, 1}, {128, 1}, 1},
    };
    const struct tiles_traits k = {.may = true, .apart = true};
    bool good = true;
    for (unsigned n = 0; n < sizeof launches / sizeof *launches; n++) {
        struct tiles t;
        tiles_choose(&t, &k, launches[n].global, launches[n].local, 0, 2);
        bool is = t.size[0] == launches[n].size[0] && t.size[1] == launches[n].size[1] &&
                  t.cut == launches[n].cut;
        if (!is)
            fprintf(stderr, "%u x %u: in tiles of %u x %u, cut %u\n", launches[n].global[0],
                    launches[n].global[1], t.size[0], t.size[1], t.cut);
        good &= is;
    }
    return good;
}

/* Groups of parts of warps are tiled where there are two blocks for each thread, others where there
 * are more: lines of work-items that go through loops. */
static bool check_parts(void) {
    const struct tiles_traits k = {.may = true, .apart = true, .shares = true};
    struct tiles t;
    tiles_choose(&t, &k, (uint32_t[]){8200, 1, 1}, (uint32_t[]){100, 1, 1}, 0, 2);
    bool good = t.size[0] == 64 && t.size[1] == 1 && t.cut == 1 && t.blocks[0] == 6;
    tiles_choose(&t, &k, (uint32_t[]){8200, 1, 1}, (uint32_t[]){100, 1, 1}, 0, 4);
    good &= !t.size[0];
    tiles_choose(&t, &k, (uint32_t[]){960, 1, 1}, (uint32_t[]){80, 1, 1}, 0, 2);
    good &= !t.size[0];
    /* One thread waits for nobody: rows that groups do not divide are one block. */
    tiles_choose(&t, &k, (uint32_t[]){29440, 1, 1}, (uint32_t[]){256, 1, 1}, 243, 1);
    good &= t.size[0] == 32 && t.size[1] == 8 && t.row == 243 && t.blocks[0] == 1;
    tiles_choose(&t, &k, (uint32_t[]){29440, 1, 1}, (uint32_t[]){256, 1, 1}, 243, 2);
    good &= !t.row;
    /* Where memory's rows go across, tiles do; none of them so far beyond that indices wrap. */
    const struct tiles_traits turned = {.may = true, .apart = true, .along = 1};
    const uint32_t group[] = {256, 1, 1};
    tiles_choose(&t, &turned, (uint32_t[]){1 << 18, 1, 1}, group, 512, 1);
    good &= t.along == 1 && t.row == 512 && t.size[0] == 1 && t.size[1] == 512 && !t.cut;
    tiles_choose(&t, &turned, (uint32_t[]){1 << 30, 1, 1}, group, 1 << 24, 1);
    good &= t.along == 1 && t.size[1] == 32;
    tiles_choose(&t, &turned, (uint32_t[]){1 << 30, 1, 1}, group, 1 << 27, 1);
    good &= !t.along;
    /* Groups of no size that was asked for are tiles of whole warps, whoever is apart. */
    struct tiles_traits any = {.may = true};
    const uint32_t prime[] = {65521, 1, 1}, one[] = {1, 1, 1}, odd[] = {745, 505, 1},
                   few[] = {149, 1, 1};
    tiles_choose(&t, &any, odd, few, 0, 1);
    good &= !t.size[0];
    any.free = true;
    tiles_choose(&t, &any, odd, few, 0, 1);
    good &= t.size[0] && t.size[0] % ISA_WARP == 0;
    tiles_choose(&t, &any, prime, one, 0, 1);
    good &= t.size[0] && t.size[0] % ISA_WARP == 0;
    if (!good) fprintf(stderr, "groups of parts of warps are not tiled as they should be\n");
    return good;
}

/* Rows along another dimension than x, whatever the groups are, where there is room for them. */
static bool check_turned(void) {
    static const struct {
        uint32_t global[3], local[3];
        unsigned along, is;
        uint32_t size[3], cut;
    } launches[] = {
        {{1024, 2048, 1}, {8, 8, 1}, 1, 1, {1, 1024, 1}, 0},
        {{1024, 1024, 1}, {32, 8, 1}, 1, 1, {1, 1024, 1}, 0},
        {{1000, 1000, 1}, {10, 10, 1}, 1, 1, {1, 1024, 1}, 2},
        {{64, 64, 64}, {4, 4, 4}, 2, 2, {1, 4, 64}, 0},
        {{65536, 16, 1}, {64, 1, 1}, 1, 0, {1024, 1, 1}, 0},
        {{200, 200, 1}, {200, 1, 1}, 1, 1, {8, 32, 1}, 2}, /* groups of all columns */
    };
    bool good = true;
    for (unsigned n = 0; n < sizeof launches / sizeof *launches; n++) {
        struct tiles_traits k = {.may = true, .apart = true, .along = launches[n].along};
        struct tiles t;
        tiles_choose(&t, &k, launches[n].global, launches[n].local, 0, 2);
        bool is = !memcmp(t.size, launches[n].size, sizeof t.size) && t.cut == launches[n].cut &&
                  t.along == launches[n].is;
        if (!is)
            fprintf(stderr, "turned, %u: in tiles of %u x %u x %u along %u, cut %u\n", n, t.size[0],
                    t.size[1], t.size[2], t.along, t.cut);
        good &= is;
    }
    return good;
}

/* Groups that stay, along another dimension. */
static bool check_groups(void) {
    const struct tiles_traits k = {.turns = true, .apart = true, .along = 1};
    const uint32_t global[3] = {64, 64, 1}, local[3] = {8, 16, 1}, narrow[3] = {32, 8, 1};
    struct tiles t, none;
    tiles_choose(&t, &k, global, local, 0, 2);
    tiles_choose(&none, &k, global, narrow, 0, 2);
    bool good = t.size[0] == 8 && t.size[1] == 16 && t.along == 1 && tiles_groups(&t) == 1 &&
                t.blocks[0] == 8 && t.blocks[1] == 4 && !none.size[0];
    if (!good) fprintf(stderr, "groups are not those of the launch\n");
    return good;
}

/* Small groups with barriers: so many of them as one, in boxes, in a row or one after the other. */
static bool check_together(void) {
    static const struct {
        uint32_t global[3], local[3], bytes;
        bool boxes;
        uint32_t together, size[2], packed, cut;
    } launches[] = {{{16384, 1, 1}, {64, 1, 1}, 256, false, 4, {256, 1}, 0, 0},
                    {{16384, 1, 1}, {64, 1, 1}, 256, false, 2, {128, 1}, 0, 0},
                    {{16384, 1, 1}, {64, 1, 1}, 256, false, 0, {0}, 0, 0},
                    {{16384, 1, 1}, {256, 1, 1}, 256, false, 4, {0}, 0, 0},
                    {{16384, 1, 1}, {64, 1, 1}, 4000, false, 4, {128, 1}, 0, 0},
                    {{16384, 1, 1}, {64, 1, 1}, 8000, false, 4, {0}, 0, 0},
                    {{64 * 1001, 1, 1}, {64, 1, 1}, 256, false, 4, {256, 1}, 0, 1},
                    {{64 * 31, 1, 1}, {64, 1, 1}, 256, false, 4, {0}, 0, 0},
                    {{16400, 1, 1}, {100, 1, 1}, 400, false, 4, {0}, 0, 0},
                    {{256, 256, 1}, {8, 8, 1}, 256, true, 4, {32, 8}, 0, 0},
                    {{256, 256, 1}, {8, 8, 1}, 256, false, 4, {32, 8}, 4, 0},
                    {{256, 256, 1}, {4, 4, 1}, 64, true, 16, {32, 8}, 0, 0},
                    {{256, 256, 1}, {8, 4, 2}, 256, true, 4, {0}, 0, 0},
                    {{8 * 301, 64, 1}, {8, 8, 1}, 256, true, 4, {32, 8}, 0, 1},
                    {{8 * 9, 256, 1}, {8, 8, 1}, 256, true, 4, {0}, 0, 0}};
    bool good = true;
    for (unsigned n = 0; n < sizeof launches / sizeof *launches; n++) {
        struct tiles_traits k = {.together = launches[n].together,
                                 .turns = true,
                                 .boxes = launches[n].boxes,
                                 .apart = true,
                                 .local_bytes = launches[n].bytes};
        struct tiles t;
        tiles_choose(&t, &k, launches[n].global, launches[n].local, 0, 2);
        const uint32_t *size = launches[n].size;
        bool is = t.size[0] == size[0] && t.size[1] == size[1] && t.cut == launches[n].cut &&
                  t.packed == launches[n].packed;
        if (!is)
            fprintf(stderr, "together, %u: in tiles of %u x %u, packed %u, cut %u\n", n, t.size[0],
                    t.size[1], t.packed, t.cut);
        good &= is;
    }
    return good;
}

int main(void) {
    enum { LAUNCHES = 2000 };
    bool good = check_usual() && check_order() && check_parts() && check_turned() &&
                check_stored() && check_groups() && check_together();
    unsigned tiled = 0;
    for (unsigned c = 0; c < sizeof cases / sizeof *cases; c++) good &= check_case(c);
    for (unsigned n = 0; n < LAUNCHES; n++) good &= check_launch(&tiled);
    if (tiled < LAUNCHES / 10) fprintf(stderr, "only %u launches are tiled\n", tiled);
    return !good || tiled < LAUNCHES / 10;
}
