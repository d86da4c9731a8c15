/* Launches of kernels that go on in strides of the ND-range, as launches of a work-item for each
 * iteration (device/opt/unfold.h). Private to device/run. */
#ifndef SIMTCL_UNFOLDED_H
#define SIMTCL_UNFOLDED_H

#include "device/launch.h"

/* The other launch, where there is one that does the same and nobody looks on; when that has
 * finished l has, of whose fault nothing is known but that there is one: then `again` starts l as
 * it is. NULL: l is to be run as it is. */
struct launch *unfolded_new(struct launch *l, bool (*again)(struct launch *l));
/* One that was not started. */
void unfolded_drop(struct launch *unfolded);

#endif
