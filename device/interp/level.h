/* The level of instructions in use: what the engines take of the processor. */
#ifndef SIMTCL_LEVEL_H
#define SIMTCL_LEVEL_H

#include "device/interp/lanes/lanes.h"
#include "device/texture/texture_unit.h"

struct level {
    unsigned number; /* 0: baseline, 1: AVX2, 2: AVX-512 */
    const struct lanes *lanes;
    const struct math_table *math;
    sampler_read_fn *sampler_read;
    sampler_write_fn *sampler_write;
};

/* The best the processor has and SIMTCL_SIMD (avx512, avx2, baseline) allows; found out when first
 * asked for. All levels give the same results. */
const struct level *level_get(void);

#endif
