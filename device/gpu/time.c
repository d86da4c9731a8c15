#include "time.h"

#include <math.h>

#include "occupancy.h"

const struct gpu_unit_info gpu_unit_info[GPU_UNITS] = {
#define UNIT(name, what, section) {#name, what, section},
#include "units.def"
#undef UNIT
};

const struct gpu_accuracy gpu_accuracy[GPU_UNITS] = {
#define ACCURACY(unit, rows, mean, worst) [GPU_UNIT_##unit] = {rows, mean, worst},
#include "time_accuracy.def"
#undef ACCURACY
};

const struct gpu_repair_info gpu_repair_info[GPU_REPAIRS] = {
#define REPAIR(name, wrong, change, section) {#name, wrong, change, section},
#include "repairs.def"
#undef REPAIR
};

const struct gpu_timing_info gpu_timing_info[GPU_TIMING_PARAMETERS] = {
#define TIMING(name, early, late, unit, what, source) {#name, {early, late}, unit, what, source},
#include "timing.def"
#undef TIMING
};

enum {
    CLOCKS_SP = 4,         /* of a warp's operation: 32 lanes, 8 a clock (guide 3.1.1) */
    CLOCKS_DUAL = 8,       /* of a multiplication on the special function units */
    MOST_CUSTOMERS = 1024, /* warps of a multiprocessor: more than any has */
    SMALLEST = 32,         /* bytes of a transaction */
    TEXTURE_LINE = 32      /* bytes fetched for a miss */
};

double gpu_time_parameter(const struct model *m, enum gpu_timing_parameter p) {
    return gpu_timing_info[p].values[m->cc_minor >= 2];
}

double gpu_time_transaction(const struct model *m) {
    return gpu_time_parameter(m, m->integrated ? GPU_TIMING_host_transaction
                                               : GPU_TIMING_dram_transaction);
}

/* What a group asks of a board: clocks of a multiprocessor, and for what multiprocessors share
 * clocks of all of it. */
struct demand {
    const struct model *m;
    const struct gpu_timing *t;
    unsigned without;
    enum gpu_timing_rule rule;
    double clocks[GPU_UNITS];
    double way; /* of the group's longest way */
    double camping;
};

static double parameter(const struct demand *d, enum gpu_timing_parameter p) {
    return gpu_time_parameter(d->m, p);
}

#define PARAMETER(name) parameter(d, GPU_TIMING_##name)

static bool repaired(const struct demand *d, enum gpu_repair r) { return d->without >> r & 1; }

/* A sum, of one group. */
static double sum(const struct demand *d, enum gpu_timing_sum s) {
    return d->t->sums[s] / (double)d->t->groups;
}

/* ---- a multiprocessor ---- */

/* Multiplications go to the special function units as long as that ends earlier; 8 clocks there for
 * 4 here. */
static void find_core(struct demand *d) {
    double sp = sum(d, GPU_SUM_sp), sfu = sum(d, GPU_SUM_sfu), dp = sum(d, GPU_SUM_dp);
    double all = sp + sfu + dp, kept = 1;
    if (repaired(d, GPU_REPAIR_no_divergence) && all > 0)
        kept = 1 - fmin(sum(d, GPU_SUM_divergent), all) / all;
    if (PARAMETER(dual_multiply) > 0 && sp > sfu) {
        double moved = (sp - sfu) / (CLOCKS_SP + CLOCKS_DUAL);
        moved = fmin(moved, sum(d, GPU_SUM_multiplies) / CLOCKS_SP);
        sp -= moved * CLOCKS_SP;
        sfu += moved * CLOCKS_DUAL;
    }
    if (PARAMETER(sfu_beside) <= 0) sp += sfu;
    d->clocks[GPU_UNIT_sp] = sp * kept;
    d->clocks[GPU_UNIT_sfu] = sfu * kept;
    d->clocks[GPU_UNIT_dp] = dp * kept;
    d->clocks[GPU_UNIT_issue] = sum(d, GPU_SUM_instructions) * PARAMETER(issue) * kept;
}

static void find_banks(struct demand *d) {
    bool free = repaired(d, GPU_REPAIR_conflict_free);
    double atomics = sum(d, GPU_SUM_shared_atomics);
    d->clocks[GPU_UNIT_shared] =
        sum(d, free ? GPU_SUM_shared_requests : GPU_SUM_shared_passes) * PARAMETER(shared_pass);
    if (repaired(d, GPU_REPAIR_no_contention)) atomics -= sum(d, GPU_SUM_shared_conflicts);
    d->clocks[GPU_UNIT_shared] += atomics * PARAMETER(shared_atomic);
    d->clocks[GPU_UNIT_constant] =
        sum(d, free ? GPU_SUM_constant_requests : GPU_SUM_constant_passes) *
        PARAMETER(constant_pass);
}

/* ---- memory ---- */

/* Transactions of a group, what they cost in bytes of DRAM: those that they move, or more where
 * they are so small that a partition cannot take them as fast; and the bytes that loads get. */
static double find_transactions(const struct demand *d, double *bytes, double *loaded) {
    double count = 0, columns = sum(d, GPU_SUM_column_32), asked = sum(d, GPU_SUM_asked);
    *bytes = 0;
    *loaded = d->t->loaded[d->rule] / (double)d->t->groups;
    for (unsigned s = 0; s < GPU_TIMING_SIZES; s++) {
        double n = d->t->transactions[d->rule][s] / (double)d->t->groups;
        count += n;
        *bytes += n * (SMALLEST << s);
    }
    double each = gpu_time_transaction(d->m), taken = count * each;
    if (d->rule == GPU_TIMING_1_2 && !d->m->integrated)
        taken += columns * (PARAMETER(dram_column) - each);
    *bytes = fmax(*bytes, taken);
    if (repaired(d, GPU_REPAIR_coalesced) && asked < *bytes) {
        *loaded *= asked / *bytes;
        *bytes = asked;
        count = asked / (SMALLEST << GPU_TIMING_64);
    }
    return count;
}

static double bytes_a_clock(const struct model *m) {
    return (double)m->memory_bandwidth_mbs / m->clock_mhz *
           gpu_time_parameter(m, GPU_TIMING_sustained);
}

/* Bytes of images that come from memory: each once, where the partitions' caches hold them. */
static double find_texels(const struct demand *d) {
    double bytes = sum(d, GPU_SUM_texture_misses) * TEXTURE_LINE;
    double images = sum(d, GPU_SUM_texture_bytes);
    double room = PARAMETER(texture_l2) * 1024 * d->m->partitions;
    double held = images * (double)d->t->groups / (double)d->t->launches;
    return held <= room && images < bytes ? images : bytes;
}

static void find_memory(struct demand *d) {
    double bytes, loaded, count = find_transactions(d, &bytes, &loaded);
    double mean = sum(d, GPU_SUM_window_mean), most = sum(d, GPU_SUM_window_most), slow = 1;
    d->camping = 1;
    if (d->t->partitions == d->m->partitions && mean > 0 && !repaired(d, GPU_REPAIR_no_camping)) {
        d->camping = fmax(1, most / mean);
        slow = fmax(d->camping, sum(d, GPU_SUM_window_rows) / mean);
    }
    bytes = bytes * slow + sum(d, GPU_SUM_private_bytes) + find_texels(d);
    d->clocks[GPU_UNIT_port] = count * PARAMETER(port_transaction);
    d->clocks[GPU_UNIT_dram] = bytes / bytes_a_clock(d->m);
    d->clocks[GPU_UNIT_texture] =
        sum(d, GPU_SUM_texture_words) / PARAMETER(texture_rate) * d->m->cluster;
    double atomics = sum(d, GPU_SUM_atomics_most);
    if (repaired(d, GPU_REPAIR_no_contention))
        atomics = fmin(atomics, sum(d, GPU_SUM_atomics) / d->m->partitions);
    d->clocks[GPU_UNIT_atomic] = atomics * PARAMETER(atomic_clocks);
    d->clocks[GPU_UNIT_reply] = (loaded + sum(d, GPU_SUM_texture_misses) * TEXTURE_LINE) /
                                (PARAMETER(reply) * d->m->partitions);
}

static bool is_shared_by_all(unsigned unit) {
    return unit == GPU_UNIT_reply || unit == GPU_UNIT_dram || unit == GPU_UNIT_atomic;
}

/* ---- the way of a group ---- */

static void find_way(struct demand *d) {
    const double *waits = d->t->waits[d->rule];
    for (unsigned w = 0; w < GPU_WAITS; w++)
        if (w != GPU_WAIT_FURTHER || !repaired(d, GPU_REPAIR_coalesced))
            d->way += waits[w] / (double)d->t->launches;
    d->way += PARAMETER(replace_group);
}

/* Clocks for `groups` of them on a multiprocessor, `all` of them on the board, when units overlap
 * as well as they can. */
static double overlapped(const struct demand *d, double groups, double all) {
    double clocks = d->way;
    for (unsigned u = 0; u < GPU_UNITS; u++)
        clocks = fmax(clocks, d->clocks[u] * (is_shared_by_all(u) ? all : groups));
    return clocks;
}

/* The same when what comes to the units, `each` of a group, does so at random: mean value analysis
 * of a closed network (Reiser and Lavenberg 1980), whose stations are the units, and in which a
 * warp is away for the rest of its way. What multiprocessors share is to each of them a station
 * that is slower by their number.
 */
static double queued(const struct demand *d, double groups, double all, uint32_t each) {
    double queue[GPU_UNITS] = {0}, demands[GPU_UNITS], away = d->way, clocks = 0;
    unsigned customers = (unsigned)fmin(groups * each, MOST_CUSTOMERS);
    for (unsigned u = 0; u < GPU_UNITS; u++) {
        demands[u] = d->clocks[u] / each * (is_shared_by_all(u) ? all / groups : 1);
        if (!is_shared_by_all(u)) away -= demands[u];
    }
    away = fmax(away, 0);
    for (unsigned n = 1; n <= customers; n++) {
        double there[GPU_UNITS], cycle = away;
        for (unsigned u = 0; u < GPU_UNITS; u++) {
            there[u] = demands[u] * (1 + queue[u]);
            cycle += there[u];
        }
        for (unsigned u = 0; u < GPU_UNITS && cycle > 0; u++) queue[u] = n / cycle * there[u];
        clocks = cycle;
    }
    return fmax(clocks, overlapped(d, groups, all));
}

/* Warps that meet at barriers leave them together, and come to the units together until they have
 * drifted apart, by as much as the way to memory takes. How much of their way that is. */
static double together(const struct demand *d) {
    double barriers = sum(d, GPU_SUM_barriers) * (double)d->t->groups / (double)d->t->warps;
    return barriers > 0 ? fmin(1, barriers * PARAMETER(global_latency) / d->way) : 0;
}

static double at_random(const struct demand *d, double groups, double all, uint32_t warps) {
    double share = together(d), clocks = (1 - share) * queued(d, groups, all, warps);
    return share > 0 ? clocks + share * queued(d, groups, all, 1) : clocks;
}

/* ---- the launch ---- */

static uint32_t active_groups(const struct demand *d) {
    struct gpu_occupancy o;
    gpu_occupancy_find(d->m, &d->t->resources, d->t->items, &o);
    if (!o.groups || !repaired(d, GPU_REPAIR_more_occupancy)) return o.groups;
    uint32_t most = d->m->resident_warps / o.warps;
    return most < d->m->resident_groups ? most : d->m->resident_groups;
}

static void find_launch(const struct demand *d, struct gpu_prediction *p) {
    double sms = d->m->multiprocessors, groups = (double)d->t->groups / (double)d->t->launches;
    double wave = sms * p->active_groups, full = floor(groups / wave), rest = groups - full * wave;
    uint32_t warps = p->active_warps / p->active_groups;
    double low = full * overlapped(d, p->active_groups, wave);
    double high = full * at_random(d, p->active_groups, wave, warps);
    if (rest > 0) {
        double each = ceil(rest / sms);
        low += overlapped(d, each, rest);
        high += at_random(d, each, rest, warps);
    }
    p->waves = (uint32_t)(full + (rest > 0));
    p->wave_share = rest > 0 ? rest / wave : 1;
    p->clocks = (low + high) / 2;
    for (unsigned u = 0; u < GPU_UNITS && p->clocks > 0; u++)
        p->busy[u] = fmin(1, d->clocks[u] * groups / (is_shared_by_all(u) ? 1 : sms) / p->clocks);
    p->busy[GPU_UNIT_latency] = fmin(1, p->waves * d->way / p->clocks);
    for (unsigned u = 0; u < GPU_UNITS; u++)
        if (p->busy[u] > p->busy[p->bound]) p->bound = (enum gpu_unit)u;
    double hertz = d->m->clock_mhz * 1e6;
    p->low = low / hertz + p->launch_seconds;
    p->high = high / hertz + p->launch_seconds;
    p->seconds = p->clocks / hertz + p->launch_seconds;
}

void gpu_time_predict(const struct model *m, const struct gpu_timing *t, unsigned without,
                      struct gpu_prediction *p) {
    struct demand demand = {.m = m, .t = t, .without = without}, *d = &demand;
    *p = (struct gpu_prediction){.camping = 1};
    if (!t->launches || !t->groups || m->unlimited || !m->clock_mhz || !m->memory_bandwidth_mbs)
        return;
    d->rule = m->cc_minor >= 2 ? GPU_TIMING_1_2 : GPU_TIMING_1_0;
    p->active_groups = active_groups(d);
    if (!p->active_groups) return;
    p->active_warps = p->active_groups * (uint32_t)((t->items + ISA_WARP - 1) / ISA_WARP);
    p->launch_seconds = PARAMETER(launch_us) * 1e-6;
    find_core(d);
    find_banks(d);
    find_memory(d);
    find_way(d);
    p->camping = d->camping;
    p->camping_known = t->partitions == m->partitions && t->windows_seen;
    find_launch(d, p);
}

/* ---- copies ---- */

double gpu_time_transfer(const struct model *m, uint64_t bytes, bool to_device, bool pinned) {
    enum gpu_timing_parameter rate =
        pinned ? (to_device ? GPU_TIMING_pinned_up : GPU_TIMING_pinned_down)
               : (to_device ? GPU_TIMING_pageable_up : GPU_TIMING_pageable_down);
    return gpu_time_parameter(m, GPU_TIMING_transfer_us) * 1e-6 +
           (double)bytes / (gpu_time_parameter(m, rate) * 1e9);
}

double gpu_time_copy(const struct model *m, uint64_t read, uint64_t written) {
    double seconds = gpu_time_parameter(m, GPU_TIMING_launch_us) * 1e-6;
    double rate = m->memory_bandwidth_mbs * 1e6 * gpu_time_parameter(m, GPU_TIMING_sustained);
    return rate > 0 ? seconds + (double)(read + written) / rate : seconds;
}
