/* Loops that go along an array to its end,
 *
 *     for (p = row, end = row + n; p != end; p++) ...
 *
 * Where each work-item has a row of its own, all of them go on as often, but by the pointers that
 * is not seen. Such a loop counts how far it has come, and ends by that. */
#include "device/analysis/numbers.h"
#include "device/analysis/shape.h"
#include "device/isa/kernelcopy.h"
#include "device/isa/loops.h"
#include "opt_pass.h"

/* How a loop ends. */
struct distance_exit {
    uint32_t begin, compare; /* instructions: the loop, what is compared; */
    struct loop_counter counter;
    uint32_t step;   /* of it, each time; */
    isa_operand far; /* from where it starts to where it ends */
    isa_operand own; /* counts from 0 to there */
};

struct distances {
    const struct isa_kernel *k;
    struct loops l;
    struct numbers values;
    struct distance_exit *exits;
    uint32_t count;
};

/* What an operand is before it was copied, where nothing else is written to either. */
static isa_operand uncopied(const struct distances *x, isa_operand o) {
    const struct isa_inst *i;
    while ((i = loops_definition(&x->l, x->k, o)) && i->op == ISA_mov &&
           isa_is_reg(isa_srcs(x->k, i)[0]) && x->l.ordered[isa_srcs(x->k, i)[0]])
        o = isa_srcs(x->k, i)[0];
    return o;
}

/* Is the operand, as instruction `at` before the loop reads it, where the counter starts? */
static bool is_start(const struct distances *x, const struct distance_exit *e, isa_operand o,
                     uint32_t at) {
    uint32_t start = loops_start(x->k, e->begin, e->counter.reg);
    if (!start) return false;
    if (o == e->counter.reg) return at >= start;
    const struct isa_inst *i = &x->k->insts[start - 1];
    return i->op == ISA_mov && isa_is_reg(o) && x->l.ordered[o] &&
           uncopied(x, isa_srcs(x->k, i)[0]) == uncopied(x, o);
}

static bool is_ordered(const struct distances *x, isa_operand o) {
    return isa_is_const(o) || (isa_is_reg(o) && x->l.ordered[o]);
}

/* Does the loop end there by a comparison with where its counter starts, and a distance that has
 * whole steps? */
static bool find(const struct distances *x, uint32_t leaves, struct distance_exit *found) {
    const struct isa_kernel *k = x->k;
    struct loop_exit e;
    uint32_t loop = x->l.loop_of[leaves];
    if (k->insts[leaves].op != ISA_breakif || !loop || !loops_exit(&x->l, k, leaves, &e))
        return false;
    *found = (struct distance_exit){.begin = x->l.loops[loop].begin,
                                    .compare = e.compare,
                                    .counter = e.counter,
                                    .step = e.step};
    if (k->insts[e.compare].op != ISA_eq || e.off || e.down || e.step & (e.step - 1)) return false;
    if (e.compare > e.counter.sum || x->l.nested[leaves]) return false;
    const struct isa_inst *end = loops_definition(&x->l, k, uncopied(x, e.bound));
    if (!end || end->op != ISA_add || end->type != ISA_I32) return false;
    uint32_t at = (uint32_t)(end - k->insts);
    for (unsigned s = 0; s < 2 && at < found->begin; s++) {
        found->far = isa_srcs(k, end)[!s];
        if (is_start(x, found, isa_srcs(k, end)[s], at) && is_ordered(x, found->far) &&
            numbers_zeros(&x->values, k, found->far) >= (unsigned)__builtin_ctz(e.step))
            return true;
    }
    return false;
}

static void put(const struct distances *x, struct kernelcopy *c, uint32_t n) {
    struct distance_exit *e = x->exits, *end = e + x->count;
    c->at = n;
    for (; e < end; e++)
        if (e->begin == n)
            kernelcopy_move(c, e->own = isa_reg_new(c->out, ISA_I32), kernelcopy_word(c, 0));
    for (e = x->exits; e < end && e->compare != n; e++) {
    }
    if (e < end)
        kernelcopy_add(c, ISA_le_u, ISA_I32, isa_dsts(c->k, &c->k->insts[n])[0], e->far, e->own);
    else
        kernelcopy_put(c, n);
    for (e = x->exits; e < end; e++)
        if (e->counter.at == n)
            kernelcopy_add(c, ISA_add, ISA_I32, e->own, e->own, kernelcopy_word(c, e->step));
}

/* All lanes may go on as often, and by the counters that is not seen. */
static bool is_worth(const struct shape *shape, const struct isa_kernel *k,
                     const struct distance_exit *e) {
    return shape_operand(shape, k, e->far).span >= SHAPE_WARP &&
           !shape_operand(shape, k, e->far).stride && !shape_is_uniform(shape, e->counter.reg);
}

void opt_distance(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct distances x = {.k = k,
                          .exits = ARENA_ARRAY(arena, struct distance_exit, k->ninsts + 1u)};
    struct distance_exit *e = x.exits;
    if (!loops_find(&x.l, k, arena)) return;
    numbers_find(&x.values, k, NULL, arena);
    for (uint32_t n = 0; n < k->ninsts; n++) x.count += find(&x, n, &e[x.count]);
    struct shape *shape = x.count ? shape_new(k, NULL) : NULL;
    uint32_t left = 0;
    for (uint32_t n = 0; n < x.count && shape; n++)
        if (is_worth(shape, k, &e[n])) e[left++] = e[n];
    x.count = left;
    shape_free(shape);
    for (uint32_t n = 0; n < x.count; n++)
        trace_tell(p, &k->insts[e[n].compare], "the loop ends by how far it has come");
    if (!x.count) return;
    struct kernelcopy c;
    kernelcopy_take(&c, k, arena);
    x.k = c.k;
    for (uint32_t n = 0; n < c.k->ninsts && !c.failed; n++) put(&x, &c, n);
}
