/* An executable: a module placed in one context's sandbox (its constant data lies there), with what
 * the engines made of each kernel. */
#ifndef SIMTCL_EXECUTABLE_H
#define SIMTCL_EXECUTABLE_H

#include "device/launch.h"
#include "device/observe/observe.h"
#include "device/sandbox/memory.h"

/* Takes a verified module (borrowed: the caller keeps it alive longer than the executable) and
 * places its constant data. NULL: no room for it. */
struct executable *executable_new(struct memory *memory, const struct isa_module *module);
struct executable *executable_retain(struct executable *x);
void executable_release(struct executable *x);

#endif
