/* Loads under a condition of what iterations before or behind load in any case, in loops along a
 * row of the work-item's own: `a[k] > a[k - 1] && a[k] > a[k + 1]`. Where it is sure that those
 * iterations are made, the element can be loaded without the condition: nothing is read that the
 * program does not read. That is so for all iterations but as many at the begin and at the end as
 * lie between, which loops before and behind make as they were. The loop between them has straight
 * code when its ifs are selects, so that what was loaded can be handed on (opt_carry.c). */
#include <stdlib.h>

#include "device/isa/compare.h"
#include "device/isa/kernelcopy.h"
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"
#include "ownrows.h"

enum {
    MOST_INSTS = 64, /* of such a loop */
    MOST_FAR = 4,    /* iterations between both loads, which opt_carry.c hands on */
    MOST_CLOCKS = 40 /* of isa.def, in an if: it becomes selects (ifconvert.c) */
};

struct neighbouring {
    struct isa_kernel *k;
    struct loops l;
    struct ownrows rows;
    isa_operand *instead; /* of each load under a condition: what it gives without */
    struct loop_counters counters;
    uint8_t *address; /* of each counter: it is nothing else */
    struct kernelcopy copy;
};

/* A loop, and as many of its iterations as others have to be made before one, and behind it. */
struct neighbours_loop {
    uint32_t begin, end, leaves;
    struct loop_exit exit;
    uint32_t before, behind;
};

/* ---- which ---- */

/* Is there nothing but ifs, and what is computed and loaded; and one place where it is left, before
 * the ifs? */
static bool is_plain(const struct neighbouring *x, struct neighbours_loop *v) {
    const struct isa_kernel *k = x->k;
    uint32_t n = v->begin + 1, ifs = 0;
    for (v->leaves = 0; k->insts[n].op != ISA_endloop; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        bool region = i->op == ISA_if || i->op == ISA_else || i->op == ISA_endif;
        if (n - v->begin > MOST_INSTS || flags & ISA_OP_PROBE || isa_is_watched(i)) return false;
        if (i->op == ISA_breakif) {
            if (v->leaves || i->imm || ifs) return false;
            v->leaves = n;
        } else if (!region && !(flags & ISA_OP_PURE) &&
                   (i->op != ISA_ld || i->flags & ISA_VOLATILE)) {
            return false;
        }
        ifs += i->op == ISA_if;
    }
    v->end = n;
    return v->leaves && ifs;
}

/* Where lanes leave, another loop goes on: it does again what lies before that, to the same effect.
 */
static bool leaves_afresh(const struct isa_kernel *k, const struct neighbours_loop *v) {
    for (uint32_t n = v->begin + 1; n < v->leaves; n++)
        for (unsigned s = 0; s < k->insts[n].nsrc; s++)
            if (isa_writes_between(k, isa_srcs(k, &k->insts[n])[s], n, v->leaves)) return false;
    return true;
}

/* Leaves if the counter is not on this side of the bound, so that a bound so many steps nearer is
 * one for those that as many iterations follow. */
static bool ends_evenly(const struct neighbouring *x, struct neighbours_loop *v) {
    if (!loops_exit(&x->l, x->k, v->leaves, &v->exit)) return false;
    unsigned op = x->k->insts[v->exit.compare].op;
    return compare_is_order(op) && v->exit.step <= UINT16_MAX;
}

/* The most that an if of it may take, if selects take its place; what is loaded is not in it any
 * more. */
static bool are_short(const struct isa_kernel *k, const struct neighbours_loop *v) {
    unsigned clocks = 0, depth = 0;
    for (uint32_t n = v->begin + 1; n < v->end; n++) {
        const struct isa_inst *i = &k->insts[n];
        depth += isa_deeper(i);
        if (!depth) clocks = 0;
        if (!depth || i->op == ISA_ld) continue;
        bool computes = isa_op_info[i->op].flags & ISA_OP_PURE;
        if (computes && (isa_op_info[i->op].flags & (ISA_OP_MATH | ISA_OP_IMAGE) || i->ndst != 1))
            return false;
        /* a copy is selected, and so is what an inner if leaves */
        if (computes || i->op == ISA_if) clocks += computes ? isa_op_info[i->op].clocks : 4;
        if (clocks > MOST_CLOCKS) return false;
    }
    return true;
}

/* How many iterations later, or, if less than 0, before is loaded by `other` in any case what
 * instruction n loads? More than MOST_FAR: that is not known. */
static int32_t far_of(const struct isa_kernel *k, uint32_t n, uint32_t other, int32_t step) {
    const struct isa_inst *i = &k->insts[n], *o = &k->insts[other];
    isa_operand reg = isa_srcs(k, i)[0];
    int64_t away = (int64_t)i->imm - o->imm;
    if (o->op != ISA_ld || o->space != i->space || o->type != i->type || o->count != 1 ||
        isa_srcs(k, o)[0] != reg || away % step || away / step > MOST_FAR ||
        away / step < -MOST_FAR ||
        isa_writes_between(k, reg, n < other ? n : other, n < other ? other : n))
        return MOST_FAR + 1;
    return (int32_t)(away / step);
}

/* Does another iteration load in any case what this one loads under the if at `open`? */
static bool is_neighbour(struct neighbouring *x, struct neighbours_loop *v, uint32_t open,
                         uint32_t n) {
    const struct isa_kernel *k = x->k;
    uint32_t by;
    bool late;
    int32_t best = MOST_FAR + 1;
    isa_operand reg = isa_srcs(k, &k->insts[n])[0];
    if (!ownrows_loads(&x->rows, n) || isa_writes_between(k, reg, open, n) ||
        !loops_grows(&x->l, k, reg, loops_at(&x->l, v->begin), n, &by, &late) || !by)
        return false;
    for (uint32_t other = v->begin + 1; other < v->end; other++) {
        int32_t far = x->l.nested[other] ? MOST_FAR + 1 : far_of(k, n, other, (int32_t)by);
        if (abs(far) < abs(best) || (far > 0 && far == -best)) best = far;
    }
    if (best > MOST_FAR) return false;
    if (best > 0 && (uint32_t)best > v->behind) v->behind = (uint32_t)best;
    if (best < 0 && (uint32_t)-best > v->before) v->before = (uint32_t)-best;
    return true;
}

static bool find(struct neighbouring *x, uint32_t begin, struct neighbours_loop *v) {
    const struct isa_kernel *k = x->k;
    uint32_t open = 0, depth = 0;
    *v = (struct neighbours_loop){.begin = begin};
    if (!is_plain(x, v) || !leaves_afresh(k, v) || !are_short(k, v) || !ends_evenly(x, v))
        return false;
    for (uint32_t n = begin + 1; n < v->end; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (!depth) open = n;
        depth += isa_deeper(i);
        if (depth && i->op == ISA_ld && !is_neighbour(x, v, open, n)) return false;
    }
    return v->before + v->behind;
}

/* ---- writing ---- */

static bool is_signed(const struct neighbouring *x, const struct loop_exit *e) {
    unsigned op = x->copy.k->insts[e->compare].op;
    return op == ISA_le_s || op == ISA_lt_s;
}

/* A bound, which is not reached, for those that so many iterations follow. */
static isa_operand nearer(struct neighbouring *x, const struct neighbours_loop *v) {
    struct kernelcopy *c = &x->copy;
    const struct loop_exit *e = &v->exit;
    bool sign = is_signed(x, e);
    uint32_t far = v->behind * e->step - e->inclusive, least = sign ? (uint32_t)INT32_MIN : 0,
             most = sign ? INT32_MAX : UINT32_MAX;
    enum isa_op op = e->down ? (sign ? ISA_min_s : ISA_min_u) : (sign ? ISA_max_s : ISA_max_u);
    isa_operand even = kernelcopy_result(c, op, ISA_I32, e->bound,
                                         kernelcopy_word(c, e->down ? most - far : least + far));
    return kernelcopy_result(c, e->down ? ISA_add : ISA_sub, ISA_I32, even,
                             kernelcopy_word(c, far));
}

/* A bound for the first iterations: so many steps from what is compared first, or the loop's own,
 * if that is nearer. */
static isa_operand first_ones(struct neighbouring *x, const struct neighbours_loop *v) {
    struct kernelcopy *c = &x->copy;
    const struct loop_exit *e = &v->exit;
    enum isa_op leaves = (enum isa_op)c->k->insts[e->compare].op;
    isa_operand now = e->counter.reg, bound = e->bound;
    if (e->off) now = kernelcopy_result(c, ISA_add, ISA_I32, now, kernelcopy_word(c, e->off));
    isa_operand high = e->down ? now : bound, low = e->down ? bound : now,
                most = kernelcopy_word(c, v->before * e->step - e->inclusive);
    isa_operand over = kernelcopy_result(c, leaves, ISA_I32, high, low),
                left = kernelcopy_result(c, ISA_sub, ISA_I32, high, low),
                few = kernelcopy_result(c, ISA_min_u, ISA_I32, left, most),
                to = kernelcopy_result(c, e->down ? ISA_sub : ISA_add, ISA_I32, now, few);
    return kernelcopy_select(c, ISA_I32, over, bound, to);
}

/* The loads of an if, before it. */
static void put_loads(struct neighbouring *x, uint32_t open) {
    struct kernelcopy *c = &x->copy;
    for (uint32_t n = open, depth = 0; n == open || depth; n++) {
        depth += isa_deeper(&c->k->insts[n]);
        if (c->k->insts[n].op != ISA_ld) continue;
        isa_operand to = isa_dsts(c->k, &c->k->insts[n])[0], named = c->names[to];
        kernelcopy_put_anew(c, n);
        x->instead[n] = c->names[to];
        c->names[to] = named;
    }
}

/* The loop with another bound; straight: what it loads under conditions is loaded in any case. */
static void put_loop(struct neighbouring *x, const struct neighbours_loop *v, isa_operand bound,
                     bool straight) {
    struct kernelcopy *c = &x->copy;
    enum isa_op op = (enum isa_op)c->k->insts[v->exit.compare].op;
    if (straight && v->behind) op = is_signed(x, &v->exit) ? ISA_le_s : ISA_le_u;
    for (uint32_t n = v->begin, depth = 0; n <= v->end && !c->failed; n++) {
        const struct isa_inst *i = &c->k->insts[n];
        const isa_operand *src = isa_srcs(c->k, i);
        c->at = n;
        if (straight && i->op == ISA_if && !depth) put_loads(x, n);
        if (n > v->begin) depth += isa_deeper(i);
        if (n == v->exit.compare) {
            isa_operand sides[] = {kernelcopy_named(c, src[0]), kernelcopy_named(c, src[1])};
            sides[v->exit.side] = bound;
            kernelcopy_put_with(c, n, sides)->op = (uint16_t)op;
        } else if (straight && depth && n > v->begin && i->op == ISA_ld) {
            kernelcopy_move(c, kernelcopy_named(c, isa_dsts(c->k, i)[0]), x->instead[n]);
        } else {
            kernelcopy_put(c, n);
        }
    }
}

/* Goes through the addresses that the loop steps, and that nothing else reads, if as much is added
 * to them as a multiple of what is to the counter that it ends by. */
static void each_address(struct neighbouring *x, const struct neighbours_loop *v,
                         void (*put)(struct neighbouring *x, isa_operand reg, int32_t times,
                                     isa_operand by),
                         isa_operand by) {
    int32_t step = v->exit.down ? -(int32_t)v->exit.step : (int32_t)v->exit.step;
    for (uint32_t n = 0; n < x->counters.count; n++) {
        const struct loop_counter *c = &x->counters.list[n];
        int32_t far = loops_constant_step(x->copy.k, c);
        if (c->loop == loops_at(&x->l, v->begin) && x->address[n] && far && far % step == 0)
            put(x, (isa_operand)c->reg, far / step, by);
    }
}

/* Such an address has a register of its own in the loop between others, */
static void put_own(struct neighbouring *x, isa_operand reg, int32_t times, isa_operand by) {
    (void)times;
    (void)by;
    kernelcopy_rename(&x->copy, reg);
    kernelcopy_move(&x->copy, x->copy.names[reg], reg);
}

/* and behind it is as many iterations further as the counter is. */
static void put_further(struct neighbouring *x, isa_operand reg, int32_t times, isa_operand by) {
    struct kernelcopy *c = &x->copy;
    isa_operand far =
        kernelcopy_result(c, ISA_mul, ISA_I32, by, kernelcopy_word(c, (uint32_t)times));
    kernelcopy_add(c, ISA_add, ISA_I32, reg, reg, far);
}

/* What an iteration computes for itself has other names, too, so that it is that loop's alone. */
static void rename_own(struct neighbouring *x, const struct neighbours_loop *v) {
    const struct isa_kernel *k = x->copy.k;
    for (uint32_t n = v->begin + 1; n < v->end; n++) {
        isa_operand reg = k->insts[n].ndst ? isa_dsts(k, &k->insts[n])[0] : ISA_NO_OPERAND;
        uint32_t reads = 0;
        if (reg == ISA_NO_OPERAND || !x->l.ordered[reg]) continue;
        for (uint32_t m = n + 1; m < v->end; m++)
            for (unsigned s = 0; s < k->insts[m].nsrc; s++)
                reads += isa_srcs(k, &k->insts[m])[s] == reg;
        if (reads == x->l.reads[reg]) kernelcopy_rename(&x->copy, reg);
    }
}

static void put(struct neighbouring *x, const struct neighbours_loop *v) {
    struct kernelcopy *c = &x->copy;
    isa_operand bound = v->exit.bound, now = v->exit.counter.reg;
    c->at = v->begin;
    isa_operand last = v->behind ? nearer(x, v) : bound;
    if (v->before) put_loop(x, v, first_ones(x, v), false);
    c->at = v->begin;
    isa_operand start = kernelcopy_result(c, ISA_mov, ISA_I32, now, ISA_NO_OPERAND);
    rename_own(x, v);
    each_address(x, v, put_own, ISA_NO_OPERAND);
    put_own(x, now, 0, ISA_NO_OPERAND);
    isa_operand own = c->names[now];
    put_loop(x, v, last, true);
    kernelcopy_keep_names(c);
    kernelcopy_move(c, now, own);
    if (!v->behind) return;
    c->at = v->begin;
    each_address(x, v, put_further, kernelcopy_result(c, ISA_sub, ISA_I32, now, start));
    put_loop(x, v, bound, false);
}

void opt_neighbours(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct neighbouring x = {.k = k, .rows = {.k = k}};
    uint32_t count = 0, from = 0;
    if (!loops_find(&x.l, k, arena)) return;
    struct neighbours_loop *list = ARENA_ARRAY(arena, struct neighbours_loop, x.l.nloops + 1u);
    x.instead = ARENA_ARRAY(arena, isa_operand, k->ninsts + 1u);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        if (k->insts[n].op != ISA_loop || !find(&x, n, &list[count])) continue;
        trace_tell(p, &k->insts[n],
                   "what is loaded under a condition is loaded without, but for iterations at an "
                   "end: %u at the begin, %u at the end",
                   list[count].before, list[count].behind);
        count++;
    }
    ownrows_end(&x.rows);
    if (!count) return;
    loops_counters(&x.l, k, arena, &x.counters);
    x.address = loops_addresses(&x.l, k, arena, &x.counters, 0);
    kernelcopy_take(&x.copy, k, arena);
    for (const struct neighbours_loop *v = list; v < list + count; v++) {
        kernelcopy_put_range(&x.copy, from, v->begin);
        put(&x, v);
        from = v->end + 1;
    }
    kernelcopy_put_range(&x.copy, from, x.copy.k->ninsts);
}
