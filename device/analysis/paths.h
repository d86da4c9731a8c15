/* Sums over the instructions of one pass through a kernel, in order: of an if the part that adds
 * more counts. */
#ifndef SIMTCL_PATHS_H
#define SIMTCL_PATHS_H

#include "device/isa/isa.h"

struct paths_sum {
    uint32_t depth; /* of regions */
    /* In each region round here: so far, and in its part before `else`. */
    uint64_t sum[ISA_MAX_NESTING + 1], other[ISA_MAX_NESTING + 1];
};

/* Passes an instruction, which adds so much. The sum so far is s->sum[0] outside of regions. */
static inline void paths_add(struct paths_sum *s, const struct isa_inst *i, uint64_t more) {
    uint32_t flags = isa_op_info[i->op].flags;
    if (flags & ISA_OP_REGION_ELSE) {
        s->other[s->depth] = s->sum[s->depth];
        s->sum[s->depth] = 0;
    } else if (flags & ISA_OP_REGION_END) {
        uint64_t most = s->sum[s->depth], other = s->other[s->depth];
        s->depth--;
        s->sum[s->depth] += most > other ? most : other;
    } else if (flags & ISA_OP_REGION_BEGIN) {
        s->depth++;
        s->sum[s->depth] = s->other[s->depth] = 0;
    }
    s->sum[s->depth] += more;
}

#endif
