/* The constant cache's port: it gives a half-warp one address at a time (guide 3.1.2.3). Pure
 * functions; what the cache holds is setcache.h's. */
#ifndef SIMTCL_CONSTANT_PORT_H
#define SIMTCL_CONSTANT_PORT_H

#include <stdint.h>

/* What one instruction of a warp came to. */
struct constant_port_result {
    uint32_t halfwarps;   /* with an active lane */
    uint32_t reads;       /* different addresses of each half-warp: the cost is linear in them */
    uint32_t serialized;  /* reads but the first of each half-warp */
    uint8_t distinct[2];  /* of each half-warp: 0 to 16 */
    uint32_t address[32]; /* of each read, in the order of the lowest lanes that want it */
};

/* The reads of one instruction whose lanes of `mask` read at addresses[lane]. */
void constant_port_warp(uint32_t mask, const uint32_t addresses[32],
                        struct constant_port_result *result);

/* The same for a full warp whose lane l reads at base + l * stride. */
void constant_port_strided(uint32_t base, int32_t stride, struct constant_port_result *result);

#endif
