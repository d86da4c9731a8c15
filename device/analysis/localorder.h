/* Kernels whose work-items are apart in local memory: from barrier to barrier none accesses there
 * what another one stores, so that which of them share a warp makes no difference. */
#ifndef SIMTCL_LOCALORDER_H
#define SIMTCL_LOCALORDER_H

#include "device/isa/isa.h"

/* From barrier to barrier each array is only stored to, or only loaded from. False: it is not known
 * to be. */
bool localorder_apart(const struct isa_kernel *k);

#endif
