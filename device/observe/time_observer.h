/* The observer that says how long the device would have taken: it collects what device/gpu/time.h
 * predicts from, out of what the counters observer counts. */
#ifndef SIMTCL_TIME_OBSERVER_H
#define SIMTCL_TIME_OBSERVER_H

#include "device/gpu/time.h"
#include "observer.h"

extern const struct observer time_observer;

/* What a launch, or all launches of a kernel, came to: r as this observer's launch_end and report
 * get it, with its accumulator. Valid as long as r is. */
void time_of_launch(const struct observe_result *r, struct gpu_timing *t);
/* Seconds of all of r's launches, each predicted by itself, for the device that they ran on. */
double time_of_launches(const struct observe_result *r);

#endif
