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

/* What is done before lanes may leave can be done again: it stores nothing, and nothing of it reads
 * what it changes. */
static bool repeatable(const struct isa_kernel *k, uint32_t begin, uint32_t test) {
    for (uint32_t n = begin; n < test; n++) {
        if (!plain(&k->insts[n]) || k->insts[n].op == ISA_st) return false;
        for (uint32_t before = begin; before <= n; before++)
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

/* Where lanes leave the loop, if that is one place; 0: they do not, or the loop does not fit. */
static uint32_t test_of(const struct loop_finder *f, uint32_t begin, uint8_t *is_leaf) {
    const struct isa_kernel *k = f->k;
    uint32_t test = begin + 1, end = k->insts[begin].match;
    bool rows = false, steps = false, leaf = end - begin <= MOST_LEAF;
    while (test < end && k->insts[test].op != ISA_breakif) test++;
    if (test == end || k->insts[test].imm || !repeatable(k, begin + 1, test) ||
        !warpregions_closed(k, test + 1, end))
        return 0;
    for (uint32_t n = begin + 1; n < end; n++) {
        rows |= in_row(f, &k->insts[n]);
        steps |= in_step(f, &k->insts[n]);
        leaf &= n == test || plain(&k->insts[n]);
    }
    *is_leaf = leaf;
    return (leaf && rows) || (steps && even(f, begin, test)) ? test : 0;
}

bool evenloops_find(struct evenloops *x, const struct isa_kernel *k, const struct shape *shape,
                    const struct loops *loops, const uint8_t *per_warp, uint32_t longest) {
    struct loop_finder f = {k, shape, loops};
    x->test = calloc(k->ninsts + 1ull, sizeof *x->test);
    x->leaf = calloc(k->ninsts + 1ull, sizeof *x->leaf);
    if (!x->test || !x->leaf) return false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (i->op == ISA_loop && per_warp[n] && i->match - n <= longest)
            x->test[n] = test_of(&f, n, &x->leaf[n]);
    }
    return true;
}
