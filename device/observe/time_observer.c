#include "time_observer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "counters_observer.h"
#include "device/gpu/partition.h"
#include "device/gpu/work.h"
#include "device/texture/texture.h"

enum { SMALLEST = 32 /* bytes of a transaction */ };

/* An accumulator. In threads the timing has what windows came to, and else only the lanes of atomic
 * operations are of use. */
struct time_sums {
    struct gpu_timing timing;
    double seconds;                   /* of the launches, each predicted by itself */
    uint64_t atomics[PARTITION_MOST]; /* lanes of atomic operations in each partition */
};

/* Where atomic operations go the counters observer does not say. */
static unsigned wants(const struct isa_kernel *k, const struct isa_site *site) {
    (void)k;
    bool atomic = site->kind == ISA_SITE_atomic && site->space == ISA_GLOBAL;
    return OBSERVE_COUNTS | (atomic ? OBSERVE_ADDRESS : 0u);
}

static size_t bytes(const struct isa_kernel *k) {
    (void)k;
    return sizeof(struct time_sums);
}

static void event(void *accumulator, const struct observe_event *e) {
    struct time_sums *s = accumulator;
    unsigned partitions = model_or_default(e->grid->model)->partitions;
    for (uint32_t left = e->mask; left; left &= left - 1)
        s->atomics[partition_linear(e->addresses[__builtin_ctz(left)], partitions)] += e->times;
}

static void merge(const struct isa_kernel *k, void *into, const void *from) {
    struct time_sums *all = into;
    const struct time_sums *more = from;
    (void)k;
    gpu_timing_add(&all->timing, &more->timing);
    all->seconds += more->seconds;
    for (unsigned p = 0; p < PARTITION_MOST; p++) all->atomics[p] += more->atomics[p];
}

/* ---- partitions ---- */

/* A site's transactions by the model's own rule. */
struct time_traffic {
    double count, moved, halfwarps, rows;
};

static struct time_traffic traffic_of(const struct model *m, const struct gpu_counters *c) {
#define BOTH(loads, stores) (double)(c->value[GPU_COUNTER_##loads] + c->value[GPU_COUNTER_##stores])
    bool late = m->cc_minor >= 2;
    return (struct time_traffic){
        .count =
            late ? BOTH(gld_total, gst_total) : BOTH(gld_transactions_1_0, gst_transactions_1_0),
        .moved = late ? BOTH(gld_moved, gst_moved) : BOTH(gld_moved_1_0, gst_moved_1_0),
        .halfwarps = BOTH(gld_coherent, gst_coherent) + BOTH(gld_incoherent, gst_incoherent),
        .rows = (double)c->value[GPU_COUNTER_row_visits]};
#undef BOTH
}

/* Bytes of DRAM that a transaction costs, in the mean. */
static double cost_of(const struct model *m, const struct time_traffic *t) {
    return fmax(t->count > 0 ? t->moved / t->count : 0, gpu_time_transaction(m));
}

/* The bytes that could be moved while it has its row opened. A transaction of 32 bytes that is a
 * half-warp's only one is of one word, or of a short table: the same row time and again. */
static double row_of(const struct model *m, const struct time_traffic *t) {
    bool lone = t->count <= t->halfwarps && t->moved <= t->count * SMALLEST;
    if (t->count <= 0 || lone || m->integrated) return 0;
    return t->rows / t->count * gpu_time_parameter(m, GPU_TIMING_dram_row);
}

/* Adds what the site's transactions cost each partition, and what opening rows adds to that.
 * Half-warps that come to the partitions evenly lie beside each other, and a row serves many. What
 * a partition has above its share comes from half-warps that lie a pitch apart, each in rows of its
 * own; it opens one where that before it was such a one, too. */
static void add_site(const struct model *m, const struct gpu_counters *site, double *bytes,
                     double *rows) {
    const uint64_t *count = &site->value[GPU_COUNTER_partition_0];
    struct time_traffic t = traffic_of(m, site);
    double cost = cost_of(m, &t), more = fmax(0, row_of(m, &t) - cost), mean = 0;
    for (unsigned p = 0; p < m->partitions; p++) mean += (double)count[p] / m->partitions;
    for (unsigned p = 0; p < m->partitions && mean > 0; p++) {
        double n = (double)count[p], above = n > mean ? (n - mean) / n : 0;
        bytes[p] += cost * n;
        rows[p] += more * n * above * above;
    }
}

static void window(void *accumulator, const struct isa_kernel *k, const struct observe_grid *grid,
                   const void *needed) {
    struct time_sums *s = accumulator;
    const struct model *m = model_or_default(grid->model);
    const struct gpu_counters *sites = counters_of_accesses(needed);
    double of[PARTITION_MOST] = {0}, rows[PARTITION_MOST] = {0}, most = 0, all = 0, slow = 0;
    for (uint32_t n = 0; n < k->nsites; n++) add_site(m, &sites[n], of, rows);
    for (unsigned p = 0; p < m->partitions; p++) {
        all += of[p];
        most = fmax(most, of[p]);
        slow = fmax(slow, of[p] + rows[p]);
    }
    s->timing.sums[GPU_SUM_window_rows] += slow;
    s->timing.sums[GPU_SUM_window_mean] += all / m->partitions;
    s->timing.sums[GPU_SUM_window_most] += most;
}

/* ---- all of a launch ---- */

/* Of each instruction of the kernel, and of each site: what is taken from steps and counts. */
struct time_runs {
    uint64_t *executions, *lanes, *issued, *visits;
};

/* A predicated region's instructions are issued to all that come to it. */
static void find_runs(const struct observe_result *r, struct time_runs *runs) {
    const struct isa_kernel *k = r->kernel;
    uint32_t behind = 0, first = 0; /* of a predicated region: its end, and its `if` */
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        runs->executions[n] = r->steps[n].executions;
        runs->lanes[n] = r->steps[n].lanes;
        runs->issued[n] = r->steps[n < behind ? first : n].executions;
        if (i->op != ISA_if || !(i->flags & ISA_PREDICATED) || n < behind) continue;
        first = n;
        behind = i->match;
        if (k->insts[behind].op == ISA_else) behind = k->insts[behind].match;
    }
    for (uint32_t n = 0; n < k->nsites; n++) runs->visits[n] = r->counts[n].executions;
}

static bool add_work(struct gpu_timing *t, const struct observe_result *r,
                     const struct observe_grid *grid) {
    const struct isa_kernel *k = r->kernel;
    size_t n = k->ninsts + (size_t)1;
    uint64_t *room = calloc(3 * n + k->nsites + 1, sizeof *room);
    if (!room) return false;
    struct time_runs runs = {room, room + n, room + 2 * n, room + 3 * n};
    find_runs(r, &runs);
    struct gpu_run run = {.kernel = k,
                          .model = model_or_default(r->model),
                          .executions = runs.executions,
                          .lanes = runs.lanes,
                          .issued = runs.issued,
                          .groups = r->groups,
                          .warps = grid->warps,
                          .items = grid->items,
                          .sites = counters_of_accesses(r->accumulator),
                          .visits = runs.visits};
    bool good = gpu_work_add(&run, t);
    free(room);
    return good;
}

static void add_counters(struct gpu_timing *t, const struct gpu_counters *c) {
    const uint64_t *v = c->value;
    double *s = t->sums;
#define SUM(to, from) s[GPU_SUM_##to] += (double)v[GPU_COUNTER_##from]
    SUM(barriers, barrier);
    SUM(shared_passes, shared_passes);
    SUM(shared_requests, shared_access);
    SUM(constant_passes, const_addresses);
    SUM(constant_requests, const_access);
    SUM(constant_misses, const_l1_miss);
    SUM(column_32, column_32b);
    SUM(asked, gld_bytes);
    SUM(asked, gst_bytes);
    SUM(private_bytes, local_load_moved);
    SUM(private_bytes, local_store_moved);
    SUM(texture_hits, tex_cache_hit);
    SUM(texture_misses, tex_cache_miss);
    SUM(atomics, atom_global_lanes);
    SUM(shared_atomics, atom_shared_lanes);
    SUM(shared_conflicts, atom_shared_conflict);
#undef SUM
    for (unsigned size = 0; size < GPU_TIMING_SIZES; size++)
        t->transactions[GPU_TIMING_1_2][size] +=
            (double)(v[GPU_COUNTER_gld_32b + size] + v[GPU_COUNTER_gst_32b + size]);
    double spilled = (double)v[GPU_COUNTER_local_load_moved];
    t->loaded[GPU_TIMING_1_2] += (double)v[GPU_COUNTER_gld_moved] + spilled;
    t->loaded[GPU_TIMING_1_0] += (double)v[GPU_COUNTER_gld_moved_1_0] + spilled;
    /* By the older rule a coalesced half-warp takes 64 or 128 bytes, each lane of others 32. */
    for (unsigned store = 0; store < 2; store++) {
        double count =
            (double)v[store ? GPU_COUNTER_gst_transactions_1_0 : GPU_COUNTER_gld_transactions_1_0];
        double moved = (double)v[store ? GPU_COUNTER_gst_moved_1_0 : GPU_COUNTER_gld_moved_1_0];
        double whole = (double)v[store ? GPU_COUNTER_gst_coherent : GPU_COUNTER_gld_coherent];
        double lone = count - whole, wide = 0;
        if (lone * 32 > moved) lone = moved / 32;
        wide = (moved - lone * 32 - (count - lone) * 64) / 64;
        if (wide < 0) wide = 0;
        t->transactions[GPU_TIMING_1_0][GPU_TIMING_32] += lone;
        t->transactions[GPU_TIMING_1_0][GPU_TIMING_64] += count - lone - wide;
        t->transactions[GPU_TIMING_1_0][GPU_TIMING_128] += wide;
    }
}

/* Which image a texel was of is not known: the widest. */
static void add_textures(struct gpu_timing *t, const struct gpu_counters *c,
                         const struct observe_grid *grid) {
    double words = 1;
    for (uint32_t n = 0; n < grid->ntextures; n++) {
        const struct texture *x = &grid->textures[n];
        double rows = x->height ? x->height : 1, layers = x->depth ? x->depth : 1;
        t->sums[GPU_SUM_texture_bytes] += (double)x->width * rows * layers * x->texel_bytes;
        if (words * 4 < x->texel_bytes) words = x->texel_bytes / 4;
    }
    t->sums[GPU_SUM_texture_words] += words * (double)c->value[GPU_COUNTER_tex_texels];
}

static void conclude(void *accumulator, const struct observe_result *r,
                     const struct observe_grid *grid, uint64_t windows, uint64_t seen) {
    struct time_sums *s = accumulator;
    struct gpu_timing *t = &s->timing;
    const struct model *m = model_or_default(r->model);
    struct gpu_counters all;
    struct gpu_prediction p;
    uint64_t most = 0;
    counters_of_kernel(r, &all);
    add_textures(t, &all, grid);
    if (!add_work(t, r, grid)) return;
    add_counters(t, &all);
    for (unsigned n = 0; n < PARTITION_MOST; n++)
        if (most < s->atomics[n]) most = s->atomics[n];
    t->sums[GPU_SUM_atomics_most] += (double)most;
    t->launches = 1;
    t->groups = r->groups;
    t->warps = r->groups * grid->warps;
    t->items = grid->items;
    t->resources = r->resources;
    t->partitions = m->partitions;
    t->windows = windows;
    t->windows_seen = seen;
    gpu_time_predict(m, t, 0, &p);
    s->seconds = p.seconds;
}

void time_of_launch(const struct observe_result *r, struct gpu_timing *t) {
    *t = ((const struct time_sums *)r->accumulator)->timing;
}

double time_of_launches(const struct observe_result *r) {
    return ((const struct time_sums *)r->accumulator)->seconds;
}

/* ---- the report ---- */

static void report_csv(const struct observe_result *kernels, size_t count, FILE *to) {
    fprintf(to, "kernel,launches,microseconds,low,high,bound,clocks,groups,waves,active_groups,"
                "camping");
    for (unsigned u = 0; u < GPU_UNITS; u++) fprintf(to, ",%s", gpu_unit_info[u].name);
    for (unsigned r = 0; r < GPU_REPAIRS; r++) fprintf(to, ",%s", gpu_repair_info[r].name);
    fprintf(to, "\n");
    for (size_t n = 0; n < count; n++) {
        const struct observe_result *r = &kernels[n];
        struct gpu_timing t;
        struct gpu_prediction p, better;
        time_of_launch(r, &t);
        gpu_time_predict(model_or_default(r->model), &t, 0, &p);
        fprintf(to, "%s,%llu,%.3f,%.3f,%.3f,%s,%.0f,%llu,%u,%u,%.3f", r->kernel->name,
                (unsigned long long)r->launches, time_of_launches(r) * 1e6, p.low * 1e6,
                p.high * 1e6, gpu_unit_info[p.bound].name, p.clocks, (unsigned long long)t.groups,
                p.waves, p.active_groups, p.camping);
        for (unsigned u = 0; u < GPU_UNITS; u++) fprintf(to, ",%.3f", p.busy[u]);
        for (unsigned w = 0; w < GPU_REPAIRS; w++) {
            gpu_time_predict(model_or_default(r->model), &t, 1u << w, &better);
            fprintf(to, ",%.3f", better.seconds * 1e6);
        }
        fprintf(to, "\n");
    }
}

static void report_text(const struct observe_result *kernels, size_t count, FILE *to) {
    fprintf(to, "simtcl: time that the device would have taken\n");
    for (size_t n = 0; n < count; n++) {
        const struct observe_result *r = &kernels[n];
        const struct model *m = model_or_default(r->model);
        struct gpu_timing t;
        struct gpu_prediction p, better;
        time_of_launch(r, &t);
        gpu_time_predict(m, &t, 0, &p);
        fprintf(to, "%s on %s: %llu launches, %.3f ms; bound by %s, %.0f %% of the time\n",
                r->kernel->name, m->name, (unsigned long long)r->launches,
                time_of_launches(r) * 1e3, gpu_unit_info[p.bound].what, p.busy[p.bound] * 100);
        for (unsigned w = 0; w < GPU_REPAIRS; w++) {
            gpu_time_predict(m, &t, 1u << w, &better);
            if (better.seconds * 1.01 > p.seconds) continue;
            fprintf(to, "    %.2f times as fast without this: %s (guide %s): %s\n",
                    p.seconds / better.seconds, gpu_repair_info[w].wrong,
                    gpu_repair_info[w].section, gpu_repair_info[w].change);
        }
    }
}

static void report(const struct observe_result *kernels, size_t count, FILE *to, bool csv) {
    if (csv)
        report_csv(kernels, count, to);
    else
        report_text(kernels, count, to);
}

const struct observer time_observer = {.name = "time",
                                       .needs = &counters_observer,
                                       .wants = wants,
                                       .steps = true,
                                       .bytes = bytes,
                                       .event = event,
                                       .merge = merge,
                                       .window = window,
                                       .conclude = conclude,
                                       .report = report};
