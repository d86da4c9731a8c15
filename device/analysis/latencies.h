/* How long operations wait for their operands, if any number of them begins at once. */
#ifndef SIMTCL_LATENCIES_H
#define SIMTCL_LATENCIES_H

#include "device/isa/isa.h"

/* Of an iteration of a loop: clocks from its first operation to its last; to the next one's. */
struct latencies {
    uint32_t path, chain;
};
/* Of the instructions [begin, end), done again and again. clocks: of one of them, from its operands
 * to its result. ready: of each register that is waited for 0, UINT32_MAX of the others; it is
 * written. */
struct latencies latencies_of(const struct isa_kernel *k, uint32_t begin, uint32_t end,
                              uint32_t (*clocks)(const void *, const struct isa_inst *),
                              const void *context, uint32_t *ready);

#endif
