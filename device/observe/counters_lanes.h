/* Rules of device/gpu for the lanes of warps by vectors, where the CPU has AVX-512: they run for
 * every access whose addresses follow no pattern. The same results. Private to device/observe. */
#ifndef SIMTCL_COUNTERS_LANES_H
#define SIMTCL_COUNTERS_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include "device/gpu/banks.h"
#include "device/isa/isa.h"

/* Accesses of warps: lane l of access n, where masks[n] has it, begins at addresses[n][l] + by. A
 * mask may be empty. */
struct counted_lanes {
    uint32_t count;
    const uint32_t *masks, (*addresses)[ISA_WARP];
    uint32_t by;
};

/* May AVX-512 be used? */
bool counters_lanes_vectors(void);
/* Of all accesses together: */
/* banks_warp but for its broadcasts; */
void counters_lanes_banks(const struct counted_lanes *lanes, unsigned bytes, bool write,
                          struct banks_result *r);
/* contention_warp's conflicts; */
uint32_t counters_lanes_conflicts(const struct counted_lanes *lanes);
/* different addresses in each half-warp: constant_port_warp's reads. */
uint32_t counters_lanes_distinct(const struct counted_lanes *lanes);

#define COUNTERS_LANES_VECTORS                                                                     \
    __attribute__((target("avx512f,avx512cd,avx512dq,avx512bw,avx512vl,popcnt,bmi,lzcnt")))

#endif
