/* Operations that tell of the warp's lanes among themselves (ISA_OP_HOST), for warp w. */
#ifndef SIMTCL_NATIVE_LANEVALUES_H
#define SIMTCL_NATIVE_LANEVALUES_H

#include "device/native/emit.h"

void lanevalues_emit(struct emitter *e, unsigned w);

#endif
