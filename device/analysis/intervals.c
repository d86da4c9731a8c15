/* Intervals are found for registers as a whole, of all that is written to them, by going through
 * the kernel until nothing changes; registers begin as 0. What a loop steps is kept finite by the
 * condition that ends the loop. */
#include "intervals.h"

#include "device/isa/loops.h"

enum { ROUNDS = 6, MOST_ROUNDS = 24 }; /* then what still grows is anything; then everything is */

/* Sums and products of these do not overflow, or are looked at. */
static const struct interval everything = {INT64_MIN, INT64_MAX}, nothing = {INT64_MAX, INT64_MIN},
                             zero = {0, 0};

/* What a loop's condition says of a counter where it is stepped. */
struct interval_step {
    uint32_t compares;   /* instruction: what ends the loop, + 1; 0: nothing that is known */
    unsigned counter;    /* which operand of it the counter is */
    bool before, at_end; /* it sees the counter before the step; it is asked behind the step */
};

struct interval_finder {
    const struct isa_kernel *k;
    struct loops l;
    bool has_loops;
    struct interval_step *steps; /* of instructions */
    uint32_t *step_of;           /* registers: the instruction that is their step, + 1 */
    struct interval *of[2];      /* registers: as unsigned, as signed; */
    struct interval *start;      /* counters: what else writes them, as signed */
};

static struct interval hull(struct interval a, struct interval b) {
    return (struct interval){a.least < b.least ? a.least : b.least,
                             a.most > b.most ? a.most : b.most};
}

/* What a type holds. */
static struct interval whole(enum isa_type type, bool is_signed) {
    unsigned bits = 8u * isa_type_size[type];
    if (bits == 64) return everything;
    if (!is_signed) return (struct interval){0, (int64_t)((UINT64_C(1) << bits) - 1)};
    return (struct interval){-(INT64_C(1) << (bits - 1)), (INT64_C(1) << (bits - 1)) - 1};
}

static struct interval of_constant(const struct isa_const *c, bool is_signed) {
    unsigned unused = 64 - 8u * isa_type_size[c->type];
    int64_t v = (int64_t)c->bits;
    if (is_signed && unused) v = (int64_t)(c->bits << unused) >> unused;
    return (struct interval){v, v};
}

/* Of i64 there is but the signed one. */
static struct interval get(const struct interval_finder *f, isa_operand o, bool is_signed) {
    if (isa_is_const(o)) return of_constant(&f->k->consts[isa_const_index(o)], is_signed);
    is_signed |= f->k->reg_types[o] == ISA_I64;
    return f->of[is_signed][o];
}

/* ---- what instructions compute ---- */

static struct interval sum(struct interval a, struct interval b) {
    struct interval v;
    if (__builtin_add_overflow(a.least, b.least, &v.least) ||
        __builtin_add_overflow(a.most, b.most, &v.most))
        return everything;
    return v;
}

static struct interval negative(struct interval a) {
    return a.least == INT64_MIN ? everything : (struct interval){-a.most, -a.least};
}

static struct interval product(struct interval a, struct interval b) {
    const int64_t x[] = {a.least, a.least, a.most, a.most},
                  y[] = {b.least, b.most, b.least, b.most};
    struct interval v = nothing;
    for (unsigned n = 0; n < 4; n++) {
        int64_t p;
        if (__builtin_mul_overflow(x[n], y[n], &p)) return everything;
        v = hull(v, (struct interval){p, p});
    }
    return v;
}

/* All ones up to the highest bit of numbers up to v. */
static int64_t ones(int64_t v) {
    return v > 0 ? (int64_t)(UINT64_MAX >> __builtin_clzll((uint64_t)v)) : 0;
}

static struct interval bitwise(enum isa_op op, struct interval a, struct interval b) {
    if (op == ISA_and && (a.least >= 0 || b.least >= 0)) {
        int64_t most = a.least < 0 ? b.most : b.least < 0 || a.most < b.most ? a.most : b.most;
        return (struct interval){0, most};
    }
    if (a.least < 0 || b.least < 0) return everything;
    return (struct interval){0, ones(a.most | b.most)};
}

static struct interval lesser(struct interval a, struct interval b) {
    return (struct interval){a.least < b.least ? a.least : b.least,
                             a.most < b.most ? a.most : b.most};
}

static struct interval greater(struct interval a, struct interval b) {
    return (struct interval){a.least > b.least ? a.least : b.least,
                             a.most > b.most ? a.most : b.most};
}

/* Of numbers that are not negative; by 0: x / 0 is all ones, x % 0 is x. */
static struct interval quotient(struct interval a, struct interval b) {
    if (a.least < 0 || b.least <= 0) return everything;
    return (struct interval){a.least / b.most, a.most / b.least};
}

static struct interval remainder_of(struct interval a, struct interval b) {
    int64_t by = b.most > 0 ? b.most - 1 : 0;
    if (b.least < 0 || b.least == INT64_MIN) { /* it has x's sign, and is no larger than x */
        return hull(a, (struct interval){0, 0});
    }
    if (a.least >= 0) return (struct interval){0, b.least > 0 && by < a.most ? by : a.most};
    return b.least > 0 ? (struct interval){-by, by} : hull(a, (struct interval){0, 0});
}

static struct interval shifted(const struct interval_finder *f, const struct isa_inst *i,
                               struct interval a) {
    isa_operand by = isa_srcs(f->k, i)[1];
    if (!isa_is_const(by)) return everything;
    unsigned bits = 8u * isa_type_size[i->type];
    unsigned n = (unsigned)(f->k->consts[isa_const_index(by)].bits % bits);
    if (i->op == ISA_shl)
        return n < 62 ? product(a, (struct interval){INT64_C(1) << n, INT64_C(1) << n})
                      : everything;
    if (i->op == ISA_shr_u && a.least < 0) return everything;
    return (struct interval){a.least >> n, a.most >> n};
}

static struct interval of_special(uint32_t which) {
    bool work_dim = which == ISA_SPECIAL_work_dim;
    return work_dim ? (struct interval){1, 3} : (struct interval){0, UINT32_MAX};
}

/* What the instruction writes, were there no end of bits. */
static struct interval computed(const struct interval_finder *f, const struct isa_inst *i,
                                bool is_signed, struct interval first) {
    const isa_operand *src = isa_srcs(f->k, i);
    bool two = i->nsrc > 1 && i->op != ISA_select && isa_operand_type(f->k, src[1]) == i->type;
    struct interval a = first, b = two ? get(f, src[1], is_signed) : a;
    switch (i->op) {
    case ISA_mov: return a;
    case ISA_special: return of_special((uint32_t)i->imm);
    case ISA_select: return hull(get(f, src[1], is_signed), get(f, src[2], is_signed));
    case ISA_add: return sum(a, b);
    case ISA_sub: return sum(a, negative(b));
    case ISA_mul: return product(a, b);
    case ISA_shl:
    case ISA_shr_u: return shifted(f, i, a);
    case ISA_shr_s: return is_signed ? shifted(f, i, a) : everything;
    case ISA_and:
    case ISA_or:
    case ISA_xor: return bitwise((enum isa_op)i->op, a, b);
    case ISA_min_s: return is_signed ? lesser(a, b) : everything;
    case ISA_max_s: return is_signed ? greater(a, b) : everything;
    case ISA_min_u: return a.least >= 0 && b.least >= 0 ? lesser(a, b) : everything;
    case ISA_max_u: return a.least >= 0 && b.least >= 0 ? greater(a, b) : everything;
    case ISA_div_s: return is_signed ? quotient(a, b) : everything;
    case ISA_rem_s: return is_signed ? remainder_of(a, b) : everything;
    case ISA_div_u: return quotient(a, b);
    case ISA_rem_u: return a.least >= 0 && b.least >= 0 ? remainder_of(a, b) : everything;
    default: return everything;
    }
}

/* Of a conversion's operand, which is of another type. */
static struct interval converted(const struct interval_finder *f, const struct isa_inst *i,
                                 bool is_signed) {
    isa_operand src = isa_srcs(f->k, i)[0];
    if (i->op == ISA_zext) return get(f, src, false);
    if (i->op == ISA_sext) return get(f, src, true);
    return get(f, src, is_signed);
}

/* What the instruction writes, `first` being its first operand's values. */
static struct interval result(const struct interval_finder *f, const struct isa_inst *i,
                              bool is_signed, struct interval first) {
    struct interval all = whole((enum isa_type)i->type, is_signed);
    bool converts = i->op == ISA_zext || i->op == ISA_sext || i->op == ISA_trunc;
    struct interval v = converts ? converted(f, i, is_signed) : computed(f, i, is_signed, first);
    return interval_within(v, all.least, all.most) ? v : all;
}

/* ---- loops ---- */

/* Does the comparison at n, by which the loop is left at `leaves`, tell of the counter? Fills in
 * how.
 */
static bool tells(const struct interval_finder *f, uint32_t n, uint32_t leaves,
                  const struct loop_counter *c, struct interval_step *s) {
    const struct isa_inst *i = &f->k->insts[n];
    uint64_t step = 0;
    if (i->op < ISA_lt_s || i->op > ISA_le_u || !isa_is_integer(i->type2)) return false;
    if (isa_is_const(c->step)) step = f->k->consts[isa_const_index(c->step)].bits;
    if (c->down) step = isa_cut((enum isa_type)i->type2, 0 - step);
    s->at_end = leaves > c->at;
    for (s->counter = 0; s->counter < 2; s->counter++) {
        struct loop_sum o = loops_sum(&f->l, f->k, isa_srcs(f->k, i)[s->counter], c->loop, n);
        if (o.reg != c->reg) continue;
        bool first = o.at <= c->at; /* as the iteration begins */
        s->before = !o.plus && first;
        if (s->before || (s->at_end && o.plus == (first ? step : 0))) return true;
    }
    return false;
}

/* Is what the instruction steps a counter of its innermost loop, which ends by a comparison of it?
 */
static void find_step(struct interval_finder *f, uint32_t at) {
    const struct isa_kernel *k = f->k;
    struct interval_step s = {0};
    struct loop_counter c;
    if (!loops_step(&f->l, k, at, &c) || isa_srcs(k, &k->insts[c.sum])[0] != c.reg) return;
    for (uint32_t n = f->l.loops[c.loop].begin + 1; n < f->l.loops[c.loop].end; n++) {
        if (k->insts[n].op != ISA_breakif || f->l.loop_of[n] != c.loop || f->l.nested[n] ||
            f->l.conditional[n] || (c.sum < n && n < at))
            continue;
        uint32_t test = loops_compare(&f->l, k, n);
        if (test == LOOPS_NONE || !tells(f, test, n, &c, &s)) continue;
        s.compares = test + 1;
        break;
    }
    if (!s.compares) return;
    f->steps[c.sum] = s;
    if (f->step_of[c.reg]) f->steps[f->step_of[c.reg] - 1].compares = f->steps[c.sum].compares = 0;
    f->step_of[c.reg] = c.sum + 1;
}

/* What the counter is where the loop goes on. */
static struct interval staying(const struct interval_finder *f, const struct interval_step *s) {
    const struct isa_inst *i = &f->k->insts[s->compares - 1];
    bool is_signed = i->op == ISA_lt_s || i->op == ISA_le_s;
    struct interval limit = get(f, isa_srcs(f->k, i)[1 - s->counter], true), stay = everything;
    bool or_same = i->op == ISA_lt_s || i->op == ISA_lt_u; /* what ends it is strict */
    if (s->counter == 1 && limit.most > INT64_MIN) {       /* ends by limit <= counter */
        if (!is_signed && limit.least < 0) return everything;
        stay.most = limit.most - !or_same;
        if (!is_signed) stay.least = 0;
    } else if (s->counter == 0 && is_signed && limit.least < INT64_MAX) {
        stay.least = limit.least + !or_same;
    }
    return stay;
}

/* What the counter is before its step at n. */
static struct interval stepped(const struct interval_finder *f, uint32_t n, bool is_signed) {
    const struct interval_step *s = &f->steps[n];
    const isa_operand *src = isa_srcs(f->k, &f->k->insts[n]);
    struct interval have = get(f, src[0], is_signed);
    if (!s->compares || !is_signed) return have;
    struct interval stay = staying(f, s);
    struct interval by = get(f, src[1], true);
    if (f->k->insts[n].op == ISA_sub) by = negative(by);
    if (s->before && s->at_end) stay = hull(stay, sum(stay, by));
    if (!s->before || s->at_end) stay = hull(stay, f->start[src[0]]); /* entered without a test */
    if (stay.least == INT64_MIN) stay.least = have.least;
    if (stay.most == INT64_MAX) stay.most = have.most;
    return stay.least <= stay.most ? stay : have;
}

/* ---- all ---- */

/* One number known in both ways is better known in both. */
static void agree(struct interval_finder *f, isa_operand reg) {
    struct interval *u = &f->of[0][reg], *s = &f->of[1][reg];
    struct interval half = whole((enum isa_type)f->k->reg_types[reg], true);
    if (f->k->reg_types[reg] == ISA_I64) return;
    if (s->least >= 0 && s->most < u->most) *u = *s;
    if (u->most <= half.most && (s->least < 0 || u->most < s->most)) *s = *u;
}

/* Makes it hold v, too; by more than that in the end. */
static bool widen(struct interval *have, struct interval v, struct interval all, bool fast) {
    v = hull(v, *have);
    if (v.least == have->least && v.most == have->most) return false;
    if (fast && v.least < have->least) v.least = all.least;
    if (fast && v.most > have->most) v.most = all.most;
    *have = v;
    return true;
}

static bool grow(struct interval_finder *f, uint32_t n, bool is_signed, bool fast) {
    const struct isa_inst *i = &f->k->insts[n];
    bool changed = false;
    for (unsigned d = 0; d < i->ndst; d++) {
        isa_operand reg = isa_dsts(f->k, i)[d];
        enum isa_type type = (enum isa_type)f->k->reg_types[reg];
        if (!isa_is_integer(type) || (type == ISA_I64 && !is_signed)) continue;
        struct interval all = whole(type, is_signed), v = all, *have = &f->of[is_signed][reg];
        const uint32_t flags = isa_op_info[i->op].flags;
        if (i->ndst == 1 && i->type == type && flags & ISA_OP_PURE) {
            struct interval first = everything;
            if (i->nsrc && isa_operand_type(f->k, isa_srcs(f->k, i)[0]) == type)
                first = isa_is_reg(isa_srcs(f->k, i)[0]) ? stepped(f, n, is_signed)
                                                         : get(f, isa_srcs(f->k, i)[0], is_signed);
            v = result(f, i, is_signed, first);
        }
        if (is_signed && !f->steps[n].compares) changed |= widen(&f->start[reg], v, all, fast);
        changed |= widen(have, v, all, fast);
    }
    return changed;
}

void intervals_find(struct intervals *x, const struct isa_kernel *k, struct arena *arena) {
    struct interval_finder *f = ARENA_NEW(arena, struct interval_finder);
    f->k = k;
    f->steps = ARENA_ARRAY(arena, struct interval_step, k->ninsts + 1u);
    f->step_of = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    f->start = ARENA_ARRAY(arena, struct interval, k->nregs + 1u); /* 0, as registers are */
    for (unsigned n = 0; n < 2; n++) f->of[n] = ARENA_ARRAY(arena, struct interval, k->nregs + 1u);
    f->has_loops = loops_find(&f->l, k, arena);
    for (uint32_t n = 0; f->has_loops && n < k->ninsts; n++) find_step(f, n);
    bool changed = true;
    for (unsigned round = 0; changed && round < MOST_ROUNDS; round++) {
        changed = false;
        for (uint32_t n = 0; n < k->ninsts; n++)
            for (unsigned s = 0; s < 2; s++) changed |= grow(f, n, s, round >= ROUNDS);
    }
    for (uint32_t r = 0; r < k->nregs; r++) {
        enum isa_type type = (enum isa_type)k->reg_types[r];
        if (changed && isa_is_integer(type))
            for (unsigned s = 0; s < 2; s++) f->of[s][r] = whole(type, s);
        else if (isa_is_integer(type))
            agree(f, r);
    }
    *x = (struct intervals){f->of[1], f->of[0]};
}

struct interval intervals_signed(const struct intervals *x, const struct isa_kernel *k,
                                 isa_operand o) {
    if (isa_is_const(o)) return of_constant(&k->consts[isa_const_index(o)], true);
    if (!isa_is_reg(o)) return zero;
    return x->as_signed[o];
}

struct interval intervals_unsigned(const struct intervals *x, const struct isa_kernel *k,
                                   isa_operand o) {
    if (isa_is_const(o)) return of_constant(&k->consts[isa_const_index(o)], false);
    if (!isa_is_reg(o)) return zero;
    return x->as_unsigned[o];
}
