/* What is said of a launch that takes long (watchdog.h). */
#ifndef SIMTCL_LAUNCHSAY_H
#define SIMTCL_LAUNCHSAY_H

#include "launchstate.h"

/* The `say` of a launch_state's watch. */
void launchsay(const struct watch *w, uint64_t ns, bool ended, char *text, size_t size);

#endif
