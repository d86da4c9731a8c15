/* Kernels whose work-items wait for each other other than at barriers. */
#ifndef SIMTCL_SPIN_H
#define SIMTCL_SPIN_H

#include "device/isa/isa.h"

/* A loop of the kernel may go on until another work-item has written: where it leaves depends on
 * what it loads from volatile memory or gets from an atomic operation at a place that it has asked
 * before, and it does not end by what it does itself (it counts, in memory, too; exchanges what it
 * has seen there). Such a kernel needs its warps to run one after the other for a while each. In a
 * kernel with probes such an end does not count. True also where there is no memory to find out. */
bool spin_may(const struct isa_kernel *k);

#endif
