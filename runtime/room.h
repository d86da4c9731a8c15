/* Calls that take more stack than a host's thread may have. */
#ifndef SIMTCL_ROOM_H
#define SIMTCL_ROOM_H

#include "fail.h"

/* What run(argument) returns, its reason with it: called here or, where the calling thread has too
 * little stack left (device/host/stack.h), on another. CL_OUT_OF_HOST_MEMORY: there is no other. */
struct error room_call(struct error (*run)(void *argument), void *argument);

#endif
