/* Loops that go along an array to its end,
 *
 *     for (p = row, end = row + n; p < end; p++) ...
 *
 * Where each work-item has a row of its own, all of them go on as often, but by the pointers, or by
 * indices, that is not seen. Such a loop counts its iterations, and ends by their number
 * (trips.h); so does one that two counters go through from both ends. Work-items that make another
 * number, as where the row ends before it begins, have the loop as it was. */
#include "device/analysis/liveranges.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"
#include "trips.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_TWICE = 160,  /* instructions of a loop that is there twice; */
    MOST_KERNEL = 1000 /* of the kernel */
};

/* A loop that is to end by its number of iterations. */
struct distance {
    struct trips trips;
    uint32_t begin, end;
    bool twice;              /* some may make another number, and do something then */
    isa_operand number, own; /* of iterations: all, and those that were made */
};

struct distances {
    const struct isa_kernel *k;
    struct arena *arena;
    struct loops l;
    struct numbers numbers;
    struct shape *shape;
    const uint8_t *pointers;
    uint32_t *first, *last; /* of registers: between which instructions they are of use */
    struct distance *of;    /* of each loop; begin = end: it stays */
    struct kernelcopy copy;
};

/* ---- which ---- */

/* Is all that is done before the loop is left for the first time of no use then? */
static bool begins_by_leaving(const struct distances *x, const struct distance *d) {
    const struct isa_kernel *k = x->k;
    for (uint32_t n = d->begin + 1; n < d->trips.leaves; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (!(isa_op_info[i->op].flags & ISA_OP_PURE)) return false;
        for (unsigned r = 0; r < i->ndst; r++) {
            isa_operand reg = isa_dsts(k, i)[r];
            if (x->first[reg] < d->begin || x->last[reg] > d->end) return false;
        }
    }
    return true;
}

/* May the loop be in an `if`, once or twice? */
static bool may_be_guarded(const struct isa_kernel *k, const struct distance *d) {
    uint32_t depth = 0;
    for (uint32_t n = d->begin; n <= d->end; n++) {
        uint32_t flags = isa_op_info[k->insts[n].op].flags;
        if (flags & ISA_OP_BARRIER || (d->twice && flags & (ISA_OP_PROBE | ISA_OP_NOTE)))
            return false;
        depth += isa_deeper(&k->insts[n]);
        if (flags & ISA_OP_JUMP && k->insts[n].op != ISA_ret && (uint32_t)k->insts[n].imm >= depth)
            return false;
    }
    return !d->twice || d->end - d->begin <= MOST_TWICE;
}

/* Does the loop store one element after the other? Engines deal such runs out to lanes, by the
 * counters that they have (sized/dealt.c, spread.c). */
static bool stores_runs(const struct distances *x, const struct distance *d) {
    uint32_t by = 0;
    bool behind;
    for (uint32_t n = d->begin + 1; n < d->end; n++)
        if (x->k->insts[n].op == ISA_st &&
            loops_grows(&x->l, x->k, isa_srcs(x->k, &x->k->insts[n])[0], x->l.loop_of[n], n, &by,
                        &behind) &&
            by)
            return true;
    return false;
}

/* Is it only for lanes that leave early that the counter is not seen to be the same for all? Then
 * opt_split.c gives the loop one that is, of which addresses are made, too. */
static bool is_split(const struct distances *x, const struct distance *d) {
    const struct isa_kernel *k = x->k;
    const struct loop_exit *e = &d->trips.exit;
    uint32_t start = loops_start(k, d->begin, e->counter.reg);
    if (d->trips.meets || !start || !e->step || e->counter.down) return false;
    const struct isa_inst *i = &k->insts[start - 1];
    isa_operand first = isa_srcs(k, i)[0];
    return i->op == ISA_mov && (isa_is_const(first) || shape_is_uniform(x->shape, first)) &&
           (isa_is_const(e->bound) || shape_is_uniform(x->shape, e->bound));
}

/* All lanes may go on as often, and by the counter that is not seen. */
static bool find(const struct distances *x, uint32_t leaves, struct distance *d) {
    const struct trips_finder f = {x->k, &x->l, x->shape, &x->numbers, x->pointers};
    const struct loop *loop = &x->l.loops[x->l.loop_of[leaves]];
    if (x->k->insts[leaves].op != ISA_breakif) return false;
    *d = (struct distance){.begin = loop->begin, .end = loop->end};
    bool seen = shape_branch(x->shape, leaves) >= SHAPE_WARP;
    if ((seen || !trips_find(&f, leaves, &d->trips)) && !trips_find_meeting(&f, leaves, &d->trips))
        return false;
    if ((!d->trips.equal && stores_runs(x, d)) || is_split(x, d)) return false;
    const struct trips *t = &d->trips;
    d->twice = !t->always && (t->equal || !t->sure || !begins_by_leaving(x, d));
    return t->always || may_be_guarded(x->k, d);
}

/* ---- writing ---- */

/* Registers of the loop that are not read behind it have names of their own, so that what is known
 * of them is what is known in it. */
static void rename_own(struct distances *x, const struct distance *d) {
    struct kernelcopy *c = &x->copy;
    const struct isa_kernel *k = c->k;
    isa_operand *names = ARENA_ARRAY(x->arena, isa_operand, k->nregs + 1u);
    memcpy(names, c->names, k->nregs * sizeof *names);
    c->names = names;
    for (uint32_t n = d->begin; n <= d->end; n++)
        for (unsigned r = 0; r < k->insts[n].ndst; r++) {
            isa_operand reg = isa_dsts(k, &k->insts[n])[r], was = c->names[reg];
            bool comes = x->first[reg] < d->begin;
            if (x->last[reg] > d->end) continue;
            if (!comes && !d->twice) continue;
            kernelcopy_rename(c, reg);
            if (comes) kernelcopy_move(c, c->names[reg], was);
        }
}

static void put_range(struct distances *x, uint32_t from, uint32_t to, bool counted);

/* The loop, which ends by its number of iterations. */
static void put_counted(struct distances *x, struct distance *d) {
    struct kernelcopy *c = &x->copy;
    isa_operand *names = c->names;
    c->at = d->begin;
    rename_own(x, d);
    d->own = isa_reg_new(c->out, ISA_I32);
    kernelcopy_move(c, d->own, kernelcopy_word(c, 0));
    kernelcopy_put(c, d->begin);
    put_range(x, d->begin + 1, d->end, true);
    kernelcopy_put(c, d->end);
    c->names = names;
}

static void put_loop(struct distances *x, struct distance *d) {
    struct kernelcopy *c = &x->copy;
    c->at = d->trips.leaves;
    d->number = trips_write(c, &d->trips);
    isa_operand none = ISA_NO_OPERAND;
    if (d->trips.always) {
        put_counted(x, d);
        return;
    }
    isa_operand hold = trips_hold(c, &d->trips, d->number);
    kernelcopy_add(c, ISA_if, ISA_NONE_T, none, hold, none)->site =
        c->k->insts[d->trips.leaves].site;
    put_counted(x, d);
    if (d->twice) {
        kernelcopy_control(c, ISA_else, none);
        put_range(x, d->begin, d->end + 1, false);
    }
    kernelcopy_control(c, ISA_endif, none);
}

/* Instructions [from, to); counted: loops among them by their number of iterations. */
static void put_range(struct distances *x, uint32_t from, uint32_t to, bool counted) {
    struct kernelcopy *c = &x->copy;
    for (uint32_t n = from; n < to && !c->failed; n++) {
        uint32_t loop = c->k->insts[n].op == ISA_loop ? loops_at(&x->l, n) : x->l.loop_of[n];
        struct distance *d = &x->of[loop];
        const struct loop_exit *e = &d->trips.exit;
        c->at = n;
        if (!counted || d->begin == d->end) {
            kernelcopy_put(c, n);
        } else if (n == d->begin) {
            put_loop(x, d);
            n = d->end;
        } else if (n == e->compare) {
            isa_operand to_leave = kernelcopy_named(c, isa_dsts(c->k, &c->k->insts[n])[0]);
            kernelcopy_add(c, e->step > 1 ? ISA_le_s : ISA_le_u, ISA_I32, to_leave, d->number,
                           d->own);
        } else {
            kernelcopy_put(c, n);
        }
        uint32_t steps = e->counter.at > d->trips.leaves ? e->counter.at : d->trips.leaves;
        if (counted && d->begin < d->end && n == steps)
            kernelcopy_add(c, ISA_add, ISA_I32, d->own, d->own, kernelcopy_word(c, 1));
    }
}

static bool find_ranges(struct distances *x) {
    struct liveranges live;
    bool good = liveranges_find(&live, x->k, x->shape);
    if (good) memcpy(x->first, live.first, x->k->nregs * sizeof *x->first);
    if (good) memcpy(x->last, live.last, x->k->nregs * sizeof *x->last);
    free(live.first);
    free(live.last);
    free(live.zero);
    return good;
}

static uint32_t find_all(struct distances *x, const struct trace_pass *p) {
    struct isa_kernel const *k = x->k;
    uint32_t count = 0;
    bool nests = rewrite_nesting(k) + 4 < ISA_MAX_NESTING && k->ninsts <= MOST_KERNEL;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        struct distance *d = &x->of[x->l.loop_of[n]], found;
        if (d->begin < d->end || !find(x, n, &found) || (!found.trips.always && !nests)) continue;
        *d = found;
        trace_tell(p, &k->insts[n], "the loop ends by its number of iterations%s",
                   d->trips.always ? ""
                   : d->twice      ? ", where that is the same for all"
                                   : ", where it makes any");
        count++;
    }
    return count;
}

void opt_distance(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct distances x = {.k = k, .arena = arena};
    if (!loops_find(&x.l, k, arena)) return;
    x.of = ARENA_ARRAY(arena, struct distance, x.l.nloops + 1u);
    numbers_find(&x.numbers, k, NULL, arena);
    x.pointers = trips_pointers(k, arena);
    x.first = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    x.last = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    x.shape = shape_new(k, NULL);
    bool any = x.shape && find_ranges(&x) && find_all(&x, p);
    shape_free(x.shape);
    if (!any) return;
    kernelcopy_take(&x.copy, k, arena);
    put_range(&x, 0, x.copy.k->ninsts, true);
}
