/* Runs whose length is known: as many elements as lanes are a run apart. Those that go down are
 * gone through the other way round. */
#include "device/isa/compare.h"
#include "runs.h"

#include <string.h>

enum {
    MOST_RUN = 64, /* elements */
    MOST_STEP = 1 << 16
};

/* ---- sums ---- */

/* base * by + plus, modulo 2^32. */
struct run_sum {
    isa_operand base;
    uint32_t by, plus;
};

/* What a counter, which is written more than once, is behind instruction `at`. */
struct run_start {
    isa_operand reg;
    uint32_t at;
    struct run_sum sum;
};

static struct run_sum sum_written(const struct runs_finder *f, uint32_t n,
                                  const struct run_start *start, unsigned left);

/* The operand's value before instruction n. Registers are followed to where they are written alone,
 * on every way there. */
static struct run_sum sum_of(const struct runs_finder *f, isa_operand o, uint32_t n,
                             const struct run_start *start, unsigned left) {
    struct run_sum s = {.base = o, .by = 1};
    uint32_t c;
    if (isa_constant(f->k, o, &c)) return (struct run_sum){ISA_NO_OPERAND, 0, c};
    if (start && o == start->reg && n > start->at) return start->sum;
    if (!runs_known(f, o, n) || !left) return s;
    struct run_sum of = sum_written(f, f->loops.writers[o], start, left - 1);
    return of.by ? of : s;
}

/* What an instruction writes; by 0: it is no sum. */
static struct run_sum sum_written(const struct runs_finder *f, uint32_t n,
                                  const struct run_start *start, unsigned left) {
    const struct isa_inst *i = &f->k->insts[n];
    const isa_operand *src = isa_srcs(f->k, i);
    struct run_sum none = {.base = ISA_NO_OPERAND};
    uint32_t c = 0;
    if (i->type != ISA_I32 || !i->nsrc) return none;
    bool first = i->nsrc > 1 && isa_constant(f->k, src[0], &c);
    if (i->op != ISA_mov && !first && !(i->nsrc > 1 && isa_constant(f->k, src[1], &c))) return none;
    if (first && i->op != ISA_add && i->op != ISA_mul) return none;
    struct run_sum of = sum_of(f, src[first], n, start, left);
    switch (i->op) {
    case ISA_mov: break;
    case ISA_add: of.plus += c; break;
    case ISA_sub: of.plus -= c; break;
    case ISA_shl: c = 1u << (c & 31); /* fall through */
    case ISA_mul:
        of.by *= c;
        of.plus *= c;
        break;
    default: return none;
    }
    return of;
}

/* ---- the length ---- */

/* What is looked at to find it. */
struct run_length {
    struct runs_finder *f;
    struct run_loop *l;
    isa_operand reg; /* the counter that is compared; ISA_NO_OPERAND: none so far */
    struct run_start start;
    bool is_number; /* it starts with a constant */
};

/* The counter of the first comparison is that of the others. */
static bool is_counter(struct run_length *x, const struct loop_exit *e) {
    const isa_operand itself = ISA_NO_OPERAND - 1; /* where a start is no sum */
    const struct isa_kernel *k = x->f->k;
    isa_operand reg = e->counter.reg;
    if (x->reg != ISA_NO_OPERAND)
        return reg == x->reg && e->down == x->l->falls && e->step == x->l->step;
    uint32_t start = loops_start(k, x->l->begin, reg), number;
    if (!start || !runs_counter(x->l, reg)) return false;
    const struct isa_inst *first = &k->insts[start - 1];
    x->reg = reg;
    x->l->falls = e->down;
    x->is_number = first->op == ISA_mov && isa_constant(k, isa_srcs(k, first)[0], &number);
    x->start = (struct run_start){reg, start - 1, sum_written(x->f, start - 1, NULL, RUNS_CHAIN)};
    if (!x->start.sum.by && !x->is_number) x->start.sum = (struct run_sum){itself, 1, 0};
    x->l->start = start - 1;
    x->l->step = e->step;
    return true;
}

/* By how much the counter changes until it comes to the bound; 0: that is not known. */
static uint32_t total_to(const struct run_length *x, const struct loop_exit *e, isa_operand bound) {
    const struct run_loop *l = x->l;
    struct run_sum from = x->start.sum;
    if (!isa_is_const(bound) && !runs_known(x->f, bound, l->begin)) return 0;
    struct run_sum to = sum_of(x->f, bound, l->begin, &x->start, RUNS_CHAIN);
    bool itself = to.base == ISA_NO_OPERAND - 1;
    if (from.base != to.base || from.by != to.by) return 0;
    if (!itself && to.by && !runs_known(x->f, to.base, l->begin)) return 0;
    uint32_t total = to.plus - from.plus - e->off, step = e->step;
    if (x->l->falls) total = -total;
    if (e->inclusive) total = total / step * step + step;
    if (l->bottom) total += step;
    return total % step || total / step < 2 || total / step > MOST_RUN ? 0 : total;
}

/* Lanes may leave it by that before its end: compared is what the counter is then. */
static bool note_cut(struct run_length *x, const struct loop_exit *e, isa_operand bound,
                     bool opposite) {
    struct run_loop *l = x->l;
    uint32_t step = e->down ? -e->step : e->step;
    uint32_t start = loops_start(x->f->k, l->begin, e->counter.reg);
    bool fits = (!e->off || e->off == step) && l->ncuts < RUNS_TESTS;
    if (!fits || !start || !runs_counter(l, e->counter.reg)) return false;
    l->cuts[l->ncuts++] = (struct run_cut){.fixed = ISA_NO_OPERAND,
                                           .op = (enum isa_op)x->f->k->insts[e->compare].op,
                                           .side = e->side,
                                           .bound = bound,
                                           .off = e->off,
                                           .start = start - 1,
                                           .step = step,
                                           .opposite = opposite};
    return true;
}

/* The same by what is known before the loop. */
static bool note_fixed(struct run_length *x, isa_operand p, bool opposite) {
    struct run_loop *l = x->l;
    if (l->ncuts == RUNS_TESTS) return false;
    l->cuts[l->ncuts++] = (struct run_cut){.fixed = p, .opposite = opposite};
    return true;
}

/* A comparison by which lanes leave it. Its bound may be the nearer one of two. */
static bool note_test(struct run_length *x, uint32_t n, bool opposite) {
    const struct isa_kernel *k = x->f->k;
    struct run_loop *l = x->l;
    struct loop_exit e;
    enum isa_op op = (enum isa_op)k->insts[n].op;
    bool is_signed = compare_is_signed(op);
    if (!loops_exit_by(&x->f->loops, k, n, opposite, &e) || e.step > MOST_STEP) return false;
    if (op == ISA_eq || op == ISA_ne) return false;
    if (l->run && e.counter.reg != x->reg)
        return (is_signed || !e.down) && note_cut(x, &e, e.bound, opposite);
    if (!is_counter(x, &e)) return false;
    if (x->l->falls && !x->is_number && !is_signed) return false;
    l->is_signed |= is_signed;
    uint32_t total = l->run ? 0 : total_to(x, &e, e.bound);
    isa_operand other = ISA_NO_OPERAND;
    if (!l->run && !total && runs_known(x->f, e.bound, l->begin)) {
        const struct isa_inst *i = &k->insts[x->f->loops.writers[e.bound]];
        enum isa_op nearer = x->l->falls ? is_signed ? ISA_max_s : ISA_max_u
                             : is_signed ? ISA_min_s
                                         : ISA_min_u;
        for (unsigned s = 0; s < 2 && i->op == nearer && !total; s++) {
            other = isa_srcs(k, i)[!s];
            if (isa_is_reg(other) && !runs_known(x->f, other, l->begin)) continue;
            total = total_to(x, &e, isa_srcs(k, i)[s]);
        }
    }
    if (!total) return note_cut(x, &e, e.bound, opposite);
    l->total = total;
    l->run = total / e.step;
    return other == ISA_NO_OPERAND || note_cut(x, &e, other, opposite);
}

/* What instructions make a predicate by which lanes leave it, if it is compared so in them: they
 * are left out. note: notes comparisons. */
static bool find_tests(struct run_length *x, isa_operand p, uint32_t before, bool opposite,
                       bool note, unsigned left) {
    const struct isa_kernel *k = x->f->k;
    if (runs_known(x->f, p, x->l->begin)) return !note || note_fixed(x, p, opposite);
    uint32_t n = runs_writer(x->f, x->l, p);
    if (n == LOOPS_NONE || n > before || !left) return false;
    const struct isa_inst *i = &k->insts[n];
    const isa_operand *src = isa_srcs(k, i);
    x->f->left_out[n] = 1;
    if (i->op == ISA_not) return find_tests(x, src[0], n, !opposite, note, left - 1);
    if (i->op == (opposite ? ISA_and : ISA_or))
        return find_tests(x, src[0], n, opposite, note, left - 1) &&
               find_tests(x, src[1], n, opposite, note, left - 1);
    if (i->op < ISA_eq || i->op > ISA_le_u || x->f->loops.nested[n]) return false;
    for (unsigned s = 0; s < 2; s++) { /* a copy that it compares */
        uint32_t from = runs_writer(x->f, x->l, src[s]);
        bool copies =
            from != LOOPS_NONE && k->insts[from].op == ISA_mov && x->f->loops.reads[src[s]] == 1;
        if (copies) x->f->left_out[from] = 1;
    }
    return !note || note_test(x, n, opposite);
}

static bool find_all_tests(struct run_length *x, bool note) {
    const struct isa_kernel *k = x->f->k;
    bool good = true;
    memset(x->f->left_out, 0, k->ninsts);
    for (unsigned t = 0; t < x->l->ntests; t++) {
        uint32_t at = x->l->tests[t];
        good = find_tests(x, isa_srcs(k, &k->insts[at])[0], at, false, note, RUNS_CHAIN) && good;
        x->f->left_out[at] = 1;
    }
    return good;
}

bool runlengths_find(struct runs_finder *f, struct run_loop *l) {
    const struct isa_kernel *k = f->k;
    struct run_length x = {.f = f, .l = l, .reg = ISA_NO_OPERAND};
    uint32_t end = k->insts[l->begin].match, last = l->tests[l->ntests - 1];
    l->bottom = last + 1 == end;
    if (l->bottom ? !runs_computes(k, l->test, end) : !runs_computes(k, l->begin + 1, last))
        return false;
    return exits_even(l) && find_all_tests(&x, true) && l->run;
}

void runlengths_prepare(struct runs_finder *f, const struct run_loop *l) {
    struct run_loop again = *l;
    struct run_length x = {.f = f, .l = &again};
    find_all_tests(&x, false);
}

/* How much a value grows from lane to lane of a span: by * of, or, where that is no register, by.
 */
struct run_growth {
    bool known;
    uint32_t by;
    isa_operand of;
};

/* An operand that is one for the group, as by * of. */
static struct run_growth factors(const struct runs_finder *f, isa_operand o, uint32_t n) {
    struct run_growth g = {true, 1, o};
    uint32_t c;
    if (isa_constant(f->k, o, &c)) return (struct run_growth){true, c, ISA_NO_OPERAND};
    while (runs_known(f, g.of, n)) {
        n = f->loops.writers[g.of];
        const struct isa_inst *i = &f->k->insts[n];
        const isa_operand *src = isa_srcs(f->k, i);
        bool copies = i->op == ISA_mov && i->type == ISA_I32 && isa_is_reg(src[0]);
        bool times = i->type == ISA_I32 && (i->op == ISA_shl || i->op == ISA_mul) &&
                     isa_is_reg(src[0]) && isa_constant(f->k, src[1], &c);
        if (!copies && !times) break;
        if (times) g.by *= i->op == ISA_shl ? 1u << (c & 31) : c;
        g.of = src[0];
    }
    return g;
}

static struct run_growth growth_of(const struct runs_finder *f, isa_operand o, uint32_t n,
                                   unsigned span, unsigned left);

/* Of what instruction `at` writes. */
static struct run_growth growth_written(const struct runs_finder *f, uint32_t at, unsigned span,
                                        unsigned left) {
    const struct isa_inst *i = &f->k->insts[at];
    const isa_operand *src = isa_srcs(f->k, i);
    struct run_growth none = {.of = ISA_NO_OPERAND}, a, b;
    uint32_t c;
    bool knows = i->op == ISA_mov || i->op == ISA_add || i->op == ISA_sub || i->op == ISA_shl ||
                 i->op == ISA_mul;
    if (!knows || i->type != ISA_I32 || !left) return none;
    a = growth_of(f, src[0], at, span, left - 1);
    if (i->op == ISA_mov || !a.known) return a;
    if (i->op == ISA_shl) {
        if (!isa_constant(f->k, src[1], &c)) return none;
        a.by <<= c & 31;
        return a;
    }
    b = growth_of(f, src[1], at, span, left - 1);
    if (!b.known) return b;
    if (i->op != ISA_mul) {
        if (a.by && b.by && a.of != b.of) return none;
        if (!a.by) a.of = b.of;
        a.by = i->op == ISA_add ? a.by + b.by : a.by - b.by;
        return a;
    }
    if (a.by && b.by) return none;
    if (!a.by && !b.by) return a;
    struct run_growth grows = a.by ? a : b;
    isa_operand factor = a.by ? src[1] : src[0];
    if (isa_is_reg(factor) && !runs_one(f, factor, SHAPE_GROUP)) return none;
    struct run_growth by = factors(f, factor, at);
    if (by.of != ISA_NO_OPERAND && grows.of != ISA_NO_OPERAND) return none;
    grows.by *= by.by;
    if (by.of != ISA_NO_OPERAND) grows.of = by.of;
    return grows;
}

static struct run_growth growth_of(const struct runs_finder *f, isa_operand o, uint32_t n,
                                   unsigned span, unsigned left) {
    struct run_growth g = {.known = true, .of = ISA_NO_OPERAND};
    if (isa_is_const(o)) return g;
    struct shape_value v = f->shape->regs[o];
    g.by = (uint32_t)v.stride;
    if (v.span >= span) return g;
    if (runs_known(f, o, n)) return growth_written(f, f->loops.writers[o], span, left);
    return (struct run_growth){.of = ISA_NO_OPERAND};
}

/* Does an iteration read it, but to count? */
static bool is_read(const struct runs_finder *f, const struct run_loop *l,
                    const struct run_counter *c) {
    for (uint32_t n = l->begin + 1; n < f->k->insts[l->begin].match; n++)
        if (n != c->at && !f->left_out[n] && isa_reads(f->k, &f->k->insts[n], c->reg)) return true;
    return false;
}

bool runlengths_fit(const struct runs_finder *f, struct run_loop *l, unsigned span) {
    bool any = l->down = false;
    l->partial = shape_full(f->shape, l->begin) < span;
    if (f->sized->items % shape_span_lanes(span)) return false;
    for (unsigned n = 0; n < l->ncounters; n++) {
        const struct run_counter *c = &l->counters[n];
        if (!is_read(f, l, c)) continue;
        uint32_t start = loops_start(f->k, l->begin, c->reg);
        if (!start) return false;
        struct run_growth step = factors(f, c->step, l->begin),
                          from = growth_written(f, start - 1, span, RUNS_CHAIN);
        uint32_t far = step.by * l->run;
        bool down = from.by == -far;
        if (!from.known || from.of != step.of || (from.by != far && !down)) return false;
        if (any && down != l->down) return false;
        l->down = down;
        any = true;
    }
    return !l->down || exits_apart(f, l);
}
