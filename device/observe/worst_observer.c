#include "worst_observer.h"

#include <string.h>

#include "counters_access.h"
#include "device/gpu/banks.h"
#include "device/gpu/coalesce.h"
#include "device/gpu/constant_port.h"
#include "device/gpu/contention.h"
#include "device/gpu/model.h"
#include "device/gpu/partition.h"
#include "device/gpu/request.h"

enum { STARTS = PARTITION_STEP * PARTITION_MOST };

struct worst_site {
    struct worst_access access;
    /* Evenly spaced accesses with that stride have been seen that begin there. */
    int32_t stride;
    uint64_t starts[STARTS / 64];
};

/* Without a device of its own an observer looks at the default one. */
static const struct model *model_of(const struct model *model) {
    return model ? model : model_find(NULL);
}

static bool is_drawn(const struct isa_site *s) {
    return s->kind <= ISA_SITE_atomic && s->space != ISA_PRIVATE;
}

static unsigned wants(const struct isa_kernel *k, const struct isa_site *site) {
    (void)k;
    return is_drawn(site) ? OBSERVE_ADDRESS : 0u;
}

static size_t bytes(const struct isa_kernel *k) {
    return (k->nsites + (size_t)1) * sizeof(struct worst_site);
}

static bool period(const struct model *model, const struct isa_kernel *k,
                   const struct isa_site *site, int32_t stride, struct observe_period *p) {
    return counters_access_period(model_of(model), k, site, stride, p);
}

unsigned worst_words(const struct isa_site *s, struct request_word *words) {
    unsigned size = (unsigned)s->width * s->count;
    unsigned alignment = s->count > 1 ? REQUEST_BYTES : s->width;
    bool padded = s->kind == ISA_SITE_load && s->space == ISA_GLOBAL;
    return (padded ? request_split_load : request_split)(size, alignment, words);
}

/* Half-warps stand in the first half of a warp that is otherwise off. */
static uint32_t word_cost(const struct model *m, const struct isa_site *s, uint32_t mask,
                          const uint32_t at[ISA_WARP], unsigned size) {
    struct coalesce_result coalesced;
    struct constant_port_result constant;
    struct banks_result banks;
    switch (s->space) {
    case ISA_GLOBAL:
        coalesce_warp(coalesce_rule_of(m->cc_minor), mask, at, size, &coalesced);
        return coalesced.count;
    case ISA_LOCAL:
        banks_warp(mask, at, size, s->kind == ISA_SITE_store, &banks);
        return banks.steps;
    default: constant_port_warp(mask, at, &constant); return constant.reads;
    }
}

static uint32_t cost_of(const struct model *m, const struct isa_site *s,
                        const struct worst_access *a) {
    uint32_t cost = 0, at[ISA_WARP] = {0};
    struct request_word words[REQUEST_MOST];
    struct contention_result contention;
    unsigned n = s->kind == ISA_SITE_atomic ? 0 : worst_words(s, words);
    for (unsigned w = 0; w < n; w++) {
        for (unsigned l = 0; l < WORST_LANES; l++) at[l] = a->addresses[l] + words[w].offset;
        cost += word_cost(m, s, a->mask, at, words[w].bytes);
    }
    if (n) return cost;
    memcpy(at, a->addresses, sizeof a->addresses);
    contention_warp(a->mask, at, &contention);
    return contention.most;
}

/* Does an access take the place of the one kept, if both cost the same? */
static bool is_before(const struct worst_access *a, const struct worst_access *kept) {
    if (a->even != kept->even) return !a->even;
    if (a->mask != kept->mask) return a->mask < kept->mask;
    for (unsigned l = 0; l < WORST_LANES; l++)
        if (a->addresses[l] != kept->addresses[l]) return a->addresses[l] < kept->addresses[l];
    return false;
}

static void take(struct worst_access *kept, const struct worst_access *a) {
    if (a->cost > kept->cost || (a->cost && a->cost == kept->cost && is_before(a, kept)))
        *kept = *a;
}

static bool is_even(const uint32_t *at) {
    uint32_t stride = at[1] - at[0], differs = 0;
    if (at[2] - at[1] != stride) return false;
    for (unsigned l = 3; l < WORST_LANES; l++) differs |= at[l] - at[l - 1] - stride;
    return !differs;
}

/* Where it begins, which is all that matters of it besides the stride. */
static void add_even(const struct model *m, const struct isa_site *s, struct worst_site *w,
                     const uint32_t *at) {
    uint32_t begin = s->space == ISA_GLOBAL && s->kind != ISA_SITE_atomic
                         ? at[0] % (PARTITION_STEP * m->partitions)
                         : at[0] % 4;
    int32_t stride = (int32_t)(at[1] - at[0]);
    uint64_t *seen = &w->starts[begin / 64], bit = UINT64_C(1) << begin % 64;
    if (stride == w->stride && *seen & bit) return;
    if (stride != w->stride) memset(w->starts, 0, sizeof w->starts);
    w->stride = stride;
    *seen |= bit;
    /* Where strides are negative no lane's address may go round 2^32. */
    uint32_t least = stride < 0 ? (uint32_t)-stride * (WORST_LANES - 1) : 0;
    uint32_t period = PARTITION_STEP * m->partitions;
    begin += (least + period - 1) / period * period;
    struct worst_access a = {.even = true, .mask = 0xffff};
    for (unsigned l = 0; l < WORST_LANES; l++) a.addresses[l] = begin + l * (uint32_t)stride;
    a.cost = cost_of(m, s, &a);
    take(&w->access, &a);
}

/* By what it is, not by when it comes: in every run the same are looked at. */
static bool is_skipped(const struct observe_grid *grid, const uint32_t *at, uint32_t mask) {
    uint64_t groups = (uint64_t)grid->groups[0] * grid->groups[1] * grid->groups[2];
    uint64_t hash = at[__builtin_ctz(mask)] * UINT64_C(0x9e3779b97f4a7c15);
    return groups > WORST_GROUPS && (hash >> 40) * groups >> 24 >= WORST_GROUPS;
}

static void add_half(const struct observe_grid *grid, const struct isa_site *s,
                     struct worst_site *w, const uint32_t *at, uint32_t mask) {
    const struct model *m = model_of(grid->model);
    if (mask == 0xffff && is_even(at)) {
        add_even(m, s, w, at);
    } else if (mask && !is_skipped(grid, at, mask)) {
        struct worst_access a = {.mask = mask};
        for (unsigned l = 0; l < WORST_LANES; l++) a.addresses[l] = mask >> l & 1 ? at[l] : 0;
        a.cost = cost_of(m, s, &a);
        take(&w->access, &a);
    }
}

static void accesses(void *accumulator, const struct observe_accesses *a) {
    struct worst_site *sites = accumulator;
    const struct isa_site *s = &a->kernel->sites[a->site];
    uint32_t at[ISA_WARP];
    for (uint32_t n = 0; n < a->count; n++) {
        for (unsigned l = 0; l < ISA_WARP; l++) at[l] = a->addresses[n][l] + a->by;
        for (unsigned half = 0; half < 2; half++)
            add_half(a->grid, s, &sites[a->site], at + half * WORST_LANES,
                     a->masks[n] >> half * WORST_LANES & 0xffff);
    }
}

static void event(void *accumulator, const struct observe_event *e) {
    struct observe_accesses one = {.kernel = e->kernel,
                                   .grid = e->grid,
                                   .site = e->site,
                                   .count = 1,
                                   .bytes = e->bytes,
                                   .times = e->times,
                                   .masks = &e->mask,
                                   .addresses = (const void *)e->addresses};
    if (e->addresses) accesses(accumulator, &one);
}

static void merge(const struct isa_kernel *k, void *into, const void *from) {
    struct worst_site *all = into;
    const struct worst_site *more = from;
    for (uint32_t n = 0; n < k->nsites; n++) take(&all[n].access, &more[n].access);
}

const struct worst_access *worst_of_site(const struct observe_result *r, uint32_t site) {
    const struct worst_site *sites = r->accumulator;
    return &sites[site].access;
}

const struct observer worst_observer = {.name = "worst",
                                        .wants = wants,
                                        .bytes = bytes,
                                        .accesses = accesses,
                                        .period = period,
                                        .event = event,
                                        .merge = merge};
