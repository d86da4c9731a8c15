/* Stores that a later one of the same work-item overwrites before the value is read, as where a sum
 * is kept in memory: so it is where the buffer is reached by one parameter alone, as what comes
 * from other parameters is other memory then. */
#ifndef SIMTCL_OVERWRITTEN_H
#define SIMTCL_OVERWRITTEN_H

#include "device/isa/isa.h"

/* For each instruction the parameter, one of the first 32, in whose memory it is such a store, + 1;
 * 0: it is none. provenance: provenance_new's. malloc'ed; NULL: no memory. */
uint8_t *overwritten_find(const struct isa_kernel *k, const uint64_t *provenance);
/* Does a work-item store there, where instruction n stores to global memory, by another
 * instruction, too, as far as registers tell? */
bool overwritten_again(const struct isa_kernel *k, uint32_t n);

#endif
