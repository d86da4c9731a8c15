/* Rules of device/gpu for the lanes of a warp by vectors, where the CPU has AVX-512: they run for
 * every access whose addresses follow no pattern. The same results. Private to device/observe. */
#ifndef SIMTCL_COUNTERS_LANES_H
#define SIMTCL_COUNTERS_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include "device/gpu/banks.h"

/* May AVX-512 be used? */
bool counters_lanes_vectors(void);
/* banks_warp but for its broadcasts. */
void counters_lanes_banks(uint32_t mask, const uint32_t addresses[32], unsigned bytes, bool write,
                          struct banks_result *r);
/* contention_warp's conflicts. */
uint32_t counters_lanes_conflicts(uint32_t mask, const uint32_t addresses[32]);
/* Different addresses in each half-warp, all together: constant_port_warp's reads. */
uint32_t counters_lanes_distinct(uint32_t mask, const uint32_t addresses[32]);

#endif
