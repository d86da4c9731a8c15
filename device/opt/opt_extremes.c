/* Registers that become what they are compared with where that is greater, or less, are the
 * maximum, or minimum, of both: `if (a[k] > most) most = a[k]`, of integers. So passes that follow
 * see what a loop joins into them in any order (device/analysis/reduction.h). */
#include "device/isa/compare.h"
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

/* What instruction n makes of the two operands of the comparison *by, which are at `n` what they
 * were there; ISA_OP_COUNT: neither the one nor the other. */
static enum isa_op extreme_of(const struct isa_kernel *k, const struct loops *l, uint32_t n,
                              const struct isa_inst **by) {
    const struct isa_inst *i = &k->insts[n];
    const isa_operand *src = isa_srcs(k, i);
    if (i->op != ISA_select || !isa_is_integer(i->type)) return ISA_OP_COUNT;
    const struct isa_inst *c = *by = loops_definition(l, k, src[0]);
    if (!c || c > i || !compare_is_order(c->op) || c->type2 != i->type) return ISA_OP_COUNT;
    const isa_operand *of = isa_srcs(k, c), to = isa_dsts(k, i)[0];
    bool greater = src[1] == of[1] && src[2] == of[0];
    if (!greater && (src[1] != of[0] || src[2] != of[1])) return ISA_OP_COUNT;
    if (to != of[0] && to != of[1]) return ISA_OP_COUNT;
    for (unsigned s = 0; s < 2; s++)
        if (isa_is_reg(of[s]) && !loops_keep(k, of[s], (uint32_t)(c - k->insts) + 1, n))
            return ISA_OP_COUNT;
    if (compare_is_signed(c->op)) return greater ? ISA_max_s : ISA_min_s;
    return greater ? ISA_max_u : ISA_min_u;
}

void opt_extremes(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct loops l = {0};
    uint32_t *reads = NULL, found = 0;
    loops_find(&l, k, arena);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *by;
        enum isa_op op = extreme_of(k, &l, n, &by);
        if (op == ISA_OP_COUNT) continue;
        if (!found++) reads = rewrite_reads(k, arena);
        struct isa_inst *i = &k->insts[n];
        isa_operand *src = isa_srcs(k, i);
        src[0] = isa_srcs(k, by)[0];
        src[1] = isa_srcs(k, by)[1];
        i->op = (uint16_t)op;
        i->nsrc = 2;
    }
    if (!found) return;
    rewrite_unread(k, arena, reads);
    trace_tell(p, NULL, "%u registers are the least or the greatest", found);
}
