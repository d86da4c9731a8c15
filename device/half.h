/* Half precision by integers: the same under any MXCSR. */
#ifndef SIMTCL_HALF_H
#define SIMTCL_HALF_H

#include <stdint.h>
#include <string.h>

static inline float half_to_float(uint16_t h) {
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, magnitude = h & 0x7fff, u;
    if (magnitude >= 0x7c00) {
        u = 0x7f800000u | (magnitude & 0x3ff) << 13;
    } else if (magnitude >= 0x400) {
        u = (magnitude << 13) + ((127 - 15) << 23);
    } else if (magnitude) { /* a denormal: normal as a float */
        int shift = __builtin_clz(magnitude) - 21;
        u = ((uint32_t)(127 - 14 - shift) << 23) | ((magnitude << shift & 0x3ff) << 13);
    } else {
        u = 0;
    }
    u |= sign;
    float f;
    memcpy(&f, &u, 4);
    return f;
}

/* Rounds to the nearest even; overflow becomes an infinity. */
static inline uint16_t half_from_float(float f) {
    uint32_t u;
    memcpy(&u, &f, 4);
    uint16_t sign = (uint16_t)(u >> 16 & 0x8000);
    u &= 0x7fffffffu;
    if (u > 0x7f800000u) return sign | 0x7e00;
    if (u >= 0x47800000u) return sign | 0x7c00; /* 2^16 and up; 65520 to there round up below */
    if (u < 0x33000000u) return sign;           /* below half the smallest denormal */
    int e = (int)(u >> 23) - 127;
    uint32_t m = (u & 0x7fffffu) | 0x800000u;
    int cut = e < -14 ? 13 + (-14 - e) : 13; /* bits that go */
    uint32_t kept = m >> cut, rest = m & ((1u << cut) - 1), half = 1u << (cut - 1);
    kept += rest > half || (rest == half && (kept & 1));
    return sign |
           (uint16_t)(e < -14 ? kept
                              : kept + ((uint32_t)(e + 14)
                                        << 10)); /* the hidden bit adds one to the exponent */
}

#endif
