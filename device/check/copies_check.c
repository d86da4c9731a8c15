/* Copies that the work-items of a group make together (async_work_group_copy): all have to make the
 * same ones, and to wait for them before they use what is copied (6.11.10 of 1.2). The compiler
 * notes copies and waits (ISA_copies); behind each note there is a call in the engines' copy of a
 * kernel. What a warp may use follows from its own steps alone, so no order of warps matters. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/isa/arena.h"
#include "device/isa/copies.h"
#include "device/isa/rewrite.h"
#include "device/observe/observer.h"
#include "finding.h"

/* ---- the code ---- */

static uint32_t count_notes(const struct isa_kernel *k) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) count += k->insts[n].op == ISA_copies;
    return count;
}

struct noter {
    const struct isa_kernel *device;
    struct isa_kernel *k; /* the copy */
    struct arena *arena;
    struct observe_told *told;
    uint32_t number, first, ncalls; /* of the device's instructions; of calls */
};

/* The copy has the device's notes, in the same order, whatever others have put between them. */
static void rewrite(struct noter *x) {
    struct rewrite_code old = rewrite_take(x->k, x->arena);
    for (uint32_t n = 0; n < old.ninsts; n++) {
        const struct isa_inst *i = &old.insts[n];
        const isa_operand *dst = old.operands + i->operands, *src = dst + i->ndst;
        x->k->cur_file = i->file;
        x->k->cur_line = i->line;
        rewrite_put(x->k, i, dst, src);
        if (i->op != ISA_copies) continue;
        while (x->device->insts[x->number].op != ISA_copies) x->number++;
        x->told[x->ncalls] = (struct observe_told){i->site, x->number++};
        isa_emit(x->k, ISA_probe_call, ISA_NONE_T, ISA_NONE_T, 0, NULL, i->nsrc, src)->imm =
            (int32_t)(x->first + x->ncalls++);
    }
}

static bool run(struct noter *x) {
    jmp_buf no_memory;
    x->arena = arena_new(&no_memory);
    if (!x->arena || setjmp(no_memory)) return false;
    rewrite(x);
    return !isa_kernel_failed(x->k);
}

static bool instrument(const struct isa_kernel *k, struct isa_kernel *copy, uint32_t first,
                       struct observe_added *added) {
    uint32_t count = count_notes(k);
    *added = (struct observe_added){NULL, 0, NULL, NULL};
    if (!count) return true;
    struct noter x = {.device = k, .k = copy, .first = first};
    x.told = calloc(count, sizeof *x.told);
    bool good = x.told && run(&x);
    *added = (struct observe_added){x.told, x.ncalls, NULL, NULL};
    arena_free(x.arena);
    return good;
}

/* ---- a launch ---- */

enum { MOST_STEPS = 1 << 14 }; /* of a group, that are looked at */

/* What the group does at a note: the n-th of each warp has to be the same. */
struct copies_step {
    uint32_t site, inst;
    uint32_t what;                     /* enum isa_copies */
    uint32_t values[OBSERVE_OPERANDS]; /* of the warp that came first */
    uint32_t event;                    /* that stands for it */
    uint32_t warp, lane;               /* who came first */
    uint8_t apart;                     /* it has been told that they differ */
};

struct copies_warp {
    uint32_t steps;  /* notes that it has come to */
    uint32_t from;   /* of these, all before have been waited for */
    uint8_t *waited; /* of each step; room for MOST_STEPS, or NULL as long as there is none */
};

struct copies_launch {
    const struct isa_kernel *kernel;
    const struct observe_grid *grid;
    uint32_t group[3];
    struct copies_step *steps;
    uint32_t nsteps;
    struct copies_warp *warps;
};

static unsigned wants(const struct isa_kernel *k, const struct isa_site *site) {
    bool memory =
        site->kind <= ISA_SITE_atomic && (site->space == ISA_GLOBAL || site->space == ISA_LOCAL);
    return memory && count_notes(k) ? OBSERVE_ADDRESS : 0;
}

static bool idle(const struct isa_kernel *k, const struct observe_grid *grid) {
    (void)grid;
    return !count_notes(k);
}

static void leave(void *state, bool complete) {
    struct copies_launch *l = state;
    (void)complete;
    for (uint32_t w = 0; l->warps && w < l->grid->warps; w++) free(l->warps[w].waited);
    free(l->warps);
    free(l->steps);
    free(l);
}

static void *enter(const struct isa_kernel *k, const struct observe_grid *grid) {
    struct copies_launch *l = count_notes(k) && grid->check ? calloc(1, sizeof *l) : NULL;
    if (!l) return NULL;
    l->kernel = k;
    l->grid = grid;
    l->steps = calloc(MOST_STEPS, sizeof *l->steps);
    l->warps = calloc(grid->warps, sizeof *l->warps);
    bool good = l->steps && l->warps;
    for (uint32_t w = 0; good && w < grid->warps; w++)
        good = (l->warps[w].waited = malloc(MOST_STEPS)) != NULL;
    if (good) return l;
    leave(l, false);
    return NULL;
}

static void group_begin(void *state, const struct observe_group *g) {
    struct copies_launch *l = state;
    memcpy(l->group, g->group_id, sizeof l->group);
    l->nsteps = 0;
    for (uint32_t w = 0; w < l->grid->warps; w++) l->warps[w].steps = l->warps[w].from = 0;
}

/* ---- what is told ---- */

static struct check_party party_of(const struct copies_launch *l, uint32_t site, uint32_t warp,
                                   uint32_t lane) {
    struct check_party p = {.site = site + 1, .item_known = true};
    p.item = check_item_of(l->grid->check, l->grid->local_size, l->group, warp, lane);
    return p;
}

static struct check_finding finding_of(const struct copies_launch *l, enum check_rule rule,
                                       uint32_t site, uint32_t warp, uint32_t lane) {
    struct check_finding f = {.rule = rule,
                              .severity = check_rules[rule].severity,
                              .launch = l->grid->check,
                              .kernel = l->kernel,
                              .space = ISA_NO_SPACE};
    f.party = party_of(l, site, warp, lane);
    return f;
}

static const char *name_of(const struct copies_step *s) {
    return s->what == ISA_COPIES_AWAITED ? "wait" : "async copy";
}

static uint32_t all_lanes(const struct copies_launch *l, uint32_t warp) {
    uint32_t left = l->grid->items - warp * ISA_WARP;
    return left < ISA_WARP ? (1u << left) - 1 : ~0u;
}

/* The lane does not do what the one that came first does: it is not there, or asks otherwise. */
static void tell_apart(struct copies_launch *l, struct copies_step *s, uint32_t warp, uint32_t lane,
                       bool there) {
    if (s->apart || s->what == ISA_COPIES_READ) return;
    s->apart = 1;
    struct check_finding f = finding_of(l, CHECK_copy_apart, s->site, s->warp, s->lane);
    struct check_item i = check_item_of(l->grid->check, l->grid->local_size, l->group, warp, lane);
    snprintf(f.party.subject, sizeof f.party.subject, "%s", name_of(s));
    snprintf(f.detail, sizeof f.detail, "local (%u,%u,%u) %s", i.local[0], i.local[1], i.local[2],
             there ? "gives other arguments" : "is not there");
    check_tell(&f);
}

/* ---- steps ---- */

static bool is_copy(const struct copies_step *s) { return s->what != ISA_COPIES_AWAITED; }

/* Has the group made a copy of that event before step `end`? */
static bool is_known(const struct copies_launch *l, uint32_t event, uint32_t end) {
    for (uint32_t n = 0; n < end; n++)
        if (is_copy(&l->steps[n]) && l->steps[n].event == event) return true;
    return false;
}

static void tell_unknown(struct copies_launch *l, const struct copies_step *s, const char *who) {
    struct check_finding f = finding_of(l, CHECK_event_unknown, s->site, s->warp, s->lane);
    snprintf(f.party.subject, sizeof f.party.subject, "%s", who);
    check_tell(&f);
}

/* A step that no other warp has come to yet. */
static void step_new(struct copies_launch *l, const struct observe_event *e) {
    struct copies_step *s = &l->steps[l->nsteps];
    uint32_t lane = (uint32_t)__builtin_ctz(e->mask);
    *s = (struct copies_step){.site = e->site,
                              .inst = (uint32_t)(e->inst - e->kernel->insts),
                              .what = (uint32_t)e->inst->imm,
                              .warp = e->warp,
                              .lane = lane};
    for (unsigned n = 0; n < e->inst->nsrc && n < OBSERVE_OPERANDS; n++)
        s->values[n] = e->operands[n][lane];
    uint32_t given = s->values[is_copy(s) ? OBSERVE_OPERANDS - 1 : 0];
    s->event = is_copy(s) && !given ? copies_event(e->site + 1, s->values[0]) : given;
    if (s->what == ISA_COPIES_READ) s->event = l->nsteps ? l->steps[l->nsteps - 1].event : 0;
    if (s->what != ISA_COPIES_READ && (given || !is_copy(s)) && !is_known(l, given, l->nsteps))
        tell_unknown(l, s, name_of(s));
    l->nsteps++;
}

/* Does each lane do what the first one did? */
static void compare(struct copies_launch *l, struct copies_step *s, const struct observe_event *e) {
    uint32_t missing = all_lanes(l, e->warp) & ~e->mask;
    if (s->inst != (uint32_t)(e->inst - e->kernel->insts)) missing = e->mask;
    if (missing) {
        tell_apart(l, s, e->warp, (uint32_t)__builtin_ctz(missing), false);
        return;
    }
    for (uint32_t left = e->mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        for (unsigned n = 0; n < e->inst->nsrc && n < OBSERVE_OPERANDS; n++)
            if (e->operands[n][lane] != s->values[n]) {
                tell_apart(l, s, e->warp, lane, true);
                return;
            }
    }
}

static void wait(struct copies_launch *l, struct copies_warp *w, uint32_t event) {
    for (uint32_t n = w->from; n < w->steps; n++)
        if (l->steps[n].event == event) w->waited[n] = 1;
    while (w->from < w->steps && w->waited[w->from]) w->from++;
}

static void step(struct copies_launch *l, const struct observe_event *e) {
    struct copies_warp *w = &l->warps[e->warp];
    if (w->steps == MOST_STEPS) return;
    if (w->steps == l->nsteps) step_new(l, e);
    struct copies_step *s = &l->steps[w->steps];
    compare(l, s, e);
    w->waited[w->steps++] = !is_copy(s);
    if (!is_copy(s)) wait(l, w, s->event);
}

/* ---- uses ---- */

/* Do `bytes` bytes from `at` on lie in what is copied? */
static bool overlaps(const struct copies_step *s, uint32_t at, uint32_t bytes) {
    uint32_t first = s->values[0], count = s->values[1], size = s->values[2], apart = s->values[3];
    uint64_t end = (uint64_t)first + (count ? (uint64_t)(count - 1) * apart + size : 0);
    if ((uint64_t)at + bytes <= first || at >= end) return false;
    if (apart <= size || at < first) return true;
    uint32_t inside = (at - first) % apart;
    return inside < size || inside + bytes > apart;
}

static void tell_used(struct copies_launch *l, const struct observe_event *e, uint32_t lane,
                      const struct copies_step *s) {
    static const char *const done[] = {[ISA_SITE_load] = "load",
                                       [ISA_SITE_store] = "store",
                                       [ISA_SITE_atomic] = "atomic operation"};
    struct check_finding f = finding_of(l, CHECK_copy_used, e->site, e->warp, lane);
    snprintf(f.party.subject, sizeof f.party.subject, "%s of %u byte%s",
             done[l->kernel->sites[e->site].kind], e->bytes, e->bytes == 1 ? "" : "s");
    f.other = party_of(l, s->site, s->warp, s->lane);
    snprintf(f.other.subject, sizeof f.other.subject, "the copy");
    check_tell(&f);
}

static void use(struct copies_launch *l, const struct observe_event *e) {
    const struct copies_warp *w = &l->warps[e->warp];
    uint8_t kind = l->kernel->sites[e->site].kind;
    for (uint32_t n = w->from; n < w->steps; n++) {
        const struct copies_step *s = &l->steps[n];
        if (w->waited[n] || (s->what == ISA_COPIES_READ && kind == ISA_SITE_load)) continue;
        for (uint32_t left = e->mask; left; left &= left - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(left);
            if (!overlaps(s, e->sandbox[lane], e->bytes)) continue;
            tell_used(l, e, lane, s);
            return;
        }
    }
}

static void event(void *state, const struct observe_event *e) {
    struct copies_launch *l = state;
    if (!e->mask) return;
    if (e->own)
        step(l, e);
    else if (e->kernel->sites[e->site].kind <= ISA_SITE_atomic)
        use(l, e);
}

/* What a warp has not come to, and what it has not waited for. */
static void group_end(void *state, const struct observe_group *g) {
    struct copies_launch *l = state;
    (void)g;
    for (uint32_t w = 0; w < l->grid->warps; w++)
        for (uint32_t n = l->warps[w].steps; n < l->nsteps; n++)
            tell_apart(l, &l->steps[n], w, 0, false);
    for (uint32_t n = 0; n < l->nsteps; n++) {
        const struct copies_step *s = &l->steps[n];
        uint32_t bytes = s->values[1] * s->values[2];
        if (s->what != ISA_COPIES_WRITTEN || !bytes || l->warps[s->warp].waited[n]) continue;
        struct check_finding f = finding_of(l, CHECK_copy_unwaited, s->site, s->warp, s->lane);
        snprintf(f.party.subject, sizeof f.party.subject, "async copy of %u bytes", bytes);
        check_tell(&f);
    }
}

const struct observer copies_check = {.name = "copies",
                                      .sandbox = true,
                                      .wants = wants,
                                      .instrument = instrument,
                                      .idle = idle,
                                      .launch_enter = enter,
                                      .launch_leave = leave,
                                      .event = event,
                                      .group_begin = group_begin,
                                      .group_end = group_end};
