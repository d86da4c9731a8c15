/* Bounds within which nobody need be told of accesses to memory: of each call that all of its
 * observers have bounds for. Private to device/observe. */
#ifndef SIMTCL_GUARDS_H
#define SIMTCL_GUARDS_H

#include "probe.h"

bool guards_any(const struct observe_plan *p);
/* The thread's, for where its groups' local memory lies. */
void guards_find(struct observe_thread *t);

#endif
