/* The special function unit: short polynomials with the errors of the guide's B.2.
 *
 * Every step is one IEEE operation (fma included), so all levels give the same bits. Denormals
 * count as zero, whatever MXCSR says. */
#include "functions.h"

INLINE float mad(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

/* sin(r) for |r| <= pi/2 (+0.01): error below 2^-27 before rounding. */
INLINE float sine_kernel(float r) {
    float s = r * r;
    float p = mad(s, 0x1.5cb6c2p-19f, -0x1.9f5b44p-13f);
    p = mad(s, p, 0x1.110e50p-7f);
    p = mad(s, p, -0x1.555548p-3f);
    return mad(r * s, p, r);
}

#define PI_HIGH 0x1.921fb6p+1f
#define PI_LOW  -0x1.777a5cp-24f

/* Flips the sign when k, a whole number, is odd. Large k: any bit will do, the reduction has lost
 * all. */
INLINE float alternate(float value, float k) {
    float clamped = k > -0x1p30f ? (k < 0x1p30f ? k : 0x1p30f) : -0x1p30f;
    uint32_t odd = (uint32_t)(int32_t)clamped & 1;
    return float32(bits32(value) ^ odd << 31);
}

INLINE float native_sine(float x) {
    float k = __builtin_rintf(x * 0x1.45f306p-2f);
    float r = mad(k, -PI_LOW, mad(k, -PI_HIGH, x));
    return alternate(sine_kernel(r), k);
}

/* cos(x) = sin(x + pi/2): with x = (k + 1/2) pi + r it is -(-1)^k sin(r). */
INLINE float native_cosine(float x) {
    float k = __builtin_rintf(mad(x, 0x1.45f306p-2f, -0.5f)), h = k + 0.5f;
    float r = mad(h, -PI_LOW, mad(h, -PI_HIGH, x));
    return -alternate(sine_kernel(r), k);
}

/* b^x with log2(b) = high + low: x log2(b) = k + r, a polynomial for 2^r, and k into the exponent
 * in two halves, so that overflow and underflow come about by themselves. */
INLINE float power_of(float x, float high, float low) {
    float c = x * high;
    c = c < -160 ? -160 : c > 160 ? 160 : c; /* NaN: as it is */
    float k = __builtin_rintf(c);
    float r = c > -160 && c < 160 ? mad(x, low, mad(x, high, -k)) : c - k;
    float p = mad(r, 0x1.44843cp-13f, 0x1.5f483cp-10f);
    p = mad(r, p, 0x1.3b29bcp-7f);
    p = mad(r, p, 0x1.c6aecep-5f);
    p = mad(r, p, 0x1.ebfbep-3f);
    p = mad(r, p, 0x1.62e43p-1f);
    p = mad(r, p, 1.0f);
    float whole = k == k ? k : 0;
    int n = (int)whole, half = n >> 1;
    return p * float32((uint32_t)(half + 127) << 23) * float32((uint32_t)(n - half + 127) << 23);
}

/* log2(x): x = 2^e (1 + f), f in [-1/3, 1/3]. */
INLINE float log_base_two(float x) {
    uint32_t u = bits32(x);
    uint32_t part = u - 0x3f2aaaabu; /* 2/3 */
    int e = (int32_t)part >> 23;
    float f = float32((part & 0x7fffffu) + 0x3f2aaaabu) - 1;
    float p = mad(f, 0x1.b2be66p-3f, -0x1.cf30e8p-3f);
    p = mad(f, p, 0x1.988b7ap-3f);
    p = mad(f, p, -0x1.e335e4p-3f);
    p = mad(f, p, 0x1.27d496p-2f);
    p = mad(f, p, -0x1.71811cp-2f);
    p = mad(f, p, 0x1.ec6e98p-2f);
    p = mad(f, p, -0x1.715434p-1f);
    p = mad(f, p, 0x1.715478p+0f);
    float r = mad(f, p, (float)e);
    r = (u & 0x7fffffffu) < 0x800000u ? -INFINITY : r;                       /* zeros, denormals */
    r = u > 0x80800000u - 1 && u <= 0xff800000u ? NAN : r;                   /* negative */
    return (u & 0x7f800000u) == 0x7f800000u && u != 0xff800000u ? x + x : r; /* inf, NaN */
}

#define NATIVE1(op, expression)                                                                    \
    DEFINE(op, f32) {                                                                              \
        const float *a = SOURCE(float, 0);                                                         \
        float *d = RESULT(float, 0);                                                               \
        EACH_LANE {                                                                                \
            float x = a[i];                                                                        \
            d[i] = expression;                                                                     \
        }                                                                                          \
    }
#define NATIVE2(op, expression)                                                                    \
    DEFINE(op, f32) {                                                                              \
        const float *a = SOURCE(float, 0), *b = SOURCE(float, 1);                                  \
        float *d = RESULT(float, 0);                                                               \
        EACH_LANE {                                                                                \
            float x = a[i], y = b[i];                                                              \
            d[i] = expression;                                                                     \
        }                                                                                          \
    }

NATIVE1(native_sin, native_sine(x))
NATIVE1(native_cos, native_cosine(x))
NATIVE1(native_tan, native_sine(x) * (1 / native_cosine(x)))
NATIVE1(native_exp, power_of(x, 0x1.715476p+0f, 0x1.4ae0cp-26f))
NATIVE1(native_exp2, power_of(x, 1, 0))
NATIVE1(native_exp10, power_of(x, 0x1.a934fp+1f, 0x1.2f346ep-24f))
NATIVE1(native_log, log_base_two(x) * 0x1.62e43p-1f)
NATIVE1(native_log2, log_base_two(x))
NATIVE1(native_log10, log_base_two(x) * 0x1.344136p-2f)
NATIVE2(native_powr, power_of(y *log_base_two(x), 1, 0))
NATIVE1(native_rsqrt, 1 / __builtin_sqrtf(x))
NATIVE1(native_recip, 1 / x)
NATIVE2(native_divide, x / y)
