/* Loads of rows, once for each work-item, of launches that write little beside: they wait for
 * memory, of which CPUs foresee some lines only. */
#ifndef SIMTCL_ROWLOADS_H
#define SIMTCL_ROWLOADS_H

#include "device/isa/loops.h"
#include "shape.h"

/* Marks those of which what other groups soon load lies behind, among the instructions: one of
 * those that load from the same lines. malloc'ed; NULL: no memory. */
uint8_t *rowloads_new(const struct isa_kernel *k, const struct shape *shape,
                      const struct loops *loops);

#endif
