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

/* Of a divergent loop that begins there: how few lanes are to be left for them to go through it one
 * by one; ANY: however many, after enough iterations, as it is one of gatherloops.h; 0: they never
 * are. even: loops that lanes mostly leave together. why: the reason, in any case. */
unsigned fewlanes_most(const struct isa_kernel *k, const struct loops *loops,
                       const struct shape *shape, const struct liveranges *live,
                       const struct evenloops *even, uint32_t begin,
                       const struct fewlanes_host *host, const char **why);

#endif
