/* Host passes: from the device's warp IR of a kernel to what the engines run. They begin where the
 * compiler ends, and work on a copy: opt.def is their table. */
#ifndef SIMTCL_OPT_H
#define SIMTCL_OPT_H

#include "device/isa/isa.h"
#include "device/isa/trace.h"

/* Runs the host passes on a kernel of the module, or on a copy of one, which is a verified one
 * before and after. False: there is no memory; it is of no use then. Thread safe. */
bool opt_run(const struct isa_module *m, struct isa_kernel *k, const struct trace *trace);

#endif
