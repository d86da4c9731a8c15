/* SIMTCL_CHECK=uninit: launches that need not be followed. Private to device/check. */
#ifndef SIMTCL_UNINIT_WHOLE_H
#define SIMTCL_UNINIT_WHOLE_H

#include "device/observe/observer.h"

/* Is all memory set that a launch reads and writes, and can nothing else that is not set come up in
 * it? Then all of that memory is set behind it, too. False also where it is not known. */
bool uninit_whole(const struct isa_kernel *k, const struct observe_grid *grid);
/* Is it so but for local and private memory, of which all groups set and read the same? Then what
 * is not met in one of them is not met in any. */
bool uninit_alike(const struct isa_kernel *k, const struct observe_grid *grid);

#endif
