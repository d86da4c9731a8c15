#include "trips.h"

#include "device/isa/compare.h"

enum {
    DEEP = 12,     /* operations that are looked through */
    MOST_PICKS = 3 /* minimums and maximums of which one operand is taken */
};

/* ---- what operands are made of ---- */

struct walk {
    const struct trips_finder *f;
    const struct trips *t;
    uint32_t begin, start; /* of the loop; what starts its counter, + 1; 0: unknown */
    uint32_t at;           /* the instruction that reads an operand */
    uint32_t picks, picked; /* as bits: which operands are taken; how many could be */
    unsigned left;
};

static bool is_shared(const struct trips_finder *f, isa_operand o) {
    struct shape_value v = shape_operand(f->shape, f->k, o);
    return v.span == SHAPE_GROUP && !v.stride;
}

static bool add(void *context, struct linear_sum *s, isa_operand o, uint32_t by);

/* Adds a product of two sums, of single registers and numbers each. */
static bool add_product(struct walk *w, struct linear_sum *s, const isa_operand *src, uint32_t by) {
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
static bool add_result(struct walk *w, struct linear_sum *s, uint32_t n, uint32_t by) {
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
    struct walk *w = context;
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
    if (o == w->t->exit.counter.reg && w->start && w->at >= w->start && w->at <= w->begin)
        made = w->start - 1;
    if (made < w->at && !is_shared(w->f, o) && add_result(w, s, made, by)) return true;
    *s = before;
    w->picked = picked;
    return w->at < w->begin + 1 && loops_keep(k, o, w->at, w->begin) && linear_add(s, o, 0, by);
}

/* How far is it from what the counter has at first to the bound, taking these operands? */
static bool find_far(const struct trips_finder *f, struct trips *t, uint32_t *picks,
                     uint32_t *picked) {
    struct walk w = {.f = f,
                     .t = t,
                     .begin = f->l->loops[f->l->loop_of[t->leaves]].begin,
                     .picks = *picks,
                     .left = DEEP};
    uint32_t to = t->exit.down ? UINT32_MAX : 1;
    struct linear_sum far = {.plus = 0 - t->exit.off * to};
    w.start = loops_start(f->k, w.begin, t->exit.counter.reg);
    w.at = w.begin;
    bool good = add(&w, &far, t->exit.bound, to) && add(&w, &far, t->exit.counter.reg, 0 - to);
    t->far = (struct linear_sum){.plus = far.plus};
    for (uint32_t n = 0; n < far.terms && good; n++) {
        const struct linear_term *x = &far.of[n];
        if (!x->by) continue;
        good = is_shared(f, x->reg) && (!x->value || is_shared(f, x->value - 1));
        t->far.of[t->far.terms++] = *x;
    }
    *picked = w.picked;
    return good;
}

/* How many low bits of it are 0. */
static unsigned zeros_of(const struct trips_finder *f, const struct linear_sum *s) {
    unsigned least = s->plus ? (unsigned)__builtin_ctz(s->plus) : 32;
    for (uint32_t n = 0; n < s->terms; n++) {
        const struct linear_term *x = &s->of[n];
        unsigned zeros = (unsigned)__builtin_ctz(x->by) + numbers_zeros(f->numbers, f->k, x->reg);
        if (x->value) zeros += numbers_zeros(f->numbers, f->k, x->value - 1);
        if (zeros < least) least = zeros;
    }
    return least;
}

bool trips_find(const struct trips_finder *f, uint32_t leaves, struct trips *t) {
    const struct isa_kernel *k = f->k;
    const struct loops *l = f->l;
    *t = (struct trips){.leaves = leaves};
    if (k->insts[leaves].op != ISA_breakif || !l->loop_of[leaves] || k->insts[leaves].imm) 
        return false;
    if (l->nested[leaves] || !l->each[leaves] || !loops_exit(l, k, leaves, &t->exit)) return false;
    if (!l->each[t->exit.counter.at]) return false;
    enum isa_op op = (enum isa_op)k->insts[t->exit.compare].op;
    uint32_t step = t->exit.step, picks = 0, picked;
    t->equal = op == ISA_eq;
    t->is_signed = compare_is_signed(op);
    while (!find_far(f, t, &picks, &picked))
        if (t->equal || ++picks >> picked) return false;
    bool whole = !(step & (step - 1)) && zeros_of(f, &t->far) >= (unsigned)__builtin_ctz(step);
    t->sure = whole && !t->exit.inclusive && !picked;
    return t->sure || !t->equal;
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

static isa_operand over(struct kernelcopy *c, isa_operand a, uint32_t by) {
    bool shifts = !(by & (by - 1));
    if (by == 1) return a;
    return kernelcopy_result(c, shifts ? ISA_shr_u : ISA_div_u, ISA_I32, a,
                             kernelcopy_word(c, shifts ? (uint32_t)__builtin_ctz(by) : by));
}

static isa_operand sum_of(struct kernelcopy *c, const struct linear_sum *s) {
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

isa_operand trips_write(struct kernelcopy *c, const struct trips *t) {
    isa_operand far = sum_of(c, &t->far);
    if (t->sure) return over(c, far, t->exit.step);
    return plus(c, over(c, t->exit.inclusive ? far : plus(c, far, UINT32_MAX), t->exit.step), 1);
}

/* a comes before b, or, or_equal, with it, on the way that the counter goes. */
static isa_operand before(struct kernelcopy *c, const struct trips *t, isa_operand a,
                          isa_operand b, bool or_equal) {
    static const enum isa_op ops[2][2] = {{ISA_lt_u, ISA_le_u}, {ISA_lt_s, ISA_le_s}};
    bool down = t->exit.down;
    return kernelcopy_result(c, ops[t->is_signed][or_equal], ISA_I32, down ? b : a, down ? a : b);
}

/* Otherwise the iteration that is said to be the last one is: nothing wraps around before it, it
 * is not beyond the bound, and the next one is. */
isa_operand trips_hold(struct kernelcopy *c, const struct trips *t, isa_operand number) {
    const struct loop_exit *e = &t->exit;
    if (t->equal) return ISA_NO_OPERAND;
    uint32_t step = e->down ? 0 - e->step : e->step;
    isa_operand first = plus(c, kernelcopy_named(c, e->counter.reg), e->off),
                bound = kernelcopy_named(c, e->bound);
    if (t->sure) return before(c, t, first, bound, false);
    isa_operand way = times(c, plus(c, number, UINT32_MAX), e->step),
                last = kernelcopy_result(c, e->down ? ISA_sub : ISA_add, ISA_I32, first, way),
                next = plus(c, last, step), all = before(c, t, first, last, true);
    all = kernelcopy_joined(c, ISA_and, all, before(c, t, last, bound, e->inclusive));
    all = kernelcopy_joined(c, ISA_and, all, before(c, t, bound, next, !e->inclusive));
    return kernelcopy_joined(c, ISA_and, all, before(c, t, last, next, false));
}
