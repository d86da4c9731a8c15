/* Trigonometry that SLEEF does not have in this form: both at once, and angles in half turns. */
#include "sleef.h"
#include "trig.h"

SLEEF_USE1(sinpi, _u05)
SLEEF_USE1(cospi, _u05)
SLEEF_USE1(asin, _u10)
SLEEF_USE1(acos, _u10)
SLEEF_USE1(atan, _u10)

INLINE float rint_f32(float x) { return __builtin_rintf(x); }
INLINE double rint_f64(double x) { return __builtin_rint(x); }
INLINE float copysign_f32(float a, float b) {
    return float32((bits32(a) & 0x7fffffffu) | (bits32(b) & 0x80000000u));
}
INLINE double copysign_f64(double a, double b) {
    return float64((bits64(a) & ~(1ull << 63)) | (bits64(b) & (1ull << 63)));
}

/* sincos must give the bits of sin and cos, so it is both. */
DEFINE(sincos, f32) {
    MATH_FUNCTION(sin, f32)(src, dst);
    MATH_FUNCTION(cos, f32)(src, dst + 1);
}
DEFINE(sincos, f64) {
    sleef_sin_F64(src[0], dst[0]);
    sleef_cos_F64(src[0], dst[1]);
}

/* The functions below have period 2: x - 2 * rint(x / 2) is exact, lies in [-1, 1], and keeps SLEEF
 * where it is accurate. An infinity becomes a NaN there. Zeros keep x's sign (7.5.1). */
#define HALF_TURNS(type, TYPE, T)                                                                  \
    INLINE void reduce_##type(const T *x, T *r) {                                                  \
        EACH_LANE r[i] = x[i] - 2 * rint_##type(x[i] * (T)0.5);                                    \
    }                                                                                              \
    DEFINE(sinpi, type) {                                                                          \
        T r[ISA_WARP] __attribute__((aligned(128)));                                               \
        const T *x = SOURCE(T, 0);                                                                 \
        T *d = RESULT(T, 0);                                                                       \
        reduce_##type(x, r);                                                                       \
        sleef_sinpi_##TYPE(r, d);                                                                  \
        EACH_LANE d[i] = r[i] == 0 || r[i] == 1 || r[i] == -1 ? copysign_##type(0, x[i]) : d[i];   \
    }                                                                                              \
    DEFINE(cospi, type) {                                                                          \
        T r[ISA_WARP] __attribute__((aligned(128)));                                               \
        T *d = RESULT(T, 0);                                                                       \
        reduce_##type(SOURCE(T, 0), r);                                                            \
        sleef_cospi_##TYPE(r, d);                                                                  \
        EACH_LANE d[i] = r[i] == (T)0.5 || r[i] == (T)-0.5 ? 0 : d[i];                             \
    }                                                                                              \
    DEFINE(tanpi, type) {                                                                          \
        T r[ISA_WARP] __attribute__((aligned(128))), s[ISA_WARP] __attribute__((aligned(128))),    \
            c[ISA_WARP] __attribute__((aligned(128)));                                             \
        const T *x = SOURCE(T, 0);                                                                 \
        T *d = RESULT(T, 0);                                                                       \
        reduce_##type(x, r);                                                                       \
        sleef_sinpi_##TYPE(r, s);                                                                  \
        sleef_cospi_##TYPE(r, c);                                                                  \
        EACH_LANE {                                                                                \
            T zero = copysign_##type(0, x[i]);                                                     \
            T quotient = s[i] / c[i];                                                              \
            quotient = r[i] == (T)0.5 ? (T)INFINITY : r[i] == (T)-0.5 ? (T)-INFINITY : quotient;   \
            quotient = r[i] == 0 ? zero : quotient;                                                \
            d[i] = r[i] == 1 || r[i] == -1 ? -zero : quotient;                                     \
        }                                                                                          \
    }                                                                                              \
    DEFINE(asinpi, type) {                                                                         \
        T *d = RESULT(T, 0);                                                                       \
        sleef_asin_##TYPE(src[0], d);                                                              \
        EACH_LANE d[i] *= (T)M_1_PI;                                                               \
    }                                                                                              \
    DEFINE(acospi, type) {                                                                         \
        T *d = RESULT(T, 0);                                                                       \
        sleef_acos_##TYPE(src[0], d);                                                              \
        EACH_LANE d[i] *= (T)M_1_PI;                                                               \
    }                                                                                              \
    DEFINE(atanpi, type) {                                                                         \
        T *d = RESULT(T, 0);                                                                       \
        sleef_atan_##TYPE(src[0], d);                                                              \
        EACH_LANE d[i] *= (T)M_1_PI;                                                               \
    }                                                                                              \
    DEFINE(atan2pi, type) {                                                                        \
        T *d = RESULT(T, 0);                                                                       \
        MATH_FUNCTION(atan2, type)(src, dst);                                                      \
        EACH_LANE d[i] *= (T)M_1_PI;                                                               \
    }

HALF_TURNS(f32, F32, float)
HALF_TURNS(f64, F64, double)
