/* What registers hold for each work-item of a group, and for all of them. */
#include <stdio.h>
#include <string.h>

#include "device/analysis/itemvalues.h"
#include "cases.h"

/* expect: at the kernel's end, REGISTER@ITEM=VALUE, or ? where it is not known; behind a number
 * that is added to the kernel's own local memory L, to parameter n's Pn. */
static const struct {
    const char *name, *body;
    uint32_t size[3];
    bool one;
    const char *expect;
} cases[] = {
    {"ids in three dimensions",
     "special %i0, local_id_x\n special %i1, local_id_y\n special %i2, local_id_z\n"
     "special %i3, thread_id\n special %i4, local_size_y\n special %i5, group_id_x",
     {3, 5, 2},
     false,
     "0@29=2 1@29=4 2@29=1 3@29=29 4@0=5 5@0=?"},
    {"what is computed of them",
     "special %i0, thread_id\n xor.i32 %i1, %i0, 5\n sub.i32 %i2, 3, %i0\n"
     "lt_s.i32 %p3, %i2, 0\n select.i32 %i4, %p3, %i1, %i2\n trunc.i8.i32 %b5, %i2\n"
     "sext.i32.i8 %i6, %b5",
     {64, 1, 1},
     false,
     "1@6=3 2@7=-4 4@2=1 4@9=12 6@40=-37"},
    {"addresses of local memory",
     "localaddr %i0, 16\n special %i1, thread_id\n shl.i32 %i2, %i1, 2\n add.i32 %i3, %i0, %i2\n"
     "sub.i32 %i4, %i2, %i0\n ld.param.i32 %i5, [4]\n add.i32 %i6, %i2, %i5\n"
     "add.i32 %i7, %i0, %i5\n ld.param.i32 %i8, [0]",
     {32, 1, 1},
     false,
     "3@5=36L 4@5=? 6@3=12P1 7@0=? 8@0=?"},
    {"behind an if, and behind a loop",
     "special %i0, thread_id\n mov.i32 %i1, 7\n mov.i32 %i2, 8\n lt_u.i32 %p3, %i0, 4\n if %p3\n"
     "mov.i32 %i1, %i0\n endif\n loop\n add.i32 %i2, %i2, 1\n lt_u.i32 %p4, %i0, %i2\n"
     "breakif %p4, 0\n endloop\n add.i32 %i5, %i0, %i0",
     {32, 1, 1},
     false,
     "1@9=? 2@0=? 3@4=0 5@9=18"},
    {"one for all",
     "special %i0, local_size_x\n special %i1, thread_id\n shr_u.i32 %i2, %i0, 1\n"
     "localaddr %i3, 16\n mul.i32 %i4, %i1, 0\n s2f.rte.f32.i32 %f5, %i0",
     {48, 1, 1},
     true,
     "0@0=48 1@0=? 2@0=24 4@0=? 5@0=?"},
};

static const char params[] = ".param \"a\" \"int*\" global offset 0 size 4 align 4 pointee 4\n"
                             ".param \"l\" \"int*\" local offset 4 size 4 align 4 pointee 4\n"
                             ".param_bytes 8\n.local_bytes 64\n";

static void describe(const struct itemvalues *v, unsigned reg, unsigned item, char text[64]) {
    strcpy(text, "?");
    if (!v->known[reg]) return;
    int length = snprintf(text, 64, "%lld", (long long)itemvalues_signed(v, reg, item));
    if (v->base[reg] == ITEMVALUES_LOCAL) strcpy(text + length, "L");
    if (v->base[reg] >= ITEMVALUES_PARAM)
        snprintf(text + length, 16, "P%u", v->base[reg] - ITEMVALUES_PARAM);
}

static bool check_case(unsigned c) {
    char text[4000], want[64], have[64];
    snprintf(text, sizeof text, "simtcl-ir 1\n.kernel \"k\"\n%s{\n%s\n}\n", params, cases[c].body);
    struct isa_module *m = cases_parse(cases[c].name, text);
    if (!m) return false;
    const struct isa_kernel *k = m->kernels[0];
    struct itemvalues v;
    bool good = itemvalues_begin(&v, k, cases[c].size, cases[c].one);
    v.arguments = true;
    for (uint32_t n = 0; good && n < k->ninsts; n++)
        if (cases[c].one)
            itemvalues_evaluate(&v, &k->insts[n]);
        else
            itemvalues_pass(&v, n);
    unsigned reg, item;
    int length;
    for (const char *at = cases[c].expect;
         good && sscanf(at, "%u@%u=%63s%n", &reg, &item, want, &length) == 3; at += length) {
        describe(&v, reg, item, have);
        if (!strcmp(have, want)) continue;
        fprintf(stderr, "%s: register %u of work-item %u is %s, not %s\n", cases[c].name, reg, item,
                have, want);
        good = false;
    }
    itemvalues_end(&v);
    isa_module_free(m);
    return good;
}

int main(void) {
    bool good = true;
    for (unsigned c = 0; c < sizeof cases / sizeof *cases; c++) good &= check_case(c);
    return !good;
}
