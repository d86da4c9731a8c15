/* Provenance: the buffers that a kernel was given and that an address may lie in. */
#ifndef SIMTCL_PROVENANCE_H
#define SIMTCL_PROVENANCE_H

#include "device/isa/isa.h"

/* For each register the parameters that its value comes from, as bits: parameter p is bit p % 64;
 * 0: none that is known. The module's own constant data are one more. malloc'ed; NULL: no memory.
 */
uint64_t *provenance_new(const struct isa_kernel *k);
/* The same of arrays in local memory, declared or parameters: each is a bit, which it may share
 * with others. */
uint64_t *provenance_new_local(const struct isa_kernel *k);
/* Of the address that an access to memory has. UINT64_MAX: it may be anywhere. */
uint64_t provenance_of(const struct isa_kernel *k, const uint64_t *of, const struct isa_inst *i);
/* Of all that is read of global memory. */
uint64_t provenance_read(const struct isa_kernel *k, const uint64_t *of);
/* The one parameter in whose memory a store is, as a bit of what `special alone` tells of them; 0:
 * it is not known to be one, or has no such bit. */
enum { PROVENANCE_PARAMS = 32 };
uint32_t provenance_param(const struct isa_kernel *k, const uint64_t *of, const struct isa_inst *i);

/* ---- memory that is only added to ---- */

/* The instruction adds to global memory; and nothing looks at what was there. */
bool provenance_sums(const struct isa_inst *i);
bool provenance_only_adds(const struct isa_kernel *k, const struct isa_inst *i);
/* An atomic operation on global memory whose order with others of its kind makes no difference, as
 * nothing looks at what was there. */
bool provenance_only_joins(const struct isa_kernel *k, const struct isa_inst *i);
/* The first parameter with whose memory nothing else is done, + 1; 0: there is none. One that is
 * not declared volatile: the operations themselves all are. */
uint32_t provenance_added(const struct isa_kernel *k, const uint64_t *of);
/* Why what the instruction adds, which is one of such sums, is none to that parameter's memory;
 * NULL: it is. */
const char *provenance_not_added(const struct isa_kernel *k, const uint64_t *of,
                                 const struct isa_inst *i, uint32_t param);

#endif
