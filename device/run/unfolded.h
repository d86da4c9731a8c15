/* Launches of kernels that go on in strides of the ND-range, as launches of a work-item for each
 * iteration (device/opt/unfold.h). Private to device/run. */
#ifndef SIMTCL_UNFOLDED_H
#define SIMTCL_UNFOLDED_H

#include "device/launch.h"

/* A launch as it was. */
struct unfolded {
    const struct isa_kernel *kernel; /* NULL: it is as it was */
    uint32_t global_size[3], local_size[3];
};

/* Makes it another one, if that does the same and nobody looks on. */
void unfolded_begin(struct unfolded *was, struct launch *l);
/* No launch of its kernel is run as another one, whatever its arguments are. */
bool unfolded_never(const struct launch *l);
/* Makes it what it was. True: it has to be run once more so, as a work-item has gone astray, and
 * which one is not known. */
bool unfolded_end(const struct unfolded *was, struct launch *l);

#endif
