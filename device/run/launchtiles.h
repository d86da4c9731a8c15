/* How a launch whose groups nobody can tell from one another is tiled. Private to device/run. */
#ifndef SIMTCL_LAUNCHTILES_H
#define SIMTCL_LAUNCHTILES_H

#include "device/analysis/tiles.h"
#include "device/engine.h"

/* Launches of that shape are not tiled, whatever their arguments are. */
bool launchtiles_never(const struct launch *l, struct executable_kernel *k);
/* *t is as tiles_choose says it, by what the kernel's memory is in this launch. */
void launchtiles_choose(struct tiles *t, const struct launch *l, struct executable_kernel *k);

#endif
