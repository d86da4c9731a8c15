/* Bounds: what the values of a register are at most, as unsigned numbers, and how many of their low
 * bits are 0. Of all that is written to it, wherever that is: a register begins as 0. */
#include <stdlib.h>
#include <string.h>

#include "device/native/opt/rewrites.h"

enum { ROUNDS = 4 }; /* how long a chain of instructions is followed */

static const struct value_bound anything = {UINT32_MAX, 0}, nothing = {0, 32};

static struct value_bound either(struct value_bound x, struct value_bound y) {
    return (struct value_bound){x.most > y.most ? x.most : y.most,
                                x.zeros < y.zeros ? x.zeros : y.zeros};
}

static struct value_bound limited(uint64_t most, unsigned zeros) {
    if (most > UINT32_MAX) most = UINT32_MAX;
    return (struct value_bound){(uint32_t)most, zeros < 32 ? (uint8_t)zeros : 32};
}

/* All ones up to the highest that x may have. */
static uint32_t ones(uint32_t x) { return x ? UINT32_MAX >> __builtin_clz(x) : 0; }

/* What the instruction writes, of 32 bits at most. Sums and products that may wrap keep their zeros
 * only. */
static struct value_bound result(const struct plan *plan, const struct isa_inst *i) {
    const isa_operand *src = isa_srcs(plan->k, i);
    struct value_bound s[3] = {anything, anything, anything};
    for (unsigned n = 0; n < i->nsrc && n < 3; n++) s[n] = plan_bound(plan, src[n]);
    uint64_t x = s[0].most, y = s[1].most;
    unsigned zeros = s[0].zeros + s[1].zeros;
    bool known = i->nsrc > 1 && isa_is_const(src[1]) && y < 32;
    switch (i->op) {
    case ISA_mov: return s[0];
    case ISA_zext: return s[0];
    case ISA_select: return either(s[1], s[2]);
    case ISA_and: return limited(x < y ? x : y, s[0].zeros > s[1].zeros ? s[0].zeros : s[1].zeros);
    case ISA_or: return limited(ones((uint32_t)(x | y)), either(s[0], s[1]).zeros);
    case ISA_add: return limited(x + y, either(s[0], s[1]).zeros);
    case ISA_sub: return limited(UINT32_MAX, either(s[0], s[1]).zeros);
    case ISA_mul: return limited(x * y, zeros);
    case ISA_shl: return known ? limited(x << y, s[0].zeros + (unsigned)y) : anything;
    case ISA_shr_u: return known ? limited(x >> y, 0) : anything;
    default: return anything;
    }
}

bool bounds_plan(struct plan *plan) {
    const struct isa_kernel *k = plan->k;
    struct value_bound *next = malloc((k->nregs + 1ull) * sizeof *next);
    struct value_bound *bounds = plan->bounds.of =
        malloc((k->nregs + 1ull) * sizeof *plan->bounds.of);
    if (!next || !bounds) {
        free(next);
        return false;
    }
    for (uint32_t r = 0; r < k->nregs; r++) bounds[r] = anything;
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (uint32_t r = 0; r < k->nregs; r++) next[r] = nothing;
        for (uint32_t n = 0; n < k->ninsts; n++) {
            const struct isa_inst *i = &k->insts[n];
            for (unsigned d = 0; d < i->ndst; d++) {
                isa_operand dst = isa_dsts(k, i)[d];
                enum isa_type type = (enum isa_type)k->reg_types[dst];
                struct value_bound b = anything;
                if (type == ISA_I32 && i->ndst == 1) b = result(plan, i);
                if (type == ISA_I8) b.most = UINT8_MAX;
                if (type == ISA_I16) b.most = UINT16_MAX;
                next[dst] = either(next[dst], b);
            }
        }
        memcpy(bounds, next, k->nregs * sizeof *next);
    }
    free(next);
    return true;
}
