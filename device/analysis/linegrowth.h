/* How far what is stored lies apart: from one iteration of a loop to the next, at the same place in
 * the loops that are in it, or from one work-item to the next. */
#ifndef SIMTCL_LINEGROWTH_H
#define SIMTCL_LINEGROWTH_H

#include "device/isa/loops.h"

struct linegrowth {
    bool known;
    uint32_t by;        /* bytes, times: */
    isa_operand factor; /* a register that is the same meanwhile; ISA_NO_OPERAND: 1 */
};

/* Of all stores in the loop, the most; those of work-items in dimension 0 for loop 0: then it is
 * the least. Not known: there are none, or they are by different factors. */
struct linegrowth linegrowth_of(const struct isa_kernel *k, const struct loops *l, uint32_t loop,
                                struct arena *arena);

#endif
