/* The level of instructions in use: what the engines take of the processor. */
#ifndef SIMTCL_LEVEL_H
#define SIMTCL_LEVEL_H

#include "device/interp/lanes/lanes.h"
#include "device/native/native.h"
#include "device/texture/texture_unit.h"

struct level {
    enum native_level number;
    const struct lanes_table *lanes;
    const struct math_table *math;
    sampler_read_fn *sampler_read;
    sampler_write_fn *sampler_write;
};

/* The best the processor has and level_limit allows; found out when first asked for. All levels
 * give the same results. */
const struct level *level_get(void);
/* No better level than this is to be used. Before it is first asked for. */
void level_limit(enum native_level most);

#endif
