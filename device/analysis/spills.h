/* What does not stay in registers: vectors that a loop moves between registers and memory, if the
 * registers hold those that it used last. */
#ifndef SIMTCL_SPILLS_H
#define SIMTCL_SPILLS_H

#include "liveranges.h"

/* The registers: so many for vectors; and how many of them one of 32 bits, of all lanes that are
 * computed with at once, takes. */
struct spills_registers {
    uint32_t count, each;
};

/* Registers that are loaded and stored in an iteration of the loop [begin, end]; a store counts for
 * two loads, as CPUs begin half as many. */
uint64_t spills_of(const struct isa_kernel *k, const struct shape *shape,
                   const struct liveranges *live, struct spills_registers r, uint32_t begin,
                   uint32_t end);

#endif
