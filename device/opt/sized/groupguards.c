/* Guards round barriers, as `if (i < n)` round all that a group does, or an early return ahead of
 * it. Where all work-items of a group pass them the group is as if there were none: its warps come
 * to barriers together and have all their lanes. Whether they do is computed first, from what ids
 * lie between in the group; a group of which that is not sure leaves, and is run by the kernel as
 * it was. */
#include <stdlib.h>

#include "device/analysis/warpregions.h"
#include "device/isa/loops.h"
#include "sized_pass.h"

enum {
    MOST_KERNEL = 2000, /* instructions */
    MOST_TEST = 120,    /* of the test */
    MOST_GUARDS = 16,
    MOST_EXITS = 8,
    MOST_DEMANDS = 32,
    MOST_DEPTH = 24, /* of operations within one another */
    SURE_BITS = 62   /* of a bound that does not wrap around */
};

/* What an `if` becomes; DEAD: of another instruction, nobody reads what it gives. */
enum fate { STAYS, FIRST_PART, OTHER_PART, DEAD };

/* The least and the largest value among the group's work-items, of 64 bits, as the register's would
 * be if it did not wrap around; at most so many bits and the sign. bits 0: nobody knows. */
struct bounds {
    isa_operand low, high;
    unsigned bits;
};

/* How lanes leave a loop that has barriers: a counter comes up to what the group has one value of.
 */
struct group_exit {
    uint32_t begin, leaves, compare; /* instructions: the loop, the `breakif`, its comparison */
    struct loop_counter counter;
    uint32_t start;    /* what starts the counter */
    isa_operand ours;  /* counts as the group's first work-item does, in what is written; */
    isa_operand first; /* from there on */
};

struct groupguards {
    const struct sized *s;
    const struct isa_kernel *k;
    struct kernelcopy copy;
    /* Of registers: the instruction that writes it, + 1; 0: none; UINT32_MAX: some. How many
     * operands read it. That the group has one value of it, which is here already. Its bounds, if
     * they are. */
    uint32_t *writer, *reads;
    uint8_t *one;
    struct bounds *bounds;
    uint8_t *fates; /* of instructions: of those that are an `if`, enum fate; DEAD */
    uint32_t guards[MOST_GUARDS];
    unsigned count;
    uint32_t guard; /* the one that is being looked at */
    struct group_exit exits[MOST_EXITS];
    unsigned nexits;
    bool lost; /* there are others, of which nobody knows */
    /* What has to hold besides, as no bound may be beyond its type; ISA_NO_OPERAND: nothing. */
    isa_operand holds;
    struct {
        isa_operand low, high;
        int64_t least, most;
    } demanded[MOST_DEMANDS];
    unsigned demands, depth;
};

/* ---- the test: what values lie between ---- */

static const struct bounds unknown = {ISA_NO_OPERAND, ISA_NO_OPERAND, 0};

static isa_operand wide(struct groupguards *g, int64_t value) {
    return isa_const_new(g->copy.out, ISA_I64, (uint64_t)value);
}

static int64_t constant(const struct groupguards *g, isa_operand o) {
    return (int64_t)g->copy.out->consts[isa_const_index(o)].bits;
}

static isa_operand both(struct groupguards *g, enum isa_op op, isa_operand a, isa_operand b) {
    if (a == ISA_NO_OPERAND || b == ISA_NO_OPERAND) return ISA_NO_OPERAND;
    return kernelcopy_result(&g->copy, op, ISA_PRED, a, b);
}

static isa_operand compared(struct groupguards *g, enum isa_op op, isa_operand a, isa_operand b) {
    return kernelcopy_result(&g->copy, op, ISA_I64, a, b);
}

static isa_operand added(struct groupguards *g, enum isa_op op, isa_operand a, isa_operand b) {
    return kernelcopy_result(&g->copy, op, ISA_I64, a, b);
}

static void demand(struct groupguards *g, isa_operand condition) {
    g->holds = g->holds == ISA_NO_OPERAND ? condition : both(g, ISA_and, g->holds, condition);
}

/* Whoever comes to the guard has passed the instruction. */
static bool dominates(const struct groupguards *g, uint32_t n) {
    uint32_t depth = 0;
    for (n++; n < g->guard; n++) {
        uint32_t flags = isa_op_info[g->k->insts[n].op].flags;
        if (!depth && flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END)) return false;
        depth += (flags & ISA_OP_REGION_BEGIN) != 0;
        depth -= (flags & ISA_OP_REGION_END) != 0;
    }
    return true;
}

/* What gives the operand its value where instruction `user` reads it, before the guard; NULL: no
 * one instruction. */
static const struct isa_inst *writer_of(const struct groupguards *g, isa_operand o, uint32_t user) {
    uint32_t n = isa_is_reg(o) ? g->writer[o] : 0;
    bool is = n && n <= user && user <= g->guard && dominates(g, n - 1);
    return is ? &g->k->insts[n - 1] : NULL;
}

static uint32_t number_of(const struct groupguards *g, const struct isa_inst *i) {
    return (uint32_t)(i - g->k->insts);
}

/* Has the group one value of it, which can be computed first? It is then. */
static bool is_one(struct groupguards *g, isa_operand o, uint32_t user) {
    if (isa_is_const(o)) return true;
    const struct isa_inst *i = writer_of(g, o, user);
    if (!i || g->depth == MOST_DEPTH) return false;
    if (g->one[o]) return true;
    bool one = i->space == ISA_PARAM && i->op == ISA_ld;
    if (i->op == ISA_special)
        one = isa_special_uniform[i->imm];
    else if (isa_op_info[i->op].flags & ISA_OP_PURE && !(isa_op_info[i->op].flags & ISA_OP_IMAGE))
        one = i->nsrc > 0;
    g->depth++;
    for (unsigned s = 0; s < i->nsrc && one && i->op != ISA_ld; s++)
        one = is_one(g, isa_srcs(g->k, i)[s], number_of(g, i));
    g->depth--;
    if (!one || g->copy.failed) return false;
    g->copy.at = number_of(g, i);
    kernelcopy_put_anew(&g->copy, g->copy.at);
    for (unsigned d = 0; d < i->ndst; d++) g->one[isa_dsts(g->k, i)[d]] = 1;
    return true;
}

static struct bounds of_ids(struct groupguards *g, uint32_t which) {
    const uint32_t *size = g->s->groups.size;
    unsigned d = which % 3;
    if (which == ISA_SPECIAL_thread_id)
        return (struct bounds){wide(g, 0), wide(g, g->s->items - 1), 12};
    if (which - d == ISA_SPECIAL_local_id_x)
        return (struct bounds){wide(g, 0), wide(g, size[d] - 1), 12};
    if (which - d != ISA_SPECIAL_global_id_x) return unknown;
    struct kernelcopy *c = &g->copy;
    isa_operand part[2];
    for (unsigned n = 0; n < 2; n++) {
        isa_operand id =
            kernelcopy_special(c, (n ? ISA_SPECIAL_global_offset_x : ISA_SPECIAL_group_id_x) + d);
        part[n] = kernelcopy_converted(c, ISA_zext, ISA_I64, ISA_I32, id);
    }
    part[0] = added(g, ISA_mul, part[0], wide(g, size[d]));
    isa_operand low = added(g, ISA_add, part[0], part[1]);
    return (struct bounds){low, added(g, ISA_add, low, wide(g, size[d] - 1)), 46};
}

static struct bounds bounds_of(struct groupguards *g, isa_operand o, uint32_t user);

/* By a value that is not negative and one for the group, a constant. */
static struct bounds scaled(struct groupguards *g, struct bounds a, isa_operand by, bool shift) {
    uint32_t value;
    if (!a.bits || !isa_constant(g->k, by, &value)) return unknown;
    if (shift ? value > 31 : value > INT32_MAX) return unknown;
    unsigned more = shift ? value : value ? 32 - (unsigned)__builtin_clz(value) : 1;
    if (a.bits + more > SURE_BITS) return unknown;
    isa_operand factor = wide(g, shift ? (int64_t)1 << value : (int64_t)value);
    return (struct bounds){added(g, ISA_mul, a.low, factor), added(g, ISA_mul, a.high, factor),
                           a.bits + more};
}

static struct bounds sum(struct groupguards *g, struct bounds a, struct bounds b, bool minus) {
    unsigned bits = (a.bits > b.bits ? a.bits : b.bits) + 1;
    if (!a.bits || !b.bits || bits > SURE_BITS) return unknown;
    enum isa_op op = minus ? ISA_sub : ISA_add;
    return (struct bounds){added(g, op, a.low, minus ? b.high : b.low),
                           added(g, op, a.high, minus ? b.low : b.high), bits};
}

static bool is_between(struct groupguards *g, struct bounds a, int64_t least, int64_t most) {
    if (!a.bits) return false;
    if (a.bits <= 12 && !least)
        return true; /* ids in the group, and what is made smaller of them */
    for (unsigned n = 0; n < g->demands; n++)
        if (g->demanded[n].low == a.low && g->demanded[n].high == a.high &&
            g->demanded[n].least == least && g->demanded[n].most == most)
            return true;
    if (g->demands == MOST_DEMANDS) return false;
    demand(g, compared(g, ISA_le_s, wide(g, least), a.low));
    demand(g, compared(g, ISA_le_s, a.high, wide(g, most)));
    g->demanded[g->demands].low = a.low, g->demanded[g->demands].high = a.high;
    g->demanded[g->demands].least = least, g->demanded[g->demands++].most = most;
    return true;
}

/* Of a quotient or a remainder, by a constant, of what is no negative number. */
static struct bounds part(struct groupguards *g, const struct isa_inst *i, struct bounds a) {
    uint32_t by;
    if (!isa_constant(g->k, isa_srcs(g->k, i)[1], &by) || i->type != ISA_I32) return unknown;
    if (!is_between(g, a, 0, INT32_MAX)) return unknown;
    unsigned bits = a.bits < 31 ? a.bits : 31;
    switch (i->op) {
    case ISA_and:
        if (by > INT32_MAX) return unknown;
        return (struct bounds){wide(g, 0), wide(g, by), 31};
    case ISA_rem_u:
    case ISA_rem_s:
        if (!by || by > INT32_MAX) return unknown;
        return (struct bounds){wide(g, 0), wide(g, by - 1), 31};
    case ISA_shr_u:
    case ISA_shr_s:
        if (by > 31) return unknown;
        return (struct bounds){added(g, ISA_shr_s, a.low, wide(g, by)),
                               added(g, ISA_shr_s, a.high, wide(g, by)), bits};
    case ISA_div_u:
    case ISA_div_s:
        if (!by || by > INT32_MAX) return unknown;
        return (struct bounds){added(g, ISA_div_s, a.low, wide(g, by)),
                               added(g, ISA_div_s, a.high, wide(g, by)), bits};
    default: return unknown;
    }
}

static struct bounds of_operation(struct groupguards *g, const struct isa_inst *i) {
    const isa_operand *src = isa_srcs(g->k, i);
    uint32_t n = number_of(g, i);
    struct bounds a = unknown;
    if (i->op == ISA_special) return of_ids(g, (uint32_t)i->imm);
    if (i->type != ISA_I32 && i->type != ISA_I64) return unknown;
    switch (i->op) {
    case ISA_mov: return bounds_of(g, src[0], n);
    case ISA_add:
    case ISA_sub:
        a = bounds_of(g, src[0], n);
        return a.bits ? sum(g, a, bounds_of(g, src[1], n), i->op == ISA_sub) : unknown;
    case ISA_mul: return scaled(g, bounds_of(g, src[0], n), src[1], false);
    case ISA_shl: return scaled(g, bounds_of(g, src[0], n), src[1], true);
    case ISA_sext:
    case ISA_zext:
        if (i->type2 != ISA_I32) return unknown;
        a = bounds_of(g, src[0], n);
        if (i->op == ISA_sext) return is_between(g, a, INT32_MIN, INT32_MAX) ? a : unknown;
        return is_between(g, a, 0, UINT32_MAX) ? a : unknown;
    case ISA_and:
    case ISA_shr_u:
    case ISA_shr_s:
    case ISA_div_u:
    case ISA_div_s:
    case ISA_rem_u:
    case ISA_rem_s: return part(g, i, bounds_of(g, src[0], n));
    default: return unknown;
    }
}

/* Of what the group has one value of, its bits count, as those of a signed number. */
static struct bounds of_one(struct groupguards *g, isa_operand o) {
    enum isa_type type = isa_operand_type(g->k, o);
    isa_operand one = kernelcopy_named(&g->copy, o);
    if (type != ISA_I32 && type != ISA_I64) return unknown;
    if (isa_is_const(o))
        one = wide(g, isa_signed(type, g->k->consts[isa_const_index(o)].bits));
    else
        one = kernelcopy_converted(&g->copy, ISA_sext, ISA_I64, type, one);
    return (struct bounds){one, one, type == ISA_I32 ? 32 : 64};
}

static struct bounds bounds_of(struct groupguards *g, isa_operand o, uint32_t user) {
    const struct isa_inst *i = writer_of(g, o, user);
    if (g->copy.failed || g->depth == MOST_DEPTH || (!i && !isa_is_const(o))) return unknown;
    if (i && g->bounds[o].bits) return g->bounds[o];
    struct bounds b;
    if (is_one(g, o, user)) {
        b = of_one(g, o);
    } else {
        g->depth++;
        b = of_operation(g, i);
        g->depth--;
    }
    if (i) g->bounds[o] = b;
    return b;
}

/* ---- the test: what predicates are for all ---- */

/* A comparison: what it says of bounds where it holds for all work-items, or for none. */
static isa_operand all_compare(struct groupguards *g, const struct isa_inst *i, bool truth) {
    const isa_operand *src = isa_srcs(g->k, i);
    if (i->type2 != ISA_I32 && i->type2 != ISA_I64) return ISA_NO_OPERAND;
    bool less = i->op == ISA_lt_s || i->op == ISA_lt_u, to = i->op == ISA_le_s || i->op == ISA_le_u;
    bool of_signs = i->op == ISA_lt_s || i->op == ISA_le_s, small = i->type2 == ISA_I32;
    if (!less && !to) return ISA_NO_OPERAND;
    uint32_t n = number_of(g, i);
    struct bounds a = bounds_of(g, src[0], n), b = a.bits ? bounds_of(g, src[1], n) : unknown;
    int64_t least = !of_signs ? 0 : small ? INT32_MIN : INT64_MIN;
    int64_t most = !small ? INT64_MAX : of_signs ? INT32_MAX : UINT32_MAX;
    if (!a.bits || !b.bits) return ISA_NO_OPERAND;
    if ((a.low != a.high || !of_signs) && !is_between(g, a, least, most)) return ISA_NO_OPERAND;
    if ((b.low != b.high || !of_signs) && !is_between(g, b, least, most)) return ISA_NO_OPERAND;
    isa_operand left = truth ? a.high : b.high, right = truth ? b.low : a.low;
    bool strictly = less == truth;
    if (isa_is_const(left) && isa_is_const(right)) { /* no group passes */
        int64_t x = constant(g, left), y = constant(g, right);
        if (strictly ? x >= y : x > y) return ISA_NO_OPERAND;
    }
    return compared(g, strictly ? ISA_lt_s : ISA_le_s, left, right);
}

/* That the predicate is that for all work-items, or that it is not sure that it is;
 * ISA_NO_OPERAND: nobody knows. */
static isa_operand all(struct groupguards *g, isa_operand p, uint32_t user, bool truth) {
    const struct isa_inst *i = writer_of(g, p, user);
    isa_operand none = ISA_NO_OPERAND, a, b;
    if (g->copy.failed || g->depth == MOST_DEPTH) return none;
    if (is_one(g, p, user)) {
        a = kernelcopy_named(&g->copy, p);
        return truth ? a : kernelcopy_result(&g->copy, ISA_not, ISA_PRED, a, none);
    }
    if (!i) return none;
    const isa_operand *src = isa_srcs(g->k, i);
    uint32_t n = number_of(g, i);
    g->depth++;
    if (i->op == ISA_mov) {
        a = all(g, src[0], n, truth);
    } else if (i->op == ISA_not) {
        a = all(g, src[0], n, !truth);
    } else if (i->op == ISA_and || i->op == ISA_or) {
        a = all(g, src[0], n, truth);
        b = a == none ? none : all(g, src[1], n, truth);
        a = both(g, (i->op == ISA_and) == truth ? ISA_and : ISA_or, a, b);
    } else {
        a = all_compare(g, i, truth);
    }
    g->depth--;
    return a;
}

/* ---- the guards ---- */

struct part_has {
    bool barrier, ret;
};

static struct part_has look(const struct isa_kernel *k, uint32_t from, uint32_t to,
                            uint32_t barrier) {
    struct part_has has = {false, false};
    for (uint32_t n = from; n < to; n++) {
        has.barrier |= k->insts[n].op == ISA_bar;
        has.ret |= k->insts[n].op == ISA_ret && n < barrier;
    }
    return has;
}

/* Which part of an `if` a group goes through whose work-items go one way. */
static enum fate fate_of(const struct isa_kernel *k, uint32_t n, uint32_t barrier) {
    uint32_t other = k->insts[n].match, end = other;
    if (k->insts[other].op == ISA_else) end = k->insts[other].match;
    struct part_has first = look(k, n + 1, other, barrier), second = look(k, other, end, barrier);
    if (first.barrier != second.barrier) return first.barrier ? FIRST_PART : OTHER_PART;
    if (first.barrier || first.ret == second.ret) return STAYS;
    return first.ret ? OTHER_PART : FIRST_PART;
}

/* Is it an exit of its loop by a counter that goes up? */
static bool find_exit(struct groupguards *g, const struct loops *x, uint32_t leaves) {
    const struct isa_kernel *k = g->k;
    struct group_exit e = {.leaves = leaves, .compare = loops_compare(x, k, leaves)};
    uint32_t loop = x->loop_of[leaves];
    if (x->nested[leaves] || e.compare == LOOPS_NONE || g->nexits == MOST_EXITS) return false;
    const struct isa_inst *c = &k->insts[e.compare];
    bool up = c->op == ISA_lt_s || c->op == ISA_le_s || c->op == ISA_lt_u || c->op == ISA_le_u;
    isa_operand reg = isa_srcs(k, c)[1];
    if (!up || c->type2 != ISA_I32 || !isa_is_reg(reg)) return false;
    uint32_t step = loops_writer(x, reg, loop);
    e.begin = x->loops[loop].begin;
    if (step >= LOOPS_NONE || !loops_step(x, k, step, &e.counter) || e.counter.down) return false;
    if (e.counter.reg != reg || e.counter.sum != e.counter.at) return false;
    uint32_t start = loops_start(k, e.begin, reg);
    if (!start) return false;
    e.start = start - 1;
    g->exits[g->nexits++] = e;
    return true;
}

/* Those of loops with barriers by which not all warps of the group leave together. */
static void find_exits(struct groupguards *g, const struct shape *shape, const struct loops *x) {
    const struct isa_kernel *k = g->k;
    uint32_t guarded = 0; /* where a guard ends that is around */
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (g->fates[n] != STAYS && n >= guarded) guarded = warpregions_end(k, n);
        bool jumps = isa_op_info[i->op].flags & ISA_OP_JUMP && i->op != ISA_ret;
        if (!jumps || n < guarded || shape_branch(shape, n) == SHAPE_GROUP) continue;
        uint32_t loop = x->loop_of[n], end = loop ? x->loops[loop].end : 0;
        struct part_has has = look(k, loop ? x->loops[loop].begin : 0, end, 0);
        if (!loop || !has.barrier) continue;
        g->lost |= i->op != ISA_breakif || i->imm || !find_exit(g, x, n);
    }
}

static void find(struct groupguards *g, const struct shape *shape) {
    const struct isa_kernel *k = g->k;
    uint32_t barrier = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (i->op == ISA_bar) barrier = n;
        for (unsigned d = 0; d < i->ndst; d++) {
            uint32_t *w = &g->writer[isa_dsts(k, i)[d]];
            *w = *w ? UINT32_MAX : n + 1;
        }
    }
    for (uint32_t n = 0; n < k->ninsts && barrier; n++) {
        if (k->insts[n].op != ISA_if || shape_branch(shape, n) == SHAPE_GROUP) continue;
        g->fates[n] = (uint8_t)fate_of(k, n, barrier);
        if (g->fates[n] == STAYS) continue;
        if (g->count < MOST_GUARDS) g->guards[g->count] = n;
        g->count++;
    }
}

/* That all work-items make as many iterations until that exit; ISA_NO_OPERAND: nobody knows. */
static isa_operand same_count(struct groupguards *g, struct group_exit *e) {
    const struct isa_inst *c = &g->k->insts[e->compare];
    bool is_signed = c->op == ISA_lt_s || c->op == ISA_le_s;
    bool to = c->op == ISA_lt_s || c->op == ISA_lt_u; /* and not beyond */
    int64_t most = is_signed ? INT32_MAX : UINT32_MAX;
    isa_operand none = ISA_NO_OPERAND, bound = isa_srcs(g->k, c)[0], step = e->counter.step;
    g->guard = e->begin;
    struct bounds from = of_operation(g, &g->k->insts[e->start]);
    if (!from.bits || !is_between(g, from, is_signed ? INT32_MIN : 0, most)) return none;
    if (!is_one(g, bound, e->begin) || !is_one(g, step, e->begin)) return none;
    struct bounds end = of_one(g, bound), by = of_one(g, step);
    if (!is_between(g, by, 1, INT32_MAX)) return none;
    struct bounds last = sum(g, end, by, false); /* it is left before it wraps around */
    if (!is_between(g, end, is_signed ? INT32_MIN : 0, most)) return none;
    if (!is_between(g, last, INT32_MIN, most - 1)) return none;
    isa_operand left[2] = {from.low, from.high};
    for (unsigned n = 0; n < 2; n++) {
        if (e->compare > e->counter.at) left[n] = added(g, ISA_add, left[n], by.low);
        left[n] = added(g, ISA_sub, end.low, left[n]);
        if (!to) left[n] = added(g, ISA_add, left[n], wide(g, -1));
    }
    isa_operand never = compared(g, ISA_lt_s, left[0], wide(g, 0));
    isa_operand all = compared(g, ISA_le_s, wide(g, 0), left[1]);
    isa_operand same = compared(g, ISA_eq, added(g, ISA_div_s, left[0], by.low),
                                added(g, ISA_div_s, left[1], by.low));
    e->first = kernelcopy_converted(&g->copy, ISA_trunc, ISA_I32, ISA_I64, from.low);
    return both(g, ISA_or, never, both(g, ISA_and, all, same));
}

/* What is in the place of the guards: whether all of them are passed. False: nobody knows. */
static bool put_test(struct groupguards *g) {
    struct kernelcopy *c = &g->copy;
    isa_operand passed = ISA_NO_OPERAND;
    for (unsigned n = 0; n < g->count; n++) {
        uint32_t at = g->guards[n];
        g->guard = at;
        isa_operand p = isa_srcs(g->k, &g->k->insts[at])[0];
        isa_operand is = all(g, p, at, g->fates[at] == FIRST_PART);
        if (is == ISA_NO_OPERAND || c->failed) return false;
        passed = passed == ISA_NO_OPERAND ? is : both(g, ISA_and, passed, is);
        c->at = at;
    }
    for (unsigned n = 0; n < g->nexits; n++) {
        isa_operand is = same_count(g, &g->exits[n]);
        if (is == ISA_NO_OPERAND || c->failed) return false;
        passed = passed == ISA_NO_OPERAND ? is : both(g, ISA_and, passed, is);
        c->at = g->exits[n].begin;
    }
    if (g->holds != ISA_NO_OPERAND) passed = both(g, ISA_and, passed, g->holds);
    kernelcopy_control(c, ISA_leave, passed);
    return !c->failed;
}

/* ---- the kernel without them ---- */

/* What the group's own counters are, before loops and behind steps. */
static void count_together(struct groupguards *g, uint32_t n) {
    for (unsigned e = 0; e < g->nexits; e++) {
        const struct group_exit *x = &g->exits[e];
        if (n == x->counter.at)
            kernelcopy_add(&g->copy, ISA_add, ISA_I32, x->ours, x->ours, x->counter.step);
    }
}

static void begin_together(struct groupguards *g, uint32_t n) {
    for (unsigned e = 0; e < g->nexits; e++) {
        struct group_exit *x = &g->exits[e];
        if (n != x->begin) continue;
        x->ours = isa_reg_new(g->copy.out, ISA_I32);
        g->copy.at = n;
        kernelcopy_move(&g->copy, x->ours, x->first);
    }
}

/* The condition by which the group leaves a loop, if n is such an exit. */
static isa_operand leave_together(struct groupguards *g, uint32_t n) {
    for (unsigned e = 0; e < g->nexits; e++) {
        const struct group_exit *x = &g->exits[e];
        const struct isa_inst *c = &g->k->insts[x->compare];
        if (n != x->leaves) continue;
        g->copy.at = n;
        return kernelcopy_result(&g->copy, (enum isa_op)c->op, ISA_I32, isa_srcs(g->k, c)[0],
                                 x->ours);
    }
    return ISA_NO_OPERAND;
}

/* Jumps count the regions that they leave. */
static void put(struct groupguards *g, uint32_t n, const uint8_t *gone, uint32_t depth) {
    const struct isa_inst *i = &g->k->insts[n];
    uint32_t less = 0;
    bool jumps = isa_op_info[i->op].flags & ISA_OP_JUMP && i->op != ISA_ret;
    for (uint32_t d = 0; jumps && d < (uint32_t)i->imm; d++) less += gone[depth - d];
    isa_operand left = leave_together(g, n);
    struct isa_inst *is = left == ISA_NO_OPERAND ? kernelcopy_put(&g->copy, n)
                                                 : kernelcopy_put_with(&g->copy, n, &left);
    is->imm -= (int32_t)less;
    count_together(g, n);
}

/* What only the guards have asked for. */
static void find_dead(struct groupguards *g) {
    const struct isa_kernel *k = g->k;
    for (uint32_t n = 0; n < k->ninsts; n++)
        for (unsigned s = 0; s < k->insts[n].nsrc && g->fates[n] == STAYS; s++) {
            isa_operand o = isa_srcs(k, &k->insts[n])[s];
            if (isa_is_reg(o)) g->reads[o]++;
        }
    for (uint32_t n = k->ninsts; n--;) {
        const struct isa_inst *i = &k->insts[n];
        if (!(isa_op_info[i->op].flags & ISA_OP_PURE) || i->ndst != 1) continue;
        isa_operand to = isa_dsts(k, i)[0];
        if (g->reads[to] || g->writer[to] != n + 1) continue;
        g->fates[n] = DEAD;
        for (unsigned s = 0; s < i->nsrc; s++)
            if (isa_is_reg(isa_srcs(k, i)[s])) g->reads[isa_srcs(k, i)[s]]--;
    }
}

static void write(struct groupguards *g) {
    const struct isa_kernel *k = g->k;
    uint8_t gone[ISA_MAX_NESTING + 1] = {0};
    uint32_t depth = 0;
    for (uint32_t n = 0; n < k->ninsts && !g->copy.failed; n++) {
        uint32_t flags = isa_op_info[k->insts[n].op].flags;
        enum fate fate = (enum fate)g->fates[n];
        if (fate == DEAD) continue;
        if (flags & ISA_OP_REGION_BEGIN) {
            gone[++depth] = fate != STAYS;
            if (fate == OTHER_PART) {
                n = k->insts[n].match;
                if (k->insts[n].op == ISA_endif) depth--;
            }
            if (fate != STAYS) continue;
        }
        if (gone[depth] && flags & ISA_OP_REGION_ELSE) n = k->insts[n].match;
        bool ends = isa_op_info[k->insts[n].op].flags & ISA_OP_REGION_END;
        if (k->insts[n].op == ISA_loop) begin_together(g, n);
        if (!(ends && gone[depth])) put(g, n, gone, depth);
        depth -= ends;
    }
}

static bool make(struct groupguards *g, struct sized_kernel *made) {
    const struct isa_kernel *k = g->k;
    struct shape *shape = shape_new(k, g->s->groups.size);
    if (!shape) return false;
    struct loops x;
    struct arena *arena = loops_new(&x, k);
    find(g, shape);
    if (arena && x.nloops) find_exits(g, shape, &x);
    shape_free(shape);
    arena_free(arena);
    if (!arena) return false;
    if (g->lost || g->count + g->nexits == 0 || g->count > MOST_GUARDS) return true;
    if (!kernelcopy_begin(&g->copy, k, k->ninsts + MOST_TEST)) return false;
    kernelcopy_keep_names(&g->copy);
    bool tests = put_test(g);
    if (tests) {
        kernelcopy_keep_names(&g->copy);
        find_dead(g);
        write(g);
    }
    if (!tests || g->copy.failed || !kernelcopy_finish(g->copy.out)) {
        bool lost = isa_kernel_failed(g->copy.out);
        kernelcopy_drop(&g->copy);
        return !lost;
    }
    sized_kernel_take(made, &g->copy);
    return true;
}

/* ---- the pass ---- */

bool groupguards_make(const struct sized *s, const struct trace_pass *p,
                      struct sized_kernel *made) {
    struct groupguards g = {.s = s, .k = s->k, .holds = ISA_NO_OPERAND};
    if (!s->groups.leave || s->k->probed || s->k->ninsts > MOST_KERNEL) return true;
    g.writer = sized_of_registers(s, sizeof *g.writer);
    g.reads = sized_of_registers(s, sizeof *g.reads);
    g.one = sized_of_registers(s, 1);
    g.bounds = sized_of_registers(s, sizeof *g.bounds);
    g.fates = calloc(s->k->ninsts + 1ull, 1);
    bool good = g.writer && g.reads && g.one && g.bounds && g.fates && make(&g, made);
    if (made->kernel)
        trace_tell(p, &s->k->insts[g.count ? g.guards[0] : g.exits[0].leaves],
                   "groups whose work-items do not all pass it are run apart");
    free(g.writer);
    free(g.reads);
    free(g.one);
    free(g.bounds);
    free(g.fates);
    return good;
}
