/* Barriers: who waits where, and who does not (docs/check.md). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/analysis/shape.h"
#include "device/observe/observer.h"
#include "finding.h"

enum { MOST_WARPS = 128 }; /* of a group; larger ones are not looked at */

/* The barrier that a warp is at, or was at last. */
struct barrier_stop {
    uint32_t step; /* barriers that it has come to */
    uint32_t site, mask;
    const struct isa_inst *inst;
};

/* What is known of the group that runs. */
struct barrier_watch {
    const struct isa_kernel *kernel;
    const struct observe_grid *grid;
    uint32_t group[3];
    bool runs;     /* begun, and not ended */
    uint32_t last; /* warp that came to a barrier last */
    struct barrier_stop stops[MOST_WARPS];
};

static unsigned wants(const struct isa_kernel *k, const struct isa_site *site) {
    (void)k;
    return site->kind == ISA_SITE_barrier ? OBSERVE_BARRIER : 0;
}

/* All work-items come to all barriers. */
static bool idle(const struct isa_kernel *k, const struct observe_grid *grid) {
    struct shape *shape = shape_new(k, grid->local_size);
    bool all = shape;
    for (uint32_t n = 0; all && n < k->ninsts; n++)
        all = k->insts[n].op != ISA_bar || shape_full(shape, n) >= SHAPE_GROUP;
    shape_free(shape);
    return all;
}

/* Groups run in order, so that it is always the same one that stops a launch. */
static void *enter(const struct isa_kernel *k, const struct observe_grid *grid) {
    bool any = false;
    for (uint32_t n = 0; n < k->nsites; n++)
        any |= k->sites[n].kind == ISA_SITE_barrier && k->sites[n].fate == ISA_SITE_PRESENT;
    if (!any || !grid->check || grid->warps > MOST_WARPS) return NULL;
    return calloc(1, sizeof(struct barrier_watch));
}

static void leave(void *state, bool complete) {
    (void)complete;
    free(state);
}

static void group_begin(void *accumulator, const struct observe_group *g) {
    struct barrier_watch *b = accumulator;
    memset(b->stops, 0, g->grid->warps * sizeof *b->stops);
    b->kernel = g->kernel;
    b->grid = g->grid;
    memcpy(b->group, g->group_id, sizeof b->group);
    b->runs = true;
}

/* The lanes of a warp that the group has. */
static uint32_t all_lanes(const struct barrier_watch *b, uint32_t warp) {
    uint32_t left = b->grid->items - warp * ISA_WARP;
    return left < ISA_WARP ? (1u << left) - 1 : ~0u;
}

static struct check_party party_of(const struct barrier_watch *b, uint32_t warp, uint32_t lane) {
    struct check_party p = {.site = b->stops[warp].site + 1, .item_known = true};
    p.item = check_item_of(b->grid->check, b->grid->local_size, b->group, warp, lane);
    snprintf(p.subject, sizeof p.subject, "barrier");
    return p;
}

/* Says in f who is there, and one who is not. */
static void count_items(const struct barrier_watch *b, uint32_t step, struct check_finding *f) {
    uint32_t there = 0, missing = UINT32_MAX;
    for (uint32_t w = b->grid->warps; w-- > 0;) {
        uint32_t lanes = b->stops[w].step >= step ? b->stops[w].mask & all_lanes(b, w) : 0;
        uint32_t off = all_lanes(b, w) & ~lanes;
        there += (uint32_t)__builtin_popcount(lanes);
        if (off) missing = w * ISA_WARP + (uint32_t)__builtin_ctz(off);
    }
    if (missing == UINT32_MAX) return;
    struct check_item i = check_item_of(b->grid->check, b->grid->local_size, b->group,
                                        missing / ISA_WARP, missing % ISA_WARP);
    snprintf(f->detail, sizeof f->detail,
             "%u of the group's %u work-items are there, local (%u,%u,%u) is not", there,
             b->grid->items, i.local[0], i.local[1], i.local[2]);
}

static struct check_finding finding_of(const struct barrier_watch *b, enum check_rule rule,
                                       uint32_t warp) {
    struct check_finding f = {.rule = rule,
                              .severity = check_rules[rule].severity,
                              .launch = b->grid->check,
                              .kernel = b->kernel,
                              .space = ISA_NO_SPACE};
    f.party = party_of(b, warp, (uint32_t)__builtin_ctz(b->stops[warp].mask));
    return f;
}

static void event(void *accumulator, const struct observe_event *e) {
    struct barrier_watch *b = accumulator;
    if (!b->runs) return;
    struct barrier_stop *own = &b->stops[e->warp];
    *own = (struct barrier_stop){own->step + 1, e->site, e->mask, e->inst};
    b->last = e->warp;
}

/* A warp that is as far, but at another barrier. */
static bool find_other(const struct barrier_watch *b, uint32_t warp, uint32_t *other) {
    for (*other = 0; *other < b->grid->warps; ++*other)
        if (b->stops[*other].step == b->stops[warp].step &&
            b->stops[*other].inst != b->stops[warp].inst)
            return true;
    return false;
}

static void stopped(void *accumulator, bool at_barrier) {
    struct barrier_watch *b = accumulator;
    uint32_t other;
    if (!b->runs || !at_barrier || !b->stops[b->last].step) return;
    /* A warp whose lanes are apart stops the group at once; warps that are apart do when the last
     * one waits. */
    if (find_other(b, b->last, &other)) {
        uint32_t first = other < b->last ? other : b->last,
                 second = other < b->last ? b->last : other;
        struct check_finding f = finding_of(b, CHECK_barrier_apart, first);
        f.other = party_of(b, second, (uint32_t)__builtin_ctz(b->stops[second].mask));
        snprintf(f.other.subject, sizeof f.other.subject, "the other one");
        check_tell(&f);
    } else {
        struct check_finding f = finding_of(b, CHECK_barrier_missed, b->last);
        uint32_t off = all_lanes(b, b->last) & ~b->stops[b->last].mask;
        if (off) {
            struct check_item i = check_item_of(b->grid->check, b->grid->local_size, b->group,
                                                b->last, (uint32_t)__builtin_ctz(off));
            snprintf(f.detail, sizeof f.detail,
                     "%d of the warp's work-items are there, local (%u,%u,%u) is not",
                     __builtin_popcount(b->stops[b->last].mask), i.local[0], i.local[1],
                     i.local[2]);
        }
        check_tell(&f);
    }
    b->runs = false;
}

/* All have gone on; some had ended before. */
static void group_end(void *accumulator, const struct observe_group *g) {
    struct barrier_watch *b = accumulator;
    uint32_t step = 0, warp = 0;
    if (!b->runs) return;
    b->runs = false;
    for (uint32_t w = 0; w < g->grid->warps; w++)
        if (b->stops[w].step > step) step = b->stops[w].step, warp = w;
    bool all = true;
    for (uint32_t w = 0; w < g->grid->warps; w++)
        all &= b->stops[w].step == step && b->stops[w].mask == all_lanes(b, w);
    if (!step || all) return;
    struct check_finding f = finding_of(b, CHECK_barrier_ended, warp);
    count_items(b, step, &f);
    check_tell(&f);
}

const struct observer barrier_observer = {.name = "barrier",
                                          .wants = wants,
                                          .idle = idle,
                                          .launch_enter = enter,
                                          .launch_leave = leave,
                                          .event = event,
                                          .group_begin = group_begin,
                                          .group_end = group_end,
                                          .stopped = stopped};
