/* Accesses of lanes that lie apart, while what one lane moves in one row of the work-group lies
 * beside what it moves in the next, as where a matrix is transposed: over the warps of a group they
 * may be columns. Whether they are only a launch tells. */
#ifndef SIMTCL_COLUMNS_H
#define SIMTCL_COLUMNS_H

#include "neighbours.h"
#include "shape.h"

/* Which loads and stores may be, in groups of that size, whose rows are warps or half-warps: of
 * each instruction 0 or 1, malloc'ed. NULL: no memory. */
uint8_t *columns_find(const struct isa_kernel *k, const struct shape *shape,
                      const struct neighbours *near, const uint32_t size[3]);

/* For a log: why those of instruction n are none, over as many warps as there are; NULL: no lanes
 * of it lie apart in global memory. */
const char *columns_refused(const struct isa_kernel *k, uint32_t n, const struct shape *shape,
                            const struct neighbours *near, const uint32_t size[3]);

/* An access to one word of memory that lanes share. */
static inline bool columns_word(const struct isa_inst *i) {
    return i->count == 1 && isa_type_size[i->type] == 4 && i->space != ISA_PRIVATE &&
           i->space != ISA_PARAM;
}

#endif
