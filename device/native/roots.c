/* Roots: the buffers that a kernel was given and that an address may lie in. */
#include "emit.h"

/* The parameters whose addresses are part of each register's value, as bits. */
void roots_find(const struct isa_kernel *k, uint64_t *roots) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = 0; n < k->ninsts; n++) {
            const struct isa_inst *i = &k->insts[n];
            uint64_t from = 0;
            if (i->op == ISA_ld && i->space == ISA_PARAM) {
                for (uint32_t p = 0; p < k->nparams; p++)
                    if (k->params[p].kind == ISA_PARAM_GLOBAL &&
                        k->params[p].offset == (uint32_t)i->imm)
                        from = 1ull << (p % 64);
            } else if (i->op == ISA_add || i->op == ISA_sub || i->op == ISA_mov ||
                       i->op == ISA_select) {
                for (unsigned s = 0; s < i->nsrc; s++)
                    if (isa_is_reg(isa_srcs(k, i)[s])) from |= roots[isa_srcs(k, i)[s]];
            }
            for (unsigned d = 0; from && d < i->ndst; d++) {
                uint64_t *to = &roots[isa_dsts(k, i)[d]];
                changed |= (*to | from) != *to;
                *to |= from;
            }
        }
    }
}

uint64_t roots_of(const struct isa_kernel *k, const uint64_t *roots, const struct isa_inst *i) {
    isa_operand at = isa_srcs(k, i)[0];
    uint64_t found = isa_is_reg(at) ? roots[at] : 0;
    return found ? found : UINT64_MAX; /* anywhere */
}
