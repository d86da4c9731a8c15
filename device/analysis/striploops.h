/* Loops that may go, all iterations of them, first through some lanes of a warp and then through
 * the next ones: they compute and load, lanes have nothing to do with one another, and nothing is
 * written, so that the order cannot be told. */
#ifndef SIMTCL_STRIPLOOPS_H
#define SIMTCL_STRIPLOOPS_H

#include "liveranges.h"

struct striploops_finder {
    const struct isa_kernel *k;
    const struct shape *shape;
    const struct liveranges *live;
    const uint8_t *taken; /* instructions that are made in another way */
    bool fused;           /* the host has fused multiply-add, and masks for loads */
};

/* May the loop [begin, end]? */
bool striploops_fit(const struct striploops_finder *f, uint32_t begin, uint32_t end);

#endif
