/* An executable: a module placed in one context's sandbox (its constant data lies there), with what
 * the engines made of each kernel. */
#ifndef SIMTCL_EXECUTABLE_H
#define SIMTCL_EXECUTABLE_H

#include "device/launch.h"
#include "device/observe/observe.h"
#include "device/sandbox/memory.h"

/* Takes a verified module (borrowed: the caller keeps it alive longer than the executable) and
 * places its constant data. observers: who looks on while its kernels run (borrowed, as long);
 * NULL: nobody. NULL: no room for the constant data. */
struct executable *executable_new(struct memory *memory, const struct isa_module *module,
                                  const struct observe_set *observers);
struct executable *executable_retain(struct executable *x);
void executable_release(struct executable *x);

#endif
