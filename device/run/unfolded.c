#include "unfolded.h"

#include <string.h>

#include "device/analysis/affine.h"
#include "device/debug/debug.h"
#include "device/engine.h"
#include "device/observe/observe.h"
#include "device/opt/unfold.h"
#include "privatised.h"
#include "tier.h"

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

/* No iteration accesses what another one has stored. */
static bool is_apart(const struct launch *l, struct unfolded_kernel *u, const uint32_t range[3]) {
    struct affine_launch a = {.params = l->params};
    uint32_t alone = executable_unfold_alone(u);
    if (privatised_alone(l, l->params, alone) != alone) return false;
    for (unsigned d = 0; d < 3; d++) {
        bool is = executable_unfold(u)->ranges[d].is;
        a.groups[d] = is ? range[d] : l->global_size[d] / l->local_size[d];
        a.local_size[d] = is ? 1 : l->local_size[d];
        a.offset[d] = l->offset[d];
    }
    return executable_unfold_apart(u, &a);
}

/* Each group of a range of one dimension is a row of a range of two. */
static bool put_rows(struct launch *l) {
    for (unsigned d = 0; d < 3; d++)
        if (l->offset[d] || (d && l->global_size[d] != 1)) return false;
    l->global_size[1] = l->global_size[0] / l->local_size[0];
    l->global_size[0] = l->local_size[0];
    return true;
}

void unfolded_begin(struct unfolded *was, struct launch *l) {
    bool seen = (l->observers && l->observers->count) || debug_wanted(l->kernel->name);
    bool may =
        l->order == LAUNCH_ANY && !seen && tier_compiles() && !trace_off(tier_trace(), "unfold");
    struct unfolded_kernel *u = may ? executable_unfolded(l->executable, l->kernel) : NULL;
    const struct unfold *made = u ? executable_unfold(u) : NULL;
    uint32_t range[3];
    bool longer, good = true;
    was->kernel = NULL;
    if (!made || !made->kernel) return;
    memcpy(was->global_size, l->global_size, sizeof was->global_size);
    if (made->rows && !put_rows(l)) return;
    longer = made->rows; /* how often they go round does not matter where rows become tiles */
    for (unsigned d = 0; d < 3; d++) {
        range[d] = made->ranges[d].is ? iterations(&made->ranges[d], l, d) : l->global_size[d];
        good &= range[d] != 0;
        longer |= range[d] > l->global_size[d];
    }
    if (!good || !longer || !is_apart(l, u, range)) {
        memcpy(l->global_size, was->global_size, sizeof l->global_size);
        return;
    }
    was->kernel = l->kernel;
    l->kernel = made->kernel;
    for (unsigned d = 0; d < 3; d++) {
        uint32_t size = l->local_size[d];
        l->global_size[d] = (range[d] + size - 1) / size * size;
    }
}

bool unfolded_never(const struct launch *l) {
    if (!tier_compiles() || trace_off(tier_trace(), "unfold")) return true;
    struct unfolded_kernel *u = executable_unfolded(l->executable, l->kernel);
    return u && !executable_unfold(u)->kernel;
}

bool unfolded_end(const struct unfolded *was, struct launch *l) {
    enum fault_kind kind = l->fault.kind;
    if (!was->kernel) return false;
    l->kernel = was->kernel;
    memcpy(l->global_size, was->global_size, sizeof l->global_size);
    return kind != FAULT_NONE && kind != FAULT_TIMEOUT && kind != FAULT_RESOURCES &&
           kind != FAULT_UNGUARDED;
}
