#include "texels.h"

#include "device/simd/blocks.h"

/* ---- numbers ---- */

#define QUOTIENT(v, bits) ((v)*TEXEL_NEAR(bits) + (v)*TEXEL_FAR(bits))

ALWAYS block_reals quotient(block_reals v, unsigned bits) {
    switch (bits) {
    case 5: return QUOTIENT(v, 5);
    case 6: return QUOTIENT(v, 6);
    case 7: return QUOTIENT(v, 7);
    case 8: return QUOTIENT(v, 8);
    case 10: return QUOTIENT(v, 10);
    case 15: return QUOTIENT(v, 15);
    default: return QUOTIENT(v, 16);
    }
}

/* By integers, so that flushing denormals changes nothing. */
ALWAYS block_words half_bits(block_words h) {
    block_words magnitude = h & 0x7fff, u = magnitude << 13;
    block_words denormal = (block_words)(block_to_reals((block_ints)magnitude) * 0x1p-24f);
    block_words u2 =
        block_select((block_ints)(magnitude >= 0x7c00), u | 0x7f800000u, u + ((127 - 15) << 23));
    return block_select((block_ints)(magnitude < 0x400), denormal, u2) | (h & 0x8000) << 16;
}

/* To the nearest even; overflow becomes an infinity. A sum with 0.5 rounds what will be denormal.
 */
ALWAYS block_words bits_half(block_words u) {
    block_words sign = u >> 16 & 0x8000, m = u & 0x7fffffffu;
    block_words normal = (m + 0xfff + (m >> 13 & 1) - ((127u - 15) << 23)) >> 13;
    block_ints small = (block_ints)(m < 0x38800000u);
    block_words denormal =
        (block_words)((block_reals)(m & (block_words)small) + 0.5f) - 0x3f000000u;
    block_words h = block_select(small, denormal, normal);
    h = block_select((block_ints)(m >= 0x477ff000u), block_splat(0x7c00), h);
    h = block_select((block_ints)(m > 0x7f800000u), block_splat(0x7e00), h);
    return sign | h;
}

/* value * scale as an integer, to the nearest even (the sum with 1.5 * 2^23 rounds), clamped; NaN
 * gives 0. */
ALWAYS block_words normalised(block_reals value, float scale, float least) {
    block_reals v = value * scale, low = block_splat_real(least), high = block_splat_real(scale);
    v = block_select_reals(v == v, v, block_splat_real(0));
    v = block_least(high, block_most(low, v));
    return (block_words)(v + 0x1.8p23f) - 0x4b400000u;
}

ALWAYS block_words clamp_signed(block_words u, int32_t low, int32_t high) {
    return (block_words)block_clamp((block_ints)u, low, high);
}

ALWAYS block_words clamp_unsigned(block_words u, uint32_t high) {
#if defined(__AVX512F__)
    return (block_words)_mm512_min_epu32((__m512i)u, (__m512i)block_splat(high));
#elif defined(__AVX2__)
    return (block_words)_mm256_min_epu32((__m256i)u, (__m256i)block_splat(high));
#endif
    return block_select((block_ints)(u > high), block_splat(high), u);
}

/* ---- channel types; `type` is a constant wherever it is passed ---- */

/* Bits of a channel. Red, green and blue of the packed types lie from the high bits down. */
ALWAYS unsigned bits_of(unsigned type, unsigned c) {
    switch (type) {
    case TEXEL_SNORM_INT8:
    case TEXEL_UNORM_INT8:
    case TEXEL_SIGNED_INT8:
    case TEXEL_UNSIGNED_INT8: return 8;
    case TEXEL_SIGNED_INT32:
    case TEXEL_UNSIGNED_INT32:
    case TEXEL_FLOAT: return 32;
    case TEXEL_UNORM_SHORT_565: return c == 1 ? 6 : 5;
    case TEXEL_UNORM_SHORT_555: return 5;
    case TEXEL_UNORM_INT_101010: return 10;
    default: return 16;
    }
}

ALWAYS bool is_packed(unsigned type) {
    return type == TEXEL_UNORM_SHORT_565 || type == TEXEL_UNORM_SHORT_555 ||
           type == TEXEL_UNORM_INT_101010;
}

/* The lowest bit of a channel in the texel. */
ALWAYS unsigned place_of(unsigned type, unsigned c) {
    if (type == TEXEL_UNORM_SHORT_565) return c == 0 ? 11 : c == 1 ? 5 : 0;
    return is_packed(type) ? (2 - c) * bits_of(type, c) : c * bits_of(type, c);
}

ALWAYS unsigned bytes_of(unsigned type, unsigned channels) {
    if (is_packed(type)) return type == TEXEL_UNORM_INT_101010 ? 4 : 2;
    return channels * bits_of(type, 0) / 8;
}

/* Bits of the number that 1.0 is stored as; 0: not normalised. */
ALWAYS unsigned one_of(unsigned type, unsigned c) {
    switch (type) {
    case TEXEL_SNORM_INT8: return 7;
    case TEXEL_SNORM_INT16: return 15;
    case TEXEL_UNORM_INT8:
    case TEXEL_UNORM_INT16: return bits_of(type, c);
    default: return is_packed(type) ? bits_of(type, c) : 0;
    }
}

ALWAYS bool is_signed(unsigned type) {
    return type == TEXEL_SNORM_INT8 || type == TEXEL_SNORM_INT16 || type == TEXEL_SIGNED_INT8 ||
           type == TEXEL_SIGNED_INT16;
}

/* A channel's bits, extended to 32. */
ALWAYS block_words channel(unsigned type, const block_words *words, unsigned c) {
    unsigned bits = bits_of(type, c), place = place_of(type, c);
    block_words high = words[place / 32] << (32 - bits - place % 32);
    return is_signed(type) ? (block_words)((block_ints)high >> (32 - bits)) : high >> (32 - bits);
}

/* What filters add up: the value, or the number that `finished` divides. The least of a signed type
 * is -1, as the one above it; whole: only once they are added up. */
ALWAYS block_reals value(unsigned type, const block_words *words, unsigned c, bool whole) {
    block_words bits = channel(type, words, c);
    if (type == TEXEL_FLOAT) return (block_reals)bits;
    if (type == TEXEL_HALF_FLOAT) return (block_reals)half_bits(bits);
    if (is_signed(type) && !whole)
        bits = clamp_signed(bits, -(1 << one_of(type, c)) + 1, INT32_MAX);
    return block_to_reals((block_ints)bits);
}

ALWAYS block_reals finished(unsigned type, block_reals v, unsigned c) {
    return one_of(type, c) ? quotient(v, one_of(type, c)) : v;
}

/* Whether the GPU filters a type as integers of 16 bits. */
ALWAYS bool is_filtered_whole(unsigned type) { return type <= TEXEL_UNORM_INT16; }

/* The same of a sum with weights in 1/256, which is exact: to 16 bits, halves up, by the steps that
 * the GPU's results show. */
ALWAYS block_reals finished_whole(unsigned type, block_reals v) {
    block_ints sum = block_to_ints(v * 256.0f);
    bool negative = is_signed(type);
    if (type == TEXEL_UNORM_INT8)
        sum += (sum + 128) >> 8;
    else if (type == TEXEL_SNORM_INT8)
        sum += ((sum >> 4) + (sum >> 12) + 4) >> 3;
    else
        sum = (sum + 128) >> 8;
    if (negative) sum = block_clamp(sum, -32767, 32767);
    return quotient(block_to_reals(sum), negative ? 15 : 16);
}

/* The bits of a channel that is written, in the low end of a word. */
ALWAYS block_words stored(unsigned type, block_words u, unsigned c) {
    unsigned one = one_of(type, c);
    float scale = (float)((1u << one) - 1);
    if (one) return normalised((block_reals)u, scale, is_signed(type) ? -scale : 0);
    switch (type) {
    case TEXEL_HALF_FLOAT: return bits_half(u);
    case TEXEL_SIGNED_INT8: return clamp_signed(u, -128, 127);
    case TEXEL_SIGNED_INT16: return clamp_signed(u, -32768, 32767);
    case TEXEL_UNSIGNED_INT8: return clamp_unsigned(u, 255);
    case TEXEL_UNSIGNED_INT16: return clamp_unsigned(u, 65535);
    default: return u;
    }
}

/* ---- reading and writing ---- */

/* The words of the texels at a corner (bit d: the second one of axis d). */
ALWAYS GUEST void fetch(const struct texels_access *a, unsigned naxes, unsigned corner, int lane,
                        unsigned bytes, block_words words[4], block_words *outside) {
    block_words address = block_load(a->axes[0].offset[corner & 1] + lane);
    for (unsigned d = 1; d < naxes; d++)
        address += block_load(a->axes[d].offset[corner >> d & 1] + lane);
    block_fetch(a->base, address, bytes, words);
    if (!a->border) return; /* *outside stays 0 */
    *outside = block_load(a->axes[0].outside[corner & 1] + lane);
    for (unsigned d = 1; d < naxes; d++)
        *outside |= block_load(a->axes[d].outside[corner >> d & 1] + lane);
    for (unsigned k = 0; k < (bytes + 3) / 4; k++) words[k] &= ~*outside;
}

/* All other border colours are 0, which every type decodes to 0. */
ALWAYS GUEST void read_nearest(const struct texels_access *a, struct texels_rows *rows,
                               unsigned type, unsigned channels, bool real) {
    EACH_BLOCK {
        block_words words[4], outside = {0};
        fetch(a, a->naxes, 0, lane, bytes_of(type, channels), words, &outside);
        for (unsigned c = 0; c < channels; c++) {
            block_words v = real ? (block_words)finished(type, value(type, words, c, false), c)
                                 : channel(type, words, c);
            block_store(rows->u[c] + lane, v);
        }
    }
}

/* A share of what is left to weigh, in whole 1/256, halves up. */
ALWAYS block_reals share(block_reals whole, block_reals weight) {
    return block_floor(whole * weight * 256.0f + 0.5f) * 0x1p-8f;
}

/* Weights of all corners that add up to 1 in 1/256 (sampler.h): each layer's is shared out along
 * x, then along y, where the product of like weights is the one that is rounded. */
ALWAYS void fixed_weights(const struct texels_access *a, unsigned naxes, int lane,
                          block_reals corners[8]) {
    block_reals w[3][2];
    for (unsigned d = 0; d < naxes; d++)
        for (unsigned second = 0; second < 2; second++)
            w[d][second] = block_load_reals(a->axes[d].weight[second] + lane);
    for (unsigned layer = 0; layer < (naxes == 3 ? 2 : 1); layer++) {
        block_reals left = naxes == 3 ? w[2][layer] : block_splat_real(1);
        block_reals x1 = share(left, w[0][1]), x0 = left - x1, *c = corners + 4 * layer;
        c[0] = share(x0, w[1][0]);
        c[2] = x0 - c[0];
        c[3] = share(x1, w[1][1]);
        c[1] = x1 - c[3];
    }
}

ALWAYS block_reals corner_weight(const struct texels_access *a, unsigned naxes, unsigned corner,
                                 int lane) {
    block_reals weight = block_load_reals(a->axes[0].weight[corner & 1] + lane);
    for (unsigned d = 1; d < naxes; d++)
        weight *= block_load_reals(a->axes[d].weight[corner >> d & 1] + lane);
    return weight;
}

/* The weighted sum of the corners, in the order of the specification's formula. `fixed`: a
 * constant. */
ALWAYS GUEST void read_linear(const struct texels_access *a, struct texels_rows *rows,
                              unsigned type, unsigned channels, unsigned naxes, bool fixed) {
    bool whole = fixed && is_filtered_whole(type);
    EACH_BLOCK {
        block_reals sum[4], corners[8];
        if (fixed && naxes > 1) fixed_weights(a, naxes, lane, corners);
        for (unsigned corner = 0; corner < 1u << naxes; corner++) {
            block_words words[4], outside = {0};
            fetch(a, naxes, corner, lane, bytes_of(type, channels), words, &outside);
            block_reals weight =
                fixed && naxes > 1 ? corners[corner] : corner_weight(a, naxes, corner, lane);
            for (unsigned c = 0; c < channels; c++) {
                block_reals v = weight * value(type, words, c, whole);
                sum[c] = corner ? sum[c] + v : v;
            }
        }
        for (unsigned c = 0; c < channels; c++)
            block_store(rows->u[c] + lane, (block_words)(whole ? finished_whole(type, sum[c])
                                                               : finished(type, sum[c], c)));
    }
}

ALWAYS GUEST void write(const struct texels_access *a, uint32_t mask, const void *const in[4],
                        unsigned type, unsigned channels) {
    unsigned bytes = bytes_of(type, channels);
    EACH_BLOCK {
        uint32_t on = mask >> lane & BLOCK_LANES;
        if (!on) continue;
        block_words address = block_load(a->axes[0].offset[0] + lane);
        block_words outside = block_load(a->axes[0].outside[0] + lane);
        for (unsigned d = 1; d < a->naxes; d++) {
            address += block_load(a->axes[d].offset[0] + lane);
            outside |= block_load(a->axes[d].outside[0] + lane);
        }
        block_words words[4] = {{0}, {0}, {0}, {0}};
        for (unsigned c = 0; c < channels; c++) {
            unsigned bits = bits_of(type, c), place = place_of(type, c);
            block_words v = stored(type, block_load((const uint32_t *)in[c] + lane), c);
            if (bits < 32) v &= (1u << bits % 32) - 1;
            words[place / 32] |= v << place % 32;
        }
        block_put(a->base, address, bytes, words, on & ~block_bits((block_ints)outside));
    }
}

/* ---- the functions of a format ---- */

#define BITS(type, n)                                                                              \
    static GUEST void integer_##type##_##n(const struct texels_access *a, struct texels_rows *r) { \
        read_nearest(a, r, TEXEL_##type, n, false);                                                \
    }                                                                                              \
    static GUEST void write_##type##_##n(const struct texels_access *a, uint32_t mask,             \
                                         const void *const in[4]) {                                \
        write(a, mask, in, TEXEL_##type, n);                                                       \
    }
#define REALS(type, n)                                                                             \
    BITS(type, n)                                                                                  \
    static GUEST void nearest_##type##_##n(const struct texels_access *a, struct texels_rows *r) { \
        read_nearest(a, r, TEXEL_##type, n, true);                                                 \
    }                                                                                              \
    static GUEST void linear_##type##_##n(const struct texels_access *a, struct texels_rows *r) {  \
        if (a->fixed)                                                                              \
            read_linear(a, r, TEXEL_##type, n, a->naxes, true);                                    \
        else if (a->naxes == 2)                                                                    \
            read_linear(a, r, TEXEL_##type, n, 2, false);                                          \
        else                                                                                       \
            read_linear(a, r, TEXEL_##type, n, a->naxes, false);                                   \
    }
#define FORMATS(REAL, INTEGER)                                                                     \
    REAL(SNORM_INT8, 1)                                                                            \
    REAL(SNORM_INT8, 2)                                                                            \
    REAL(SNORM_INT8, 4)                                                                            \
    REAL(SNORM_INT16, 1)                                                                           \
    REAL(SNORM_INT16, 2)                                                                           \
    REAL(SNORM_INT16, 4)                                                                           \
    REAL(UNORM_INT8, 1)                                                                            \
    REAL(UNORM_INT8, 2)                                                                            \
    REAL(UNORM_INT8, 4)                                                                            \
    REAL(UNORM_INT16, 1)                                                                           \
    REAL(UNORM_INT16, 2)                                                                           \
    REAL(UNORM_INT16, 4)                                                                           \
    REAL(UNORM_SHORT_565, 3)                                                                       \
    REAL(UNORM_SHORT_555, 3)                                                                       \
    REAL(UNORM_INT_101010, 3)                                                                      \
    INTEGER(SIGNED_INT8, 1)                                                                        \
    INTEGER(SIGNED_INT8, 2)                                                                        \
    INTEGER(SIGNED_INT8, 4)                                                                        \
    INTEGER(SIGNED_INT16, 1)                                                                       \
    INTEGER(SIGNED_INT16, 2)                                                                       \
    INTEGER(SIGNED_INT16, 4)                                                                       \
    INTEGER(SIGNED_INT32, 1)                                                                       \
    INTEGER(SIGNED_INT32, 2)                                                                       \
    INTEGER(SIGNED_INT32, 4)                                                                       \
    INTEGER(UNSIGNED_INT8, 1)                                                                      \
    INTEGER(UNSIGNED_INT8, 2)                                                                      \
    INTEGER(UNSIGNED_INT8, 4)                                                                      \
    INTEGER(UNSIGNED_INT16, 1)                                                                     \
    INTEGER(UNSIGNED_INT16, 2)                                                                     \
    INTEGER(UNSIGNED_INT16, 4)                                                                     \
    INTEGER(UNSIGNED_INT32, 1)                                                                     \
    INTEGER(UNSIGNED_INT32, 2)                                                                     \
    INTEGER(UNSIGNED_INT32, 4)                                                                     \
    REAL(HALF_FLOAT, 1)                                                                            \
    REAL(HALF_FLOAT, 2)                                                                            \
    REAL(HALF_FLOAT, 4)                                                                            \
    REAL(FLOAT, 1)                                                                                 \
    REAL(FLOAT, 2)                                                                                 \
    REAL(FLOAT, 4)
FORMATS(REALS, BITS)

#define FIRST(type, n) [TEXEL_##type - TEXEL_FIRST_TYPE][n - 1]
#define REAL_ROW(type, n)                                                                          \
    FIRST(type, n) = {nearest_##type##_##n, linear_##type##_##n, integer_##type##_##n,             \
                      write_##type##_##n},
#define INTEGER_ROW(type, n)                                                                       \
    FIRST(type, n) = {integer_##type##_##n, NULL, integer_##type##_##n, write_##type##_##n},
static const struct texels_format formats[TEXEL_FLOAT - TEXEL_FIRST_TYPE + 1][4] = {
    FORMATS(REAL_ROW, INTEGER_ROW)};

const struct texels_format *LANES_NAME(texels_format)(uint16_t type, unsigned channels) {
    unsigned row = (unsigned)type - TEXEL_FIRST_TYPE;
    if (row >= sizeof formats / sizeof *formats || channels - 1 > 3) return NULL;
    const struct texels_format *f = &formats[row][channels - 1];
    return f->nearest ? f : NULL;
}
