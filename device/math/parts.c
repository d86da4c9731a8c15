/* Exponents, fractions, neighbours and remainders: exact results, from the bits. */
#include "functions.h"

/* Zeros, and denormals where they count as zero (DAZ), compare equal to 0; a denormal that counts
 * is scaled up by a power of two first. */
#define SCALE_F32 0x1p32f
#define SCALE_F64 0x1p64
enum { SCALE_BITS_F32 = 32, SCALE_BITS_F64 = 64 };

#define PARTS(type, TYPE, T, U, I, bits, from_bits, MANTISSA, EXPONENT_MAX, BIAS)                  \
    /* The exponent of a finite x != 0, and its mantissa's bits with a zero exponent and the sign. \
     */                                                                                            \
    INLINE int exponent_##type(T x, U *rest) {                                                     \
        U u = bits(x);                                                                             \
        int e = (int)(u >> MANTISSA & EXPONENT_MAX);                                               \
        U scaled = bits(x * SCALE_##TYPE);                                                         \
        int small = e == 0;                                                                        \
        u = small ? scaled : u;                                                                    \
        e = small ? (int)(u >> MANTISSA & EXPONENT_MAX) - SCALE_BITS_##TYPE : e;                   \
        *rest = u & ~((U)EXPONENT_MAX << MANTISSA);                                                \
        return e - BIAS;                                                                           \
    }                                                                                              \
    DEFINE(logb, type) {                                                                           \
        const T *x = SOURCE(T, 0);                                                                 \
        T *d = RESULT(T, 0);                                                                       \
        EACH_LANE {                                                                                \
            U rest;                                                                                \
            T e = (T)exponent_##type(x[i], &rest);                                                 \
            T a = x[i] * x[i]; /* inf or NaN stay so */                                            \
            int odd = (bits(x[i]) >> MANTISSA & EXPONENT_MAX) == EXPONENT_MAX;                     \
            d[i] = odd ? a : x[i] == 0 ? (T)-INFINITY : e;                                         \
        }                                                                                          \
    }                                                                                              \
    /* ilogb of 0 is FP_ILOGB0 = INT_MIN, of infinities INT_MAX, of NaN FP_ILOGBNAN = INT_MAX. */  \
    DEFINE(ilogb, type) {                                                                          \
        const T *x = SOURCE(T, 0);                                                                 \
        int32_t *d = RESULT(int32_t, 0);                                                           \
        EACH_LANE {                                                                                \
            U rest;                                                                                \
            int e = exponent_##type(x[i], &rest);                                                  \
            int odd = (bits(x[i]) >> MANTISSA & EXPONENT_MAX) == EXPONENT_MAX;                     \
            d[i] = odd ? INT32_MAX : x[i] == 0 ? INT32_MIN : e;                                    \
        }                                                                                          \
    }                                                                                              \
    DEFINE(frexp, type) {                                                                          \
        const T *x = SOURCE(T, 0);                                                                 \
        T *d = RESULT(T, 0);                                                                       \
        int32_t *exponent = RESULT(int32_t, 1);                                                    \
        EACH_LANE {                                                                                \
            U rest;                                                                                \
            int e = exponent_##type(x[i], &rest);                                                  \
            int as_it_is = (bits(x[i]) >> MANTISSA & EXPONENT_MAX) == EXPONENT_MAX || x[i] == 0;   \
            U zero = bits(x[i]) >> (sizeof(U) * 8 - 1)                                             \
                                       << (sizeof(U) * 8 - 1); /* of a flushed x too */            \
            d[i] = x[i] == 0  ? from_bits(zero)                                                    \
                   : as_it_is ? x[i]                                                               \
                              : from_bits(rest | (U)(BIAS - 1) << MANTISSA);                       \
            exponent[i] = as_it_is ? 0 : e + 1;                                                    \
        }                                                                                          \
    }                                                                                              \
    DEFINE(fdim, type) {                                                                           \
        const T *x = SOURCE(T, 0), *y = SOURCE(T, 1);                                              \
        T *d = RESULT(T, 0);                                                                       \
        EACH_LANE {                                                                                \
            T difference = x[i] - y[i];                                                            \
            d[i] = x[i] <= y[i] ? 0 : difference; /* NaN: the difference is one */                 \
        }                                                                                          \
    }                                                                                              \
    /* Floats in the order of their bits, as two's complement: -0 and 0 are both 0. */             \
    DEFINE(nextafter, type) {                                                                      \
        const T *x = SOURCE(T, 0), *y = SOURCE(T, 1);                                              \
        T *d = RESULT(T, 0);                                                                       \
        const U sign = (U)1 << (sizeof(U) * 8 - 1), infinity = (U)EXPONENT_MAX << MANTISSA;        \
        EACH_LANE {                                                                                \
            U a = bits(x[i]), b = bits(y[i]);                                                      \
            I from = (I)(a & sign ? sign - a : a), to = (I)(b & sign ? sign - b : b);              \
            I next = from + (from < to) - (from > to);                                             \
            U r = next < 0 ? sign - (U)next : (U)next;                                             \
            r = next == 0 && from < 0 ? sign : r; /* up from the smallest negative: -0 */          \
            r = from == to ? b : r;                                                                \
            r = (b & ~sign) > infinity ? b : r;                                                    \
            r = (a & ~sign) > infinity ? a : r;                                                    \
            d[i] = from_bits(r);                                                                   \
        }                                                                                          \
    }

PARTS(f32, F32, float, uint32_t, int32_t, bits32, float32, 23, 255, 127)
PARTS(f64, F64, double, uint64_t, int64_t, bits64, float64, 52, 2047, 1023)

/* A float times a power of two is exact in double; the conversion rounds once. */
DEFINE(ldexp, f32) {
    const float *x = SOURCE(float, 0);
    const int32_t *n = SOURCE(int32_t, 1);
    float *d = RESULT(float, 0);
    EACH_LANE {
        int e = n[i] < -400 ? -400 : n[i] > 400 ? 400 : n[i];
        d[i] = (float)((double)x[i] * float64((uint64_t)(e + 1023) << 52));
    }
}
DEFINE(ldexp, f64) {
    const double *x = SOURCE(double, 0);
    const int32_t *n = SOURCE(int32_t, 1);
    double *d = RESULT(double, 0);
    for (int i = 0; i < ISA_WARP; i++) d[i] = ldexp(x[i], n[i]);
}

/* The significands' remainder by long division, 64 bits a step: C libraries take one bit a step,
 * which for doubles may be two thousand. */
static double fmod_long(double x, double y) {
    const uint64_t infinity = 0x7ffull << 52, below = (1ull << 52) - 1;
    uint64_t sign = bits64(x) & 1ull << 63, a = bits64(x) ^ sign, b = bits64(y) & ~0ull >> 1;
    if (b == 0 || a >= infinity || b > infinity) return fmod(x, y);
    if (a < b) return x;
    int more = (int)(a >> 52), exponent = (int)(b >> 52);
    uint64_t rest = (a & below) | (more ? 1ull << 52 : 0);
    uint64_t divisor = (b & below) | (exponent ? 1ull << 52 : 0);
    more += !more;
    exponent += !exponent;
    rest %= divisor;
    for (int n = more - exponent; n > 0 && rest; n -= 64)
        rest = (uint64_t)(((unsigned __int128)rest << (n < 64 ? n : 64)) % divisor);
    if (!rest) return float64(sign);
    int shift = __builtin_clzll(rest) - 11;
    if (shift >= exponent) shift = exponent - 1; /* a denormal */
    rest <<= shift;
    exponent -= shift;
    if (rest >> 52) rest = (rest & below) | (uint64_t)exponent << 52;
    return float64(rest | sign);
}

/* |x| modulo |y| of a warp. Where the quotient is below 2^53 its whole part is at most one too
 * large, and what it leaves is exact. */
static void modulo(const double *x, const double *y, double *r) {
    int far = 0;
    EACH_LANE {
        double a = __builtin_fabs(x[i]), b = __builtin_fabs(y[i]), q = a / b;
        double left = __builtin_fma(-__builtin_trunc(q), b, a);
        left = left < 0 ? left + b : left;
        r[i] = q < 1 ? a : left; /* b may be infinite */
        far |= !(q < 0x1p53);
    }
    if (!far) return;
    for (int i = 0; i < ISA_WARP; i++)
        if (!(fabs(x[i]) / fabs(y[i]) < 0x1p53)) r[i] = fmod_long(fabs(x[i]), fabs(y[i]));
}

/* The remainder, and the quotient's low seven bits with its sign: x is first reduced by 128 y,
 * where that is finite. */
static void nearest(const double *x, const double *y, double *r, int32_t *quotient) {
    WARP(double, many);
    WARP(double, low);
    EACH_LANE {
        double b = __builtin_fabs(y[i]);
        many[i] = b < 0x1p1016 ? 128 * b : (double)INFINITY;
    }
    modulo(x, many, low);
    EACH_LANE {
        double a = low[i], b = __builtin_fabs(y[i]), q = __builtin_trunc(a / b);
        double left = a < b ? a : __builtin_fma(-q, b, a);
        int much = left < 0;
        q = much ? q - 1 : q;
        left = much ? left + b : left;
        double other = b - left;
        int whole = left == left && b != 0 ? (int)q : 0;
        int up = (left > other) | ((left == other) & whole & 1);
        left = up ? left - b : left;
        int bits = (whole + up) & 127;
        r[i] = bits64(x[i]) >> 63 ? -left : left;
        quotient[i] = (x[i] < 0) != (y[i] < 0) ? -bits : bits;
    }
}

DEFINE(fmod, f64) {
    const double *x = SOURCE(double, 0);
    double *d = RESULT(double, 0);
    modulo(x, SOURCE(double, 1), d);
    EACH_LANE d[i] = bits64(x[i]) >> 63 ? -d[i] : d[i];
}
DEFINE(remquo, f64) {
    nearest(SOURCE(double, 0), SOURCE(double, 1), RESULT(double, 0), RESULT(int32_t, 1));
}
DEFINE(remainder, f64) {
    WARP(int32_t, quotient);
    nearest(SOURCE(double, 0), SOURCE(double, 1), RESULT(double, 0), quotient);
}

/* Floats go through double, where none is a denormal. */
#define WIDENED                                                                                    \
    WARP(double, x);                                                                               \
    WARP(double, y);                                                                               \
    WARP(double, r);                                                                               \
    const float *a = SOURCE(float, 0), *b = SOURCE(float, 1);                                      \
    float *d = RESULT(float, 0);                                                                   \
    EACH_LANE x[i] = a[i];                                                                         \
    EACH_LANE y[i] = b[i];
DEFINE(fmod, f32) {
    WIDENED
    modulo(x, y, r);
    EACH_LANE d[i] = (float)(bits32(a[i]) >> 31 ? -r[i] : r[i]);
}
DEFINE(remquo, f32) {
    WIDENED
    nearest(x, y, r, RESULT(int32_t, 1));
    EACH_LANE d[i] = (float)r[i];
}
DEFINE(remainder, f32) {
    WIDENED
    WARP(int32_t, quotient);
    nearest(x, y, r, quotient);
    EACH_LANE d[i] = (float)r[i];
}
