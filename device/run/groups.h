/* The groups of a launch, one after the other on a thread: what they need, from the thread's slot,
 * and which is the next one. */
#ifndef SIMTCL_RUN_GROUPS_H
#define SIMTCL_RUN_GROUPS_H

#include "device/launch.h"
#include "device/engine.h"

/* Makes g what runs groups of the launch in that slot, with its memory. false: there is none. */
bool groups_prepare(struct group *g, struct launch *l, unsigned slot);
/* Bytes of local memory that a group of the launch has. */
uint32_t groups_local_bytes(const struct launch *l);
/* From the local memory of one group to the next one's, where several are under way at once. */
uint32_t groups_local_step(const struct launch *l);

#endif
