#include "collect.h"

#include "probecalls.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "device/gpu/address.h"
#include "device/host/pool.h"
#include "guards.h"
#include "keep.h"
#include "notes.h"
#include "refine.h"
#include "windows.h"

struct observe_launch {
    struct observe_plan *plan;
    struct observe_grid grid;
    const struct refined *refined; /* NULL: nothing was */
    uint32_t ncounters;
    struct window_plan windows;
    struct observe_move *moves; /* of each call */
    void *shared[OBSERVE_MOST]; /* what observers have of it: launch_enter */
    const char *params;
    void (*tell)(void *user, const struct observer *who, const struct observe_result *result);
    void *user;
    struct observe_thread *threads[POOL_MAX_WORKERS]; /* NULL: that slot ran no group */
    _Atomic unsigned slots;                           /* behind the last that did */
};

size_t collect_bytes(const struct observer *o, const struct isa_kernel *k) {
    return o->bytes ? o->bytes(k) : 0;
}

void collect_merge(const struct observer *o, const struct isa_kernel *k, void *into,
                   const void *from) {
    if (o->merge) {
        o->merge(k, into, from);
        return;
    }
    uint64_t *sums = into;
    const uint64_t *more = from;
    for (size_t n = 0; n < o->bytes(k) / sizeof *sums; n++) sums[n] += more[n];
}

/* From the sandbox to the device, in the object of a parameter. */
static int64_t distance(const struct observe_launch *l, uint32_t param) {
    const struct gpu_addresses *device = l->grid.addresses;
    const struct isa_kernel *k = l->plan->kernel;
    uint32_t address;
    for (uint32_t n = 0; param > k->nparams && n < device->constant.count; n++)
        if (!device->constant.ranges[n].device) return -(int64_t)device->constant.ranges[n].start;
    if (param > k->nparams) return 0;
    const struct isa_param *p = &k->params[param - 1];
    memcpy(&address, l->params + p->offset, sizeof address);
    return (int64_t)gpu_address_of(
               p->kind == ISA_PARAM_GLOBAL ? &device->global : &device->constant, address) -
           address;
}

static bool find_moves(struct observe_launch *l) {
    const struct observe_plan *p = l->plan;
    l->moves = calloc(p->ncalls + (size_t)1, sizeof *l->moves);
    for (uint32_t n = 0; l->moves && l->grid.addresses && n < p->ncalls; n++) {
        if (p->calls[n].own) continue;
        const struct isa_site *site = &p->kernel->sites[p->calls[n].site];
        bool placed = site->kind <= ISA_SITE_atomic && site->space != ISA_PRIVATE;
        if (p->calls[n].param)
            l->moves[n] = (struct observe_move){distance(l, p->calls[n].param), true};
        else
            l->moves[n].known = !placed;
    }
    return l->moves;
}

struct observe_launch *observe_launch_begin(struct observe_plan *p, const struct observe_grid *grid,
                                            const void *params,
                                            void (*say)(void *user, const struct observer *who,
                                                        const struct observe_result *result),
                                            void *user) {
    struct observe_launch *l = calloc(1, sizeof *l);
    if (!l) return NULL;
    l->plan = p;
    l->grid = *grid;
    l->grid.model = p->set.model;
    l->refined = refine_find(p, grid->local_size);
    l->ncounters = l->refined ? l->refined->ncounters : p->flow.ncounters;
    l->params = params;
    l->grid.params = params;
    l->tell = say;
    l->user = user;
    if (!find_moves(l)) return free(l), NULL;
    windows_find(&l->windows, &p->set, &l->grid);
    for (unsigned n = 0; n < p->set.count; n++)
        if (p->set.list[n]->launch_begin) p->set.list[n]->launch_begin(p->kernel, &l->grid);
    for (unsigned n = 0; n < p->set.count; n++)
        if (p->set.list[n]->launch_enter)
            l->shared[n] = p->set.list[n]->launch_enter(p->kernel, &l->grid);
    return l;
}

uint64_t observe_at_once(const struct observe_launch *l) {
    uint64_t least = UINT64_MAX;
    for (unsigned n = 0; l && n < l->plan->set.count; n++) {
        const struct observer *o = l->plan->set.list[n];
        uint64_t most = !l->shared[n] ? UINT64_MAX : o->at_once ? o->at_once(l->shared[n]) : 0;
        if (most < least) least = most;
    }
    return least;
}

static unsigned place_in(const struct observe_set *set, const struct observer *who) {
    for (unsigned n = 0; n < set->count; n++)
        if (set->list[n] == who) return n;
    return set->count;
}

bool observe_may_settle(const struct observe_launch *l) {
    bool may = false;
    for (unsigned n = 0; l && n < l->plan->set.count; n++) {
        const struct observer *o = l->plan->set.list[n];
        /* What is kept of a launch must be of all its groups. */
        if (o->steps || o->finish || o->launch_end || o->report) return false;
        may |= o->may_settle && (l->shared[n] || !o->launch_enter) &&
               o->may_settle(l->plan->kernel, &l->grid, l->shared[n]);
    }
    return may;
}

/* What an observer has of the first group. */
static const void *state_of(const struct observe_launch *l, unsigned n) {
    if (l->plan->set.list[n]->launch_enter) return l->shared[n];
    for (unsigned slot = 0; slot < l->slots; slot++)
        if (l->threads[slot]) return l->threads[slot]->sums[0].accumulators[n];
    return NULL;
}

static bool is_settled(const struct observe_launch *l, unsigned n) {
    const struct observer *o = l->plan->set.list[n];
    const void *state = o->settled ? state_of(l, n) : NULL;
    return state && o->settled(l->plan->kernel, &l->grid, state);
}

bool observe_settled(const struct observe_launch *l, const struct observer *who) {
    bool any = false;
    for (unsigned n = 0; l && n < l->plan->set.count; n++) {
        bool settled = (!who || l->plan->set.list[n] == who) && is_settled(l, n);
        if (!who && !settled && l->shared[n]) return false; /* it cannot begin anew */
        any |= settled;
    }
    return any;
}

/* ---- one thread ---- */

static void sums_free(struct observe_sums *s) {
    for (unsigned n = 0; n < OBSERVE_MOST; n++)
        if (!(s->shared >> n & 1)) free(s->accumulators[n]);
    free(s->counters);
    free(s->notes);
    free(s->reads);
    *s = (struct observe_sums){0};
}

static void thread_free(struct observe_thread *t) {
    if (!t) return;
    for (unsigned n = 0; t->plan && n < t->plan->set.count; n++)
        if (t->plan->set.list[n]->thread_leave && t->shared[n])
            t->plan->set.list[n]->thread_leave(t->shared[n]);
    for (unsigned s = 0; s < 2; s++) sums_free(&t->sums[s]);
    for (unsigned w = 0; w < OBSERVE_WINDOWS; w++) sums_free(&t->windows[w]);
    free(t->guards);
    free(t);
}

_Static_assert(OBSERVE_OPERANDS == 5, "each is said");

enum { LARGE = 64 << 10 };

/* Zeros, in lines of their own: threads count side by side. What is large is not touched before it
 * is used. */
static void *zeros(size_t bytes) {
    size_t size = (bytes + 64) & ~(size_t)63;
    if (size >= LARGE) return calloc(1, size + 64);
    void *p = aligned_alloc(64, size);
    return p ? memset(p, 0, size) : NULL;
}

static bool sums_new(const struct observe_plan *p, const struct refined *refined,
                     uint32_t ncounters, void *const shared[], struct observe_sums *s) {
    bool good = (s->counters = zeros(ncounters * sizeof *s->counters));
    for (unsigned n = 0; good && n < p->set.count; n++) {
        if (p->set.list[n]->launch_enter) {
            s->accumulators[n] = shared[n];
            s->shared |= (uint16_t)(1u << n);
            continue;
        }
        good = (s->accumulators[n] = zeros(collect_bytes(p->set.list[n], p->kernel)));
    }
    if (good && refined && refined->reads) good = (s->reads = zeros(sizeof *s->reads));
    return good && (!refined || !refined->nnotes || (s->notes = notes_new(refined)));
}

static void use_sums(struct observe_thread *t, struct observe_sums *s) {
    t->counters = s->counters;
    t->accumulators = s->accumulators;
    t->notes = s->notes;
    t->reads = s->reads;
}

/* What the thread has of launches with a state. */
static bool enter(struct observe_thread *t, const struct observe_launch *l) {
    bool good = true;
    for (unsigned n = 0; n < l->plan->set.count; n++) {
        const struct observer *o = l->plan->set.list[n];
        bool own = l->shared[n] && o->thread_enter;
        t->shared[n] = own ? o->thread_enter(l->shared[n]) : l->shared[n];
        good &= !own || t->shared[n];
    }
    return good;
}

struct observe_thread *observe_launch_thread(struct observe_launch *l, unsigned slot) {
    const struct observe_plan *p = l->plan;
    if (l->threads[slot]) return l->threads[slot];
    struct observe_thread *t = calloc(1, sizeof *t);
    if (t) t->plan = p;
    if (!t || !enter(t, l) || !sums_new(p, l->refined, l->ncounters, t->shared, &t->sums[0]) ||
        (p->set.every > 1 && !sums_new(p, l->refined, l->ncounters, t->shared, &t->sums[1]))) {
        thread_free(t);
        return NULL;
    }
    use_sums(t, &t->sums[0]);
    for (unsigned n = atomic_load(&l->slots); n <= slot;)
        if (atomic_compare_exchange_weak(&l->slots, &n, slot + 1)) break;
    if (guards_any(p) && !(t->guards = calloc(p->ncalls, sizeof *t->guards))) {
        thread_free(t);
        return NULL;
    }
    t->window_plan = &l->windows;
    t->refined = l->refined;
    t->ncounters = l->ncounters;
    t->moves = l->moves;
    t->group = (struct observe_group){.kernel = p->kernel, .grid = &l->grid};
    return l->threads[slot] = t;
}

void observe_local(struct observe_thread *t, uint32_t base) {
    bool moved = base != t->group.local_base;
    t->group.local_base = base;
    if (t->guards && (moved || !t->guarded)) guards_find(t);
}

/* Where the group's counts go. Without memory for those of its window they are the launch's alone.
 */
static struct observe_sums *sums_of(struct observe_thread *t) {
    uint64_t index = t->group.index;
    if (t->plan->set.every > 1) return &t->sums[index % t->plan->set.every != 0];
    unsigned window = windows_of(t->window_plan, index);
    if (window == OBSERVE_WINDOWS) return &t->sums[0];
    struct observe_sums *s = &t->windows[window];
    if (s->counters || sums_new(t->plan, t->refined, t->ncounters, t->shared, s)) return s;
    sums_free(s);
    return &t->sums[0];
}

void observe_group_begin(struct observe_thread *t, const uint32_t group_id[3]) {
    const struct observe_set *set = &t->plan->set;
    const uint32_t *groups = t->group.grid->groups;
    memcpy(t->group.group_id, group_id, sizeof t->group.group_id);
    t->group.index = ((uint64_t)group_id[2] * groups[1] + group_id[1]) * groups[0] + group_id[0];
    use_sums(t, sums_of(t));
    for (unsigned n = 0; n < set->count; n++)
        if (set->list[n]->group_begin && probecalls_hears(t, n))
            set->list[n]->group_begin(t->accumulators[n], &t->group);
}

void observe_group_end(struct observe_thread *t) {
    const struct observe_set *set = &t->plan->set;
    if (t->reads) observe_read(t);
    for (unsigned n = 0; n < set->count; n++)
        if (set->list[n]->group_end && probecalls_hears(t, n))
            set->list[n]->group_end(t->accumulators[n], &t->group);
}

/* ---- the end ---- */

/* Evenly spaced lanes that were counted in place of calls: so many times, where the first one that
 * is on begins in that bin. */
static void tell_bin(const struct observe_launch *l, struct observe_thread *t,
                     const struct refine_bins *b, uint32_t bin, uint32_t mask, uint64_t times) {
    const struct observe_plan *p = l->plan;
    const struct probe_call *c = &p->calls[b->call];
    /* Somewhere in the middle, so that no lane's address goes round 2^32, where the period does not
     * come round. */
    const uint32_t middle = UINT32_C(1) << 31, period = b->count * b->granule;
    int64_t moved = (l->moves[b->call].by % (int64_t)period + period) % period;
    uint32_t begin = middle - middle % period + (uint32_t)moved + bin * b->granule;
    uint32_t at[ISA_WARP], first = (uint32_t)__builtin_ctz(mask);
    struct observe_event e = {.kernel = p->kernel,
                              .grid = &l->grid,
                              .site = c->site,
                              .inst = &p->kernel->insts[c->inst],
                              .mask = mask,
                              .times = times,
                              .bytes = c->bytes,
                              .addresses = at,
                              .strided = true,
                              .stride = b->stride};
    for (uint32_t lane = 0; lane < ISA_WARP; lane++)
        at[lane] = begin + (lane - first) * (uint32_t)b->stride;
    probecalls_tell(t, c, &e);
}

static void tell_bins(const struct observe_launch *l, struct observe_thread *all,
                      const struct refine_bins *b) {
    uint32_t mask = b->halves ? ~0u >> ISA_WARP / 2 : ~0u;
    for (uint32_t n = 0; n < refine_counters(b); n++) {
        uint64_t times = all->counters[b->first + n];
        if (b->lanes > 1) mask = notes_lanes(b->lanes, n);
        if (times && mask) tell_bin(l, all, b, b->lanes > 1 ? 0 : n, mask, times);
    }
}

static void tell_rows(const struct observe_launch *l, struct observe_thread *t, uint32_t place) {
    const struct refine_place *which = &t->refined->notes[place];
    struct isa_row *rows = t->notes[place].rows;
    for (uint32_t n = 0; which->bins && n < ISA_ROWS; n++)
        if (rows[n].times && rows[n].mask)
            tell_bin(l, t, &t->refined->bins[which->bins - 1], rows[n].bin, rows[n].mask,
                     rows[n].times);
}

static void tell_all_bins(const struct observe_launch *l, struct observe_thread *all) {
    for (uint32_t n = 0; l->refined && n < l->refined->nbins; n++)
        tell_bins(l, all, &l->refined->bins[n]);
}

static void tell_all_notes(const struct observe_launch *l, struct observe_thread *t,
                           struct observe_sums *s) {
    use_sums(t, s);
    for (uint32_t n = 0; t->refined && n < t->refined->nnotes; n++) {
        if (t->notes[n].count) observe_noted(t, n);
        tell_rows(l, t, n);
    }
}

/* Of `from` the first counters, and what observers have. */
static void add_sums(const struct observe_plan *p, uint32_t ncounters, struct observe_sums *into,
                     const struct observe_sums *from) {
    for (uint32_t n = 0; n < ncounters; n++) into->counters[n] += from->counters[n];
    for (unsigned n = 0; n < p->set.count; n++)
        if (collect_bytes(p->set.list[n], p->kernel))
            collect_merge(p->set.list[n], p->kernel, into->accumulators[n], from->accumulators[n]);
}

/* All threads' become the first one's, whose sums the window's become when it has been told of. */
static void end_window(struct observe_launch *l, struct observe_thread *all, unsigned window) {
    const struct observe_plan *p = l->plan;
    struct observe_sums *sums = NULL;
    for (unsigned slot = 0; slot < l->slots; slot++) {
        struct observe_sums *s = l->threads[slot] ? &l->threads[slot]->windows[window] : NULL;
        if (!s || !s->counters) continue;
        tell_all_notes(l, l->threads[slot], s);
        if (sums)
            add_sums(p, l->ncounters, sums, s);
        else
            sums = s;
    }
    if (!sums) return;
    use_sums(all, sums);
    tell_all_bins(l, all);
    for (unsigned n = 0; n < p->set.count; n++) {
        const struct observer *o = p->set.list[n];
        unsigned needed = place_in(&p->set, o->needs);
        if (o->window && needed < p->set.count)
            o->window(sums->accumulators[n], p->kernel, &l->grid, sums->accumulators[needed]);
    }
    use_sums(all, &all->sums[0]);
    add_sums(p, p->flow.ncounters, &all->sums[0], sums); /* bins have been told */
}

/* All threads' become the first one's. NULL: no thread ran a group. */
static struct observe_thread *merged(struct observe_launch *l) {
    struct observe_thread *all = NULL;
    for (unsigned slot = 0; slot < l->slots; slot++) {
        struct observe_thread *t = l->threads[slot];
        if (!t) continue;
        tell_all_notes(l, t, &t->sums[0]);
        if (all)
            add_sums(l->plan, l->ncounters, &all->sums[0], &t->sums[0]);
        else
            all = t;
    }
    if (!all) return NULL;
    tell_all_bins(l, all);
    for (unsigned w = 0; w < l->windows.seen; w++) end_window(l, all, w);
    return all;
}

static void conclude(struct observe_launch *l, struct observe_thread *all,
                     const struct observe_result *r) {
    const struct observe_plan *p = l->plan;
    for (unsigned n = 0; n < p->set.count; n++) {
        const struct observer *o = p->set.list[n];
        unsigned needed = place_in(&p->set, o->needs);
        struct observe_result theirs = *r;
        if (!o->conclude || needed == p->set.count || !r->steps) continue;
        theirs.accumulator = all->accumulators[needed];
        o->conclude(all->accumulators[n], &theirs, &l->grid, l->windows.count, l->windows.seen);
    }
}

static void show(struct observe_launch *l, struct observe_thread *all) {
    struct observe_plan *p = l->plan;
    const uint32_t *groups = l->grid.groups;
    uint32_t every = p->set.every ? p->set.every : 1;
    struct observe_result r = {.kernel = p->kernel,
                               .files = p->module->files,
                               .model = p->set.model,
                               .launches = 1,
                               .items = l->grid.items,
                               .resources = l->grid.resources,
                               .every = p->set.every,
                               .groups = (uint64_t)groups[0] * groups[1] * groups[2]};
    r.groups = (r.groups + every - 1) / every;
    struct observe_count *counts = NULL;
    struct observe_step *steps = NULL;
    bool good = true;
    if (p->counts) {
        counts = calloc(p->kernel->nsites + (size_t)1, sizeof *counts);
        if (p->steps) steps = calloc(p->kernel->ninsts + (size_t)1, sizeof *steps);
        good = counts && (steps || !p->steps) &&
               countflow_solve(&p->flow, p->kernel, all->counters, r.groups, l->grid.items, counts,
                               steps);
    }
    r.counts = good ? counts : NULL;
    r.steps = good ? steps : NULL;
    for (unsigned n = 0; n < p->set.count; n++)
        if (p->set.list[n]->finish)
            p->set.list[n]->finish(p->kernel, &l->grid, all->accumulators[n]);
    conclude(l, all, &r);
    for (unsigned n = 0; n < p->set.count; n++) {
        r.accumulator = collect_bytes(p->set.list[n], p->kernel) ? all->accumulators[n] : NULL;
        if (p->set.list[n]->launch_end) p->set.list[n]->launch_end(&r, &l->grid);
        if (l->tell) l->tell(l->user, p->set.list[n], &r);
    }
    if (good) keep_launch(p, &r, all->accumulators);
    free(counts);
    free(steps);
}

static void tell_stopped(const struct observe_launch *l, const struct observe_thread *t,
                         enum observe_end end) {
    const struct observe_set *set = &l->plan->set;
    for (unsigned n = 0; t && n < set->count; n++)
        if (set->list[n]->stopped && probecalls_hears(t, n))
            set->list[n]->stopped(t->accumulators[n], end == OBSERVE_AT_BARRIER);
}

void observe_launch_end(struct observe_launch *l, enum observe_end end) {
    if (!l) return;
    bool complete = end == OBSERVE_COMPLETE;
    for (unsigned slot = 0; !complete && slot < l->slots; slot++)
        tell_stopped(l, l->threads[slot], end);
    struct observe_thread *all = complete ? merged(l) : NULL;
    if (all) show(l, all);
    for (unsigned slot = 0; slot < l->slots; slot++) thread_free(l->threads[slot]);
    for (unsigned n = 0; n < l->plan->set.count; n++)
        if (l->shared[n]) l->plan->set.list[n]->launch_leave(l->shared[n], complete);
    free(l->moves);
    free(l);
}
