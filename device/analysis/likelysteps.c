#include "likelysteps.h"

#include <stdlib.h>

enum { OPEN = INT32_MIN, MOST_STEP = 1 << 16, ROUNDS = 4 };

struct likely_finder {
    const struct isa_kernel *k;
    const struct shape *shape;
    enum shape_span least;
    int32_t *steps;
};

static int32_t step_of(const struct likely_finder *f, isa_operand o) {
    if (!isa_is_reg(o)) return 0;
    return f->shape->regs[o].span >= f->least ? f->shape->regs[o].stride : f->steps[o];
}

static int64_t constant_of(const struct likely_finder *f, isa_operand o) {
    return isa_is_const(o) ? (int32_t)f->k->consts[isa_const_index(o)].bits : 0;
}

/* Of what an instruction writes. OPEN: it is not known yet. */
static int32_t result_step(const struct likely_finder *f, const struct isa_inst *i) {
    const isa_operand *src = isa_srcs(f->k, i);
    int64_t s[3] = {0}, step = 0;
    for (unsigned n = 0; n < i->nsrc && n < 3; n++)
        if ((s[n] = step_of(f, src[n])) == OPEN) return OPEN;
    switch (i->op) {
    case ISA_mov:
    case ISA_sext:
    case ISA_zext:
    case ISA_trunc:
    case ISA_rem_s:
    case ISA_rem_u: step = s[0]; break;
    case ISA_add: step = s[0] + s[1]; break;
    case ISA_sub: step = s[0] - s[1]; break;
    case ISA_mul: step = s[0] * constant_of(f, src[1]) + s[1] * constant_of(f, src[0]); break;
    case ISA_shl: step = s[0] * (1ll << (constant_of(f, src[1]) & 31)); break;
    case ISA_and:
    case ISA_min_s:
    case ISA_min_u:
    case ISA_max_s:
    case ISA_max_u: step = s[0] ? s[0] : s[1]; break;
    case ISA_select: step = s[1] ? s[1] : s[2]; break;
    }
    return step < -MOST_STEP || step > MOST_STEP ? 0 : (int32_t)step;
}

int32_t *likelysteps_new(const struct isa_kernel *k, const struct shape *shape,
                         enum shape_span least) {
    struct likely_finder f = {k, shape, least, malloc((k->nregs + 1ull) * sizeof *f.steps)};
    if (!f.steps) return NULL;
    for (uint32_t r = 0; r <= k->nregs; r++) f.steps[r] = OPEN;
    for (unsigned round = 0; round < ROUNDS; round++)
        for (uint32_t n = 0; n < k->ninsts; n++) {
            const struct isa_inst *i = &k->insts[n];
            int32_t step = i->ndst ? result_step(&f, i) : OPEN;
            for (unsigned d = 0; step != OPEN && d < i->ndst; d++) {
                int32_t *have = &f.steps[isa_dsts(k, i)[d]];
                *have = *have == OPEN || *have == step ? step : 0;
            }
        }
    for (uint32_t r = 0; r <= k->nregs; r++)
        if (f.steps[r] == OPEN) f.steps[r] = 0;
    return f.steps;
}
