/* What is known of how addresses are aligned. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/analysis/alignment.h"

/* expect: `r=bits` for register number r. */
static const struct {
    const char *name, *body, *expect;
} cases[] = {
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

static const char params[] = ".param \"a\" \"int*\" global offset 0 size 4 align 4 pointee 4\n"
                             ".param \"t\" \"float4*\" local offset 4 size 4 align 4 pointee 16\n"
                             ".param \"c\" \"char*\" constant offset 8 size 4 align 4 pointee 1\n"
                             ".param \"n\" \"int\" value offset 12 size 4 align 4\n"
                             ".param \"u\" \"short*\" local offset 16 size 4 align 4 pointee 2\n"
                             ".param_bytes 32\n.local_bytes 64\n.private_bytes 64\n";

static struct isa_module *read(const char *name, const char *body) {
    char text[4000];
    struct isa_error error;
    snprintf(text, sizeof text,
             "simtcl-ir 1\n.data 512 align 4\n%01024d\n.kernel \"k\"\n%s{\n%s\n}\n", 0, params,
             body);
    struct isa_module *m = isa_parse(text, strlen(text), &error);
    if (!m) fprintf(stderr, "%s: line %u: %s\n", name, error.line, error.text);
    return m;
}

static bool check_case(unsigned c) {
    struct isa_module *m = read(cases[c].name, cases[c].body);
    uint8_t *found = m ? alignment_find(m->kernels[0]) : NULL;
    bool good = found;
    unsigned reg, bits;
    int length;
    for (const char *at = cases[c].expect;
         found && sscanf(at, "%u=%u%n", &reg, &bits, &length) == 2; at += length) {
        if (found[reg] == bits) continue;
        fprintf(stderr, "%s: register %u has %u bits, not %u\n", cases[c].name, reg, found[reg],
                bits);
        good = false;
    }
    free(found);
    isa_module_free(m);
    return good;
}

/* The displacement counts, too. */
static bool check_accesses(void) {
    struct isa_module *m = read("accesses", "ld.param.i32 %i0, [0]\n ld.global.i32 %i1, [%i0+8]\n"
                                            "ld.global.i32 %i1, [%i0]\n ld.private.i32 %i1, [20]");
    const struct isa_kernel *k = m ? m->kernels[0] : NULL;
    uint8_t *found = k ? alignment_find(k) : NULL;
    bool good = found && alignment_suffices(k, found, &k->insts[1], 3) &&
                !alignment_suffices(k, found, &k->insts[1], 4) &&
                alignment_suffices(k, found, &k->insts[2], 7) &&
                !alignment_suffices(k, found, &k->insts[2], 8) &&
                alignment_suffices(k, found, &k->insts[3], 2) &&
                !alignment_suffices(k, found, &k->insts[3], 3);
    if (!good) fprintf(stderr, "accesses: a displacement does not count as it should\n");
    free(found);
    isa_module_free(m);
    return good;
}

int main(void) {
    bool good = check_accesses();
    for (unsigned c = 0; c < sizeof cases / sizeof *cases; c++) good &= check_case(c);
    return !good;
}
