/* SLEEF's vector functions on 32 lanes.
 *
 * Only its reproducible functions are used: those named finz_ give the same bits in every width, as
 * long as the CPU has fused multiply-add. A CPU without it gets the cinz_ functions, by the
 * baseline level, which is then the only level there is. */
#ifndef SIMTCL_MATH_SLEEF_H
#define SIMTCL_MATH_SLEEF_H

#include "functions.h"

#if defined(__AVX512F__)
#include <immintrin.h>
#define SLEEF_F32                       __m512
#define SLEEF_F64                       __m512d
#define SLEEF_NAME_F32(function, bound) Sleef_finz_##function##f16##bound##avx512f
#define SLEEF_NAME_F64(function, bound) Sleef_finz_##function##d8##bound##avx512f
#elif defined(__AVX2__)
#include <immintrin.h>
#define SLEEF_F32                       __m256
#define SLEEF_F64                       __m256d
#define SLEEF_NAME_F32(function, bound) Sleef_finz_##function##f8##bound##avx2
#define SLEEF_NAME_F64(function, bound) Sleef_finz_##function##d4##bound##avx2
#else
#define SLEEF_SCALAR
#define SLEEF_F32                        float
#define SLEEF_F64                        double
#define SLEEF_NAME_F32(function, bound)  Sleef_finz_##function##f1##bound##purecfma
#define SLEEF_NAME_F64(function, bound)  Sleef_finz_##function##d1##bound##purecfma
#define SLEEF_PLAIN_F32(function, bound) Sleef_cinz_##function##f1##bound##purec
#define SLEEF_PLAIN_F64(function, bound) Sleef_cinz_##function##d1##bound##purec
#endif

/* Declares SLEEF's function and defines sleef_FUNCTION_TYPE, which applies it to 32 lanes. */
#ifdef SLEEF_SCALAR
#define SLEEF_WRAP1(function, bound, type, T)                                                      \
    extern T SLEEF_NAME_##type(function, bound)(T);                                                \
    extern T SLEEF_PLAIN_##type(function, bound)(T);                                               \
    INLINE void sleef_##function##_##type(const void *a, void *r) {                                \
        T(*f)                                                                                      \
        (T) = __builtin_cpu_supports("fma") ? SLEEF_NAME_##type(function, bound)                   \
                                            : SLEEF_PLAIN_##type(function, bound);                 \
        for (int i = 0; i < ISA_WARP; i++) ((T *)r)[i] = f(((const T *)a)[i]);                     \
    }
#define SLEEF_WRAP2(function, bound, type, T)                                                      \
    extern T SLEEF_NAME_##type(function, bound)(T, T);                                             \
    extern T SLEEF_PLAIN_##type(function, bound)(T, T);                                            \
    INLINE void sleef_##function##_##type(const void *a, const void *b, void *r) {                 \
        T(*f)                                                                                      \
        (T, T) = __builtin_cpu_supports("fma") ? SLEEF_NAME_##type(function, bound)                \
                                               : SLEEF_PLAIN_##type(function, bound);              \
        for (int i = 0; i < ISA_WARP; i++) ((T *)r)[i] = f(((const T *)a)[i], ((const T *)b)[i]);  \
    }
#else
#define SLEEF_WRAP1(function, bound, type, T)                                                      \
    extern T SLEEF_NAME_##type(function, bound)(T);                                                \
    INLINE void sleef_##function##_##type(const void *a, void *r) {                                \
        enum { VECTORS = ISA_WARP * SLEEF_ELEMENT_##type / sizeof(T) };                            \
        for (int i = 0; i < VECTORS; i++)                                                          \
            ((T *)r)[i] = SLEEF_NAME_##type(function, bound)(((const T *)a)[i]);                   \
    }
#define SLEEF_WRAP2(function, bound, type, T)                                                      \
    extern T SLEEF_NAME_##type(function, bound)(T, T);                                             \
    INLINE void sleef_##function##_##type(const void *a, const void *b, void *r) {                 \
        enum { VECTORS = ISA_WARP * SLEEF_ELEMENT_##type / sizeof(T) };                            \
        for (int i = 0; i < VECTORS; i++)                                                          \
            ((T *)r)[i] =                                                                          \
                SLEEF_NAME_##type(function, bound)(((const T *)a)[i], ((const T *)b)[i]);          \
    }
#define SLEEF_ELEMENT_F32 sizeof(float)
#define SLEEF_ELEMENT_F64 sizeof(double)
#endif

#define SLEEF_USE1(function, bound)                                                                \
    SLEEF_WRAP1(function, bound, F32, SLEEF_F32) SLEEF_WRAP1(function, bound, F64, SLEEF_F64)
#define SLEEF_USE2(function, bound)                                                                \
    SLEEF_WRAP2(function, bound, F32, SLEEF_F32) SLEEF_WRAP2(function, bound, F64, SLEEF_F64)

#endif
