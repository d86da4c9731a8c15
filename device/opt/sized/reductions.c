/* Reductions: what a loop joins element by element into a register of the lane's own, by an
 * operation of integers whose order does not show. Lanes that go along a row side by side join each
 * what they come by, and then what they have, into the register of the lane whose row it is.
 *
 * Whatever way an iteration takes, what it leaves there is what it has found there joined with what
 * does not hang on that: all that it makes of the register joins it with something, copies it, or
 * chooses among what is so made. */
#include "dealer.h"

#include <string.h>

#include "device/isa/iteration.h"

/* ---- which registers ---- */

/* The operation that instruction `i` joins what is made of the register with something by, or
 * ISA_OP_COUNT. */
static enum isa_op joins(const struct isa_inst *i, bool first) {
    switch (i->op) {
    case ISA_sub: return first ? ISA_add : ISA_OP_COUNT;
    case ISA_add:
    case ISA_and:
    case ISA_or:
    case ISA_xor:
    case ISA_min_s:
    case ISA_min_u:
    case ISA_max_s:
    case ISA_max_u: return (enum isa_op)i->op;
    default: return ISA_OP_COUNT;
    }
}

/* What is made of the register: of each register whether it is that. */
struct reduction_chain {
    const struct isa_kernel *k;
    uint8_t *is;
    struct run_reduction *r;
    bool wider; /* in registers of more bits, of which the low ones are wanted */
};

static bool is_made(const struct reduction_chain *m, isa_operand o) {
    return isa_is_reg(o) && m->is[o];
}

/* To what has no fewer bits than the register. */
static bool converts(const struct reduction_chain *m, const struct isa_inst *i) {
    return (i->op == ISA_zext || i->op == ISA_sext || i->op == ISA_trunc) &&
           isa_type_size[i->type] >= isa_type_size[isa_operand_type(m->k, m->r->reg)];
}

/* The low bits of what it makes do not hang on higher ones. */
static bool is_low(enum isa_op op) {
    return op == ISA_add || op == ISA_and || op == ISA_or || op == ISA_xor;
}

/* Is what instruction n makes of it that? *grows: nobody knew. */
static bool note(struct reduction_chain *m, uint32_t n, bool *grows) {
    const struct isa_inst *i = &m->k->insts[n];
    const isa_operand *src = isa_srcs(m->k, i);
    unsigned from = 0;
    for (unsigned s = 0; s < i->nsrc; s++) from += is_made(m, src[s]);
    if (!from) return true;
    enum isa_op op = from == 1 ? joins(i, is_made(m, src[0])) : ISA_OP_COUNT;
    bool chooses = i->op == ISA_select && from == 2 && !is_made(m, src[0]);
    if (op != ISA_OP_COUNT) {
        if (m->r->op != ISA_OP_COUNT && m->r->op != op) return false;
        m->r->op = op;
    } else if (converts(m, i)) {
        m->wider = true;
    } else if (i->op != ISA_mov && !chooses) {
        return false;
    }
    isa_operand to = isa_dsts(m->k, i)[0];
    *grows |= !m->is[to];
    m->is[to] = 1;
    return true;
}

/* All that writes what is made of the register makes that of it; and what it makes is carried from
 * one iteration to the next by the register alone. */
static bool is_closed(const struct runs_finder *f, const struct run_loop *l,
                      const struct reduction_chain *m) {
    for (uint32_t n = l->begin + 1; n < f->k->insts[l->begin].match; n++) {
        const struct isa_inst *i = &f->k->insts[n];
        bool reads = false;
        for (unsigned s = 0; s < i->nsrc; s++) reads |= is_made(m, isa_srcs(f->k, i)[s]);
        for (unsigned d = 0; d < i->ndst; d++) {
            isa_operand to = isa_dsts(f->k, i)[d];
            if (!m->is[to]) continue;
            if (!reads || (to != m->r->reg && f->uses[to] & ITERATION_READS)) return false;
        }
    }
    return true;
}

static bool is_reduction(const struct runs_finder *f, const struct run_loop *l,
                         struct run_reduction *r) {
    struct reduction_chain m = {.k = f->k, .is = f->counted, .r = r};
    if (!isa_is_integer(isa_operand_type(f->k, r->reg))) return false;
    memset(m.is, 0, f->k->nregs * sizeof *m.is);
    m.is[r->reg] = 1;
    for (bool grows = true; grows;) {
        grows = false;
        for (uint32_t n = l->begin + 1; n < f->k->insts[l->begin].match; n++)
            if (!note(&m, n, &grows)) return false;
    }
    if (r->op == ISA_OP_COUNT || (m.wider && !is_low(r->op))) return false;
    return is_closed(f, l, &m);
}

void reductions_find(struct runs_finder *f, struct run_loop *l) {
    const struct isa_kernel *k = f->k;
    iteration_find(k, l->begin, NULL, f->arena, f->uses);
    for (isa_operand reg = 0; reg < k->nregs && l->nreductions < RUNS_REDUCTIONS; reg++) {
        struct run_reduction r = {.reg = reg, .op = ISA_OP_COUNT};
        bool carried = f->uses[reg] & ITERATION_READS && f->uses[reg] & ITERATION_WRITES;
        if (carried && !runs_counter(l, reg) && is_reduction(f, l, &r))
            l->reductions[l->nreductions++] = r;
    }
}

bool reductions_has(const struct run_loop *l, isa_operand reg) {
    for (unsigned n = 0; n < l->nreductions; n++)
        if (l->reductions[n].reg == reg) return true;
    return false;
}

bool reductions_again(const struct run_loop *l) {
    for (unsigned n = 0; n < l->nreductions; n++)
        if (l->reductions[n].op == ISA_add || l->reductions[n].op == ISA_xor) return false;
    return true;
}

/* ---- the version ---- */

/* What joined with anything is that. */
static isa_operand neutral(struct kernelcopy *c, enum isa_op op, enum isa_type type) {
    uint64_t top = (uint64_t)1 << (8 * isa_type_size[type] - 1);
    switch (op) {
    case ISA_and:
    case ISA_min_u: return kernelcopy_number(c, type, -1);
    case ISA_min_s: return kernelcopy_number(c, type, (int64_t)(top - 1));
    case ISA_max_s: return kernelcopy_number(c, type, (int64_t)top);
    default: return kernelcopy_number(c, type, 0);
    }
}

void reductions_begin(struct kernelcopy *c, const struct run_loop *l) {
    for (unsigned n = 0; n < l->nreductions; n++) {
        const struct run_reduction *r = &l->reductions[n];
        enum isa_type type = isa_operand_type(c->k, r->reg);
        kernelcopy_move(c, r->dealt, neutral(c, r->op, type));
    }
}

void reductions_keep(struct kernelcopy *c, const struct run_loop *l, isa_operand *kept) {
    for (unsigned n = 0; n < l->nreductions; n++) {
        enum isa_type type = isa_operand_type(c->k, l->reductions[n].reg);
        kept[n] = kernelcopy_result(c, ISA_mov, type, l->reductions[n].dealt, ISA_NO_OPERAND);
    }
}

void reductions_give_back(struct kernelcopy *c, const struct run_loop *l, const isa_operand *kept,
                          isa_operand is_again) {
    for (unsigned n = 0; n < l->nreductions; n++) {
        enum isa_type type = isa_operand_type(c->k, l->reductions[n].reg);
        isa_operand reg = l->reductions[n].dealt;
        kernelcopy_move(c, reg, kernelcopy_select(c, type, is_again, kept[n], reg));
    }
}

/* What all active lanes have, joined: by an operation to which 0 is nothing, of what it is done
 * with the same by. */
static isa_operand of_lanes(struct kernelcopy *c, enum isa_op op, enum isa_type type,
                            isa_operand o) {
    enum isa_op by = op == ISA_or    ? ISA_lane_or
                     : op == ISA_xor ? ISA_lane_xor
                     : op == ISA_add ? ISA_lane_add
                     : op == ISA_and ? ISA_lane_or
                                     : ISA_lane_umax;
    isa_operand turned = neutral(c, op, type);
    o = kernelcopy_result(c, ISA_xor, type, o, turned);
    o = kernelcopy_result(c, by, type, o, ISA_NO_OPERAND);
    return kernelcopy_result(c, ISA_xor, type, o, turned);
}

void reductions_end(struct kernelcopy *c, const struct run_loop *l, isa_operand is_mine) {
    for (unsigned n = 0; n < l->nreductions; n++) {
        const struct run_reduction *r = &l->reductions[n];
        enum isa_type type = isa_operand_type(c->k, r->reg);
        isa_operand all = of_lanes(c, r->op, type, r->dealt);
        all = kernelcopy_select(c, type, is_mine, all, neutral(c, r->op, type));
        kernelcopy_add(c, r->op, type, r->reg, r->reg, all);
    }
}
