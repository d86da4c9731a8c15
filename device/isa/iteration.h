/* Registers as one iteration of a loop reads and writes them, whichever way a lane takes through
 * it. Private to passes and rewrites. */
#ifndef SIMTCL_ITERATION_H
#define SIMTCL_ITERATION_H

#include "arena.h"
#include "isa.h"

enum iteration_use {                       /* as bits */
                     ITERATION_READS = 1,  /* it may read the register before it writes it; */
                     ITERATION_WRITES = 2, /* it writes it, */
                     ITERATION_ALWAYS = 4  /* and has done so where the next one begins */
};

/* Says so of each register, of the loop that begins there. skip: instructions that are not there,
 * not 0; NULL: all are. */
void iteration_find(const struct isa_kernel *k, uint32_t begin, const uint8_t *skip,
                    struct arena *arena, uint8_t *uses);

#endif
