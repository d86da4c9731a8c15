/* Coalescing: the transactions that a warp's access to global memory becomes (guide 3.1.2.1,
 * figures 3-1 to 3-4). Pure functions; addresses are the device's. */
#ifndef SIMTCL_COALESCE_H
#define SIMTCL_COALESCE_H

#include <stdint.h>

enum coalesce_rule {
    COALESCE_IN_ORDER,   /* compute capability 1.0 and 1.1: the k-th lane, the k-th word */
    COALESCE_BY_SEGMENT, /* 1.2 and 1.3: whoever lies in one segment */
    COALESCE_RULES
};

enum { COALESCE_32, COALESCE_64, COALESCE_128, COALESCE_SIZES }; /* 32 << size bytes */
enum { COALESCE_MOST = 32 };                                     /* transactions of a warp */

/* What one instruction of a warp came to. */
struct coalesce_result {
    uint32_t halfwarps;                    /* with an active lane */
    uint32_t coalesced;                    /* of these: as few transactions as the words allow */
    uint32_t requested;                    /* bytes that the active lanes asked for */
    uint32_t moved;                        /* bytes of the transactions */
    uint32_t transactions[COALESCE_SIZES]; /* of 32, 64, 128 bytes */
    uint32_t count;                        /* of all */
    uint32_t address[COALESCE_MOST];       /* of each, in the order of issue; aligned to its size */
    uint8_t size[COALESCE_MOST];           /* COALESCE_32, _64, _128 */
};

/* The rule of compute capability 1.minor. */
enum coalesce_rule coalesce_rule_of(unsigned cc_minor);

/* The transactions of one instruction whose lanes of `mask` access words of `bytes` (1, 2, 4, 8 or
 * 16: guide 3.1.2.1; larger objects take several instructions, request.h) at addresses[lane]. The
 * device does not see the low bits of an address that is no multiple of the word's size.
 *
 * COALESCE_IN_ORDER: a half-warp whose active lanes access the words of 4, 8 or 16 bytes that are
 * theirs in an aligned segment of 16 words is one transaction of 64 bytes, one of 128, or two of
 * 128; any other is one of 32 bytes for each active lane. Lanes that are off do not matter.
 * COALESCE_BY_SEGMENT: the segment of the lowest active lane (32 bytes for words of 1, 64 of 2, 128
 * of 4, 8 and 16) serves all lanes in it, halved while only one half is used, down to 32 bytes; and
 * again until all are served. */
void coalesce_warp(enum coalesce_rule rule, uint32_t mask, const uint32_t addresses[32],
                   unsigned bytes, struct coalesce_result *result);

/* The same for a full warp whose lane l accesses base + l * stride, modulo 2^32: the same counts
 * and the same transactions, in time that follows from their number. */
void coalesce_strided(enum coalesce_rule rule, uint32_t base, int32_t stride, unsigned bytes,
                      struct coalesce_result *result);

/* Its counts repeat with the base: only base modulo COALESCE_PERIOD matters, but for addresses. */
enum { COALESCE_PERIOD = 256 };

#endif
