/* Races: the observer (docs/check.md has what counts as one). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/observe/facts.h"
#include "device/observe/observer.h"
#include "finding.h"
#include "race_lines.h"
#include "race_locks.h"
#include "race_log.h"
#include "race_shadow.h"
#include "race_sites.h"
#include "race_steady.h"

enum { MOST_RECORDS = 1 << 16 }; /* of a group, that are kept before they are looked at */

extern const struct observer race_observer;

struct race_group {
    uint32_t first; /* stretch */
    uint32_t id[3];
};

struct race_launch {
    const struct isa_kernel *kernel;
    const struct observe_grid *grid;
    bool *watched;            /* of each site: in this launch it may take part in a race */
    bool steady;              /* all groups do alike what is watched */
    uint32_t *number, *sites; /* of each site, + 1; and the other way round */
    uint32_t nnumbers;
    struct race_shadow shadow;
    struct race_log log;
    struct race_locks locks;
    struct race_group *groups; /* that have run so far, in that order */
    uint64_t ngroups, room;
    uint32_t next; /* stretch that nobody has had */
    uint32_t group[3];
    bool met;  /* accesses that nothing orders have been found, be they told or not */
    bool full; /* no more stretches, or no memory: nothing more is looked at */
};

static bool wants_each(const struct isa_kernel *k, uint8_t *what) {
    bool *watched = race_sites_find(k, NULL);
    for (uint32_t n = 0; watched && n < k->nsites; n++) {
        const struct isa_site *s = &k->sites[n];
        if (s->kind == ISA_SITE_barrier) what[n] = OBSERVE_BARRIER;
        if (s->kind <= ISA_SITE_atomic && watched[n])
            what[n] = OBSERVE_ADDRESS | (s->kind == ISA_SITE_store ? OBSERVE_VALUES : 0);
    }
    free(watched);
    return watched != NULL;
}

/* ---- a launch ---- */

static void leave(void *state, bool complete);

static bool is_any(const struct isa_kernel *k, const bool *watched) {
    bool any = false;
    for (uint32_t n = 0; watched && n < k->nsites; n++) any |= watched[n];
    return any;
}

/* Of a launch: what race_sites_find says of each site, and behind that whether all groups do alike
 * what is watched. The caller frees; NULL: no memory. */
static bool *find_watched(const struct isa_kernel *k, const struct observe_grid *grid) {
    static const uint32_t origin[3];
    size_t bytes;
    void *key = facts_key(k, grid, grid->check ? grid->check->offset : origin, &bytes);
    bool *watched = key ? facts_get(grid->facts, &race_observer, key, bytes) : NULL;
    if (key && !watched && (watched = race_sites_find(k, grid))) {
        watched[k->nsites] = is_any(k, watched) && race_steady(k, watched);
        facts_keep(grid->facts, &race_observer, key, bytes, watched,
                   (k->nsites + (size_t)1) * sizeof *watched);
    }
    free(key);
    return watched;
}

static bool idle(const struct isa_kernel *k, const struct observe_grid *grid) {
    bool *watched = find_watched(k, grid), any = !watched || is_any(k, watched);
    free(watched);
    return !any;
}

static void *enter(const struct isa_kernel *k, const struct observe_grid *grid) {
    bool *watched = find_watched(k, grid), any = is_any(k, watched);
    struct race_launch *l = any && grid->check ? calloc(1, sizeof *l) : NULL;
    if (!l) return free(watched), NULL;
    l->kernel = k;
    l->grid = grid;
    l->watched = watched;
    l->steady = watched[k->nsites];
    l->next = 1;
    l->number = calloc(k->nsites + (size_t)1, sizeof *l->number);
    l->sites = calloc(RACE_SITES, sizeof *l->sites);
    static const struct race_lines *const levels[] = {&race_lines_baseline, &race_lines_avx2,
                                                      &race_lines_avx512};
    bool good = l->number && l->sites && race_shadow_new(&l->shadow) &&
                race_log_new(&l->log, grid->warps, levels[grid->level]);
    for (uint32_t n = 0; good && n < k->nsites; n++) {
        if (!watched[n]) continue;
        if (l->nnumbers < RACE_SITES - 1) l->sites[l->nnumbers++] = n;
        l->number[n] = l->nnumbers - 1;
    }
    race_locks_begin(&l->locks, k);
    if (good) return l;
    leave(l, false);
    return NULL;
}

static void leave(void *state, bool complete) {
    struct race_launch *l = state;
    (void)complete;
    race_shadow_free(&l->shadow);
    race_log_free(&l->log);
    race_locks_end(&l->locks);
    free(l->groups);
    free(l->watched);
    free(l->number);
    free(l->sites);
    free(l);
}

static void group_begin(void *state, const struct observe_group *g) {
    struct race_launch *l = state;
    memcpy(l->group, g->group_id, sizeof l->group);
    race_log_clear(&l->log);
    if (l->ngroups == l->room) {
        uint64_t room = l->room ? 2 * l->room : 64;
        struct race_group *more = realloc(l->groups, room * sizeof *more);
        if (!more) {
            l->full = true;
            return;
        }
        l->groups = more;
        l->room = room;
    }
    race_locks_group(&l->locks, l->ngroups);
    struct race_group *own = &l->groups[l->ngroups++];
    own->first = l->next;
    memcpy(own->id, g->group_id, sizeof own->id);
}

/* ---- what is told ---- */

static const char *const done[] = {
    [ISA_SITE_load] = "load", [ISA_SITE_store] = "store", [ISA_SITE_atomic] = "atomic operation"};

/* The group that had the stretch, by its place in the order of groups. */
static uint64_t group_of(const struct race_launch *l, uint32_t stretch) {
    uint64_t low = 0, high = l->ngroups;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (l->groups[middle].first <= stretch)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static struct check_party party_of(const struct race_launch *l, uint32_t site,
                                   const uint32_t group[3], uint32_t warp, uint32_t lane) {
    const struct isa_site *s = &l->kernel->sites[site];
    struct check_party p = {.site = site + 1, .item_known = true};
    p.item = check_item_of(l->grid->check, l->grid->local_size, group, warp, lane);
    snprintf(p.subject, sizeof p.subject, "%s of %u bytes", done[s->kind],
             (unsigned)s->width * s->count);
    return p;
}

/* What of the work-items' memory it is about. */
static void name_object(const struct race_launch *l, struct check_finding *f) {
    const struct check_launch *c = l->grid->check;
    struct check_object o;
    bool released;
    if (f->space == ISA_LOCAL) {
        snprintf(f->object, sizeof f->object, "local memory");
        return;
    }
    if (!c->find || !c->find(c->user, f->address, &o, &released)) return;
    const struct isa_kernel *k = l->kernel;
    const char *name = NULL;
    for (uint32_t n = 0; c->params && n < k->nparams && !name; n++)
        if (k->params[n].kind == ISA_PARAM_GLOBAL && c->params[n].bytes &&
            f->address - c->params[n].address < c->params[n].bytes)
            name = k->params[n].name;
    if (name)
        snprintf(f->object, sizeof f->object, "%s, argument `%s`", o.name, name);
    else
        snprintf(f->object, sizeof f->object, "%s", o.name);
    snprintf(f->detail, sizeof f->detail, "byte %" PRIu32, f->address - o.address);
}

/* An access against the one of an entry. */
struct conflict {
    const struct race_record *r;
    uint32_t warp, lane, address;
};

/* known: the other one's lane is. */
static void tell(struct race_launch *l, enum check_rule rule, const struct conflict *c,
                 uint32_t site, const uint32_t group[3], uint32_t warp, uint32_t lane, bool known) {
    l->met = true;
    struct check_finding f = {.rule = rule,
                              .severity = check_rules[rule].severity,
                              .launch = l->grid->check,
                              .kernel = l->kernel,
                              .party = party_of(l, c->r->site, l->group, c->warp, c->lane),
                              .other = party_of(l, site, group, warp, lane),
                              .address = c->address,
                              .bytes = c->r->bytes,
                              .space = c->r->local ? ISA_LOCAL : ISA_GLOBAL};
    f.other.item_known = known;
    if (f.other.site < f.party.site) { /* two places are one finding, whoever came first */
        struct check_party party = f.party;
        f.party = f.other;
        f.other = party;
    }
    char subject[sizeof f.other.subject];
    snprintf(subject, sizeof subject, "%s", f.other.subject);
    bool vowel = *subject == 'a';
    snprintf(f.other.subject, sizeof f.other.subject, "against %s %.50s", vowel ? "an" : "a",
             subject);
    name_object(l, &f);
    check_tell(&f);
}

static void conflict(struct race_launch *l, const struct conflict *c, struct race_entry e,
                     bool second) {
    uint64_t index = group_of(l, e.stretch);
    const uint32_t *group = l->groups[index].id;
    uint32_t warp = (e.stretch - l->groups[index].first) % l->log.nwarps, lane = e.lane;
    bool own = index == l->ngroups - 1;
    if (second) {
        warp = e.more & 255;
        lane = e.more >> 8 & 31;
    }
    if (race_locks_order(&l->locks, c->r->local, index, warp, c->warp)) return;
    uint32_t site = l->sites[e.site];
    bool stores =
        c->r->kind == ISA_SITE_store && !e.atomic && l->kernel->sites[site].kind == ISA_SITE_store;
    enum check_rule rule = own ? CHECK_race_group : CHECK_race_groups;
    if (stores && e.more == c->r->values[c->lane]) rule = CHECK_race_same_value;
    const struct isa_site *s = &l->kernel->sites[site];
    bool several = (unsigned)s->width * s->count < (unsigned)__builtin_popcount(e.bytes);
    tell(l, rule, c, site, group, warp, lane, second || !several);
}

/* ---- what is looked at ---- */

/* The stretches that the one of a record is to be compared with. */
struct now {
    uint32_t own, first, last; /* first and last of the interval */
    uint32_t group;            /* the first of the group */
};

/* Did another one do that at the same time? */
static bool is_unordered(const struct now *now, const struct race_record *r, struct race_entry e,
                         uint32_t bytes) {
    if (!e.stretch || !(e.bytes & bytes) || e.stretch == now->own) return false;
    if (e.stretch < now->group) return !r->local;
    return e.stretch >= now->first && e.stretch <= now->last;
}

static bool has_second(const struct now *now, struct race_entry e, uint32_t bytes, bool atomic) {
    return e.stretch == now->own && e.bytes & bytes && atomic && e.more & RACE_OTHER;
}

/* An entry is compared with, before it is changed. */
static void compare(struct race_launch *l, const struct now *now, const struct conflict *c,
                    struct race_entry e, uint32_t bytes, bool counts_more) {
    if (is_unordered(now, c->r, e, bytes))
        conflict(l, c, e, false);
    else if (has_second(now, e, bytes, counts_more))
        conflict(l, c, e, true);
}

/* The entry that an access leaves. */
static struct race_entry entry_of(const struct race_launch *l, const struct now *now,
                                  const struct conflict *c, uint32_t bytes) {
    return (struct race_entry){.stretch = now->own,
                               .site = l->number[c->r->site],
                               .lane = c->lane,
                               .bytes = bytes,
                               .atomic = c->r->kind == ISA_SITE_atomic,
                               .more = c->r->kind == ISA_SITE_store ? c->r->values[c->lane] : 0};
}

/* One more of those that may do it at once: the first one of the interval stays, the second is
 * noted. */
static void keep_first(struct race_entry *e, struct race_entry own, const struct now *now,
                       const struct conflict *c) {
    bool same = e->stretch >= now->first && e->stretch <= now->last;
    bool earlier = e->stretch && e->stretch < now->group;
    if (e->stretch == now->own)
        e->bytes |= own.bytes;
    else if (same && e->bytes & own.bytes)
        e->more = (uint16_t)(RACE_OTHER | (c->lane & 31) << 8 | (c->warp & 255));
    else if (!(earlier && e->bytes & own.bytes && !c->r->local))
        *e = own;
}

static enum race_use use_of(const struct race_record *r) {
    return r->kind == ISA_SITE_load    ? RACE_LOAD
           : r->kind == ISA_SITE_store ? RACE_STORE
                                       : RACE_ATOMIC;
}

static void look_at_word(struct race_launch *l, const struct now *now, const struct conflict *c,
                         uint32_t word, uint32_t bytes) {
    enum race_use use = use_of(c->r);
    struct race_page *p = race_shadow_page(&l->shadow, word, use);
    if (!p) {
        l->full = true;
        return;
    }
    struct race_entry *w = &p->writes[word % RACE_PAGE];
    struct race_entry *r = p->reads ? &p->reads[word % RACE_PAGE] : NULL;
    struct race_entry *a = p->atomics ? &p->atomics[word % RACE_PAGE] : NULL;
    struct race_entry own = entry_of(l, now, c, bytes);
    compare(l, now, c, *w, bytes, false);
    if (a && use != RACE_ATOMIC) compare(l, now, c, *a, bytes, true);
    if (r && use != RACE_LOAD) compare(l, now, c, *r, bytes, true);
    if (use != RACE_STORE) {
        keep_first(use == RACE_LOAD ? r : a, own, now, c);
        return;
    }
    bool same = w->stretch >= now->first && w->stretch <= now->last;
    if (w->stretch == now->own)
        w->bytes |= bytes, w->more = own.more, w->lane = own.lane, w->site = own.site;
    else if (!(same && w->bytes & bytes))
        *w = own;
}

/* Is each lane's a power of two of words, and aligned to its size? */
static bool is_whole(const struct race_launch *l, const struct race_record *r) {
    return r->bytes >= 4 && !(r->bytes & (r->bytes - 1)) &&
           l->log.lines->spread(r->at, r->mask, 0) % r->bytes == 0;
}

/* Do no two lanes store to the same place, at a glance? */
static bool are_apart(const struct race_launch *l, const struct race_record *r) {
    enum { HALF = ISA_WARP / 2 };
    uint64_t seen[8] = {0}, again = 0;
    if (r->strided) return (uint32_t)abs(r->stride) >= r->bytes;
    if (l->log.lines->rises(r->at, r->bytes)) return true;
    bool whole = is_whole(l, r);
    for (uint32_t left = whole ? r->mask : 0; left; left &= left - 1) {
        uint32_t place = r->at[__builtin_ctz(left)] / r->bytes % 512;
        again |= seen[place / 64] >> place % 64 & 1;
        seen[place / 64] |= UINT64_C(1) << place % 64;
    }
    if (whole && !again) return true;
    uint32_t by = r->at[HALF] > r->at[0] ? r->at[HALF] - r->at[0] : r->at[0] - r->at[HALF];
    return r->mask == ~0u && by >= HALF * r->bytes && l->log.lines->side_by_side(r->at, r->bytes) &&
           l->log.lines->side_by_side(r->at + HALF, r->bytes);
}

/* Lanes of one instruction that store to the same place: the values must be the same. */
static void look_at_lanes(struct race_launch *l, uint32_t warp, const struct race_record *r) {
    if (r->kind != ISA_SITE_store || are_apart(l, r)) return;
    for (uint32_t left = r->mask; left; left &= left - 1) {
        uint32_t a = (uint32_t)__builtin_ctz(left);
        for (uint32_t others = left & (left - 1); others; others &= others - 1) {
            uint32_t b = (uint32_t)__builtin_ctz(others);
            uint32_t low = r->at[a] < r->at[b] ? r->at[a] : r->at[b];
            uint32_t high = r->at[a] < r->at[b] ? r->at[b] : r->at[a];
            if (high - low >= r->bytes) continue;
            if (high == low && r->values[a] == r->values[b]) continue;
            struct conflict c = {r, warp, b, r->at[b]};
            tell(l, CHECK_race_lanes, &c, r->site, l->group, warp, a, true);
            return;
        }
    }
}

/* What a record's entries are compared with, and made of. */
struct race_line {
    struct race_order plain, any; /* writes; reads and atomic operations */
    uint64_t entry;               /* of lane 0, without a value */
};

static struct race_line line_of(const struct race_launch *l, const struct now *now,
                                const struct race_record *r) {
    struct conflict c = {r, 0, 0, 0};
    struct race_entry own = entry_of(l, now, &c, 15);
    struct race_line line = {
        .plain = {.own = now->own, .low = r->local ? 0 : now->group, .first = now->first}};
    line.any = line.plain;
    line.any.busy = ~UINT64_C(0) << RACE_MORE_AT;
    own.more = 0;
    memcpy(&line.entry, &own, sizeof own);
    return line;
}

/* Half a warp whose lanes lie side by side, in whole words, and that conflicts with nothing. False:
 * it is not so, or not known; nothing has changed then. */
static bool look_at_half(struct race_launch *l, const struct now *now, const struct race_line *line,
                         const struct race_record *r, uint32_t lane) {
    enum { HALF = ISA_WARP / 2 };
    const struct race_lines *lines = l->log.lines;
    uint32_t at = r->at[lane], word = at / 4, count = r->bytes / 4 * HALF;
    bool load = r->kind == ISA_SITE_load;
    if (at % 4 || r->bytes & (r->bytes - 1) || word % RACE_PAGE + count > RACE_PAGE ||
        !lines->side_by_side(r->at + lane, r->bytes))
        return false;
    struct race_page *p = race_shadow_page(&l->shadow, word, load ? RACE_LOAD : RACE_STORE);
    if (!p || p->atomics) return false;
    uint64_t *writes = (uint64_t *)(void *)(p->writes + word % RACE_PAGE);
    uint64_t *reads = p->reads ? (uint64_t *)(void *)(p->reads + word % RACE_PAGE) : NULL;
    if (!lines->in_order(writes, count, &line->plain)) return false;
    bool unread = !reads || lines->in_order(reads, count, &line->any);
    if (!unread && !(load && !r->local && lines->earlier(reads, count, now->group))) return false;
    unsigned log = (unsigned)__builtin_ctz(r->bytes / 4);
    if (!load)
        lines->fill(writes, count, line->entry, lane, log, r->values + lane);
    else if (unread)
        lines->fill(reads, count, line->entry, lane, log, NULL);
    return true;
}

static uint64_t nothing[RACE_WORDS]; /* where nothing was done yet */

/* Where a page has its entries. False: no memory. */
static bool find_page(struct race_launch *l, uint32_t word, struct race_lanes *to,
                      uint64_t *page[RACE_USES]) {
    struct race_page *p = race_shadow_page(&l->shadow, word, to->use);
    if (!p) return false;
    page[RACE_STORE] = (uint64_t *)(void *)p->writes;
    page[RACE_LOAD] = (uint64_t *)(void *)p->reads;
    page[RACE_ATOMIC] = (uint64_t *)(void *)p->atomics;
    to->atomics |= p->atomics != NULL;
    return true;
}

/* Where the entries of those lanes are; those of them whose pages there are. */
static uint32_t find_entries(struct race_launch *l, const struct race_record *r, uint32_t mask,
                             struct race_lanes *to) {
    uint32_t first = r->at[__builtin_ctz(mask)], known = UINT32_MAX;
    uint64_t *page[RACE_USES] = {NULL, NULL, NULL};
    if (l->log.lines->spread(r->at, mask, first) / 4 < RACE_PAGE) {
        if (!find_page(l, first / 4, to, page)) return 0;
        to->unread = !page[RACE_LOAD];
        for (unsigned use = 0; use < RACE_USES; use++)
            if (page[use]) l->log.lines->entries(to->at[use], page[use], r->at, mask, first);
        return mask;
    }
    for (unsigned n = 0; n < ISA_WARP; n++) {
        uint32_t word = r->at[n] / 4, on = mask >> n & 1;
        if (on && word / RACE_PAGE != known) {
            known = find_page(l, word, to, page) ? word / RACE_PAGE : UINT32_MAX;
            if (known == UINT32_MAX) on = 0, mask &= ~(1u << n);
        }
        for (unsigned use = 0; use < RACE_USES; use++)
            to->at[use][n] = on && page[use] ? page[use] + word % RACE_PAGE : nothing;
    }
    return mask;
}

/* The same of lanes that lie anywhere, if each one's words are aligned. */
static uint32_t look_at_scattered(struct race_launch *l, const struct now *now,
                                  const struct race_line *line, const struct race_record *r,
                                  uint32_t mask) {
    struct race_lanes lanes;
    lanes.words = r->bytes / 4;
    lanes.use = use_of(r);
    lanes.atomics = lanes.unread = false;
    lanes.plain = line->plain;
    lanes.any = line->any;
    lanes.keeps = r->local ? 0 : now->group;
    lanes.entry = line->entry;
    lanes.values = lanes.use == RACE_STORE ? r->values : NULL;
    lanes.mask = find_entries(l, r, mask, &lanes);
    return (mask & ~lanes.mask) | (lanes.mask ? l->log.lines->scattered(&lanes) : 0);
}

/* Looks at what is in order, which is most of it; the lanes that are left. */
static uint32_t look_at_most(struct race_launch *l, const struct now *now,
                             const struct race_record *r) {
    uint32_t mask = r->mask;
    if (r->bytes % 4) return mask;
    struct race_line line = line_of(l, now, r);
    for (uint32_t lane = 0; lane < ISA_WARP; lane += ISA_WARP / 2) {
        uint32_t half = UINT32_C(0xffff) << lane;
        if (r->kind != ISA_SITE_atomic && (mask & half) == half &&
            look_at_half(l, now, &line, r, lane))
            mask &= ~half;
    }
    if (r->kind == ISA_SITE_load && r->strided && !r->stride) mask &= -mask; /* all at one place */
    return mask && is_whole(l, r) ? look_at_scattered(l, now, &line, r, mask) : mask;
}

static void look(void *user, uint32_t warp, const struct race_record *r) {
    struct race_launch *l = user;
    if (l->full) return;
    uint64_t group = l->groups[l->ngroups - 1].first;
    uint64_t first = group + (uint64_t)r->interval * l->log.nwarps;
    if (first + l->log.nwarps >= RACE_STRETCHES) {
        l->full = true;
        return;
    }
    struct now now = {.own = (uint32_t)first + warp,
                      .first = (uint32_t)first,
                      .last = (uint32_t)first + l->log.nwarps - 1,
                      .group = (uint32_t)group};
    if (now.last >= l->next) l->next = now.last + 1;
    if (r->kind == ISA_SITE_atomic) race_locks_touch(&l->locks, warp, r->mask, r->at);
    look_at_lanes(l, warp, r);
    uint32_t mask = look_at_most(l, &now, r);
    for (uint32_t left = mask; left; left &= left - 1) {
        struct conflict c = {r, warp, (uint32_t)__builtin_ctz(left), 0};
        uint32_t at = r->at[c.lane], end = at + r->bytes;
        while (at < end && !l->full) {
            uint32_t from = at % 4, upto = end - at < 4 - from ? from + end - at : 4;
            c.address = at;
            look_at_word(l, &now, &c, at / 4, ((1u << upto) - 1) & ~((1u << from) - 1));
            at += upto - from;
        }
    }
}

static void event(void *state, const struct observe_event *e) {
    struct race_launch *l = state;
    if (l->full) return;
    if (e->kernel->sites[e->site].kind == ISA_SITE_barrier) {
        if (race_log_barrier(&l->log, e)) race_log_flush(&l->log, look, l);
        return;
    }
    if (!l->watched[e->site]) return;
    if (!race_log_add(&l->log, e)) l->full = true;
    if (l->log.count >= MOST_RECORDS) race_log_flush(&l->log, look, l);
}

static void group_end(void *state, const struct observe_group *g) {
    struct race_launch *l = state;
    (void)g;
    if (!l->full) race_log_flush(&l->log, look, l);
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

const struct observer race_observer = {.name = "race",
                                       .sandbox = true,
                                       .wants_each = wants_each,
                                       .event = event,
                                       .idle = idle,
                                       .may_settle = may_settle,
                                       .settled = settled,
                                       .launch_enter = enter,
                                       .launch_leave = leave,
                                       .group_begin = group_begin,
                                       .group_end = group_end};
