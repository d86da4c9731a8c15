/* Addresses as digits: their difference is a sum of digits' differences. Where each digit counts
 * for more than all smaller ones can come to together, and for each id there is one, different
 * work-items have different addresses. */
#include "affine_apart.h"

#include <string.h>

#include "affine_meet.h"
#include "affine_value.h"
#include "divisor.h"

enum { MOST_DIGITS = 3 * AFFINE_TERMS };
#define AROUND (INT64_C(1) << 32)

struct digit {
    struct affine_term field; /* by: of both accesses */
    bool is_id;
    int64_t least;    /* what it counts for where it differs, at least; */
    int64_t up, down; /* at most, where the first one's is more, or the second one's; -1: no end */
    int64_t grain;    /* and always a multiple of this */
};

struct difference {
    struct digit digits[MOST_DIGITS];
    unsigned count;
    int64_t low, high; /* what else is between the addresses, */
    bool ids;          /* where ids differ of which one of them has none */
};

static int64_t size_of(int64_t n) { return n < 0 ? -n : n; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

static bool has_end(const struct digit *g) { return g->up >= 0 && g->down >= 0; }

/* What is added so many times is known to be at most most[0] in the first access, and most[1] in
 * the second one. */
static void limit(struct digit *g, int64_t by, const int64_t most[2]) {
    int64_t up = size_of(by) * most[by < 0], down = size_of(by) * most[by > 0];
    if (g->up < 0 || up < g->up) g->up = up;
    if (g->down < 0 || down < g->down) g->down = down;
}

/* ---- the fields of both ---- */

/* What bit `bit` of an atom counts for, and where its field ends (64: at the atom's end). */
static int64_t weight(const struct affine_sum *a, unsigned atom, unsigned bit, unsigned *end) {
    *end = 64;
    for (unsigned n = 0; n < a->count; n++) {
        const struct affine_term *t = &a->terms[n];
        unsigned last = t->width == AFFINE_WHOLE ? 64 : t->low + t->width;
        if (t->atom != atom) continue;
        if (bit < t->low) {
            *end = t->low;
            return 0;
        }
        if (bit < last) {
            *end = last;
            return (int64_t)((uint64_t)t->by << (bit - t->low));
        }
    }
    return 0;
}

/* What a field of which nothing is compared adds: any of its values for either. */
static bool add_apart(struct difference *d, int64_t a, int64_t b, int64_t most) {
    if (most < 0) return false;
    d->low += (a < 0 ? a * most : 0) - (b > 0 ? b * most : 0);
    d->high += (a > 0 ? a * most : 0) - (b < 0 ? b * most : 0);
    return true;
}

/* An atom's fields. shared: both work-items have the same value of it. */
static bool add_atom(struct difference *d, const struct affine_accesses *all,
                     const struct affine_access *a, const struct affine_access *b, unsigned atom,
                     bool shared) {
    bool is_id = atom < AFFINE_LOOPS;
    if (is_id && !all->most[atom]) return true;
    for (unsigned bit = 0; bit < AFFINE_WHOLE;) {
        unsigned end[2];
        int64_t by[2] = {weight(&a->at, atom, bit, &end[0]), weight(&b->at, atom, bit, &end[1])};
        unsigned upto = end[0] < end[1] ? end[0] : end[1];
        struct affine_term t = {(uint8_t)atom, (uint8_t)bit,
                                upto == 64 ? AFFINE_WHOLE : (uint8_t)(upto - bit), by[0]};
        int64_t most = affine_most(all, &t);
        bit = upto;
        if (!most) continue;
        if (shared) {
            int64_t both = by[0] - by[1];
            if (both && !add_apart(d, both, 0, most)) return false;
            continue;
        }
        if (by[0] != by[1]) {
            if (is_id || !add_apart(d, by[0], by[1], most)) return false;
            continue;
        }
        if (!by[0] && !is_id) continue;
        if (d->count == MOST_DIGITS) return false;
        d->digits[d->count++] = (struct digit){.field = t,
                                               .is_id = is_id,
                                               .least = size_of(by[0]),
                                               .up = most < 0 ? -1 : size_of(by[0]) * most,
                                               .down = most < 0 ? -1 : size_of(by[0]) * most,
                                               .grain = size_of(by[0])};
    }
    return true;
}

/* ---- facts that hold for both ---- */

static const struct affine_fact *fact_of(const struct affine_accesses *all,
                                         const struct affine_access *a, uint32_t n) {
    return &all->facts[all->fact_lists[a->facts + n]];
}

static bool same_sum(const struct affine_fact *f, const struct affine_fact *g) {
    bool same = g->sum.count == f->sum.count;
    for (unsigned t = 0; same && t < f->sum.count; t++) {
        const struct affine_term *x = &f->sum.terms[t], *y = &g->sum.terms[t];
        same = x->atom == y->atom && x->low == y->low && x->width == y->width && x->by == y->by;
    }
    return same;
}

/* The fact of b's that is about the same sum, and says most of it. */
static const struct affine_fact *same_fact(const struct affine_accesses *all,
                                           const struct affine_access *b,
                                           const struct affine_fact *f) {
    const struct affine_fact *found = NULL;
    for (uint32_t n = 0; n < b->nfacts; n++) {
        const struct affine_fact *g = fact_of(all, b, n);
        bool same = g->exact == f->exact && !g->least && same_sum(f, g);
        if (!same || (f->exact && f->most != g->most)) continue;
        if (!found || g->most < found->most) found = g;
    }
    return found;
}

static int digit_of(const struct difference *d, const struct affine_term *t) {
    for (unsigned n = 0; n < d->count; n++) {
        const struct affine_term *f = &d->digits[n].field;
        if (f->atom == t->atom && f->low == t->low && f->width == t->width) return (int)n;
    }
    return -1;
}

/* What a field comes to at the most, by its digit, which may know more of it; -1: that has no end.
 */
static int64_t most_of(const struct difference *d, const struct affine_accesses *all,
                       const struct affine_term *t) {
    int at = digit_of(d, t);
    int64_t most = affine_most(all, t);
    if (at < 0 || !has_end(&d->digits[at]) || !d->digits[at].least) return most;
    int64_t known = larger(d->digits[at].up, d->digits[at].down) / d->digits[at].least;
    return most < 0 || known < most ? known : most;
}

/* Do different values of these fields always make different sums? They are in order then. */
static bool tell_apart(const struct difference *d, const struct affine_accesses *all,
                       struct affine_term *terms, unsigned count) {
    int64_t below = 0;
    for (unsigned n = 1; n < count; n++)
        for (unsigned m = n; m && terms[m].by < terms[m - 1].by; m--) {
            struct affine_term t = terms[m];
            terms[m] = terms[m - 1];
            terms[m - 1] = t;
        }
    for (unsigned n = 0; n < count; n++) {
        int64_t most = most_of(d, all, &terms[n]);
        if (terms[n].by < below + terms[0].by && n) return false;
        if (most < 0 && n + 1 < count) return false;
        below += most * terms[n].by;
    }
    return true;
}

/* Digits that are fields of an atom which is known to be at most some number come to less. */
static void limit_fields(struct difference *d, unsigned atom, const int64_t most[2]) {
    for (unsigned n = 0; n < d->count; n++) {
        struct digit *g = &d->digits[n];
        if (g->field.atom != atom || !g->least) continue;
        int64_t end[2] = {affine_field_end(most[0], &g->field),
                          affine_field_end(most[1], &g->field)};
        if (end[0] >= 0 && end[1] >= 0) limit(g, g->field.by, end);
    }
}

/* Fields that are the fact's sum, or a multiple of it, become one digit, which comes to less; where
 * the sum is known they go. */
static void use_fact(struct difference *d, const struct affine_accesses *all,
                     const struct affine_fact *f, const int64_t most[2]) {
    struct affine_term terms[AFFINE_TERMS];
    unsigned count = f->sum.count, places[AFFINE_TERMS];
    struct digit all_of = {.is_id = false};
    int64_t times = 0, grain = 0;
    if (!count || most[0] < 0 || most[1] < 0) return;
    memcpy(terms, f->sum.terms, sizeof terms);
    if (count == 1 && !terms->low && terms->width == AFFINE_WHOLE)
        limit_fields(d, terms->atom, (int64_t[]){most[0] / terms->by, most[1] / terms->by});
    for (unsigned n = 0; n < count; n++) {
        /* A field that nothing of the launch is in is not there. */
        int at = digit_of(d, &terms[n]);
        if (at < 0) return;
        int64_t by = d->digits[at].field.by;
        if (!f->exact && (by % terms[n].by || (n && by / terms[n].by != times))) return;
        times = by / terms[n].by;
        places[n] = (unsigned)at;
        all_of.is_id |= d->digits[at].is_id;
    }
    if (!tell_apart(d, all, terms, count)) return;
    if (!f->exact) {
        if (!times) return;
        for (unsigned n = 0; n < count; n++) {
            grain = divisor_common(terms[n].by, grain);
        }
        const int64_t end[2] = {most[0] / grain * grain, most[1] / grain * grain};
        if (count == 1) {
            limit(&d->digits[places[0]], times, end);
            return;
        }
        all_of.field = (struct affine_term){.atom = AFFINE_ATOMS};
        all_of.least = size_of(times) * terms[0].by;
        all_of.up = all_of.down = -1;
        all_of.grain = size_of(times) * grain;
        limit(&all_of, times, end);
    }
    for (unsigned n = 0; n < count; n++) d->digits[places[n]].field.atom = UINT8_MAX;
    unsigned left = 0;
    for (unsigned n = 0; n < d->count; n++)
        if (d->digits[n].field.atom != UINT8_MAX) d->digits[left++] = d->digits[n];
    d->count = left;
    if (!f->exact && (all_of.up || all_of.down)) d->digits[d->count++] = all_of;
}

static void use_facts(struct difference *d, const struct affine_accesses *all,
                      const struct affine_access *a, const struct affine_access *b) {
    for (uint32_t n = 0; n < a->nfacts && n < AFFINE_FACTS; n++) {
        const struct affine_fact *f = fact_of(all, a, n);
        const struct affine_fact *g = a == b ? f : same_fact(all, b, f);
        if (g && !f->least) use_fact(d, all, f, (int64_t[]){f->most, g->most});
    }
}

/* ---- where an access can be at all ---- */

struct span {
    int64_t low, high;
};

/* Adds `by` times what is from low to high; false: it is too much to say. */
static bool add_times(struct span *s, int64_t by, int64_t low, int64_t high) {
    int64_t first, last;
    if (__builtin_mul_overflow(by, by < 0 ? high : low, &first) ||
        __builtin_mul_overflow(by, by < 0 ? low : high, &last))
        return false;
    return !__builtin_add_overflow(s->low, first, &s->low) &&
           !__builtin_add_overflow(s->high, last, &s->high);
}

/* By how much the fact's sum counts in the terms, which then are of no other fact: those that it is
 * made of are not in `used`. 0: they are not all there in one proportion. */
static int64_t take_fact(const struct affine_sum *at, const struct affine_fact *f, uint32_t *used) {
    int64_t times = 0;
    uint32_t taken = 0;
    for (unsigned n = 0; n < f->sum.count; n++) {
        const struct affine_term *t = &f->sum.terms[n], *in = at->terms;
        while (in < at->terms + at->count &&
               (in->atom != t->atom || in->low != t->low || in->width != t->width))
            in++;
        uint32_t bit = UINT32_C(1) << (in - at->terms);
        if (in == at->terms + at->count || *used & bit || in->by % t->by) return 0;
        if (n && in->by / t->by != times) return 0;
        times = in->by / t->by;
        taken |= bit;
    }
    *used |= taken;
    return times;
}
_Static_assert(AFFINE_TERMS < 32, "terms are bits");

/* Between which numbers the sum of an access's n-th fact lies, by all that are about it; false:
 * there are none. */
static bool sum_of(const struct affine_accesses *all, const struct affine_access *a, uint32_t n,
                   struct span *s) {
    const struct affine_fact *f = fact_of(all, a, n);
    *s = (struct span){0, INT64_MAX};
    for (uint32_t m = 0; m < a->nfacts && m < AFFINE_FACTS; m++) {
        const struct affine_fact *g = fact_of(all, a, m);
        int64_t least = g->exact ? g->most : g->least;
        if (m != n && !same_sum(f, g)) continue;
        if (least > s->low) s->low = least;
        if (g->most < s->high) s->high = g->most;
    }
    return s->low <= s->high;
}

/* Of an access what the other one's address has nothing of: for any work-items it lies between
 * numbers, by facts or ends of ids, and is no more than these. True: it was something. */
static bool take_own(const struct affine_accesses *all, struct affine_access *a,
                     const struct affine_access *other) {
    uint32_t used = 0, shared = 0;
    bool any = false;
    for (unsigned n = 0; n < a->at.count; n++)
        for (unsigned m = 0; m < other->at.count; m++)
            if (a->at.terms[n].atom == other->at.terms[m].atom) shared |= UINT32_C(1) << n;
    used = shared;
    for (uint32_t n = 0; n < a->nfacts && n < AFFINE_FACTS; n++) {
        struct span sum, at = {a->at.low, a->at.high};
        uint32_t before = used;
        int64_t times = sum_of(all, a, n, &sum) ? take_fact(&a->at, fact_of(all, a, n), &used) : 0;
        if (!times) continue;
        if (!add_times(&at, times, sum.low, sum.high)) {
            used = before;
            continue;
        }
        a->at.low = at.low;
        a->at.high = at.high;
        any = true;
    }
    unsigned left = 0;
    for (unsigned n = 0; n < a->at.count; n++) {
        struct span at = {a->at.low, a->at.high};
        int64_t by = a->at.terms[n].by, most = affine_most(all, &a->at.terms[n]);
        if (!(used >> n & 1) && most >= 0 && add_times(&at, by, 0, most)) {
            a->at.low = at.low;
            a->at.high = at.high;
            any = true;
        } else if (shared >> n & 1 || !(used >> n & 1)) {
            a->at.terms[left++] = a->at.terms[n];
        }
    }
    a->at.count = (uint8_t)left;
    return any;
}

/* The addresses of all work-items' accesses; false: they have no bounds that are known. */
static bool span_of(const struct affine_accesses *all, const struct affine_access *a,
                    struct span *s) {
    const struct affine_access none = {0};
    struct affine_access own = *a;
    take_own(all, &own, &none);
    *s = (struct span){own.at.low, own.at.high};
    return !own.at.count;
}

/* Whatever work-items they are of, the one is below the other. */
static bool lie_apart(const struct affine_accesses *all, const struct affine_access *a,
                      const struct affine_access *b, const unsigned bytes[2]) {
    struct span x, y;
    if (!span_of(all, a, &x) || !span_of(all, b, &y)) return false;
    int64_t low, high; /* of the first one less the second one */
    if (__builtin_sub_overflow(x.low, y.high, &low) || __builtin_sub_overflow(x.high, y.low, &high))
        return false;
    int64_t turns = low >= 0 ? low / AROUND : -((-low + AROUND - 1) / AROUND);
    return low - turns * AROUND >= bytes[1] && high - turns * AROUND <= AROUND - bytes[0];
}

/* ---- the proof ---- */

static void sort(struct difference *d) {
    for (unsigned n = 1; n < d->count; n++)
        for (unsigned m = n; m && d->digits[m].least < d->digits[m - 1].least; m--) {
            struct digit t = d->digits[m];
            d->digits[m] = d->digits[m - 1];
            d->digits[m - 1] = t;
        }
}

/* Where the first `small` digits are all that differ, what else is between the addresses keeps them
 * apart; where others do these do. */
static bool hold_from(const struct difference *d, unsigned small, int64_t bytes) {
    int64_t near = d->low <= 0 && d->high >= 0          ? 0
                   : size_of(d->low) < size_of(d->high) ? size_of(d->low)
                                                        : size_of(d->high);
    int64_t up = 0, down = 0; /* of those below */
    bool ids = d->ids;
    for (unsigned n = 0; n < d->count; n++) {
        const struct digit *g = &d->digits[n];
        ids |= g->is_id;
        if (n == small && (small || d->ids) && larger(up, down) + bytes > near) return false;
        if (n >= small && ids && g->least < larger(up + d->high, down - d->low) + bytes)
            return false;
        if (!has_end(g)) return false;
        up += g->up;
        down += g->down;
    }
    if (small == d->count && larger(up, down) + bytes > near) return false;
    return larger(up + d->high, down - d->low) + bytes < AROUND;
}

/* All differences are some bytes past a multiple of what digits count for. */
static bool differ_in_phase(const struct difference *d, unsigned a, unsigned b) {
    int64_t grain = 0, all = size_of(d->low);
    if (d->low != d->high) return false;
    for (unsigned n = 0; n < d->count; n++) {
        const struct digit *g = &d->digits[n];
        grain = divisor_common(g->grain, grain);
        all = has_end(g) ? all + larger(g->up, g->down) : AROUND;
        if (all >= AROUND) return false;
    }
    if (!grain || all + a + b >= AROUND) return false;
    int64_t phase = (d->low % grain + grain) % grain;
    return phase >= b && grain - phase >= a;
}

static unsigned bytes_of(const struct isa_kernel *k, const struct affine_access *a) {
    const struct isa_inst *i = &k->insts[a->inst];
    return isa_type_size[i->type] * (unsigned)i->count;
}

/* The addresses of both, of different work-items, differ, as digits. */
static bool differ(const struct affine_accesses *all, const struct affine_access *a,
                   const struct affine_access *b, bool local, bool ids, const unsigned bytes[2]) {
    struct difference d = {
        .low = a->at.low - b->at.high, .high = a->at.high - b->at.low, .ids = ids};
    uint64_t atoms = (UINT64_C(1) << AFFINE_LOOPS) - 1; /* all ids, and the loops of either */
    for (unsigned n = 0; n < a->at.count; n++) atoms |= UINT64_C(1) << a->at.terms[n].atom;
    for (unsigned n = 0; n < b->at.count; n++) atoms |= UINT64_C(1) << b->at.terms[n].atom;
    for (; atoms; atoms &= atoms - 1) {
        unsigned atom = (unsigned)__builtin_ctzll(atoms);
        bool group = atom >= AFFINE_GROUP && atom < AFFINE_LOOPS;
        if (!add_atom(&d, all, a, b, atom, local && group)) return false;
    }
    int64_t turns = (d.low + AROUND / 2) / AROUND;
    if (d.low < -AROUND / 2) turns--;
    d.low -= turns * AROUND;
    d.high -= turns * AROUND;
    use_facts(&d, all, a, b);
    sort(&d);
    if (differ_in_phase(&d, bytes[0], bytes[1])) return true;
    for (unsigned small = 0; small <= d.count; small++)
        if (hold_from(&d, small, bytes[0] > bytes[1] ? bytes[0] : bytes[1])) return true;
    return false;
}

/* ---- loops that are others ---- */

/* Two accesses, with facts of their own. */
struct paired {
    struct affine_accesses all;
    struct affine_access access[2];
    struct affine_fact facts[2 * AFFINE_FACTS];
    uint32_t lists[2 * AFFINE_FACTS];
};

/* The one term that there is of an atom; NULL: there are none, or several. */
static struct affine_term *only_term(struct affine_sum *s, unsigned atom) {
    struct affine_term *found = NULL;
    for (unsigned n = 0; n < s->count; n++) {
        if (s->terms[n].atom != atom) continue;
        if (found) return NULL;
        found = &s->terms[n];
    }
    return found;
}

static bool has_atom(const struct affine_sum *s, unsigned atom) {
    for (unsigned n = 0; n < s->count; n++)
        if (s->terms[n].atom == atom) return true;
    return false;
}

/* Gives an atom another number, and terms their order. */
static void rename(struct affine_sum *s, unsigned from, unsigned to) {
    for (unsigned n = 0; n < s->count; n++)
        if (s->terms[n].atom == from) s->terms[n].atom = (uint8_t)to;
    for (unsigned n = 1; n < s->count; n++)
        for (unsigned m = n; m && s->terms[m].atom < s->terms[m - 1].atom; m--) {
            struct affine_term t = s->terms[m];
            s->terms[m] = s->terms[m - 1];
            s->terms[m - 1] = t;
        }
}

/* The second access' iterations of one loop are called what the first one's of another loop are. */
static void rename_loop(struct paired *p, unsigned from, unsigned to) {
    struct affine_access *b = &p->access[1];
    uint32_t left = 0;
    rename(&b->at, from, to);
    for (uint32_t n = 0; n < b->nfacts; n++) {
        struct affine_fact *f = &p->facts[p->lists[b->facts + n]];
        if (has_atom(&f->sum, to)) continue; /* it is of the other loop */
        rename(&f->sum, from, to);
        p->lists[b->facts + left++] = p->lists[b->facts + n];
    }
    b->nfacts = left;
}

/* Different work-items are anywhere in a loop, be it the same for both or not: iterations of two
 * loops that count for as much are one digit as those of one are. False: there are no such loops.
 */
static bool pair_loops(struct paired *p, const struct affine_accesses *all,
                       const struct affine_access *a, const struct affine_access *b) {
    const struct affine_access *of[2] = {a, b};
    bool any = false;
    p->all = *all;
    p->all.facts = p->facts;
    p->all.fact_lists = p->lists;
    for (unsigned x = 0; x < 2; x++) {
        struct affine_access *to = &p->access[x];
        *to = *of[x];
        to->facts = x * AFFINE_FACTS;
        if (to->nfacts > AFFINE_FACTS) to->nfacts = AFFINE_FACTS;
        for (uint32_t n = 0; n < to->nfacts; n++) {
            p->lists[to->facts + n] = to->facts + n;
            p->facts[to->facts + n] = *fact_of(all, of[x], n);
        }
    }
    struct affine_sum *one = &p->access[0].at, *other = &p->access[1].at;
    for (unsigned n = 0; n < one->count; n++) {
        unsigned to = one->terms[n].atom;
        if (to < AFFINE_LOOPS || has_atom(other, to) || !only_term(one, to)) continue;
        for (unsigned m = 0; m < other->count; m++) {
            const struct affine_term *t = &other->terms[m], *as = &one->terms[n];
            bool free = t->atom >= AFFINE_LOOPS && !has_atom(one, t->atom);
            bool like = t->by == as->by && t->low == as->low && t->width == as->width;
            if (!free || !like || !only_term(other, t->atom)) continue;
            rename_loop(p, t->atom, to);
            any = true;
            break;
        }
    }
    return any;
}

static bool proves(const struct affine_accesses *all, const struct affine_access *a,
                   const struct affine_access *b, bool local, const unsigned bytes[2]) {
    if (differ(all, a, b, local, false, bytes)) return true;
    struct affine_access own[2] = {*a, *b};
    bool any = a != b && !local && take_own(all, &own[0], b);
    if (a != b && !local) any |= take_own(all, &own[1], a);
    return any && differ(all, &own[0], &own[1], local, true, bytes);
}

bool affine_apart(const struct isa_kernel *k, const struct affine_accesses *all,
                  const struct affine_access *a, const struct affine_access *b) {
    unsigned bytes[2] = {bytes_of(k, a), bytes_of(k, b)};
    bool local = k->insts[a->inst].space == ISA_LOCAL, alone = true;
    for (unsigned n = 0; n < (local ? AFFINE_GROUP : AFFINE_LOOPS); n++) alone &= !all->most[n];
    if (alone) return true;
    if (!a->at.known || !b->at.known) return false;
    if (a != b && !local && lie_apart(all, a, b, bytes)) return true;
    if (proves(all, a, b, local, bytes)) return true;
    struct paired p;
    if (a != b && pair_loops(&p, all, a, b) &&
        proves(&p.all, &p.access[0], &p.access[1], local, bytes))
        return true;
    return !all->brief && affine_never_meet(all, a, b, local, bytes);
}
_Static_assert(AFFINE_ATOMS <= 64, "atoms are bits");
