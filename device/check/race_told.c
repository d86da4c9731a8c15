#include "race_told.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts ---- */

static const char *const done[] = {
    [ISA_SITE_load] = "load", [ISA_SITE_store] = "store", [ISA_SITE_atomic] = "atomic operation"};

static struct check_party party_of(const struct check_launch *launch, const struct isa_kernel *k,
                                   const uint32_t local_size[3], const struct race_party *from) {
    const struct isa_site *s = &k->sites[from->site];
    struct check_party p = {.site = from->site + 1, .item_known = from->known};
    p.item = check_item_of(launch, local_size, from->group, from->thread / ISA_WARP,
                           from->thread % ISA_WARP);
    snprintf(p.subject, sizeof p.subject, "%s of %u bytes", done[s->kind],
             (unsigned)s->width * s->count);
    return p;
}

/* What of the work-items' memory it is about. */
static void name_object(struct check_finding *f) {
    const struct check_launch *c = f->launch;
    struct check_object o;
    bool released;
    if (f->space == ISA_LOCAL) {
        snprintf(f->object, sizeof f->object, "local memory");
        return;
    }
    if (!c->find || !c->find(c->user, f->address, &o, &released)) return;
    const char *name = NULL;
    for (uint32_t n = 0; c->params && n < f->kernel->nparams && !name; n++)
        if (f->kernel->params[n].kind == ISA_PARAM_GLOBAL && c->params[n].bytes &&
            f->address - c->params[n].address < c->params[n].bytes)
            name = f->kernel->params[n].name;
    if (name)
        snprintf(f->object, sizeof f->object, "%s, argument `%s`", o.name, name);
    else
        snprintf(f->object, sizeof f->object, "%s", o.name);
    snprintf(f->detail, sizeof f->detail, "byte %" PRIu32, f->address - o.address);
}

static struct check_finding finding_of(const struct check_launch *launch,
                                       const struct isa_kernel *k, const uint32_t local_size[3],
                                       const struct race_meeting *m) {
    struct check_finding f = {.rule = m->rule,
                              .severity = check_rules[m->rule].severity,
                              .launch = launch,
                              .kernel = k,
                              .party = party_of(launch, k, local_size, &m->party),
                              .other = party_of(launch, k, local_size, &m->other),
                              .address = m->address,
                              .bytes = m->bytes,
                              .space = m->local ? ISA_LOCAL : ISA_GLOBAL};
    char subject[sizeof f.other.subject];
    snprintf(subject, sizeof subject, "%s", f.other.subject);
    bool vowel = *subject == 'a';
    snprintf(f.other.subject, sizeof f.other.subject, "against %s %.50s", vowel ? "an" : "a",
             subject);
    name_object(&f);
    return f;
}

/* ---- places ---- */

static struct race_place *slot_of(struct race_place *places, uint32_t room,
                                  const struct race_meeting *m) {
    uint32_t n = (m->party.site * 0x9e3779b1u ^ m->other.site * 0x85ebca6bu) + (uint32_t)m->rule;
    for (n ^= n >> 15;; n++) {
        struct race_place *p = &places[n & (room - 1)];
        if (!p->m.bytes || (p->m.rule == m->rule && p->m.party.site == m->party.site &&
                            p->m.other.site == m->other.site))
            return p;
    }
}

/* The place of the meeting, which may be new; NULL: no memory. */
static struct race_place *find_place(struct race_told *t, const struct race_meeting *m) {
    if (2 * t->count >= t->room) {
        uint32_t room = t->room ? 2 * t->room : 16;
        struct race_place *more = calloc(room, sizeof *more);
        if (!more) return NULL;
        for (uint32_t n = 0; n < t->room; n++)
            if (t->places[n].m.bytes) *slot_of(more, room, &t->places[n].m) = t->places[n];
        free(t->places);
        t->places = more;
        t->room = room;
    }
    return slot_of(t->places, t->room, m);
}

static int compare_parties(const struct race_party *a, const struct race_party *b) {
    for (int d = 3; d-- > 0;)
        if (a->group[d] != b->group[d]) return a->group[d] < b->group[d] ? -1 : 1;
    return a->thread < b->thread ? -1 : a->thread > b->thread;
}

/* As findings are compared. */
static bool earlier(const struct race_meeting *a, const struct race_meeting *b) {
    int order = compare_parties(&a->party, &b->party);
    if (!order) order = compare_parties(&a->other, &b->other);
    return order ? order < 0 : a->address < b->address;
}

void race_told_add(struct race_told *t, const struct check_launch *launch,
                   const struct isa_kernel *k, const uint32_t local_size[3],
                   const struct race_meeting *found) {
    struct race_meeting m = *found;
    if (m.other.site < m.party.site) { /* two places are one finding, whoever came first */
        m.party = found->other;
        m.other = found->party;
    }
    struct race_place *p = find_place(t, &m);
    bool new = p && !p->m.bytes;
    if (p && !new && !check_listened() && !earlier(&m, &p->m)) {
        p->more++;
        return;
    }
    struct check_finding f = finding_of(launch, k, local_size, &m);
    check_tell(&f);
    if (!p || (!new && !earlier(&m, &p->m))) return;
    p->m = m;
    p->found = f;
    t->count += new;
}

void race_told_end(struct race_told *t) {
    for (uint32_t n = 0; n < t->room; n++) {
        struct race_place *p = &t->places[n];
        p->found.count = p->more;
        if (p->m.bytes && p->more) check_tell(&p->found);
    }
    free(t->places);
    *t = (struct race_told){0};
}
