/* Which part of a group's work its warps really have: where ids and constants alone tell that no
 * lane of a warp comes to an instruction (itemvalues.h) it has none there. */
#ifndef SIMTCL_WARPWORK_H
#define SIMTCL_WARPWORK_H

#include "device/isa/isa.h"

/* The instructions that all warps of a group of that size come to, as a part of all times the
 * warps; 1 where there is no memory to tell. LLVM sees nothing of the others for long. */
double warpwork_part(const struct isa_kernel *k, const uint32_t size[3]);

#endif
