#include "knowledge.h"

#include "device/isa/compare.h"

enum { DEEP = 8 /* operations that predicates are made of, one after the other */ };

void knowledge_note(struct knowledge *a, const struct isa_kernel *k, const struct loops *l,
                    isa_operand p, enum truth is) {
    const struct isa_inst *i = loops_definition(l, k, p);
    if (a->count == KNOWLEDGE_MOST || !isa_is_reg(p)) return;
    a->reg[a->count] = p;
    a->is[a->count++] = is;
    if (!i) return;
    const isa_operand *src = isa_srcs(k, i);
    if (i->op == ISA_mov) knowledge_note(a, k, l, src[0], is);
    if (i->op == ISA_not) knowledge_note(a, k, l, src[0], truth_opposite(is));
    if (i->op != (is == TRUE ? ISA_and : ISA_or)) return;
    for (unsigned s = 0; s < 2; s++) knowledge_note(a, k, l, src[s], is);
}

/* Do both compare the same? *turned: one holds where the other does not. */
static bool same_comparison(const struct isa_kernel *k, const struct loops *l,
                            const struct isa_inst *a, const struct isa_inst *b, bool *turned) {
    const isa_operand *p = isa_srcs(k, a), *q = isa_srcs(k, b);
    bool swapped;
    if (!compare_is_integer(a->op) || a->type2 != b->type2) return false;
    for (unsigned s = 0; s < 2; s++)
        if (!isa_is_const(p[s]) && !loops_definition(l, k, p[s])) return false;
    *turned = false;
    if (a->op == b->op && p[0] == q[0] && p[1] == q[1]) return true;
    *turned = compare_opposite(a->op, &swapped) == (enum isa_op)b->op;
    return *turned && p[0] == q[swapped] && p[1] == q[!swapped];
}

static enum truth told(const struct knowledge *a, const struct isa_kernel *k, const struct loops *l,
                       isa_operand p, unsigned left) {
    const struct isa_inst *i = loops_definition(l, k, p);
    bool turned;
    for (unsigned n = 0; n < a->count; n++)
        if (a->reg[n] == p) return a->is[n];
    if (!i || !left) return UNKNOWN;
    const isa_operand *src = isa_srcs(k, i);
    if (i->op == ISA_mov) return told(a, k, l, src[0], left - 1);
    if (i->op == ISA_not) return truth_opposite(told(a, k, l, src[0], left - 1));
    if (i->op == ISA_and || i->op == ISA_or) {
        enum truth one = truth_of(i->op == ISA_or), p0 = told(a, k, l, src[0], left - 1),
                   p1 = told(a, k, l, src[1], left - 1);
        return p0 == one || p1 == one ? one : p0 == p1 ? p0 : UNKNOWN;
    }
    for (unsigned n = 0; n < a->count; n++) {
        const struct isa_inst *of = loops_definition(l, k, a->reg[n]);
        if (of && same_comparison(k, l, of, i, &turned))
            return turned ? truth_opposite(a->is[n]) : a->is[n];
    }
    return UNKNOWN;
}

enum truth knowledge_tells(const struct knowledge *a, const struct isa_kernel *k,
                           const struct loops *l, isa_operand p) {
    return told(a, k, l, p, DEEP);
}
