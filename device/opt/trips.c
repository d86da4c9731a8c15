#include "trips.h"

#include "device/isa/compare.h"

enum {
    DEEP = 12, /* operations that are looked through */
    LEVELS = 4,
    MOST_PICKS = 3 /* minimums and maximums of which one operand is taken */
};

/* ---- what operands are made of ---- */

struct trips_walk {
    const struct trips_finder *f;
    isa_operand counter[2];
    uint32_t begin, start[2]; /* of the loop; what starts the counters, + 1; 0: unknown */
    uint32_t at;              /* the instruction that reads an operand */
    uint32_t picks, picked;   /* as bits: which operands are taken; how many could be */
    unsigned left;
};

static bool is_shared(const struct trips_finder *f, isa_operand o) {
    struct shape_value v = shape_operand(f->shape, f->k, o);
    return v.span == SHAPE_GROUP && !v.stride;
}

/* Is what an instruction makes where an object begins? */
static bool is_object(const struct isa_kernel *k, const struct isa_inst *i) {
    if (i->op != ISA_ld || i->space != ISA_PARAM)
        return i->op == ISA_localaddr || i->op == ISA_constaddr;
    const struct isa_param *p = isa_param_at(k, (uint32_t)i->imm);
    return p && isa_param_points(p);
}

uint8_t *trips_pointers(const struct isa_kernel *k, struct arena *arena) {
    uint8_t *is = ARENA_ARRAY(arena, uint8_t, k->nregs + 1u);
    for (uint32_t n = k->ninsts; n-- > 0;) {
        const struct isa_inst *i = &k->insts[n];
        bool moves = i->op == ISA_ld || i->op == ISA_st,
             shared = moves && i->space != ISA_PRIVATE && i->space != ISA_PARAM;
        for (unsigned d = 0; d < i->ndst; d++)
            if (is_object(k, i)) is[isa_dsts(k, i)[d]] = 1;
        bool copies = i->op == ISA_mov && is[isa_dsts(k, i)[0]];
        isa_operand o = shared || copies ? isa_srcs(k, i)[0] : ISA_NO_OPERAND;
        if (isa_is_reg(o)) is[o] = 1;
    }
    return is;
}

/* Does the sum point into an object? Pointers into one do not wrap around from its one end to the
 * other, which is not as far as INT32_MAX: what is compared may be said to be in one (C99 6.5.6,
 * 6.5.8). */
static bool is_pointer(const struct trips_finder *f, const struct linear_sum *s) {
    uint32_t pointers = 0;
    for (uint32_t n = 0; n < s->terms; n++) {
        const struct linear_term *x = &s->of[n];
        if (!x->by || !f->pointers[x->reg]) continue;
        if (x->value || x->by != 1) return false;
        pointers++;
    }
    return pointers == 1;
}

static bool add(void *context, struct linear_sum *s, isa_operand o, uint32_t by);

/* Adds a product of two sums, of single registers and numbers each. */
static bool add_product(struct trips_walk *w, struct linear_sum *s, const isa_operand *src,
                        uint32_t by) {
    struct linear_sum of[2] = {0};
    for (unsigned n = 0; n < 2; n++)
        if (!add(w, &of[n], src[n], 1)) return false;
    for (uint32_t a = 0; a < of[0].terms; a++) {
        const struct linear_term *x = &of[0].of[a];
        if (of[1].plus && !linear_add(s, x->reg, x->value, x->by * of[1].plus * by)) return false;
        for (uint32_t b = 0; b < of[1].terms; b++) {
            const struct linear_term *y = &of[1].of[b];
            bool turned = y->reg < x->reg;
            if (x->value || y->value) return false;
            if (!linear_add(s, turned ? y->reg : x->reg, (turned ? x->reg : y->reg) + 1,
                            x->by * y->by * by))
                return false;
        }
    }
    for (uint32_t b = 0; b < of[1].terms && of[0].plus; b++)
        if (!linear_add(s, of[1].of[b].reg, of[1].of[b].value, of[1].of[b].by * of[0].plus * by))
            return false;
    s->plus += of[0].plus * of[1].plus * by;
    return true;
}

/* Adds what instruction n makes. */
static bool add_result(struct trips_walk *w, struct linear_sum *s, uint32_t n, uint32_t by) {
    const struct isa_inst *i = &w->f->k->insts[n];
    const isa_operand *src = isa_srcs(w->f->k, i);
    uint32_t at = w->at, c;
    bool good = false;
    if (!w->left || i->ndst != 1 || i->type != ISA_I32) return false;
    w->left--;
    w->at = n;
    switch (i->op) {
    case ISA_mul:
        if (isa_constant(w->f->k, src[0], &c) || isa_constant(w->f->k, src[1], &c))
            good = linear_add_result(s, w->f->k, i, by, add, w);
        else
            good = add_product(w, s, src, by);
        break;
    case ISA_min_s:
    case ISA_min_u:
    case ISA_max_s:
    case ISA_max_u:
    case ISA_select:
        if (w->picked < MOST_PICKS)
            good = add(w, s, src[(i->op == ISA_select) + (w->picks >> w->picked++ & 1)], by);
        break;
    default: good = linear_add_result(s, w->f->k, i, by, add, w);
    }
    w->at = at;
    w->left++;
    return good;
}

/* Adds an operand as instruction w->at reads it. */
static bool add(void *context, struct linear_sum *s, isa_operand o, uint32_t by) {
    struct trips_walk *w = context;
    const struct isa_kernel *k = w->f->k;
    const struct linear_sum before = *s;
    uint32_t c, picked = w->picked;
    if (isa_constant(k, o, &c)) {
        s->plus += c * by;
        return true;
    }
    if (!isa_is_reg(o)) return false;
    const struct isa_inst *i = loops_definition(w->f->l, k, o);
    uint32_t made = i ? (uint32_t)(i - k->insts) : LOOPS_NONE;
    for (unsigned n = 0; n < 2; n++)
        if (o == w->counter[n] && w->start[n] && w->at >= w->start[n] && w->at <= w->begin)
            made = w->start[n] - 1;
    if (made < w->at && !is_shared(w->f, o) && add_result(w, s, made, by)) return true;
    *s = before;
    w->picked = picked;
    return w->at < w->begin + 1 && loops_keep(k, o, w->at, w->begin) && linear_add(s, o, 0, by);
}

/* Of a loop, and one or two of its counters. */
static struct trips_walk walk_of(const struct trips_finder *f, uint32_t loop, isa_operand counter,
                                 isa_operand other) {
    uint32_t begin = f->l->loops[loop].begin;
    struct trips_walk w = {
        .f = f, .counter = {counter, other}, .begin = begin, .at = begin, .left = DEEP};
    for (unsigned n = 0; n < 2; n++)
        if (isa_is_reg(w.counter[n])) w.start[n] = loops_start_outside(f->k, begin, w.counter[n]);
    return w;
}

/* Is it made of what all share? Takes out what is nothing, and what is not shared where some may
 * be. */
static bool is_common(const struct trips_finder *f, struct linear_sum *s, bool *some) {
    struct linear_sum of = {.plus = s->plus};
    for (uint32_t n = 0; n < s->terms; n++) {
        const struct linear_term *x = &s->of[n];
        if (!x->by) continue;
        if (is_shared(f, x->reg) && (!x->value || is_shared(f, x->value - 1)))
            of.of[of.terms++] = *x;
        else if (some)
            *some = true;
        else
            return false;
    }
    *s = of;
    return of.terms || !some || !*some;
}

/* Is a step made of how many work-items there are? Loops in such strides end where the array does,
 * for some lanes before others. */
static bool is_of_sizes(const struct trips_finder *f, isa_operand o, unsigned left) {
    const struct isa_inst *i = loops_definition(f->l, f->k, o);
    if (!i || !left) return false;
    bool is = i->op == ISA_special;
    for (unsigned s = 0; s < i->nsrc && isa_op_info[i->op].flags & ISA_OP_PURE; s++)
        is |= is_of_sizes(f, isa_srcs(f->k, i)[s], left - 1);
    return is;
}

/* How far is it from what the counter has at first to the bound, taking these operands? */
static bool find_far(const struct trips_finder *f, struct trips *t, uint32_t *picks,
                     uint32_t *picked, bool *guessed) {
    struct trips_walk w = walk_of(f, f->l->loop_of[t->leaves], t->exit.counter.reg, ISA_NO_OPERAND);
    uint32_t to = t->exit.down ? UINT32_MAX : 1;
    struct linear_sum from = {.plus = t->exit.off};
    w.picks = *picks;
    t->far = (struct linear_sum){.plus = 0};
    bool good = add(&w, &from, t->exit.counter.reg, 1) && add(&w, &t->far, t->exit.bound, to) &&
                linear_add_sum(&t->far, &from, 0 - to);
    *picked = w.picked;
    t->in_object = is_pointer(f, &from) && !is_pointer(f, &t->far);
    bool strides = !t->exit.step && !t->equal && !is_of_sizes(f, t->exit.counter.step, LEVELS);
    return good && is_common(f, &t->far, strides ? guessed : NULL);
}

bool trips_apart(const struct trips_finder *f, uint32_t loop, isa_operand counter, isa_operand from,
                 struct linear_sum *far, bool *in_object) {
    struct trips_walk w = walk_of(f, loop, counter, ISA_NO_OPERAND);
    struct linear_sum first = {.plus = 0};
    *far = first;
    if (!add(&w, &first, counter, 1) || !add(&w, far, from, UINT32_MAX) ||
        !linear_add_sum(far, &first, 1))
        return false;
    *in_object = is_pointer(f, &first) && !is_pointer(f, far);
    return !w.picked && is_common(f, far, NULL);
}

unsigned trips_zeros(const struct trips_finder *f, const struct linear_sum *s) {
    unsigned least = s->plus ? (unsigned)__builtin_ctz(s->plus) : 32;
    for (uint32_t n = 0; n < s->terms; n++) {
        const struct linear_term *x = &s->of[n];
        unsigned zeros = (unsigned)__builtin_ctz(x->by) + numbers_zeros(f->numbers, f->k, x->reg);
        if (x->value) zeros += numbers_zeros(f->numbers, f->k, x->value - 1);
        if (zeros < least) least = zeros;
    }
    return least;
}

/* Do all lanes of an iteration come to the instruction, by which they may leave the loop? */
static bool is_exit(const struct trips_finder *f, uint32_t leaves) {
    const struct isa_inst *i = &f->k->insts[leaves];
    return i->op == ISA_breakif && f->l->loop_of[leaves] && !i->imm && !f->l->nested[leaves] &&
           f->l->each[leaves];
}

bool trips_find_meeting(const struct trips_finder *f, uint32_t leaves, struct trips *t) {
    *t = (struct trips){.leaves = leaves, .meets = true};
    if (!is_exit(f, leaves) ||
        !loops_exit_meets(f->l, f->k, leaves, &t->exit, &t->other, &t->other_off))
        return false;
    t->is_signed = compare_is_signed(f->k->insts[t->exit.compare].op);
    t->step[0] = (uint32_t)loops_constant_step(f->k, &t->exit.counter);
    t->step[1] = (uint32_t)loops_constant_step(f->k, &t->other);
    uint32_t loop = f->l->loop_of[leaves];
    struct trips_walk w = walk_of(f, loop, t->exit.counter.reg, t->other.reg);
    struct linear_sum from = {.plus = t->exit.off};
    t->far.plus = t->other_off;
    return add(&w, &from, t->exit.counter.reg, 1) && add(&w, &t->far, t->other.reg, 1) &&
           linear_add_sum(&t->far, &from, UINT32_MAX) && is_common(f, &t->far, NULL);
}

bool trips_find(const struct trips_finder *f, uint32_t leaves, struct trips *t) {
    const struct isa_kernel *k = f->k;
    const struct loops *l = f->l;
    *t = (struct trips){.leaves = leaves};
    if (!is_exit(f, leaves) || !loops_exit_steps(l, k, leaves, &t->exit)) return false;
    const struct loop_exit *e = &t->exit;
    uint32_t picks = 0, picked = 0;
    if (!l->each[e->counter.at]) return false;
    if (!e->step && (isa_is_const(e->counter.step) || e->counter.at < e->compare)) return false;
    t->equal = k->insts[e->compare].op == ISA_eq;
    t->is_signed = compare_is_signed(k->insts[e->compare].op);
    bool guessed = false;
    while (!find_far(f, t, &picks, &picked, &guessed))
        if (++picks >> picked) return false;
    t->whole = e->step && !(e->step & (e->step - 1)) && !e->inclusive &&
               trips_zeros(f, &t->far) >= (unsigned)__builtin_ctz(e->step);
    guessed |= picked > 0;
    t->sure = t->whole && !guessed;
    t->always = t->equal ? t->sure : !guessed && !t->is_signed && t->in_object;
    return true;
}

/* ---- writing ---- */

static isa_operand plus(struct kernelcopy *c, isa_operand a, uint32_t by) {
    return by ? kernelcopy_result(c, ISA_add, ISA_I32, a, kernelcopy_word(c, by)) : a;
}

static isa_operand times(struct kernelcopy *c, isa_operand a, uint32_t by) {
    bool shifts = !(by & (by - 1));
    if (by == 1) return a;
    return kernelcopy_result(c, shifts ? ISA_shl : ISA_mul, ISA_I32, a,
                             kernelcopy_word(c, shifts ? (uint32_t)__builtin_ctz(by) : by));
}

isa_operand trips_sum(struct kernelcopy *c, const struct linear_sum *s) {
    isa_operand all = ISA_NO_OPERAND;
    for (uint32_t n = 0; n < s->terms; n++) {
        const struct linear_term *x = &s->of[n];
        isa_operand o = kernelcopy_named(c, x->reg);
        if (x->value)
            o = kernelcopy_result(c, ISA_mul, ISA_I32, o, kernelcopy_named(c, x->value - 1));
        o = times(c, o, x->by);
        all = all == ISA_NO_OPERAND ? o : kernelcopy_result(c, ISA_add, ISA_I32, all, o);
    }
    return all == ISA_NO_OPERAND ? kernelcopy_word(c, s->plus) : plus(c, all, s->plus);
}

/* What is added to the counter, as often as that. */
static isa_operand steps_of(struct kernelcopy *c, const struct trips *t, isa_operand count) {
    if (t->exit.step) return times(c, count, t->exit.step);
    return kernelcopy_result(c, ISA_mul, ISA_I32, count, kernelcopy_named(c, t->exit.counter.step));
}

/* How many whole steps that is. */
static isa_operand over_step(struct kernelcopy *c, const struct trips *t, isa_operand far) {
    uint32_t step = t->exit.step;
    if (!step)
        return kernelcopy_result(c, ISA_div_u, ISA_I32, far,
                                 kernelcopy_named(c, t->exit.counter.step));
    bool shifts = !(step & (step - 1));
    if (step == 1) return far;
    return kernelcopy_result(c, shifts ? ISA_shr_u : ISA_div_u, ISA_I32, far,
                             kernelcopy_word(c, shifts ? (uint32_t)__builtin_ctz(step) : step));
}

/* The number where that is known for all work-items of which way the bound lies: it is 0 where it
 * lies behind the counter, and there is none where the counter does not come closer. */
static isa_operand always(struct kernelcopy *c, const struct trips *t, isa_operand far) {
    isa_operand zero = kernelcopy_word(c, 0), all = kernelcopy_word(c, UINT32_MAX);
    if (t->whole) return over_step(c, t, kernelcopy_result(c, ISA_max_s, ISA_I32, far, zero));
    far = plus(c, far, t->exit.inclusive);
    isa_operand number = plus(c, over_step(c, t, plus(c, far, UINT32_MAX)), 1), step;
    if (!t->exit.step) {
        step = kernelcopy_named(c, t->exit.counter.step);
        number = kernelcopy_select(c, ISA_I32, kernelcopy_result(c, ISA_lt_s, ISA_I32, zero, step),
                                   number, all);
    }
    return kernelcopy_select(c, ISA_I32, kernelcopy_result(c, ISA_lt_s, ISA_I32, zero, far), number,
                             zero);
}

isa_operand trips_write(struct kernelcopy *c, const struct trips *t) {
    isa_operand far = trips_sum(c, &t->far);
    if (t->always && !t->equal) return always(c, t, far);
    if (t->sure || t->equal) return over_step(c, t, far);
    return plus(c, over_step(c, t, t->exit.inclusive ? far : plus(c, far, UINT32_MAX)), 1);
}

/* a comes before b, or, or_equal, with it, on the way that the counter goes. */
static isa_operand before(struct kernelcopy *c, const struct trips *t, isa_operand a, isa_operand b,
                          bool or_equal) {
    static const enum isa_op ops[2][2] = {{ISA_lt_u, ISA_le_u}, {ISA_lt_s, ISA_le_s}};
    bool down = t->exit.down;
    return kernelcopy_result(c, ops[t->is_signed][or_equal], ISA_I32, down ? b : a, down ? a : b);
}

/* Where two counters meet: the iteration that is said to be the last one is, and neither wraps
 * around before the next one. From one end of all numbers to the other there are more iterations
 * than a number with a sign, as loops compare it, can be. */
static isa_operand meet(struct kernelcopy *c, const struct trips *t, isa_operand number) {
    const struct loop_counter *of[2] = {&t->exit.counter, &t->other};
    const uint32_t off[2] = {t->exit.off, t->other_off};
    isa_operand ways = plus(c, number, UINT32_MAX), last[2], next[2],
                all = kernelcopy_result(c, ISA_lt_s, ISA_I32, kernelcopy_word(c, 0), number);
    for (unsigned n = 0; n < 2; n++) {
        uint32_t step = t->step[n];
        isa_operand first = plus(c, kernelcopy_named(c, of[n]->reg), off[n]),
                    by = kernelcopy_result(c, ISA_mul, ISA_I32, ways, kernelcopy_word(c, step));
        last[n] = kernelcopy_result(c, ISA_add, ISA_I32, first, by);
        next[n] = plus(c, last[n], step);
        all = kernelcopy_joined(c, ISA_and, all,
                                before(c, t, n ? last[n] : first, n ? first : last[n], true));
        all = kernelcopy_joined(c, ISA_and, all,
                                before(c, t, n ? next[n] : last[n], n ? last[n] : next[n], false));
    }
    all = kernelcopy_joined(c, ISA_and, all, before(c, t, last[0], last[1], t->exit.inclusive));
    return kernelcopy_joined(c, ISA_and, all, before(c, t, next[1], next[0], !t->exit.inclusive));
}

/* Otherwise the iteration that is said to be the last one is: nothing wraps around before it, it
 * is not beyond the bound, and the next one is. A step of 0 or less is refused by that. */
isa_operand trips_hold(struct kernelcopy *c, const struct trips *t, isa_operand number) {
    const struct loop_exit *e = &t->exit;
    enum isa_op on = e->down ? ISA_sub : ISA_add;
    if (t->meets) return meet(c, t, number);
    isa_operand first = plus(c, kernelcopy_named(c, e->counter.reg), e->off),
                bound = kernelcopy_named(c, e->bound);
    if (t->sure) return before(c, t, first, bound, false);
    if (t->equal) {
        isa_operand way = steps_of(c, t, number),
                    at = kernelcopy_result(c, on, ISA_I32, first, way);
        return kernelcopy_result(c, ISA_and, ISA_PRED,
                                 kernelcopy_result(c, ISA_eq, ISA_I32, at, bound),
                                 kernelcopy_result(c, ISA_ne, ISA_I32, at, first));
    }
    isa_operand way = steps_of(c, t, plus(c, number, UINT32_MAX)),
                last = kernelcopy_result(c, on, ISA_I32, first, way),
                next =
                    kernelcopy_result(c, on, ISA_I32, last, steps_of(c, t, kernelcopy_word(c, 1))),
                all = before(c, t, first, last, true);
    all = kernelcopy_joined(c, ISA_and, all, before(c, t, last, bound, e->inclusive));
    all = kernelcopy_joined(c, ISA_and, all, before(c, t, bound, next, !e->inclusive));
    return kernelcopy_joined(c, ISA_and, all, before(c, t, last, next, false));
}
