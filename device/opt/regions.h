/* Regions of a kernel that is rewritten with fewer or more of them: jumps count the regions that
 * they lead out of. Private to device/opt. */
#ifndef SIMTCL_REGIONS_H
#define SIMTCL_REGIONS_H

#include "device/isa/kernelcopy.h"

struct regions {
    uint32_t depth, now;                 /* at the place: as they were, and as they are */
    uint32_t level[ISA_MAX_NESTING + 1]; /* how deep is now what was at each depth */
};

/* One begins, or ends; kept: in what is written, too. */
static inline void regions_begin(struct regions *r, bool kept) {
    r->now += kept;
    r->level[++r->depth] = r->now;
}
static inline void regions_end(struct regions *r, bool kept) {
    r->depth--;
    r->now -= kept;
}
/* Does it lead out of regions? */
static inline bool regions_left(const struct isa_inst *i) {
    return isa_op_info[i->op].flags & ISA_OP_JUMP && i->op != ISA_ret;
}
/* Instruction n of the kernel that is copied, which is no region's. */
static inline void regions_put(const struct regions *r, struct kernelcopy *c, uint32_t n) {
    struct isa_inst *i = kernelcopy_put(c, n);
    if (regions_left(i)) i->imm = (int32_t)(r->now - r->level[r->depth - (uint32_t)i->imm]);
}

#endif
