/* Fused multiply-add of floats: one rounding, on every level. */
#ifndef SIMTCL_FUSED_H
#define SIMTCL_FUSED_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__FMA__)
static inline __attribute__((always_inline)) float fused_float(float a, float b, float c) {
    return __builtin_fmaf(a, b, c);
}
#else
/* The product is exact in double. Their sum is rounded to odd there, and so, with 29 bits to spare,
 * rounds to float as the exact sum would. */
static inline __attribute__((always_inline)) float fused_float(float a, float b, float c) {
    double p = (double)a * b, s = p + c;
    double t = s - p, e = (p - (s - t)) + (c - t); /* what s lacks */
    int64_t bits;
    memcpy(&bits, &s, sizeof bits);
    int64_t step = (e > 0) == (s > 0) ? 1 : -1;
    bits += !(bits & 1) && (e < 0 || e > 0) && __builtin_fabs(s) < (double)INFINITY ? step : 0;
    memcpy(&s, &bits, sizeof bits);
    return (float)s;
}
#endif

#endif
