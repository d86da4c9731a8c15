#include "way.h"

#include <string.h>

#include "time.h"

enum { DEEPEST = 4 }; /* loops in loops that are walked twice; of those in them once is enough */

/* When a register is ready, and for what one waits until then. */
struct way_ready {
    double at, further; /* further: of the wait, for transactions behind the first */
    uint8_t wait;       /* enum gpu_timing_wait */
};

struct walker {
    const struct gpu_run *run;
    const struct steps *s;
    enum gpu_timing_rule rule;
    double now, waits[GPU_WAITS];
    struct way_ready *regs;
    double times;          /* that a group comes here */
    double began, service; /* since the last barrier: when, and what all warps of a group take */
    unsigned depth;
};

static double parameter(const struct walker *w, enum gpu_timing_parameter p) {
    return gpu_time_parameter(w->run->model, p);
}
#define PARAMETER(name) parameter(w, GPU_TIMING_##name)

static void wait(struct walker *w, enum gpu_timing_wait cause, double clocks) {
    w->waits[cause] += clocks;
    w->now += clocks;
}

/* ---- one instruction ---- */

/* Of a site, for each warp that comes there. */
static double of_site(const struct walker *w, uint32_t site, enum gpu_counter counter) {
    uint64_t visits = w->run->visits[site - 1];
    return visits ? (double)w->run->sites[site - 1].value[counter] / (double)visits : 0;
}

static double transactions(const struct walker *w, uint32_t site) {
    static const enum gpu_counter of[GPU_TIMING_RULES][2] = {
        {GPU_COUNTER_gld_transactions_1_0, GPU_COUNTER_gst_transactions_1_0},
        {GPU_COUNTER_gld_total, GPU_COUNTER_gst_total}};
    double n = of_site(w, site, of[w->rule][0]) + of_site(w, site, of[w->rule][1]);
    n += of_site(w, site, GPU_COUNTER_local_load_transactions);
    return n;
}

/* From the instruction's beginning to its result. */
static struct way_ready result_of(const struct walker *w, const struct isa_inst *i,
                                  const struct device_step *s) {
    double clocks = s->sp > s->sfu ? s->sp : s->sfu;
    struct way_ready r = {.wait = GPU_WAIT_ARITHMETIC};
    if (clocks < s->dp) clocks = s->dp;
    r.at = PARAMETER(arithmetic) + (clocks > 4 ? clocks - 4 : 0);
    uint32_t shared = s->kind == STEP_SHARED ? i->site : s->shared;
    uint32_t constant = s->kind == STEP_CONSTANT ? i->site : s->constant;
    if (shared) {
        double passes = of_site(w, shared, GPU_COUNTER_shared_replay);
        r.at = PARAMETER(shared_latency) + passes * PARAMETER(shared_pass);
        r.wait = GPU_WAIT_SHARED;
    } else if (constant) {
        double misses = of_site(w, constant, GPU_COUNTER_const_l1_miss);
        double passes = of_site(w, constant, GPU_COUNTER_const_addresses);
        r.at += PARAMETER(constant_latency) + passes * PARAMETER(constant_pass) +
                (misses < 1 ? misses : 1) * PARAMETER(constant_miss);
        r.wait = GPU_WAIT_CONSTANT;
    } else if (s->kind == STEP_GLOBAL) {
        double n = i->site ? transactions(w, i->site) : 0;
        r.at = PARAMETER(global_latency);
        r.further = n > 2 ? (n - 2) * PARAMETER(global_further) : 0;
        r.at += r.further;
        r.wait = GPU_WAIT_GLOBAL;
    } else if (s->kind == STEP_TEXTURE && i->site) {
        double hits = of_site(w, i->site, GPU_COUNTER_tex_cache_hit);
        double misses = of_site(w, i->site, GPU_COUNTER_tex_cache_miss);
        double share = hits + misses > 0 ? misses / (hits + misses) : 0;
        r.at = PARAMETER(texture_hit) + share * (PARAMETER(texture_miss) - PARAMETER(texture_hit));
        r.wait = GPU_WAIT_TEXTURE;
    }
    return r;
}

/* The group's other warps need the multiprocessor, too. */
static void meet(struct walker *w) {
    double rest = w->service - (w->now - w->began);
    if (rest > 0) wait(w, GPU_WAIT_BARRIER, rest);
    w->began = w->now;
    w->service = 0;
}

static void take(struct walker *w, uint32_t op) {
    const struct machine_op *o = &w->s->code.ops[op];
    const struct device_step *s = &w->s->list[op];
    const struct isa_inst *i = &w->run->kernel->insts[o->inst];
    const uint32_t *operands = w->s->code.operands + o->operands;
    const struct way_ready *last = NULL;
    for (unsigned u = 0; u < o->nuses; u++) {
        const struct way_ready *r = &w->regs[operands[o->ndefs + u]];
        if (r->at > w->now && (!last || r->at > last->at)) last = r;
    }
    if (last) {
        double clocks = last->at - w->now,
               further = clocks < last->further ? clocks : last->further;
        wait(w, GPU_WAIT_FURTHER, further);
        wait(w, (enum gpu_timing_wait)last->wait, clocks - further);
    }
    struct way_ready r = result_of(w, i, s);
    double issue = s->sp + s->sfu + s->dp, least = s->issues * PARAMETER(issue);
    if (issue < least) issue = least;
    if (s->kind == STEP_SHARED || s->kind == STEP_STORE || s->shared) {
        uint32_t site = s->shared ? s->shared : i->site;
        double passes = site ? of_site(w, site, GPU_COUNTER_shared_passes) : 0;
        if (issue < passes * PARAMETER(shared_pass)) issue = passes * PARAMETER(shared_pass);
    }
    double warps = (double)w->run->executions[o->inst] / w->times;
    double idle = (double)w->run->issued[o->inst] / w->times - warps;
    w->service += issue * warps + least * idle;
    r.at += w->now;
    for (unsigned d = 0; d < o->ndefs; d++) w->regs[operands[d]] = r;
    wait(w, GPU_WAIT_ARITHMETIC, issue);
    if (s->kind != STEP_BARRIER) return;
    meet(w);
    wait(w, GPU_WAIT_BARRIER, PARAMETER(barrier));
}

/* ---- regions ---- */

static void walk(struct walker *w, uint32_t from, uint32_t to);

/* What came since is taken so many times. */
static void scale(struct walker *w, double since, const double waits[GPU_WAITS], double times) {
    double more = (w->now - since) * (times - 1);
    for (unsigned n = 0; n < GPU_WAITS; n++) w->waits[n] += (w->waits[n] - waits[n]) * (times - 1);
    w->now += more;
    w->began += more;
    for (uint32_t r = 0; r < w->s->code.nregs; r++)
        if (w->regs[r].at > since) w->regs[r].at += more;
}

static void walk_loop(struct walker *w, uint32_t loop, uint32_t end) {
    const struct gpu_run *run = w->run;
    double entered = (double)run->executions[loop], waits[GPU_WAITS];
    double trips = loop + 1 < end && entered > 0 ? (double)run->issued[loop + 1] / entered : 0;
    double outside = w->times;
    if (trips <= 0) return;
    w->times *= trips;
    w->depth++;
    double since = w->now;
    memcpy(waits, w->waits, sizeof waits);
    walk(w, loop + 1, end + 1);
    if (trips > 1 && w->depth <= DEEPEST) { /* the second iteration is as all that follow */
        since = w->now;
        memcpy(waits, w->waits, sizeof waits);
        walk(w, loop + 1, end + 1);
        scale(w, since, waits, trips - 1);
    } else if (trips > 1) {
        scale(w, since, waits, trips);
    }
    w->depth--;
    w->times = outside;
}

/* Weighed by the share of groups of which a warp enters. */
static void walk_part(struct walker *w, uint32_t from, uint32_t to) {
    if (from >= to) return;
    double warps = (double)w->run->issued[from] / w->times, since = w->now, waits[GPU_WAITS];
    if (warps <= 0) return;
    memcpy(waits, w->waits, sizeof waits);
    double outside = w->times;
    if (warps < 1) w->times *= warps;
    walk(w, from, to);
    w->times = outside;
    if (warps < 1) scale(w, since, waits, warps);
}

static void walk(struct walker *w, uint32_t from, uint32_t to) {
    for (uint32_t n = from; n < to; n++) {
        const struct isa_inst *i = &w->run->kernel->insts[n];
        for (uint32_t o = w->s->first[n]; o < w->s->first[n + 1]; o++) take(w, w->s->order[o]);
        if (i->op == ISA_loop) {
            walk_loop(w, n, i->match);
            n = i->match;
        } else if (i->op == ISA_if) {
            uint32_t end = i->match;
            walk_part(w, n + 1, end);
            if (w->run->kernel->insts[end].op == ISA_else) {
                uint32_t other = end;
                end = w->run->kernel->insts[other].match;
                walk_part(w, other + 1, end);
            }
            n = end;
        }
    }
}

void way_find(const struct gpu_run *run, const struct steps *s, enum gpu_timing_rule rule,
              struct arena *arena, double waits[GPU_WAITS]) {
    struct walker w = {.run = run, .s = s, .rule = rule, .times = (double)run->groups};
    w.regs = ARENA_ARRAY(arena, struct way_ready, s->code.nregs + (size_t)1);
    walk(&w, 0, run->kernel->ninsts);
    meet(&w);
    memcpy(waits, w.waits, sizeof w.waits);
}
