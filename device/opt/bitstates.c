#include "bitstates.h"

enum { MOST_SOURCES = 3 };

static bool same(struct bitstate_value a, struct bitstate_value b) {
    return a.is == b.is && a.bits == b.bits && a.other == b.other;
}

static struct bitstate_value constant(uint64_t bits) {
    return (struct bitstate_value){BITSTATE_CONST, bits, 0};
}

static struct bitstate_value either(struct bitstate_value a, struct bitstate_value b) {
    if (a.is != BITSTATE_CONST || b.is != BITSTATE_CONST) return (struct bitstate_value){0};
    if (a.bits == b.bits) return a;
    return (struct bitstate_value){BITSTATE_EITHER, a.bits, b.bits};
}

static bool is_down(unsigned kind) { return kind == BITSTATES_DOWN || kind == BITSTATES_DOWN_ZERO; }
static bool of_zeros(unsigned kind) {
    return kind == BITSTATES_UP_ZERO || kind == BITSTATES_DOWN_ZERO;
}

static unsigned width_of(const struct isa_kernel *k, isa_operand o) {
    return isa_type_size[isa_operand_type(k, o)] * 8u;
}

/* ---- what is known ---- */

bool bitstates_of_bit(const struct isa_kernel *k, const struct bits *b, enum isa_type t,
                      struct bitstates *r, struct arena *a) {
    uint64_t set = 1, mask = b->mask;
    if (!bitvalues_is_one(mask)) return false;
    if (b->kind == BITS_SLICE) {
        if (b->valid != bitvalues_ones(t)) return false;
        set = mask;
        mask = b->shift < 0 ? mask >> -b->shift : mask << b->shift;
    } else if (b->kind != BITS_FLAG && b->kind != BITS_COUNT) {
        return false;
    }
    unsigned place = (unsigned)__builtin_ctzll(mask), width = width_of(k, b->base);
    struct bitstate_value one = constant(b->inverted ? 0 : set),
                          no = constant(b->inverted ? set : 0);
    for (unsigned kind = 0; kind < BITSTATES; kind++) {
        struct bitstate *s = r->of[kind] = ARENA_NEW(a, struct bitstate);
        unsigned from = is_down(kind) ? width - 1 - place : place;
        *s = (struct bitstate){(uint8_t)kind,
                               1,
                               (uint8_t)from,
                               b->base,
                               b->with,
                               mask,
                               ARENA_ARRAY(a, struct bitstate_value, 2)};
        /* Of counts, 1 comes last; of the others, the bit comes before none. */
        bool last = (kind == BITSTATES_COUNT) != of_zeros(kind);
        s->values[0] = last ? no : one;
        s->values[1] = last ? one : no;
    }
    return true;
}

/* One operation of values, of which none is one of two. */
static struct bitstate_value result_of(const struct isa_kernel *k, const struct isa_inst *i,
                                       const struct bitstate_value *of) {
    struct bitstate_value r = {0};
    struct isa_const c[MOST_SOURCES];
    bool all = true;
    if (i->op == ISA_mov) return of[0];
    if (i->op == ISA_select) {
        if (of[0].is == BITSTATE_CONST) return of[of[0].bits ? 1 : 2];
        return same(of[1], of[2]) ? of[1] : r;
    }
    for (unsigned s = 0; s < i->nsrc; s++) {
        uint64_t ones = bitvalues_ones((enum isa_type)i->type);
        bool is = of[s].is == BITSTATE_CONST;
        if (is && i->op == ISA_and && !of[s].bits) return of[s];
        if (is && i->op == ISA_or && of[s].bits == ones) return of[s];
        c[s] = (struct isa_const){.type = (uint8_t)isa_operand_type(k, isa_srcs(k, i)[s]),
                                  .bits = of[s].bits};
        all &= is;
    }
    if (all && isa_fold((enum isa_op)i->op, (enum isa_type)i->type, (enum isa_type)i->type2, i->mod,
                        c, i->nsrc, false, &r.bits))
        r.is = BITSTATE_CONST;
    return r;
}

/* One operation of values: of one of two, with each. */
static struct bitstate_value result(const struct isa_kernel *k, const struct isa_inst *i,
                                    const struct bitstate_value *of) {
    struct bitstate_value with[MOST_SOURCES], a;
    unsigned n = 0;
    while (n < i->nsrc && of[n].is != BITSTATE_EITHER) n++;
    if (n == i->nsrc) return result_of(k, i, of);
    for (unsigned s = 0; s < i->nsrc; s++)
        with[s] = of[s].is == BITSTATE_EITHER ? (struct bitstate_value){0} : of[s];
    with[n] = constant(of[n].bits);
    a = result_of(k, i, with);
    with[n] = constant(of[n].other);
    return either(a, result_of(k, i, with));
}

/* An instruction's operands, of one kind. */
struct operands {
    const struct isa_inst *i;
    const struct bitstate *of[MOST_SOURCES]; /* or NULL: */
    struct bitstate_value fixed[MOST_SOURCES];
};

static const struct bitstate *find_operands(const struct isa_kernel *k, const struct bitstates *of,
                                            const uint8_t *fixed, unsigned kind,
                                            struct operands *x) {
    const struct bitstate *first = NULL;
    for (unsigned s = 0; s < x->i->nsrc; s++) {
        isa_operand o = isa_srcs(k, x->i)[s];
        const struct bitstate *b = isa_is_reg(o) ? of[o].of[kind] : NULL;
        x->of[s] = NULL;
        x->fixed[s] = (struct bitstate_value){0};
        if (isa_is_const(o)) {
            enum isa_type t = (enum isa_type)isa_operand_type(k, o);
            x->fixed[s] = constant(isa_cut(t, k->consts[isa_const_index(o)].bits));
        } else if (b && (!first || (b->base == first->base && b->with == first->with))) {
            x->of[s] = b;
            if (!first) first = b;
        } else if (isa_is_reg(o) && fixed[o]) {
            x->fixed[s] = (struct bitstate_value){BITSTATE_OPERAND, o, 0};
        }
    }
    return first;
}

/* Of how many bits are set: of the same ones, or of these and others. */
static bool count(const struct isa_kernel *k, const struct operands *x, struct bitstate *r,
                  struct arena *a) {
    const struct bitstate *one = NULL, *other = NULL;
    for (unsigned s = 0; s < x->i->nsrc; s++) {
        const struct bitstate *b = x->of[s];
        if (!b) continue;
        if (!one || b->mask == one->mask)
            one = one ? one : b;
        else if ((!other && !(b->mask & one->mask)) || (other && other->mask == b->mask))
            other = b;
        else
            return false;
    }
    unsigned more = other ? other->n : 0;
    r->n = (uint8_t)(one->n + more);
    r->mask = one->mask | (other ? other->mask : 0);
    r->values = ARENA_ARRAY(a, struct bitstate_value, r->n + 1u);
    for (unsigned n = 0; n <= one->n; n++)
        for (unsigned m = 0; m <= more; m++) {
            struct bitstate_value of[MOST_SOURCES], *to = &r->values[n + m], v;
            for (unsigned s = 0; s < x->i->nsrc; s++) {
                const struct bitstate *b = x->of[s];
                of[s] = b ? b->values[b->mask == one->mask ? n : m] : x->fixed[s];
            }
            v = result(k, x->i, of);
            if (v.is != BITSTATE_CONST || (to->is && !same(*to, v))) return false;
            *to = v;
        }
    return true;
}

/* What it is if the first bit is at a place, or beyond all that it is of. */
static struct bitstate_value value_at(const struct bitstate *b, unsigned place) {
    if (place < b->from) /* any of its values: it is of later bits */
        return b->n == 1 ? either(b->values[0], b->values[1]) : (struct bitstate_value){0};
    return b->values[place < b->from + b->n ? place - b->from : b->n];
}

/* Of which is the first one. */
static bool first(const struct isa_kernel *k, const struct operands *x, struct bitstate *r,
                  struct arena *a) {
    unsigned from = UINT8_MAX, end = 0;
    bool any = false;
    for (unsigned s = 0; s < x->i->nsrc; s++) {
        const struct bitstate *b = x->of[s];
        if (b && b->from < from) from = b->from;
        if (b && b->from + b->n > end) end = b->from + b->n;
    }
    r->from = (uint8_t)from;
    r->n = (uint8_t)(end - from);
    r->values = ARENA_ARRAY(a, struct bitstate_value, r->n + 1u);
    for (unsigned n = 0; n <= r->n; n++) {
        struct bitstate_value of[MOST_SOURCES];
        for (unsigned s = 0; s < x->i->nsrc; s++)
            of[s] = x->of[s] ? value_at(x->of[s], from + n) : x->fixed[s];
        r->values[n] = result(k, x->i, of);
        any |= r->values[n].is != BITSTATE_UNKNOWN;
    }
    return any;
}

bool bitstates_result(const struct isa_kernel *k, const struct bitstates *of, const uint8_t *fixed,
                      uint32_t n, struct bitstates *r, struct arena *a) {
    struct operands x = {.i = &k->insts[n]};
    bool any = false;
    if (x.i->nsrc > MOST_SOURCES) return false;
    for (unsigned kind = 0; kind < BITSTATES; kind++) {
        const struct bitstate *like = find_operands(k, of, fixed, kind, &x);
        if (!like) continue;
        struct arena_mark mark = arena_mark(a);
        struct bitstate *s = ARENA_NEW(a, struct bitstate);
        *s = *like;
        bool known = kind == BITSTATES_COUNT ? count(k, &x, s, a) : first(k, &x, s, a);
        if (known)
            r->of[kind] = s;
        else
            arena_release(a, mark);
        any |= known;
    }
    return any;
}

/* ---- what is written ---- */

/* Are values[0..n) a constant, each `step` more than the one before? */
static bool is_even(const struct bitstate *s, unsigned n, enum isa_type t, uint64_t *step) {
    *step = n > 1 ? isa_cut(t, s->values[1].bits - s->values[0].bits) : 0;
    if (s->values[0].is != BITSTATE_CONST) return false;
    for (unsigned m = 1; m < n; m++)
        if (s->values[m].is != BITSTATE_CONST ||
            isa_cut(t, s->values[m - 1].bits + *step) != s->values[m].bits)
            return false;
    return true;
}

/* From which count on is it always the same? */
static unsigned steady_from(const struct bitstate *s) {
    unsigned n = s->n;
    while (n && same(s->values[n - 1], s->values[s->n])) n--;
    return n;
}

static bool alternates(const struct bitstate *s) {
    for (unsigned n = 2; n <= s->n; n++)
        if (!same(s->values[n], s->values[n - 2])) return false;
    return true;
}

bool bitstates_whole(const struct bitstate *s, enum isa_type t, struct bitstate *whole) {
    uint64_t step;
    *whole = *s;
    if (s->kind == BITSTATES_COUNT) {
        unsigned n = steady_from(s);
        bool one = is_even(s, n ? n : 1, t, &step) && !step;
        return one || alternates(s) || (isa_is_integer(t) && is_even(s, n + 1, t, &step));
    }
    struct bitstate_value none = whole->values[whole->n];
    if (none.is != BITSTATE_CONST && none.is != BITSTATE_OPERAND) return false;
    while (whole->n && same(whole->values[whole->n - 1], none)) whole->n--;
    if (!whole->n || !is_even(whole, whole->n, t, &step)) return false;
    if (t == ISA_PRED && none.is == BITSTATE_OPERAND) return false;
    return !step || isa_is_integer(t);
}

static isa_operand number(struct isa_kernel *k, enum isa_type t, uint64_t bits) {
    return isa_const_new(k, t, isa_cut(t, bits));
}

/* A constant, or an operand. */
static isa_operand operand(struct isa_kernel *k, enum isa_type t, struct bitstate_value v) {
    return v.is == BITSTATE_OPERAND ? (isa_operand)v.bits : number(k, t, v.bits);
}

/* p ? yes : no, of a type */
static void write_choice(struct isa_kernel *k, enum isa_type t, isa_operand to, isa_operand p,
                         struct bitstate_value yes, struct bitstate_value no) {
    if (same(yes, no)) {
        isa_operand v = number(k, t, yes.bits);
        isa_emit(k, ISA_mov, t, ISA_NONE_T, 1, &to, 1, &v);
    } else if (t == ISA_PRED) {
        isa_emit(k, yes.bits ? ISA_mov : ISA_not, t, ISA_NONE_T, 1, &to, 1, &p);
    } else {
        isa_operand src[3] = {p, operand(k, t, yes), operand(k, t, no)};
        isa_emit(k, ISA_select, t, ISA_NONE_T, 1, &to, 3, src);
    }
}

/* first + step * n; n is of type `from`. */
static isa_operand linear(struct isa_kernel *k, enum isa_type t, enum isa_type from, isa_operand n,
                          uint64_t first, uint64_t step) {
    n = bitvalues_as(k, t, from, n);
    if (step == bitvalues_ones(t)) return bitvalues_make(k, ISA_sub, t, number(k, t, first), n);
    if (step != 1) n = bitvalues_make(k, ISA_mul, t, n, number(k, t, step));
    return first ? bitvalues_make(k, ISA_add, t, n, number(k, t, first)) : n;
}

static void write_count(struct isa_kernel *k, const struct bitstate *s, isa_operand v,
                        enum isa_type from, isa_operand to) {
    enum isa_type t = (enum isa_type)isa_operand_type(k, to);
    unsigned n = steady_from(s);
    uint64_t step;
    isa_operand p;
    if (s->mask != bitvalues_ones(from))
        v = bitvalues_make(k, ISA_and, from, v, number(k, from, s->mask));
    if (n > 1 || s->n == 1) v = bitvalues_make(k, ISA_popc, from, v, ISA_NO_OPERAND);
    if (is_even(s, n ? n : 1, t, &step) && !step) {
        if (n > 1)
            p = isa_emit1(k, ISA_lt_u, ISA_PRED, from, v, number(k, from, n), ISA_NO_OPERAND);
        else
            p = isa_emit1(k, ISA_eq, ISA_PRED, from, v, number(k, from, 0), ISA_NO_OPERAND);
        write_choice(k, t, to, p, s->values[0], s->values[s->n]);
        return;
    }
    uint64_t first = s->values[0].bits;
    bool integer = isa_is_integer(t), even = integer && is_even(s, n + 1, t, &step);
    if (even && n < s->n) v = bitvalues_make(k, ISA_min_u, from, v, number(k, from, n));
    if (!even) v = bitvalues_make(k, ISA_and, from, v, number(k, from, 1));
    if (integer) {
        if (!even) step = isa_cut(t, s->values[1].bits - first);
        isa_operand r = linear(k, t, from, v, first, step);
        isa_emit(k, ISA_mov, t, ISA_NONE_T, 1, &to, 1, &r);
        return;
    }
    p = isa_emit1(k, ISA_eq, ISA_PRED, from, v, number(k, from, 0), ISA_NO_OPERAND);
    write_choice(k, t, to, p, s->values[0], s->values[1]);
}

static void write_first(struct isa_kernel *k, const struct bitstate *s, isa_operand v,
                        enum isa_type from, isa_operand to) {
    enum isa_type t = (enum isa_type)isa_operand_type(k, to);
    unsigned width = isa_type_size[from] * 8;
    bool down = is_down(s->kind);
    struct bitstate_value none = s->values[s->n];
    uint64_t step, first = s->values[0].bits, all = bitvalues_ones(from);
    isa_operand p;
    is_even(s, s->n, t, &step);
    if (!step) {
        all = all >> (width - s->n) << (down ? width - s->n - s->from : s->from);
        if (all != bitvalues_ones(from))
            v = bitvalues_make(k, ISA_and, from, v, number(k, from, all));
        p = isa_emit1(k, ISA_ne, ISA_PRED, from, v, number(k, from, 0), ISA_NO_OPERAND);
        write_choice(k, t, to, p, s->values[0], none);
        return;
    }
    if (s->from)
        v = bitvalues_make(k, down ? ISA_shl : ISA_shr_u, from, v, number(k, from, s->from));
    v = down ? bitvalues_make(k, ISA_clz, from, v, ISA_NO_OPERAND) : bitvalues_below(k, from, v);
    if (s->n < width) v = bitvalues_make(k, ISA_min_u, from, v, number(k, from, s->n));
    isa_operand r = linear(k, t, from, v, first, step);
    if (none.is == BITSTATE_CONST && none.bits == isa_cut(t, first + step * s->n)) {
        isa_emit(k, ISA_mov, t, ISA_NONE_T, 1, &to, 1, &r);
        return;
    }
    p = isa_emit1(k, ISA_eq, ISA_PRED, from, v, number(k, from, s->n), ISA_NO_OPERAND);
    isa_operand src[3] = {p, operand(k, t, none), r};
    isa_emit(k, ISA_select, t, ISA_NONE_T, 1, &to, 3, src);
}

void bitstates_write(struct isa_kernel *k, const struct bitstate *s, isa_operand to) {
    enum isa_type from = (enum isa_type)isa_operand_type(k, s->base);
    struct bits b = {.base = s->base, .with = s->with, .inverted = of_zeros(s->kind)};
    isa_operand v = bitvalues_base(k, &b, from);
    if (s->kind == BITSTATES_COUNT)
        write_count(k, s, v, from, to);
    else
        write_first(k, s, v, from, to);
}
