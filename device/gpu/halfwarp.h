/* Half-warps: 16 lanes whose memory requests the device serves together (guide 3.1.2.1, 3.1.2.3,
 * 3.1.2.5). What the rules of this folder share. Private to it. */
#ifndef SIMTCL_HALFWARP_H
#define SIMTCL_HALFWARP_H

#include <emmintrin.h>
#include <stdint.h>

enum { HALFWARP = 16, HALFWARPS = 2 /* of a warp */ };

/* The lanes, a bit each, whose value is v. */
static inline uint32_t halfwarp_equal(const uint32_t *values, uint32_t v) {
    __m128i want = _mm_set1_epi32((int)v);
    const __m128i *at = (const __m128i *)values;
    __m128i a = _mm_cmpeq_epi32(_mm_loadu_si128(at), want);
    __m128i b = _mm_cmpeq_epi32(_mm_loadu_si128(at + 1), want);
    __m128i c = _mm_cmpeq_epi32(_mm_loadu_si128(at + 2), want);
    __m128i d = _mm_cmpeq_epi32(_mm_loadu_si128(at + 3), want);
    __m128i words = _mm_packs_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d));
    return (uint32_t)_mm_movemask_epi8(words);
}

static inline unsigned halfwarp_lowest(uint32_t mask) { return (unsigned)__builtin_ctz(mask); }
static inline unsigned halfwarp_count(uint32_t mask) { return (unsigned)__builtin_popcount(mask); }

#endif
