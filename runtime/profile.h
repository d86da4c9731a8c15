/* Who looks on while kernels run: SIMTCL_PROFILE. */
#ifndef SIMTCL_PROFILE_H
#define SIMTCL_PROFILE_H

#include "device/observe/observe.h"

/* Read at the first call, which says on stderr which of the names are none, and has the reports
 * written when the process ends (exit, or the library is unloaded). Lives for ever. */
const struct observe_set *profile_get(void);

#endif
