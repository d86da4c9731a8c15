#include "unfolded.h"

#include <string.h>

#include "device/analysis/affine.h"
#include "device/debug/debug.h"
#include "device/engine.h"
#include "device/observe/observe.h"
#include "device/opt/regrid.h"
#include "device/opt/unfold.h"
#include "privatised.h"
#include "tier.h"

/* How many elements there are where work-items do several; 0: too many, or ids are not low. */
static uint32_t elements(const struct unfold *made, const struct launch *l, unsigned d) {
    int64_t times = made->times;
    bool known = !made->run || unfold_bound(made->kernel, made->ranges[d].bound, l->params, &times);
    if (!known || times < 1 || times > ISA_LOW_IDS) return 0;
    uint64_t all = (uint64_t)times * l->global_size[d];
    return tier_low_ids(l) && all <= ISA_LOW_IDS ? (uint32_t)all : 0;
}

/* How many iterations there are in dimension d for all work-items; 0: that is not known, or too
 * many.
 */
static uint32_t iterations(const struct unfold *made, const struct launch *l, unsigned d) {
    const struct unfold_range *r = &made->ranges[d];
    int64_t bound, step = l->global_size[d];
    if (made->times) return elements(made, l, d);
    if (r->inner && l->offset[d]) return 0;
    if (r->step != ISA_NO_OPERAND && !unfold_bound(made->kernel, r->step, l->params, &step))
        return 0;
    if (step != l->global_size[d]) return 0;
    if (!unfold_bound(made->kernel, r->bound, l->params, &bound)) return 0;
    bound += r->inclusive;
    int64_t from = l->offset[d], most = (int64_t)INT32_MAX - l->global_size[d];
    return bound > from && bound < most ? (uint32_t)(bound - from) : 0;
}

/* No iteration accesses what another one has stored. Groups have one each where nothing asks for
 * them: that is known of more kernels. */
static bool is_apart(const struct launch *l, struct unfolded_kernel *u, const uint32_t range[3]) {
    struct affine_launch a = {.params = l->params};
    uint32_t alone = executable_unfold_alone(u);
    if (privatised_alone(l, l->params, alone) != alone) return false;
    for (unsigned d = 0; d < 3; d++) {
        const struct unfold_range *r = &executable_unfold(u)->ranges[d];
        uint32_t all = r->is ? range[d] : l->global_size[d];
        a.local_size[d] = r->is && !r->grouped ? 1 : l->local_size[d];
        a.groups[d] = (all + a.local_size[d] - 1) / a.local_size[d];
        a.offset[d] = l->offset[d];
    }
    return executable_unfold_apart(u, &a);
}

static void put_back(const struct unfolded *was, struct launch *l) {
    memcpy(l->global_size, was->global_size, sizeof l->global_size);
    memcpy(l->local_size, was->local_size, sizeof l->local_size);
}

/* Each group of a range of one dimension is a row of a range of two. */
static bool put_rows(struct launch *l) {
    for (unsigned d = 0; d < 3; d++)
        if (l->offset[d] || (d && l->global_size[d] != 1)) return false;
    l->global_size[1] = l->global_size[0] / l->local_size[0];
    l->global_size[0] = l->local_size[0];
    return true;
}

static uint32_t power_of_two(uint32_t most) {
    uint32_t power = 1;
    while (power <= most / 2) power *= 2;
    return power;
}

/* Each work-item of a range of two dimensions at most has a line of one of a dimension more. It
 * does not ask how groups are made, so these are rows of lines as long as may be. */
static bool put_lines(const struct unfold *made, struct launch *l) {
    enum { LEAST = 16, LONGEST = 64, ITEMS = 256 };
    uint32_t length = iterations(made, l, 0), rows = l->global_size[0];
    if (!tier_low_ids(l) || length < LEAST || l->global_size[2] != 1) return false;
    if (!unfold_near(made, l->params)) return false;
    uint32_t along = power_of_two(length < LONGEST ? length : LONGEST), across = ITEMS / along;
    while (rows % across) across /= 2;
    l->global_size[2] = l->global_size[1];
    l->global_size[1] = rows;
    l->global_size[0] = 1;
    l->local_size[0] = along;
    l->local_size[1] = across;
    l->local_size[2] = 1;
    return true;
}

/* ---- another ND-range ---- */

/* Is it launches that are worth the look, of kernels of which nothing else has been made? */
static bool may_regrid(const struct launch *l) {
    enum { LEAST = 1 << 16 }; /* instructions of work-items */
    double insts = l->kernel->ninsts;
    for (unsigned d = 0; d < 3; d++) {
        if (l->offset[d] || !l->local_size[d]) return false;
        insts *= l->global_size[d];
    }
    return insts >= LEAST && !trace_off(tier_trace(), "regrid");
}

static void regrid_begin(struct unfolded *was, struct launch *l) {
    struct unfolded_kernel *u = may_regrid(l) ? executable_regridded(l->executable, l) : NULL;
    const struct regrid *made = u ? executable_regrid(u) : NULL;
    if (!made || !made->kernel) return;
    memcpy(was->global_size, l->global_size, sizeof was->global_size);
    memcpy(was->local_size, l->local_size, sizeof was->local_size);
    memcpy(l->global_size, made->global_size, sizeof l->global_size);
    memcpy(l->local_size, made->local_size, sizeof l->local_size);
    if (!is_apart(l, u, l->global_size)) {
        put_back(was, l);
        return;
    }
    was->kernel = l->kernel;
    l->kernel = made->kernel;
}

void unfolded_begin(struct unfolded *was, struct launch *l) {
    bool seen = (l->observers && l->observers->count) || debug_wanted(l->kernel->name);
    bool may = l->order == LAUNCH_ANY && !seen && tier_compiles();
    struct unfolded_kernel *u = may && !trace_off(tier_trace(), "unfold")
                                    ? executable_unfolded(l->executable, l->kernel)
                                    : NULL;
    const struct unfold *made = u ? executable_unfold(u) : NULL;
    uint32_t range[3];
    bool longer, good = true;
    was->kernel = NULL;
    if (may && !(made && made->kernel)) regrid_begin(was, l);
    if (!made || !made->kernel) return;
    memcpy(was->global_size, l->global_size, sizeof was->global_size);
    memcpy(was->local_size, l->local_size, sizeof was->local_size);
    if ((made->rows && !put_rows(l)) || (made->lines && !put_lines(made, l))) return;
    longer = made->rows; /* how often they go round does not matter where rows become tiles */
    for (unsigned d = 0; d < 3; d++) {
        range[d] = made->ranges[d].is ? iterations(made, l, d) : l->global_size[d];
        good &= range[d] != 0;
        longer |= range[d] > l->global_size[d];
    }
    if (!good || !longer || !is_apart(l, u, range)) {
        put_back(was, l);
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
    struct unfolded_kernel *u;
    if (!tier_compiles()) return true;
    if (!trace_off(tier_trace(), "unfold")) {
        u = executable_unfolded(l->executable, l->kernel);
        if (!u || executable_unfold(u)->kernel) return false;
    }
    u = may_regrid(l) ? executable_regridded(l->executable, l) : NULL;
    return !u || !executable_regrid(u)->kernel;
}

bool unfolded_end(const struct unfolded *was, struct launch *l) {
    enum fault_kind kind = l->fault.kind;
    if (!was->kernel) return false;
    l->kernel = was->kernel;
    put_back(was, l);
    return kind != FAULT_NONE && kind != FAULT_TIMEOUT && kind != FAULT_RESOURCES &&
           kind != FAULT_UNGUARDED;
}
