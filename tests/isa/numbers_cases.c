/* What is known of integers: low bits that are 0, and between which numbers they lie. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "device/analysis/numbers.h"
#include "cases.h"

/* expect: `r=bits` for register number r. */
static const struct {
    const char *name, *body, *expect;
} zeros[] = {
    {"arguments",
     "ld.param.i32 %i0, [0]\n ld.param.i32 %i1, [4]\n ld.param.i32 %i2, [8]\n"
     "ld.param.i32 %i3, [12]\n ld.param.i32 %i4, [16]\n ld.param.i32.v2 {%i5, %i6}, [12]\n"
     "ld.param.i16 %h7, [0]",
     "0=7 1=4 2=7 3=0 4=1 5=0 6=1 7=0"},
    {"an element of an array",
     "ld.param.i32 %i0, [0]\n special %i1, global_id_x\n shl.i32 %i2, %i1, 4\n"
     "add.i32 %i3, %i0, %i2\n mul.i32 %i4, %i1, 12\n sub.i32 %i5, %i0, %i4\n add.i32 %i6, %i0, %i1",
     "1=0 2=4 3=4 4=2 5=2 6=0"},
    {"a pointer that moves on",
     "ld.param.i32 %i0, [0]\n ld.param.i32 %i1, [12]\n shl.i32 %i2, %i1, 3\n loop\n"
     "add.i32 %i0, %i0, 16\n add.i32 %i3, %i0, %i2\n ld.global.i32 %i4, [%i0]\n"
     "eq.i32 %p5, %i4, 0\n breakif %p5, 0\n endloop",
     "0=4 3=3 4=0"},
    {"one that another loop moves by bytes",
     "ld.param.i32 %i0, [0]\n mov.i32 %i1, 64\n loop\n mov.i32 %i2, %i1\n add.i32 %i1, %i1, %i3\n"
     "eq.i32 %p4, %i1, 0\n breakif %p4, 0\n add.i32 %i3, %i3, 1\n endloop",
     "0=7 1=0 2=0 3=0"},
    {"one of two",
     "ld.param.i32 %i0, [0]\n ld.param.i32 %i1, [4]\n special %i2, thread_id\n"
     "eq.i32 %p3, %i2, 0\n select.i32 %i4, %p3, %i0, %i1\n if %p3\n mov.i32 %i5, %i0\n else\n"
     "add.i32 %i5, %i1, 2\n endif",
     "4=4 5=1"},
    {"bits",
     "special %i0, thread_id\n and.i32 %i1, %i0, -8\n or.i32 %i2, %i1, 4\n xor.i32 %i3, %i2, %i1\n"
     "shr_u.i32 %i4, %i1, 1\n shr_s.i32 %i5, %i1, 4\n shl.i32 %i6, %i1, %i0\n not.i32 %i7, %i1\n"
     "shl.i32 %i8, %i0, 33\n rem_u.i32 %i9, %i1, 12\n div_u.i32 %i10, %i1, 4\n"
     "min_s.i32 %i11, %i1, %i6\n rotl.i32 %i12, %i1, 1",
     "1=3 2=2 3=2 4=2 5=0 6=3 7=0 8=1 9=2 10=0 11=3 12=0"},
    {"other widths",
     "special %i0, thread_id\n shl.i32 %i1, %i0, 5\n sext.i64.i32 %l2, %i1\n"
     "mul.i64 %l3, %l2, 8\n trunc.i32.i64 %i4, %l3\n zext.i64.i32 %l5, %i4\n"
     "mul24_s %i6, %i1, %i1\n shl.i32 %i7, %i1, 27\n shl.i32 %i8, %i7, 1\n"
     "sext.i64.i32 %l9, %i8\n sext.i64.i32 %l10, %i7",
     "2=5 3=8 4=8 5=8 6=10 7=32 9=64 10=64"},
    {"nothing", "mov.i32 %i0, 0\n add.i32 %i1, %i2, %i0\n sub.i32 %i3, 0, 8", "0=64 1=64 2=64 3=3"},
    {"what was never set", "special %i0, undefined\n shl.i32 %i1, %i0, 2", "0=0 1=2"},
    {"local memory and constants",
     "localaddr %i0, 0\n localaddr %i1, 20\n constaddr %i2, 256\n constaddr %i3, 8",
     "0=7 1=2 2=7 3=3"},
    {"memory",
     "ld.param.i32 %i0, [0]\n ld.global.i32 %i1, [%i0]\n atom_add.global.i32 %i2, [%i0], 4\n"
     "ld.private.i32 %i3, [16]",
     "1=0 2=0 3=0"},
};

/* expect: `r=least..most` for register number r, as a signed number, and `r~least..most` as one
 * without a sign. size: of the group in x, y and z; 0: not known. */
static const struct {
    const char *name;
    uint32_t size[3];
    const char *body, *expect;
} intervals[] = {
    {"ids of any group",
     {0},
     "special %i0, local_id_x\n special %i1, work_dim\n and.i32 %i2, %i0, 15\n"
     "rem_u.i32 %i3, %i0, 10\n shr_u.i32 %i4, %i0, 8",
     "0=0..8191 1=1..3 2=0..15 3=0..9 4=0..31"},
    {"ids of a known one",
     {16, 8, 2},
     "special %i0, local_id_x\n special %i1, local_id_y\n special %i2, local_id_z\n"
     "special %i3, thread_id\n special %i4, local_size_y\n mul.i32 %i5, %i1, %i4\n"
     "special %i6, group_id_x\n sub.i32 %i7, %i0, %i1",
     "0=0..15 1=0..7 2=0..1 3=0..255 4=8..8 5=0..56 6~0..4294967295 7=-7..15"},
    {"what ends at a multiple",
     {100, 1, 1},
     "special %i0, local_id_x\n shl.i32 %i1, %i0, 2\n and.i32 %i2, %i0, -8\n"
     "rem_u.i32 %i3, %i1, 30",
     "0=0..99 1=0..396 2=0..96 3=0..28"},
    {"one that counts up to a limit",
     {0},
     "mov.i32 %i0, 0\n loop\n le_s.i32 %p1, 10, %i0\n breakif %p1, 0\n shl.i32 %i2, %i0, 2\n"
     "add.i32 %i0, %i0, 1\n endloop",
     "0=0..10 2=0..36"},
    {"one that counts down, where it has been asked, and behind the loop",
     {0},
     "mov.i32 %i0, 3\n loop\n le_s.i32 %p1, %i0, 0\n breakif %p1, 0\n shl.i32 %i2, %i0, 2\n"
     "lt_s.i32 %p3, %i4, %i2\n breakif %p3, 0\n sub.i32 %i0, %i0, 1\n shl.i32 %i5, %i0, 2\n"
     "endloop\n shl.i32 %i6, %i0, 2",
     "0=0..3 2=4..12 5=0..8 6=0..12"},
    {"one that is asked before a step by which it may wrap around, and one that does not",
     {0},
     "special %i0, local_id_x\n mov.i32 %i3, 0\n loop\n lt_s.i32 %p1, %i0, 0\n breakif %p1, 0\n"
     "add.i32 %i0, %i0, 1610612736\n shr_s.i32 %i2, %i0, 1\n le_s.i32 %p4, 10, %i3\n"
     "breakif %p4, 0\n add.i32 %i3, %i3, 4\n shl.i32 %i5, %i3, 1\n endloop",
     "2=-1073741824..1073741823 5=8..24"},
    {"one that is doubled up to a limit",
     {256, 1, 1},
     "mov.i64 %l0, 2\n special %i1, local_size_x\n zext.i64.i32 %l2, %i1\n loop\n"
     "lt_s.i64 %p3, %l2, %l0\n breakif %p3, 0\n shr_s.i64 %l4, %l0, 1\n shl.i64 %l0, %l0, 1\n"
     "endloop",
     "0=0..512 4=0..128"},
    {"other widths",
     {64, 1, 1},
     "special %i0, local_id_x\n zext.i64.i32 %l1, %i0\n shl.i64 %l2, %l1, 30\n"
     "trunc.i16.i32 %h3, %i0\n sext.i32.i16 %i4, %h3\n sub.i32 %i5, 0, %i0\n"
     "sext.i64.i32 %l6, %i5",
     "1=0..63 2=0..67645734912 3=0..63 4=0..63 5=-63..0 6=-63..0"},
    {"memory",
     {0},
     "ld.param.i32 %i0, [12]\n and.i32 %i1, %i0, 7\n max_s.i32 %i2, %i0, -1\n"
     "min_s.i32 %i3, %i2, 5",
     "0=-2147483648..2147483647 1=0..7 2=-1..2147483647 3=-1..5"},
};

static const char params[] = ".param \"a\" \"int*\" global offset 0 size 4 align 4 pointee 4\n"
                             ".param \"t\" \"float4*\" local offset 4 size 4 align 4 pointee 16\n"
                             ".param \"c\" \"char*\" constant offset 8 size 4 align 4 pointee 1\n"
                             ".param \"n\" \"int\" value offset 12 size 4 align 4\n"
                             ".param \"u\" \"short*\" local offset 16 size 4 align 4 pointee 2\n"
                             ".param_bytes 32\n.local_bytes 64\n.private_bytes 64\n";

static struct isa_module *read(const char *name, const char *body) {
    char text[4000];
    snprintf(text, sizeof text,
             "simtcl-ir 1\n.data 512 align 4\n%01024d\n.kernel \"k\"\n%s{\n%s\n}\n", 0, params,
             body);
    return cases_parse(name, text);
}

static bool check_zeros(unsigned c) {
    struct isa_module *m = read(zeros[c].name, zeros[c].body);
    struct numbers found;
    struct arena *arena = m ? numbers_new(&found, m->kernels[0], NULL) : NULL;
    bool good = arena;
    unsigned reg, bits;
    int length;
    for (const char *at = zeros[c].expect;
         arena && sscanf(at, "%u=%u%n", &reg, &bits, &length) == 2; at += length) {
        if (found.zeros[reg] == bits) continue;
        fprintf(stderr, "%s: register %u has %u bits, not %u\n", zeros[c].name, reg,
                found.zeros[reg], bits);
        good = false;
    }
    arena_free(arena);
    isa_module_free(m);
    return good;
}

static bool check_intervals(unsigned c) {
    struct isa_module *m = read(intervals[c].name, intervals[c].body);
    struct numbers found;
    struct arena *arena = m ? numbers_new(&found, m->kernels[0], intervals[c].size) : NULL;
    bool good = arena;
    unsigned reg;
    char sign;
    int length;
    struct interval want;
    for (const char *at = intervals[c].expect;
         arena && sscanf(at, "%u%c%" SCNd64 "..%" SCNd64 "%n", &reg, &sign, &want.least, &want.most,
                         &length) == 4;
         at += length) {
        struct interval v = (sign == '=' ? found.as_signed : found.as_unsigned)[reg];
        if (v.least == want.least && v.most == want.most) continue;
        fprintf(stderr, "%s: register %u lies in %" PRId64 "..%" PRId64 "\n", intervals[c].name,
                reg, v.least, v.most);
        good = false;
    }
    arena_free(arena);
    isa_module_free(m);
    return good;
}

/* The displacement counts, too. */
static bool check_accesses(void) {
    struct isa_module *m = read("accesses", "ld.param.i32 %i0, [0]\n ld.global.i32 %i1, [%i0+8]\n"
                                            "ld.global.i32 %i1, [%i0]\n ld.private.i32 %i1, [20]");
    const struct isa_kernel *k = m ? m->kernels[0] : NULL;
    struct numbers found;
    struct arena *arena = k ? numbers_new(&found, k, NULL) : NULL;
    const unsigned bits[] = {3, 7, 2};
    bool good = arena;
    for (unsigned n = 0; arena && n < 3; n++)
        good &= numbers_aligned(&found, k, &k->insts[1 + n], bits[n]) &&
                !numbers_aligned(&found, k, &k->insts[1 + n], bits[n] + 1);
    if (!good) fprintf(stderr, "accesses: a displacement does not count as it should\n");
    arena_free(arena);
    isa_module_free(m);
    return good;
}

int main(void) {
    bool good = check_accesses();
    for (unsigned c = 0; c < sizeof zeros / sizeof *zeros; c++) good &= check_zeros(c);
    for (unsigned c = 0; c < sizeof intervals / sizeof *intervals; c++) good &= check_intervals(c);
    return !good;
}
