/* Launches of kernels that work with bits where others have sums and products: as launches of one
 * that has these, too, where sizes and arguments say that it is the same (device/opt/digits.h).
 * Private to device/run. */
#ifndef SIMTCL_DIGITAL_H
#define SIMTCL_DIGITAL_H

#include "device/launch.h"

/* Makes it one of that kernel, if nobody looks on; returns the kernel as it was. */
const struct isa_kernel *digital_begin(struct launch *l);
/* No launch of its kernel is one of another one, whatever its arguments are. */
bool digital_never(const struct launch *l);
/* Makes it what it was. */
void digital_end(struct launch *l, const struct isa_kernel *was);

#endif
