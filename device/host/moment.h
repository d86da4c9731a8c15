/* Moments: nanoseconds of the system's clock that only goes forward (CLOCK_MONOTONIC). */
#ifndef SIMTCL_MOMENT_H
#define SIMTCL_MOMENT_H

#include <stdint.h>
#include <time.h>

static inline uint64_t moment_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#endif
