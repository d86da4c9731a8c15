/* Returns in loops. Where nothing is done behind a loop, who returns in it leaves it: what follows
 * in the loop is then for those that are in it, and the loop has one more exit that can be looked
 * at. */
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

/* Is nothing done from instruction n on, which is in as many regions as end there? */
static bool is_over(const struct isa_kernel *k, uint32_t n) {
    for (; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (i->op == ISA_else) n = i->match; /* for other lanes */
        if (i->op != ISA_else && i->op != ISA_endif && i->op != ISA_endblock) return false;
    }
    return true;
}

/* Is it an `if` in a loop, in no region there, of which nothing is left but to return? */
static bool returns(const struct isa_kernel *k, const struct loops *l, uint32_t n) {
    uint32_t loop = l->loop_of[n];
    return k->insts[n].op == ISA_if && loop && !l->nested[n] && k->insts[n + 1].op == ISA_ret &&
           k->insts[n + 2].op == ISA_endif && is_over(k, l->loops[loop].end + 1);
}

void opt_loopreturns(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct loops l;
    bool any = false;
    if (!loops_find(&l, k, arena)) return;
    uint8_t *leaves = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        if (!returns(k, &l, n)) continue;
        leaves[n] = 1;
        any = true;
        trace_tell(p, &k->insts[n], "who returns leaves the loop, behind which nothing is done");
    }
    if (!any) return;
    struct rewrite_code old = rewrite_take(k, arena);
    for (uint32_t n = 0; n < old.ninsts && !isa_kernel_failed(k); n++) {
        struct isa_inst *i = &old.insts[n];
        const isa_operand *dst = old.operands + i->operands;
        if (leaves[n]) i->op = ISA_breakif;
        rewrite_put(k, i, dst, dst + i->ndst);
        if (leaves[n]) n += 2;
    }
}
