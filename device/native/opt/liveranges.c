/* Ranges: between which instructions a register has to keep its value. */
#include <stdlib.h>

#include "device/native/opt/rewrites.h"

/* The innermost loop around each instruction (its begin, or UINT32_MAX; of a begin, the one around
 * that), and where the part of the innermost region ends that the instruction is in. */
static void find_regions(const struct isa_kernel *k, uint32_t *loops, uint32_t *parts) {
    uint32_t ends[ISA_MAX_NESTING + 1] = {k->ninsts}, depth = 0, inner = UINT32_MAX;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        uint32_t flags = isa_op_info[k->insts[n].op].flags;
        if (flags & ISA_OP_REGION_END) depth--;
        if (flags & ISA_OP_REGION_ELSE) ends[depth] = k->insts[n].match;
        parts[n] = ends[depth];
        if (flags & ISA_OP_REGION_BEGIN) ends[++depth] = k->insts[n].match;
        loops[n] = inner;
        if (k->insts[n].op == ISA_loop) inner = n;
        if (k->insts[n].op == ISA_endloop) inner = loops[inner];
    }
}

/* Notes that the register is read or written at `n`. */
static void extend(struct plan *plan, uint32_t r, uint32_t n, bool reads, const uint32_t *loops,
                   const uint32_t *parts) {
    bool fresh = plan->liveness.first[r] == UINT32_MAX;
    if (fresh && !reads) {
        plan->liveness.first[r] = plan->liveness.last[r] = n;
        return;
    }
    /* A read behind the region of the first write may come without it. */
    if (fresh || n > parts[plan->liveness.first[r]]) plan->liveness.zero[r] = 1;
    if (fresh) plan->liveness.first[r] = 0; /* where it is zero */
    /* In a loop it may go round, unless every way to here leads over the first write in the same
     * iteration. */
    bool round = fresh || n > parts[plan->liveness.first[r]];
    uint32_t until = n;
    for (uint32_t loop = loops[n]; loop != UINT32_MAX; loop = loops[loop]) {
        if (!round && plan->liveness.first[r] > loop) break;
        if (plan->liveness.first[r] > loop) plan->liveness.first[r] = loop;
        until = plan->k->insts[loop].match;
    }
    if (plan->liveness.last[r] < until) plan->liveness.last[r] = until;
}

/* Instructions between which a register has to keep its value, at most. */
bool liveranges_plan(struct plan *plan) {
    const struct isa_kernel *k = plan->k;
    uint32_t *loops = malloc((k->ninsts + 1ull) * 2 * sizeof *loops), *parts = loops + k->ninsts;
    plan->liveness.first = plan_of_registers(plan, sizeof *plan->liveness.first);
    plan->liveness.last = plan_of_registers(plan, sizeof *plan->liveness.last);
    plan->liveness.zero = plan_of_registers(plan, 1);
    if (!loops || !plan->liveness.first || !plan->liveness.last || !plan->liveness.zero) {
        free(loops);
        return false;
    }
    find_regions(k, loops, parts);
    for (uint32_t r = 0; r < k->nregs; r++)
        plan->liveness.first[r] = UINT32_MAX, plan->liveness.last[r] = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        bool masked = plan_masked(plan, n);
        for (unsigned s = 0; s < i->nsrc; s++)
            if (isa_is_reg(isa_srcs(k, i)[s]))
                extend(plan, isa_srcs(k, i)[s], n, true, loops, parts);
        for (unsigned d = 0; d < i->ndst; d++)
            extend(plan, isa_dsts(k, i)[d], n, masked, loops, parts);
    }
    free(loops);
    return true;
}
