/* Whatever way an iteration takes, what it leaves in the register is what it has found there joined
 * with what does not hang on that: all that it makes of the register joins it with something,
 * copies it, or chooses among what is so made. */
#include "reduction.h"

#include <string.h>

#include "device/isa/iteration.h"

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
struct reduction {
    const struct isa_kernel *k;
    uint32_t begin; /* the loop */
    isa_operand reg;
    const uint8_t *uses;
    uint8_t *is;
    enum isa_op op; /* ISA_OP_COUNT: it has joined nothing yet */
    bool wider;     /* in registers of more bits, of which the low ones are wanted */
};

static bool is_made(const struct reduction *m, isa_operand o) { return isa_is_reg(o) && m->is[o]; }

/* To what has no fewer bits than the register. */
static bool converts(const struct reduction *m, const struct isa_inst *i) {
    return (i->op == ISA_zext || i->op == ISA_sext || i->op == ISA_trunc) &&
           isa_type_size[i->type] >= isa_type_size[isa_operand_type(m->k, m->reg)];
}

/* The low bits of what it makes do not hang on higher ones. */
static bool is_low(enum isa_op op) {
    return op == ISA_add || op == ISA_and || op == ISA_or || op == ISA_xor;
}

/* Is what instruction n makes of it that? *grows: nobody knew. */
static bool note(struct reduction *m, uint32_t n, bool *grows) {
    const struct isa_inst *i = &m->k->insts[n];
    const isa_operand *src = isa_srcs(m->k, i);
    unsigned from = 0;
    for (unsigned s = 0; s < i->nsrc; s++) from += is_made(m, src[s]);
    if (!from) return true;
    enum isa_op op = from == 1 ? joins(i, is_made(m, src[0])) : ISA_OP_COUNT;
    bool chooses = i->op == ISA_select && from == 2 && !is_made(m, src[0]);
    if (op != ISA_OP_COUNT) {
        if (m->op != ISA_OP_COUNT && m->op != op) return false;
        m->op = op;
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
static bool is_closed(const struct reduction *m) {
    for (uint32_t n = m->begin + 1; n < m->k->insts[m->begin].match; n++) {
        const struct isa_inst *i = &m->k->insts[n];
        bool reads = false;
        for (unsigned s = 0; s < i->nsrc; s++) reads |= is_made(m, isa_srcs(m->k, i)[s]);
        for (unsigned d = 0; d < i->ndst; d++) {
            isa_operand to = isa_dsts(m->k, i)[d];
            if (!m->is[to]) continue;
            if (!reads || (to != m->reg && m->uses[to] & ITERATION_READS)) return false;
        }
    }
    return true;
}

enum isa_op reduction_of(const struct isa_kernel *k, uint32_t begin, isa_operand reg,
                         const uint8_t *uses, uint8_t *is) {
    struct reduction m = {k, begin, reg, uses, is, ISA_OP_COUNT, false};
    if (!isa_is_integer(isa_operand_type(k, reg))) return ISA_OP_COUNT;
    memset(is, 0, k->nregs * sizeof *is);
    is[reg] = 1;
    for (bool grows = true; grows;) {
        grows = false;
        for (uint32_t n = begin + 1; n < k->insts[begin].match; n++)
            if (!note(&m, n, &grows)) return ISA_OP_COUNT;
    }
    if (m.wider && !is_low(m.op)) return ISA_OP_COUNT;
    return is_closed(&m) ? m.op : ISA_OP_COUNT;
}
