/* What time follows from: what has been counted of launches of one kernel, in a form that is by
 * itself, can be added, and can be asked for any board. device/observe/time_observer.h makes it. */
#ifndef SIMTCL_TIMING_H
#define SIMTCL_TIMING_H

#include "model.h"
#include "registers.h"

enum gpu_timing_rule { GPU_TIMING_1_0, GPU_TIMING_1_2, GPU_TIMING_RULES }; /* of coalescing */
enum gpu_timing_size { GPU_TIMING_32, GPU_TIMING_64, GPU_TIMING_128, GPU_TIMING_SIZES };

/* What has been counted: sums[] of struct gpu_timing. */
enum gpu_timing_sum {
#define TIMING_SUM(name, unit, what) GPU_SUM_##name,
#include "timing_sums.def"
#undef TIMING_SUM
    GPU_TIMING_SUMS
};

/* What a warp waits for on its way through the kernel, one after the other. */
enum gpu_timing_wait {
    GPU_WAIT_ARITHMETIC, /* results of computations, and issue */
    GPU_WAIT_SHARED,
    GPU_WAIT_CONSTANT,
    GPU_WAIT_GLOBAL,
    GPU_WAIT_FURTHER, /* for further transactions of global accesses */
    GPU_WAIT_TEXTURE,
    GPU_WAIT_BARRIER,
    GPU_WAITS
};

/* Sums over launches, but for what is said to be of one. */
struct gpu_timing {
    uint64_t launches, groups, warps;
    uint32_t items;                 /* of a group, in the last launch */
    struct gpu_resources resources; /* in the last launch */

    double sums[GPU_TIMING_SUMS]; /* timing_sums.def */

    /* of global memory, loads and stores */
    double transactions[GPU_TIMING_RULES][GPU_TIMING_SIZES];
    double loaded[GPU_TIMING_RULES]; /* bytes that loads get, of private memory too */

    /* of a group, times the launches: clocks on its longest way, for each rule of coalescing */
    double waits[GPU_TIMING_RULES][GPU_WAITS];

    uint32_t partitions;            /* of the board whose addresses these are */
    uint64_t windows, windows_seen; /* of resident groups: there were; were looked at */
};

/* Adds launches of the same kernel. */
void gpu_timing_add(struct gpu_timing *into, const struct gpu_timing *more);

#endif
