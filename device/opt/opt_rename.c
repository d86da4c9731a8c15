/* Registers that straight code writes several times, and that are read there alone, are one for
 * each time: what is known of a register is then known of each value. */
#include "opt_pass.h"

enum { SEVERAL = UINT32_MAX };

static uint32_t *written(const struct isa_kernel *k, struct arena *arena) {
    uint32_t *in = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u), piece = 1;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        for (unsigned s = 0; s < i->nsrc; s++) {
            isa_operand o = isa_srcs(k, i)[s];
            if (isa_is_reg(o) && in[o] != piece) in[o] = SEVERAL;
        }
        for (unsigned d = 0; d < i->ndst; d++) {
            uint32_t *of = &in[isa_dsts(k, i)[d]];
            *of = *of && *of != piece ? SEVERAL : piece;
        }
        piece += (isa_op_info[i->op].flags & (ISA_OP_CONTROL | ISA_OP_BARRIER)) != 0;
    }
    return in;
}

void opt_rename(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    uint32_t nregs = k->nregs, found = 0, *in = written(k, arena);
    isa_operand *names = ARENA_ARRAY(arena, isa_operand, nregs + 1u);
    uint8_t *again = ARENA_ARRAY(arena, uint8_t, nregs + 1u);
    if (!k->noperands) return;
    for (uint32_t r = 0; r < nregs; r++) names[r] = r;
    for (uint32_t n = 0; n < k->ninsts && !isa_kernel_failed(k); n++) {
        const struct isa_inst *i = &k->insts[n];
        isa_operand *dst = k->operands + i->operands, *src = dst + i->ndst;
        for (unsigned s = 0; s < i->nsrc; s++)
            if (isa_is_reg(src[s])) src[s] = names[src[s]];
        for (unsigned d = 0; d < i->ndst; d++) {
            isa_operand r = dst[d];
            if (in[r] == SEVERAL) continue;
            if (again[r]) {
                dst[d] = names[r] = isa_reg_new(k, (enum isa_type)k->reg_types[r]);
                found++;
            }
            again[r] = 1;
        }
    }
    if (found) trace_tell(p, NULL, "%u values have a register of their own", found);
}
