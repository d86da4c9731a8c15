/* Runs whose length is known: as many elements as lanes are a run apart. Those that go down are
 * gone through the other way round. */
#include "device/isa/compare.h"
#include "runs.h"

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

bool runlengths_find(struct runs_finder *f, struct run_loop *l) {
    const isa_operand itself = ISA_NO_OPERAND - 1; /* where a start is no sum */
    const struct isa_kernel *k = f->k;
    struct loop_exit x;
    uint32_t end = k->insts[l->begin].match;
    if (!loops_exit(&f->loops, k, l->test, &x) || x.step > MOST_STEP) return false;
    const struct loop_counter *c = &x.counter;
    const struct isa_inst *i = &k->insts[l->compare = x.compare];
    l->bottom = l->test + 1 == end;
    if (i->op == ISA_eq || (!l->bottom && !runs_computes(k, l->begin + 1, l->test))) return false;
    uint32_t start = loops_start(k, l->begin, c->reg);
    if (!start || !runs_counter(l, c->reg)) return false;
    l->start = start - 1;
    if (!isa_is_const(x.bound) && !runs_known(f, x.bound, l->begin)) return false;
    struct run_start from = {c->reg, l->start, sum_written(f, l->start, NULL, RUNS_CHAIN)};
    const struct isa_inst *first = &k->insts[l->start];
    uint32_t number;
    bool is_number = first->op == ISA_mov && isa_constant(k, isa_srcs(k, first)[0], &number);
    if (x.down && !is_number) return false;
    if (!from.sum.by && !is_number) from.sum = (struct run_sum){itself, 1, 0};
    struct run_sum to = sum_of(f, x.bound, l->begin, &from, RUNS_CHAIN);
    if (from.sum.base != to.base || from.sum.by != to.by) return false;
    if (to.base != itself && to.by && !runs_known(f, to.base, l->begin)) return false;
    uint32_t total = to.plus - from.sum.plus - x.off, step = x.step;
    if (x.down) total = -total;
    if (x.inclusive) total = total / step * step + step;
    if (l->bottom) total += step;
    if (total % step || total / step < 2 || total / step > MOST_RUN) return false;
    l->run = total / step;
    l->total = total;
    l->is_signed = compare_is_signed(i->op);
    return true;
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
    if (shape_full(f->shape, l->begin) < span) return false;
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
