/* What each iteration of a loop begins with loading, from one place, is loaded once before it where
 * the loop stores to no such memory: bounds that are in memory, which the compiler leaves in a loop
 * that stores, when what it stored is in a register (opt_keep.c). */
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

/* Does nothing in the loop change memory of that kind, or say when it may change? */
static bool is_steady(const struct isa_kernel *k, const struct loop *l, enum isa_space space) {
    for (uint32_t n = l->begin + 1; n < l->end; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        bool apart = i->space == ISA_PRIVATE || i->space == ISA_LOCAL || space == ISA_LOCAL;
        if (i->op == ISA_st && (i->space == space || !apart)) return false;
        if (flags & (ISA_OP_BARRIER | ISA_OP_ATOMIC | ISA_OP_PROBE) ||
            (flags & ISA_OP_IMAGE && flags & ISA_OP_WRITES) ||
            (flags & ISA_OP_EFFECT && i->op != ISA_st))
            return false;
    }
    return true;
}

/* A load that all lanes which come to the loop do first, and again in each iteration. */
static bool is_again(const struct loops *x, const struct isa_kernel *k, uint32_t n, uint32_t loop) {
    const struct isa_inst *i = &k->insts[n];
    bool memory = i->space == ISA_GLOBAL || i->space == ISA_LOCAL || i->space == ISA_PRIVATE;
    if (i->op != ISA_ld || !memory || i->flags & ISA_VOLATILE ||
        loops_varies(x, isa_srcs(k, i)[0], loop))
        return false;
    for (unsigned d = 0; d < i->ndst; d++) {
        isa_operand to = isa_dsts(k, i)[d];
        if (loops_writer(x, to, loop) != n ||
            isa_reads_between(k, to, x->loops[loop].begin + 1, n + 1))
            return false;
    }
    return is_steady(k, &x->loops[loop], (enum isa_space)i->space);
}

void opt_steady(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct loops x;
    bool any = false;
    if (!loops_find(&x, k, arena)) return;
    uint8_t *moved = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    for (uint32_t l = 1; l <= x.nloops; l++)
        for (uint32_t n = x.loops[l].begin + 1;
             !(isa_op_info[k->insts[n].op].flags & ISA_OP_CONTROL); n++)
            if (is_again(&x, k, n, l)) {
                trace_tell(p, &k->insts[n], "what stays the same is loaded before the loop");
                any = true;
                moved[n] = 1;
            }
    if (!any) return;
    struct rewrite_code old = rewrite_take(k, arena);
    for (uint32_t n = 0; n < old.ninsts; n++) {
        for (uint32_t m = n + 1; old.insts[n].op == ISA_loop && m < old.ninsts &&
                                 !(isa_op_info[old.insts[m].op].flags & ISA_OP_CONTROL);
             m++)
            if (moved[m]) rewrite_keep(k, &old, m);
        if (!moved[n]) rewrite_keep(k, &old, n);
    }
}
