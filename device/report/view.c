#include "view.h"

#include <stdlib.h>
#include <string.h>

#include "device/observe/counters_observer.h"
#include "device/observe/worst_observer.h"

#define VALUE(name) (c->value[GPU_COUNTER_##name])

uint64_t view_moved(const struct model *m, const struct gpu_counters *c, bool load) {
    if (m->cc_minor >= 2) return load ? VALUE(gld_moved) : VALUE(gst_moved);
    return load ? VALUE(gld_moved_1_0) : VALUE(gst_moved_1_0);
}

static uint64_t transactions(const struct model *m, const struct gpu_counters *c) {
    if (m->cc_minor >= 2) return VALUE(gld_total) + VALUE(gst_total);
    return VALUE(gld_transactions_1_0) + VALUE(gst_transactions_1_0);
}

const char *view_seconds(double seconds, char text[24]) {
    static const struct {
        double least, by;
        const char *unit;
    } units[] = {{1, 1, "s"}, {1e-3, 1e3, "ms"}, {1e-6, 1e6, "us"}, {0, 1e9, "ns"}};
    unsigned n = 0;
    while (seconds < units[n].least) n++;
    double value = seconds * units[n].by;
    snprintf(text, 24, "%.*f %s", value < 10 ? 2 : value < 100 ? 1 : 0, value, units[n].unit);
    return text;
}

static double part(double some, double all) { return all > 0 ? some / all : 0; }

/* ---- floating-point operations: a multiply-add is two ---- */

static unsigned flops_of(const struct isa_inst *i) {
    if (i->type != ISA_F32 && i->type != ISA_F64) return 0;
    switch (i->op) {
    case ISA_fma:
    case ISA_mad:
    case ISA_fmad: return 2;
    case ISA_fadd:
    case ISA_fsub:
    case ISA_fmul:
    case ISA_fdiv:
    case ISA_sqrt:
    case ISA_rsqrt: return 1;
    default: return isa_op_info[i->op].flags & ISA_OP_MATH ? 1 : 0;
    }
}

static double count_flops(const struct folded_launch *l) {
    double sum = 0;
    for (uint32_t n = 0; n < l->of->kernel->ninsts; n++)
        sum += (double)l->steps[n].lanes * flops_of(&l->of->kernel->insts[n]);
    return sum;
}

/* ---- where the cost of a repair is, and in what words ---- */

static double waste_of_moves(const struct model *m, const struct gpu_counters *c) {
    return (double)view_moved(m, c, true) - (double)VALUE(gld_bytes) +
           (double)view_moved(m, c, false) - (double)VALUE(gst_bytes);
}

static double waste_of_passes(const struct model *m, const struct gpu_counters *c) {
    (void)m;
    return (double)VALUE(shared_replay) + (double)VALUE(const_addresses) -
           (double)VALUE(const_access);
}

static double waste_of_branches(const struct model *m, const struct gpu_counters *c) {
    (void)m;
    return (double)VALUE(divergent_branch) + (double)VALUE(predicated_off) / ISA_WARP;
}

static double waste_of_partitions(const struct model *m, const struct gpu_counters *c) {
    uint64_t most = 0, sum = 0;
    for (unsigned n = 0; n < m->partitions; n++) {
        uint64_t of = c->value[GPU_COUNTER_partition_0 + n];
        sum += of;
        if (of > most) most = of;
    }
    /* Groups of one time camp, though a launch is even: then the site that moves most is meant. */
    return (double)most * m->partitions - (double)sum + (double)sum * 1e-3;
}

static double waste_of_atomics(const struct model *m, const struct gpu_counters *c) {
    (void)m;
    return (double)(VALUE(atom_global_conflict) + VALUE(atom_shared_conflict)) +
           (double)VALUE(atom_global_lanes) * 1e-3;
}

static void tell_moves(const struct report_view *v, const struct gpu_counters *c, char *text) {
    double asked = (double)(VALUE(gld_bytes) + VALUE(gst_bytes));
    double moved = (double)(view_moved(v->model, c, true) + view_moved(v->model, c, false));
    uint64_t warps = VALUE(gld_request) + VALUE(gst_request);
    snprintf(text, VIEW_TEXT,
             "%.1f transactions for each access of a warp; lanes ask for %.0f %% of the bytes that "
             "move",
             part((double)transactions(v->model, c), (double)warps), 100 * part(asked, moved));
}

static void tell_passes(const struct report_view *v, const struct gpu_counters *c, char *text) {
    (void)v;
    if (VALUE(shared_replay))
        snprintf(text, VIEW_TEXT,
                 "%.1f passes for each request of a half-warp, where 1 would do; %u at worst",
                 part((double)VALUE(shared_passes), (double)VALUE(shared_access)),
                 (unsigned)VALUE(shared_conflict));
    else
        snprintf(text, VIEW_TEXT, "%.1f different addresses for each half-warp's read of constants",
                 part((double)VALUE(const_addresses), (double)VALUE(const_access)));
}

static void tell_branches(const struct report_view *v, const struct gpu_counters *c, char *text) {
    c = &v->all;
    snprintf(text, VIEW_TEXT,
             "of the 32 lanes of a warp %.1f take part in an instruction, on average",
             part((double)VALUE(lane_instructions), (double)VALUE(instructions)));
}

static void tell_partitions(const struct report_view *v, const struct gpu_counters *c, char *text) {
    (void)c;
    snprintf(text, VIEW_TEXT,
             "of %u partitions the busiest one has %.1f times its share, among the groups that run "
             "at one time",
             (unsigned)v->model->partitions, v->time.camping);
}

static void tell_atomics(const struct report_view *v, const struct gpu_counters *c, char *text) {
    (void)v;
    double lanes = (double)(VALUE(atom_global_lanes) + VALUE(atom_shared_lanes));
    snprintf(text, VIEW_TEXT, "%.0f %% of the lanes find their address taken by one of their warp",
             100 *
                 part((double)(VALUE(atom_global_conflict) + VALUE(atom_shared_conflict)), lanes));
}

static void tell_occupancy(const struct report_view *v, const struct gpu_counters *c, char *text) {
    const struct gpu_occupancy *o = &v->occupancy;
    (void)c;
    int n =
        snprintf(text, VIEW_TEXT, "%u of %u warps are on a multiprocessor; %s allow no more",
                 (unsigned)o->active_warps, (unsigned)o->most_warps, gpu_limiter_name[o->limiter]);
    if (o->smaller_group || o->larger_group)
        n += snprintf(text + n, VIEW_TEXT - (size_t)n, "; groups of %u work-items would do better",
                      (unsigned)(o->larger_group ? o->larger_group : o->smaller_group));
    if (o->better_registers)
        n += snprintf(text + n, VIEW_TEXT - (size_t)n, "; %u registers would do better",
                      (unsigned)o->better_registers);
    if (o->better_shared)
        snprintf(text + n, VIEW_TEXT - (size_t)n, "; %u bytes of shared memory would do better",
                 (unsigned)o->better_shared);
}

static const struct {
    double (*waste)(const struct model *m, const struct gpu_counters *c); /* NULL: at no site */
    void (*tell)(const struct report_view *v, const struct gpu_counters *c, char *text);
} how[GPU_REPAIRS] = {
    [GPU_REPAIR_coalesced] = {waste_of_moves, tell_moves},
    [GPU_REPAIR_conflict_free] = {waste_of_passes, tell_passes},
    [GPU_REPAIR_no_divergence] = {waste_of_branches, tell_branches},
    [GPU_REPAIR_no_camping] = {waste_of_partitions, tell_partitions},
    [GPU_REPAIR_more_occupancy] = {NULL, tell_occupancy},
    [GPU_REPAIR_no_contention] = {waste_of_atomics, tell_atomics},
};

static uint32_t worst_site(const struct report_view *v, enum gpu_repair which) {
    double most = 0;
    uint32_t site = 0;
    for (uint32_t n = 0; how[which].waste && n < v->counted.kernel->nsites; n++) {
        double waste = how[which].waste(v->model, &v->sites[n]);
        if (waste <= most) continue;
        most = waste;
        site = n + 1;
    }
    return site;
}

static int by_gain(const void *a, const void *b) {
    const struct view_repair *x = a, *y = b;
    if (x->gain != y->gain) return x->gain < y->gain ? 1 : -1;
    return (x->which > y->which) - (x->which < y->which);
}

static void find_repairs(struct report_view *v) {
    const double least = 0.005; /* of the time: what gains less is not worth a line */
    for (int n = 0; n < GPU_REPAIRS; n++) {
        struct gpu_prediction p;
        gpu_time_predict(v->model, &v->launch->timing, 1u << n, &p);
        struct view_repair r = {
            .which = (enum gpu_repair)n, .seconds = p.seconds, .gain = v->time.seconds - p.seconds};
        if (r.gain < least * v->time.seconds) continue;
        r.site = worst_site(v, r.which);
        if (how[n].tell) how[n].tell(v, r.site ? &v->sites[r.site - 1] : &v->all, r.detail);
        v->repairs[v->nrepairs++] = r;
    }
    qsort(v->repairs, v->nrepairs, sizeof *v->repairs, by_gain);
}

/* ---- the verdict ---- */

_Static_assert(GPU_UNIT_issue < GPU_UNIT_dp && GPU_UNIT_sp < GPU_UNIT_dp &&
                   GPU_UNIT_sfu < GPU_UNIT_dp && GPU_UNIT_dp < GPU_UNIT_shared,
               "those that lanes share come first");

static const char *const bound_by[GPU_UNITS] = {
    [GPU_UNIT_issue] = "issuing instructions",
    [GPU_UNIT_sp] = "arithmetic (the scalar processors)",
    [GPU_UNIT_sfu] = "special functions and integer products",
    [GPU_UNIT_dp] = "double precision",
    [GPU_UNIT_shared] = "shared memory",
    [GPU_UNIT_constant] = "constant memory",
    [GPU_UNIT_port] = "the way to memory",
    [GPU_UNIT_texture] = "textures",
    [GPU_UNIT_reply] = "the way from the partitions to the multiprocessors",
    [GPU_UNIT_dram] = "memory bandwidth",
    [GPU_UNIT_atomic] = "atomic operations",
    [GPU_UNIT_latency] = "latency",
};

/* Floating-point operations that the board can do, at its peak, for each byte that it can move. */
static double balance(const struct model *m) {
    const double lanes = 8, operations = 2;
    return m->multiprocessors * lanes * operations * m->clock_mhz /
           (m->memory_bandwidth_mbs ? m->memory_bandwidth_mbs : 1);
}

/* Why that is so much, in a few words; "" when nothing is wasted. */
static void add_reason(const struct report_view *v, enum gpu_unit unit, char *text, size_t size) {
    const struct gpu_counters *c = &v->all;
    double asked = (double)(VALUE(gld_bytes) + VALUE(gst_bytes));
    double moved = (double)(view_moved(v->model, c, true) + view_moved(v->model, c, false));
    double lanes = part((double)VALUE(lane_instructions), (double)VALUE(instructions));
    bool memory = unit == GPU_UNIT_dram || unit == GPU_UNIT_port;
    if (memory && v->time.camping > 1.3 && v->time.camping_known)
        snprintf(text, size, "; one of %u partitions has %.1f times its share",
                 (unsigned)v->model->partitions, v->time.camping);
    else if (memory && moved > 0 && asked < 0.95 * moved)
        snprintf(text, size, "; only %.0f %% of the bytes it moves are asked for",
                 100 * asked / moved);
    else if (memory && moved > 0 && v->flops > 0 && v->flops / moved < balance(v->model))
        snprintf(text, size,
                 "; %.2g floating-point operations for each byte it moves, the board could do %.1f",
                 v->flops / moved, balance(v->model));
    else if (unit == GPU_UNIT_shared && VALUE(shared_replay))
        snprintf(text, size, "; bank conflicts make it %.1f passes a request",
                 part((double)VALUE(shared_passes), (double)VALUE(shared_access)));
    else if (unit <= GPU_UNIT_dp && lanes < 0.8 * ISA_WARP)
        snprintf(text, size, "; of the 32 lanes of a warp %.0f take part in an instruction", lanes);
    else if (unit == GPU_UNIT_latency)
        snprintf(text, size, "; %u of %u warps are there to hide it",
                 (unsigned)v->time.active_warps, (unsigned)v->occupancy.most_warps);
    else
        *text = '\0';
}

/* The busiest unit; latency is none. */
static enum gpu_unit busiest(const struct gpu_prediction *p) {
    int best = 0;
    for (int n = 0; n < GPU_UNITS; n++)
        if (n != GPU_UNIT_latency && p->busy[n] > p->busy[best]) best = n;
    return (enum gpu_unit)best;
}

static void judge(struct report_view *v) {
    const double most = 0.6; /* what is busy for more of the time is what binds */
    enum gpu_unit unit = busiest(&v->time);
    char why[120];
    if (v->time.seconds <= 0) {
        snprintf(v->verdict, sizeof v->verdict, "%s has no clock: no time is predicted",
                 v->model->name);
        return;
    }
    double run = v->time.seconds - v->time.launch_seconds;
    if (run < v->time.launch_seconds) {
        snprintf(v->verdict, sizeof v->verdict,
                 "bound by the launch itself: %.0f %% of its time pass before the first group runs",
                 100 * v->time.launch_seconds / v->time.seconds);
    } else if (v->time.busy[unit] >= most) {
        add_reason(v, unit, why, sizeof why);
        snprintf(v->verdict, sizeof v->verdict, "bound by %s, busy %.0f %% of the time%s",
                 bound_by[unit], 100 * v->time.busy[unit], why);
    } else {
        add_reason(v, GPU_UNIT_latency, why, sizeof why);
        snprintf(v->verdict, sizeof v->verdict,
                 "bound by latency: nothing is busy for more than %.0f %% of the time (%s)%s",
                 100 * v->time.busy[unit], bound_by[unit], why);
    }
}

struct report_view *view_new(const struct folded_launch *l) {
    struct report_view *v = calloc(1, sizeof *v);
    if (!v) return NULL;
    const struct isa_kernel *k = l->of->kernel;
    v->launch = l;
    v->model = l->of->model ? l->of->model : model_find(NULL);
    v->counted = folded_result(l, &counters_observer);
    v->worst = folded_result(l, &worst_observer);
    v->sites = calloc(k->nsites + (size_t)1, sizeof *v->sites);
    if (!v->sites) return free(v), NULL;
    counters_of_kernel(&v->counted, &v->all);
    for (uint32_t n = 0; n < k->nsites; n++) counters_of_site(&v->counted, n, &v->sites[n]);
    v->flops = count_flops(l);
    gpu_occupancy_find(v->model, &l->resources, l->items, &v->occupancy);
    gpu_time_predict(v->model, &l->timing, 0, &v->time);
    v->total = l->seconds;
    judge(v);
    if (v->time.seconds > 0) find_repairs(v);
    return v;
}

void view_free(struct report_view *v) {
    if (!v) return;
    free(v->sites);
    free(v);
}
