/* A launch whose races are looked for, and the accesses that are looked at one after the other.
 * Private to device/check. */
#ifndef SIMTCL_RACE_COMPARE_H
#define SIMTCL_RACE_COMPARE_H

#include <stdatomic.h>

#include "device/observe/observer.h"
#include "race_locks.h"
#include "race_log.h"
#include "race_shadow.h"
#include "race_told.h"

struct race_group {
    uint32_t first; /* stretch */
    uint32_t id[3];
};

/* Memory whose accesses are looked at in one order: all global memory, that of group after group;
 * or a thread's local memory, whose group's alone are compared. */
struct race_side {
    struct race_launch *launch;
    struct race_shadow shadow;
    struct race_group *groups; /* so far, in that order */
    uint64_t ngroups, room;
    uint64_t before; /* groups of the launch that came before these */
    uint32_t next;   /* stretch that nobody has had */
    struct race_told told;
};

struct race_launch {
    const struct isa_kernel *kernel;
    const struct observe_grid *grid;
    const struct race_lines *lines;
    uint32_t nwarps;
    bool *watched;            /* of each site: in this launch it may take part in a race */
    bool steady;              /* all groups do alike what is watched */
    bool alone;               /* each group does what it does whatever the others do */
    uint32_t *number, *sites; /* of each site, + 1; and the other way round */
    uint32_t nnumbers;
    struct race_locks locks;
    struct race_side all;     /* global memory */
    struct race_turns *turns; /* where the groups do not run in their order */
    atomic_bool met;  /* accesses that nothing orders have been found, be they told or not */
    atomic_bool full; /* no more stretches, or no memory: nothing more is looked at */
};

/* One more group. Without memory the launch is full. */
void race_side_begin(struct race_side *side, const uint32_t id[3]);
static inline const struct race_group *race_side_now(const struct race_side *side) {
    return &side->groups[side->ngroups - 1];
}
/* An access of the last group's, before it is made. */
void race_look(struct race_side *side, uint32_t warp, const struct race_record *r);

#endif
