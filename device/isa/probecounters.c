#include "probes.h"

/* Behind the last counter of the instruction; 0: it has none. */
static uint32_t counters_behind(const struct isa_kernel *k, const struct isa_inst *i) {
    if (i->op == ISA_probe_count) return (uint32_t)i->imm + (uint32_t)__builtin_popcount(i->mod);
    bool one = i->op == ISA_probe_bins && isa_probe_constant(k, i, ISA_BINS_COUNT) == 1 &&
               isa_probe_constant(k, i, ISA_BINS_LANES) <= 1;
    return one ? (uint32_t)i->imm + 1 : 0;
}

uint32_t isa_probe_counters(const struct isa_kernel *k) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        uint32_t behind = counters_behind(k, &k->insts[n]);
        if (behind > count) count = behind;
    }
    return count;
}
