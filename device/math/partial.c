/* Functions for which SLEEF is right on part of the range only: near the largest numbers, where a
 * square or an exponential overflows early, and for single results near the smallest, where FTZ
 * cuts what it computes with. Single precision goes through double there; double takes the leading
 * term. */
#include "sleef.h"

SLEEF_USE1(sinh, _u10)
SLEEF_USE1(cosh, _u10)
SLEEF_USE1(asinh, _u10)
SLEEF_USE1(acosh, _u10)
SLEEF_USE1(log1p, _u10)
SLEEF_USE1(log, _u10)
SLEEF_USE1(exp, _u10)
SLEEF_USE1(erfc, _u15)
SLEEF_USE1(tgamma, _u10)
SLEEF_USE2(atan2, _u10)
SLEEF_USE2(hypot, _u05)

/* A single-precision function by way of the double one. */
#define THROUGH_DOUBLE(op)                                                                         \
    DEFINE(op, f32) {                                                                              \
        WARP(double, x);                                                                           \
        WARP(double, r);                                                                           \
        const float *a = SOURCE(float, 0);                                                         \
        float *d = RESULT(float, 0);                                                               \
        EACH_LANE x[i] = a[i];                                                                     \
        sleef_##op##_F64(x, r);                                                                    \
        EACH_LANE d[i] = (float)r[i];                                                              \
    }
#define DOUBLE_AS_IT_IS(op)                                                                        \
    DEFINE(op, f64) { sleef_##op##_F64(src[0], dst[0]); }

THROUGH_DOUBLE(erfc)
DOUBLE_AS_IT_IS(erfc)
THROUGH_DOUBLE(tgamma)

/* SLEEF loses digits below -170, where gamma falls under the smallest normal number: there gamma(x)
 * is gamma(x + 16) over the product of x to x + 15, which are exact; the product's error is kept
 * beside it. */
DEFINE(tgamma, f64) {
    const double *x = SOURCE(double, 0);
    double *d = RESULT(double, 0);
    int any = 0;
    sleef_tgamma_F64(x, d);
    EACH_LANE any |= (x[i] < -170) & (x[i] > -186);
    if (!any) return;
    WARP(double, up);
    WARP(double, g);
    EACH_LANE up[i] = x[i] + 16;
    sleef_tgamma_F64(up, g);
    EACH_LANE {
        double product = x[i], missing = 0;
        for (int k = 1; k < 16; k++) {
            double factor = x[i] + k, p = product * factor;
            missing = missing * factor + __builtin_fma(product, factor, -p);
            product = p;
        }
        double gamma = (g[i] - g[i] * (missing / product)) / product;
        d[i] = x[i] < -170 && x[i] > -186 ? gamma : d[i];
    }
}

/* The squares of floats are exact in double, their sum neither overflows nor vanishes. */
DEFINE(hypot, f32) {
    const float *x = SOURCE(float, 0), *y = SOURCE(float, 1);
    float *d = RESULT(float, 0);
    EACH_LANE {
        double a = x[i], b = y[i];
        float r = (float)__builtin_sqrt(a * a + b * b);
        int infinite = (__builtin_fabsf(x[i]) == INFINITY) |
                       (__builtin_fabsf(y[i]) == INFINITY); /* even with a NaN */
        d[i] = infinite ? INFINITY : r;
    }
}
DEFINE(hypot, f64) { sleef_hypot_F64(src[0], src[1], dst[0]); }

/* Is a lane's magnitude above `limit`? */
INLINE int any_above_f32(const float *x, float limit) {
    int any = 0;
    EACH_LANE any |= __builtin_fabsf(x[i]) > limit;
    return any;
}
INLINE int any_above_f64(const double *x, double limit) {
    int any = 0;
    EACH_LANE any |= __builtin_fabs(x[i]) > limit;
    return any;
}

/* Beyond 80 both are exp(|x|) / 2, which still has eight turns of e to go before it overflows. */
#define HYPERBOLIC(op, sign)                                                                       \
    DEFINE(op, f32) {                                                                              \
        const float *x = SOURCE(float, 0);                                                         \
        float *d = RESULT(float, 0);                                                               \
        sleef_##op##_F32(x, d);                                                                    \
        if (!any_above_f32(x, 80)) return;                                                         \
        WARP(double, a);                                                                           \
        WARP(double, e);                                                                           \
        EACH_LANE a[i] = __builtin_fabsf(x[i]);                                                    \
        sleef_exp_F64(a, e);                                                                       \
        EACH_LANE {                                                                                \
            float big = (float)(e[i] * 0.5);                                                       \
            d[i] = a[i] > 80 ? (sign)*big : d[i];                                                  \
        }                                                                                          \
    }
HYPERBOLIC(sinh, x[i] < 0 ? -1.0f : 1.0f)
HYPERBOLIC(cosh, 1.0f)

/* In double there is nowhere to go: beyond 709 they are 2 exp(|x| - 2 ln 2), with ln 2 in two
 * parts, of which twice the first comes off exactly. */
#define HYPERBOLIC_DOUBLE(op, sign)                                                                \
    DEFINE(op, f64) {                                                                              \
        const double *x = SOURCE(double, 0);                                                       \
        double *d = RESULT(double, 0);                                                             \
        sleef_##op##_F64(x, d);                                                                    \
        if (!any_above_f64(x, 709)) return;                                                        \
        WARP(double, a);                                                                           \
        WARP(double, e);                                                                           \
        EACH_LANE a[i] = __builtin_fabs(x[i]) - 0x1.62e42feep0;                                    \
        sleef_exp_F64(a, e);                                                                       \
        EACH_LANE {                                                                                \
            double less = e[i] < INFINITY ? e[i] * 0x1.a39ef35793c76p-32 : 0;                      \
            double big = 2 * (e[i] - less);                                                        \
            d[i] = __builtin_fabs(x[i]) > 709 ? (sign)*big : d[i];                                 \
        }                                                                                          \
    }
HYPERBOLIC_DOUBLE(sinh, x[i] < 0 ? -1.0 : 1.0)
HYPERBOLIC_DOUBLE(cosh, 1.0)

/* Is a lane's magnitude above `limit`, or so small that the function is its argument? */
#define SMALL_F32 0x1p-30f
#define SMALL_F64 0x1p-60
#define ANY_ODD(type, TYPE, T)                                                                     \
    INLINE int any_odd_##type(const T *x, T limit) {                                               \
        int any = 0;                                                                               \
        EACH_LANE any |=                                                                           \
            (x[i] > limit) | (x[i] < -limit) | ((x[i] < SMALL_##TYPE) & (x[i] > -SMALL_##TYPE));   \
        return any;                                                                                \
    }
ANY_ODD(f32, F32, float)
ANY_ODD(f64, F64, double)

/* For large x: asinh(x) = sign(x) (log|x| + ln 2), acosh(x) = log(x) + ln 2, log1p(x) = log(x). For
 * small x: asinh and log1p are x, and acosh a NaN. */
#define LARGE(op, type, TYPE, T, limit, condition, value)                                          \
    DEFINE(op, type) {                                                                             \
        const T *x = SOURCE(T, 0);                                                                 \
        T *d = RESULT(T, 0);                                                                       \
        sleef_##op##_##TYPE(x, d);                                                                 \
        if (!any_odd_##type(x, limit)) return;                                                     \
        WARP(T, a);                                                                                \
        WARP(T, l);                                                                                \
        EACH_LANE a[i] = x[i] < 0 ? -x[i] : x[i];                                                  \
        sleef_log_##TYPE(a, l);                                                                    \
        EACH_LANE {                                                                                \
            T r = (condition) > limit ? (value) : d[i];                                            \
            d[i] = a[i] < SMALL_##TYPE && r == r ? x[i] : r;                                       \
        }                                                                                          \
    }
#define LARGE_BOTH(op, condition, value)                                                           \
    LARGE(op, f32, F32, float, 0x1p30f, condition, value)                                          \
    LARGE(op, f64, F64, double, 0x1p60, condition, value)
LARGE_BOTH(asinh, a[i],
           x[i] < 0 ? -(l[i] + (__typeof__(*x))0x1.62e42fefa39efp-1)
                    : l[i] + (__typeof__(*x))0x1.62e42fefa39efp-1)
LARGE_BOTH(acosh, x[i], l[i] + (__typeof__(*x))0x1.62e42fefa39efp-1)
LARGE_BOTH(log1p, x[i], l[i])

/* SLEEF takes reciprocals, which FTZ cuts when an argument is near the largest numbers: both are
 * scaled down by the same power of two. Where that loses the smaller one the result is 0 anyway. */
#define SCALED(type, TYPE, T, limit, factor)                                                       \
    DEFINE(atan2, type) {                                                                          \
        const T *y = SOURCE(T, 0), *x = SOURCE(T, 1);                                              \
        if (!any_above_##type(x, limit) && !any_above_##type(y, limit)) {                          \
            sleef_atan2_##TYPE(y, x, dst[0]);                                                      \
            return;                                                                                \
        }                                                                                          \
        WARP(T, a);                                                                                \
        WARP(T, b);                                                                                \
        EACH_LANE {                                                                                \
            int large = (y[i] > limit) | (y[i] < -limit) | (x[i] > limit) | (x[i] < -limit);       \
            T scale = large ? factor : 1;                                                          \
            a[i] = y[i] * scale;                                                                   \
            b[i] = x[i] * scale;                                                                   \
        }                                                                                          \
        sleef_atan2_##TYPE(a, b, dst[0]);                                                          \
    }
SCALED(f32, F32, float, 0x1p100f, 0x1p-64f)
SCALED(f64, F64, double, 0x1p1000, 0x1p-512)
