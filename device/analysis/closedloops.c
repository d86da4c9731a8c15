#include "closedloops.h"

#include "device/isa/compare.h"
#include "device/isa/constant.h"

/* What a value of the loop is made of, but for conversions. */
struct loop_value {
    isa_operand reg;
    uint32_t at, from; /* as it is read there; what gives it in this iteration, or LOOPS_NONE */
    unsigned least;    /* bytes of the narrowest type on the way */
    bool sext, zext;
};

static unsigned size_of(const struct closed_loop *x, isa_operand o) {
    return isa_type_size[isa_operand_type(x->k, o)];
}

static const struct isa_inst *inst_at(const struct closed_loop *x, uint32_t n) {
    return &x->k->insts[n];
}

/* Is an operand the mask of a narrower type, of *bytes or less? */
static bool mask_of(const struct closed_loop *x, isa_operand o, unsigned *bytes) {
    for (unsigned b = 1; b < size_of(x, o); b *= 2)
        if (constant_is(x->k, o, ((int64_t)1 << b * 8) - 1)) {
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

/* ---- what operands are ---- */

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
    if (i->op == ISA_sub) return constant_is(x->k, src[0], 0) && is_begun(x, src[1], n, reg);
    if (i->op != ISA_add || !constant_is(x->k, src[1], 1)) return false;
    const struct isa_inst *inverse = made_by(x, src[0], n, ISA_not);
    return inverse &&
           is_begun(x, isa_srcs(x->k, inverse)[0], (uint32_t)(inverse - x->k->insts), reg);
}

static bool is_one_less(const struct closed_loop *x, isa_operand o, uint32_t at, isa_operand reg) {
    uint32_t n = loops_written(x->l, o, x->loop, at);
    if (n == LOOPS_NONE) return false;
    const struct isa_inst *i = inst_at(x, n);
    const isa_operand *src = isa_srcs(x->k, i);
    bool less = (i->op == ISA_add && constant_is(x->k, src[1], -1)) ||
                (i->op == ISA_sub && constant_is(x->k, src[1], 1));
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

static bool is_shift(const struct closed_loop *x, uint32_t n, struct recurrence *s) {
    const struct isa_inst *i = inst_at(x, n);
    const isa_operand *src = isa_srcs(x->k, i);
    bool halves = i->op == ISA_div_s;
    uint64_t by;
    if (!constant_bits(x->k, src[1], &by) || !by || (halves && by & (by - 1))) return false;
    if (halves) by = (uint64_t)__builtin_ctzll(by);
    if (!by || by >= size_of(x, s->reg) * 8u - halves) return false;
    s->shift = (unsigned)by;
    struct loop_value a = origin_of(x, src[0], n);
    if (a.reg != s->reg || a.from != LOOPS_NONE) return false;
    if (a.least < size_of(x, s->reg) || (a.sext && a.zext)) return false;
    s->kind = i->op == ISA_shl ? RECUR_SHL : RECUR_SHR_U;
    if (i->op == ISA_shl || a.zext) return true;
    if (i->op == ISA_shr_s) s->kind = RECUR_SHR_S;
    if (halves) s->kind = RECUR_HALVE;
    return i->op != ISA_shr_u || !a.sext;
}

static struct closed_leaf leaf_at(const struct closed_loop *x, uint32_t n) {
    const struct isa_inst *i = inst_at(x, n);
    struct closed_leaf f = {.op = (enum isa_op)i->op, .at = n};
    if (compare_is_integer(i->op) && isa_is_integer(i->type2))
        for (unsigned s = 0; s < 2; s++) f.src[s] = isa_srcs(x->k, i)[s];
    else
        f.op = ISA_OP_COUNT;
    return f;
}

static bool is_bit_test(const struct closed_loop *x, const struct closed_leaf *f,
                        struct loop_value *of, bool *inverse, bool *top);

/* Is an operand 1 where the lowest bit of another register is 1, or (*inverse) 0, or (*top) its
 * highest one? Which register that is, as it is read, is found later. */
static bool is_bit(const struct closed_loop *x, isa_operand o, uint32_t at, struct loop_value *of,
                   bool *inverse, bool *top) {
    struct loop_value a = origin_of(x, o, at);
    *inverse = false;
    if (a.from == LOOPS_NONE) return false;
    const struct isa_inst *i = inst_at(x, a.from);
    const isa_operand *src = isa_srcs(x->k, i);
    if (i->op == ISA_select) {
        bool no = constant_is(x->k, src[1], 0) && constant_is(x->k, src[2], 1);
        uint32_t p = loops_written(x->l, src[0], x->loop, a.from);
        if (p >= LOOPS_NONE || a.sext) return false;
        if (!no && !(constant_is(x->k, src[1], 1) && constant_is(x->k, src[2], 0))) return false;
        const struct closed_leaf f = leaf_at(x, p);
        if (!is_bit_test(x, &f, of, inverse, top)) return false;
        *inverse ^= no;
        return true;
    }
    *top = i->op == ISA_shr_u && constant_is(x->k, src[1], size_of(x, src[0]) * 8 - 1);
    if (!*top && i->op != ISA_and) return false;
    bool first = !*top && constant_is(x->k, src[0], 1);
    if (!*top && !first && !constant_is(x->k, src[1], 1)) return false;
    *of = origin_of(x, src[first], a.from);
    return isa_is_reg(of->reg) && (!*top || of->least == size_of(x, src[0]));
}

/* Is what is compared the sign's place? */
static bool is_top_test(const struct closed_loop *x, const struct closed_leaf *f,
                        struct loop_value *of, bool *inverse) {
    bool right = f->op == ISA_le_s; /* 0 <= value */
    if (f->op == ISA_lt_s || right) {
        *inverse = right;
        if (!constant_is(x->k, f->src[!right], 0)) return false;
        *of = origin_of(x, f->src[right], f->at);
        return isa_is_reg(of->reg) && of->least == size_of(x, f->src[right]);
    }
    if (f->op != ISA_eq && f->op != ISA_ne) return false;
    uint32_t n = loops_written(x->l, f->src[0], x->loop, f->at);
    int64_t top = INT64_MIN >> (64 - size_of(x, f->src[0]) * 8);
    bool zero = constant_is(x->k, f->src[1], 0);
    if (n == LOOPS_NONE || inst_at(x, n)->op != ISA_and ||
        !(zero || constant_is(x->k, f->src[1], top)))
        return false;
    const isa_operand *src = isa_srcs(x->k, inst_at(x, n));
    *inverse = zero == (f->op == ISA_eq);
    if (!constant_is(x->k, src[1], top)) return false;
    *of = origin_of(x, src[0], n);
    return isa_is_reg(of->reg) && of->least == size_of(x, src[0]);
}

/* A predicate: whether such a bit is 1, or (*inverse) 0. */
static bool is_bit_test(const struct closed_loop *x, const struct closed_leaf *f,
                        struct loop_value *of, bool *inverse, bool *top) {
    if ((*top = is_top_test(x, f, of, inverse))) return true;
    if (f->op != ISA_eq && f->op != ISA_ne) return false;
    bool zero = constant_is(x->k, f->src[1], 0);
    *inverse = zero == (f->op == ISA_eq);
    bool opposite;
    if (!(zero || constant_is(x->k, f->src[1], 1)) ||
        !is_bit(x, f->src[0], f->at, of, &opposite, top))
        return false;
    *inverse ^= opposite;
    return true;
}

/* ---- what an iteration makes of registers ---- */

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
    if (!of || of->shift != 1) return false;
    /* Through the highest place of a part of it not all of its bits come. */
    if (s->top && a->least != size_of(x, of->reg)) return false;
    if (s->top ? of->kind != RECUR_SHL : of->kind != RECUR_SHR_U && of->kind != RECUR_SHR_S)
        return false;
    s->by = of->reg;
    return true;
}

/* What the loop does not change, in the register's type or as a constant. */
static bool is_fixed(const struct closed_loop *x, isa_operand o, const struct recurrence *s) {
    return isa_is_const(o) || (!s->wider && !loops_varies(x->l, o, x->loop));
}

/* Is the register taken from something? */
static bool turns(const struct closed_loop *x, uint32_t n, struct recurrence *s) {
    const isa_operand *src = isa_srcs(x->k, inst_at(x, n));
    if (inst_at(x, n)->op != ISA_sub || !is_begun(x, src[1], n, s->reg) || !is_fixed(x, src[0], s))
        return false;
    s->what = src[0];
    return true;
}

/* n + 1, n ^ c or c - n where the bit is 1, or 0. */
static bool changes_where(struct closed_loop *x, uint32_t n, struct recurrence *s) {
    const isa_operand *src = isa_srcs(x->k, inst_at(x, n));
    uint32_t p = loops_written(x->l, src[0], x->loop, n), sum;
    struct loop_value a;
    bool inverse, second = is_begun(x, src[1], n, s->reg);
    isa_operand by;
    if (p == LOOPS_NONE) return false;
    const struct closed_leaf leaf = leaf_at(x, p);
    if (!is_bit_test(x, &leaf, &a, &inverse, &s->top) ||
        !is_begun(x, src[second ? 1 : 2], n, s->reg))
        return false;
    sum = loops_written(x->l, src[second ? 2 : 1], x->loop, n);
    s->zeros = second != inverse;
    s->kind = RECUR_SIGN;
    if (sum == LOOPS_NONE) return false;
    if (turns(x, sum, s)) return bit_of(x, &a, s);
    s->kind = RECUR_FLIP;
    if (inst_at(x, sum)->op == ISA_xor)
        return other_operand(x, sum, s->reg, &s->what) && is_fixed(x, s->what, s) &&
               bit_of(x, &a, s);
    s->kind = RECUR_BIT;
    if ((inst_at(x, sum)->op != ISA_add && inst_at(x, sum)->op != ISA_sub) ||
        !other_operand(x, sum, s->reg, &by))
        return false;
    s->down = (inst_at(x, sum)->op == ISA_sub) != constant_is(x->k, by, -1);
    return (constant_is(x->k, by, 1) || constant_is(x->k, by, -1)) && bit_of(x, &a, s);
}

/* What an iteration makes of the register, of those that are shifted or of the others. */
static bool find_step(struct closed_loop *x, isa_operand reg, bool shifted, struct recurrence *s) {
    struct loop_value a = origin_of(x, reg, x->l->loops[x->loop].end);
    *s = (struct recurrence){.reg = reg, .at = a.from, .what = ISA_NO_OPERAND};
    if (a.from == LOOPS_NONE || a.least < size_of(x, reg) ||
        !isa_is_integer(isa_operand_type(x->k, reg)))
        return false;
    const struct isa_inst *i = inst_at(x, a.from);
    s->wider = i->type != isa_operand_type(x->k, reg);
    switch (i->op) {
    case ISA_shr_u:
    case ISA_shr_s:
    case ISA_div_s:
    case ISA_shl: return shifted && is_shift(x, a.from, s);
    case ISA_select: return !shifted && changes_where(x, a.from, s);
    case ISA_and:
    case ISA_add:
    case ISA_sub:
    case ISA_xor: break;
    default: return false;
    }
    s->kind = RECUR_SHL;
    s->shift = 1;
    if (shifted && i->op == ISA_add && is_begun(x, isa_srcs(x->k, i)[0], a.from, reg) &&
        is_begun(x, isa_srcs(x->k, i)[1], a.from, reg))
        return true;
    s->kind = RECUR_LOWEST;
    if (shifted) return i->op != ISA_add && clears_lowest(x, a.from, reg);
    s->kind = RECUR_TURN;
    if (turns(x, a.from, s)) return true;
    if (i->op == ISA_and || !other_operand(x, a.from, reg, &s->by)) return false;
    bool flips = i->op == ISA_xor;
    struct loop_value bit;
    s->down = i->op == ISA_sub;
    s->kind = flips ? RECUR_XOR : RECUR_ADD;
    if (!loops_varies(x->l, s->by, x->loop)) {
        s->what = s->by;
        return is_fixed(x, s->by, s);
    }
    s->kind = flips ? RECUR_FLIP : RECUR_BIT;
    return is_bit(x, s->by, a.from, &bit, &s->zeros, &s->top) && bit_of(x, &bit, s);
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

/* ---- loops ---- */

bool closedloops_simple(struct closed_loop *x, const struct isa_kernel *k, const struct loops *l,
                        uint32_t loop) {
    *x = (struct closed_loop){.k = k, .l = l, .loop = loop};
    const struct loop *of = &l->loops[loop];
    if (of->end - of->begin > CLOSEDLOOPS_INSTS) return false;
    for (uint32_t n = of->begin + 1; n < of->end; n++) {
        const struct isa_inst *i = inst_at(x, n);
        if (i->op == ISA_breakif && !i->imm) {
            if (!x->leaves) x->leaves = n;
            x->last = n;
            continue;
        }
        if (!(isa_op_info[i->op].flags & ISA_OP_PURE) || i->site || i->ndst != 1 ||
            loops_writer(l, isa_dsts(k, i)[0], loop) != n)
            return false;
    }
    return x->leaves;
}

static bool conditions_of(struct closed_loop *x, isa_operand p, uint32_t at, bool opposite) {
    uint32_t n = loops_written(x->l, p, x->loop, at);
    if (n == LOOPS_NONE || n == LOOPS_SEVERAL) return false;
    const struct isa_inst *i = inst_at(x, n);
    if (i->op == ISA_not) return conditions_of(x, isa_srcs(x->k, i)[0], n, !opposite);
    if (i->op == (opposite ? ISA_and : ISA_or))
        return conditions_of(x, isa_srcs(x->k, i)[0], n, opposite) &&
               conditions_of(x, isa_srcs(x->k, i)[1], n, opposite);
    struct closed_leaf f = leaf_at(x, n);
    if (f.op == ISA_OP_COUNT || x->nconditions == CLOSEDLOOPS_CONDITIONS) return false;
    if (opposite) {
        bool turned;
        isa_operand first = f.src[0];
        f.op = compare_opposite(f.op, &turned);
        if (turned) {
            f.src[0] = f.src[1];
            f.src[1] = first;
        }
    }
    struct closed_condition *c = &x->conditions[x->nconditions++];
    *c = (struct closed_condition){.leaf = f};
    c->equal = f.op == ISA_eq;
    if (!loops_exit_by(x->l, x->k, n, opposite, &c->exit)) c->exit.step = 0;
    return true;
}

bool closedloops_conditions(struct closed_loop *x, uint32_t leaves) {
    unsigned from = x->nconditions;
    if (!conditions_of(x, isa_srcs(x->k, inst_at(x, leaves))[0], leaves, false)) return false;
    while (from < x->nconditions) x->conditions[from++].leaves = leaves;
    return true;
}

static bool find_steps(struct closed_loop *x) {
    const struct loop *l = &x->l->loops[x->loop];
    for (unsigned shifted = 2; shifted--;)
        for (uint32_t n = l->begin + 1; n < l->end; n++) {
            if (inst_at(x, n)->op == ISA_breakif) continue;
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

/* Until a bit is 1 to which others are shifted up. */
static bool find_rise(struct closed_loop *x, struct closed_condition *c) {
    const struct closed_leaf *f = &c->leaf;
    struct loop_value a = origin_of(x, f->src[0], f->at);
    uint64_t bit;
    bool inverse;
    if (is_top_test(x, f, &a, &inverse)) {
        c->clear = inverse;
        bit = UINT64_C(1) << (a.least * 8 - 1);
    } else {
        if (a.from == LOOPS_NONE || inst_at(x, a.from)->op != ISA_and) return false;
        const isa_operand *src = isa_srcs(x->k, inst_at(x, a.from));
        if (!constant_bits(x->k, src[1], &bit) || !bit || bit & (bit - 1)) return false;
        bool zero = constant_is(x->k, f->src[1], 0);
        if ((f->op != ISA_eq && f->op != ISA_ne) ||
            !(zero || constant_is(x->k, f->src[1], (int64_t)bit)))
            return false;
        c->clear = zero == (f->op == ISA_eq);
        a = origin_of(x, src[0], a.from);
    }
    c->bits = (unsigned)__builtin_ctzll(bit);
    c->driver = step_of(x, &a, &c->behind);
    return c->driver && c->driver->kind == RECUR_SHL && c->driver->shift == 1 &&
           c->bits < a.least * 8;
}

/* Until a 1 that is shifted up is as much as what does not change, or more. */
static bool find_reach(struct closed_loop *x, struct closed_condition *c) {
    const struct closed_leaf *f = &c->leaf;
    uint64_t first;
    if (!compare_is_order(f->op) || loops_varies(x->l, f->src[0], x->loop)) return false;
    struct loop_value a = origin_of(x, f->src[1], f->at);
    const struct recurrence *d = c->driver = step_of(x, &a, &c->behind);
    if (!d || d->kind != RECUR_SHL || d->shift != 1 || d->wider || a.least < size_of(x, d->reg) ||
        size_of(x, d->reg) != size_of(x, f->src[0]))
        return false;
    uint32_t start = loops_start_outside(x->k, x->l->loops[x->loop].begin, d->reg);
    const struct isa_inst *i = start ? inst_at(x, start - 1) : NULL;
    if (!i || i->op != ISA_mov || !constant_bits(x->k, isa_srcs(x->k, i)[0], &first)) return false;
    if (!first || first & (first - 1)) return false;
    c->bits = (unsigned)__builtin_ctzll(first) + c->behind;
    c->far = f->src[0];
    c->beyond = compare_is_strict(f->op);
    c->is_signed = compare_is_signed(f->op);
    return c->bits + 2 < size_of(x, d->reg) * 8;
}

/* Until a value is at most 2^bits - 1, or a bit of it is 1, or 0. */
static bool find_condition(struct closed_loop *x, struct closed_condition *c) {
    const struct closed_leaf *f = &c->leaf;
    struct loop_value a;
    uint64_t most = 0;
    bool inverse, top;
    if ((c->odd = find_rise(x, c))) return true;
    c->clear = false;
    if ((c->reaches = c->odd = find_reach(x, c))) return true;
    c->bits = 0;
    if ((c->odd = is_bit_test(x, f, &a, &inverse, &top))) {
        c->clear = inverse;
        c->driver = step_of(x, &a, &c->behind);
        if (top || !c->driver || c->driver->shift != 1) return false;
        enum recurrence_kind kind = c->driver->kind;
        return kind == RECUR_SHR_U || (!inverse && (kind == RECUR_SHR_S || kind == RECUR_HALVE));
    }
    if (!constant_bits(x->k, f->src[1], &most) || f->op == ISA_ne) return false;
    a = origin_of(x, f->src[0], f->at);
    struct recurrence *d = c->driver = step_of(x, &a, &c->behind);
    if (!d || d->kind < RECUR_SHR_U || a.least < size_of(x, d->reg)) return false;
    if (d->kind == RECUR_SHL) return f->op == ISA_eq && !most;
    bool less = compare_is_strict(f->op);
    if (less && !most--) return false;
    c->one = f->op == ISA_eq && most == 1;
    for (c->bits = 0; most >> c->bits & 1;) c->bits++;
    if (most >> c->bits || c->bits >= size_of(x, d->reg) * 8u - 1) return false;
    if (f->op == ISA_eq && most &&
        (!c->one || d->kind == RECUR_HALVE || d->kind == RECUR_LOWEST || d->shift != 1))
        return false;
    /* As signed it is compared where it is no unsigned value of a narrower type. */
    a.zext |= c->behind && d->wider && d->kind == RECUR_SHR_U;
    c->is_signed = !a.zext && compare_is_signed(f->op);
    if (a.sext && compare_is_order(f->op) && !compare_is_signed(f->op)) return false;
    if (d->kind == RECUR_LOWEST) return !c->bits && !c->is_signed;
    return d->kind != RECUR_HALVE || c->is_signed || !c->bits;
}

/* A counter goes to a bound, which it does not pass by a wrap. */
static bool find_count(struct closed_condition *c, const struct isa_kernel *k) {
    const struct loop_exit *e = &c->exit;
    uint64_t bound;
    c->driver = NULL;
    c->behind = c->odd = c->clear = c->one = c->is_signed = false;
    c->bits = 0;
    if (!e->step) return false;
    if (c->equal) return e->step == 1;
    if (!e->inclusive && e->step == 1) return true;
    if (!constant_bits(k, e->bound, &bound)) return false;
    uint64_t room = e->step + (uint64_t)e->inclusive;
    if (compare_is_signed(c->leaf.op)) bound = (bound + 0x80000000u) & UINT32_MAX;
    return e->down ? bound >= room : bound + room <= UINT32_MAX;
}

/* All conditions, and nothing between them that an iteration that follows or what is behind the
 * loop reads. */
static bool find_conditions(struct closed_loop *x) {
    for (uint32_t n = x->leaves; n <= x->last; n++) {
        if (inst_at(x, n)->op != ISA_breakif) {
            if (is_carried(x, n, isa_dsts(x->k, inst_at(x, n))[0])) return false;
        } else if (!closedloops_conditions(x, n)) {
            return false;
        }
    }
    for (unsigned n = 0; n < x->nconditions; n++)
        if (!find_condition(x, &x->conditions[n]) && !find_count(&x->conditions[n], x->k))
            return false;
    return true;
}

/* Numbers that lose their lowest bits are known where all are lost, or all but one. */
static bool lowest_are_known(const struct closed_loop *x) {
    for (unsigned n = 0; n < x->nsteps; n++)
        if (x->steps[n].kind == RECUR_LOWEST &&
            (x->nconditions > 1 || x->conditions[0].driver != &x->steps[n]))
            return false;
    return true;
}

/* Sums of bits are those of numbers that end as 0. */
static bool sums_are_known(const struct closed_loop *x) {
    for (unsigned n = 0; n < x->nsteps; n++) {
        const struct recurrence *s = &x->steps[n], *of = x->steps;
        if (s->kind != RECUR_BIT && s->kind != RECUR_FLIP && s->kind != RECUR_SIGN) continue;
        while (of->reg != s->by) of++;
        const struct closed_condition *c = x->conditions;
        if (of->kind == RECUR_SHR_S && (x->nconditions > 1 || of != c->driver || c->odd))
            return false;
    }
    return true;
}

bool closedloops_find(struct closed_loop *x, const struct isa_kernel *k, const struct loops *l,
                      uint32_t loop) {
    return closedloops_simple(x, k, l, loop) && find_steps(x) && find_conditions(x) &&
           lowest_are_known(x) && sums_are_known(x);
}
