/* sin, cos and tan in single precision. SLEEF's are, but for large arguments that lie near a
 * multiple of pi/2, of which its reduction keeps too few bits: 17 ulp at 0x1.8dc776p+85. Those from
 * 125 on, where the slow reduction begins anyhow, are done in double precision, the same on every
 * level. */
#ifndef SIMTCL_MATH_TRIG_H
#define SIMTCL_MATH_TRIG_H

#include "sleef.h"

#define TRIG_LARGE 125.0f

#if defined(SLEEF_SCALAR)
#define TRIG_DECLARE(function)                                                                     \
    SLEEF_USE1(function, _u10)                                                                     \
    INLINE float trig_##function(float x) {                                                        \
        bool fused = __builtin_cpu_supports("fma");                                                \
        if (__builtin_fabsf(x) >= TRIG_LARGE)                                                      \
            return (float)(fused ? SLEEF_NAME_F64(function, _u10)(x)                               \
                                 : SLEEF_PLAIN_F64(function, _u10)(x));                            \
        return fused ? SLEEF_NAME_F32(function, _u10)(x) : SLEEF_PLAIN_F32(function, _u10)(x);     \
    }
#elif defined(__AVX512F__)
#define TRIG_DECLARE(function)                                                                     \
    SLEEF_USE1(function, _u10)                                                                     \
    INLINE __m512 trig_##function(__m512 x) {                                                      \
        __m512 r = SLEEF_NAME_F32(function, _u10)(x);                                              \
        __mmask16 large =                                                                          \
            _mm512_cmp_ps_mask(_mm512_abs_ps(x), _mm512_set1_ps(TRIG_LARGE), _CMP_GE_OQ);          \
        if (__builtin_expect(!large, 1)) return r;                                                 \
        __m512d low = _mm512_cvtps_pd(_mm512_castps512_ps256(x)),                                  \
                high = _mm512_cvtps_pd(_mm512_extractf32x8_ps(x, 1));                              \
        low = SLEEF_NAME_F64(function, _u10)(low);                                                 \
        high = SLEEF_NAME_F64(function, _u10)(high);                                               \
        __m512 both = _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(low)),             \
                                         _mm512_cvtpd_ps(high), 1);                                \
        return _mm512_mask_blend_ps(large, r, both);                                               \
    }
#else
#define TRIG_DECLARE(function)                                                                     \
    SLEEF_USE1(function, _u10)                                                                     \
    INLINE __m256 trig_##function(__m256 x) {                                                      \
        __m256 r = SLEEF_NAME_F32(function, _u10)(x);                                              \
        __m256 large = _mm256_cmp_ps(_mm256_andnot_ps(_mm256_set1_ps(-0.0f), x),                   \
                                     _mm256_set1_ps(TRIG_LARGE), _CMP_GE_OQ);                      \
        if (__builtin_expect(!_mm256_movemask_ps(large), 1)) return r;                             \
        __m256d low = _mm256_cvtps_pd(_mm256_castps256_ps128(x)),                                  \
                high = _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1));                               \
        low = SLEEF_NAME_F64(function, _u10)(low);                                                 \
        high = SLEEF_NAME_F64(function, _u10)(high);                                               \
        __m256 both = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(low)),           \
                                           _mm256_cvtpd_ps(high), 1);                              \
        return _mm256_blendv_ps(r, both, large);                                                   \
    }
#endif

TRIG_DECLARE(sin)
TRIG_DECLARE(cos)
TRIG_DECLARE(tan)

/* trig_FUNCTION on 32 lanes. */
#define TRIG_WARP(function, a, r)                                                                  \
    for (unsigned i_ = 0; i_ < ISA_WARP * sizeof(float) / sizeof(SLEEF_F32); i_++)                 \
    ((SLEEF_F32 *)(r))[i_] = trig_##function(((const SLEEF_F32 *)(a))[i_])

#endif
