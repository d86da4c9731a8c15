/* What the passes of sized.def are to sized.c, and what they share. Private to device/opt/sized. */
#ifndef SIMTCL_SIZED_PASS_H
#define SIMTCL_SIZED_PASS_H

#include "device/isa/kernelcopy.h"
#include "sized.h"

/* Each makes a kernel of s->k, if that is worth it. False: there is no memory; *made is then freed
 * by who calls. */
#define PASS(name, label, function, what)                                                          \
    bool function(const struct sized *s, const struct trace_pass *p, struct sized_kernel *made);
#include "sized.def"
#undef PASS

void sized_kernel_drop(struct sized_kernel *made);
/* A kernel that was written is what a pass makes, in place of what it has made before, of which it
 * is a copy. */
void sized_kernel_take(struct sized_kernel *made, struct kernelcopy *c);

#endif
