/* Regions, jumps and barriers. */
#ifndef SIMTCL_NATIVE_CONTROL_H
#define SIMTCL_NATIVE_CONTROL_H

#include "device/native/emit.h"

bool control_plan(struct plan *plan);
void control_emit(struct emitter *e);
void control_else(struct emitter *e,
                  bool reached); /* reached: the part before it goes on to its end */
void control_end(struct emitter *e);

#endif
