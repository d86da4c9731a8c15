/* One access is done by a work-item p, the other one by q. Ids' fields, iterations and auxiliary
 * variables are variables for either, and so are their differences: in what both have alike only
 * these are. They meet where a difference of ids is not 0 and the one of addresses is less than
 * what they access. */
#include "affine_meet.h"

#include <string.h>

#include "affine_system.h"
#include "affine_value.h"

enum { P, Q, DIFFERENCE, SIDES, MOST_CASES = 16 };
#define AROUND (INT64_C(1) << 32)

/* A field of an atom that is cut no further; or an auxiliary variable. */
struct meet_key {
    uint8_t side, low;
    uint16_t of; /* atom; AFFINE_ATOMS + auxiliary */
};

/* What a case supposes of an access. */
struct meet_side {
    struct affine_sum at;
    uint32_t facts[AFFINE_FACTS];
    unsigned nfacts;
};

struct meet {
    const struct affine_accesses *all;
    bool local;
    unsigned bytes[2];
    struct meet_side sides[2];
    unsigned cases;
    uint64_t cuts[AFFINE_ATOMS]; /* bits at which fields begin */
    int64_t most[AFFINE_LOOPS];  /* of ids */
    struct meet_key keys[SYSTEM_VARIABLES];
    struct system s;
};

/* A row while it is made. */
struct meet_row {
    struct system_entry entries[SYSTEM_ROW];
    unsigned count;
    int64_t low, high; /* what else is in it */
};

/* ---- variables ---- */

static void define(struct meet *m, unsigned auxiliary, unsigned side);

static bool is_shared(const struct meet *m, unsigned of) {
    return m->local && of >= AFFINE_GROUP && of < AFFINE_LOOPS;
}

static void add_entry(struct meet *m, struct meet_row *r, unsigned variable, int64_t by) {
    for (unsigned n = 0; n < r->count; n++)
        if (r->entries[n].variable == variable) {
            r->entries[n].by += by;
            if (!r->entries[n].by) r->entries[n] = r->entries[--r->count];
            return;
        }
    if (!by) return;
    if (r->count == SYSTEM_ROW) {
        m->s.failed = true;
        return;
    }
    r->entries[r->count++] = (struct system_entry){(uint16_t)variable, by};
}

/* low <= row <= high, as far as these are bounds. */
static void put_row(struct meet *m, const struct meet_row *r, int64_t low, int64_t high) {
    system_row(&m->s, r->entries, r->count, low <= AFFINE_LEAST ? low : low - r->high,
               high >= AFFINE_MOST ? high : high - r->low);
}

/* Where the field that begins there ends. */
static unsigned end_of(const struct meet *m, unsigned atom, unsigned low) {
    uint64_t above = m->cuts[atom] >> low >> 1;
    return above ? low + 1 + (unsigned)__builtin_ctzll(above) : 64;
}

static struct affine_term field_of(const struct meet *m, unsigned atom, unsigned low) {
    unsigned end = end_of(m, atom, low);
    return (struct affine_term){(uint8_t)atom, (uint8_t)low,
                                end == 64 ? AFFINE_WHOLE : (uint8_t)(end - low), 1};
}

static unsigned variable_of(struct meet *m, unsigned side, unsigned of, unsigned low) {
    if (is_shared(m, of)) side = P;
    for (unsigned n = 0; n < m->s.variables; n++)
        if (m->keys[n].of == of && m->keys[n].side == side && m->keys[n].low == low) return n;
    int64_t least = 0, most;
    if (of >= AFFINE_ATOMS) {
        least = m->all->auxiliaries[of - AFFINE_ATOMS].low;
        most = m->all->auxiliaries[of - AFFINE_ATOMS].high;
    } else {
        struct affine_term t = field_of(m, of, low);
        most = affine_field_end(of < AFFINE_LOOPS ? m->most[of] : -1, &t);
        if (most < 0) most = AROUND;
    }
    unsigned of_both[2] = {0, 0};
    if (side == DIFFERENCE) {
        of_both[P] = variable_of(m, P, of, low);
        of_both[Q] = variable_of(m, Q, of, low);
    }
    bool both = side == DIFFERENCE;
    unsigned v = system_variable(&m->s, both ? least - most : least, both ? most - least : most);
    if (m->s.failed) return 0;
    m->keys[v] = (struct meet_key){(uint8_t)side, (uint8_t)low, (uint16_t)of};
    m->s.counts[v] = both && of < AFFINE_LOOPS;
    if (both)
        system_row(&m->s,
                   (struct system_entry[]){
                       {(uint16_t)v, 1}, {(uint16_t)of_both[P], -1}, {(uint16_t)of_both[Q], 1}},
                   3, 0, 0);
    if (of >= AFFINE_ATOMS) define(m, of - AFFINE_ATOMS, side);
    return v;
}

/* ---- sums ---- */

struct meet_weight {
    uint16_t of;
    uint8_t low;
    int64_t by[2];
};

/* A sum's variables, in fields that are cut no further. */
static void weigh(struct meet *m, struct meet_weight *list, unsigned *count, unsigned which,
                  const struct affine_sum *sum) {
    for (unsigned n = 0; n < sum->count + (unsigned)sum->nparts; n++) {
        bool part = n >= sum->count;
        const struct affine_term *t = &sum->terms[part ? 0 : n];
        const struct affine_part *p = &sum->parts[part ? n - sum->count : 0];
        unsigned of = part ? AFFINE_ATOMS + p->auxiliary : t->atom, low = part ? 0 : t->low;
        unsigned end = part || t->width == AFFINE_WHOLE ? 64 : low + t->width;
        int64_t by = part ? p->by : t->by;
        if (of < AFFINE_LOOPS && !m->most[of]) continue;
        while (low < end && !m->s.failed) {
            unsigned at = 0;
            while (at < *count && (list[at].of != of || list[at].low != low)) at++;
            if (at == *count) {
                if (at == SYSTEM_ROW) {
                    m->s.failed = true;
                    return;
                }
                list[(*count)++] =
                    (struct meet_weight){.of = (uint16_t)of, .low = (uint8_t)low, .by = {0, 0}};
            }
            list[at].by[which] += by;
            unsigned next = part ? 64 : end_of(m, of, low);
            if (next < 64 && next - low < 32) by *= INT64_C(1) << (next - low);
            low = next;
        }
    }
}

/* A sum of p's, less one of q's; either may be NULL. */
static void add_sums(struct meet *m, struct meet_row *r, const struct affine_sum *a,
                     const struct affine_sum *b) {
    struct meet_weight list[SYSTEM_ROW];
    unsigned count = 0;
    if (a) weigh(m, list, &count, 0, a);
    if (b) weigh(m, list, &count, 1, b);
    for (unsigned n = 0; n < count && !m->s.failed; n++) {
        const struct meet_weight *w = &list[n];
        int64_t x = w->by[0], y = w->by[1];
        if (x && x == y && !is_shared(m, w->of)) {
            add_entry(m, r, variable_of(m, DIFFERENCE, w->of, w->low), x);
            continue;
        }
        if (x) add_entry(m, r, variable_of(m, P, w->of, w->low), x);
        if (y) add_entry(m, r, variable_of(m, Q, w->of, w->low), -y);
    }
    if (a) r->low += a->nparts ? a->from : a->low;
    if (a) r->high += a->nparts ? a->to : a->high;
    if (b) r->low -= b->nparts ? b->to : b->high;
    if (b) r->high -= b->nparts ? b->from : b->low;
}

/* of = by * quotient + remainder, of one work-item, or of the differences. Of what lies between two
 * numbers nothing is known by a difference. */
static void define(struct meet *m, unsigned auxiliary, unsigned side) {
    const struct affine_auxiliary *a = &m->all->auxiliaries[auxiliary];
    struct meet_row r = {.count = 0};
    unsigned rest = AFFINE_ATOMS + auxiliary - (a->kind == AFFINE_QUOTIENT);
    const struct affine_sum *of = &a->of[0];
    if (a->kind != AFFINE_REMAINDER && a->kind != AFFINE_QUOTIENT) return;
    for (unsigned n = 0; n < m->s.variables; n++) /* it has been done for the other one */
        if (m->keys[n].side == side && m->keys[n].of != AFFINE_ATOMS + auxiliary &&
            (m->keys[n].of == rest || m->keys[n].of == rest + 1))
            return;
    add_sums(m, &r, side != Q ? of : NULL, side != P ? of : NULL);
    int64_t sign = side == Q ? -1 : 1;
    add_entry(m, &r, variable_of(m, side, rest, 0), -sign);
    add_entry(m, &r, variable_of(m, side, rest + 1, 0), -sign * a->by);
    put_row(m, &r, 0, 0);
}

/* ---- a case ---- */

static void cut(struct meet *m, const struct affine_sum *sum) {
    for (unsigned n = 0; n < sum->count; n++) {
        const struct affine_term *t = &sum->terms[n];
        m->cuts[t->atom] |= UINT64_C(1) << t->low;
        if (t->width != AFFINE_WHOLE) m->cuts[t->atom] |= UINT64_C(1) << (t->low + t->width);
    }
}

static void find_cuts(struct meet *m) {
    const struct affine_accesses *all = m->all;
    memset(m->cuts, 0, sizeof m->cuts);
    for (unsigned n = 0; n < AFFINE_ATOMS; n++) m->cuts[n] = 1;
    for (unsigned s = 0; s < 2; s++) {
        cut(m, &m->sides[s].at);
        for (unsigned n = 0; n < m->sides[s].nfacts; n++)
            cut(m, &all->facts[m->sides[s].facts[n]].whole);
    }
    for (unsigned n = 0; n < all->nauxiliaries; n++) cut(m, &all->auxiliaries[n].of[0]);
}

/* Of a sum in which a group's id is but a part of the global one. */
static bool has_global(const struct meet *m, const struct affine_sum *sum, unsigned d) {
    int64_t by[2] = {0, 0};
    for (unsigned n = 0; n < sum->count; n++) {
        const struct affine_term *t = &sum->terms[n];
        bool group = t->atom == AFFINE_GROUP + d;
        if (!group && t->atom != AFFINE_LOCAL + d) continue;
        if (t->low || t->width != AFFINE_WHOLE) return false;
        by[group] = t->by;
    }
    return by[1] == by[0] * ((int64_t)m->all->most[AFFINE_LOCAL + d] + 1);
}

static bool all_global(const struct meet *m, unsigned d) {
    const struct affine_accesses *all = m->all;
    bool is = !m->local && all->most[AFFINE_LOCAL + d] && all->most[AFFINE_GROUP + d];
    for (unsigned s = 0; is && s < 2; s++) {
        is = has_global(m, &m->sides[s].at, d);
        for (unsigned n = 0; is && n < m->sides[s].nfacts; n++)
            is = has_global(m, &all->facts[m->sides[s].facts[n]].whole, d);
    }
    for (unsigned n = 0; is && n < all->nauxiliaries; n++)
        is = has_global(m, &all->auxiliaries[n].of[0], d);
    return is;
}

/* Ids' fields are those of local and groups' ids, or, where nothing takes these apart, of global
 * ones. */
static void find_ids(struct meet *m) {
    for (unsigned n = 0; n < AFFINE_LOOPS; n++) m->most[n] = m->all->most[n];
    for (unsigned d = 0; d < 3; d++) {
        if (!all_global(m, d)) continue;
        m->most[AFFINE_LOCAL + d] =
            (m->most[AFFINE_LOCAL + d] + 1) * (m->most[AFFINE_GROUP + d] + 1) - 1;
        m->most[AFFINE_GROUP + d] = 0;
    }
}

/* All fields of an atom come to what it is at most. */
static void limit_atoms(struct meet *m) {
    for (unsigned n = 0; n < m->s.variables && !m->s.failed; n++) {
        struct meet_key key = m->keys[n];
        if (key.of >= AFFINE_LOOPS || key.side == DIFFERENCE || key.low) continue;
        struct meet_row r = {.count = 0};
        int64_t by = 1;
        for (unsigned low = 0, next; low < 64; low = next) {
            next = end_of(m, key.of, low);
            add_entry(m, &r, variable_of(m, key.side, key.of, low), by);
            if (next < 64) by *= INT64_C(1) << (next - low);
        }
        if (r.count > 1) put_row(m, &r, 0, m->most[key.of]);
    }
}

static const struct affine_fact *fact_of(const struct meet *m, unsigned side, unsigned n) {
    return &m->all->facts[m->sides[side].facts[n]];
}

/* What holds for both of one sum bounds its difference, too. */
static void add_facts(struct meet *m) {
    for (unsigned side = 0; side < 2; side++)
        for (unsigned n = 0; n < m->sides[side].nfacts; n++) {
            const struct affine_fact *f = fact_of(m, side, n);
            struct meet_row r = {.count = 0};
            if (!f->whole.known) continue;
            add_sums(m, &r, side == P ? &f->whole : NULL, side == Q ? &f->whole : NULL);
            put_row(m, &r, side == P ? f->from : -f->to, side == P ? f->to : -f->from);
        }
    for (unsigned n = 0; n < m->sides[P].nfacts; n++)
        for (unsigned k = 0; k < m->sides[Q].nfacts; k++) {
            const struct affine_fact *f = fact_of(m, P, n), *g = fact_of(m, Q, k);
            struct meet_row r = {.count = 0};
            if (!f->whole.known || f->from <= AFFINE_LEAST || f->to >= AFFINE_MOST ||
                (f != g && !(f->from == g->from && f->to == g->to && f->whole.count &&
                             f->whole.count == g->whole.count &&
                             !memcmp(&f->whole, &g->whole, sizeof f->whole))))
                continue;
            add_sums(m, &r, &f->whole, &f->whole);
            put_row(m, &r, f->from - f->to, f->to - f->from);
        }
}

static const struct affine_limits no_limits;

static struct affine_sum self_of(const struct affine_part *p, const struct affine_auxiliary *a) {
    struct affine_sum self = {.known = true, .low = a->low, .high = a->high, .nparts = 1};
    self.parts[0] = (struct affine_part){p->auxiliary, 1};
    return self;
}

/* Puts another sum in the place of an auxiliary variable. */
static void replace(struct affine_sum *sum, const struct affine_part *p,
                    const struct affine_auxiliary *a, const struct affine_sum *by) {
    struct affine_sum self = self_of(p, a);
    *sum = affine_add(&no_limits, sum, &self, -p->by);
    *sum = affine_add(&no_limits, sum, by, p->by);
}

/* By how much an auxiliary variable counts in the sum. */
static int64_t part_of(const struct affine_sum *sum, unsigned auxiliary) {
    for (unsigned n = 0; n < sum->nparts; n++)
        if (sum->parts[n].auxiliary == auxiliary) return sum->parts[n].by;
    return 0;
}

/* Puts what is divided, less its quotient's multiple, in the place of remainders that are not the
 * same in both sums. What they are made of comes before them. Whether there was one. */
static bool without_remainders(const struct meet *m, struct affine_sum at[2]) {
    bool had = false;
    for (unsigned n = m->all->nauxiliaries; n--;) {
        const struct affine_auxiliary *a = &m->all->auxiliaries[n];
        int64_t by[2] = {part_of(&at[P], n), part_of(&at[Q], n)};
        if (a->kind != AFFINE_REMAINDER || by[P] == by[Q]) continue;
        for (unsigned s = 0; s < 2; s++) {
            struct affine_part p = {(uint16_t)n, by[s]};
            if (!by[s]) continue;
            replace(&at[s], &p, a, &a->of[0]);
            p.auxiliary++;
            struct affine_sum quotient = self_of(&p, a + 1);
            at[s] = affine_add(&no_limits, &at[s], &quotient, -p.by * a->by);
        }
        had = true;
    }
    return had;
}

/* What p has of one variable and q has not of another one is a difference, too: of two ids, or of
 * the iterations of two loops. */
static void pair_up(struct meet *m, struct meet_row *r) {
    for (unsigned n = 0; n < r->count; n++)
        for (unsigned k = 0; k < r->count && !m->s.failed; k++) {
            struct system_entry a = r->entries[n], b = r->entries[k];
            const struct meet_key *x = &m->keys[a.variable], *y = &m->keys[b.variable];
            bool pair = x->side == P && y->side == Q && a.by == -b.by && x->of < AFFINE_ATOMS &&
                        y->of < AFFINE_ATOMS && (x->of < AFFINE_LOOPS) == (y->of < AFFINE_LOOPS);
            if (!pair) continue;
            unsigned v = system_variable(&m->s, m->s.low[a.variable] - m->s.high[b.variable],
                                         m->s.high[a.variable] - m->s.low[b.variable]);
            if (m->s.failed) return;
            m->keys[v] = (struct meet_key){.side = SIDES, .of = UINT16_MAX};
            system_row(&m->s,
                       (struct system_entry[]){{(uint16_t)v, 1}, {a.variable, -1}, {b.variable, 1}},
                       3, 0, 0);
            r->entries[n] = (struct system_entry){(uint16_t)v, a.by};
            r->entries[k] = r->entries[--r->count];
            n = UINT32_MAX; /* from the first one on again */
            break;
        }
}

/* The difference of addresses, which are modulo 2^32. True: it is too large whatever it is. */
static bool add_difference(struct meet *m, const struct affine_sum at[2]) {
    struct meet_row r = {.count = 0};
    int64_t low = 1 - (int64_t)m->bytes[0], high = (int64_t)m->bytes[1] - 1;
    add_sums(m, &r, &at[P], &at[Q]);
    pair_up(m, &r);
    int64_t from = r.low, to = r.high;
    for (unsigned n = 0; n < r.count; n++) {
        int64_t by = r.entries[n].by, a = m->s.low[r.entries[n].variable],
                b = m->s.high[r.entries[n].variable], x, y;
        if (__builtin_mul_overflow(by, by > 0 ? a : b, &x) ||
            __builtin_mul_overflow(by, by > 0 ? b : a, &y) ||
            __builtin_add_overflow(from, x, &from) || __builtin_add_overflow(to, y, &to)) {
            m->s.failed = true;
            return false;
        }
    }
    int64_t first = (low - to) / AROUND - 1, last = (high - from) / AROUND + 1; /* turns */
    while (first <= last && to + first * AROUND < low) first++;
    while (last >= first && from + last * AROUND > high) last--;
    if (first > last) return true;
    if (first == last) {
        r.low += first * AROUND;
        r.high += first * AROUND;
    } else {
        add_entry(m, &r, system_variable(&m->s, first, last), AROUND);
        if (!m->s.failed)
            m->keys[m->s.variables - 1] = (struct meet_key){.side = SIDES, .of = UINT16_MAX};
    }
    put_row(m, &r, low, high);
    m->s.lead = m->s.nrows - 1;
    return false;
}

/* With what is divided in place of remainders, too. */
static bool add_addresses(struct meet *m) {
    struct affine_sum at[2] = {m->sides[P].at, m->sides[Q].at};
    if (without_remainders(m, at) && at[P].known && at[Q].known && add_difference(m, at))
        return true;
    at[P] = m->sides[P].at;
    at[Q] = m->sides[Q].at;
    return add_difference(m, at);
}

/* Where either has a remainder there is its difference. */
static void add_remainders(struct meet *m) {
    for (unsigned n = 0; n < m->s.variables && !m->s.failed; n++) {
        struct meet_key key = m->keys[n];
        if (key.of < AFFINE_ATOMS || key.of == UINT16_MAX || key.side != P) continue;
        bool remainder = m->all->auxiliaries[key.of - AFFINE_ATOMS].kind == AFFINE_REMAINDER;
        for (unsigned k = 0; remainder && k < m->s.variables; k++)
            if (m->keys[k].of == key.of && m->keys[k].side == Q) {
                variable_of(m, DIFFERENCE, key.of, 0);
                break;
            }
    }
}

static bool never(struct meet *m) {
    system_begin(&m->s);
    find_cuts(m);
    find_ids(m);
    if (add_addresses(m)) return true;
    for (unsigned id = 0; id < AFFINE_LOOPS; id++)
        for (unsigned low = 0; low < 64 && m->most[id] && !is_shared(m, id);
             low = end_of(m, id, low))
            variable_of(m, DIFFERENCE, id, low);
    add_facts(m);
    add_remainders(m);
    limit_atoms(m);
    return system_never(&m->s);
}

/* ---- choices ---- */

/* It is what that choice is, one way or the other. */
static void choose(struct meet_side *to, const struct affine_part *p,
                   const struct affine_auxiliary *a, unsigned which) {
    replace(&to->at, p, a, &a->of[which]);
    for (unsigned n = 0; n < a->count[which] && to->nfacts < AFFINE_FACTS; n++)
        to->facts[to->nfacts++] = a->facts[which][n];
}

/* Each choice that an address is made of is made in either way. */
static bool all_cases(struct meet *m) {
    for (unsigned s = 0; s < 2; s++)
        for (unsigned n = 0; n < m->sides[s].at.nparts; n++) {
            struct affine_part p = m->sides[s].at.parts[n];
            const struct affine_auxiliary *a = &m->all->auxiliaries[p.auxiliary];
            if (a->kind != AFFINE_CHOICE || m->cases >= MOST_CASES) continue;
            m->cases++;
            struct meet_side was = m->sides[s];
            bool apart = true;
            for (unsigned which = 0; which < 2 && apart; which++) {
                m->sides[s] = was;
                choose(&m->sides[s], &p, a, which);
                apart = m->sides[s].at.known && all_cases(m);
            }
            m->sides[s] = was;
            return apart;
        }
    return never(m);
}

bool affine_never_meet(const struct affine_accesses *all, const struct affine_access *a,
                       const struct affine_access *b, bool local, const unsigned bytes[2]) {
    struct meet m; /* large: what is used is set */
    const struct affine_access *of[2] = {a, b};
    m.all = all;
    m.local = local;
    m.cases = 0;
    memcpy(m.bytes, bytes, sizeof m.bytes);
    for (unsigned s = 0; s < 2; s++) {
        m.sides[s].at = of[s]->at;
        m.sides[s].nfacts = 0;
        for (unsigned n = 0; n < of[s]->nfacts && n < AFFINE_FACTS; n++)
            m.sides[s].facts[m.sides[s].nfacts++] = all->fact_lists[of[s]->facts + n];
    }
    return all_cases(&m);
}
