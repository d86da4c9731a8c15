/* Conversions between types, in all four rounding modes, and to and from half precision. MXCSR
 * stays at rounding to nearest: directed results are made by hand. */
#include "alu.h"
#include "device/simd/rounding.h"

/* ---- integer to integer: c_<to>_<from> ---- */
#define CAST(R, T)                                                                                 \
    ALWAYS R cast_##R##_##T(T x) { return (R)x; }                                                  \
    ALU_UNARY(h_cast_##R##_##T, cast_##R##_##T, R, T)
#define WIDEN(R, T)                                                                                \
    CAST(int##R##_t, int##T##_t)                                                                   \
    CAST(uint##R##_t, uint##T##_t)                                                                 \
    CAST(int##T##_t, int##R##_t)
WIDEN(16, 8)
WIDEN(32, 8)
WIDEN(64, 8)
WIDEN(32, 16)
WIDEN(64, 16)
WIDEN(64, 32)

/* ---- float to float ---- */
ALWAYS float step_up(float x) { /* the next float towards +inf; x is finite, or -inf */
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = bits == INT32_MIN ? 1 : bits + (bits < 0 ? -1 : 1);
    memcpy(&x, &bits, sizeof bits);
    return x;
}
ALWAYS float narrow_rte(double x) { return (float)x; }
ALWAYS float narrow_rtp(double x) {
    float r = (float)x;
    return (double)r < x ? step_up(r) : r;
}
ALWAYS float narrow_rtn(double x) {
    float r = (float)x;
    return (double)r > x ? -step_up(-r) : r;
}
ALWAYS float narrow_rtz(double x) {
    float a = narrow_rtn(fabs(x));
    return copysignf(a, (float)x);
}
ALWAYS double widen_rte(float x) { return x; }

/* ---- integer to float ---- */
/* The magnitude `m`, negated if `negative`, as a number of `digits` bits and a power of two. */
struct scaled {
    uint64_t digits, scale;
};
ALWAYS struct scaled scaled(uint64_t m, bool negative, int digits, enum isa_rounding mode) {
    int excess = m ? 64 - __builtin_clzll(m) - digits : 0;
    if (excess <= 0) return (struct scaled){m, 1};
    uint64_t q = m >> excess, rest = m & (((uint64_t)1 << excess) - 1);
    bool away = mode == ISA_RTP ? !negative : mode == ISA_RTN ? negative : false;
    return (struct scaled){q + (away && rest), (uint64_t)1 << excess};
}
#define FROM_INTEGER(F, DIGITS, mode, MODE)                                                        \
    ALWAYS F F##_int64_t_##mode(int64_t x) {                                                       \
        struct scaled v = scaled(x < 0 ? -(uint64_t)x : (uint64_t)x, x < 0, DIGITS, MODE);         \
        F r = (F)v.digits * (F)v.scale;                                                            \
        return x < 0 ? -r : r;                                                                     \
    }                                                                                              \
    ALWAYS F F##_uint64_t_##mode(uint64_t x) {                                                     \
        struct scaled v = scaled(x, false, DIGITS, MODE);                                          \
        return (F)v.digits * (F)v.scale;                                                           \
    }
#define DIRECTED(EACH) EACH(rtz, ISA_RTZ) EACH(rtp, ISA_RTP) EACH(rtn, ISA_RTN)
#define MODES(EACH)    EACH(rte, ISA_RTE) DIRECTED(EACH)
#define BOTH(mode, MODE)                                                                           \
    FROM_INTEGER(float, 24, mode, MODE)                                                            \
    FROM_INTEGER(double, 53, mode, MODE)                                                           \
    ALWAYS float float_int32_t_##mode(int32_t x) { return narrow_##mode((double)x); }              \
    ALWAYS float float_uint32_t_##mode(uint32_t x) {                                               \
        return narrow_##mode((double)(int32_t)(x ^ 0x80000000u) + 0x1p31);                         \
    }
DIRECTED(BOTH)
#undef BOTH
#define PLAIN(F, T)                                                                                \
    ALWAYS F F##_##T##_rte(T x) { return (F)x; }
PLAIN(float, int64_t)
PLAIN(float, uint64_t)
PLAIN(float, int32_t)
PLAIN(double, int64_t)
PLAIN(double, uint64_t)
ALWAYS float float_uint32_t_rte(uint32_t x) {
    return (float)((double)(int32_t)(x ^ 0x80000000u) + 0x1p31);
}
#define FROM_ROUNDED(mode, MODE)                                                                   \
    ALU_UNARY(h_float_int32_t_##mode, float_int32_t_##mode, float, int32_t)                        \
    ALU_UNARY(h_float_uint32_t_##mode, float_uint32_t_##mode, float, uint32_t)                     \
    ALU_UNARY(h_float_int64_t_##mode, float_int64_t_##mode, float, int64_t)                        \
    ALU_UNARY(h_float_uint64_t_##mode, float_uint64_t_##mode, float, uint64_t)                     \
    ALU_UNARY(h_double_int64_t_##mode, double_int64_t_##mode, double, int64_t)                     \
    ALU_UNARY(h_double_uint64_t_##mode, double_uint64_t_##mode, double, uint64_t)                  \
    ALU_UNARY(h_narrow_##mode, narrow_##mode, float, double)
MODES(FROM_ROUNDED)
/* These are exact in every mode. */
#define EXACT(F, T)                                                                                \
    PLAIN(F, T)                                                                                    \
    ALU_UNARY(h_##F##_##T, F##_##T##_rte, F, T)
EXACT(float, int8_t)
EXACT(float, uint8_t)
EXACT(float, int16_t)
EXACT(float, uint16_t)
EXACT(double, int8_t)
EXACT(double, uint8_t)
EXACT(double, int16_t)
EXACT(double, uint16_t)
EXACT(double, int32_t)
ALWAYS double double_uint32_t(uint32_t x) { return (double)(int32_t)(x ^ 0x80000000u) + 0x1p31; }
ALU_UNARY(h_double_uint32_t, double_uint32_t, double, uint32_t)
ALU_UNARY(h_widen, widen_rte, double, float)

/* ---- float to integer: round, clamp ---- */
#define rte_f rint_f
#define rtz_f trunc_f
#define rtp_f ceil_f
#define rtn_f floor_f
#define rte_d rint_d
#define rtz_d trunc_d
#define rtp_d ceil_d
#define rtn_d floor_d
/* Every value left converts within C's rules; VIA is a type that has vector conversions where one
 * fits. */
#define TO_SIGNED(T, VIA, n, F, s, mode)                                                           \
    ALWAYS T T##_##F##_##mode(F x) {                                                               \
        F y = mode##_##s(x);                                                                       \
        bool high = y >= (F)0x1p##n, low = y < -(F)0x1p##n, none = y != y;                         \
        T r = (T)(VIA)(high || low || none ? 0 : y);                                               \
        return high ? (T)((1ull << n) - 1) : low ? (T)(-1ull << n) : r;                            \
    }                                                                                              \
    ALU_UNARY(h_##T##_##F##_##mode, T##_##F##_##mode, T, F)
#define TO_UNSIGNED(T, VIA, n, F, s, mode)                                                         \
    ALWAYS T T##_##F##_##mode(F x) {                                                               \
        F y = mode##_##s(x);                                                                       \
        bool high = y >= (F)0x1p##n, ok = y > 0 && !high;                                          \
        T r = (T)(VIA)(ok ? y : 0);                                                                \
        return high ? (T)-1 : r;                                                                   \
    }                                                                                              \
    ALU_UNARY(h_##T##_##F##_##mode, T##_##F##_##mode, T, F)
#define TO_INTEGERS(F, s, mode)                                                                    \
    TO_SIGNED(int8_t, int32_t, 7, F, s, mode)                                                      \
    TO_SIGNED(int16_t, int32_t, 15, F, s, mode)                                                    \
    TO_SIGNED(int32_t, int32_t, 31, F, s, mode)                                                    \
    TO_SIGNED(int64_t, int64_t, 63, F, s, mode)                                                    \
    TO_UNSIGNED(uint8_t, int32_t, 8, F, s, mode)                                                   \
    TO_UNSIGNED(uint16_t, int32_t, 16, F, s, mode)                                                 \
    TO_UNSIGNED(uint32_t, uint32_t, 32, F, s, mode)                                                \
    TO_UNSIGNED(uint64_t, uint64_t, 64, F, s, mode)
#define BOTH(mode, MODE) TO_INTEGERS(float, f, mode) TO_INTEGERS(double, d, mode)
MODES(BOTH)
#undef BOTH

/* ---- half ---- */
/* 2^-24 times its digits is a half denormal, and a normal float. */
ALWAYS float float_half(uint16_t h) {
    uint32_t e = h >> 10 & 31, m = h & 0x3ff, bits;
    float tiny = (float)(int32_t)m * 0x1p-24f;
    memcpy(&bits, &tiny, sizeof bits);
    uint32_t special = 0x7f800000u | m << 13 | (m ? 0x400000u : 0);
    bits = e == 0 ? bits : e == 31 ? special : (e + 112) << 23 | m << 13;
    bits |= (uint32_t)(h & 0x8000) << 16;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
ALWAYS double double_half(uint16_t h) { return float_half(h); }
ALU_UNARY(h_float_half, float_half, float, uint16_t)
ALU_UNARY(h_double_half, double_half, double, uint16_t)

/* From a double; a float widens exactly, and to zero where it is a denormal that is flushed. */
ALWAYS uint16_t half_double(double x, enum isa_rounding mode) {
    uint64_t bits, man;
    memcpy(&bits, &x, sizeof bits);
    int e = (int)(bits >> 52 & 0x7ff);
    man = bits & (((uint64_t)1 << 52) - 1);
    bool negative = bits >> 63;
    uint32_t sign = negative ? 0x8000 : 0;
    if (e == 0x7ff) return (uint16_t)(sign | 0x7c00 | (man ? 0x200 | man >> 42 : 0));
    bool away = mode == ISA_RTP ? !negative : mode == ISA_RTN ? negative : false;
    uint32_t over = mode == ISA_RTE || away ? 0x7c00 : 0x7bff;
    man |= e ? (uint64_t)1 << 52 : 0;
    e = (e ? e : 1) - 1023;
    int shift = e >= -14 ? 42 : -14 - e > 20 ? 62 : 42 - 14 - e;
    uint64_t q = man >> shift, rest = man & (((uint64_t)1 << shift) - 1);
    uint64_t middle = (uint64_t)1 << (shift - 1);
    bool up = mode == ISA_RTE ? rest > middle || (rest == middle && (q & 1)) : away && rest;
    uint32_t h = (uint32_t)q + (e >= -14 && e <= 15 ? (uint32_t)(e + 14) << 10 : 0) + up;
    return (uint16_t)(sign | (e > 15 || h >= 0x7c00 ? over : h));
}
#define HALF(mode, MODE)                                                                           \
    ALWAYS uint16_t half_float_##mode(float x) { return half_double(x, MODE); }                    \
    ALWAYS uint16_t half_double_##mode(double x) { return half_double(x, MODE); }                  \
    ALU_UNARY(h_half_float_##mode, half_float_##mode, uint16_t, float)                             \
    ALU_UNARY(h_half_double_##mode, half_double_##mode, uint16_t, double)
MODES(HALF)

/* ---- the table ---- */
#define ROW(o, to, from, mode, h)                                                                  \
    t->convert[ISA_##o - ISA_trunc][ISA_##to][ISA_##from][mode][0] = h##_v;                        \
    t->convert[ISA_##o - ISA_trunc][ISA_##to][ISA_##from][mode][1] = h##_u;
#define IN_EVERY_MODE(o, to, from, h)                                                              \
    for (int mode = 0; mode < ISA_ROUNDING_COUNT; mode++) {                                        \
        ROW(o, to, from, mode, h)                                                                  \
    }

PART(conversions) {
#define INTEGERS(R, T)                                                                             \
    IN_EVERY_MODE(sext, I##R, I##T, h_cast_int##R##_t_int##T##_t)                                  \
    IN_EVERY_MODE(zext, I##R, I##T, h_cast_uint##R##_t_uint##T##_t)                                \
    IN_EVERY_MODE(trunc, I##T, I##R, h_cast_int##T##_t_int##R##_t)
    INTEGERS(16, 8)
    INTEGERS(32, 8)
    INTEGERS(64, 8)
    INTEGERS(32, 16)
    INTEGERS(64, 16)
    INTEGERS(64, 32)
#define EXACTLY(TO, F, n)                                                                          \
    IN_EVERY_MODE(s2f, TO, I##n, h_##F##_int##n##_t)                                               \
    IN_EVERY_MODE(u2f, TO, I##n, h_##F##_uint##n##_t)
    EXACTLY(F32, float, 8)
    EXACTLY(F32, float, 16)
    EXACTLY(F64, double, 8)
    EXACTLY(F64, double, 16)
    EXACTLY(F64, double, 32)
    IN_EVERY_MODE(f2f, F64, F32, h_widen)
    IN_EVERY_MODE(h2f, F32, I16, h_float_half)
    IN_EVERY_MODE(h2f, F64, I16, h_double_half)
#define WITH_MODE(mode, MODE)                                                                      \
    ROW(s2f, F32, I32, MODE, h_float_int32_t_##mode)                                               \
    ROW(u2f, F32, I32, MODE, h_float_uint32_t_##mode)                                              \
    ROW(s2f, F32, I64, MODE, h_float_int64_t_##mode)                                               \
    ROW(u2f, F32, I64, MODE, h_float_uint64_t_##mode)                                              \
    ROW(s2f, F64, I64, MODE, h_double_int64_t_##mode)                                              \
    ROW(u2f, F64, I64, MODE, h_double_uint64_t_##mode)                                             \
    ROW(f2f, F32, F64, MODE, h_narrow_##mode)                                                      \
    ROW(f2h, I16, F32, MODE, h_half_float_##mode)                                                  \
    ROW(f2h, I16, F64, MODE, h_half_double_##mode)                                                 \
    TO_ROWS(F32, float, mode, MODE)                                                                \
    TO_ROWS(F64, double, mode, MODE)
#define TO_ROWS(FROM, F, mode, MODE)                                                               \
    ROW(f2s, I8, FROM, MODE, h_int8_t_##F##_##mode)                                                \
    ROW(f2s, I16, FROM, MODE, h_int16_t_##F##_##mode)                                              \
    ROW(f2s, I32, FROM, MODE, h_int32_t_##F##_##mode)                                              \
    ROW(f2s, I64, FROM, MODE, h_int64_t_##F##_##mode)                                              \
    ROW(f2u, I8, FROM, MODE, h_uint8_t_##F##_##mode)                                               \
    ROW(f2u, I16, FROM, MODE, h_uint16_t_##F##_##mode)                                             \
    ROW(f2u, I32, FROM, MODE, h_uint32_t_##F##_##mode)                                             \
    ROW(f2u, I64, FROM, MODE, h_uint64_t_##F##_##mode)
    MODES(WITH_MODE)
}
