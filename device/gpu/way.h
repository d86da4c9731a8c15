/* The longest way of a group through a kernel: its warps' instructions in order, each of which
 * waits for the registers that it reads, loops as often as warps run them in the mean, and
 * barriers, at which the warps of the group meet. A region that a warp of the group enters takes
 * its time. Private to device/gpu. */
#ifndef SIMTCL_WAY_H
#define SIMTCL_WAY_H

#include "steps.h"
#include "work.h"

/* Clocks that it waits for each cause: GPU_WAITS of them, by the rule of coalescing. */
void way_find(const struct gpu_run *run, const struct steps *s, enum gpu_timing_rule rule,
              struct arena *arena, double waits[GPU_WAITS]);

#endif
