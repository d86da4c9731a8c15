#include "counters_access.h"

#include <string.h>

#include "counters_coalesce.h"
#include "counters_constant.h"
#include "counters_lanes.h"
#include "device/gpu/banks.h"
#include "device/gpu/partition.h"
#include "device/gpu/request.h"

enum {
    VECTOR_ALIGNMENT = REQUEST_BYTES,
    WORD = 4,
    SECTOR_LANES = 8 /* whose private words lie in one */
};

/* Accesses, and where they are counted. */
struct counted_access {
    const struct model *model;
    const struct isa_site *site;
    struct counted_lanes lanes;
    uint64_t *v, times;
};

static unsigned words_of(const struct isa_site *s, struct request_word *words) {
    unsigned bytes = (unsigned)s->width * s->count;
    unsigned alignment = s->count > 1 ? VECTOR_ALIGNMENT : s->width;
    bool padded = s->kind == ISA_SITE_load && s->space == ISA_GLOBAL;
    return (padded ? request_split_load : request_split)(bytes, alignment, words);
}

static struct counted_lanes moved_by(const struct counted_access *a, uint32_t by) {
    struct counted_lanes lanes = a->lanes;
    lanes.by += by;
    return lanes;
}

/* ---- global memory ---- */

static void add_rule(const struct counted_access *a, const struct coalesced_rule *r,
                     enum gpu_counter transactions, enum gpu_counter moved) {
    a->v[transactions] += r->transactions * a->times;
    a->v[moved] += r->moved * a->times;
}

static void add_word(const struct counted_access *a, const struct request_word *word) {
    bool load = a->site->kind == ISA_SITE_load;
    uint64_t *v = a->v, times = a->times;
    struct counted_lanes lanes = moved_by(a, word->offset);
    struct coalesced_counts c;
    counters_coalesce(&lanes, word->bytes, a->model->partitions,
                      coalesce_rule_of(a->model->cc_minor), true, &c);
    const struct coalesced_rule *order = &c.rules[COALESCE_IN_ORDER];
    v[load ? GPU_COUNTER_gld_coherent : GPU_COUNTER_gst_coherent] += order->coalesced * times;
    v[load ? GPU_COUNTER_gld_incoherent : GPU_COUNTER_gst_incoherent] +=
        (c.halfwarps - order->coalesced) * times;
    add_rule(a, order, load ? GPU_COUNTER_gld_transactions_1_0 : GPU_COUNTER_gst_transactions_1_0,
             load ? GPU_COUNTER_gld_moved_1_0 : GPU_COUNTER_gst_moved_1_0);
    add_rule(a, &c.rules[COALESCE_BY_SEGMENT], load ? GPU_COUNTER_gld_total : GPU_COUNTER_gst_total,
             load ? GPU_COUNTER_gld_moved : GPU_COUNTER_gst_moved);
    for (unsigned size = 0; size < COALESCE_SIZES; size++)
        v[(load ? GPU_COUNTER_gld_32b : GPU_COUNTER_gst_32b) + size] += c.by_size[size] * times;
    v[GPU_COUNTER_column_32b] += c.columns * times;
    v[GPU_COUNTER_row_visits] += c.rows * times;
    for (unsigned p = 0; p < a->model->partitions; p++)
        v[GPU_COUNTER_partition_0 + p] += c.partitions[p] * times;
}
_Static_assert(GPU_COUNTER_gld_64b == GPU_COUNTER_gld_32b + COALESCE_64 &&
                   GPU_COUNTER_gld_128b == GPU_COUNTER_gld_32b + COALESCE_128 &&
                   GPU_COUNTER_gst_64b == GPU_COUNTER_gst_32b + COALESCE_64 &&
                   GPU_COUNTER_gst_128b == GPU_COUNTER_gst_32b + COALESCE_128,
               "in the order of their sizes");
_Static_assert(GPU_COUNTER_partition_7 == GPU_COUNTER_partition_0 + PARTITION_MOST - 1,
               "one counter for each");

static void add_global(const struct counted_access *a) {
    struct request_word words[REQUEST_MOST];
    unsigned n = words_of(a->site, words);
    for (unsigned w = 0; w < n; w++) add_word(a, &words[w]);
}

/* ---- private memory: words of 4 bytes lie beside those of the other lanes ---- */

static void add_private(const struct counted_access *a) {
    unsigned bytes = (unsigned)a->site->width * a->site->count;
    unsigned size = a->site->width < WORD ? a->site->width : WORD;
    bool load = a->site->kind == ISA_SITE_load;
    enum coalesce_rule rule = coalesce_rule_of(a->model->cc_minor);
    uint64_t pieces = bytes / size, times = a->times;
    if (size == WORD) { /* lanes whose first words lie in a row have all others so */
        times *= pieces;
        pieces = 1;
    }
    for (unsigned piece = 0; piece < pieces; piece++) {
        struct coalesced_rule c;
        struct counted_lanes lanes = moved_by(a, piece * size);
        counters_coalesce_private(&lanes, rule, true, &c);
        a->v[load ? GPU_COUNTER_local_load_transactions : GPU_COUNTER_local_store_transactions] +=
            c.transactions * times;
        a->v[load ? GPU_COUNTER_local_load_moved : GPU_COUNTER_local_store_moved] +=
            c.moved * times;
    }
}

/* ---- shared memory ---- */

static void add_shared(const struct counted_access *a) {
    struct request_word words[REQUEST_MOST];
    struct banks_result r;
    uint64_t *v = a->v, *worst = &v[GPU_COUNTER_shared_conflict];
    unsigned n = words_of(a->site, words);
    for (unsigned w = 0; w < n; w++) {
        struct counted_lanes lanes = moved_by(a, words[w].offset);
        counters_lanes_banks(&lanes, words[w].bytes, a->site->kind == ISA_SITE_store, &r);
        v[GPU_COUNTER_shared_access] += r.requests * a->times;
        v[GPU_COUNTER_shared_passes] += r.steps * a->times;
        v[GPU_COUNTER_shared_replay] += r.replays * a->times;
        v[GPU_COUNTER_warp_serialize] += r.replays * a->times;
        if (*worst < r.degree) *worst = r.degree;
    }
}

static void add_atomic(const struct counted_access *a) {
    bool global = a->site->space == ISA_GLOBAL;
    a->v[global ? GPU_COUNTER_atom_global_conflict : GPU_COUNTER_atom_shared_conflict] +=
        counters_lanes_conflicts(&a->lanes) * a->times;
}

/* ---- constant memory ---- */

static void add_constant(const struct counted_access *a) {
    unsigned bytes = (unsigned)a->site->width * a->site->count;
    unsigned size = a->site->width < WORD ? a->site->width : WORD;
    uint64_t halfwarps = 0;
    for (uint32_t n = 0; n < a->lanes.count; n++)
        halfwarps +=
            (uint64_t) !!(a->lanes.masks[n] & 0xffff) + !!(a->lanes.masks[n] >> ISA_WARP / 2);
    for (unsigned piece = 0; piece < bytes; piece += size) {
        struct counted_lanes lanes = moved_by(a, piece);
        uint64_t reads = counters_lanes_distinct(&lanes);
        a->v[GPU_COUNTER_const_access] += halfwarps * a->times;
        a->v[GPU_COUNTER_const_addresses] += reads * a->times;
        a->v[GPU_COUNTER_warp_serialize] += (reads - halfwarps) * a->times;
    }
}

void counters_access_add(const struct model *model, const struct observe_accesses *of,
                         struct gpu_counters *into) {
    const struct isa_site *s = &of->kernel->sites[of->site];
    struct counted_lanes lanes = {of->count, of->masks, of->addresses, of->by};
    struct counted_access a = {model, s, lanes, into->value, of->times};
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

/* Do the lanes of a half-warp, whichever are on, take one step: with a bank each, or one word? */
static bool never_meet(const struct isa_site *site, int32_t stride) {
    bool words = site->width == WORD && site->count == 1;
    return words && (stride / WORD % 2 || (!stride && site->kind == ISA_SITE_load));
}

bool counters_access_period(const struct model *model, const struct isa_kernel *k,
                            const struct isa_site *site, int32_t stride,
                            struct observe_period *period) {
    uint32_t word = site->width < WORD ? site->width : WORD;
    (void)k;
    if (stride % (int32_t)word) return false; /* some lie across words, as is known of each alone */
    *period = (struct observe_period){.bytes = WORD, .granule = word, .lanes = 1};
    if (site->space == ISA_CONSTANT && site->kind == ISA_SITE_load) {
        /* Which lines are read has to be known. */
        *period = (struct observe_period){.bytes = COUNTERS_CONSTANT_BYTES,
                                          .granule = COUNTERS_CONSTANT_LINE,
                                          .lanes = 1,
                                          .placed = true};
        return !stride && site->width * site->count <= WORD;
    }
    if (site->kind == ISA_SITE_atomic) {
        *period = (struct observe_period){.bytes = 1, .granule = 1, .lanes = 1, .warps = true};
    } else if (site->space == ISA_PRIVATE && !stride) {
        *period = (struct observe_period){.bytes = 1, .granule = 1, .lanes = SECTOR_LANES};
    } else if (site->space == ISA_LOCAL && never_meet(site, stride)) {
        *period = (struct observe_period){.bytes = 1, .granule = 1, .lanes = ISA_WARP / 2};
    } else if (site->space == ISA_GLOBAL) {
        period->bytes = PARTITION_STEP * model->partitions;
        period->placed = true;
    }
    return true;
}
