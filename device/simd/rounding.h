/* Rounding of floating-point numbers to whole ones. Written with additions and comparisons alone,
 * so that all levels, vectorised or not, with denormals flushed or not, give the same bits. */
#ifndef SIMTCL_LANES_ROUNDING_H
#define SIMTCL_LANES_ROUNDING_H

#include <math.h>

#include "device/simd/simd.h"

/* From BIG = 2^(digits - 1) on every number is whole, and |x| + BIG - BIG rounds |x| below it to
 * nearest even. The sum with 0 quietens a NaN. */
#define ROUNDING(T, s, BIG)                                                                        \
    ALWAYS T rint_##s(T x) {                                                                       \
        T a = fabs##s(x), r = copysign##s((a + BIG) - BIG, x);                                     \
        return a < BIG ? r : x + 0;                                                                \
    }                                                                                              \
    ALWAYS T floor_##s(T x) {                                                                      \
        T a = fabs##s(x), r = copysign##s((a + BIG) - BIG, x);                                     \
        r = copysign##s(r > x ? r - 1 : r, x);                                                     \
        return a < BIG ? r : x + 0;                                                                \
    }                                                                                              \
    ALWAYS T ceil_##s(T x) {                                                                       \
        T a = fabs##s(x), r = copysign##s((a + BIG) - BIG, x);                                     \
        r = copysign##s(r < x ? r + 1 : r, x);                                                     \
        return a < BIG ? r : x + 0;                                                                \
    }                                                                                              \
    ALWAYS T trunc_##s(T x) {                                                                      \
        T a = fabs##s(x), r = (a + BIG) - BIG;                                                     \
        r = copysign##s(r > a ? r - 1 : r, x);                                                     \
        return a < BIG ? r : x + 0;                                                                \
    }                                                                                              \
    ALWAYS T round_##s(T x) {                                                                      \
        T a = fabs##s(x), r = (a + BIG) - BIG;                                                     \
        r = r > a ? r - 1 : r;                                                                     \
        r = copysign##s(a - r >= (T)0.5 ? r + 1 : r, x);                                           \
        return a < BIG ? r : x + 0;                                                                \
    }
#define copysignd copysign
#define fabsd     fabs
ROUNDING(float, f, 0x1p23f)
ROUNDING(double, d, 0x1p52)
#undef ROUNDING

#endif
