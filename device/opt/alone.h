/* Versions of a piece of code, for launches in which arguments are alone in their buffers: nothing
 * else that the kernel accesses can then be what is stored by them. Private to device/opt. */
#ifndef SIMTCL_ALONE_H
#define SIMTCL_ALONE_H

#include "device/isa/kernelcopy.h"

/* May the kernel get versions, with an `if` that is no deeper than regions may be? */
bool alone_may(const struct isa_kernel *k);
/* Begins the version for where all these parameters are alone; site: of the branch. Its other part
 * is kernelcopy_otherwise, or another one. */
void alone_if(struct kernelcopy *c, uint32_t params, uint32_t site);
/* Registers that only instructions [from, to] read get names of their own, so that what is known of
 * them is what is known in this version. What has been written before it they have, too. again:
 * those alone for which that is so. */
void alone_rename(struct kernelcopy *c, uint32_t from, uint32_t to, bool again,
                  struct arena *arena);
/* Of all registers of a kernel that may get versions the parameters they come from
 * (device/analysis/provenance.h), in the arena; NULL: no memory. */
const uint64_t *alone_provenance(const struct isa_kernel *k, struct arena *arena);
/* The same of arrays in local memory. */
const uint64_t *alone_arrays(const struct isa_kernel *k, struct arena *arena);
/* The parameters of which instruction n is in a version for where they are alone. */
uint32_t alone_known(const struct isa_kernel *k, uint32_t n);

#endif
