/* What a kernel takes of the device, as a compiler for the GPU would count it. */
#ifndef SIMTCL_USAGE_H
#define SIMTCL_USAGE_H

#include "compiler/base/diag.h"
#include "device/isa/isa.h"

/* 32-bit registers that are live at once, at most; 0 when out of memory. */
unsigned usage_registers(const struct isa_kernel *k);
/* -cl-nv-verbose: a line for each kernel, and one for the constants they share. */
void usage_report(struct diag *d, const struct isa_module *m, unsigned max_registers);

#endif
