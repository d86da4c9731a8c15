#include "twins.h"
#include "rows.h"
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Seconds of a run: on the clock, and of all threads. */
struct pace {
    double wall, cpu;
};

#if defined(__x86_64__)
#include <immintrin.h>

#define TWIN   __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,fma")))
#define INLINE static inline __attribute__((always_inline)) TWIN
enum { MOST_THREADS = 64, MATRIX = 384, TILE = 16 };

/* ---- threads ---- */

/* Parts of a run are taken in turn by all threads; helpers spin between runs, so that a run of less
 * than a millisecond is not measured together with their waking. */
struct crew {
    void (*part)(void *data, size_t index);
    void *data;
    size_t parts;
    _Atomic size_t next, done;
    _Atomic uint64_t cpu; /* nanoseconds all threads spent in parts of the run */
    atomic_uint round;
    atomic_bool leave;
    pthread_t threads[MOST_THREADS];
    int count;
};

static uint64_t nanoseconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void take_parts(struct crew *crew) {
    size_t index, taken = 0;
    uint64_t begin = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    for (; (index = atomic_fetch_add(&crew->next, 1)) < crew->parts; taken++)
        crew->part(crew->data, index);
    if (!taken) return;
    atomic_fetch_add(&crew->cpu, nanoseconds(CLOCK_THREAD_CPUTIME_ID) - begin);
    atomic_fetch_add(&crew->done, taken);
}

static void *helper(void *argument) {
    struct crew *crew = argument;
    unsigned seen = 0;
    while (!atomic_load(&crew->leave)) {
        if (atomic_load(&crew->round) == seen) {
            _mm_pause();
            continue;
        }
        seen++;
        take_parts(crew);
    }
    return NULL;
}

static struct pace run_once(struct crew *crew) {
    uint64_t begin = nanoseconds(CLOCK_MONOTONIC);
    atomic_store(&crew->cpu, 0);
    atomic_store(&crew->done, 0);
    atomic_store(&crew->next, 0);
    atomic_fetch_add(&crew->round, 1);
    take_parts(crew);
    while (atomic_load(&crew->done) < crew->parts) _mm_pause();
    return (struct pace){(double)(nanoseconds(CLOCK_MONOTONIC) - begin) * 1e-9,
                         (double)atomic_load(&crew->cpu) * 1e-9};
}

/* The least of several runs. */
static struct pace least(const struct session *session, void (*part)(void *, size_t), void *data,
                         size_t parts) {
    struct crew crew = {.part = part, .data = data, .parts = parts, .next = parts};
    cpu_set_t cpus;
    int wanted = sched_getaffinity(0, sizeof(cpus), &cpus) == 0 ? CPU_COUNT(&cpus) : 2;
    const char *asked = getenv("SIMTCL_THREADS"); /* the same number for both */
    if (asked && atoi(asked) > 0) wanted = atoi(asked);
    while (crew.count < wanted - 1 && crew.count < MOST_THREADS &&
           !pthread_create(&crew.threads[crew.count], NULL, helper, &crew))
        crew.count++;
    struct pace best = run_once(&crew);
    uint64_t end = nanoseconds(CLOCK_MONOTONIC) + (session->tiny ? 0 : 300000000u);
    for (int i = 1; i < session->runs || nanoseconds(CLOCK_MONOTONIC) < end; i++) {
        struct pace pace = run_once(&crew);
        best.wall = fmin(best.wall, pace.wall);
        best.cpu = fmin(best.cpu, pace.cpu);
    }
    atomic_store(&crew.leave, true);
    for (int i = 0; i < crew.count; i++) pthread_join(crew.threads[i], NULL);
    return best;
}

/* Zeros, aligned as a vector is. */
static void *block(size_t bytes) {
    void *p = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!p) {
        fprintf(stderr, "bench: out of memory\n");
        exit(2);
    }
    return memset(p, 0, bytes);
}

/* ---- matrix products: groups of 16 x 16, a warp is two rows of 16 ---- */

struct product {
    float *a, *b, *c;
    size_t n;
};

/* `warps` warps of a group at once, each lane its own sum. */
INLINE void naive_warps(const struct product *p, size_t x, size_t y, const int warps) {
    __m512 sum[16];
    size_t n = p->n;
#pragma GCC unroll 16
    for (int r = 0; r < 2 * warps; r++) sum[r] = _mm512_setzero_ps();
    for (size_t k = 0; k < n; k++) {
        __m512 b = _mm512_loadu_ps(p->b + k * n + x);
#pragma GCC unroll 16
        for (int r = 0; r < 2 * warps; r++)
            sum[r] = _mm512_fmadd_ps(_mm512_set1_ps(p->a[(y + (size_t)r) * n + k]), b, sum[r]);
    }
#pragma GCC unroll 16
    for (int r = 0; r < 2 * warps; r++) _mm512_storeu_ps(p->c + (y + (size_t)r) * n + x, sum[r]);
}

TWIN static void naive_group(void *data, size_t group) {
    const struct product *p = data;
    size_t across = p->n / TILE, x = group % across * TILE, y = group / across * TILE;
    for (size_t w = 0; w < TILE; w += 2) naive_warps(p, x, y + w, 1);
}

TWIN static void naive_group_4(void *data, size_t group) {
    const struct product *p = data;
    size_t across = p->n / TILE, x = group % across * TILE, y = group / across * TILE;
    for (size_t w = 0; w < TILE; w += 8) naive_warps(p, x, y + w, 4);
}

INLINE void load_tiles(const struct product *p, size_t x, size_t y, size_t m, float *as,
                       float *bs) {
    for (size_t r = 0; r < TILE; r++) {
        _mm512_store_ps(as + TILE * r, _mm512_loadu_ps(p->a + (y + r) * p->n + m));
        _mm512_store_ps(bs + TILE * r, _mm512_loadu_ps(p->b + (m + r) * p->n + x));
    }
}

/* Warp by warp from barrier to barrier; sums wait in memory. */
TWIN static void tiled_group(void *data, size_t group) {
    const struct product *p = data;
    size_t across = p->n / TILE, x = group % across * TILE, y = group / across * TILE;
    _Alignas(64) float as[TILE * TILE], bs[TILE * TILE], sums[TILE * TILE] = {0};
    for (size_t m = 0; m < p->n; m += TILE) {
        load_tiles(p, x, y, m, as, bs);
        for (size_t w = 0; w < TILE; w += 2) {
            __m512 low = _mm512_load_ps(sums + TILE * w),
                   high = _mm512_load_ps(sums + TILE * w + TILE);
#pragma GCC unroll 16
            for (size_t k = 0; k < TILE; k++) {
                __m512 b = _mm512_load_ps(bs + TILE * k);
                low = _mm512_fmadd_ps(_mm512_set1_ps(as[TILE * w + k]), b, low);
                high = _mm512_fmadd_ps(_mm512_set1_ps(as[TILE * w + TILE + k]), b, high);
            }
            _mm512_store_ps(sums + TILE * w, low);
            _mm512_store_ps(sums + TILE * w + TILE, high);
        }
    }
    for (size_t r = 0; r < TILE; r++)
        _mm512_storeu_ps(p->c + (y + r) * p->n + x, _mm512_load_ps(sums + TILE * r));
}

/* All warps of the group together, sums in registers. */
TWIN static void tiled_group_all(void *data, size_t group) {
    const struct product *p = data;
    size_t across = p->n / TILE, x = group % across * TILE, y = group / across * TILE;
    _Alignas(64) float as[TILE * TILE], bs[TILE * TILE];
    __m512 sum[TILE];
#pragma GCC unroll 16
    for (size_t r = 0; r < TILE; r++) sum[r] = _mm512_setzero_ps();
    for (size_t m = 0; m < p->n; m += TILE) {
        load_tiles(p, x, y, m, as, bs);
        for (size_t k = 0; k < TILE; k++) {
            __m512 b = _mm512_load_ps(bs + TILE * k);
#pragma GCC unroll 16
            for (size_t r = 0; r < TILE; r++)
                sum[r] = _mm512_fmadd_ps(_mm512_set1_ps(as[TILE * r + k]), b, sum[r]);
        }
    }
#pragma GCC unroll 16
    for (size_t r = 0; r < TILE; r++) _mm512_storeu_ps(p->c + (y + r) * p->n + x, sum[r]);
}

static struct pace product(const struct session *session, void (*group)(void *, size_t),
                           double *work, bool *right) {
    size_t n = session->tiny ? 32 : MATRIX, count = n * n;
    struct product p = {block(count * 4), block(count * 4), block(count * 4), n};
    float *want = block(count * 4);
    uint32_t state = 1;
    for (size_t i = 0; i < count; i++) {
        p.a[i] = (float)(job_random(&state) % 8);
        p.b[i] = (float)(job_random(&state) % 8);
    }
    for (size_t y = 0; y < n; y++)
        for (size_t k = 0; k < n; k++)
            for (size_t x = 0; x < n; x++) want[y * n + x] += p.a[y * n + k] * p.b[k * n + x];
    struct pace pace = least(session, group, &p, count / (TILE * TILE));
    *right = !memcmp(p.c, want, count * 4);
    free(p.a);
    free(p.b);
    free(p.c);
    free(want);
    *work = 2.0 * (double)n * (double)count;
    return pace;
}

static struct pace naive(const struct session *session, double *work, bool *right) {
    return product(session, naive_group, work, right);
}

static struct pace naive_4(const struct session *session, double *work, bool *right) {
    return product(session, naive_group_4, work, right);
}

static struct pace tiled(const struct session *session, double *work, bool *right) {
    return product(session, tiled_group, work, right);
}

static struct pace tiled_all(const struct session *session, double *work, bool *right) {
    return product(session, tiled_group_all, work, right);
}

/* ---- mandelbrot: a warp is two rows of 16 pixels, and leaves when its last lane does ---- */

struct plane {
    uint32_t *out;
    size_t width;
    float left, top, step;
    uint32_t most;
};

TWIN static void mandelbrot_group(void *data, size_t group) {
    const struct plane *p = data;
    size_t across = p->width / TILE, x = group % across * TILE, y = group / across * TILE;
    const __m512i one = _mm512_set1_epi32(1);
    const __m512 four = _mm512_set1_ps(4), step = _mm512_set1_ps(p->step);
    const __m512 lanes = _mm512_setr_ps(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512 cx = _mm512_fmadd_ps(_mm512_add_ps(lanes, _mm512_set1_ps((float)x)), step,
                                _mm512_set1_ps(p->left));
    for (size_t w = 0; w < TILE; w += 2) {
        __m512 cy[2], zx[2], zy[2];
        __m512i count[2];
        __mmask16 on[2] = {0xffff, 0xffff};
        for (size_t h = 0; h < 2; h++) {
            cy[h] = _mm512_set1_ps(p->top + (float)(y + w + h) * p->step);
            zx[h] = zy[h] = _mm512_setzero_ps();
            count[h] = _mm512_setzero_si512();
        }
        for (uint32_t n = 0; n < p->most; n++) {
#pragma GCC unroll 2
            for (size_t h = 0; h < 2; h++) {
                __m512 xx = _mm512_mul_ps(zx[h], zx[h]), yy = _mm512_mul_ps(zy[h], zy[h]);
                on[h] = _mm512_mask_cmp_ps_mask(on[h], _mm512_add_ps(xx, yy), four, _CMP_LT_OQ);
                __m512 next = _mm512_add_ps(_mm512_sub_ps(xx, yy), cx);
                zy[h] = _mm512_fmadd_ps(_mm512_add_ps(zx[h], zx[h]), zy[h], cy[h]);
                zx[h] = next;
                count[h] = _mm512_mask_add_epi32(count[h], on[h], count[h], one);
            }
            if (!(on[0] | on[1])) break;
        }
        for (size_t h = 0; h < 2; h++)
            _mm512_storeu_si512(p->out + (y + w + h) * p->width + x, count[h]);
    }
}

static struct pace mandelbrot(const struct session *session, double *work, bool *right) {
    size_t w = session->tiny ? 32 : 512, wrong = 0;
    struct plane p = {block(w * w * 4), w, -2, -1.25f, 2.5f / (float)w, 256};
    struct pace pace = least(session, mandelbrot_group, &p, w * w / (TILE * TILE));
    double iterations = 0;
    for (size_t i = 0; i < w * w; i++) {
        float cx = p.left + (float)(i % w) * p.step, cy = p.top + (float)(i / w) * p.step;
        float zx = 0, zy = 0;
        uint32_t n = 0;
        for (; n < p.most && zx * zx + zy * zy < 4; n++) {
            float next = zx * zx - zy * zy + cx;
            zy = 2 * zx * zy + cy;
            zx = next;
        }
        wrong += n != p.out[i];
        iterations += n;
    }
    *right = wrong <= w * w / 100;
    free(p.out);
    *work = 7 * iterations;
    return pace;
}

/* ---- n-body: a warp is 32 bodies against all ---- */

struct bodies {
    float *in, *out;
    size_t n;
};

TWIN static void nbody_warp(void *data, size_t warp) {
    const struct bodies *p = data;
    const __m512i index =
        _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60);
    const __m512 soft = _mm512_set1_ps(1e-3f), half = _mm512_set1_ps(0.5f);
    const __m512 three_halves = _mm512_set1_ps(1.5f);
    __m512 me[2][3], sum[2][3];
    for (size_t h = 0; h < 2; h++)
        for (size_t c = 0; c < 3; c++) {
            me[h][c] = _mm512_i32gather_ps(index, p->in + (32 * warp + 16 * h) * 4 + c, 4);
            sum[h][c] = _mm512_setzero_ps();
        }
    for (size_t j = 0; j < p->n; j++) {
        const float *other = p->in + 4 * j;
        __m512 at[3] = {_mm512_set1_ps(other[0]), _mm512_set1_ps(other[1]),
                        _mm512_set1_ps(other[2])};
        __m512 mass = _mm512_set1_ps(other[3]);
#pragma GCC unroll 2
        for (size_t h = 0; h < 2; h++) {
            __m512 x = _mm512_sub_ps(at[0], me[h][0]), y = _mm512_sub_ps(at[1], me[h][1]);
            __m512 z = _mm512_sub_ps(at[2], me[h][2]);
            __m512 square =
                _mm512_fmadd_ps(x, x, _mm512_fmadd_ps(y, y, _mm512_fmadd_ps(z, z, soft)));
            /* 14 bits, and one step to the 2 ulp that the guide gives native_rsqrt. */
            __m512 root = _mm512_rsqrt14_ps(square);
            __m512 s = _mm512_mul_ps(_mm512_mul_ps(square, half), root);
            root = _mm512_mul_ps(root, _mm512_fnmadd_ps(s, root, three_halves));
            __m512 scale = _mm512_mul_ps(_mm512_mul_ps(mass, root), _mm512_mul_ps(root, root));
            sum[h][0] = _mm512_fmadd_ps(x, scale, sum[h][0]);
            sum[h][1] = _mm512_fmadd_ps(y, scale, sum[h][1]);
            sum[h][2] = _mm512_fmadd_ps(z, scale, sum[h][2]);
        }
    }
    for (size_t h = 0; h < 2; h++)
        for (size_t c = 0; c < 3; c++)
            _mm512_i32scatter_ps(p->out + (32 * warp + 16 * h) * 4 + c, index, sum[h][c], 4);
}

static struct pace nbody(const struct session *session, double *work, bool *right) {
    size_t n = session->tiny ? 256 : 4096;
    struct bodies p = {block(n * 16), block(n * 16), n};
    uint32_t state = 1;
    for (size_t i = 0; i < 4 * n; i++) p.in[i] = job_unit(&state);
    struct pace pace = least(session, nbody_warp, &p, n / 32);
    double greatest = 0, off = 0;
    for (size_t i = 0; i < n; i += 16) {
        double want[3] = {0};
        for (size_t j = 0; j < n; j++) {
            double d[3], square = 1e-3f;
            for (size_t c = 0; c < 3; c++) {
                d[c] = (double)p.in[4 * j + c] - p.in[4 * i + c];
                square += d[c] * d[c];
            }
            for (size_t c = 0; c < 3; c++)
                want[c] += d[c] * p.in[4 * j + 3] / (square * sqrt(square));
        }
        for (size_t c = 0; c < 3; c++) {
            greatest = fmax(greatest, fabs(want[c]));
            off = fmax(off, fabs(want[c] - p.out[4 * i + c]));
        }
    }
    *right = off <= 1e-3 * greatest;
    free(p.in);
    free(p.out);
    *work = 20.0 * (double)n * (double)n;
    return pace;
}

/* ---- reduction: groups of 256, halving in "local memory" ---- */

struct array {
    const float *in, *in2;
    float *out;
    size_t n;
};

TWIN static void reduce_group(void *data, size_t group) {
    enum { GROUP = 256 };
    const struct array *p = data;
    const float *in = p->in + group * 2 * GROUP;
    _Alignas(64) float part[GROUP + 16];
    for (size_t i = 0; i < GROUP; i += 16)
        _mm512_store_ps(part + i,
                        _mm512_add_ps(_mm512_loadu_ps(in + i), _mm512_loadu_ps(in + i + GROUP)));
    for (size_t s = GROUP / 2; s >= 16; s /= 2)
        for (size_t i = 0; i < s; i += 16)
            _mm512_store_ps(part + i,
                            _mm512_add_ps(_mm512_load_ps(part + i), _mm512_load_ps(part + i + s)));
    for (size_t s = 8; s > 0; s /= 2)
        _mm512_mask_store_ps(part, (__mmask16)((1 << s) - 1),
                             _mm512_add_ps(_mm512_load_ps(part), _mm512_loadu_ps(part + s)));
    p->out[group] = part[0];
}

/* Several groups a part, as a scheduler hands them out. */
enum { GROUPS_A_PART = 64 };

TWIN static void reduce_part(void *data, size_t index) {
    for (size_t g = 0; g < GROUPS_A_PART; g++) reduce_group(data, index * GROUPS_A_PART + g);
}

static struct pace reduce(const struct session *session, double *work, bool *right) {
    size_t n = session->tiny ? 1 << 18 : 16 << 20, groups = n / 512;
    float *in = block(n * 4);
    struct array p = {in, NULL, block(groups * 4), n};
    uint32_t state = 3;
    double want = 0, got = 0;
    for (size_t i = 0; i < n; i++) want += in[i] = (float)(job_random(&state) >> 28) - 8;
    struct pace pace = least(session, reduce_part, &p, groups / GROUPS_A_PART);
    for (size_t i = 0; i < groups; i++) got += p.out[i];
    *right = got == want;
    free(in);
    free(p.out);
    *work = (double)n * 4;
    return pace;
}

/* ---- SHA-256: a warp in its two halves, each with message and state in registers ---- */

struct chains {
    uint32_t *digests;
    const uint32_t *start, *k;
    size_t count, rounds;
};

#define ROR(x, n)       _mm512_ror_epi32(x, n)
#define XOR3(x, y, z)   _mm512_ternarylogic_epi32(x, y, z, 0x96)
#define CHOOSE(x, y, z) _mm512_ternarylogic_epi32(x, y, z, 0xca)
#define MOST(x, y, z)   _mm512_ternarylogic_epi32(x, y, z, 0xe8)
#define ADD(x, y)       _mm512_add_epi32(x, y)

TWIN static void sha256_half(void *data, size_t half_warp) {
    const struct chains *p = data;
    const __m512i index =
        _mm512_mullo_epi32(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                           _mm512_set1_epi32(8));
    uint32_t *digests = p->digests + half_warp * 16 * 8;
    const uint32_t *start = p->start + half_warp * 16 * 8;
    static const uint32_t first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    __m512i m[8], w[16], v[8];
    for (int i = 0; i < 8; i++) m[i] = _mm512_i32gather_epi32(index, start + i, 4);
    for (size_t r = 0; r < p->rounds; r++) {
#pragma GCC unroll 8
        for (int i = 0; i < 8; i++) {
            w[i] = m[i];
            w[i + 8] = _mm512_set1_epi32(i == 0 ? (int)0x80000000 : i == 7 ? 256 : 0);
            v[i] = _mm512_set1_epi32((int)first[i]);
        }
        for (int t = 0; t < 64; t += 16) {
#pragma GCC unroll 16
            for (int j = 0; j < 16; j++) {
                if (t > 0) {
                    __m512i x = w[(j + 1) & 15], y = w[(j + 14) & 15];
                    __m512i s = XOR3(ROR(x, 7), ROR(x, 18), _mm512_srli_epi32(x, 3));
                    __m512i u = XOR3(ROR(y, 17), ROR(y, 19), _mm512_srli_epi32(y, 10));
                    w[j] = ADD(ADD(w[j], w[(j + 9) & 15]), ADD(s, u));
                }
                /* The state rotates: a of this round is v[-j & 7]. */
                __m512i a = v[-j & 7], b = v[(1 - j) & 7], c = v[(2 - j) & 7], d = v[(3 - j) & 7];
                __m512i e = v[(4 - j) & 7], f = v[(5 - j) & 7], g = v[(6 - j) & 7];
                __m512i h = v[(7 - j) & 7];
                __m512i t1 =
                    ADD(ADD(h, XOR3(ROR(e, 6), ROR(e, 11), ROR(e, 25))),
                        ADD(CHOOSE(e, f, g), ADD(_mm512_set1_epi32((int)p->k[t + j]), w[j])));
                v[(3 - j) & 7] = ADD(d, t1);
                v[(7 - j) & 7] =
                    ADD(t1, ADD(XOR3(ROR(a, 2), ROR(a, 13), ROR(a, 22)), MOST(a, b, c)));
            }
        }
#pragma GCC unroll 8
        for (int i = 0; i < 8; i++) m[i] = ADD(v[i], _mm512_set1_epi32((int)first[i]));
    }
    for (int i = 0; i < 8; i++) _mm512_i32scatter_epi32(digests + i, index, m[i], 4);
}

static struct pace sha256(const struct session *session, double *work, bool *right) {
    size_t chains = session->tiny ? 128 : 1 << 13, rounds = session->tiny ? 2 : 64;
    uint32_t *start = block(chains * 32), state = 2, k[64];
    rows_sha256_constants(k);
    struct chains p = {block(chains * 32), start, k, chains, rounds};
    for (size_t i = 0; i < chains * 8; i++) start[i] = job_random(&state);
    struct pace pace = least(session, sha256_half, &p, chains / 16);
    *right = true;
    for (size_t i = 0; i < chains; i += 61) {
        uint32_t want[8];
        memcpy(want, start + 8 * i, 32);
        for (size_t r = 0; r < rounds; r++) rows_sha256_digest(want);
        *right &= !memcmp(p.digests + 8 * i, want, 32);
    }
    free(start);
    free(p.digests);
    *work = (double)chains * (double)rounds;
    return pace;
}

/* ---- a STREAM-like loop ---- */

enum { STREAM_PART = 1 << 15 };

TWIN static void stream_part(void *data, size_t index) {
    const struct array *p = data;
    size_t from = index * STREAM_PART, to = from + STREAM_PART < p->n ? from + STREAM_PART : p->n;
    for (size_t i = from; i < to; i += 16)
        _mm512_storeu_ps(p->out + i,
                         _mm512_add_ps(_mm512_loadu_ps(p->in + i), _mm512_loadu_ps(p->in2 + i)));
}

static struct pace stream(const struct session *session, double *work, bool *right) {
    size_t n = session->tiny ? 4096 : 8 << 20;
    float *a = block(n * 4), *b = block(n * 4);
    struct array p = {a, b, block(n * 4), n};
    for (size_t i = 0; i < n; i++) {
        a[i] = (float)(i % 1000);
        b[i] = (float)(i % 777);
    }
    struct pace pace = least(session, stream_part, &p, (n + STREAM_PART - 1) / STREAM_PART);
    *right = true;
    for (size_t i = 0; i < n; i++) *right &= p.out[i] == a[i] + b[i];
    free(a);
    free(b);
    free(p.out);
    *work = 12.0 * (double)n;
    return pace;
}

static bool able(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#endif

/* ---- what bench sees ---- */

/* One run's times and work; *right tells whether the results were. */
typedef struct pace twin_function(const struct session *session, double *work, bool *right);

static const struct twin {
    const char *row, *manner;
    twin_function *run;
    const struct twin *also; /* another manner of the same row, after this one in the table */
} twins[] = {
#if defined(__x86_64__)
    {"matmul_naive", "warp by warp", naive, &twins[1]},
    {"matmul_naive", "four warps in flight", naive_4, NULL},
    {"matmul_tiled", "warp by warp", tiled, &twins[3]},
    {"matmul_tiled", "sums in registers", tiled_all, NULL},
    {"mandelbrot", "warp by warp", mandelbrot, NULL},
    {"nbody", "warp by warp", nbody, NULL},
    {"nbody_tiled", "warp by warp, no tiles", nbody, NULL},
    {"reduce", "warp by warp", reduce, NULL},
    {"sha256", "half-warps", sha256, NULL},
    {"vecadd", "a STREAM-like loop", stream, NULL},
#endif
    {NULL, NULL, NULL, NULL},
};

const struct twin *twins_find(const char *row) {
#if defined(__x86_64__)
    if (able())
        for (const struct twin *t = twins; t->row; t++)
            if (!strcmp(t->row, row)) return t;
#endif
    (void)row;
    return NULL;
}

bool twins_compare(const struct twin *twin, const struct row *row, const struct result *result,
                   const struct session *session) {
    bool all = true;
    for (; twin; twin = twin->also) {
        bool right = false;
        double work;
        struct pace pace = twin->run(session, &work, &right);
        printf("  by hand, %-22s %8.4g %-8s %s%5.1f %% of it reached, %5.1f %% by CPU time\n",
               twin->manner, work / pace.wall / row->scale, row->unit, right ? "" : "WRONG, ",
               100 * result->work / result->seconds / (work / pace.wall),
               100 * result->work / result->cpu / (work / pace.cpu));
        all &= right;
    }
    fflush(stdout);
    return all;
}
