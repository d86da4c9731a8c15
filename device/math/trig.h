/* Angles in single precision. SLEEF's reduction keeps too few bits of large ones that lie near a
 * multiple of pi/2: 17 ulp at 0x1.8dc776p+85. tan is done in double precision from 125 on, where
 * the slow reduction begins anyhow, sin and cos always: who wants those of small angles takes
 * single.h. */
#ifndef SIMTCL_MATH_TRIG_H
#define SIMTCL_MATH_TRIG_H

#include "sleef.h"

#define TRIG_LARGE 125.0f

/* trig_double_FUNCTION: by way of double. */
#if defined(SLEEF_SCALAR)
#define TRIG_DOUBLE(function)                                                                      \
    SLEEF_WRAP1(function, _u10, F64, SLEEF_F64)                                                    \
    INLINE float trig_double_##function(float x) {                                                 \
        return (float)(__builtin_cpu_supports("fma") ? SLEEF_NAME_F64(function, _u10)(x)           \
                                                     : SLEEF_PLAIN_F64(function, _u10)(x));        \
    }
#define TRIG_LARGE_OF(x)        (__builtin_fabsf(x) >= TRIG_LARGE)
#define TRIG_ANY(large)         (large)
#define TRIG_BLEND(large, y, r) ((large) ? (y) : (r))
#define TRIG_SINGLE(function, x)                                                                   \
    (__builtin_cpu_supports("fma") ? SLEEF_NAME_F32(function, _u10)(x)                             \
                                   : SLEEF_PLAIN_F32(function, _u10)(x))
typedef bool trig_large;
#elif defined(__AVX512F__)
#define TRIG_DOUBLE(function)                                                                      \
    SLEEF_WRAP1(function, _u10, F64, SLEEF_F64)                                                    \
    INLINE __m512 trig_double_##function(__m512 x) {                                               \
        __m512d low = _mm512_cvtps_pd(_mm512_castps512_ps256(x)),                                  \
                high = _mm512_cvtps_pd(_mm512_extractf32x8_ps(x, 1));                              \
        low = SLEEF_NAME_F64(function, _u10)(low);                                                 \
        high = SLEEF_NAME_F64(function, _u10)(high);                                               \
        return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(low)),                    \
                                  _mm512_cvtpd_ps(high), 1);                                       \
    }
#define TRIG_LARGE_OF(x)                                                                           \
    _mm512_cmp_ps_mask(_mm512_abs_ps(x), _mm512_set1_ps(TRIG_LARGE), _CMP_GE_OQ)
#define TRIG_ANY(large)          (large)
#define TRIG_BLEND(large, y, r)  _mm512_mask_blend_ps(large, r, y)
#define TRIG_SINGLE(function, x) SLEEF_NAME_F32(function, _u10)(x)
typedef __mmask16 trig_large;
#else
#define TRIG_DOUBLE(function)                                                                      \
    SLEEF_WRAP1(function, _u10, F64, SLEEF_F64)                                                    \
    INLINE __m256 trig_double_##function(__m256 x) {                                               \
        __m256d low = _mm256_cvtps_pd(_mm256_castps256_ps128(x)),                                  \
                high = _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1));                               \
        low = SLEEF_NAME_F64(function, _u10)(low);                                                 \
        high = SLEEF_NAME_F64(function, _u10)(high);                                               \
        return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(low)),                  \
                                    _mm256_cvtpd_ps(high), 1);                                     \
    }
#define TRIG_LARGE_OF(x)                                                                           \
    _mm256_cmp_ps(_mm256_andnot_ps(_mm256_set1_ps(-0.0f), x), _mm256_set1_ps(TRIG_LARGE),          \
                  _CMP_GE_OQ)
#define TRIG_ANY(large)          _mm256_movemask_ps(large)
#define TRIG_BLEND(large, y, r)  _mm256_blendv_ps(r, y, large)
#define TRIG_SINGLE(function, x) SLEEF_NAME_F32(function, _u10)(x)
typedef __m256 trig_large;
#endif

TRIG_DOUBLE(sin)
TRIG_DOUBLE(cos)
TRIG_DOUBLE(tan)
SLEEF_WRAP1(tan, _u10, F32, SLEEF_F32)

INLINE SLEEF_F32 trig_tan(SLEEF_F32 x) {
    SLEEF_F32 r = TRIG_SINGLE(tan, x);
    trig_large large = TRIG_LARGE_OF(x);
    if (__builtin_expect(!TRIG_ANY(large), 1)) return r;
    return TRIG_BLEND(large, trig_double_tan(x), r);
}

/* trig_FUNCTION on 32 lanes. */
#define TRIG_WARP(function, a, r)                                                                  \
    for (unsigned i_ = 0; i_ < ISA_WARP * sizeof(float) / sizeof(SLEEF_F32); i_++)                 \
    ((SLEEF_F32 *)(r))[i_] = trig_##function(((const SLEEF_F32 *)(a))[i_])

#endif
