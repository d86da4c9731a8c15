/* What is compared with what was there before, and told. */
#include "race_compare.h"

#include <stdlib.h>
#include <string.h>

#include "race_lines.h"

void race_side_begin(struct race_side *side, const uint32_t id[3]) {
    if (side->ngroups == side->room) {
        uint64_t room = side->room ? 2 * side->room : 64;
        struct race_group *more = realloc(side->groups, room * sizeof *more);
        if (!more) {
            atomic_store(&side->launch->full, true);
            return;
        }
        side->groups = more;
        side->room = room;
    }
    struct race_group *own = &side->groups[side->ngroups++];
    own->first = side->next;
    memcpy(own->id, id, sizeof own->id);
}

/* ---- what is told ---- */

/* The group that had the stretch, by its place in the order of groups. */
static uint64_t group_of(const struct race_side *side, uint32_t stretch) {
    uint64_t low = 0, high = side->ngroups;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (side->groups[middle].first <= stretch)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* An access against the one of an entry. */
struct conflict {
    const struct race_record *r;
    uint32_t warp, lane, address;
};

/* known: the other one's lane is. */
static void tell(struct race_side *side, enum check_rule rule, const struct conflict *c,
                 uint32_t site, const uint32_t group[3], uint32_t warp, uint32_t lane, bool known) {
    const struct observe_grid *grid = side->launch->grid;
    const uint32_t *own = race_side_now(side)->id;
    atomic_store(&side->launch->met, true);
    struct race_meeting m = {
        .rule = rule,
        .party = {c->r->site, {own[0], own[1], own[2]}, c->warp * ISA_WARP + c->lane, true},
        .other = {site, {group[0], group[1], group[2]}, warp * ISA_WARP + lane, known},
        .address = c->address,
        .bytes = c->r->bytes,
        .local = c->r->local};
    race_told_add(&side->told, grid->check, side->launch->kernel, grid->local_size, &m);
}

static void conflict(struct race_side *side, const struct conflict *c, struct race_entry e,
                     bool second) {
    uint64_t index = group_of(side, e.stretch);
    const uint32_t *group = side->groups[index].id;
    uint32_t warp = (e.stretch - side->groups[index].first) % side->launch->nwarps, lane = e.lane;
    bool own = index == side->ngroups - 1;
    if (second) {
        warp = e.more & 255;
        lane = e.more >> 8 & 31;
    }
    if (race_locks_order(&side->launch->locks, c->r->local, side->before + index, warp, c->warp))
        return;
    uint32_t site = side->launch->sites[e.site];
    bool stores = c->r->kind == ISA_SITE_store && !e.atomic &&
                  side->launch->kernel->sites[site].kind == ISA_SITE_store;
    enum check_rule rule = own ? CHECK_race_group : CHECK_race_groups;
    if (stores && e.more == c->r->values[c->lane]) rule = CHECK_race_same_value;
    const struct isa_site *s = &side->launch->kernel->sites[site];
    bool several = (unsigned)s->width * s->count < (unsigned)__builtin_popcount(e.bytes);
    tell(side, rule, c, site, group, warp, lane, second || !several);
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
static void compare(struct race_side *side, const struct now *now, const struct conflict *c,
                    struct race_entry e, uint32_t bytes, bool counts_more) {
    if (is_unordered(now, c->r, e, bytes))
        conflict(side, c, e, false);
    else if (has_second(now, e, bytes, counts_more))
        conflict(side, c, e, true);
}

/* The entry that an access leaves. */
static struct race_entry entry_of(const struct race_side *side, const struct now *now,
                                  const struct conflict *c, uint32_t bytes) {
    return (struct race_entry){.stretch = now->own,
                               .site = side->launch->number[c->r->site],
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

static void look_at_word(struct race_side *side, const struct now *now, const struct conflict *c,
                         uint32_t word, uint32_t bytes) {
    enum race_use use = use_of(c->r);
    struct race_page *p = race_shadow_page(&side->shadow, word, use);
    if (!p) {
        atomic_store(&side->launch->full, true);
        return;
    }
    struct race_entry *w = &p->writes[word % RACE_PAGE];
    struct race_entry *r = p->reads ? &p->reads[word % RACE_PAGE] : NULL;
    struct race_entry *a = p->atomics ? &p->atomics[word % RACE_PAGE] : NULL;
    struct race_entry own = entry_of(side, now, c, bytes);
    compare(side, now, c, *w, bytes, false);
    if (a && use != RACE_ATOMIC) compare(side, now, c, *a, bytes, true);
    if (r && use != RACE_LOAD) compare(side, now, c, *r, bytes, true);
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
static bool is_whole(const struct race_side *side, const struct race_record *r) {
    return r->bytes >= 4 && !(r->bytes & (r->bytes - 1)) &&
           side->launch->lines->spread(r->at, r->mask, 0) % r->bytes == 0;
}

/* Do no two lanes store to the same place, at a glance? */
static bool are_apart(const struct race_side *side, const struct race_record *r) {
    enum { HALF = ISA_WARP / 2 };
    uint64_t seen[8] = {0}, again = 0;
    if (r->strided) return (uint32_t)abs(r->stride) >= r->bytes;
    if (side->launch->lines->rises(r->at, r->bytes)) return true;
    bool whole = is_whole(side, r);
    for (uint32_t left = whole ? r->mask : 0; left; left &= left - 1) {
        uint32_t place = r->at[__builtin_ctz(left)] / r->bytes % 512;
        again |= seen[place / 64] >> place % 64 & 1;
        seen[place / 64] |= UINT64_C(1) << place % 64;
    }
    if (whole && !again) return true;
    uint32_t by = r->at[HALF] > r->at[0] ? r->at[HALF] - r->at[0] : r->at[0] - r->at[HALF];
    return r->mask == ~0u && by >= HALF * r->bytes &&
           side->launch->lines->side_by_side(r->at, r->bytes) &&
           side->launch->lines->side_by_side(r->at + HALF, r->bytes);
}

/* Lanes of one instruction that store to the same place: the values must be the same. */
static void look_at_lanes(struct race_side *side, uint32_t warp, const struct race_record *r) {
    if (r->kind != ISA_SITE_store || are_apart(side, r)) return;
    for (uint32_t left = r->mask; left; left &= left - 1) {
        uint32_t a = (uint32_t)__builtin_ctz(left);
        for (uint32_t others = left & (left - 1); others; others &= others - 1) {
            uint32_t b = (uint32_t)__builtin_ctz(others);
            uint32_t low = r->at[a] < r->at[b] ? r->at[a] : r->at[b];
            uint32_t high = r->at[a] < r->at[b] ? r->at[b] : r->at[a];
            if (high - low >= r->bytes) continue;
            if (high == low && r->values[a] == r->values[b]) continue;
            struct conflict c = {r, warp, b, r->at[b]};
            tell(side, CHECK_race_lanes, &c, r->site, race_side_now(side)->id, warp, a, true);
            return;
        }
    }
}

/* What a record's entries are compared with, and made of. */
struct race_line {
    struct race_order plain, any; /* writes; reads and atomic operations */
    uint64_t entry;               /* of lane 0, without a value */
};

static struct race_line line_of(const struct race_side *side, const struct now *now,
                                const struct race_record *r) {
    struct conflict c = {r, 0, 0, 0};
    struct race_entry own = entry_of(side, now, &c, 15);
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
static bool look_at_half(struct race_side *side, const struct now *now,
                         const struct race_line *line, const struct race_record *r, uint32_t lane) {
    enum { HALF = ISA_WARP / 2 };
    const struct race_lines *lines = side->launch->lines;
    uint32_t at = r->at[lane], word = at / 4, count = r->bytes / 4 * HALF;
    bool load = r->kind == ISA_SITE_load;
    if (at % 4 || r->bytes & (r->bytes - 1) || word % RACE_PAGE + count > RACE_PAGE ||
        !lines->side_by_side(r->at + lane, r->bytes))
        return false;
    struct race_page *p = race_shadow_page(&side->shadow, word, load ? RACE_LOAD : RACE_STORE);
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
static bool find_page(struct race_side *side, uint32_t word, struct race_lanes *to,
                      uint64_t *page[RACE_USES]) {
    struct race_page *p = race_shadow_page(&side->shadow, word, to->use);
    if (!p) return false;
    page[RACE_STORE] = (uint64_t *)(void *)p->writes;
    page[RACE_LOAD] = (uint64_t *)(void *)p->reads;
    page[RACE_ATOMIC] = (uint64_t *)(void *)p->atomics;
    to->atomics |= p->atomics != NULL;
    return true;
}

/* Where the entries of those lanes are; those of them whose pages there are. */
static uint32_t find_entries(struct race_side *side, const struct race_record *r, uint32_t mask,
                             struct race_lanes *to) {
    uint32_t first = r->at[__builtin_ctz(mask)], known = UINT32_MAX;
    uint64_t *page[RACE_USES] = {NULL, NULL, NULL};
    if (side->launch->lines->spread(r->at, mask, first) / 4 < RACE_PAGE) {
        if (!find_page(side, first / 4, to, page)) return 0;
        to->unread = !page[RACE_LOAD];
        for (unsigned use = 0; use < RACE_USES; use++)
            if (page[use]) side->launch->lines->entries(to->at[use], page[use], r->at, mask, first);
        return mask;
    }
    for (unsigned n = 0; n < ISA_WARP; n++) {
        uint32_t word = r->at[n] / 4, on = mask >> n & 1;
        if (on && word / RACE_PAGE != known) {
            known = find_page(side, word, to, page) ? word / RACE_PAGE : UINT32_MAX;
            if (known == UINT32_MAX) on = 0, mask &= ~(1u << n);
        }
        for (unsigned use = 0; use < RACE_USES; use++)
            to->at[use][n] = on && page[use] ? page[use] + word % RACE_PAGE : nothing;
    }
    return mask;
}

/* The same of lanes that lie anywhere, if each one's words are aligned. */
static uint32_t look_at_scattered(struct race_side *side, const struct now *now,
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
    lanes.mask = find_entries(side, r, mask, &lanes);
    return (mask & ~lanes.mask) | (lanes.mask ? side->launch->lines->scattered(&lanes) : 0);
}

/* Looks at what is in order, which is most of it; the lanes that are left. */
static uint32_t look_at_most(struct race_side *side, const struct now *now,
                             const struct race_record *r) {
    uint32_t mask = r->mask;
    if (r->bytes % 4) return mask;
    struct race_line line = line_of(side, now, r);
    for (uint32_t lane = 0; lane < ISA_WARP; lane += ISA_WARP / 2) {
        uint32_t half = UINT32_C(0xffff) << lane;
        if (r->kind != ISA_SITE_atomic && (mask & half) == half &&
            look_at_half(side, now, &line, r, lane))
            mask &= ~half;
    }
    if (r->kind == ISA_SITE_load && r->strided && !r->stride) mask &= -mask; /* all at one place */
    return mask && is_whole(side, r) ? look_at_scattered(side, now, &line, r, mask) : mask;
}

void race_look(struct race_side *side, uint32_t warp, const struct race_record *r) {
    struct race_launch *l = side->launch;
    if (atomic_load_explicit(&l->full, memory_order_relaxed)) return;
    uint64_t group = side->groups[side->ngroups - 1].first;
    uint64_t first = group + (uint64_t)r->interval * side->launch->nwarps;
    if (first + side->launch->nwarps >= RACE_STRETCHES) {
        atomic_store(&side->launch->full, true);
        return;
    }
    struct now now = {.own = (uint32_t)first + warp,
                      .first = (uint32_t)first,
                      .last = (uint32_t)first + side->launch->nwarps - 1,
                      .group = (uint32_t)group};
    if (now.last >= side->next) side->next = now.last + 1;
    if (r->kind == ISA_SITE_atomic) race_locks_touch(&side->launch->locks, warp, r->mask, r->at);
    look_at_lanes(side, warp, r);
    uint32_t mask = look_at_most(side, &now, r);
    for (uint32_t left = mask; left; left &= left - 1) {
        struct conflict c = {r, warp, (uint32_t)__builtin_ctz(left), 0};
        uint32_t at = r->at[c.lane], end = at + r->bytes;
        while (at < end && !atomic_load_explicit(&l->full, memory_order_relaxed)) {
            uint32_t from = at % 4, upto = end - at < 4 - from ? from + end - at : 4;
            c.address = at;
            look_at_word(side, &now, &c, at / 4, ((1u << upto) - 1) & ~((1u << from) - 1));
            at += upto - from;
        }
    }
}
