/* Kernels whose work-items are apart: none accesses what another one has stored, and which of them
 * run side by side in a warp makes no difference. */
#ifndef SIMTCL_ISOLATION_H
#define SIMTCL_ISOLATION_H

#include "affine.h"

enum isolation {
    ISOLATION_NONE,
    ISOLATION_OF_LAUNCH, /* that hangs on sizes and arguments: isolation_holds says so */
    ISOLATION_ALWAYS
};

/* Of local memory localorder.h says so. *alone: parameters, as bits, that must share their memory
 * with no other then. */
enum isolation isolation_find(const struct isa_kernel *k, uint32_t *alone);
/* Are the work-items of this launch apart, of a kernel that is ISOLATION_OF_LAUNCH? False: they are
 * not known to be. thorough: it may take some 50 us, and not only some. */
bool isolation_holds(const struct isa_kernel *k, const struct affine_launch *l, bool thorough);

#endif
