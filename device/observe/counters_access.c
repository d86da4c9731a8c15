#include "counters_access.h"

#include <string.h>

#include "device/gpu/address.h"
#include "device/gpu/banks.h"
#include "device/gpu/coalesce.h"
#include "device/gpu/constant_port.h"
#include "device/gpu/contention.h"
#include "device/gpu/partition.h"
#include "device/gpu/request.h"

enum { VECTOR_ALIGNMENT = REQUEST_BYTES, WORD = 4 };

/* An access of a warp, and where it is counted. */
struct counted_access {
    const struct model *model;
    const struct observe_event *e;
    const struct isa_site *site;
    uint64_t *v, times;
};

static unsigned words_of(const struct isa_site *s, struct request_word *words) {
    unsigned bytes = (unsigned)s->width * s->count;
    unsigned alignment = s->count > 1 ? VECTOR_ALIGNMENT : s->width;
    bool padded = s->kind == ISA_SITE_load && s->space == ISA_GLOBAL;
    return (padded ? request_split_load : request_split)(bytes, alignment, words);
}

static void moved_by(const uint32_t *from, uint32_t by, uint32_t *to) {
    for (unsigned l = 0; l < ISA_WARP; l++) to[l] = from[l] + by;
}

/* ---- global memory ---- */

static void add_in_order(const struct counted_access *a, const struct coalesce_result *r) {
    bool load = a->site->kind == ISA_SITE_load;
    uint64_t *v = a->v, times = a->times;
    v[load ? GPU_COUNTER_gld_coherent : GPU_COUNTER_gst_coherent] += r->coalesced * times;
    v[load ? GPU_COUNTER_gld_incoherent : GPU_COUNTER_gst_incoherent] +=
        (r->halfwarps - r->coalesced) * times;
    v[load ? GPU_COUNTER_gld_transactions_1_0 : GPU_COUNTER_gst_transactions_1_0] +=
        r->count * times;
    v[load ? GPU_COUNTER_gld_moved_1_0 : GPU_COUNTER_gst_moved_1_0] += r->moved * times;
}

static void add_by_segment(const struct counted_access *a, const struct coalesce_result *r) {
    bool load = a->site->kind == ISA_SITE_load;
    uint64_t *v = a->v, times = a->times;
    for (unsigned size = 0; size < COALESCE_SIZES; size++)
        v[(load ? GPU_COUNTER_gld_32b : GPU_COUNTER_gst_32b) + size] +=
            r->transactions[size] * times;
    v[load ? GPU_COUNTER_gld_total : GPU_COUNTER_gst_total] += r->count * times;
    v[load ? GPU_COUNTER_gld_moved : GPU_COUNTER_gst_moved] += r->moved * times;
}
_Static_assert(GPU_COUNTER_gld_64b == GPU_COUNTER_gld_32b + COALESCE_64 &&
                   GPU_COUNTER_gld_128b == GPU_COUNTER_gld_32b + COALESCE_128 &&
                   GPU_COUNTER_gst_64b == GPU_COUNTER_gst_32b + COALESCE_64 &&
                   GPU_COUNTER_gst_128b == GPU_COUNTER_gst_32b + COALESCE_128,
               "in the order of their sizes");

static void add_partitions(const struct counted_access *a, const struct coalesce_result *r) {
    for (uint32_t t = 0; t < r->count; t++)
        a->v[GPU_COUNTER_partition_0 + partition_linear(r->address[t], a->model->partitions)] +=
            a->times;
}
_Static_assert(GPU_COUNTER_partition_7 == GPU_COUNTER_partition_0 + PARTITION_MOST - 1,
               "one counter for each");

static void add_global(const struct counted_access *a) {
    uint32_t at[ISA_WARP];
    struct request_word words[REQUEST_MOST];
    const struct gpu_addresses *device = a->e->grid->addresses;
    struct coalesce_result r;
    unsigned n = words_of(a->site, words);
    bool segments = a->model->cc_minor >= 2;
    for (unsigned w = 0; w < n; w++) {
        moved_by(a->e->addresses, words[w].offset, at);
        if (device) gpu_address_lanes(&device->global, a->e->mask, at, at);
        coalesce_warp(COALESCE_IN_ORDER, a->e->mask, at, words[w].bytes, &r);
        add_in_order(a, &r);
        if (!segments) add_partitions(a, &r);
        coalesce_warp(COALESCE_BY_SEGMENT, a->e->mask, at, words[w].bytes, &r);
        add_by_segment(a, &r);
        if (segments) add_partitions(a, &r);
    }
}

/* ---- private memory: words of 4 bytes lie beside those of the other lanes ---- */

static void add_private(const struct counted_access *a) {
    uint32_t at[ISA_WARP];
    unsigned bytes = (unsigned)a->site->width * a->site->count;
    unsigned size = a->site->width < WORD ? a->site->width : WORD;
    bool load = a->site->kind == ISA_SITE_load;
    enum coalesce_rule rule = coalesce_rule_of(a->model->cc_minor);
    struct coalesce_result r;
    for (unsigned piece = 0; piece < bytes; piece += size) {
        for (unsigned l = 0; l < ISA_WARP; l++) {
            uint32_t byte = a->e->addresses[l] + piece;
            at[l] = byte / WORD * (WORD * ISA_WARP) + l * WORD + byte % WORD;
        }
        /* What is smaller than a word is moved with its word. */
        coalesce_warp(rule, a->e->mask, at, WORD, &r);
        a->v[load ? GPU_COUNTER_local_load_transactions : GPU_COUNTER_local_store_transactions] +=
            r.count * a->times;
        a->v[load ? GPU_COUNTER_local_load_moved : GPU_COUNTER_local_store_moved] +=
            r.moved * a->times;
    }
}

/* ---- shared memory ---- */

static void add_shared(const struct counted_access *a) {
    uint32_t at[ISA_WARP];
    struct request_word words[REQUEST_MOST];
    struct banks_result r;
    uint64_t *v = a->v, *worst = &v[GPU_COUNTER_shared_conflict];
    unsigned n = words_of(a->site, words);
    for (unsigned w = 0; w < n; w++) {
        moved_by(a->e->addresses, words[w].offset, at);
        banks_warp(a->e->mask, at, words[w].bytes, a->site->kind == ISA_SITE_store, &r);
        v[GPU_COUNTER_shared_access] += r.requests * a->times;
        v[GPU_COUNTER_shared_passes] += r.steps * a->times;
        v[GPU_COUNTER_shared_replay] += r.replays * a->times;
        v[GPU_COUNTER_warp_serialize] += r.replays * a->times;
        if (*worst < r.degree) *worst = r.degree;
    }
}

static void add_atomic(const struct counted_access *a) {
    struct contention_result r;
    contention_warp(a->e->mask, a->e->addresses, &r);
    bool global = a->site->space == ISA_GLOBAL;
    a->v[global ? GPU_COUNTER_atom_global_conflict : GPU_COUNTER_atom_shared_conflict] +=
        r.conflicts * a->times;
}

/* ---- constant memory ---- */

static void add_constant(const struct counted_access *a) {
    uint32_t at[ISA_WARP];
    unsigned bytes = (unsigned)a->site->width * a->site->count;
    unsigned size = a->site->width < WORD ? a->site->width : WORD;
    struct constant_port_result r;
    for (unsigned piece = 0; piece < bytes; piece += size) {
        moved_by(a->e->addresses, piece, at);
        constant_port_warp(a->e->mask, at, &r);
        a->v[GPU_COUNTER_const_access] += r.halfwarps * a->times;
        a->v[GPU_COUNTER_const_addresses] += r.reads * a->times;
        a->v[GPU_COUNTER_warp_serialize] += r.serialized * a->times;
    }
}

void counters_access_add(const struct model *model, const struct observe_event *e,
                         struct gpu_counters *into) {
    const struct isa_site *s = &e->kernel->sites[e->site];
    struct counted_access a = {model, e, s, into->value, e->times};
    if (s->kind == ISA_SITE_atomic) {
        add_atomic(&a);
        return;
    }
    switch (s->space) {
    case ISA_GLOBAL: add_global(&a); break;
    case ISA_LOCAL: add_shared(&a); break;
    case ISA_PRIVATE: add_private(&a); break;
    case ISA_CONSTANT: add_constant(&a); break;
    }
}
