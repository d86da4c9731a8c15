/* Between the driver and libsimtcl-clock.so, which a program may be started with (LD_PRELOAD). The
 * driver looks for PRELOAD_NAME among the symbols of the process, and calls it once when the
 * device's clock is on. */
#ifndef SIMTCL_PRELOAD_H
#define SIMTCL_PRELOAD_H

#include <stdint.h>

#define PRELOAD_NAME "preload_take_clock"

/* now: nanoseconds of the host's time on the device's clock, which every call takes on a little.
 * From now on that is what the host's clocks tell, from where they stand; to all but the library
 * that `now` is part of. */
void preload_take_clock(uint64_t (*now)(void));

#endif
