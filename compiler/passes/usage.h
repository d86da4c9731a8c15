/* What kernels take of the device, told as a compiler for the GPU tells it. */
#ifndef SIMTCL_USAGE_H
#define SIMTCL_USAGE_H

#include "compiler/base/diag.h"
#include "device/isa/isa.h"

/* -cl-nv-verbose: of each kernel registers, private, shared and constant memory, in the words of
 * ptxas. capability: 13 is 1.3. */
void usage_report(struct diag *d, const struct isa_module *m, unsigned capability);

#endif
