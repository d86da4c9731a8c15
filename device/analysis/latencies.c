#include "latencies.h"

/* How much later an iteration's results come than those of the one before is the same once that has
 * gone on for some; or changes from one to the next, where one hands its results to one further on.
 */
struct latencies latencies_of(const struct isa_kernel *k, uint32_t begin, uint32_t end,
                              uint32_t (*clocks)(const void *, const struct isa_inst *),
                              const void *context, uint32_t *ready) {
    enum { BEFORE = 4, TURNS = 4 };
    struct latencies found = {0};
    uint32_t last = 0, most = 0;
    for (unsigned turn = 0; turn < BEFORE + TURNS; turn++) {
        if (turn == BEFORE) last = most;
        for (uint32_t n = begin; n < end; n++) {
            const struct isa_inst *i = &k->insts[n];
            uint32_t at = 0;
            for (unsigned s = 0; s < i->nsrc; s++) {
                isa_operand o = isa_srcs(k, i)[s];
                if (isa_is_reg(o) && ready[o] != UINT32_MAX && ready[o] > at) at = ready[o];
            }
            at += clocks(context, i);
            for (unsigned d = 0; d < i->ndst; d++) {
                uint32_t *to = &ready[isa_dsts(k, i)[d]];
                if (*to != UINT32_MAX) *to = at;
            }
            if (at > most) most = at;
        }
        if (!turn) found.path = most;
    }
    found.chain = (most - last) / TURNS;
    return found;
}
