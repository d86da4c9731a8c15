#include "launchtiles.h"

#include <string.h>

#include "device/host/pool.h"
#include "device/interp/level.h"
#include "device/launch.h"
#include "groups.h"
#include "lastlaunches.h"
#include "privatised.h"

/* No work-item of the launch accesses what another one has stored. Finding that out takes as long
 * as a small launch: of kernels whose launches were refused again and again some are asked, and all
 * that are worth it anyway. */
static bool is_apart(const struct launch *l, struct executable_kernel *k) {
    enum { PATIENCE = 4, SELDOM = 16, WORTH = 1 << 20 /* instructions of warps */ };
    _Atomic uint32_t *refusals = executable_refusals(k);
    uint32_t refused = atomic_load_explicit(refusals, memory_order_relaxed);
    const struct isa_kernel *kernel = executable_run_kernel(k);
    double insts = (double)kernel->ninsts / ISA_WARP;
    for (unsigned d = 0; d < 3; d++) insts *= l->global_size[d];
    bool asked = insts >= WORTH || refused < PATIENCE || refused % SELDOM == 0, apart = false;
    struct affine_launch a = {.params = l->params};
    for (unsigned d = 0; d < 3; d++) {
        a.groups[d] = l->global_size[d] / l->local_size[d];
        a.local_size[d] = l->local_size[d];
        a.offset[d] = l->offset[d];
    }
    if (asked) apart = lastlaunches_apart(executable_last(k), kernel, &a, insts);
    refused = apart ? 0 : refused + 1;
    atomic_store_explicit(refusals, refused, memory_order_relaxed);
    return apart;
}

static struct tiles_traits traits_of(const struct launch *l, const struct executable_kernel *k) {
    struct tiles_traits traits = *executable_tiling(k);
    traits.local_bytes = groups_local_bytes(l);
    traits.free = l->chosen && !traits.asks;
    traits.narrow = level_get()->number != NATIVE_AVX512;
    if (level_get()->number == NATIVE_BASELINE) traits.together = 0;
    return traits;
}

bool launchtiles_never(const struct launch *l, struct executable_kernel *k) {
    struct tiles_traits traits = traits_of(l, k);
    struct tiles t;
    if (traits.row.is) return false;
    traits.apart = false;
    tiles_choose(&t, &traits, l->global_size, l->local_size, 0, pool_threads());
    if (t.size[0]) return false;
    traits.apart = true;
    tiles_choose(&t, &traits, l->global_size, l->local_size, 0, pool_threads());
    return !t.size[0];
}

void launchtiles_choose(struct tiles *t, const struct launch *l, struct executable_kernel *k) {
    struct tiles_traits traits = traits_of(l, k);
    bool alone = privatised_alone(l, l->params, traits.alone) == traits.alone;
    uint32_t row = l->offset[0] ? 0 : flat_length(&traits.row, l->local_size[0], l->params);
    unsigned threads = pool_threads();
    traits.apart &= alone;
    tiles_choose(t, &traits, l->global_size, l->local_size, row, threads);
    if (!traits.depends || !alone) return;
    struct tiles other;
    traits.apart = true;
    tiles_choose(&other, &traits, l->global_size, l->local_size, row, threads);
    if (memcmp(&other, t, sizeof other) && is_apart(l, k)) *t = other; /* worth the work */
}
