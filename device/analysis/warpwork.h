/* Which part of a group's work its warps really have: where ids and constants alone tell that no
 * lane of a warp comes to an instruction (itemvalues.h) it has none there. */
#ifndef SIMTCL_WARPWORK_H
#define SIMTCL_WARPWORK_H

#include "device/isa/isa.h"

/* Of each instruction: the warps of a group of that size of which some lane may come to it. NULL: no
 * memory. */
uint16_t *warpwork_find(const struct isa_kernel *k, const uint32_t size[3]);
/* The instructions that all warps of a group come to; UINT64_MAX: no memory. */
uint64_t warpwork_sum(const struct isa_kernel *k, const uint32_t size[3]);

#endif
