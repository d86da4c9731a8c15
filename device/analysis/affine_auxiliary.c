/* Auxiliary variables: what operations give that no sum is, by what is known of them. */
#include <string.h>

#include "affine_walk.h"

enum { MOST = 48, BITS = 31 /* of a number that is not negative */ };

/* One that there is already, of the same with the same bounds, or a new one; MOST: there are too
 * many. What decides choices may not be known: each is one of its own. */
static unsigned variable(struct affine_walk *w, const struct affine_auxiliary *a) {
    for (unsigned n = 0; a->kind != AFFINE_CHOICE && n < w->auxiliaries.count; n++) {
        const struct affine_auxiliary *b = &w->auxiliaries.at[n];
        if (a->kind == b->kind && a->low == b->low && a->high == b->high && a->by == b->by &&
            affine_equal(&a->of[0], &b->of[0]) && affine_equal(&a->of[1], &b->of[1]))
            return n;
    }
    if (w->auxiliaries.count >= MOST) return MOST;
    AFFINE_ADD(w, auxiliaries, *a);
    return w->failed ? MOST : w->auxiliaries.count - 1;
}

static struct affine_sum sum_of(const struct affine_walk *w, unsigned n) {
    const struct affine_auxiliary *a = &w->auxiliaries.at[n];
    struct affine_sum r = affine_between(a->low, a->high);
    if (!r.known || r.low == r.high) return r;
    r.nparts = 1;
    r.parts[0] = (struct affine_part){(uint16_t)n, 1};
    return r;
}

static int64_t floor_of(int64_t a, int64_t by) { return a / by - (a % by < 0); }

/* a = by * quotient + rest, where the rest is at least `least`, and less than `by`. */
static bool divided(struct affine_walk *w, const struct affine_sum *a, int64_t by, int64_t least,
                    struct affine_sum *quotient, struct affine_sum *rest) {
    int64_t low, high;
    if (!a->known || by < 2) return false;
    if (!affine_range(&w->limits, a, &low, &high)) {
        low = AFFINE_LEAST;
        high = AFFINE_MOST;
    }
    struct affine_auxiliary r = {.kind = AFFINE_REMAINDER,
                                 .low = least,
                                 .high = by - 1,
                                 .of = {*a, affine_between(low, high)},
                                 .by = by};
    struct affine_auxiliary q = r;
    q.kind = AFFINE_QUOTIENT;
    q.low = floor_of(low - r.high + by - 1, by);
    q.high = floor_of(high - r.low, by);
    if (low >= 0 && high < r.high) r.high = high;
    unsigned n = variable(w, &r);
    if (n + 1 >= MOST) return false;
    if (n + 1 == w->auxiliaries.count) AFFINE_ADD(w, auxiliaries, q);
    if (w->failed) return false;
    *rest = sum_of(w, n);
    *quotient = sum_of(w, n + 1);
    return true;
}

/* Bits of both, which are anything up to what one of them is. */
static struct affine_sum common(struct affine_walk *w, const struct affine_sum *src) {
    struct affine_auxiliary a = {.kind = AFFINE_ANY, .of = {src[0], src[1]}};
    int64_t low[2], high[2];
    for (unsigned s = 0; s < 2; s++)
        if (!affine_range(&w->limits, &src[s], &low[s], &high[s]) || low[s] < 0 ||
            high[s] > INT32_MAX)
            return affine_unknown();
    a.high = high[0] < high[1] ? high[0] : high[1];
    unsigned n = variable(w, &a);
    return n == MOST ? affine_unknown() : sum_of(w, n);
}

static struct affine_sum bits(struct affine_walk *w, const struct isa_inst *i,
                              const struct affine_sum *src, const struct affine_sum *result) {
    bool number[2] = {affine_is_number(&src[0]), affine_is_number(&src[1])};
    const struct affine_sum *a = &src[number[0]];
    struct affine_sum both, quotient;
    if (number[0] && number[1]) return *result;
    if (!number[0] && !number[1]) {
        both = common(w, src);
    } else {
        int64_t n = src[!number[0]].low;
        if (i->type == ISA_I64 && (n > INT32_MAX || n < INT32_MIN)) return *result;
        uint64_t mask = (uint64_t)n & UINT32_MAX;
        uint64_t low = mask, up = ~mask & UINT32_MAX;
        if (mask && mask <= INT32_MAX && !(low & (low + 1))) {
            if (!divided(w, a, (int64_t)low + 1, 0, &quotient, &both)) return *result;
        } else if (i->op == ISA_and && up && up <= INT32_MAX && !(up & (up + 1))) {
            if (!divided(w, a, (int64_t)up + 1, 0, &quotient, &both)) return *result;
            return affine_scale(&quotient, (int64_t)up + 1);
        } else if (mask && !(mask & (mask - 1)) && mask < (uint64_t)INT32_MAX) {
            struct affine_sum bit, rest;
            unsigned at = (unsigned)__builtin_ctzll(mask);
            quotient = *a;
            if (at && !divided(w, a, (int64_t)mask, 0, &quotient, &rest)) return *result;
            if (!divided(w, &quotient, 2, 0, &rest, &bit)) return *result;
            both = affine_scale(&bit, (int64_t)mask);
        } else {
            return *result;
        }
    }
    if (i->op == ISA_and) return both.known ? both : *result;
    struct affine_sum sum = affine_add(&w->limits, &src[0], &src[1], 1);
    return affine_add(&w->limits, &sum, &both, i->op == ISA_xor ? -2 : -1);
}

struct affine_sum affine_refined(struct affine_walk *w, const struct isa_inst *i,
                                 const struct affine_sum *src, const struct affine_sum *result) {
    struct affine_sum quotient, rest;
    int64_t low, high;
    bool is_plain =
        i->nsrc && affine_range(&w->limits, &src[0], &low, &high) && low >= 0 && high <= INT32_MAX;
    bool wide = i->type == ISA_I32 || i->type == ISA_I64;
    if (!wide || i->nsrc != 2 || (result->known && (result->low == result->high || result->nparts)))
        return *result;
    int64_t by = affine_is_number(&src[1]) ? src[1].low : 0;
    switch (i->op) {
    case ISA_div_u:
    case ISA_rem_u:
    case ISA_div_s:
    case ISA_rem_s:
        if (!is_plain && i->op != ISA_div_s && i->op != ISA_rem_s) return *result;
        if (!is_plain && (!affine_range(&w->limits, &src[0], &low, &high) || low < -INT32_MAX ||
                          high > INT32_MAX))
            return *result;
        if (by > INT32_MAX || !divided(w, &src[0], by, is_plain ? 0 : 1 - by, &quotient, &rest))
            return *result;
        return i->op == ISA_div_u || i->op == ISA_div_s ? quotient : rest;
    case ISA_shr_u:
    case ISA_shr_s:
        if (!is_plain || by <= 0 || by >= BITS) return *result;
        return divided(w, &src[0], INT64_C(1) << by, 0, &quotient, &rest) ? quotient : *result;
    case ISA_and:
    case ISA_or:
    case ISA_xor: return src[0].known && src[1].known ? bits(w, i, src, result) : *result;
    default: return *result;
    }
}

struct affine_sum affine_chosen(struct affine_walk *w, const struct affine_condition *c,
                                const struct affine_sum *a, const struct affine_sum *b) {
    struct affine_sum r = affine_either(a, b);
    struct affine_auxiliary v = {.kind = AFFINE_CHOICE, .of = {*b, *a}};
    int64_t low[2], high[2];
    if ((r.known && (r.low == r.high || r.nparts)) || !a->known || !b->known) return r;
    if (!affine_range(&w->limits, a, &low[1], &high[1]) ||
        !affine_range(&w->limits, b, &low[0], &high[0]))
        return r;
    v.low = low[0] < low[1] ? low[0] : low[1];
    v.high = high[0] > high[1] ? high[0] : high[1];
    for (unsigned s = 0; s < 2 && !c->loop; s++) {
        v.count[s] = c->count[s];
        memcpy(v.facts[s], c->facts[s], sizeof v.facts[s]);
    }
    unsigned n = variable(w, &v);
    if (n == MOST) return r;
    struct affine_sum chosen = sum_of(w, n);
    return chosen.known ? chosen : r;
}
