/* Shared memory's banks: how many steps a warp's access takes (guide 3.1.2.5, figures 3-5 to 3-8).
 * Pure functions. Shared memory has 16 banks of 32-bit words, successive words in successive banks;
 * a half-warp's words are one request. */
#ifndef SIMTCL_BANKS_H
#define SIMTCL_BANKS_H

#include <stdbool.h>
#include <stdint.h>

enum { BANKS = 16 };

/* What one instruction of a warp came to. */
struct banks_result {
    uint32_t requests;   /* of a half-warp with an active lane, for 32 bits: words of 64 take two */
    uint32_t steps;      /* in which they are served, each two clocks */
    uint32_t replays;    /* steps but the first of each request */
    uint32_t degree;     /* steps of the request that took most: n of "n-way conflict" */
    uint32_t broadcasts; /* requests of which one step at least served several lanes by one word */
};

/* The requests of one instruction whose lanes of `mask` access `bytes` (1, 2, 4, 8 or 16) at
 * addresses[lane], of which an object of 8 bytes is two requests for 32 bits, one of 16 four. The
 * device does not see the low bits of an address that is no multiple of `bytes`.
 *
 * A read is served in steps: a broadcast word for all lanes that read within it, and for each other
 * bank one of the lanes that are left. Which word and which lane, the guide leaves open; here the
 * word that most lanes want, and the lowest lane. A write has no broadcast: different places in a
 * bank take a step each; of lanes that write one place one writes (guide 2.1.1: the number of
 * writes is undefined). */
void banks_warp(uint32_t mask, const uint32_t addresses[32], unsigned bytes, bool write,
                struct banks_result *result);

/* A step: the lanes that it serves, and of these those that a broadcast word is for. */
struct banks_step {
    uint16_t lanes, broadcast;
};
/* The steps of one request of a half-warp for 32 bits or less at places[lane], by the same rules:
 * who draws a conflict wants to know them. Returns how many. */
unsigned banks_steps(uint32_t mask, const uint32_t places[BANKS], bool write,
                     struct banks_step steps[BANKS]);

/* What banks_warp does, for a full warp whose lane l accesses base + l * stride (guide 3.1.2.5: the
 * greatest common divisor of the stride in words and 16). */
void banks_strided(uint32_t base, int32_t stride, unsigned bytes, bool write,
                   struct banks_result *result);

#endif
