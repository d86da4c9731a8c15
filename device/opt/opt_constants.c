/* What a loop writes to a register that is there already: it starts as a constant, and whatever the
 * loop makes of it is that constant again. So is a sum to which 0 is added in each iteration, where
 * a guard that the loop was asked by does not hold. */
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

struct constants {
    struct isa_kernel *k;
    struct loops l;
    uint32_t *in; /* of each register: the loop in which it is a constant, or 0; */
    isa_operand *is;
    uint8_t *gone; /* of each instruction */
};

/* The constant that an operand is in the loop, or it itself. */
static isa_operand value(const struct constants *x, isa_operand o, uint32_t loop) {
    return isa_is_reg(o) && x->in[o] == loop ? x->is[o] : o;
}

/* What the instruction of the loop makes, if that is a constant; or ISA_NO_OPERAND. */
static isa_operand result(const struct constants *x, const struct isa_inst *i, uint32_t loop) {
    struct isa_const src[3];
    uint64_t bits;
    if (!(isa_op_info[i->op].flags & ISA_OP_PURE) || i->ndst != 1 || i->nsrc > 3 || !i->nsrc)
        return ISA_NO_OPERAND;
    for (unsigned s = 0; s < i->nsrc; s++) {
        isa_operand o = value(x, isa_srcs(x->k, i)[s], loop);
        if (!isa_is_const(o)) return ISA_NO_OPERAND;
        if (i->op == ISA_mov) return o;
        src[s] = x->k->consts[isa_const_index(o)];
    }
    if (!isa_fold((enum isa_op)i->op, (enum isa_type)i->type, (enum isa_type)i->type2, i->mod, src,
                  i->nsrc, false, &bits))
        return ISA_NO_OPERAND;
    return isa_const_new(x->k, (enum isa_type)x->k->reg_types[isa_dsts(x->k, i)[0]], bits);
}

static bool is_same(const struct isa_kernel *k, isa_operand a, isa_operand b) {
    return isa_is_const(a) && isa_is_const(b) &&
           k->consts[isa_const_index(a)].bits == k->consts[isa_const_index(b)].bits;
}

/* Registers of the loop that start as constants. */
static bool begin(struct constants *x, uint32_t loop) {
    const struct loop *l = &x->l.loops[loop];
    bool any = false;
    for (uint32_t n = l->begin + 1; n < l->end; n++) {
        const struct isa_inst *i = &x->k->insts[n];
        for (unsigned d = 0; d < i->ndst; d++) {
            isa_operand reg = isa_dsts(x->k, i)[d];
            if (x->in[reg] == loop || x->l.ordered[reg]) continue;
            uint32_t at = loops_start_outside(x->k, l->begin, reg);
            const struct isa_inst *first = at ? &x->k->insts[at - 1] : NULL;
            if (!first || first->op != ISA_mov || !isa_is_const(isa_srcs(x->k, first)[0])) continue;
            x->in[reg] = loop;
            x->is[reg] = isa_srcs(x->k, first)[0];
            any = true;
        }
    }
    return any;
}

/* Takes out those that do not stay what they start as; returns whether there were any. What is
 * written once, before it is read, is what is written then. */
static bool take_out(struct constants *x, uint32_t loop) {
    const struct loop *l = &x->l.loops[loop];
    bool changed = false;
    for (uint32_t n = l->begin + 1; n < l->end; n++) {
        const struct isa_inst *i = &x->k->insts[n];
        for (unsigned d = 0; d < i->ndst; d++) {
            isa_operand reg = isa_dsts(x->k, i)[d];
            isa_operand is =
                x->in[reg] == loop || x->l.ordered[reg] ? result(x, i, loop) : ISA_NO_OPERAND;
            if (x->l.ordered[reg]) {
                x->in[reg] = is == ISA_NO_OPERAND ? 0 : loop;
                x->is[reg] = is;
            } else if (x->in[reg] == loop && !is_same(x->k, x->is[reg], is)) {
                x->in[reg] = 0;
                changed = true;
            }
        }
    }
    return changed;
}

/* Marks what writes the others. */
static uint32_t mark(struct constants *x, uint32_t loop) {
    const struct loop *l = &x->l.loops[loop];
    uint32_t found = 0;
    for (uint32_t n = l->begin + 1; n < l->end; n++) {
        const struct isa_inst *i = &x->k->insts[n];
        isa_operand reg = i->ndst == 1 ? isa_dsts(x->k, i)[0] : ISA_NO_OPERAND;
        bool is = isa_is_reg(reg) && x->in[reg] == loop && !x->l.ordered[reg] && !i->site;
        found += is && !x->gone[n];
        x->gone[n] |= is;
    }
    return found;
}

static void rewrite(struct constants *x, struct arena *arena) {
    struct isa_kernel *k = x->k;
    struct rewrite_code old = rewrite_take(k, arena);
    for (uint32_t n = 0; n < old.ninsts && !isa_kernel_failed(k); n++)
        if (!x->gone[n]) rewrite_keep(k, &old, n);
    if (isa_kernel_failed(k)) return;
    rewrite_match(k);
    rewrite_unread(k, arena, x->l.reads);
}

void opt_constants(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct constants x = {.k = k};
    uint32_t found = 0;
    if (!loops_find(&x.l, k, arena)) return;
    x.in = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    x.is = ARENA_ARRAY(arena, isa_operand, k->nregs + 1u);
    x.gone = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    for (uint32_t loop = 1; loop <= x.l.nloops; loop++) {
        if (!begin(&x, loop)) continue;
        while (take_out(&x, loop)) continue;
        found += mark(&x, loop);
    }
    if (!found) return;
    trace_tell(p, NULL, "%u instructions write what is there already", found);
    rewrite(&x, arena);
}
