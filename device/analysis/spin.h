/* Kernels whose work-items wait for each other other than at barriers. */
#ifndef SIMTCL_SPIN_H
#define SIMTCL_SPIN_H

#include "device/isa/isa.h"

/* A loop of the kernel may go on until another work-item has written: where it goes depends on what
 * it has loaded from volatile memory or got from an atomic operation. Such a kernel needs its warps
 * to run one after the other for a while each. True also where there is no memory to find out. */
bool spin_may(const struct isa_kernel *k);

#endif
