#include "pointers.h"

#include <stdlib.h>

enum { NOWHERE = POINTERS_NOWHERE, ANYWHERE = POINTERS_ANYWHERE };

static uint32_t joined(uint32_t a, uint32_t b) {
    if (!a || !b) return a | b;
    return a == b ? a : ANYWHERE;
}

/* Of what an instruction gives. What is read from memory is taken for a number. */
static uint32_t param_of(const struct isa_kernel *k, const uint32_t *params,
                         const struct isa_inst *i) {
    uint32_t from = NOWHERE;
    const struct isa_param *p = isa_param_at(k, (uint32_t)i->imm);
    if (i->op == ISA_ld && i->space == ISA_PARAM && p && isa_param_points(p))
        return (uint32_t)(p - k->params) + 1;
    if (i->op == ISA_constaddr) return k->nparams + 1;
    if (i->op == ISA_localaddr) return k->nparams + 2;
    if (isa_op_info[i->op].flags & ISA_OP_MEMORY) return NOWHERE;
    bool keeps = i->op == ISA_add || i->op == ISA_sub || i->op == ISA_mov || i->op == ISA_select;
    for (unsigned s = 0; s < i->nsrc; s++) {
        isa_operand o = isa_srcs(k, i)[s];
        if (!isa_is_reg(o) || !params[o]) continue;
        bool twice = from && i->op != ISA_select; /* the difference of two addresses, say */
        from = keeps && !twice ? joined(from, params[o]) : ANYWHERE;
    }
    return from;
}

uint32_t *pointers_find(const struct isa_kernel *k) {
    uint32_t *params = calloc(k->nregs + (size_t)1, sizeof *params);
    for (bool changed = params; changed;) {
        changed = false;
        for (uint32_t n = 0; n < k->ninsts; n++) {
            const struct isa_inst *i = &k->insts[n];
            uint32_t from = i->ndst ? param_of(k, params, i) : NOWHERE;
            for (unsigned d = 0; d < i->ndst; d++) {
                uint32_t *to = &params[isa_dsts(k, i)[d]], now = joined(*to, from);
                changed |= now != *to;
                *to = now;
            }
        }
    }
    return params;
}
