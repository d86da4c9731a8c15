/* What is kept of the kernels that were observed, until the process ends: programs may be gone
 * long before. Private to device/observe. */
#ifndef SIMTCL_KEEP_H
#define SIMTCL_KEEP_H

#include "probe.h"

/* Adds what a launch came to. accumulators: of each observer of the plan's set. Without memory the
 * launch is left out. Thread safe. */
void keep_launch(struct observe_plan *p, const struct observe_result *launch,
                 void *const *accumulators);

#endif
