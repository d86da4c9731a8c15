#include "unfolded.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "device/analysis/isolation.h"
#include "device/debug/debug.h"
#include "device/engine.h"
#include "device/observe/observe.h"
#include "device/opt/unfold.h"
#include "privatised.h"
#include "tier.h"

struct unfolded {
    struct launch launch, *outer;
    bool (*again)(struct launch *l);
};

static void finished(struct launch *l) {
    struct unfolded *u = (struct unfolded *)((char *)l - offsetof(struct unfolded, launch));
    struct launch *outer = u->outer;
    bool (*again)(struct launch *) = u->again;
    outer->fault = l->fault;
    outer->started_ns = l->started_ns;
    outer->ended_ns = l->ended_ns;
    free(u);
    bool item = outer->fault.kind != FAULT_NONE && outer->fault.kind != FAULT_TIMEOUT &&
                outer->fault.kind != FAULT_RESOURCES && outer->fault.kind != FAULT_UNGUARDED;
    if (!item || !again(outer)) outer->finished(outer);
}

/* How many iterations there are in dimension d for all work-items; 0: that is not known, or too
 * many.
 */
static uint32_t iterations(const struct unfold_range *r, const struct launch *l, unsigned d) {
    int64_t bound;
    if (r->inner && l->offset[d]) return 0;
    if (!unfold_bound(l->kernel, r->bound, l->params, &bound)) return 0;
    bound += r->inclusive;
    int64_t from = l->offset[d], most = (int64_t)INT32_MAX - l->global_size[d];
    return bound > from && bound < most ? (uint32_t)(bound - from) : 0;
}

/* No iteration accesses what another one has stored. Finding that out takes as long as a small
 * launch (launchtiles.c). */
static bool is_apart(const struct launch *l, const struct unfold *u, const uint32_t range[3]) {
    struct affine_launch a = {.params = l->params};
    uint32_t alone;
    if (isolation_find(u->kernel, &alone) == ISOLATION_NONE ||
        privatised_alone(l, l->params, alone) != alone)
        return false;
    for (unsigned d = 0; d < 3; d++) {
        bool is = u->ranges[d].is;
        a.groups[d] = is ? range[d] : l->global_size[d] / l->local_size[d];
        a.local_size[d] = is ? 1 : l->local_size[d];
        a.offset[d] = l->offset[d];
    }
    return isolation_holds(u->kernel, &a);
}

struct launch *unfolded_new(struct launch *l, bool (*again)(struct launch *l)) {
    bool seen = (l->observers && l->observers->count) || debug_wanted(l->kernel->name);
    const struct unfold *made =
        l->order == LAUNCH_ANY && !seen && tier_compiles() && !trace_off(tier_trace(), "unfold")
            ? executable_unfold(l->executable, l->kernel)
            : NULL;
    uint32_t range[3];
    bool longer = false;
    if (!made || !made->kernel) return NULL;
    for (unsigned d = 0; d < 3; d++) {
        range[d] = made->ranges[d].is ? iterations(&made->ranges[d], l, d) : l->global_size[d];
        if (!range[d]) return NULL;
        longer |= range[d] > l->global_size[d];
    }
    struct unfolded *u = longer && is_apart(l, made, range) ? malloc(sizeof *u) : NULL;
    if (!u) return NULL;
    *u = (struct unfolded){.launch = *l, .outer = l, .again = again};
    u->launch.kernel = made->kernel;
    u->launch.finished = finished;
    for (unsigned d = 0; d < 3; d++) {
        uint32_t size = l->local_size[d];
        u->launch.global_size[d] = (range[d] + size - 1) / size * size;
    }
    return &u->launch;
}

void unfolded_drop(struct launch *l) { free((char *)l - offsetof(struct unfolded, launch)); }
