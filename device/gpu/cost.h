/* What counters cost: clocks of a multiprocessor, for a ranking of lines and kernels. It is no
 * prediction of time: nothing overlaps, latency is hidden, and all multiprocessors share memory's
 * bandwidth evenly. Pure. */
#ifndef SIMTCL_COST_H
#define SIMTCL_COST_H

#include "counters.h"
#include "model.h"

struct gpu_cost {
    double issue;  /* clocks of issue, and of further passes to shared and constant memory */
    double memory; /* clocks of its share of the memory's bandwidth */
};

/* By the throughput of the guide (3.1.1) and the board's peak bandwidth. */
struct gpu_cost gpu_cost_of(const struct model *m, const struct gpu_counters *c);
/* Bytes that the device's own rules move between it and its memory. */
uint64_t gpu_cost_bytes(const struct model *m, const struct gpu_counters *c);

#endif
