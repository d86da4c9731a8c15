#include "evenloops.h"

#include <stdlib.h>

#include "warpregions.h"

enum { MOST_LEAF = 64 };

struct loop_finder {
    const struct isa_kernel *k;
    const struct shape *shape;
    const struct loops *loops;
};

static bool plain(const struct isa_inst *i) {
    uint32_t flags = isa_op_info[i->op].flags;
    if (i->op == ISA_ld || i->op == ISA_st) return !isa_is_watched(i);
    if (flags & ISA_OP_PROBE) return true;
    return flags & ISA_OP_PURE && !(flags & ISA_OP_MATH);
}

/* Global memory in which a warp's lanes lie at even distances; side by side. */
static bool in_step(const struct loop_finder *f, const struct isa_inst *i) {
    if ((i->op != ISA_ld && i->op != ISA_st) || i->space != ISA_GLOBAL) return false;
    isa_operand at = isa_srcs(f->k, i)[0];
    return isa_is_reg(at) && !shape_is_uniform(f->shape, at) &&
           f->shape->regs[at].span != SHAPE_VARYING;
}
static bool in_row(const struct loop_finder *f, const struct isa_inst *i) {
    if (!in_step(f, i)) return false;
    struct shape_value at = f->shape->regs[isa_srcs(f->k, i)[0]];
    return at.span >= SHAPE_HALF_WARP && at.stride == (int32_t)isa_bytes(i);
}

/* The last of the places where lanes leave the loop, from the first one on: nothing is stored
 * before it. */
static uint32_t last_of(const struct isa_kernel *k, uint32_t test, uint32_t end) {
    uint32_t last = test;
    for (uint32_t n = test + 1; n < end; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (i->op == ISA_breakif && !i->imm)
            last = n;
        else if (!plain(i) || i->op == ISA_st)
            break;
    }
    return last;
}

/* What is done before lanes may leave can be done again: it stores nothing, and what probes tell
 * later nothing of it changes. */
static bool repeatable(const struct isa_kernel *k, uint32_t begin, uint32_t last) {
    for (uint32_t n = begin; n < last; n++) {
        if (k->insts[n].op == ISA_breakif) continue;
        if (!plain(&k->insts[n]) || k->insts[n].op == ISA_st) return false;
        for (uint32_t before = begin; before <= n && k->probed; before++)
            for (unsigned s = 0; s < k->insts[before].nsrc; s++)
                for (unsigned d = 0; d < k->insts[n].ndst; d++)
                    if (isa_srcs(k, &k->insts[before])[s] == isa_dsts(k, &k->insts[n])[d])
                        return false;
    }
    return true;
}

/* Lanes leave the loop by a comparison of what lies at even distances from lane to lane: they make
 * the same number of iterations, or nearly so. */
static bool even(const struct loop_finder *f, uint32_t begin, uint32_t test) {
    isa_operand condition = isa_srcs(f->k, &f->k->insts[test])[0];
    uint32_t n = loops_written(f->loops, condition, loops_at(f->loops, begin), test);
    if (n == LOOPS_NONE) return false;
    const struct isa_inst *i = &f->k->insts[n];
    for (unsigned s = 0; s < i->nsrc; s++)
        if (shape_operand(f->shape, f->k, isa_srcs(f->k, i)[s]).span == SHAPE_VARYING) return false;
    return true;
}

/* Finds where lanes leave the loop. It may have several such places if it is no more than that. */
static void look_at(struct evenloops *x, const struct loop_finder *f, uint32_t begin) {
    const struct isa_kernel *k = f->k;
    uint32_t test = begin + 1, end = k->insts[begin].match, last;
    bool rows = false, steps = false, leaf = end - begin <= MOST_LEAF;
    while (test < end && k->insts[test].op != ISA_breakif) test++;
    if (test == end || k->insts[test].imm) return;
    last = last_of(k, test, end);
    if (!repeatable(k, begin + 1, last) || !warpregions_closed(k, last + 1, end)) return;
    for (uint32_t n = begin + 1; n < end; n++) {
        rows |= in_row(f, &k->insts[n]);
        steps |= in_step(f, &k->insts[n]);
        leaf &= (n >= test && n <= last && k->insts[n].op == ISA_breakif) || plain(&k->insts[n]);
    }
    x->leaf[begin] = leaf;
    if (leaf ? !rows && last == test : !steps || !even(f, begin, test)) return;
    x->test[begin] = test;
    x->last[begin] = last;
}

bool evenloops_find(struct evenloops *x, const struct isa_kernel *k, const struct shape *shape,
                    const struct loops *loops, const uint8_t *per_warp, uint32_t longest) {
    struct loop_finder f = {k, shape, loops};
    x->test = calloc(k->ninsts + 1ull, sizeof *x->test);
    x->last = calloc(k->ninsts + 1ull, sizeof *x->last);
    x->leaf = calloc(k->ninsts + 1ull, sizeof *x->leaf);
    if (!x->test || !x->last || !x->leaf) return false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (i->op == ISA_loop && per_warp[n] && i->match - n <= longest) look_at(x, &f, n);
    }
    return true;
}

bool evenloops_any(const struct evenloops *x, const struct isa_kernel *k, const uint8_t *seldom) {
    bool any = false;
    for (uint32_t n = 0; n < k->ninsts; n++)
        any |= x->test[n] && x->test[n] == x->last[n] && !seldom[n];
    return any;
}
