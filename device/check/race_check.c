/* Races: the observer (docs/check.md has what counts as one). */
#include <stdlib.h>
#include <string.h>

#include "device/observe/facts.h"
#include "device/observe/observer.h"
#include "finding.h"
#include "race_lines.h"
#include "race_sites.h"
#include "race_steady.h"
#include "race_turns.h"

enum {
    MOST_RECORDS = 1 << 16, /* of a group, that are kept before they are looked at */
    FEW_GROUPS = 4
};

/* Of launches whose arguments lie in objects of their own, and of those where several of global
 * memory lie in one: then more has to be looked at. */
extern const struct observer race_observer, race_shared_observer;

static bool wants(const struct isa_kernel *k, uint8_t *what, bool shared) {
    bool *watched = race_sites_find(k, NULL, shared);
    for (uint32_t n = 0; watched && n < k->nsites; n++) {
        const struct isa_site *s = &k->sites[n];
        if (s->kind == ISA_SITE_barrier) what[n] = OBSERVE_BARRIER;
        if (s->kind <= ISA_SITE_atomic && watched[n])
            what[n] = OBSERVE_ADDRESS | (s->kind == ISA_SITE_store ? OBSERVE_VALUES : 0);
    }
    free(watched);
    return watched != NULL;
}

static bool wants_each(const struct isa_kernel *k, uint8_t *what) { return wants(k, what, false); }
static bool shared_wants_each(const struct isa_kernel *k, uint8_t *what) {
    return wants(k, what, true);
}

/* ---- a launch ---- */

static void leave(void *state, bool complete);

static bool is_any(const struct isa_kernel *k, const bool *watched) {
    bool any = false;
    for (uint32_t n = 0; watched && n < k->nsites; n++) any |= watched[n];
    return any;
}

/* Of a launch: what race_sites_find says of each site, and behind that whether all groups do alike
 * what is watched, and whether each does it whatever the others do. The caller frees; NULL: no
 * memory. */
static bool *find_watched(const struct isa_kernel *k, const struct observe_grid *grid,
                          bool shared) {
    static const uint32_t origin[3];
    const struct observer *who = shared ? &race_shared_observer : &race_observer;
    size_t bytes;
    void *key = facts_key(k, grid, grid->check ? grid->check->offset : origin, &bytes);
    bool *watched = key ? facts_get(grid->facts, who, key, bytes) : NULL;
    if (key && !watched && (watched = race_sites_find(k, grid, shared))) {
        bool any = is_any(k, watched);
        watched[k->nsites] = any && race_steady(k, watched);
        watched[k->nsites + 1] = any && race_alone(k, watched);
        facts_keep(grid->facts, who, key, bytes, watched,
                   (k->nsites + (size_t)2) * sizeof *watched);
    }
    free(key);
    return watched;
}

/* Does an argument of global memory lie where another one does, which is of it, too, or of
 * constant memory or an image? */
static bool is_shared(const struct isa_kernel *k, const struct observe_grid *grid, bool global) {
    const struct check_object *params = grid->check ? grid->check->params : NULL;
    for (uint32_t a = 0; params && a < k->nparams; a++)
        for (uint32_t b = 0; b < k->nparams; b++) {
            const struct check_object *x = &params[a], *y = &params[b];
            bool both =
                a != b && x->space == ISA_GLOBAL && x->bytes && y->bytes &&
                (global ? y->space == ISA_GLOBAL : y->space != ISA_GLOBAL && y->space != ISA_LOCAL);
            if (both && x->address < y->address + y->bytes && y->address < x->address + x->bytes)
                return true;
        }
    return false;
}

static bool nothing_to_do(const struct isa_kernel *k, const struct observe_grid *grid,
                          bool shared) {
    if (is_shared(k, grid, true) != shared) return true;
    bool *watched = find_watched(k, grid, shared), any = !watched || is_any(k, watched);
    free(watched);
    return !any;
}

static bool idle(const struct isa_kernel *k, const struct observe_grid *grid) {
    return nothing_to_do(k, grid, false);
}
static bool shared_idle(const struct isa_kernel *k, const struct observe_grid *grid) {
    return nothing_to_do(k, grid, true);
}

static void *enter(const struct isa_kernel *k, const struct observe_grid *grid) {
    static const struct race_lines *const levels[] = {&race_lines_baseline, &race_lines_avx2,
                                                      &race_lines_avx512};
    bool *watched = find_watched(k, grid, is_shared(k, grid, true)), any = is_any(k, watched);
    struct race_launch *l = any && grid->check ? calloc(1, sizeof *l) : NULL;
    if (!l) return free(watched), NULL;
    l->kernel = k;
    l->grid = grid;
    l->lines = levels[grid->level];
    l->nwarps = grid->warps;
    l->watched = watched;
    l->steady = watched[k->nsites];
    l->all.launch = l;
    l->all.next = 1;
    l->number = calloc(k->nsites + (size_t)1, sizeof *l->number);
    l->sites = calloc(RACE_SITES, sizeof *l->sites);
    bool good = l->number && l->sites && race_shadow_new(&l->all.shadow), global = false;
    for (uint32_t n = 0; good && n < k->nsites; n++) {
        if (!watched[n]) continue;
        if (l->nnumbers < RACE_SITES - 1) l->sites[l->nnumbers++] = n;
        l->number[n] = l->nnumbers - 1;
        global |= k->sites[n].space != ISA_LOCAL;
    }
    race_locks_begin(&l->locks, k);
    l->alone =
        !grid->in_turn && !l->locks.fences && watched[k->nsites + 1] && !is_shared(k, grid, false);
    if (l->alone && global) good = good && (l->turns = race_turns_new(l));
    if (good) return l;
    leave(l, false);
    return NULL;
}

static void leave(void *state, bool complete) {
    struct race_launch *l = state;
    (void)complete;
    race_turns_free(l->turns);
    race_told_end(&l->all.told);
    race_shadow_free(&l->all.shadow);
    race_locks_end(&l->locks);
    free(l->all.groups);
    free(l->watched);
    free(l->number);
    free(l->sites);
    free(l);
}

/* ---- threads ---- */

/* What a thread has of a launch. */
struct race_thread {
    struct race_launch *launch;
    struct race_log log;
    struct race_side local;
    struct race_done *done; /* of the group, where groups do not run in their order */
};

static void thread_leave(void *accumulator) {
    struct race_thread *t = accumulator;
    race_told_end(&t->local.told);
    race_shadow_free(&t->local.shadow);
    race_log_free(&t->log);
    race_turns_drop(t->done);
    free(t->local.groups);
    free(t);
}

static void *thread_enter(void *state) {
    struct race_launch *l = state;
    struct race_thread *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->launch = t->local.launch = l;
    t->local.next = 1;
    if (race_shadow_new(&t->local.shadow) && race_log_new(&t->log, l->nwarps, l->lines)) return t;
    thread_leave(t);
    return NULL;
}

static bool is_full(const struct race_launch *l) {
    return atomic_load_explicit(&l->full, memory_order_relaxed);
}

/* A group's local memory is compared with what the same group did. */
static void begin_local(struct race_thread *t, const struct observe_group *g) {
    struct race_side *s = &t->local;
    if (s->next > RACE_STRETCHES / 2) {
        race_shadow_free(&s->shadow);
        s->shadow = (struct race_shadow){0};
        s->next = 1;
        if (!race_shadow_new(&s->shadow)) atomic_store(&t->launch->full, true);
    }
    s->ngroups = 0;
    s->before = t->launch->turns ? 0 : t->launch->all.ngroups;
    race_side_begin(s, g->group_id);
}

static void group_begin(void *accumulator, const struct observe_group *g) {
    struct race_thread *t = accumulator;
    struct race_launch *l = t->launch;
    if (is_full(l)) return;
    race_log_clear(&t->log);
    begin_local(t, g);
    if (l->turns) {
        t->done = race_turns_begin(l->turns, g->index, g->group_id);
        return;
    }
    if (l->alone) return;
    race_locks_group(&l->locks, l->all.ngroups);
    race_side_begin(&l->all, g->group_id);
}

static void look(void *user, uint32_t warp, const struct race_record *r) {
    struct race_thread *t = user;
    struct race_launch *l = t->launch;
    if (r->local)
        race_look(&t->local, warp, r);
    else if (l->turns)
        race_turns_add(l->turns, t->done, warp, r);
    else
        race_look(&l->all, warp, r);
}

static void event(void *accumulator, const struct observe_event *e) {
    struct race_thread *t = accumulator;
    struct race_launch *l = t->launch;
    if (is_full(l)) return;
    if (e->kernel->sites[e->site].kind == ISA_SITE_barrier) {
        if (race_log_barrier(&t->log, e)) race_log_flush(&t->log, look, t);
        return;
    }
    if (!l->watched[e->site]) return;
    if (!race_log_add(&t->log, e)) atomic_store(&l->full, true);
    if (t->log.count >= MOST_RECORDS) race_log_flush(&t->log, look, t);
}

static void group_end(void *accumulator, const struct observe_group *g) {
    struct race_thread *t = accumulator;
    struct race_launch *l = t->launch;
    (void)g;
    if (!is_full(l)) race_log_flush(&t->log, look, t);
    if (l->turns) race_turns_end(l->turns, t->done);
    t->done = NULL;
}

/* What groups do alike has been looked at when it has been in one; fences and atomic operations may
 * order it otherwise in another. */
static bool may_settle(const struct isa_kernel *k, const struct observe_grid *grid,
                       const void *state) {
    const struct race_launch *l = state;
    (void)k;
    (void)grid;
    return !l->locks.fences && l->steady;
}

static bool settled(const struct isa_kernel *k, const struct observe_grid *grid,
                    const void *state) {
    const struct race_launch *l = state;
    return !l->met && !l->full && may_settle(k, grid, state);
}

/* Groups that others cannot lead elsewhere may run at once; where global memory is looked at, few
 * of a thread's at a time, as the others wait for theirs. */
static uint64_t at_once(const void *state) {
    const struct race_launch *l = state;
    return !l->alone ? 0 : l->turns ? FEW_GROUPS : UINT64_MAX;
}

/* Arguments by which a kernel only reads are not looked at where nothing else lies there. */
#define RACE_OBSERVER(named, wants_of, idle_of)                                                    \
    {                                                                                              \
        .name = named, .sandbox = true, .wants_each = wants_of, .event = event, .idle = idle_of,   \
        .may_settle = may_settle, .settled = settled, .launch_enter = enter,                       \
        .launch_leave = leave, .at_once = at_once, .thread_enter = thread_enter,                   \
        .thread_leave = thread_leave, .group_begin = group_begin, .group_end = group_end           \
    }

const struct observer race_observer = RACE_OBSERVER("race", wants_each, idle);
const struct observer race_shared_observer =
    RACE_OBSERVER("race_shared", shared_wants_each, shared_idle);
