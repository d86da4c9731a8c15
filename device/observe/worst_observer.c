#include "worst_observer.h"

#include <emmintrin.h>
#include <string.h>

#include "counters_access.h"
#include "device/gpu/banks.h"
#include "device/gpu/coalesce.h"
#include "device/gpu/constant_port.h"
#include "device/gpu/contention.h"
#include "device/gpu/model.h"
#include "device/gpu/partition.h"
#include "device/gpu/request.h"

enum { SEEN = 64, WORD = 4 };

struct worst_site {
    struct worst_access access;
    /* Of those that are not looked at the one with the least hash: for sites that have no other. */
    struct worst_access spare;
    uint32_t hash;
    /* Evenly spaced accesses that have been looked at: their strides, and where they begin, + 1.
     * Each has one place where it is remembered until another one comes there. */
    struct worst_start {
        uint32_t begin;
        int32_t stride;
    } seen[SEEN];
    struct worst_read read;
};

static bool is_drawn(const struct isa_site *s) {
    bool reads = s->kind == ISA_SITE_image_read;
    return reads || (s->kind <= ISA_SITE_atomic && s->space != ISA_PRIVATE);
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
    if (!counters_access_period(model_or_default(model), k, site, stride, p)) return false;
    p->lanes = 0; /* where they are is drawn */
    return true;
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

/* All of 16 lanes, one as far from the next as the other? */
static bool is_even(const uint32_t *at) {
    uint32_t stride = at[1] - at[0];
    if (at[2] - at[1] != stride || at[15] - at[0] != stride * 15) return false;
    __m128i next = _mm_set1_epi32((int)(stride * 4)), same = _mm_set1_epi32(-1);
    __m128i expected =
        _mm_add_epi32(_mm_set1_epi32((int)at[0]),
                      _mm_set_epi32((int)(stride * 3), (int)(stride * 2), (int)stride, 0));
    for (unsigned l = 0; l < WORST_LANES; l += 4) {
        __m128i four = _mm_loadu_si128((const __m128i *)(at + l));
        same = _mm_and_si128(same, _mm_cmpeq_epi32(four, expected));
        expected = _mm_add_epi32(expected, next);
    }
    return _mm_movemask_epi8(same) == 0xffff;
}

/* How many bytes round the memory partitions are, or a word where these do not matter. */
static uint32_t period_of(const struct model *m, const struct isa_site *s) {
    bool placed = s->space == ISA_GLOBAL && s->kind != ISA_SITE_atomic;
    return placed ? PARTITION_STEP * m->partitions : WORD;
}

/* Where it begins is all that matters of it besides the stride. */
static void add_even(const struct model *m, const struct isa_site *s, struct worst_site *w,
                     uint32_t first, int32_t stride) {
    uint32_t period = period_of(m, s);
    uint32_t begin = period & (period - 1) ? first % period : first & (period - 1);
    struct worst_start *seen = &w->seen[(begin / WORD * 5 + (uint32_t)stride / WORD) % SEEN];
    if (seen->begin == begin + 1 && seen->stride == stride) return;
    *seen = (struct worst_start){begin + 1, stride};
    /* Where strides are negative no lane's address may go round 2^32. */
    uint32_t least = stride < 0 ? (uint32_t)-stride * (WORST_LANES - 1) : 0;
    begin += (least + period - 1) / period * period;
    struct worst_access a = {.even = true, .mask = 0xffff};
    for (unsigned l = 0; l < WORST_LANES; l++) a.addresses[l] = begin + l * (uint32_t)stride;
    a.cost = cost_of(m, s, &a);
    take(&w->access, &a);
}

/* Which accesses are looked at follows from what they are, not from when they come: in every run
 * they are the same. */
static uint32_t hash_of(uint32_t address) {
    return (uint32_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 40); /* 24 bits */
}

static bool is_skipped(const struct observe_grid *grid, uint32_t hash) {
    uint64_t groups = (uint64_t)grid->groups[0] * grid->groups[1] * grid->groups[2];
    return groups > WORST_GROUPS && hash * groups >> 24 >= WORST_GROUPS;
}

static void take_spare(struct worst_site *w, const struct worst_access *a, uint32_t hash) {
    bool before = !w->spare.cost || hash < w->hash || (hash == w->hash && is_before(a, &w->spare));
    if (!a->cost || !before) return;
    w->spare = *a;
    w->hash = hash;
}

static void add_uneven(const struct observe_accesses *o, struct worst_site *w, const uint32_t *at,
                       uint32_t mask) {
    uint32_t hash = hash_of(at[__builtin_ctz(mask)] + o->by);
    bool skipped = is_skipped(o->grid, hash);
    if (skipped && (w->access.cost || (w->spare.cost && hash > w->hash))) return;
    struct worst_access a = {.mask = mask};
    for (unsigned l = 0; l < WORST_LANES; l++) a.addresses[l] = mask >> l & 1 ? at[l] + o->by : 0;
    /* A step for each lane: nothing costs more, of what is one word. */
    if (o->bytes <= WORD && w->access.cost >= WORST_LANES && !is_before(&a, &w->access)) return;
    if (skipped && w->spare.cost && !is_before(&a, &w->spare) && hash == w->hash) return;
    a.cost = cost_of(model_or_default(o->grid->model), &o->kernel->sites[o->site], &a);
    if (skipped)
        take_spare(w, &a, hash);
    else
        take(&w->access, &a);
}

static void accesses(void *accumulator, const struct observe_accesses *a) {
    struct worst_site *w = (struct worst_site *)accumulator + a->site;
    const struct isa_site *s = &a->kernel->sites[a->site];
    const struct model *m = model_or_default(a->grid->model);
    for (uint32_t n = 0; n < 2 * a->count; n++) {
        const uint32_t *at = a->addresses[n / 2] + n % 2 * WORST_LANES;
        uint32_t mask = a->masks[n / 2] >> n % 2 * WORST_LANES & 0xffff;
        if (mask == 0xffff && is_even(at))
            add_even(m, s, w, at[0] + a->by, (int32_t)(at[1] - at[0]));
        else if (mask)
            add_uneven(a, w, at, mask);
    }
}

static void event(void *accumulator, const struct observe_event *e) {
    struct worst_site *w = (struct worst_site *)accumulator + e->site;
    struct observe_accesses one = observe_one(e);
    if (e->kernel->sites[e->site].kind == ISA_SITE_image_read)
        worst_read_add(&w->read, e, is_skipped);
    else if (e->addresses)
        accesses(accumulator, &one);
}

static void merge(const struct isa_kernel *k, void *into, const void *from) {
    struct worst_site *all = into;
    const struct worst_site *more = from;
    for (uint32_t n = 0; n < k->nsites; n++) {
        take(&all[n].access, &more[n].access);
        take_spare(&all[n], &more[n].spare, more[n].hash);
        worst_read_take(&all[n].read, &more[n].read);
    }
}

const struct worst_access *worst_of_site(const struct observe_result *r, uint32_t site) {
    const struct worst_site *sites = r->accumulator;
    return sites[site].access.cost ? &sites[site].access : &sites[site].spare;
}

const struct worst_read *worst_read_of_site(const struct observe_result *r, uint32_t site) {
    return &((const struct worst_site *)r->accumulator)[site].read;
}

const struct observer worst_observer = {.name = "worst",
                                        .wants = wants,
                                        .bytes = bytes,
                                        .accesses = accesses,
                                        .period = period,
                                        .event = event,
                                        .merge = merge};
