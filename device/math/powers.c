/* Powers with their own rules (6.11.2), and the sign of gamma. */
#include "sleef.h"

SLEEF_USE2(pow, _u10)
SLEEF_USE1(lgamma, _u10)
SLEEF_USE1(log, _u10)

/* SLEEF's power of doubles overflows early; where it does, the square of the power of half the
 * exponent tells, or the base itself, whose root may round up. */
INLINE void power_f64(const void *base, const void *exponent, double *d) {
    const double *x = base, *y = exponent;
    int infinite = 0;
    sleef_pow_F64(x, y, d);
    EACH_LANE infinite |= __builtin_fabs(d[i]) == INFINITY;
    if (!infinite) return;
    double half[ISA_WARP] __attribute__((aligned(128))), r[ISA_WARP] __attribute__((aligned(128)));
    EACH_LANE half[i] = y[i] * 0.5;
    EACH_LANE r[i] = __builtin_fabs(x[i]);
    sleef_pow_F64(r, half, r);
    EACH_LANE {
        int early = (__builtin_fabs(d[i]) == INFINITY) & (__builtin_fabs(x[i]) < INFINITY) &
                    (__builtin_fabs(y[i]) < INFINITY) & (x[i] != 0);
        double power = y[i] == 1 ? x[i] : __builtin_copysign(r[i] * r[i], d[i]);
        d[i] = early ? power : d[i];
    }
}

DEFINE(pow, f64) { power_f64(src[0], src[1], dst[0]); }

/* An integer power of a float: in double, where every exponent is exact. */
DEFINE(pown, f32) {
    double x[ISA_WARP] __attribute__((aligned(128))), n[ISA_WARP] __attribute__((aligned(128))),
        r[ISA_WARP] __attribute__((aligned(128)));
    const float *a = SOURCE(float, 0);
    const int32_t *b = SOURCE(int32_t, 1);
    float *d = RESULT(float, 0);
    EACH_LANE x[i] = a[i];
    EACH_LANE n[i] = b[i];
    sleef_pow_F64(x, n, r);
    EACH_LANE d[i] = b[i] == 0 ? 1 : (float)r[i];
}

DEFINE(pown, f64) {
    double n[ISA_WARP] __attribute__((aligned(128)));
    const int32_t *b = SOURCE(int32_t, 1);
    double *d = RESULT(double, 0);
    EACH_LANE n[i] = b[i];
    power_f64(src[0], n, d);
    EACH_LANE d[i] = b[i] == 0 ? 1 : d[i];
}

/* powr is defined as exp(y * log(x)): negative x, and the forms 0^0, inf^0, 1^inf are NaN. */
#define POWR(type, power, T)                                                                       \
    DEFINE(powr, type) {                                                                           \
        const T *x = SOURCE(T, 0), *y = SOURCE(T, 1);                                              \
        T *d = RESULT(T, 0), p[ISA_WARP] __attribute__((aligned(128)));                            \
        EACH_LANE p[i] = x[i] == 0 ? 0 : x[i]; /* -0 counts as 0 */                                \
        power(p, y, d);                                                                            \
        EACH_LANE {                                                                                \
            int bad = (x[i] < 0) | ((x[i] == 0) & (y[i] == 0)) |                                   \
                      ((x[i] == (T)INFINITY) & (y[i] == 0)) |                                      \
                      ((x[i] == 1) & ((y[i] == (T)INFINITY) | (y[i] == (T)-INFINITY))) |           \
                      (x[i] != x[i]) | (y[i] != y[i]);                                             \
            d[i] = bad ? (T)NAN : d[i];                                                            \
        }                                                                                          \
    }
POWR(f32, sleef_pow_F32, float)
POWR(f64, power_f64, double)

/* The n-th root: of |x|, with the sign of x for odd n; even roots of negative numbers and n = 0 are
 * NaN. A double power answers for floats; for doubles 1 / n is not exact enough, so one Newton step
 * follows. */
INLINE double root_sign(double root, double x, int32_t n) {
    int odd = n & 1;
    double r = odd && (bits64(x) >> 63) ? -root : root;
    return n == 0 || (x < 0 && !odd) || x != x ? NAN : r;
}

DEFINE(rootn, f32) {
    double x[ISA_WARP] __attribute__((aligned(128))), y[ISA_WARP] __attribute__((aligned(128))),
        r[ISA_WARP] __attribute__((aligned(128)));
    const float *a = SOURCE(float, 0);
    const int32_t *n = SOURCE(int32_t, 1);
    float *d = RESULT(float, 0);
    EACH_LANE x[i] = __builtin_fabs((double)a[i]);
    EACH_LANE y[i] = 1.0 / (n[i] ? n[i] : 1);
    sleef_pow_F64(x, y, r);
    EACH_LANE d[i] = (float)root_sign(r[i], (double)a[i], n[i]);
}

DEFINE(rootn, f64) {
    double x[ISA_WARP] __attribute__((aligned(128))), y[ISA_WARP] __attribute__((aligned(128))),
        r[ISA_WARP] __attribute__((aligned(128))), p[ISA_WARP] __attribute__((aligned(128)));
    const double *a = SOURCE(double, 0);
    const int32_t *n = SOURCE(int32_t, 1);
    double *d = RESULT(double, 0);
    EACH_LANE x[i] = __builtin_fabs(a[i]);
    EACH_LANE y[i] = 1.0 / (n[i] ? n[i] : 1);
    power_f64(x, y, r);
    /* The step wants the power of the root in full precision: that of a denormal is taken with the
     * root times 2^up, which multiplies it by 2^(up n); where n is large the first root will do. */
    double base[ISA_WARP] __attribute__((aligned(128))), target[ISA_WARP];
    EACH_LANE {
        int count = n[i] < 0 ? -(int64_t)n[i] > 200 ? 201 : -n[i] : n[i] > 200 ? 201 : n[i];
        int scaled = (x[i] < 0x1p-1022) & (count > 0) & (count <= 200);
        int up = scaled ? (59 + count) / count : 0;
        base[i] = r[i] * float64((uint64_t)(1023 + (n[i] < 0 ? -up : up)) << 52);
        target[i] = x[i] * float64((uint64_t)(1023 + up * count) << 52);
        y[i] = n[i];
    }
    power_f64(base, y, p);
    EACH_LANE {
        double step = (p[i] / target[i] - 1) * (1.0 / (n[i] ? n[i] : 1));
        int usable = (target[i] >= 0x1p-1022) & (x[i] < INFINITY) & (p[i] > 0) & (p[i] < INFINITY) &
                     (step < 0.5) & (step > -0.5);
        double root = usable ? r[i] - r[i] * step : r[i];
        d[i] = root_sign(root, a[i], n[i]);
    }
}

/* SLEEF's lgamma overflows early: it subtracts x from x log(x). Of so large an x nothing else
 * counts, and for floats the product has room in a double. */
#define LGAMMA_LARGE_F32 0x1p120
#define LGAMMA_LARGE_F64 0x1p1000

INLINE int any_large(const double *x, double large) {
    int any = 0;
    EACH_LANE any |= x[i] >= large;
    return any;
}

INLINE void lgamma_large(const double *x, double *d) {
    sleef_log_F64(x, d);
    EACH_LANE d[i] = x[i] * (d[i] - 1);
}

INLINE void lgamma_f32(const float *x, float *d) {
    double wide[ISA_WARP] __attribute__((aligned(128))), r[ISA_WARP] __attribute__((aligned(128)));
    EACH_LANE wide[i] = x[i];
    sleef_lgamma_F32(x, d);
    if (!any_large(wide, LGAMMA_LARGE_F32)) return;
    lgamma_large(wide, r);
    EACH_LANE d[i] = wide[i] >= LGAMMA_LARGE_F32 ? (float)r[i] : d[i];
}

INLINE void lgamma_f64(const double *x, double *d) {
    double r[ISA_WARP] __attribute__((aligned(128)));
    sleef_lgamma_F64(x, d);
    if (!any_large(x, LGAMMA_LARGE_F64)) return;
    lgamma_large(x, r);
    EACH_LANE d[i] = x[i] >= LGAMMA_LARGE_F64 ? r[i] : d[i];
}

DEFINE(lgamma, f32) { lgamma_f32(SOURCE(float, 0), RESULT(float, 0)); }
DEFINE(lgamma, f64) { lgamma_f64(SOURCE(double, 0), RESULT(double, 0)); }

/* Gamma is negative between -1 and 0, -3 and -2, ... */
DEFINE(lgamma_r, f32) {
    const float *x = SOURCE(float, 0);
    int32_t *sign = RESULT(int32_t, 1);
    lgamma_f32(x, dst[0]);
    EACH_LANE {
        float f = __builtin_floorf(x[i]), h = f * 0.5f;
        sign[i] = x[i] < 0 && f != x[i] && __builtin_floorf(h) != h ? -1 : 1;
    }
}
DEFINE(lgamma_r, f64) {
    const double *x = SOURCE(double, 0);
    int32_t *sign = RESULT(int32_t, 1);
    lgamma_f64(x, dst[0]);
    EACH_LANE {
        double f = __builtin_floor(x[i]), h = f * 0.5;
        sign[i] = x[i] < 0 && f != x[i] && __builtin_floor(h) != h ? -1 : 1;
    }
}
