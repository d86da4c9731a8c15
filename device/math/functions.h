/* The names of this level's functions, from math.def, and how their bodies are written. */
#ifndef SIMTCL_MATH_FUNCTIONS_H
#define SIMTCL_MATH_FUNCTIONS_H

#include <math.h>
#include <string.h>

#include "math.h"

/* The function of one operation and type: math_sin_f32_avx2 and so on. */
#define MATH_FUNCTION(op, type) MATH_NAME(math_##op##_##type)
#define MATH_DECLARE(op, type)                                                                     \
    void MATH_FUNCTION(op, type)(const void *const *src, void *const *dst);

#define MATH_SLEEF1(op, function, bound)   MATH_DECLARE(op, f32) MATH_DECLARE(op, f64)
#define MATH_TRIG1(op)                     MATH_DECLARE(op, f32) MATH_DECLARE(op, f64)
#define MATH_ANGLE1(op)                    MATH_DECLARE(op, f32) MATH_DECLARE(op, f64)
#define MATH_SINGLE1(op, function, bound)  MATH_DECLARE(op, f32) MATH_DECLARE(op, f64)
#define MATH_SINGLE2F(op, function, bound) MATH_DECLARE(op, f32) MATH_DECLARE(op, f64)
#define MATH_OWN(op)                       MATH_DECLARE(op, f32) MATH_DECLARE(op, f64)
#define MATH_OWN32(op)                     MATH_DECLARE(op, f32)
#include "math.def"
#undef MATH_SLEEF1
#undef MATH_TRIG1
#undef MATH_ANGLE1
#undef MATH_SINGLE1
#undef MATH_SINGLE2F
#undef MATH_OWN
#undef MATH_OWN32

/* An array of 32. */
#define WARP(T, name) T name[ISA_WARP] __attribute__((aligned(128)))

/* DEFINE(op, type) { ... }: a body that sees src and dst. */
#define DEFINE(op, type) void MATH_FUNCTION(op, type)(const void *const *src, void *const *dst)
#define SOURCE(T, i)     ((const T *)__builtin_assume_aligned(src[i], 128))
#define RESULT(T, i)     ((T *)__builtin_assume_aligned(dst[i], 128))

#if defined(__clang__)
#define EACH_LANE _Pragma("clang loop vectorize(assume_safety)") for (int i = 0; i < ISA_WARP; i++)
#else
#define EACH_LANE _Pragma("GCC ivdep") for (int i = 0; i < ISA_WARP; i++)
#endif

#define INLINE static inline __attribute__((always_inline, unused))

INLINE uint32_t bits32(float f) {
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}
INLINE float float32(uint32_t u) {
    float f;
    memcpy(&f, &u, 4);
    return f;
}
INLINE uint64_t bits64(double f) {
    uint64_t u;
    memcpy(&u, &f, 8);
    return u;
}
INLINE double float64(uint64_t u) {
    double f;
    memcpy(&f, &u, 8);
    return f;
}

#endif
