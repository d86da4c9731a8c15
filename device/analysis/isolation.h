/* Kernels whose work-items are apart: none accesses what another one has stored, and which of them
 * run side by side in a warp makes no difference. */
#ifndef SIMTCL_ISOLATION_H
#define SIMTCL_ISOLATION_H

#include "device/isa/isa.h"

/* *alone: parameters, as bits, that must share their memory with no other then. */
bool isolation_find(const struct isa_kernel *k, uint32_t *alone);

#endif
