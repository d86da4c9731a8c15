/* The observer that counts what the GPU would have counted (device/gpu/counters.def). */
#ifndef SIMTCL_COUNTERS_OBSERVER_H
#define SIMTCL_COUNTERS_OBSERVER_H

#include "device/gpu/counters.h"
#include "observer.h"

extern const struct observer counters_observer;

/* What a launch, or all launches of a kernel, came to: r as this observer's launch_end and report
 * get it, with its accumulator. */
void counters_of_kernel(const struct observe_result *r, struct gpu_counters *c);
/* Of a site (index in the kernel's sites). */
void counters_of_site(const struct observe_result *r, uint32_t site, struct gpu_counters *c);
/* What accesses of each site came to, of an accumulator of this observer. */
const struct gpu_counters *counters_of_accesses(const void *accumulator);
/* Of a line of the source: file is an index in r->files. */
void counters_of_line(const struct observe_result *r, uint16_t file, uint32_t line,
                      struct gpu_counters *c);

#endif
