/* How far a pointer has come,
 *
 *     for (p = row; p - row < n; p++) ... weights[p - row] ...
 *
 * where each work-item has a row of its own: all have come as far. What a counter is more than what
 * a loop does not change is a counter by itself; so is how many elements that are. */
#include <stdlib.h>

#include "device/isa/rewrite.h"
#include "opt_pass.h"
#include "trips.h"

/* A difference that is counted. */
struct counted_difference {
    uint32_t at, begin, step; /* instructions: that computes it; the loop; what steps the counter */
    isa_operand by;           /* what is added to it then */
    struct linear_sum far;    /* what it begins with, */
    isa_operand over;         /* divided by that, or, shifts, shifted; ISA_NO_OPERAND: not so */
    bool down, shifts;
    isa_operand own;
};

struct differences {
    struct isa_kernel *k;
    struct trips_finder f;
    struct loop_counters counters;
    struct counted_difference *of;
    uint32_t count;
};

/* What does instruction n add up to, where it is a difference of a counter and what its loop does
 * not change, and a group has one value of it? */
static bool find(const struct differences *x, uint32_t n, struct counted_difference *d,
                 bool *in_object) {
    const struct isa_kernel *k = x->k;
    const struct isa_inst *i = &k->insts[n];
    uint32_t loop = x->f.l->loop_of[n];
    if (i->op != ISA_sub || i->type != ISA_I32 || !loop) return false;
    const isa_operand *src = isa_srcs(k, i);
    const struct loop_counter *c = loops_counter(&x->counters, src[0], loop);
    if (!c || loops_varies(x->f.l, src[1], loop) || !x->f.l->each[c->at] ||
        shape_is_uniform(x->f.shape, isa_dsts(k, i)[0]))
        return false;
    *d = (struct counted_difference){.at = n,
                                     .begin = x->f.l->loops[loop].begin,
                                     .step = c->at,
                                     .by = c->step,
                                     .over = ISA_NO_OPERAND};
    return trips_apart(&x->f, loop, src[0], src[1], &d->far, in_object);
}

/* The same of what instruction n makes of such a difference: elements of an object that it counts
 * one by one. */
static bool find_elements(const struct differences *x, uint32_t n, struct counted_difference *d) {
    const struct isa_kernel *k = x->k;
    const struct isa_inst *i = &k->insts[n];
    uint32_t by, step, made;
    bool in_object;
    if ((i->op != ISA_shr_s && i->op != ISA_div_s) || i->type != ISA_I32) return false;
    const isa_operand *src = isa_srcs(k, i);
    made = loops_written(x->f.l, src[0], x->f.l->loop_of[n], n);
    if (made == LOOPS_NONE || !isa_constant(k, src[1], &by) || !find(x, made, d, &in_object) ||
        !in_object || !isa_constant(k, d->by, &step))
        return false;
    if (made < d->step && d->step < n) return false;
    d->shifts = i->op == ISA_shr_s;
    unsigned zeros = trips_zeros(&x->f, &d->far);
    if (d->shifts ? by > zeros || by > 30 : !by || by > INT32_MAX || d->far.terms || d->far.plus)
        return false;
    int32_t size = d->shifts ? 1 << by : (int32_t)by;
    if ((int32_t)step % size) return false;
    d->at = n;
    d->over = src[1];
    d->by = isa_const_new(x->k, ISA_I32, (uint32_t)((int32_t)step / size));
    return true;
}

static void put(struct differences *x, struct kernelcopy *c, uint32_t n) {
    struct counted_difference *end = x->of + x->count, *at = NULL;
    c->at = n;
    for (struct counted_difference *d = x->of; d < end; d++) {
        if (d->at == n) at = d;
        if (d->begin != n) continue;
        isa_operand first = trips_sum(c, &d->far);
        d->own = isa_reg_new(c->out, ISA_I32);
        if (d->over == ISA_NO_OPERAND)
            kernelcopy_move(c, d->own, first);
        else
            kernelcopy_add(c, d->shifts ? ISA_shr_s : ISA_div_s, ISA_I32, d->own, first, d->over);
    }
    if (at)
        kernelcopy_move(c, isa_dsts(c->k, &c->k->insts[n])[0], at->own);
    else
        kernelcopy_put(c, n);
    for (struct counted_difference *d = x->of; d < end; d++)
        if (d->step == n) kernelcopy_add(c, ISA_add, ISA_I32, d->own, d->own, d->by);
}

void opt_difference(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct differences x = {.k = k};
    struct loops l;
    struct numbers numbers;
    bool in_object;
    if (!loops_find(&l, k, arena)) return;
    numbers_find(&numbers, k, NULL, arena);
    loops_counters(&l, k, arena, &x.counters);
    x.of = ARENA_ARRAY(arena, struct counted_difference, k->ninsts + 1u);
    x.f = (struct trips_finder){k, &l, NULL, &numbers, trips_pointers(k, arena)};
    struct shape *shape = shape_new(k, NULL);
    x.f.shape = shape;
    for (uint32_t n = 0; shape && n < k->ninsts; n++) {
        struct counted_difference *d = &x.of[x.count];
        if (!find_elements(&x, n, d) && !find(&x, n, d, &in_object)) continue;
        trace_tell(p, &k->insts[n], "the difference is counted");
        x.count++;
    }
    shape_free(shape);
    if (!x.count) return;
    struct kernelcopy c;
    kernelcopy_take(&c, k, arena);
    for (uint32_t n = 0; n < c.k->ninsts && !c.failed; n++) put(&x, &c, n);
    rewrite_unread_since(k, arena, l.reads, c.k->nregs);
}
