/* The work of twins.c by hand, written once for vectors of LANES lanes: 16 (AVX-512) or 8 (AVX2).
 * twins_avx512.c and twins_avx2.c define LANES and HAND, the name of the functions' table, and
 * include this. A warp's row of 16 is one vector or two. */
#include "twins_parts.h"

#if defined(__x86_64__)
#include <immintrin.h>

enum { WARP = 32, WARP_ROWS = 2, ROW_VECTORS = TILE / LANES, PARTS = WARP / LANES };

#if LANES == 16
#define HAND_CODE __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,fma")))
#define OP(name)  _mm512_##name
typedef __m512 floats;
typedef __m512i words;
typedef __mmask16 flags;
#define ALL_ON               0xffff
#define LESS(on, x, y)       _mm512_mask_cmp_ps_mask(on, x, y, _CMP_LT_OQ)
#define COUNT(n, on)         _mm512_mask_add_epi32(n, on, n, _mm512_set1_epi32(1))
#define ANY(on)              (on)
#define ZERO_WORDS()         _mm512_setzero_si512()
#define STORE_WORDS(p, x)    _mm512_storeu_si512(p, x)
#define STORE_FIRST(p, n, x) _mm512_mask_store_ps(p, (__mmask16)((1 << (n)) - 1), x)
#define ROOT(x)              _mm512_rsqrt14_ps(x)
#define ROTATED(x, n)        _mm512_ror_epi32(x, n)
#define XOR3(x, y, z)        _mm512_ternarylogic_epi32(x, y, z, 0x96)
#define CHOOSE(x, y, z)      _mm512_ternarylogic_epi32(x, y, z, 0xca)
#define MOST(x, y, z)        _mm512_ternarylogic_epi32(x, y, z, 0xe8)
#define ABLE()                                                                                     \
    (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&                    \
     __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
#else
#define HAND_CODE            __attribute__((target("avx2,fma")))
#define OP(name)             _mm256_##name
typedef __m256 floats;
typedef __m256i words;
typedef __m256 flags;
#define ALL_ON               _mm256_castsi256_ps(_mm256_set1_epi32(-1))
#define LESS(on, x, y)       _mm256_and_ps(on, _mm256_cmp_ps(x, y, _CMP_LT_OQ))
#define COUNT(n, on)         _mm256_sub_epi32(n, _mm256_castps_si256(on))
#define ANY(on)              _mm256_movemask_ps(on)
#define ZERO_WORDS()         _mm256_setzero_si256()
#define STORE_WORDS(p, x)    _mm256_storeu_si256((__m256i *)(p), x)
#define STORE_FIRST(p, n, x) _mm256_store_ps(p, x) /* the rest is not read again */
#define ROOT(x)              _mm256_rsqrt_ps(x)
#define ROTATED(x, n)        _mm256_or_si256(_mm256_srli_epi32(x, n), _mm256_slli_epi32(x, 32 - (n)))
#define XOR3(x, y, z)        _mm256_xor_si256(_mm256_xor_si256(x, y), z)
#define CHOOSE(x, y, z)      _mm256_xor_si256(_mm256_and_si256(_mm256_xor_si256(y, z), x), z)
#define MOST(x, y, z)                                                                              \
    _mm256_or_si256(_mm256_and_si256(x, y), _mm256_and_si256(_mm256_or_si256(x, y), z))
#define ABLE() (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
#endif
#define ADD(x, y)   OP(add_epi32)(x, y)
#define HAND_INLINE static inline __attribute__((always_inline)) HAND_CODE

/* One element of LANES structures of `stride` elements. */
HAND_INLINE floats read_apart(const float *from, size_t stride) {
    _Alignas(64) float lanes[LANES];
    for (size_t l = 0; l < LANES; l++) lanes[l] = from[l * stride];
    return OP(load_ps)(lanes);
}

HAND_INLINE void write_apart(float *to, size_t stride, floats x) {
    _Alignas(64) float lanes[LANES];
    OP(store_ps)(lanes, x);
    for (size_t l = 0; l < LANES; l++) to[l * stride] = lanes[l];
}

/* ---- matrix products: groups of 16 x 16, a warp is two rows of 16 ---- */

enum { MOST_SUMS = TILE * ROW_VECTORS };

/* `rows` rows of 16 at once, each lane its own sum. */
HAND_INLINE void naive_rows(const struct twins_product *p, size_t x, size_t y, const int rows) {
    floats sum[MOST_SUMS], b[ROW_VECTORS];
    size_t n = p->n;
#pragma GCC unroll 32
    for (int s = 0; s < rows * ROW_VECTORS; s++) sum[s] = OP(setzero_ps)();
    for (size_t k = 0; k < n; k++) {
#pragma GCC unroll 2
        for (int v = 0; v < ROW_VECTORS; v++)
            b[v] = OP(loadu_ps)(p->b + k * n + x + (size_t)v * LANES);
#pragma GCC unroll 32
        for (int s = 0; s < rows * ROW_VECTORS; s++) {
            floats a = OP(set1_ps)(p->a[(y + (size_t)(s / ROW_VECTORS)) * n + k]);
            sum[s] = OP(fmadd_ps)(a, b[s % ROW_VECTORS], sum[s]);
        }
    }
#pragma GCC unroll 32
    for (int s = 0; s < rows * ROW_VECTORS; s++) {
        size_t row = y + (size_t)(s / ROW_VECTORS), column = (size_t)(s % ROW_VECTORS) * LANES;
        OP(storeu_ps)(p->c + row * n + x + column, sum[s]);
    }
}

HAND_INLINE void naive_group(const struct twins_product *p, size_t group, const int rows) {
    size_t across = p->n / TILE, x = group % across * TILE, y = group / across * TILE;
    for (size_t r = 0; r < TILE; r += (size_t)rows) naive_rows(p, x, y + r, rows);
}

HAND_CODE static void naive_warps(void *data, size_t group) { naive_group(data, group, WARP_ROWS); }
/* As many rows as have sums in the registers. */
HAND_CODE static void naive_more(void *data, size_t group) {
    naive_group(data, group, LANES == 16 ? 8 : 4);
}

HAND_INLINE void load_tiles(const struct twins_product *p, size_t x, size_t y, size_t m, float *as,
                            float *bs) {
    for (size_t r = 0; r < TILE; r++)
        for (size_t c = 0; c < TILE; c += LANES) {
            OP(store_ps)(as + TILE * r + c, OP(loadu_ps)(p->a + (y + r) * p->n + m + c));
            OP(store_ps)(bs + TILE * r + c, OP(loadu_ps)(p->b + (m + r) * p->n + x + c));
        }
}

/* A tile's products of `rows` rows; sums wait in memory. */
HAND_INLINE void tile_rows(const float *as, const float *bs, float *sums, const int rows) {
    floats sum[MOST_SUMS], b[ROW_VECTORS];
#pragma GCC unroll 32
    for (int s = 0; s < rows * ROW_VECTORS; s++) sum[s] = OP(load_ps)(sums + s * LANES);
#pragma GCC unroll 16
    for (size_t k = 0; k < TILE; k++) {
#pragma GCC unroll 2
        for (int v = 0; v < ROW_VECTORS; v++) b[v] = OP(load_ps)(bs + TILE * k + v * LANES);
#pragma GCC unroll 32
        for (int s = 0; s < rows * ROW_VECTORS; s++)
            sum[s] = OP(fmadd_ps)(OP(set1_ps)(as[TILE * (s / ROW_VECTORS) + (int)k]),
                                  b[s % ROW_VECTORS], sum[s]);
    }
#pragma GCC unroll 32
    for (int s = 0; s < rows * ROW_VECTORS; s++) OP(store_ps)(sums + s * LANES, sum[s]);
}

HAND_INLINE void tiled_group(const struct twins_product *p, size_t group, const int rows) {
    size_t across = p->n / TILE, x = group % across * TILE, y = group / across * TILE;
    _Alignas(64) float as[TILE * TILE], bs[TILE * TILE], sums[TILE * TILE] = {0};
    for (size_t m = 0; m < p->n; m += TILE) {
        load_tiles(p, x, y, m, as, bs);
        for (size_t r = 0; r < TILE; r += (size_t)rows)
            tile_rows(as + TILE * r, bs, sums + TILE * r, rows);
    }
    for (size_t r = 0; r < TILE; r++)
        for (size_t c = 0; c < TILE; c += LANES)
            OP(storeu_ps)(p->c + (y + r) * p->n + x + c, OP(load_ps)(sums + TILE * r + c));
}

HAND_CODE static void tiled_warps(void *data, size_t group) { tiled_group(data, group, WARP_ROWS); }

#if LANES == 16
/* All warps of the group together, sums in registers from tile to tile. */
HAND_CODE static void tiled_more(void *data, size_t group) {
    const struct twins_product *p = data;
    size_t across = p->n / TILE, x = group % across * TILE, y = group / across * TILE;
    _Alignas(64) float as[TILE * TILE], bs[TILE * TILE];
    floats sum[TILE];
#pragma GCC unroll 16
    for (size_t r = 0; r < TILE; r++) sum[r] = OP(setzero_ps)();
    for (size_t m = 0; m < p->n; m += TILE) {
        load_tiles(p, x, y, m, as, bs);
        for (size_t k = 0; k < TILE; k++) {
            floats b = OP(load_ps)(bs + TILE * k);
#pragma GCC unroll 16
            for (size_t r = 0; r < TILE; r++)
                sum[r] = OP(fmadd_ps)(OP(set1_ps)(as[TILE * r + k]), b, sum[r]);
        }
    }
#pragma GCC unroll 16
    for (size_t r = 0; r < TILE; r++) OP(storeu_ps)(p->c + (y + r) * p->n + x, sum[r]);
}
#else
HAND_CODE static void tiled_more(void *data, size_t group) { tiled_group(data, group, 4); }
#endif

/* ---- mandelbrot: a warp is two rows of 16 pixels, and leaves when its last lane does ---- */

HAND_CODE static void mandelbrot_group(void *data, size_t group) {
    const struct twins_plane *p = data;
    size_t across = p->width / TILE, x = group % across * TILE, y = group / across * TILE;
    const floats four = OP(set1_ps)(4);
    float columns[TILE];
    for (size_t i = 0; i < TILE; i++) columns[i] = p->left + (float)(x + i) * p->step;
    for (size_t w = 0; w < TILE; w += WARP_ROWS) {
        floats cx[PARTS], cy[PARTS], zx[PARTS], zy[PARTS];
        words count[PARTS];
        flags on[PARTS];
        for (size_t h = 0; h < PARTS; h++) {
            cx[h] = OP(loadu_ps)(columns + h % ROW_VECTORS * LANES);
            cy[h] = OP(set1_ps)(p->top + (float)(y + w + h / ROW_VECTORS) * p->step);
            zx[h] = zy[h] = OP(setzero_ps)();
            count[h] = ZERO_WORDS();
            on[h] = ALL_ON;
        }
        for (uint32_t n = 0; n < p->most; n++) {
            int any = 0;
#pragma GCC unroll 4
            for (size_t h = 0; h < PARTS; h++) {
                floats xx = OP(mul_ps)(zx[h], zx[h]), yy = OP(mul_ps)(zy[h], zy[h]);
                on[h] = LESS(on[h], OP(add_ps)(xx, yy), four);
                floats next = OP(add_ps)(OP(sub_ps)(xx, yy), cx[h]);
                zy[h] = OP(fmadd_ps)(OP(add_ps)(zx[h], zx[h]), zy[h], cy[h]);
                zx[h] = next;
                count[h] = COUNT(count[h], on[h]);
                any |= ANY(on[h]);
            }
            if (!any) break;
        }
        for (size_t h = 0; h < PARTS; h++) {
            size_t row = y + w + h / ROW_VECTORS, column = x + h % ROW_VECTORS * LANES;
            STORE_WORDS(p->out + row * p->width + column, count[h]);
        }
    }
}

/* ---- n-body: a warp is 32 bodies against all ---- */

HAND_INLINE void nbody_lanes(const struct twins_bodies *p, size_t first, const int vectors) {
    const floats soft = OP(set1_ps)(1e-3f), half = OP(set1_ps)(0.5f);
    const floats three_halves = OP(set1_ps)(1.5f);
    floats me[PARTS][3], sum[PARTS][3];
    for (int h = 0; h < vectors; h++)
        for (size_t c = 0; c < 3; c++) {
            me[h][c] = read_apart(p->in + (first + (size_t)h * LANES) * 4 + c, 4);
            sum[h][c] = OP(setzero_ps)();
        }
    for (size_t j = 0; j < p->n; j++) {
        const float *other = p->in + 4 * j;
        floats at[3] = {OP(set1_ps)(other[0]), OP(set1_ps)(other[1]), OP(set1_ps)(other[2])};
        floats mass = OP(set1_ps)(other[3]);
#pragma GCC unroll 4
        for (int h = 0; h < vectors; h++) {
            floats x = OP(sub_ps)(at[0], me[h][0]), y = OP(sub_ps)(at[1], me[h][1]);
            floats z = OP(sub_ps)(at[2], me[h][2]);
            floats square = OP(fmadd_ps)(x, x, OP(fmadd_ps)(y, y, OP(fmadd_ps)(z, z, soft)));
            /* 12 or 14 bits, and one step to about the 2 ulp that the guide gives native_rsqrt. */
            floats root = ROOT(square);
            floats s = OP(mul_ps)(OP(mul_ps)(square, half), root);
            root = OP(mul_ps)(root, OP(fnmadd_ps)(s, root, three_halves));
            floats scale = OP(mul_ps)(OP(mul_ps)(mass, root), OP(mul_ps)(root, root));
            sum[h][0] = OP(fmadd_ps)(x, scale, sum[h][0]);
            sum[h][1] = OP(fmadd_ps)(y, scale, sum[h][1]);
            sum[h][2] = OP(fmadd_ps)(z, scale, sum[h][2]);
        }
    }
    for (int h = 0; h < vectors; h++)
        for (size_t c = 0; c < 3; c++)
            write_apart(p->out + (first + (size_t)h * LANES) * 4 + c, 4, sum[h][c]);
}

/* Two vectors at a time: sixteen registers hold no more. */
HAND_CODE static void nbody_warp(void *data, size_t warp) {
    for (size_t l = 0; l < WARP; l += 2 * LANES) nbody_lanes(data, WARP * warp + l, 2);
}

/* ---- reduction: groups of 256, halving in "local memory" ---- */

HAND_INLINE void reduce_group(const struct twins_array *p, size_t group) {
    const float *in = p->in + group * 2 * TWINS_REDUCE_GROUP;
    _Alignas(64) float part[TWINS_REDUCE_GROUP + 16];
    for (size_t i = 0; i < TWINS_REDUCE_GROUP; i += LANES) OP(store_ps)
    (part + i, OP(add_ps)(OP(loadu_ps)(in + i), OP(loadu_ps)(in + i + TWINS_REDUCE_GROUP)));
    for (size_t s = TWINS_REDUCE_GROUP / 2; s >= LANES; s /= 2)
        for (size_t i = 0; i < s; i += LANES) OP(store_ps)
    (part + i, OP(add_ps)(OP(load_ps)(part + i), OP(load_ps)(part + i + s)));
    for (size_t s = LANES / 2; s > 0; s /= 2)
        STORE_FIRST(part, s, OP(add_ps)(OP(load_ps)(part), OP(loadu_ps)(part + s)));
    p->out[group] = part[0];
}

HAND_CODE static void reduce_part(void *data, size_t index) {
    for (size_t g = 0; g < TWINS_GROUPS_A_PART; g++)
        reduce_group(data, index * TWINS_GROUPS_A_PART + g);
}

/* ---- SHA-256: vector by vector, each with message and state in registers ---- */

HAND_INLINE void sha256_lanes(const struct twins_chains *p, size_t first) {
    uint32_t *digests = p->digests + first * 8;
    const uint32_t *start = p->start + first * 8;
    static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    words m[8], w[16], v[8];
    for (size_t i = 0; i < 8; i++) {
        _Alignas(64) uint32_t lanes[LANES];
        for (size_t l = 0; l < LANES; l++) lanes[l] = start[8 * l + i];
        m[i] = *(words *)lanes;
    }
    for (size_t r = 0; r < p->rounds; r++) {
#pragma GCC unroll 8
        for (int i = 0; i < 8; i++) {
            w[i] = m[i];
            w[i + 8] = OP(set1_epi32)(i == 0 ? (int)0x80000000 : i == 7 ? 256 : 0);
            v[i] = OP(set1_epi32)((int)initial[i]);
        }
        for (int t = 0; t < 64; t += 16) {
#pragma GCC unroll 16
            for (int j = 0; j < 16; j++) {
                if (t > 0) {
                    words x = w[(j + 1) & 15], y = w[(j + 14) & 15];
                    words s = XOR3(ROTATED(x, 7), ROTATED(x, 18), OP(srli_epi32)(x, 3));
                    words u = XOR3(ROTATED(y, 17), ROTATED(y, 19), OP(srli_epi32)(y, 10));
                    w[j] = ADD(ADD(w[j], w[(j + 9) & 15]), ADD(s, u));
                }
                /* The state rotates: a of this round is v[-j & 7]. */
                words a = v[-j & 7], b = v[(1 - j) & 7], c = v[(2 - j) & 7], d = v[(3 - j) & 7];
                words e = v[(4 - j) & 7], f = v[(5 - j) & 7], g = v[(6 - j) & 7];
                words h = v[(7 - j) & 7];
                words t1 = ADD(ADD(h, XOR3(ROTATED(e, 6), ROTATED(e, 11), ROTATED(e, 25))),
                               ADD(CHOOSE(e, f, g), ADD(OP(set1_epi32)((int)p->k[t + j]), w[j])));
                v[(3 - j) & 7] = ADD(d, t1);
                v[(7 - j) & 7] = ADD(
                    t1, ADD(XOR3(ROTATED(a, 2), ROTATED(a, 13), ROTATED(a, 22)), MOST(a, b, c)));
            }
        }
#pragma GCC unroll 8
        for (int i = 0; i < 8; i++) m[i] = ADD(v[i], OP(set1_epi32)((int)initial[i]));
    }
    for (size_t i = 0; i < 8; i++) {
        _Alignas(64) uint32_t lanes[LANES];
        *(words *)lanes = m[i];
        for (size_t l = 0; l < LANES; l++) digests[8 * l + i] = lanes[l];
    }
}

HAND_CODE static void sha256_half(void *data, size_t half_warp) {
    for (size_t l = 0; l < TILE; l += LANES) sha256_lanes(data, half_warp * TILE + l);
}

/* ---- a STREAM-like loop ---- */

HAND_CODE static void stream_part(void *data, size_t index) {
    const struct twins_array *p = data;
    size_t from = index * TWINS_STREAM_PART, to = from + TWINS_STREAM_PART;
    for (size_t i = from; i < (to < p->n ? to : p->n); i += LANES)
        OP(storeu_ps)(p->out + i, OP(add_ps)(OP(loadu_ps)(p->in + i), OP(loadu_ps)(p->in2 + i)));
}

static bool able(void) { return ABLE(); }

const struct twins_parts HAND = {
    .able = able,
    .naive = naive_warps,
    .naive_more = naive_more,
    .tiled = tiled_warps,
    .tiled_more = tiled_more,
    .mandelbrot = mandelbrot_group,
    .nbody = nbody_warp,
    .reduce = reduce_part,
    .sha256 = sha256_half,
    .stream = stream_part,
};
#endif
