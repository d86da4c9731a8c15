/* Between the driver and libsimtcl-clock.so, which a program may be started with (LD_PRELOAD). The
 * driver looks for PRELOAD_NAME among the symbols of the process, and calls it once when the
 * device's clock is on. */
#ifndef SIMTCL_PRELOAD_H
#define SIMTCL_PRELOAD_H

#include <stdint.h>

#define PRELOAD_NAME "preload_take_clock"

/* pass: the host's time on the device's clock, in nanoseconds, after so many have passed; 0: after
 * a look at the clock. From now on that is what the host's clocks tell, from where they stand, and
 * sleeping lets it pass; but for the library that `pass` is part of. */
void preload_take_clock(uint64_t (*pass)(uint64_t nanoseconds));

#endif
