#include "texels.h"

/* ---- single values, each branchless so that loops over lanes become vectors ---- */

/* A quotient by 2^n - 1, which is 1 / 2^n + 1 / 2^2n + ... : the products with the first terms
 * (near) and with the rest (far) add up to the correctly rounded quotient for every value of the
 * channel. */
#define NEAR_8  (0x1p-8f + 0x1p-16f)
#define NEAR_16 0x1p-16f
#define NEAR_7  (0x1p-7f + 0x1p-14f)
#define NEAR_15 0x1p-15f
#define NEAR_5  (0x1p-5f + 0x1p-10f)
#define NEAR_6  (0x1p-6f + 0x1p-12f)
#define NEAR_10 (0x1p-10f + 0x1p-20f)
#define QUOTIENT(v, bits)                                                                          \
    ((float)(v)*NEAR_##bits + (float)(v) * (float)(1.0 / ((1 << bits) - 1) - (double)NEAR_##bits))

ALWAYS float as_float(uint32_t u) {
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

ALWAYS uint32_t as_bits(float f) {
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

/* The least value is -1, as the one above it. */
ALWAYS float snorm_8(int32_t v) {
    float f = QUOTIENT(v, 7);
    return f < -1 ? -1 : f;
}
ALWAYS float snorm_16(int32_t v) {
    float f = QUOTIENT(v, 15);
    return f < -1 ? -1 : f;
}

/* By integers, so that flushing denormals changes nothing. */
ALWAYS uint32_t half_bits(uint32_t h) {
    uint32_t magnitude = h & 0x7fff, u = magnitude << 13;
    uint32_t denormal = as_bits((float)(int32_t)magnitude * 0x1p-24f);
    uint32_t u2 = magnitude >= 0x7c00 ? u | 0x7f800000u : u + ((127 - 15) << 23);
    return (magnitude < 0x400 ? denormal : u2) | (h & 0x8000) << 16;
}

/* To the nearest even; overflow becomes an infinity. A sum with 0.5 rounds what will be denormal.
 */
ALWAYS uint32_t bits_half(uint32_t u) {
    uint32_t sign = u >> 16 & 0x8000, m = u & 0x7fffffffu;
    uint32_t normal = (m + 0xfff + (m >> 13 & 1) - ((127u - 15) << 23)) >> 13;
    uint32_t denormal = as_bits(as_float(m < 0x38800000u ? m : 0) + 0.5f) - 0x3f000000u;
    uint32_t h = m < 0x38800000u ? denormal : normal;
    h = m >= 0x477ff000u ? 0x7c00 : h;
    h = m > 0x7f800000u ? 0x7e00 : h;
    return sign | h;
}

/* value * scale as an integer, to the nearest even (the sum with 1.5 * 2^23 rounds), clamped; NaN
 * gives 0. */
ALWAYS int32_t normalised(float value, float scale, float least) {
    float v = value * scale;
    v = v == v ? v : 0;
    v = v < least ? least : v;
    v = v > scale ? scale : v;
    return (int32_t)(as_bits(v + 0x1.8p23f) - 0x4b400000u);
}

ALWAYS int32_t clamp_signed(int32_t v, int32_t low, int32_t high) {
    v = v < low ? low : v;
    return v > high ? high : v;
}

ALWAYS uint32_t clamp_unsigned(uint32_t v, uint32_t high) { return v > high ? high : v; }

/* ---- reading ---- */

/* `u`: the channel's bits, zero-extended; `s`: sign-extended. */
#define DECODE(name, bits, row, expression)                                                        \
    static void decode_##name(const union texels *words, unsigned channels, union texels *out) {   \
        for (unsigned c = 0; c < channels; c++) {                                                  \
            const uint32_t *from = words->u[c * bits / 32];                                        \
            unsigned shift = c * bits % 32;                                                        \
            EACH_LANE {                                                                            \
                int32_t s = (int32_t)(from[i] << (32 - bits - shift)) >> (32 - bits);              \
                uint32_t u = from[i] << (32 - bits - shift) >> (32 - bits);                        \
                (void)s, (void)u;                                                                  \
                out->row[c][i] = expression;                                                       \
            }                                                                                      \
        }                                                                                          \
    }
DECODE(snorm_8, 8, f, snorm_8(s))
DECODE(snorm_16, 16, f, snorm_16(s))
DECODE(unorm_8, 8, f, QUOTIENT((int32_t)u, 8))
DECODE(unorm_16, 16, f, QUOTIENT((int32_t)u, 16))
DECODE(half, 16, u, half_bits(u))
DECODE(s8, 8, u, (uint32_t)s)
DECODE(s16, 16, u, (uint32_t)s)
DECODE(u8, 8, u, u)
DECODE(u16, 16, u, u)
DECODE(word, 32, u, u)

/* Red, green and blue of the packed types lie from the high bits down. */
#define FIELD(shift, bits) ((int32_t)(w >> (shift) & ((1u << (bits)) - 1)))
#define DECODE_PACKED(name, rs, rb, gs, gb, bs, bb)                                                \
    static void decode_##name(const union texels *words, unsigned channels, union texels *out) {   \
        (void)channels;                                                                            \
        EACH_LANE {                                                                                \
            uint32_t w = words->u[0][i];                                                           \
            out->f[0][i] = QUOTIENT(FIELD(rs, rb), rb);                                            \
            out->f[1][i] = QUOTIENT(FIELD(gs, gb), gb);                                            \
            out->f[2][i] = QUOTIENT(FIELD(bs, bb), bb);                                            \
        }                                                                                          \
    }                                                                                              \
    static void decode_bits_##name(const union texels *words, unsigned channels,                   \
                                   union texels *out) {                                            \
        (void)channels;                                                                            \
        EACH_LANE {                                                                                \
            uint32_t w = words->u[0][i];                                                           \
            out->u[0][i] = (uint32_t)FIELD(rs, rb);                                                \
            out->u[1][i] = (uint32_t)FIELD(gs, gb);                                                \
            out->u[2][i] = (uint32_t)FIELD(bs, bb);                                                \
        }                                                                                          \
    }                                                                                              \
    static void encode_##name(const union texels *in, unsigned channels, union texels *words) {    \
        (void)channels;                                                                            \
        EACH_LANE words->u[0][i] = (uint32_t)(normalised(in->f[0][i], (1 << rb) - 1, 0) << rs |    \
                                              normalised(in->f[1][i], (1 << gb) - 1, 0) << gs |    \
                                              normalised(in->f[2][i], (1 << bb) - 1, 0) << bs);    \
    }
DECODE_PACKED(565, 11, 5, 5, 6, 0, 5)
DECODE_PACKED(555, 10, 5, 5, 5, 0, 5)
DECODE_PACKED(101010, 20, 10, 10, 10, 0, 10)

/* ---- writing ---- */

#define ENCODE(name, bits, expression)                                                             \
    static void encode_##name(const union texels *in, unsigned channels, union texels *words) {    \
        for (unsigned c = 0; c < channels; c++) {                                                  \
            uint32_t *to = words->u[c * bits / 32];                                                \
            unsigned shift = c * bits % 32;                                                        \
            EACH_LANE {                                                                            \
                uint32_t u = in->u[c][i];                                                          \
                float f = in->f[c][i];                                                             \
                (void)u, (void)f;                                                                  \
                uint32_t v = (uint32_t)(expression);                                               \
                to[i] |= (bits == 32 ? v : v & ((1u << bits % 32) - 1)) << shift;                  \
            }                                                                                      \
        }                                                                                          \
    }
ENCODE(snorm_8, 8, normalised(f, 127, -127))
ENCODE(snorm_16, 16, normalised(f, 32767, -32767))
ENCODE(unorm_8, 8, normalised(f, 255, 0))
ENCODE(unorm_16, 16, normalised(f, 65535, 0))
ENCODE(half, 16, bits_half(u))
ENCODE(s8, 8, clamp_signed((int32_t)u, -128, 127))
ENCODE(s16, 16, clamp_signed((int32_t)u, -32768, 32767))
ENCODE(u8, 8, clamp_unsigned(u, 255))
ENCODE(u16, 16, clamp_unsigned(u, 65535))
ENCODE(word, 32, u)

/* ---- what belongs to which type ---- */

/* type, read_imagef, read_imagei and read_imageui, write. Where the specification leaves a
 * combination undefined, the channel's bits are read. */
#define TYPES(X)                                                                                   \
    X(SNORM_INT8, snorm_8, s8, snorm_8)                                                            \
    X(SNORM_INT16, snorm_16, s16, snorm_16)                                                        \
    X(UNORM_INT8, unorm_8, u8, unorm_8)                                                            \
    X(UNORM_INT16, unorm_16, u16, unorm_16)                                                        \
    X(UNORM_SHORT_565, 565, bits_565, 565)                                                         \
    X(UNORM_SHORT_555, 555, bits_555, 555)                                                         \
    X(UNORM_INT_101010, 101010, bits_101010, 101010)                                               \
    X(SIGNED_INT8, s8, s8, s8)                                                                     \
    X(SIGNED_INT16, s16, s16, s16)                                                                 \
    X(SIGNED_INT32, word, word, word)                                                              \
    X(UNSIGNED_INT8, u8, u8, u8)                                                                   \
    X(UNSIGNED_INT16, u16, u16, u16)                                                               \
    X(UNSIGNED_INT32, word, word, word)                                                            \
    X(HALF_FLOAT, half, u16, half)                                                                 \
    X(FLOAT, word, word, word)

#define AT_TYPE(name)                       [TEXEL_##name - TEXEL_FIRST_TYPE]
#define REAL(name, real, integer, write)    AT_TYPE(name) = decode_##real,
#define INTEGER(name, real, integer, write) AT_TYPE(name) = decode_##integer,
#define WRITE(name, real, integer, write)   AT_TYPE(name) = encode_##write,
texels_decode_fn *const LANES_NAME(texels_decode_real)[TEXELS_TYPES] = {TYPES(REAL)};
texels_decode_fn *const LANES_NAME(texels_decode_integer)[TEXELS_TYPES] = {TYPES(INTEGER)};
texels_encode_fn *const LANES_NAME(texels_encode)[TEXELS_TYPES] = {TYPES(WRITE)};
