/* Fused multiply-add of floats on a warp, which native code calls where the level has none. */
#include "fused.h"
#include "functions.h"

#if !defined(__FMA__) && defined(__SSE2__)
#include <emmintrin.h>

/* The sums in double of the products of two lanes, which are exact, and c. */
INLINE __m128d sums(__m128 a, __m128 b, __m128 c) {
    __m128d product = _mm_mul_pd(_mm_cvtps_pd(a), _mm_cvtps_pd(b));
    return _mm_add_pd(product, _mm_cvtps_pd(c));
}

/* Words `of` (0x88: lower, 0xdd: upper) of four doubles. */
#define WORDS(x, y, of) _mm_castps_si128(_mm_shuffle_ps(_mm_castpd_ps(x), _mm_castpd_ps(y), of))

/* Rounded to double first, and then to float. That is right but where the double lies in the middle
 * between two floats, or the float has fewer digits: false then. */
static int rounded_twice(float *d, const float *a, const float *b, const float *c) {
    __m128i doubtful = _mm_setzero_si128(), least = _mm_set1_epi32(0x00800001);
    __m128i digits = _mm_set1_epi32(0x1fffffff), middle = _mm_set1_epi32(0x10000000);
    for (int i = 0; i < ISA_WARP; i += 4) {
        __m128 x = _mm_load_ps(a + i), y = _mm_load_ps(b + i), z = _mm_load_ps(c + i);
        __m128d low = sums(x, y, z), zero = _mm_setzero_pd();
        __m128d high = sums(_mm_movehl_ps(x, x), _mm_movehl_ps(y, y), _mm_movehl_ps(z, z));
        __m128 r = _mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high));
        __m128i size = _mm_and_si128(_mm_castps_si128(r), _mm_set1_epi32(0x7fffffff));
        __m128i some = WORDS(_mm_cmpneq_pd(low, zero), _mm_cmpneq_pd(high, zero), 0x88);
        __m128i small = _mm_and_si128(_mm_cmplt_epi32(size, least), some);
        __m128i lost = _mm_and_si128(WORDS(low, high, 0x88), digits);
        doubtful = _mm_or_si128(doubtful, _mm_or_si128(small, _mm_cmpeq_epi32(lost, middle)));
        _mm_store_ps(d + i, r);
    }
    return !_mm_movemask_epi8(doubtful);
}
#else
static int rounded_twice(float *d, const float *a, const float *b, const float *c) {
    return (void)d, (void)a, (void)b, (void)c, 0;
}
#endif

DEFINE(fma, f32) {
    const float *a = SOURCE(float, 0), *b = SOURCE(float, 1), *c = SOURCE(float, 2);
    float *d = RESULT(float, 0);
    if (rounded_twice(d, a, b, c)) return;
    EACH_LANE d[i] = fused_float(a[i], b[i], c[i]);
}
