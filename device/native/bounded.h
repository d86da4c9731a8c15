/* Guarded calls: an access to memory is told of where a lane lies outside of bounds. */
#ifndef SIMTCL_NATIVE_BOUNDED_H
#define SIMTCL_NATIVE_BOUNDED_H

#include "device/native/emit.h"

/* The cursor's instruction is a probe_guard, for warp w. */
void bounded_emit(struct emitter *e, unsigned w);

#endif
