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

#endif
