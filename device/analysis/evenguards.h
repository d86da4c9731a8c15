/* Guards round a body, as at the edge of what a launch works on, that mostly all lanes pass; and
 * loops that lanes may leave one by one and mostly end together, as where a work-item goes through
 * an array with the stride of the whole range. */
#ifndef SIMTCL_EVENGUARDS_H
#define SIMTCL_EVENGUARDS_H

#include "evenloops.h"
#include "shape.h"
#include "warpregions.h"

/* What all lanes mostly pass together: a part of an `if`, or an iteration of a loop. */
enum guard { GUARD_NONE, GUARD_THEN, GUARD_ELSE, GUARD_LOOP };

struct evenguard_finder {
    const struct isa_kernel *k;
    const struct shape *shape;
    const struct warpregions *regions;
    const struct evenloops *loops;
    const uint8_t *versions;     /* instructions: `if`s one part of which is for whole warps, not 0;
                                    NULL: there are none */
    bool whole;                  /* all lanes are on where the kernel begins */
    bool may_be_if, may_be_loop; /* whether either is looked for */
    uint32_t longest;            /* instructions of a body that is worth being there twice */
};

/* What is known of warps that could pass a guard in lockstep. */
struct evenguard_lockstep {
    const struct isa_kernel *k;
    const struct shape *shape;
    const struct warpregions *regions;
    const uint8_t *shared; /* registers that are one for all warps */
    const uint8_t *taken;  /* instructions that are made in another way */
    bool masks;            /* the host has masks for accesses to memory */
};
/* May they so pass the `if` that begins there also where some lanes, or all of a warp, do not?
 * Lanes that are off neither touch memory then nor give a value that is wanted of a warp as a
 * whole. It has loops, which all leave together. */
bool evenguards_together(const struct evenguard_lockstep *g, uint32_t begin);

/* Marks by what begins at each instruction, enum guard, and where all lanes are on if all pass the
 * guards round it. of, full: of each instruction, zeros. */
void evenguards_find(const struct evenguard_finder *f, uint8_t *of, uint8_t *full);

#endif
