#include "rewrite.h"

#include <string.h>

struct rewrite_code rewrite_take(struct isa_kernel *k, struct arena *arena) {
    struct rewrite_code old = {.ninsts = k->ninsts, .nregs = k->nregs};
    old.insts = ARENA_ARRAY(arena, struct isa_inst, k->ninsts + 1u);
    old.operands = ARENA_ARRAY(arena, isa_operand, k->noperands + 1u);
    if (k->ninsts) memcpy(old.insts, k->insts, k->ninsts * sizeof *old.insts);
    if (k->noperands) memcpy(old.operands, k->operands, k->noperands * sizeof *old.operands);
    k->ninsts = k->noperands = 0;
    return old;
}

struct isa_inst *rewrite_put(struct isa_kernel *k, const struct isa_inst *i, const isa_operand *dst,
                             const isa_operand *src) {
    struct isa_inst *out =
        isa_emit(k, (enum isa_op)i->op, i->type, i->type2, i->ndst, dst, i->nsrc, src);
    uint32_t operands = out->operands;
    *out = *i;
    out->operands = operands;
    return out;
}

uint32_t rewrite_nesting(const struct isa_kernel *k) {
    uint32_t depth = 0, most = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        uint32_t flags = isa_op_info[k->insts[n].op].flags;
        depth += (flags & ISA_OP_REGION_BEGIN) != 0;
        depth -= (flags & ISA_OP_REGION_END) != 0;
        if (depth > most) most = depth;
    }
    return most;
}
