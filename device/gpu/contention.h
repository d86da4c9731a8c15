/* Contention: atomic operations of a warp on one place, which happen one after the other (guide
 * 2.1.1). Pure functions. */
#ifndef SIMTCL_CONTENTION_H
#define SIMTCL_CONTENTION_H

#include <stdint.h>

struct contention_result {
    uint32_t operations; /* active lanes */
    uint32_t places;     /* different addresses */
    uint32_t conflicts;  /* operations that wait for one of their own warp: operations - places */
    uint32_t most; /* operations on the place that most lanes want: how often it is gone round */
};

/* Of one atomic instruction whose lanes of `mask` work at addresses[lane]. */
void contention_warp(uint32_t mask, const uint32_t addresses[32], struct contention_result *result);

/* The same for a full warp whose lane l works at base + l * stride. */
void contention_strided(int32_t stride, struct contention_result *result);

#endif
