/* What the instructions of a kernel come to on the device: clocks of the units, and the longest way
 * of a group through the kernel, in which each instruction waits for the results that it needs.
 * Private to device/gpu and to who counts (device/observe). */
#ifndef SIMTCL_WORK_H
#define SIMTCL_WORK_H

#include <stdbool.h>

#include "counters.h"
#include "device/isa/isa.h"
#include "timing.h"

/* A launch that has been counted. Arrays have an entry for each instruction of the kernel. */
struct gpu_run {
    const struct isa_kernel *kernel; /* verified */
    const struct model *model;
    const uint64_t *executions, *lanes; /* with which it takes effect: warps, lanes in them */
    const uint64_t *issued; /* warps to which it is issued: more, where it is predicated */
    uint64_t groups;
    uint32_t warps, items;            /* of a group */
    const struct gpu_counters *sites; /* of each site of the kernel: what its accesses came to, */
    const uint64_t *visits;           /* and how many warps came there */
};

/* Adds one launch's clocks, and its waits, to t. False: out of memory; nothing is added. */
bool gpu_work_add(const struct gpu_run *run, struct gpu_timing *t);

#endif
