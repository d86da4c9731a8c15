/* Reductions (device/analysis/reduction.h): lanes that go along a row side by side join each what
 * they come by, and then what they have, into the register of the lane whose row it is. */
#include "dealer.h"
#include "device/analysis/reduction.h"
#include "device/isa/iteration.h"

/* ---- which registers ---- */

void reductions_find(struct runs_finder *f, struct run_loop *l) {
    const struct isa_kernel *k = f->k;
    iteration_find(k, l->begin, NULL, f->arena, f->uses);
    for (isa_operand reg = 0; reg < k->nregs && l->nreductions < RUNS_REDUCTIONS; reg++) {
        bool carried = f->uses[reg] & ITERATION_READS && f->uses[reg] & ITERATION_WRITES;
        if (!carried || runs_counter(l, reg)) continue;
        enum isa_op op = reduction_of(k, l->begin, reg, f->uses, f->counted);
        if (op != ISA_OP_COUNT)
            l->reductions[l->nreductions++] = (struct run_reduction){.reg = reg, .op = op};
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
