#include "liveranges.h"

#include <stdlib.h>

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
static void extend(struct liveranges *x, const struct isa_kernel *k, uint32_t r, uint32_t n,
                   bool reads, const uint32_t *loops, const uint32_t *parts) {
    uint32_t *first = &x->first[r], *last = &x->last[r];
    bool fresh = *first == UINT32_MAX;
    if (fresh && !reads) {
        *first = *last = n;
        return;
    }
    /* A read behind the region of the first write may come without it. */
    if (fresh || n > parts[*first]) x->zero[r] = 1;
    if (fresh) *first = 0; /* where it is zero */
    /* In a loop it may go round, unless every way to here leads over the first write in the same
     * iteration. */
    bool round = fresh || n > parts[*first];
    uint32_t until = n;
    for (uint32_t loop = loops[n]; loop != UINT32_MAX; loop = loops[loop]) {
        if (!round && *first > loop) break;
        if (*first > loop) *first = loop;
        until = k->insts[loop].match;
    }
    if (*last < until) *last = until;
}

bool liveranges_find(struct liveranges *x, const struct isa_kernel *k, const struct shape *shape) {
    size_t regs = k->nregs + 1ull;
    uint32_t *loops = malloc((k->ninsts + 1ull) * 2 * sizeof *loops), *parts = loops + k->ninsts;
    x->first = malloc(regs * sizeof *x->first);
    x->last = calloc(regs, sizeof *x->last);
    x->zero = calloc(regs, 1);
    bool good = loops && x->first && x->last && x->zero;
    if (good) find_regions(k, loops, parts);
    for (uint32_t r = 0; good && r < k->nregs; r++) x->first[r] = UINT32_MAX;
    for (uint32_t n = 0; good && n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        bool masked = shape->inst_flags[n] & SHAPE_MASKED;
        for (unsigned s = 0; s < i->nsrc; s++)
            if (isa_is_reg(isa_srcs(k, i)[s]))
                extend(x, k, isa_srcs(k, i)[s], n, true, loops, parts);
        for (unsigned d = 0; d < i->ndst; d++)
            extend(x, k, isa_dsts(k, i)[d], n, masked, loops, parts);
    }
    free(loops);
    return good;
}
