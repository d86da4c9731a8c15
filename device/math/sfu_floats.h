/* sfu.h's operations on floats. */
#ifndef SIMTCL_SFU_FLOATS_H
#define SIMTCL_SFU_FLOATS_H

#include "functions.h"
#include "fused.h"

typedef struct {
    int unused;
} sfu_context;
typedef float sfu_real;
typedef uint32_t sfu_word;
typedef int sfu_flag, sfu_branch;

INLINE float sfu_number(sfu_context c, float f) { return (void)c, f; }
INLINE float sfu_bits(sfu_context c, uint32_t u) { return (void)c, float32(u); }
INLINE float sfu_add(sfu_context c, float x, float y) { return (void)c, x + y; }
INLINE float sfu_sub(sfu_context c, float x, float y) { return (void)c, x - y; }
INLINE float sfu_mul(sfu_context c, float x, float y) { return (void)c, x * y; }
INLINE float sfu_div(sfu_context c, float x, float y) { return (void)c, x / y; }
INLINE float sfu_mad(sfu_context c, float x, float y, float z) {
    return (void)c, fused_float(x, y, z);
}
INLINE uint32_t sfu_word_of(sfu_context c, float x) { return (void)c, bits32(x); }
INLINE float sfu_real_of(sfu_context c, uint32_t w) { return (void)c, float32(w); }
INLINE float sfu_convert(sfu_context c, uint32_t w) { return (void)c, (float)(int32_t)w; }
INLINE uint32_t sfu_plus(sfu_context c, uint32_t v, uint32_t w) { return (void)c, v + w; }
INLINE uint32_t sfu_minus(sfu_context c, uint32_t v, uint32_t w) { return (void)c, v - w; }
INLINE uint32_t sfu_and(sfu_context c, uint32_t v, uint32_t w) { return (void)c, v & w; }
INLINE uint32_t sfu_xor(sfu_context c, uint32_t v, uint32_t w) { return (void)c, v ^ w; }
INLINE uint32_t sfu_left(sfu_context c, uint32_t w, unsigned n) { return (void)c, w << n; }
INLINE uint32_t sfu_right(sfu_context c, uint32_t w, unsigned n) {
    return (void)c, (uint32_t)((int32_t)w >> n);
}
INLINE int sfu_below(sfu_context c, uint32_t v, uint32_t w) { return (void)c, v < w; }
INLINE int sfu_less(sfu_context c, float x, float y) { return (void)c, x < y; }
INLINE float sfu_select(sfu_context c, int f, float x, float y) { return (void)c, f ? x : y; }
INLINE bool sfu_scales(sfu_context c) { return (void)c, false; }
INLINE float sfu_scale(sfu_context c, float x, float k) { return (void)c, (void)k, x; }
INLINE float sfu_root_ends(sfu_context c, float x, float y, float s) {
    (void)c, (void)s;
    uint32_t u = bits32(x), size = u & 0x7fffffff;
    uint32_t end = size < 0x00800000 ? (u ^ size) | 0x7f800000 : u == 0x7f800000 ? 0 : 0x7fc00000;
    return u - 0x00800000 < 0x7f000000 ? y : float32(end);
}
INLINE sfu_branch sfu_unless(sfu_context c, int f) { return (void)c, f; }
INLINE sfu_branch sfu_unless_below(sfu_context c, uint32_t v, uint32_t w) { return (void)c, v < w; }
INLINE float sfu_meet(sfu_context c, sfu_branch b, float x, float y) { return (void)c, b ? x : y; }
INLINE int sfu_both(sfu_context c, int f, int g) { return (void)c, f & g; }
INLINE float sfu_size(sfu_context c, float x) { return (void)c, __builtin_fabsf(x); }
INLINE float sfu_negate(sfu_context c, float x) { return (void)c, -x; }
INLINE float sfu_pick(sfu_context c, const float *table, uint32_t w) {
    return (void)c, table[w & 7];
}
INLINE float sfu_by_lowest(sfu_context c, uint32_t w, float x, float y) {
    return (void)c, w & 1 ? x : y;
}
/* Whether they do is not known before MXCSR is. */
INLINE bool sfu_keeps(sfu_context c) { return (void)c, true; }
INLINE bool sfu_at_once(sfu_context c) { return (void)c, false; }
INLINE float sfu_log_ends(sfu_context c, float x, float y) { return (void)c, (void)x, y; }

#include "sfu.h"

#endif
