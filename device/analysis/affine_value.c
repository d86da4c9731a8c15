#include "affine_value.h"

#include <string.h>

enum { BITS = 32 };
#define LARGEST (INT64_C(1) << 40) /* a sum beyond says nothing any more */
#define I32_END (INT64_C(1) << 31)

struct affine_sum affine_unknown(void) {
    return (struct affine_sum){.known = false};
}

struct affine_sum affine_between(int64_t low, int64_t high) {
    if (low < -LARGEST || high > LARGEST) return affine_unknown();
    return (struct affine_sum){.known = true, .low = low, .high = high};
}

struct affine_sum affine_number(int64_t n) {
    return affine_between(n, n);
}

struct affine_sum affine_atom(unsigned atom) {
    return (struct affine_sum){
        .known = true, .count = 1, .terms = {{(uint8_t)atom, 0, AFFINE_WHOLE, 1}}};
}

bool affine_is_number(const struct affine_sum *a) {
    return a->known && !a->count && a->low == a->high;
}

static bool is_same_field(const struct affine_term *a, const struct affine_term *b) {
    return a->atom == b->atom && a->low == b->low && a->width == b->width;
}

static bool has_same_terms(const struct affine_sum *a, const struct affine_sum *b) {
    bool same = a->count == b->count;
    for (unsigned n = 0; same && n < a->count; n++)
        same = is_same_field(&a->terms[n], &b->terms[n]) && a->terms[n].by == b->terms[n].by;
    return same;
}

static bool has_same_parts(const struct affine_sum *a, const struct affine_sum *b) {
    bool same = a->nparts == b->nparts;
    for (unsigned n = 0; same && n < a->nparts; n++)
        same = a->parts[n].auxiliary == b->parts[n].auxiliary && a->parts[n].by == b->parts[n].by;
    return same;
}

bool affine_equal(const struct affine_sum *a, const struct affine_sum *b) {
    if (!a->known || !b->known) return a->known == b->known;
    return a->low == b->low && a->high == b->high && has_same_terms(a, b) && has_same_parts(a, b) &&
           (!a->nparts || (a->from == b->from && a->to == b->to));
}

static int64_t ones(unsigned width) { return (INT64_C(1) << width) - 1; }

int64_t affine_field_end(int64_t most, const struct affine_term *t) {
    if (t->width == AFFINE_WHOLE) return most < 0 ? -1 : most >> t->low;
    if (most >= 0 && most >> t->low < ones(t->width)) return most >> t->low;
    return ones(t->width);
}

/* The largest value of a term's field; -1: not known. */
static int64_t field_most(const struct affine_limits *l, const struct affine_term *t) {
    return affine_field_end(l->most[t->atom], t);
}

bool affine_range(const struct affine_limits *l, const struct affine_sum *a, int64_t *low,
                  int64_t *high) {
    if (!a->known) return false;
    *low = a->low;
    *high = a->high;
    for (unsigned n = 0; n < a->count; n++) {
        int64_t most = field_most(l, &a->terms[n]), sum;
        if (most < 0 || __builtin_mul_overflow(most, a->terms[n].by, &sum)) return false;
        *(sum < 0 ? low : high) += sum;
        if (*low < -LARGEST * 4 || *high > LARGEST * 4) return false;
    }
    return true;
}

/* ---- sums ---- */

static unsigned end_of(const struct affine_term *t) {
    return t->width == AFFINE_WHOLE ? 64 : t->low + t->width;
}

/* Puts a term in, fields of the same atom cut where others end. False: there are too many. */
static bool put(struct affine_sum *a, struct affine_term t) {
    while (t.by) {
        unsigned n = 0;
        while (n < a->count && (a->terms[n].atom < t.atom ||
                                (a->terms[n].atom == t.atom && end_of(&a->terms[n]) <= t.low)))
            n++;
        struct affine_term *at = &a->terms[n];
        bool meets = n < a->count && at->atom == t.atom && at->low < end_of(&t);
        if (meets && at->low < t.low) { /* its lower part, which t has not */
            if (a->count == AFFINE_TERMS) return false;
            unsigned cut = t.low - at->low;
            memmove(at + 1, at, (a->count++ - n) * sizeof *at);
            at->width = (uint8_t)cut;
            at[1].low = t.low;
            at[1].by <<= cut;
            if (at[1].width != AFFINE_WHOLE) at[1].width = (uint8_t)(at[1].width - cut);
            continue;
        }
        if (meets && t.low == at->low && end_of(&t) < end_of(at)) { /* its upper part */
            if (a->count == AFFINE_TERMS) return false;
            unsigned cut = t.width;
            memmove(at + 1, at, (a->count++ - n) * sizeof *at);
            at->width = (uint8_t)cut;
            at[1].low = (uint8_t)(at[1].low + cut);
            at[1].by <<= cut;
            if (at[1].width != AFFINE_WHOLE) at[1].width = (uint8_t)(at[1].width - cut);
            continue;
        }
        struct affine_term rest = {.by = 0};
        if (meets && t.low < at->low) { /* what lies below the other one goes in by itself */
            rest = t;
            unsigned cut = at->low - t.low;
            rest.low = at->low;
            rest.by <<= cut;
            if (rest.width != AFFINE_WHOLE) rest.width = (uint8_t)(rest.width - cut);
            t.width = (uint8_t)cut;
            meets = false;
        } else if (meets && end_of(&t) > end_of(at)) {
            rest = t;
            unsigned cut = end_of(at) - t.low;
            rest.low = (uint8_t)end_of(at);
            rest.by <<= cut;
            if (rest.width != AFFINE_WHOLE) rest.width = (uint8_t)(rest.width - cut);
        }
        if (meets) {
            at->by += t.by;
            if (!at->by) memmove(at, at + 1, (--a->count - n) * sizeof *at);
        } else {
            if (a->count == AFFINE_TERMS) return false;
            memmove(at + 1, at, (a->count++ - n) * sizeof *at);
            *at = t;
        }
        t = rest;
    }
    return true;
}

/* Fields that belong together become one again. */
static void join(struct affine_sum *a) {
    for (unsigned n = 0; n + 1 < a->count;) {
        struct affine_term *t = &a->terms[n];
        bool whole = t[1].width == AFFINE_WHOLE;
        if (t->atom == t[1].atom && end_of(t) == t[1].low && t->width < 31 &&
            t->by * (INT64_C(1) << t->width) == t[1].by) {
            t->width = whole ? AFFINE_WHOLE : (uint8_t)(t->width + t[1].width);
            memmove(t + 1, t + 2, (--a->count - n - 1u) * sizeof *t);
        } else {
            n++;
        }
    }
}

/* Says what is besides auxiliary variables, of a sum that may have none. */
static void find_rest(struct affine_sum *a) {
    if (a->nparts) return;
    a->from = a->low;
    a->to = a->high;
}

/* Where they are too many nothing is known by them. */
static void add_parts(struct affine_sum *a, const struct affine_sum *b) {
    unsigned n = 0;
    for (unsigned m = 0; m < b->nparts; m++) {
        struct affine_part p = b->parts[m], *at;
        while (n < a->nparts && a->parts[n].auxiliary < p.auxiliary) n++;
        at = &a->parts[n];
        if (n < a->nparts && at->auxiliary == p.auxiliary) {
            at->by += p.by;
            if (!at->by) memmove(at, at + 1, (--a->nparts - n) * sizeof *at);
        } else if (a->nparts == AFFINE_PARTS) {
            a->nparts = 0;
            return;
        } else {
            memmove(at + 1, at, (a->nparts++ - n) * sizeof *at);
            *at = p;
        }
    }
    if (a->nparts) return;
    a->low = a->from; /* they are gone */
    a->high = a->to;
}

static bool is_small(const struct affine_sum *a) {
    for (unsigned n = 0; n < a->count; n++)
        if (a->terms[n].by > LARGEST || a->terms[n].by < -LARGEST) return false;
    return a->low >= -LARGEST && a->high <= LARGEST;
}

struct affine_sum affine_scale(const struct affine_sum *a, int64_t times) {
    struct affine_sum r = *a;
    if (!a->known) return r;
    if (!times) return affine_number(0);
    if (times > LARGEST || times < -LARGEST) return affine_unknown();
    for (unsigned n = 0; n < r.count; n++)
        if (__builtin_mul_overflow(r.terms[n].by, times, &r.terms[n].by)) return affine_unknown();
    if (__builtin_mul_overflow(times > 0 ? a->low : a->high, times, &r.low) ||
        __builtin_mul_overflow(times > 0 ? a->high : a->low, times, &r.high))
        return affine_unknown();
    for (unsigned n = 0; n < r.nparts; n++)
        if (__builtin_mul_overflow(r.parts[n].by, times, &r.parts[n].by)) r.nparts = 0;
    if (r.nparts && (__builtin_mul_overflow(times > 0 ? a->from : a->to, times, &r.from) ||
                     __builtin_mul_overflow(times > 0 ? a->to : a->from, times, &r.to)))
        r.nparts = 0;
    return is_small(&r) ? r : affine_unknown();
}

struct affine_sum affine_add(const struct affine_limits *l, const struct affine_sum *a,
                             const struct affine_sum *b, int64_t times) {
    struct affine_sum r = *a, more = affine_scale(b, times);
    (void)l;
    if (!a->known || !more.known) return affine_unknown();
    find_rest(&r);
    find_rest(&more);
    r.low += more.low;
    r.high += more.high;
    r.from += more.from;
    r.to += more.to;
    if (more.nparts) add_parts(&r, &more);
    for (unsigned n = 0; n < more.count; n++)
        if (!put(&r, more.terms[n])) return affine_unknown();
    join(&r);
    return is_small(&r) ? r : affine_unknown();
}

struct affine_sum affine_either(const struct affine_sum *a, const struct affine_sum *b) {
    struct affine_sum r = *a;
    if (!a->known || !b->known || !has_same_terms(a, b)) return affine_unknown();
    if (b->low < r.low) r.low = b->low;
    if (b->high > r.high) r.high = b->high;
    if (!has_same_parts(a, b)) r.nparts = 0;
    if (r.nparts && b->from < r.from) r.from = b->from;
    if (r.nparts && b->to > r.to) r.to = b->to;
    return r;
}

/* ---- bits ---- */

/* Each term has bits of its own, above those of none other, and the base is a number that has
 * others: then the sum is what they are side by side. */
static bool is_layout(const struct affine_limits *l, const struct affine_sum *a) {
    uint64_t taken = (uint64_t)a->low;
    if (!a->known || a->low != a->high || a->low < 0) return false;
    for (unsigned n = 0; n < a->count; n++) {
        int64_t most = field_most(l, &a->terms[n]), by = a->terms[n].by;
        if (most < 0 || by <= 0 || by & (by - 1) || most >= I32_END || by >= I32_END) return false;
        unsigned width = most ? 64 - (unsigned)__builtin_clzll((uint64_t)most) : 0;
        uint64_t bits = (uint64_t)ones(width) * (uint64_t)by;
        if (taken & bits || bits >> BITS) return false;
        taken |= bits;
    }
    return true;
}

/* The bits [from, end) of a layout, as a number. */
static struct affine_sum piece(const struct affine_limits *l, const struct affine_sum *a,
                               unsigned from, unsigned end) {
    struct affine_sum r = affine_number((a->low & ones(end)) >> from);
    for (unsigned n = 0; n < a->count; n++) {
        struct affine_term t = a->terms[n];
        unsigned at = (unsigned)__builtin_ctzll((uint64_t)t.by), cut = from > at ? from - at : 0;
        int64_t most = field_most(l, &t);
        unsigned width = most ? 64 - (unsigned)__builtin_clzll((uint64_t)most) : 0;
        if (!width || at >= end || at + width <= from) continue;
        bool upper = at + width <= end; /* all of its upper bits */
        unsigned left = (upper ? at + width : end) - at - cut;
        t.low = (uint8_t)(t.low + cut);
        t.width = upper && t.width == AFFINE_WHOLE ? AFFINE_WHOLE : (uint8_t)left;
        t.by = INT64_C(1) << (at + cut - from);
        if (!put(&r, t)) return affine_unknown();
    }
    join(&r);
    return r;
}

static struct affine_sum and_number(const struct affine_limits *l, const struct affine_sum *a,
                                    uint64_t mask) {
    struct affine_sum r = affine_number(0);
    if (!is_layout(l, a))
        return (int64_t)mask < I32_END ? affine_between(0, (int64_t)mask) : affine_unknown();
    while (mask && r.known) {
        unsigned from = (unsigned)__builtin_ctzll(mask);
        unsigned end = from + (unsigned)__builtin_ctzll(~(mask >> from));
        struct affine_sum p = piece(l, a, from, end);
        r = affine_add(l, &r, &p, INT64_C(1) << from);
        mask &= ~((UINT64_C(1) << end) - 1);
    }
    return r;
}

static struct affine_sum xor_number(const struct affine_limits *l, const struct affine_sum *a,
                                    uint64_t mask) {
    struct affine_sum off = and_number(l, a, mask), all = affine_number((int64_t)mask), r;
    if (!is_layout(l, a) || !off.known) return affine_unknown();
    r = affine_add(l, a, &off, -2);
    return affine_add(l, &r, &all, 1);
}

/* ---- quotients ---- */

/* Into what is a multiple of `by` and what is less; of one that is not negative. */
static bool divide(const struct affine_limits *l, const struct affine_sum *a, int64_t by,
                   struct affine_sum *quotient, struct affine_sum *rest) {
    struct affine_sum high = affine_number(0), low = *a;
    int64_t from, to;
    low.count = 0;
    if (by <= 0 || !a->known) return false;
    if (!affine_range(l, a, &from, &to) || from < 0 || to >= I32_END) return false;
    if (!(by & (by - 1)) && is_layout(l, a)) {
        unsigned at = (unsigned)__builtin_ctzll((uint64_t)by);
        *quotient = piece(l, a, at, BITS);
        *rest = piece(l, a, 0, at);
        return quotient->known && rest->known;
    }
    for (unsigned n = 0; n < a->count; n++) {
        struct affine_term t = a->terms[n];
        bool whole = t.by % by == 0;
        if (whole) t.by /= by;
        if (!put(whole ? &high : &low, t)) return false;
    }
    if (a->low == a->high) {
        high.low = high.high = a->low / by;
        low.low = low.high = a->low % by;
    }
    if (!affine_range(l, &low, &from, &to) || from < 0 || to >= by) return false;
    *quotient = high;
    *rest = low;
    return true;
}

/* ---- operations ---- */

/* The value itself, not one that differs from it by a multiple of 2^32, and not negative. */
static bool is_plain(const struct affine_limits *l, const struct affine_sum *a) {
    int64_t low, high;
    return affine_range(l, a, &low, &high) && low >= 0 && high < I32_END;
}

static bool is_signed(const struct affine_limits *l, const struct affine_sum *a) {
    int64_t low, high;
    return affine_range(l, a, &low, &high) && low >= -I32_END && high < I32_END;
}

static struct affine_sum quotient_of(const struct affine_limits *l, const struct isa_inst *i,
                                     const struct affine_sum *a, int64_t by) {
    struct affine_sum quotient, rest;
    bool quotients = i->op == ISA_div_s || i->op == ISA_div_u;
    if (divide(l, a, by, &quotient, &rest)) return quotients ? quotient : rest;
    if (by <= 0 || quotients) return affine_unknown();
    return affine_between(i->op == ISA_rem_u || is_plain(l, a) ? 0 : 1 - by, by - 1);
}

static struct affine_sum shifted_right(const struct affine_limits *l, const struct isa_inst *i,
                                       const struct affine_sum *a, int64_t by) {
    struct affine_sum quotient, rest;
    if (i->type != ISA_I32) return affine_unknown();
    by &= 31;
    if (by == 31 && is_plain(l, a)) return affine_number(0);
    if (by < 31 && divide(l, a, INT64_C(1) << by, &quotient, &rest)) return quotient;
    if (i->op == ISA_shr_u && by) return affine_between(0, ones(32 - (unsigned)by));
    return affine_unknown();
}

static struct affine_sum smaller_or_larger(const struct affine_limits *l, const struct isa_inst *i,
                                           const struct affine_sum *src) {
    bool min = i->op == ISA_min_s || i->op == ISA_min_u;
    bool negative = i->op == ISA_min_s || i->op == ISA_max_s;
    int64_t low[2], high[2];
    for (unsigned n = 0; n < 2; n++)
        if (!affine_range(l, &src[n], &low[n], &high[n]) || high[n] >= I32_END ||
            low[n] < (negative ? -I32_END : 0))
            return affine_unknown();
    for (unsigned n = 0; n < 2; n++)
        if (min ? high[n] <= low[!n] : low[n] >= high[!n]) return src[n];
    return min ? affine_between(low[0] < low[1] ? low[0] : low[1],
                                high[0] < high[1] ? high[0] : high[1])
               : affine_between(low[0] > low[1] ? low[0] : low[1],
                                high[0] > high[1] ? high[0] : high[1]);
}

static struct affine_sum shifted_left(const struct isa_inst *i, const struct affine_sum *src) {
    enum { MOST_BITS = 40 };
    if (!affine_is_number(&src[1])) return affine_unknown();
    int64_t by = src[1].low & (i->type == ISA_I32 ? 31 : 63);
    return by > MOST_BITS ? affine_unknown() : affine_scale(&src[0], INT64_C(1) << by);
}

/* Of 24 bits nothing is lost. */
static bool is_short(const struct affine_limits *l, const struct isa_inst *i,
                     const struct affine_sum *a) {
    int64_t low, high, end = INT64_C(1) << (i->op == ISA_mul24_s ? 23 : 24);
    return affine_range(l, a, &low, &high) && high < end &&
           low >= (i->op == ISA_mul24_s ? -end : 0);
}

static struct affine_sum product(const struct affine_sum *src) {
    if (affine_is_number(&src[1])) return affine_scale(&src[0], src[1].low);
    return affine_is_number(&src[0]) ? affine_scale(&src[1], src[0].low) : affine_unknown();
}

/* The widening of a narrow number: where its bits stay what they are. */
static struct affine_sum widened(const struct affine_limits *l, const struct isa_inst *i,
                                 const struct affine_sum *a) {
    unsigned bits = isa_type_size[i->type2] * 8;
    bool zero = i->op == ISA_zext;
    if (bits == 32 && (zero ? is_plain(l, a) : is_signed(l, a))) return *a;
    if (bits < 32)
        return affine_between(zero ? 0 : -(INT64_C(1) << (bits - 1)),
                              zero ? ones(bits) : ones(bits - 1));
    return affine_unknown();
}

static struct affine_sum bitwise(const struct affine_limits *l, const struct isa_inst *i,
                                 const struct affine_sum *src) {
    unsigned n = affine_is_number(&src[0]);
    const struct affine_sum *a = &src[n], *b = &src[!n];
    if (!affine_is_number(b)) { /* of what is short the result is */
        int64_t low, high;
        for (unsigned s = 0; i->op == ISA_and && s < 2; s++)
            if (affine_range(l, &src[s], &low, &high) && low >= 0 && high < I32_END)
                return affine_between(0, high);
        return affine_unknown();
    }
    uint64_t mask = (uint64_t)b->low & UINT32_MAX;
    if (i->type != ISA_I32) return affine_unknown();
    if (i->op == ISA_and) return and_number(l, a, mask);
    if (mask >= (uint64_t)I32_END) return affine_unknown();
    if (i->op == ISA_xor) return xor_number(l, a, mask);
    struct affine_sum both = and_number(l, a, mask); /* a | b is a + b - (a & b) */
    if (!is_layout(l, a) || !both.known) return affine_unknown();
    struct affine_sum sum = affine_add(l, a, b, 1);
    return affine_add(l, &sum, &both, -1);
}

struct affine_sum affine_of_inst(const struct affine_limits *l, const struct isa_inst *i,
                                 const struct affine_sum *src) {
    bool wide = i->type == ISA_I32 || i->type == ISA_I64;
    if (!wide) return affine_unknown();
    switch (i->op) {
    case ISA_mov: return src[0];
    case ISA_add: return affine_add(l, &src[0], &src[1], 1);
    case ISA_sub: return affine_add(l, &src[0], &src[1], -1);
    case ISA_mul: return product(src);
    case ISA_mul24_s:
    case ISA_mul24_u:
        return is_short(l, i, &src[0]) && is_short(l, i, &src[1]) ? product(src) : affine_unknown();
    case ISA_shl: return shifted_left(i, src);
    case ISA_shr_s:
    case ISA_shr_u:
        return affine_is_number(&src[1]) ? shifted_right(l, i, &src[0], src[1].low)
                                         : affine_unknown();
    case ISA_div_s:
    case ISA_div_u:
    case ISA_rem_s:
    case ISA_rem_u:
        return affine_is_number(&src[1]) ? quotient_of(l, i, &src[0], src[1].low)
                                         : affine_unknown();
    case ISA_and:
    case ISA_or:
    case ISA_xor: return bitwise(l, i, src);
    case ISA_min_s:
    case ISA_min_u:
    case ISA_max_s:
    case ISA_max_u: return smaller_or_larger(l, i, src);
    case ISA_sext:
    case ISA_zext: return widened(l, i, &src[0]);
    case ISA_trunc: return src[0];
    default: return affine_unknown();
    }
}
