/* The caches of constant memory (guide 3.1.2.3): which lines a kernel reads. A bank of constants is
 * 64 KB, the caches of a multiprocessor, a cluster and the device are smaller; how groups share
 * them is left to the hardware. What is counted depends on nothing that an engine chooses: each
 * multiprocessor that runs a group fetches each line that the launch reads once, and so do clusters
 * and the device. Private to device/observe. */
#ifndef SIMTCL_COUNTERS_CONSTANT_H
#define SIMTCL_COUNTERS_CONSTANT_H

#include "device/gpu/counters.h"
#include "device/gpu/model.h"
#include "observer.h"

enum {
    COUNTERS_CONSTANT_BYTES = 64 << 10,
    COUNTERS_CONSTANT_LINE = 64, /* of the multiprocessor's cache */
    COUNTERS_CONSTANT_WORDS = COUNTERS_CONSTANT_BYTES / COUNTERS_CONSTANT_LINE / 64
};

/* Lines that a site has read, a bit each. Begins as zeros. */
struct counters_constant {
    uint64_t lines[COUNTERS_CONSTANT_WORDS];
};

/* Does the kernel read constant memory? */
bool counters_constant_any(const struct isa_kernel *k);
void counters_constant_read(struct counters_constant *site, const struct observe_event *e);
void counters_constant_merge(struct counters_constant *into, const struct counters_constant *from);
/* The launch has ended: hits and misses of the sites, whose lines are forgotten. */
void counters_constant_end(struct counters_constant *list, uint32_t nsites,
                           const struct model *model, const struct observe_grid *grid,
                           struct gpu_counters *sites);

#endif
