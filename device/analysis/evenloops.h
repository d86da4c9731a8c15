/* Loops that lanes may leave one by one, but mostly leave together: those whose lanes access rows
 * of memory, or end at about the same time. */
#ifndef SIMTCL_EVENLOOPS_H
#define SIMTCL_EVENLOOPS_H

#include "device/isa/loops.h"
#include "shape.h"

struct evenloops {  /* instructions: */
    uint32_t *test; /* begin of such a loop: where lanes leave it first; else 0 */
    uint32_t *last; /* and where last: what is done until then can be done again, if registers are
                       what they were */
    uint8_t *leaf;  /* it has no regions in it, and is short */
};

/* Of loops of at most `longest` instructions that warps pass one by one (warpregions.h). The caller
 * frees the arrays, in any case. False: no memory. */
bool evenloops_find(struct evenloops *x, const struct isa_kernel *k, const struct shape *shape,
                    const struct loops *loops, const uint8_t *per_warp, uint32_t longest);
/* Is there one that lanes leave at one place? Not among instructions that are marked in `seldom`.
 */
bool evenloops_any(const struct evenloops *x, const struct isa_kernel *k, const uint8_t *seldom);

#endif
