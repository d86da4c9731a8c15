/* Loops without side effects whose results are known from how often they go round: the number is
 * computed, and of it what the loop leaves. They count bits, by shifts of a value or without its
 * lowest one, look for the highest or the lowest bit, or count to a bound. What an iteration does
 * before it leaves the loop is done once behind it. */
#include "device/analysis/numbers.h"
#include "device/isa/compare.h"
#include "device/isa/kernelcopy.h"
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

enum { MOST_INSTS = 40 };

/* What an iteration makes of a register. */
enum recurrence_kind {
    RECUR_ADD,  /* what the loop does not change is added; */
    RECUR_XOR,  /* the same of xor */
    RECUR_BIT,  /* the lowest bit of a register that is shifted is added */
    RECUR_FLIP, /* the same of xor */
    RECUR_SHR_U,
    RECUR_SHR_S,
    RECUR_HALVE, /* as signed division by a power of 2 */
    RECUR_SHL,
    RECUR_LOWEST /* the lowest bit becomes 0 */
};

struct recurrence {
    isa_operand reg;
    enum recurrence_kind kind;
    uint32_t at;      /* the instruction that computes it, maybe of a wider type */
    bool wider;       /* it is; */
    bool down;        /* subtracts */
    unsigned shift;   /* by so many bits */
    isa_operand by;   /* RECUR_BIT, RECUR_FLIP: whose bit; */
    bool behind;      /* which is shifted before; */
    bool zeros;       /* counts where it is 0 */
    isa_operand last; /* the register where the last iteration begins */
};

/* What a value of the loop is made of, but for conversions. */
struct loop_value {
    isa_operand reg;
    uint32_t at, from; /* as it is read there; what gives it in this iteration, or LOOPS_NONE */
    unsigned least;    /* bytes of the narrowest type on the way */
    bool sext, zext;
};

struct closed_loop {
    const struct isa_kernel *k;
    const struct loops *l;
    uint32_t loop, leaves;
    struct recurrence steps[MOST_INSTS];
    unsigned nsteps;
    /* The condition: until `driver` is less than 2^bits, or odd. */
    struct recurrence *driver;
    bool behind, odd, one, is_signed;
    bool positive; /* it is not negative, as signed */
    unsigned bits;
    struct loop_exit exit; /* without driver: of a counter */
};

static unsigned size_of(const struct closed_loop *x, isa_operand o) {
    return isa_type_size[isa_operand_type(x->k, o)];
}

static const struct isa_inst *inst_at(const struct closed_loop *x, uint32_t n) {
    return &x->k->insts[n];
}

static bool constant(const struct isa_kernel *k, isa_operand o, uint64_t *value) {
    if (!isa_is_const(o)) return false;
    enum isa_type t = isa_operand_type(k, o);
    *value = isa_cut(t, k->consts[isa_const_index(o)].bits);
    return isa_is_integer(t);
}

static bool is_number(const struct isa_kernel *k, isa_operand o, int64_t value) {
    uint64_t v;
    return constant(k, o, &v) && v == isa_cut(isa_operand_type(k, o), (uint64_t)value);
}

/* Is an operand the mask of a narrower type, of *bytes or less? */
static bool mask_of(const struct closed_loop *x, isa_operand o, unsigned *bytes) {
    for (unsigned b = 1; b < size_of(x, o); b *= 2)
        if (is_number(x->k, o, ((int64_t)1 << b * 8) - 1)) {
            if (b < *bytes) *bytes = b;
            return true;
        }
    return false;
}

static struct loop_value origin_of(const struct closed_loop *x, isa_operand o, uint32_t at) {
    struct loop_value a = {.reg = o, .at = at, .least = size_of(x, o)};
    while ((a.from = loops_written(x->l, a.reg, x->loop, a.at)) != LOOPS_NONE) {
        const struct isa_inst *i = inst_at(x, a.from);
        bool low = i->op == ISA_and && mask_of(x, isa_srcs(x->k, i)[1], &a.least);
        if (!low && i->op != ISA_mov && i->op != ISA_trunc && i->op != ISA_sext &&
            i->op != ISA_zext)
            break;
        a.sext |= i->op == ISA_sext;
        a.zext |= low || i->op == ISA_zext;
        a.reg = isa_srcs(x->k, i)[0];
        a.at = a.from;
        if (size_of(x, a.reg) < a.least) a.least = size_of(x, a.reg);
    }
    return a;
}

/* Are the low bits of what instruction `at` reads those of the register as the iteration begins? */
static bool is_begun(const struct closed_loop *x, isa_operand o, uint32_t at, isa_operand reg) {
    struct loop_value a = origin_of(x, o, at);
    return a.reg == reg && a.from == LOOPS_NONE && a.least >= size_of(x, reg);
}

/* The instruction of that operation that gives an operand, or NULL. */
static const struct isa_inst *made_by(const struct closed_loop *x, isa_operand o, uint32_t at,
                                      enum isa_op op) {
    uint32_t n = loops_written(x->l, o, x->loop, at);
    return n != LOOPS_NONE && inst_at(x, n)->op == op ? inst_at(x, n) : NULL;
}

/* Reads an instruction that has the register as one operand: what is the other one? */
static bool other_operand(const struct closed_loop *x, uint32_t n, isa_operand reg,
                          isa_operand *other) {
    const struct isa_inst *i = inst_at(x, n);
    for (unsigned s = 0; s < (i->op == ISA_sub ? 1 : 2); s++) {
        *other = isa_srcs(x->k, i)[!s];
        if (is_begun(x, isa_srcs(x->k, i)[s], n, reg)) return true;
    }
    return false;
}

/* Is an operand -reg, or reg - 1? */
static bool is_negative(const struct closed_loop *x, isa_operand o, uint32_t at, isa_operand reg) {
    uint32_t n = loops_written(x->l, o, x->loop, at);
    if (n == LOOPS_NONE) return false;
    const struct isa_inst *i = inst_at(x, n);
    const isa_operand *src = isa_srcs(x->k, i);
    if (i->op == ISA_sub) return is_number(x->k, src[0], 0) && is_begun(x, src[1], n, reg);
    if (i->op != ISA_add || !is_number(x->k, src[1], 1)) return false;
    const struct isa_inst *inverse = made_by(x, src[0], n, ISA_not);
    return inverse &&
           is_begun(x, isa_srcs(x->k, inverse)[0], (uint32_t)(inverse - x->k->insts), reg);
}

static bool is_one_less(const struct closed_loop *x, isa_operand o, uint32_t at, isa_operand reg) {
    uint32_t n = loops_written(x->l, o, x->loop, at);
    if (n == LOOPS_NONE) return false;
    const struct isa_inst *i = inst_at(x, n);
    const isa_operand *src = isa_srcs(x->k, i);
    bool less = (i->op == ISA_add && is_number(x->k, src[1], -1)) ||
                (i->op == ISA_sub && is_number(x->k, src[1], 1));
    return less && is_begun(x, src[0], n, reg);
}

/* x & (x - 1), or x without x & -x. */
static bool clears_lowest(const struct closed_loop *x, uint32_t n, isa_operand reg) {
    isa_operand other, lowest;
    if (inst_at(x, n)->op == ISA_and)
        return other_operand(x, n, reg, &other) && is_one_less(x, other, n, reg);
    if (!other_operand(x, n, reg, &other)) return false;
    const struct isa_inst *i = made_by(x, other, n, ISA_and);
    uint32_t at = i ? (uint32_t)(i - x->k->insts) : 0;
    return i && other_operand(x, at, reg, &lowest) && is_negative(x, lowest, at, reg);
}

/* x + (x < 0 ? 2^shift - 1 : 0), as division has it before it shifts. *of: the x. */
static bool is_rounded(const struct closed_loop *x, isa_operand o, uint32_t at, isa_operand reg,
                       unsigned shift, struct loop_value *of) {
    const struct isa_inst *sum = made_by(x, o, at, ISA_add), *low, *sign;
    unsigned width = size_of(x, o) * 8;
    isa_operand other;
    if (!sum || !other_operand(x, (uint32_t)(sum - x->k->insts), reg, &other)) return false;
    low = made_by(x, other, (uint32_t)(sum - x->k->insts), ISA_shr_u);
    if (!low || !is_number(x->k, isa_srcs(x->k, low)[1], width - shift)) return false;
    /* It is 0 or -1, of whatever type. */
    struct loop_value a = origin_of(x, isa_srcs(x->k, low)[0], (uint32_t)(low - x->k->insts));
    if (a.from == LOOPS_NONE || a.zext) return false;
    sign = inst_at(x, a.from);
    if (sign->op != ISA_shr_s || !is_number(x->k, isa_srcs(x->k, sign)[1], width - 1)) return false;
    *of = origin_of(x, isa_srcs(x->k, sign)[0], a.from);
    return of->reg == reg && of->from == LOOPS_NONE && of->least >= size_of(x, reg) &&
           !(of->sext && of->zext);
}

static bool is_shift(const struct closed_loop *x, uint32_t n, struct recurrence *s) {
    const struct isa_inst *i = inst_at(x, n);
    const isa_operand *src = isa_srcs(x->k, i);
    uint64_t by;
    if (!constant(x->k, src[1], &by) || !by || by >= size_of(x, s->reg) * 8u) return false;
    s->shift = (unsigned)by;
    struct loop_value a = origin_of(x, src[0], n);
    if (a.reg != s->reg || a.from != LOOPS_NONE) {
        s->kind = RECUR_HALVE;
        if (i->op != ISA_shr_s || !is_rounded(x, src[0], n, s->reg, s->shift, &a)) return false;
        if (a.zext) s->kind = RECUR_SHR_U;
        return true;
    }
    if (a.least < size_of(x, s->reg) || (a.sext && a.zext)) return false;
    s->kind = i->op == ISA_shl ? RECUR_SHL : RECUR_SHR_U;
    if (i->op == ISA_shl || a.zext) return true;
    if (i->op == ISA_shr_s) s->kind = RECUR_SHR_S;
    return i->op == ISA_shr_s || !a.sext;
}

/* Is an operand the lowest bit of another register? Which that is, as it is read, is found later.
 */
static bool is_bit(const struct closed_loop *x, isa_operand o, uint32_t at, struct loop_value *of) {
    struct loop_value a = origin_of(x, o, at);
    if (a.from == LOOPS_NONE || inst_at(x, a.from)->op != ISA_and) return false;
    const isa_operand *src = isa_srcs(x->k, inst_at(x, a.from));
    bool first = is_number(x->k, src[0], 1);
    if (!first && !is_number(x->k, src[1], 1)) return false;
    *of = origin_of(x, src[first], a.from);
    return isa_is_reg(of->reg);
}

/* A predicate: whether such a bit is 1, or (*inverse) 0. */
static bool is_bit_test(const struct closed_loop *x, uint32_t n, struct loop_value *of,
                        bool *inverse) {
    const struct isa_inst *i = inst_at(x, n);
    const isa_operand *src = isa_srcs(x->k, i);
    bool zero = is_number(x->k, src[1], 0);
    *inverse = zero == (i->op == ISA_eq);
    return (i->op == ISA_eq || i->op == ISA_ne) && (zero || is_number(x->k, src[1], 1)) &&
           is_bit(x, src[0], n, of);
}

/* Such a register as an operand, as one is that was found. */
static struct recurrence *step_of(struct closed_loop *x, const struct loop_value *a, bool *behind) {
    for (unsigned n = 0; n < x->nsteps; n++) {
        struct recurrence *s = &x->steps[n];
        *behind = a->from == s->at;
        if (*behind || (a->from == LOOPS_NONE && a->reg == s->reg)) return s;
    }
    return NULL;
}

static bool bit_of(struct closed_loop *x, const struct loop_value *a, struct recurrence *s) {
    const struct recurrence *of = step_of(x, a, &s->behind);
    if (!of || (of->kind != RECUR_SHR_U && of->kind != RECUR_SHR_S) || of->shift != 1) return false;
    s->by = of->reg;
    return true;
}

/* n + 1 where the bit is 1, or 0. */
static bool adds_where(struct closed_loop *x, uint32_t n, struct recurrence *s) {
    const isa_operand *src = isa_srcs(x->k, inst_at(x, n));
    uint32_t p = loops_written(x->l, src[0], x->loop, n), sum;
    struct loop_value a;
    bool inverse, second = is_begun(x, src[1], n, s->reg);
    isa_operand by;
    if (p == LOOPS_NONE || !is_bit_test(x, p, &a, &inverse) ||
        !is_begun(x, src[second ? 1 : 2], n, s->reg))
        return false;
    sum = loops_written(x->l, src[second ? 2 : 1], x->loop, n);
    if (sum == LOOPS_NONE || (inst_at(x, sum)->op != ISA_add && inst_at(x, sum)->op != ISA_sub) ||
        !other_operand(x, sum, s->reg, &by))
        return false;
    s->kind = RECUR_BIT;
    s->zeros = second != inverse;
    s->down = (inst_at(x, sum)->op == ISA_sub) != is_number(x->k, by, -1);
    return (is_number(x->k, by, 1) || is_number(x->k, by, -1)) && bit_of(x, &a, s);
}

/* What an iteration makes of the register, of those that are shifted or of the others. */
static bool find_step(struct closed_loop *x, isa_operand reg, bool shifted, struct recurrence *s) {
    struct loop_value a = origin_of(x, reg, x->l->loops[x->loop].end);
    *s = (struct recurrence){.reg = reg, .at = a.from};
    if (a.from == LOOPS_NONE || a.least < size_of(x, reg) ||
        !isa_is_integer(isa_operand_type(x->k, reg)))
        return false;
    const struct isa_inst *i = inst_at(x, a.from);
    s->wider = i->type != isa_operand_type(x->k, reg);
    switch (i->op) {
    case ISA_shr_u:
    case ISA_shr_s:
    case ISA_shl: return shifted && is_shift(x, a.from, s);
    case ISA_select: return !shifted && adds_where(x, a.from, s);
    case ISA_and:
    case ISA_add:
    case ISA_sub:
    case ISA_xor: break;
    default: return false;
    }
    s->kind = RECUR_LOWEST;
    if (shifted) return i->op != ISA_add && clears_lowest(x, a.from, reg);
    if (i->op == ISA_and || !other_operand(x, a.from, reg, &s->by)) return false;
    bool flips = i->op == ISA_xor;
    struct loop_value bit;
    s->down = i->op == ISA_sub;
    s->kind = flips ? RECUR_XOR : RECUR_ADD;
    if (!loops_varies(x->l, s->by, x->loop)) return !s->wider || isa_is_const(s->by);
    s->kind = flips ? RECUR_FLIP : RECUR_BIT;
    return is_bit(x, s->by, a.from, &bit) && bit_of(x, &bit, s);
}

/* Is what the loop writes there wanted by an iteration that follows, or lost as it is written
 * behind the loop's exit? */
static bool is_carried(const struct closed_loop *x, uint32_t n, isa_operand reg) {
    const struct loop *l = &x->l->loops[x->loop];
    uint32_t inside = 0;
    for (uint32_t i = l->begin; i < l->end; i++)
        for (unsigned s = 0; s < inst_at(x, i)->nsrc; s++) {
            if (isa_srcs(x->k, inst_at(x, i))[s] != reg) continue;
            inside++;
            if (i <= n) return true;
        }
    return n > x->leaves && inside != x->l->reads[reg];
}

/* A short loop that only computes, with one exit. */
static bool is_simple(struct closed_loop *x) {
    const struct loop *l = &x->l->loops[x->loop];
    x->leaves = 0;
    if (l->end - l->begin > MOST_INSTS) return false;
    for (uint32_t n = l->begin + 1; n < l->end; n++) {
        const struct isa_inst *i = inst_at(x, n);
        if (i->op == ISA_breakif && !i->imm && !x->leaves) {
            x->leaves = n;
            continue;
        }
        if (!(isa_op_info[i->op].flags & ISA_OP_PURE) || i->site || i->ndst != 1 ||
            loops_writer(x->l, isa_dsts(x->k, i)[0], x->loop) != n)
            return false;
    }
    return x->leaves;
}

static bool find_steps(struct closed_loop *x) {
    const struct loop *l = &x->l->loops[x->loop];
    for (unsigned shifted = 2; shifted--;)
        for (uint32_t n = l->begin + 1; n < l->end; n++) {
            if (n == x->leaves) continue;
            isa_operand reg = isa_dsts(x->k, inst_at(x, n))[0];
            bool known = false;
            for (unsigned s = 0; s < x->nsteps; s++) known |= x->steps[s].reg == reg;
            if (known || !is_carried(x, n, reg)) continue;
            if (find_step(x, reg, shifted, &x->steps[x->nsteps]))
                x->nsteps++;
            else if (!shifted)
                return false;
        }
    return true;
}

/* Until a value is at most 2^bits - 1, or odd. */
static bool find_condition(struct closed_loop *x) {
    uint32_t n = loops_compare(x->l, x->k, x->leaves);
    struct loop_value a;
    uint64_t most = 0;
    bool inverse;
    if (n == LOOPS_NONE) return false;
    const struct isa_inst *i = inst_at(x, n);
    if ((x->odd = is_bit_test(x, n, &a, &inverse) && !inverse)) {
        x->driver = step_of(x, &a, &x->behind);
        return x->driver && x->driver->shift == 1 && x->driver->kind != RECUR_SHL;
    }
    if (!constant(x->k, isa_srcs(x->k, i)[1], &most) || i->op == ISA_ne) return false;
    a = origin_of(x, isa_srcs(x->k, i)[0], n);
    struct recurrence *d = x->driver = step_of(x, &a, &x->behind);
    if (!d || d->kind < RECUR_SHR_U || d->kind == RECUR_SHL || a.least < size_of(x, d->reg))
        return false;
    bool less = compare_is_strict(i->op);
    if (less && !most--) return false;
    x->one = i->op == ISA_eq && most == 1;
    for (x->bits = 0; most >> x->bits & 1;) x->bits++;
    if (most >> x->bits || x->bits >= size_of(x, d->reg) * 8u - 1) return false;
    if (i->op == ISA_eq && most &&
        (!x->one || d->kind == RECUR_HALVE || d->kind == RECUR_LOWEST || d->shift != 1))
        return false;
    /* As signed it is compared where it is no unsigned value of a narrower type. */
    a.zext |= x->behind && d->wider && d->kind == RECUR_SHR_U;
    x->is_signed = !a.zext && compare_is_signed(i->op);
    if (a.sext && compare_is_order(i->op) && !compare_is_signed(i->op)) return false;
    if (d->kind == RECUR_LOWEST) return !x->bits && !x->is_signed;
    return d->kind != RECUR_HALVE || x->is_signed || !x->bits;
}

/* A counter goes to a bound, which it does not pass by a wrap. */
static bool find_count(struct closed_loop *x) {
    struct loop_exit *e = &x->exit;
    uint64_t bound;
    x->driver = NULL;
    x->behind = x->odd = x->one = x->is_signed = false;
    x->bits = 0;
    if (!loops_exit(x->l, x->k, x->leaves, e)) return false;
    enum isa_op op = (enum isa_op)inst_at(x, e->compare)->op;
    if (op == ISA_eq) return e->step == 1;
    if (!e->inclusive && e->step == 1) return true;
    if (!constant(x->k, e->bound, &bound)) return false;
    uint64_t room = e->step + (uint64_t)e->inclusive;
    if (compare_is_signed(op)) bound = (bound + 0x80000000u) & UINT32_MAX;
    return e->down ? bound >= room : bound + room <= UINT32_MAX;
}

/* Sums of bits are those of numbers that end as 0. */
static bool sums_are_known(const struct closed_loop *x) {
    for (unsigned n = 0; n < x->nsteps; n++) {
        const struct recurrence *s = &x->steps[n], *of = x->steps;
        if (s->kind != RECUR_BIT && s->kind != RECUR_FLIP) continue;
        while (of->reg != s->by) of++;
        if (of->kind == RECUR_SHR_S && (of != x->driver || x->odd)) return false;
    }
    return true;
}

/* ---- the code in its place ---- */

struct closed_code {
    struct kernelcopy c;
    const struct closed_loop *x;
    isa_operand trips; /* i32: how often the loop goes round */
};

static isa_operand number(struct closed_code *w, isa_operand like, int64_t value) {
    enum isa_type t = isa_operand_type(w->c.out, like);
    return isa_const_new(w->c.out, t, isa_cut(t, (uint64_t)value));
}

static isa_operand make(struct closed_code *w, enum isa_op op, isa_operand a, isa_operand b) {
    return kernelcopy_result(&w->c, op, isa_operand_type(w->c.out, a), a, b);
}

static isa_operand make_by(struct closed_code *w, enum isa_op op, isa_operand a, int64_t b) {
    return make(w, op, a, number(w, a, b));
}

/* An integer as one of the type of another operand. */
static isa_operand as(struct closed_code *w, isa_operand a, isa_operand like) {
    enum isa_type from = isa_operand_type(w->c.out, a), to = isa_operand_type(w->c.out, like);
    return kernelcopy_converted(
        &w->c, isa_type_size[to] < isa_type_size[from] ? ISA_trunc : ISA_zext, to, from, a);
}

static isa_operand chosen(struct closed_code *w, isa_operand p, isa_operand a, isa_operand b) {
    return kernelcopy_select(&w->c, isa_operand_type(w->c.out, a), p, a, b);
}

/* What division of a signed number by 2^n leaves: the shift of its amount. */
static isa_operand halved(struct closed_code *w, isa_operand r, isa_operand n) {
    isa_operand sign =
        make_by(w, ISA_shr_s, r, isa_type_size[isa_operand_type(w->c.out, r)] * 8 - 1);
    r = make(w, ISA_shr_u, make(w, ISA_abs, r, ISA_NO_OPERAND), n);
    return make(w, ISA_sub, make(w, ISA_xor, r, sign), sign);
}

/* A register that is shifted, or loses bits, after one iteration. */
static isa_operand stepped(struct closed_code *w, const struct recurrence *s, isa_operand r) {
    switch (s->kind) {
    case RECUR_SHR_U: return make_by(w, ISA_shr_u, r, s->shift);
    case RECUR_SHR_S: return make_by(w, ISA_shr_s, r, s->shift);
    case RECUR_HALVE: return halved(w, r, number(w, r, s->shift));
    default: return make(w, ISA_and, r, make_by(w, ISA_add, r, -1));
    }
}

/* How often a value is shifted. *never: where that has no end. */
static isa_operand count_shifts(struct closed_code *w, isa_operand y, isa_operand *never) {
    const struct closed_loop *x = w->x;
    const struct recurrence *d = x->driver;
    int64_t width = isa_type_size[isa_operand_type(w->c.out, y)] * 8;
    if (x->odd) {
        *never = make_by(w, ISA_eq, y, 0);
        isa_operand below = make(w, ISA_not, y, ISA_NO_OPERAND);
        return make(w, ISA_popc, make(w, ISA_and, below, make_by(w, ISA_add, y, -1)),
                    ISA_NO_OPERAND);
    }
    if (d->kind == RECUR_LOWEST) return make(w, ISA_popc, y, ISA_NO_OPERAND);
    if (x->one)
        *never = make_by(w, d->kind == RECUR_SHR_U ? ISA_le_u : ISA_le_s, y, 0);
    else if (d->kind == RECUR_SHR_S && !x->is_signed && !x->positive)
        *never = make_by(w, ISA_lt_s, y, 0);
    if (x->is_signed)
        y = make_by(w, ISA_max_s, y, 0);
    else if (d->kind == RECUR_HALVE)
        y = make(w, ISA_abs, y, ISA_NO_OPERAND);
    if (x->bits) y = make_by(w, ISA_or, y, ((int64_t)1 << x->bits) - 1);
    isa_operand zeros = make(w, ISA_clz, y, ISA_NO_OPERAND);
    isa_operand n = make(w, ISA_sub, number(w, y, width - x->bits), zeros);
    if (d->shift == 1) return n;
    return make_by(w, ISA_div_u, make_by(w, ISA_add, n, d->shift - 1), d->shift);
}

static isa_operand count_steps(struct closed_code *w) {
    const struct loop_exit *e = &w->x->exit;
    enum isa_op op = (enum isa_op)inst_at(w->x, e->compare)->op;
    isa_operand y = e->counter.reg, bound = e->bound;
    bool is_signed = compare_is_signed(op);
    if (e->off) y = make_by(w, ISA_add, y, e->off);
    /* Compared is by equality what may wrap before it is there. */
    if (op != ISA_eq) {
        uint64_t value;
        if (e->inclusive && constant(w->c.out, bound, &value))
            bound = number(w, y, (int64_t)(e->down ? value - 1 : value + 1));
        enum isa_op max = is_signed ? ISA_max_s : ISA_max_u,
                    min = is_signed ? ISA_min_s : ISA_min_u;
        bound = make(w, e->down ? min : max, y, bound);
    }
    isa_operand n = make(w, ISA_sub, e->down ? y : bound, e->down ? bound : y);
    if (e->step == 1) return n;
    /* (n + step - 1) / step, of which the sum may not fit */
    isa_operand some = make_by(w, ISA_min_u, n, 1);
    return make(w, ISA_add, make_by(w, ISA_div_u, make(w, ISA_sub, n, some), e->step), some);
}

/* A register that is shifted so often; by as many bits as it has, or more, it may be. */
static isa_operand shifted(struct closed_code *w, const struct recurrence *s) {
    const struct closed_loop *x = w->x;
    int64_t width = isa_type_size[isa_operand_type(w->c.out, s->reg)] * 8;
    bool drives = s == x->driver;
    isa_operand n = w->trips;
    if (!drives) n = make_by(w, ISA_min_u, n, width);
    n = as(w, n, s->reg);
    if (s->shift != 1) n = make_by(w, ISA_mul, n, s->shift);
    bool fits = drives && (x->behind || x->odd || x->bits + x->is_signed >= s->shift);
    if (s->kind == RECUR_SHR_S) {
        if (!fits) n = make_by(w, ISA_min_u, n, width - 1);
        return make(w, ISA_shr_s, s->reg, n);
    }
    isa_operand r = s->kind == RECUR_HALVE
                        ? halved(w, s->reg, n)
                        : make(w, s->kind == RECUR_SHL ? ISA_shl : ISA_shr_u, s->reg, n);
    if (fits) return r;
    return chosen(w, make_by(w, ISA_lt_u, n, width), r, number(w, s->reg, 0));
}

/* A register as the last iteration finds it. */
static isa_operand last_of(struct closed_code *w, const struct recurrence *s) {
    const struct closed_loop *x = w->x;
    bool drives = s == x->driver;
    isa_operand n = as(w, w->trips, s->reg), by = s->by, a, b;
    uint64_t value;
    if (s->wider && constant(w->c.out, by, &value)) by = number(w, s->reg, (int64_t)value);
    switch (s->kind) {
    case RECUR_ADD:
        if (!is_number(w->c.out, by, 1)) n = make(w, ISA_mul, n, by);
        return make(w, s->down ? ISA_sub : ISA_add, s->reg, n);
    case RECUR_XOR:
        n = make(w, ISA_sub, number(w, s->reg, 0), make_by(w, ISA_and, n, 1));
        return make(w, ISA_xor, s->reg, make(w, ISA_and, n, by));
    case RECUR_BIT:
    case RECUR_FLIP: break;
    case RECUR_LOWEST:
        if (!x->behind) return number(w, s->reg, 0);
        /* The highest one is left. */
        a = number(w, s->reg,
                   INT64_MIN >> (64 - isa_type_size[isa_operand_type(w->c.out, s->reg)] * 8));
        b = make(w, ISA_shr_u, a, make(w, ISA_clz, s->reg, ISA_NO_OPERAND));
        return make(w, ISA_and, s->reg, b);
    default:
        if (drives && !x->behind && !x->bits && !x->odd && !x->is_signed)
            return number(w, s->reg, 0);
        return shifted(w, s);
    }
    const struct recurrence *of = x->steps;
    while (of->reg != s->by) of++;
    a = of->reg;
    b = of->last;
    if (s->behind) {
        a = stepped(w, of, a);
        b = stepped(w, of, b);
    }
    a = make(w, ISA_popc, a, ISA_NO_OPERAND);
    if (!is_number(w->c.out, b, 0)) a = make(w, ISA_sub, a, make(w, ISA_popc, b, ISA_NO_OPERAND));
    a = as(w, a, s->reg);
    if (s->zeros) a = make(w, ISA_sub, n, a);
    if (s->kind == RECUR_FLIP) return make(w, ISA_xor, s->reg, make_by(w, ISA_and, a, 1));
    return make(w, s->down ? ISA_sub : ISA_add, s->reg, a);
}

static void write(struct closed_code *w, struct closed_loop *x) {
    const struct loop *l = &x->l->loops[x->loop];
    isa_operand never = ISA_NO_OPERAND;
    w->x = x;
    w->c.at = l->begin;
    if (x->driver) {
        isa_operand y = x->driver->reg;
        if (x->behind) y = stepped(w, x->driver, y);
        y = count_shifts(w, y, &never);
        w->trips = as(w, y, kernelcopy_word(&w->c, 0));
    } else {
        w->trips = count_steps(w);
    }
    if (never != ISA_NO_OPERAND) {
        kernelcopy_control(&w->c, ISA_if, never);
        for (uint32_t n = l->begin; n <= l->end; n++) kernelcopy_put(&w->c, n);
        kernelcopy_control(&w->c, ISA_endif, ISA_NO_OPERAND);
    } else {
        isa_site_remove(w->c.out, inst_at(x, x->leaves)->site, ISA_REMOVED_empty);
    }
    for (unsigned s = 0; s < x->nsteps; s++) x->steps[s].last = last_of(w, &x->steps[s]);
    for (unsigned s = 0; s < x->nsteps; s++)
        kernelcopy_move(&w->c, x->steps[s].reg, x->steps[s].last);
    for (uint32_t n = l->begin + 1; n < x->leaves; n++) kernelcopy_put(&w->c, n);
}

void opt_closed(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct loops l = {0};
    struct numbers numbers;
    struct closed_code w;
    bool any = false;
    if (!loops_find(&l, k, arena)) return;
    struct closed_loop **found = ARENA_ARRAY(arena, struct closed_loop *, l.nloops + 1u);
    for (uint32_t n = 1; n <= l.nloops; n++) {
        struct closed_loop *x = ARENA_NEW(arena, struct closed_loop);
        *x = (struct closed_loop){.k = k, .l = &l, .loop = n};
        if (!is_simple(x) || !find_steps(x) || (!find_condition(x) && !find_count(x)) ||
            !sums_are_known(x))
            continue;
        if (!any) numbers_find(&numbers, k, NULL, arena);
        x->positive = x->driver && numbers_signed(&numbers, k, x->driver->reg).least >= 0;
        trace_tell(p, &k->insts[l.loops[n].begin], "the loop is gone: what it leaves is computed");
        found[n] = x;
        any = true;
    }
    if (!any) return;
    kernelcopy_take(&w.c, k, arena);
    for (uint32_t n = 0; n < w.c.k->ninsts && !isa_kernel_failed(k); n++) {
        struct closed_loop *x = w.c.k->insts[n].op == ISA_loop ? found[loops_at(&l, n)] : NULL;
        if (x) {
            x->k = w.c.k;
            write(&w, x);
            n = l.loops[x->loop].end;
        } else {
            kernelcopy_put(&w.c, n);
        }
    }
    if (isa_kernel_failed(k)) return;
    uint32_t *read = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    for (uint32_t r = 0; r < k->nregs; r++) read[r] = r >= w.c.k->nregs || l.reads[r];
    rewrite_unread(k, arena, read);
}
