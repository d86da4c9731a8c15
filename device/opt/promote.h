/* Words of private memory become registers. Private to host passes. */
#ifndef SIMTCL_PROMOTE_H
#define SIMTCL_PROMOTE_H

#include "opt_pass.h"

/* beyond: also those of arrays by an index of which is not known that it is one of an element. */
void promote_run(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p,
                 bool beyond);

#endif
