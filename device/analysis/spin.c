#include "spin.h"

#include <stdlib.h>

/* What others may have changed, on its way through registers and memory. */
struct traces {
    const struct isa_kernel *k;
    uint8_t *regs;
    unsigned spaces; /* bits: stored there */
    bool grew;
};

static bool source_traced(const struct traces *t, const struct isa_inst *i) {
    for (unsigned s = 0; s < i->nsrc; s++) {
        isa_operand o = isa_srcs(t->k, i)[s];
        if (isa_is_reg(o) && t->regs[o]) return true;
    }
    return false;
}

static void trace(struct traces *t, const struct isa_inst *i, bool in_loop) {
    uint32_t flags = isa_op_info[i->op].flags;
    bool asks = flags & ISA_OP_ATOMIC || (i->op == ISA_ld && i->flags & ISA_VOLATILE);
    bool traced =
        source_traced(t, i) || (asks && in_loop) || (i->op == ISA_ld && t->spaces >> i->space & 1);
    if (!traced) return;
    for (unsigned d = 0; d < i->ndst; d++) {
        uint8_t *reg = &t->regs[isa_dsts(t->k, i)[d]];
        t->grew |= !*reg;
        *reg = 1;
    }
    if (i->op != ISA_st) return;
    t->grew |= !(t->spaces >> i->space & 1);
    t->spaces |= 1u << i->space;
}

/* One pass over the kernel; true: a loop's way depends on a trace. */
static bool pass(struct traces *t) {
    uint32_t depth = 0, loops[ISA_MAX_NESTING + 1] = {0};
    for (uint32_t n = 0; n < t->k->ninsts; n++) {
        const struct isa_inst *i = &t->k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        if (flags & ISA_OP_REGION_BEGIN) {
            loops[depth + 1] = loops[depth] + (i->op == ISA_loop);
            depth++;
        }
        bool in_loop = loops[depth];
        if (in_loop && (i->op == ISA_if || i->op == ISA_breakif) && source_traced(t, i))
            return true;
        trace(t, i, in_loop);
        if (flags & ISA_OP_REGION_END) depth--;
    }
    return false;
}

bool spin_may(const struct isa_kernel *k) {
    struct traces t = {.k = k, .regs = calloc(k->nregs + 1ull, 1), .grew = true};
    bool may = !t.regs;
    while (!may && t.grew) {
        t.grew = false;
        may = pass(&t);
    }
    free(t.regs);
    return may;
}
