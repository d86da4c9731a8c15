/* What commands need of the emulated device, and for how long, as gpu/time.h has it. Nanoseconds.
 */
#ifndef SIMTCL_DURATION_H
#define SIMTCL_DURATION_H

#include "device/observe/observer.h"
#include "event.h"

/* What a command needs of the device: CLOCK_* bits. Kernels never run beside each other; copies
 * run beside them where the device has an engine for them (compute capability 1.1 and later) and
 * the host's memory is page-locked (guide 3.3); all others have the device for themselves. */
unsigned duration_engines(cl_event event);
/* From the submission until it may begin, while the device is at what was submitted before. */
uint64_t duration_latency(cl_event event);
/* How long it is on the device; of a kernel 0, until that is known: duration_of_launch. */
uint64_t duration_of(cl_event event);
/* Of a kernel on so many multiprocessors of the device: launch is what the time observer got of it.
 */
uint64_t duration_of_launch(const struct observe_result *launch, uint32_t units);

#endif
