/* What is for launches in which a buffer is another argument's, too: the other part of a test that
 * host passes and rewrites make of `special alone`. It seldom runs, so that no decision hangs on
 * it, and what would be left out where a buffer is alone is not. */
#include <stdlib.h>

#include "device/native/opt/rewrites.h"

bool seldom_plan(struct plan *plan) {
    const struct isa_kernel *k = plan->k;
    uint8_t *of = plan->seldom.of = plan_of_instructions(plan, 1);
    uint8_t *asks = of ? plan_of_registers(plan, 1) : NULL;
    if (!asks) return false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        const isa_operand *src = isa_srcs(k, i);
        bool asked = i->op == ISA_special && i->imm == ISA_SPECIAL_alone;
        if (i->op == ISA_and || i->op == ISA_eq)
            for (unsigned s = 0; s < i->nsrc; s++) asked |= isa_is_reg(src[s]) && asks[src[s]];
        if (asked) asks[isa_dsts(k, i)[0]] = 1;
        if (i->op != ISA_if || !isa_is_reg(src[0]) || !asks[src[0]]) continue;
        uint32_t end = plan_region_end(k, n);
        for (uint32_t in = i->match; in < end; in++) of[in] = 1;
    }
    free(asks);
    return true;
}
