/* Loops whose iterations take a warp so long, as its lanes access memory anywhere, that a few lanes
 * are through them sooner one after the other, by scalar code: whatever ifs and loops are in them.
 */
#ifndef SIMTCL_FEWLANES_H
#define SIMTCL_FEWLANES_H

#include "evenloops.h"
#include "gatherloops.h"

enum { FEWLANES_ANY = ISA_WARP + 1 };

/* A host: clocks of a warp's load whose lanes lie anywhere, and of such a store; with how many
 * words operations on vectors begin in a clock; whether it has fused multiply-add. */
struct fewlanes_host {
    uint32_t gathered, scattered, words;
    bool fused;
};

/* Of a loop. */
struct fewlanes {
    uint32_t most;   /* how few lanes are to be left for them to go through it one by one; ANY:
                        however many, as it is one of gatherloops.h; 0: they never are */
    const char *why; /* in any case */
    /* Of one of gatherloops.h that is known to end after so many iterations of each lane, in parts
     * of a clock: what one costs a warp, and a lane that is by itself; and that these begin. */
    uint32_t warp, lane, begun;
};

/* Of a divergent loop that begins there. even: loops that lanes mostly leave together. */
struct fewlanes fewlanes_of(const struct isa_kernel *k, const struct loops *loops,
                            const struct shape *shape, const struct liveranges *live,
                            const struct evenloops *even, uint32_t begin,
                            const struct fewlanes_host *host);

#endif
