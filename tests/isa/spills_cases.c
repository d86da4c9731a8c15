/* What a loop moves for want of registers, and how long its iterations wait for one another. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/analysis/latencies.h"
#include "device/analysis/spills.h"
#include "cases.h"

/* The body of a loop that is left by %p1, in a kernel in which %i2 to %i6 are vectors. */
static const struct {
    const char *name, *body;
    struct spills_registers registers;
    uint32_t moved, chain;
} cases[] = {
    {"all have registers", "add.i32 %i2, %i2, %i3\n add.i32 %i3, %i3, %i2", {2, 1}, 0, 2},
    {"two of them take two each", "add.i32 %i2, %i2, %i3\n add.i32 %i3, %i3, %i2", {2, 2}, 16, 2},
    {"what is only read is not stored",
     "add.i32 %i2, %i2, %i3\n add.i32 %i2, %i2, %i4\n add.i32 %i2, %i2, %i5",
     {3, 1},
     3,
     3},
    {"what is not wanted any more goes",
     "add.i32 %i7, %i3, %i4\n add.i32 %i8, %i7, %i3\n add.i32 %i2, %i2, %i8",
     {4, 1},
     0,
     1},
    {"a result that the next iteration but one wants",
     "add.i32 %i4, %i3, 1\n mov.i32 %i3, %i2\n add.i32 %i2, %i4, 1\n",
     {4, 1},
     0,
     1},
};

static uint32_t one_clock(const void *context, const struct isa_inst *i) {
    (void)context;
    return i->op != ISA_mov;
}

static bool measure(const struct isa_kernel *k, unsigned c) {
    struct liveranges live;
    struct shape *shape = shape_new(k, NULL);
    uint32_t *ready = calloc(k->nregs, sizeof *ready), begin = 0;
    bool good = liveranges_find(&live, k, shape) && shape && ready;
    while (k->insts[begin].op != ISA_loop) begin++;
    uint32_t end = k->insts[begin].match;
    uint32_t moved =
        good ? (uint32_t)spills_of(k, shape, &live, cases[c].registers, begin, end) : 0;
    uint32_t chain = good ? latencies_of(k, begin, end, one_clock, NULL, ready).chain : 0;
    good &= moved == cases[c].moved && chain == cases[c].chain;
    if (!good)
        fprintf(stderr, "%s: %u moved, not %u; a chain of %u, not %u\n", cases[c].name, moved,
                cases[c].moved, chain, cases[c].chain);
    free(live.first);
    free(live.last);
    free(live.zero);
    free(ready);
    shape_free(shape);
    return good;
}

static bool check_case(unsigned c) {
    char text[4000];
    snprintf(text, sizeof text,
             "simtcl-ir 1\n.kernel \"k\"\n"
             ".param \"a\" \"int*\" global offset 0 size 4 align 4 pointee 4\n.param_bytes 4\n{\n"
             "ld.param.i32 %%i0, [0]\n special %%i9, local_id_x\n shl.i32 %%i9, %%i9, 2\n"
             "add.i32 %%i9, %%i9, %%i0\n eq.i32 %%p1, %%i0, 0\n"
             "ld.global.i32 %%i2, [%%i9]\n ld.global.i32 %%i3, [%%i9+128]\n"
             "ld.global.i32 %%i4, [%%i9+256]\n ld.global.i32 %%i5, [%%i9+384]\n"
             "loop\n breakif %%p1, 0\n %s\n endloop\n"
             "st.global.i32 [%%i9], %%i2\n st.global.i32 [%%i9+128], %%i3\n"
             "st.global.i32 [%%i9+256], %%i4\n st.global.i32 [%%i9+384], %%i5\n}\n",
             cases[c].body);
    struct isa_module *m = cases_parse(cases[c].name, text);
    if (!m) return false;
    bool good = measure(m->kernels[0], c);
    isa_module_free(m);
    return good;
}

int main(void) {
    bool good = true;
    for (unsigned c = 0; c < sizeof cases / sizeof *cases; c++) good &= check_case(c);
    return !good;
}
