/* An optimistic search: registers begin as 0, if that is ever read, and hold all that is written to
 * them, as one goes through the kernel until nothing changes. What a loop steps is kept finite by
 * the condition that ends the loop. */
#include <string.h>

#include "device/isa/compare.h"
#include "device/isa/loops.h"
#include "numbers_value.h"

/* Then an interval that still grows is of anything; a number of low zeros that shrinks is 0; all is
 * anything. */
enum { ROUNDS = 6, ZERO_ROUNDS = 16, MOST_ROUNDS = 24 };

/* What a loop's condition says of a counter where it is stepped. */
struct numbers_step {
    uint32_t compares;   /* instruction: what ends the loop, + 1; 0: nothing that is known */
    unsigned counter;    /* which operand of it the counter is, */
    unsigned operand;    /* and of what steps or reads it */
    bool before, at_end; /* it sees the counter before the step; it is asked behind the step */
    int64_t plus;        /* that other steps have added since, where it is asked before */
};

struct numbers_finder {
    const struct isa_kernel *k;
    struct loops l;
    struct numbers_step *steps; /* of instructions */
    uint32_t *step_of;          /* registers: the instruction that is their step, + 1 */
    struct numbers of;
    struct interval *start; /* counters: what else writes them, as signed */
    uint32_t size[3];       /* of a group; zeros: it is not known */
};

/* ---- loops ---- */

/* Does the comparison at n, by which the loop is left at `leaves`, tell of the counter? Fills in
 * how.
 */
static bool tells(const struct numbers_finder *f, uint32_t n, uint32_t leaves,
                  const struct loop_counter *c, struct numbers_step *s) {
    const struct isa_inst *i = &f->k->insts[n];
    uint64_t step = 0;
    if (!compare_is_order(i->op) || !isa_is_integer(i->type2)) return false;
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
static void find_step(struct numbers_finder *f, uint32_t at) {
    const struct isa_kernel *k = f->k;
    struct numbers_step s = {0};
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

/* What writes a register last before instruction n, if each iteration that comes to n does; or
 * LOOPS_NONE. */
static uint32_t writer_before(const struct numbers_finder *f, isa_operand reg, uint32_t n) {
    uint32_t loop = f->l.loop_of[n];
    while (n-- > f->l.loops[loop].begin + 1)
        if (isa_writes(f->k, &f->k->insts[n], reg))
            return f->l.loop_of[n] == loop && !f->l.nested[n] ? n : LOOPS_NONE;
    return LOOPS_NONE;
}

/* By how much the instruction steps the register that it writes, if that is a constant. */
static bool steps_by(const struct numbers_finder *f, uint32_t n, int64_t *by) {
    const struct isa_inst *i = &f->k->insts[n];
    if ((i->op != ISA_add && i->op != ISA_sub) || !isa_is_integer(i->type)) return false;
    const isa_operand *src = isa_srcs(f->k, i);
    if (src[0] != isa_dsts(f->k, i)[0] || !isa_is_const(src[1])) return false;
    struct interval v = numbers_signed(&f->of, f->k, src[1]);
    *by = i->op == ISA_sub ? numbers_negative(v).least : v.least;
    return *by != INT64_MIN;
}

/* May the loop end by a comparison of what the instruction there reads as that operand? In between
 * it may be stepped: the instruction may be one of several such steps in an iteration. */
static bool is_tested_in(struct numbers_finder *f, uint32_t at, unsigned operand, uint32_t loop) {
    const struct isa_kernel *k = f->k;
    struct numbers_step s = {.before = true, .operand = operand};
    isa_operand reg = isa_srcs(k, &k->insts[at])[operand];
    int64_t by;
    for (uint32_t n = at; n-- > f->l.loops[loop].begin + 1;) {
        bool inside = f->l.loop_of[n] == loop && !f->l.nested[n];
        if (isa_writes(k, &k->insts[n], reg) &&
            (!inside || !steps_by(f, n, &by) || __builtin_add_overflow(s.plus, by, &s.plus)))
            return false;
        if (k->insts[n].op != ISA_breakif || !inside) continue;
        uint32_t test = writer_before(f, isa_srcs(k, &k->insts[n])[0], n);
        if (test == LOOPS_NONE || isa_writes_between(k, reg, test, n)) continue;
        const struct isa_inst *i = &k->insts[test];
        if (!compare_is_order(i->op) || !isa_is_integer(i->type2)) continue;
        s.counter = isa_srcs(k, i)[0] != reg;
        if (isa_srcs(k, i)[s.counter] != reg) continue;
        s.compares = test + 1;
        f->steps[at] = s;
        return true;
    }
    return false;
}

/* The same of one of both operands, and of loops around that do not step it otherwise. */
static void find_tested(struct numbers_finder *f, uint32_t at) {
    const struct isa_kernel *k = f->k;
    const struct isa_inst *reader = &k->insts[at];
    if (reader->ndst != 1 || !isa_is_integer(reader->type)) return;
    for (unsigned s = 0; s < 2 && s < reader->nsrc; s++) {
        isa_operand reg = isa_srcs(k, reader)[s];
        if (!isa_is_reg(reg) || k->reg_types[reg] != reader->type) continue;
        for (uint32_t loop = f->l.loop_of[at]; loop; loop = f->l.loops[loop].parent) {
            if (is_tested_in(f, at, s, loop)) return;
            if (loops_assign(&f->l, reg, loop)) break;
        }
    }
}

/* What the counter is where the loop goes on. */
static struct interval staying(const struct numbers_finder *f, const struct numbers_step *s) {
    const struct isa_inst *i = &f->k->insts[s->compares - 1];
    bool is_signed = compare_is_signed(i->op);
    struct interval limit = numbers_signed(&f->of, f->k, isa_srcs(f->k, i)[1 - s->counter]),
                    stay = numbers_everything;
    bool or_same = compare_is_strict(i->op);         /* what ends it is strict */
    if (s->counter == 1 && limit.most > INT64_MIN) { /* ends by limit <= counter */
        if (!is_signed && limit.least < 0) return numbers_everything;
        stay.most = limit.most - !or_same;
        if (!is_signed) stay.least = 0;
    } else if (s->counter == 0 && is_signed && limit.least < INT64_MAX) {
        stay.least = limit.least + !or_same;
    }
    return stay;
}

/* Each iteration that comes to the step has made the test. */
static bool is_tested(const struct numbers_step *s) { return s->before && !s->at_end; }

/* What has been within `stay`, and `have`, when as much has been added; anything that `have` says
 * where the type may end before. */
static struct interval later(struct interval stay, struct interval have, struct interval by,
                             enum isa_type type) {
    struct interval all = numbers_whole(type, true), v = stay;
    if (v.least < have.least) v.least = have.least;
    if (v.most > have.most) v.most = have.most;
    v = numbers_sum(v, by);
    return interval_within(v, all.least, all.most) ? v : have;
}

/* What the counter is before its step at n, or where it is read there. */
static struct interval stepped(const struct numbers_finder *f, uint32_t n, bool is_signed) {
    const struct numbers_step *s = &f->steps[n];
    const isa_operand *src = isa_srcs(f->k, &f->k->insts[n]);
    struct interval have = numbers_as(&f->of, f->k, src[s->operand], is_signed);
    if (!s->compares || !is_signed) return have;
    struct interval stay = staying(f, s);
    enum isa_type type = isa_operand_type(f->k, src[s->operand]);
    struct interval by = {s->plus, s->plus};
    if (is_tested(s) && s->plus) stay = later(stay, have, by, type);
    if (s->before && s->at_end) { /* a step, by a constant */
        by = numbers_signed(&f->of, f->k, src[1]);
        if (f->k->insts[n].op == ISA_sub) by = numbers_negative(by);
        stay = numbers_hull(stay, later(stay, have, by, type));
    }
    if (!is_tested(s)) stay = numbers_hull(stay, f->start[src[0]]); /* entered without a test */
    if (stay.least == INT64_MIN) stay.least = have.least;
    if (stay.most == INT64_MAX) stay.most = have.most;
    return stay.least <= stay.most ? stay : have;
}

/* ---- all ---- */

/* A number that is known in several ways is better known in each. */
static void agree(struct numbers *x, const struct isa_kernel *k, isa_operand reg) {
    struct interval *u = &x->as_unsigned[reg], *s = &x->as_signed[reg];
    enum isa_type type = (enum isa_type)k->reg_types[reg];
    if (x->zeros[reg] >= 8 * isa_type_size[type]) *s = *u = (struct interval){0, 0};
    if (type == ISA_I64) return;
    if (s->least >= 0) {
        if (s->least > u->least) u->least = s->least;
        if (s->most < u->most) u->most = s->most;
    }
    if (u->most <= numbers_whole(type, true).most && (s->least < 0 || u->most < s->most)) *s = *u;
    int64_t part = (INT64_C(1) << (x->zeros[reg] & 31)) - 1;
    u->least = (u->least + part) & ~part;
    u->most &= ~part;
    s->least = (s->least + part) & ~part;
    s->most &= ~part;
}

/* Makes it hold v, too; by more than that in the end. It holds nothing but v where nothing else was
 * written to it. */
static bool widen(struct interval *have, struct interval v, struct interval all, bool fast,
                  bool first) {
    if (!first) v = numbers_hull(v, *have);
    if (v.least == have->least && v.most == have->most) return false;
    if (fast && v.least < have->least) v.least = all.least;
    if (fast && v.most > have->most) v.most = all.most;
    *have = v;
    return true;
}

/* Which destination of the instruction the register is. */
static unsigned number_of(const struct isa_kernel *k, const struct isa_inst *i, isa_operand reg) {
    unsigned d = 0;
    while (isa_dsts(k, i)[d] != reg) d++;
    return d;
}

/* Between what destination `reg` of instruction n lies. */
static bool grow(struct numbers_finder *f, uint32_t n, isa_operand reg, bool is_signed,
                 unsigned round) {
    const struct isa_kernel *k = f->k;
    const struct isa_inst *i = &k->insts[n];
    enum isa_type type = (enum isa_type)k->reg_types[reg];
    bool fast = round >= ROUNDS, only = !round && f->l.ordered[reg];
    if (type == ISA_I64 && !is_signed) return false;
    struct interval all = numbers_whole(type, is_signed), v = all;
    uint64_t bits;
    if (i->ndst == 1 && i->type == type && isa_op_info[i->op].flags & ISA_OP_PURE) {
        struct interval src[2] = {numbers_everything, numbers_everything};
        for (unsigned s = 0; s < 2 && s < i->nsrc; s++)
            if (isa_operand_type(k, isa_srcs(k, i)[s]) == type)
                src[s] = s == f->steps[n].operand
                             ? stepped(f, n, is_signed)
                             : numbers_as(&f->of, k, isa_srcs(k, i)[s], is_signed);
        v = numbers_result(&f->of, k, i, is_signed, src, f->size);
    } else if (isa_operand_type(k, reg) == i->type &&
               numbers_argument(&f->of, k, i, number_of(k, i, reg), &bits)) {
        v.least = v.most = is_signed ? isa_signed(type, bits) : (int64_t)bits;
    }
    bool starts = is_signed && (!f->steps[n].compares || is_tested(&f->steps[n]));
    bool changed = starts && widen(&f->start[reg], v, all, fast, false);
    struct interval *of = is_signed ? &f->of.as_signed[reg] : &f->of.as_unsigned[reg];
    return widen(of, v, all, fast, only) || changed;
}

/* How many of its low bits are 0. */
static bool shrink(struct numbers_finder *f, uint32_t n, unsigned d, bool fast) {
    const struct isa_inst *i = &f->k->insts[n];
    uint8_t *to = &f->of.zeros[isa_dsts(f->k, i)[d]];
    unsigned bits = numbers_result_zeros(&f->of, f->k, i, d);
    if (bits >= *to) return false;
    *to = (uint8_t)(fast ? 0 : bits);
    return true;
}

/* All that instruction n writes, in one round. */
static bool look(struct numbers_finder *f, uint32_t n, unsigned round) {
    const struct isa_inst *i = &f->k->insts[n];
    bool changed = false;
    for (unsigned d = 0; d < i->ndst; d++) {
        isa_operand reg = isa_dsts(f->k, i)[d];
        if (!isa_is_integer(f->k->reg_types[reg])) continue;
        for (unsigned s = 0; s < 2; s++) changed |= grow(f, n, reg, s, round);
        changed |= shrink(f, n, d, round >= ZERO_ROUNDS);
    }
    return changed;
}

/* What instructions read of what their loops have compared. */
static void tell_tested(struct numbers_finder *f, struct arena *arena) {
    f->of.tested = ARENA_ARRAY(arena, uint8_t, f->k->ninsts + 1u);
    f->of.there = ARENA_ARRAY(arena, struct interval, f->k->ninsts + 1u);
    for (uint32_t n = 0; n < f->k->ninsts; n++) {
        if (!f->steps[n].compares) continue;
        f->of.tested[n] = (uint8_t)(f->steps[n].operand + 1);
        f->of.there[n] = stepped(f, n, true);
    }
}

struct interval numbers_read(const struct numbers *x, const struct isa_kernel *k, uint32_t n,
                             unsigned s) {
    if (x->tested && x->tested[n] == s + 1) return x->there[n];
    return numbers_signed(x, k, isa_srcs(k, &k->insts[n])[s]);
}

struct interval numbers_written(const struct numbers *x, const struct isa_kernel *k, uint32_t n) {
    static const uint32_t any_size[3];
    const struct isa_inst *i = &k->insts[n];
    enum isa_type type = (enum isa_type)i->type;
    struct interval src[2] = {numbers_everything, numbers_everything}, all, v;
    all = numbers_whole(type, true);
    if (i->ndst != 1 || isa_operand_type(k, isa_dsts(k, i)[0]) != type ||
        !(isa_op_info[i->op].flags & ISA_OP_PURE))
        return all;
    for (unsigned s = 0; s < 2 && s < i->nsrc; s++)
        if (isa_operand_type(k, isa_srcs(k, i)[s]) == type)
            src[s] = numbers_signed(x, k, isa_srcs(k, i)[s]);
    v = numbers_result(x, k, i, true, src, any_size);
    return interval_within(v, all.least, all.most) ? v : all;
}

static void find(struct numbers *x, const struct isa_kernel *k, const uint32_t local_size[3],
                 const struct affine_launch *launch, struct arena *arena) {
    struct numbers_finder *f = ARENA_NEW(arena, struct numbers_finder);
    f->k = k;
    f->of.launch = launch;
    if (local_size) memcpy(f->size, local_size, sizeof f->size);
    f->steps = ARENA_ARRAY(arena, struct numbers_step, k->ninsts + 1u);
    f->step_of = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    f->start = ARENA_ARRAY(arena, struct interval, k->nregs + 1u); /* 0, as registers are */
    f->of.as_signed = ARENA_ARRAY(arena, struct interval, k->nregs + 1u);
    f->of.as_unsigned = ARENA_ARRAY(arena, struct interval, k->nregs + 1u);
    f->of.zeros = ARENA_ARRAY(arena, uint8_t, k->nregs + 1u);
    for (uint32_t r = 0; r < k->nregs; r++)
        if (isa_is_integer(k->reg_types[r])) f->of.zeros[r] = NUMBERS_ZERO;
    bool changed = true;
    bool loops = loops_find(&f->l, k, arena);
    for (uint32_t n = 0; loops && n < k->ninsts; n++) find_step(f, n);
    for (uint32_t n = 0; loops && n < k->ninsts; n++)
        if (!f->steps[n].compares) find_tested(f, n);
    for (unsigned round = 0; changed && round < MOST_ROUNDS; round++) {
        changed = false;
        for (uint32_t n = 0; n < k->ninsts; n++) changed |= look(f, n, round);
    }
    for (uint32_t r = 0; r < k->nregs; r++) {
        enum isa_type type = (enum isa_type)k->reg_types[r];
        if (!isa_is_integer(type)) continue;
        if (changed) {
            f->of.as_signed[r] = numbers_whole(type, true);
            f->of.as_unsigned[r] = numbers_whole(type, false);
            f->of.zeros[r] = 0;
        }
        agree(&f->of, k, r);
    }
    if (launch) tell_tested(f, arena);
    *x = f->of;
}

void numbers_find(struct numbers *x, const struct isa_kernel *k, const uint32_t local_size[3],
                  struct arena *arena) {
    find(x, k, local_size, NULL, arena);
}

void numbers_of_launch(struct numbers *x, const struct isa_kernel *k, const struct affine_launch *l,
                       struct arena *arena) {
    find(x, k, l->local_size, l, arena);
}

struct arena *numbers_new(struct numbers *x, const struct isa_kernel *k,
                          const uint32_t local_size[3]) {
    struct arena_try t;
    if (ARENA_FAILS(&t)) return NULL;
    numbers_find(x, k, local_size, t.arena);
    return t.arena;
}
