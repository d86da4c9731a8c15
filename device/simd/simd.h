/* What all code has in common that is compiled once for each instruction set (LANES_LEVEL): names,
 * loops over lanes, and the few steps that differ by level. */
#ifndef SIMTCL_SIMD_H
#define SIMTCL_SIMD_H

#include <string.h>

#include "device/isa/isa.h"

#if defined(__AVX2__) || defined(__SSE2__)
#include <immintrin.h>
#endif

#define LANES_PASTE_(a, b) a##_##b
#define LANES_PASTE(a, b)  LANES_PASTE_(a, b)
#define LANES_NAME(name)   LANES_PASTE(name, LANES_LEVEL)

/* Guest memory may race, as the guest pleases; that is no bug of ours. */
#define GUEST __attribute__((no_sanitize("thread", "address")))

/* A loop over lanes whose arrays are the same or apart, never shifted. */
#if defined(__clang__)
#define EACH_LANE _Pragma("clang loop vectorize(assume_safety)") for (int i = 0; i < ISA_WARP; i++)
#else
#define EACH_LANE _Pragma("GCC ivdep") for (int i = 0; i < ISA_WARP; i++)
#endif

#define ALWAYS static inline __attribute__((always_inline, unused))

/* The active lanes from the first on. */
#define EACH_ACTIVE(lane, m)                                                                       \
    for (uint32_t left_ = (m), lane; left_ && (lane = (uint32_t)__builtin_ctz(left_), 1);          \
         left_ &= left_ - 1)

/* ---- blend: d = lane of m set ? a : b ---- */
#if defined(__AVX512F__)
ALWAYS void blend_1(uint8_t *d, const uint8_t *a, const uint8_t *b, uint32_t m) {
    __m256i x = _mm256_loadu_si256((const void *)a), y = _mm256_loadu_si256((const void *)b);
    _mm256_storeu_si256((void *)d, _mm256_mask_blend_epi8(m, y, x));
}
ALWAYS void blend_2(uint16_t *d, const uint16_t *a, const uint16_t *b, uint32_t m) {
    __m512i x = _mm512_loadu_si512(a), y = _mm512_loadu_si512(b);
    _mm512_storeu_si512(d, _mm512_mask_blend_epi16(m, y, x));
}
ALWAYS void blend_4(uint32_t *d, const uint32_t *a, const uint32_t *b, uint32_t m) {
    for (int h = 0; h < 2; h++, m >>= 16) {
        __m512i x = _mm512_loadu_si512(a + 16 * h), y = _mm512_loadu_si512(b + 16 * h);
        _mm512_storeu_si512(d + 16 * h, _mm512_mask_blend_epi32((__mmask16)m, y, x));
    }
}
ALWAYS void blend_8(uint64_t *d, const uint64_t *a, const uint64_t *b, uint32_t m) {
    for (int h = 0; h < 4; h++, m >>= 8) {
        __m512i x = _mm512_loadu_si512(a + 8 * h), y = _mm512_loadu_si512(b + 8 * h);
        _mm512_storeu_si512(d + 8 * h, _mm512_mask_blend_epi64((__mmask8)m, y, x));
    }
}
#else
/* Each lane's bit of a mask word, so that the test is one AND with a broadcast. */
#define BITS_4(n)  1u << (n), 2u << (n), 4u << (n), 8u << (n)
#define BITS_16(n) BITS_4(n), BITS_4(n + 4), BITS_4(n + 8), BITS_4(n + 12)
static const uint32_t lane_bit_[ISA_WARP]
    __attribute__((unused, aligned(128))) = {BITS_16(0), BITS_16(16)};
static const uint8_t byte_bit_[8] __attribute__((unused)) = {1, 2, 4, 8, 16, 32, 64, 128};
static const uint16_t word_bit_[16] __attribute__((unused, aligned(32))) = {BITS_16(0)};
ALWAYS void blend_1(uint8_t *d, const uint8_t *a, const uint8_t *b, uint32_t m) {
    uint8_t on[ISA_WARP];
    for (int i = 0; i < 4; i++) {
        uint64_t bytes = (m >> (8 * i) & 0xff) * 0x0101010101010101u;
        memcpy(on + 8 * i, &bytes, 8);
    }
    EACH_LANE d[i] = on[i] & byte_bit_[i % 8] ? a[i] : b[i];
}
ALWAYS void blend_2(uint16_t *d, const uint16_t *a, const uint16_t *b, uint32_t m) {
    for (int h = 0; h < 2; h++, m >>= 16, d += 16, a += 16, b += 16) {
        uint16_t on = (uint16_t)m;
        for (int i = 0; i < 16; i++) d[i] = on & word_bit_[i] ? a[i] : b[i];
    }
}
ALWAYS void blend_4(uint32_t *d, const uint32_t *a, const uint32_t *b, uint32_t m) {
    EACH_LANE d[i] = m & lane_bit_[i] ? a[i] : b[i];
}
ALWAYS void blend_8(uint64_t *d, const uint64_t *a, const uint64_t *b, uint32_t m) {
    EACH_LANE d[i] = m & lane_bit_[i] ? a[i] : b[i];
}
#endif

/* ---- bits: one bit for each element of a vector whose elements are all ones or zero ---- */
#if defined(__AVX512F__)
#define LEVEL_BYTES 64
typedef __m512i level_vector;
ALWAYS uint64_t bits_1(__m256i v) { return _mm256_movepi8_mask(v); }
ALWAYS uint64_t bits_2(__m512i v) { return _mm512_movepi16_mask(v); }
ALWAYS uint64_t bits_4(__m512i v) { return _mm512_movepi32_mask(v); }
ALWAYS uint64_t bits_8(__m512i v) { return _mm512_movepi64_mask(v); }
#elif defined(__AVX2__)
#define LEVEL_BYTES 32
typedef __m256i level_vector;
ALWAYS uint64_t bits_1(__m256i v) { return (uint32_t)_mm256_movemask_epi8(v); }
ALWAYS uint64_t bits_2(__m256i v) {
    return _pext_u32((uint32_t)_mm256_movemask_epi8(v), 0xaaaaaaaau);
}
ALWAYS uint64_t bits_4(__m256i v) { return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(v)); }
ALWAYS uint64_t bits_8(__m256i v) { return (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(v)); }
#elif defined(__SSE2__)
#define LEVEL_BYTES 16
typedef __m128i level_vector;
ALWAYS uint64_t bits_1(__m128i v) { return (uint32_t)_mm_movemask_epi8(v); }
ALWAYS uint64_t bits_2(__m128i v) {
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(v, _mm_setzero_si128()));
}
ALWAYS uint64_t bits_4(__m128i v) { return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(v)); }
ALWAYS uint64_t bits_8(__m128i v) { return (uint32_t)_mm_movemask_pd(_mm_castsi128_pd(v)); }
#else
#error "the lanes know x86 with SSE2 and up"
#endif

#endif
