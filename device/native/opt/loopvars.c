/* What the iterations of a loop do to registers. */
#include "device/native/opt/rewrites.h"

uint32_t loopvars_writer(const struct isa_kernel *k, uint32_t begin, isa_operand reg) {
    uint32_t found = begin, end = k->insts[begin].match;
    for (uint32_t n = begin + 1; n < end; n++)
        for (unsigned d = 0; d < k->insts[n].ndst; d++)
            if (isa_dsts(k, &k->insts[n])[d] == reg) found = found == begin ? n : end;
    return found;
}

bool loopvars_invariant(const struct isa_kernel *k, uint32_t begin, isa_operand o) {
    return !isa_is_reg(o) || loopvars_writer(k, begin, o) == begin;
}
