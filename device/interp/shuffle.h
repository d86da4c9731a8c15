/* Launches in a random, repeatable order: groups in any order, several of them at once, warps in
 * turn, each of which may lose the thread before any access that others can see: more cannot be
 * told from outside. */
#ifndef SIMTCL_SHUFFLE_H
#define SIMTCL_SHUFFLE_H

#include "device/engine.h"

enum { SHUFFLE_MOST = 8 }; /* groups at once */

/* Its run_until runs the groups from 0 to the end, in the order of the launch's seed, as many at
 * once as the group has places (group_place). */
extern const struct engine shuffle_engine;

#endif
