/* What a compiler that folds constants may know, and where it would not flush. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/analysis/known.h"
#include "cases.h"

/* known: registers, in order; lost: instructions from which a denormal may come, in order; flushed:
 * registers of f32 that hold none, or NULL. */
static const struct {
    const char *name, *body, *known, *lost, *flushed;
} cases[] = {
    {"what a launch says is not known",
     "ld.param.f32 %f0, [0]\n special %i1, global_id_x\n special %i2, group_id_x\n"
     "fmul.f32 %f3, %f0, 0f00800000\n u2f.rte.f32.i32 %f4, %i1",
     "", ""},
    {"local ids and sizes are",
     "special %i0, local_id_x\n special %i1, local_size_x\n add.i32 %i2, %i0, %i1\n"
     "s2f.rte.f32.i32 %f3, %i2\n fmul.f32 %f4, %f3, 0f3f000000",
     "0 1 2 3 4", ""},
    {"one of two constants",
     "ld.param.i32 %i0, [0]\n eq.i32 %p1, %i0, 0\n select.f32 %f2, %p1, 0f15000000, 0f3f800000\n"
     "fmul.f32 %f3, %f2, 0f15000000\n fmul.f32 %f4, %f2, 0f40000000\n fdiv.f32 %f5, 0f3f800000, "
     "%f2",
     "2 4 5", "3"},
    {"one on one way",
     "ld.param.f32 %f0, [0]\n ld.param.i32 %i1, [4]\n eq.i32 %p2, %i1, 0\n if %p2\n"
     "mov.f32 %f0, 0f15000000\n endif\n fmul.f32 %f3, %f0, 0f15000000\n fmul.f32 %f4, %f0, %f0",
     "0", "6 7"},
    {"differences have the last digits",
     "ld.param.i32 %i0, [0]\n eq.i32 %p1, %i0, 0\n"
     "select.f32 %f2, %p1, 0f06800000, 0f07000000\n fsub.f32 %f3, %f2, 0f06800001\n"
     "select.f32 %f4, %p1, 0f0c800000, 0f0d000000\n fsub.f32 %f5, %f4, 0f0c800001",
     "2 4 5", "3"},
    {"a sum from zero is not known, a product from one is",
     "ld.param.f32 %f0, [0]\n mov.f32 %f1, 0f00000000\n mov.f32 %f2, 0f3f800000\n loop\n"
     "fadd.f32 %f1, %f1, %f1\n fmul.f32 %f2, %f2, 0f3f000000\n flt.f32 %p3, %f2, %f0\n"
     "breakif %p3, 0\n endloop",
     "2", "5"},
    {"a divisor that may be zero",
     "special %i0, local_id_x\n s2f.rte.f32.i32 %f1, %i0\n fdiv.f32 %f2, 0f3f800000, %f1\n"
     "fadd.f32 %f3, %f1, 0f3f800000\n sin.f32 %f4, %f3\n exp.f32 %f5, %f1",
     "0 1 3 4", "2 5"},
    {"what was stored",
     "ld.param.i32 %i0, [0]\n st.global.f32 [%i0], 0f15000000\n"
     "ld.global.f32 %f1, [%i0]\n fmul.f32 %f2, %f1, %f1\n ld.local.f32 %f3, [0]",
     "1", "3"},
    {"denormals that are compared",
     "ld.param.i32 %i0, [0]\n eq.i32 %p1, %i0, 0\n select.f32 %f2, %p1, 0f00000001, 0f00000002\n"
     "flt.f32 %p3, %f2, 0f3f800000\n fneg.f32 %f4, %f2",
     "2 4", "3", ""},
    {"the least of what was read, and of that",
     "ld.param.f32 %f0, [0]\n ld.param.i32 %i1, [4]\n fmin.f32 %f2, %f0, 0f3f800000\n"
     "fabs.f32 %f3, %f2\n fmax.f32 %f4, %f3, %f0\n eq.i32 %p5, %i1, 0\n"
     "select.f32 %f6, %p5, %f4, %f3\n select.f32 %f7, %p5, %f4, %f0\n fneg.f32 %f8, %f0\n"
     "s2f.rte.f32.i32 %f9, %i1\n mov.f32 %f10, 0f00000001\n mov.f32 %f11, 0f80000000\n"
     "mov.f32 %f12, 0f7f800001\n bits.f32.i32 %f13, %i1\n exp.f32 %f14, %f2",
     "10 12", "", "2 3 4 6 9 11"},
    {"flushed before a loop, and not in it",
     "ld.param.f32 %f0, [0]\n ld.param.i32 %i4, [4]\n mov.f32 %f1, 0f3f800000\n"
     "mov.f32 %f2, 0f3f800000\n loop\n fmax.f32 %f1, %f1, %f0\n mov.f32 %f5, %f2\n"
     "mov.f32 %f2, %f0\n flt.f32 %p3, %f2, %f1\n breakif %p3, 0\n endloop",
     "1 2 3 5", "", "1"},
};

static const char params[] = ".param \"a\" \"int*\" global offset 0 size 4 align 4 pointee 4\n"
                             ".param \"n\" \"int\" value offset 4 size 4 align 4\n"
                             ".param_bytes 8\n.local_bytes 64\n";

static bool check_case(unsigned c) {
    char text[4000], known[200] = "", lost[200] = "", flushed[200] = "";
    snprintf(text, sizeof text, "simtcl-ir 1\n.kernel \"k\"\n%s{\n%s\n}\n", params, cases[c].body);
    struct isa_module *m = cases_parse(cases[c].name, text);
    if (!m) return false;
    const struct isa_kernel *k = m->kernels[0];
    struct known *found = known_new(k);
    for (uint32_t r = 0; found && r < k->nregs; r++) {
        if (found->spans[r].known) sprintf(known + strlen(known), "%s%u", *known ? " " : "", r);
        if (k->reg_types[r] == ISA_F32 && found->flushed[r])
            sprintf(flushed + strlen(flushed), "%s%u", *flushed ? " " : "", r);
    }
    for (uint32_t n = 0; found && n < k->ninsts; n++)
        if (known_loses_flush(found->spans, k, &k->insts[n]))
            sprintf(lost + strlen(lost), "%s%u", *lost ? " " : "", n);
    bool good = found && !strcmp(known, cases[c].known) && !strcmp(lost, cases[c].lost) &&
                (!cases[c].flushed || !strcmp(flushed, cases[c].flushed));
    if (!good)
        fprintf(stderr, "%s: known %s, not %s; lost %s, not %s; flushed %s\n", cases[c].name, known,
                cases[c].known, lost, cases[c].lost, flushed);
    free(found);
    isa_module_free(m);
    return good;
}

int main(void) {
    bool good = true;
    for (unsigned c = 0; c < sizeof cases / sizeof *cases; c++) good &= check_case(c);
    return !good;
}
