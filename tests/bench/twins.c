#include "twins.h"
#include "twins_parts.h"
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
#include <emmintrin.h>

enum { MOST_THREADS = 64, MATRIX = 384 };

/* The code for the level that kernels use: the most that the CPU has, or less by SIMTCL_SIMD. */
static const struct twins_parts *parts(void) {
    const char *asked = getenv("SIMTCL_SIMD");
    bool less = asked && !strcmp(asked, "avx2");
    if (asked && *asked && !less && strcmp(asked, "avx512")) return NULL;
    if (!less && twins_avx512.able()) return &twins_avx512;
    return twins_avx2.able() ? &twins_avx2 : NULL;
}

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

static struct pace product(const struct session *session, void (*group)(void *, size_t),
                           double *work, bool *right) {
    size_t n = session->tiny ? 32 : MATRIX, count = n * n;
    struct twins_product p = {block(count * 4), block(count * 4), block(count * 4), n};
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
    return product(session, parts()->naive, work, right);
}

static struct pace naive_more(const struct session *session, double *work, bool *right) {
    return product(session, parts()->naive_more, work, right);
}

static struct pace tiled(const struct session *session, double *work, bool *right) {
    return product(session, parts()->tiled, work, right);
}

static struct pace tiled_more(const struct session *session, double *work, bool *right) {
    return product(session, parts()->tiled_more, work, right);
}

static struct pace mandelbrot(const struct session *session, double *work, bool *right) {
    size_t w = session->tiny ? 32 : 512, wrong = 0;
    struct twins_plane p = {block(w * w * 4), w, -2, -1.25f, 2.5f / (float)w, 256};
    struct pace pace = least(session, parts()->mandelbrot, &p, w * w / (TILE * TILE));
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

static struct pace nbody(const struct session *session, double *work, bool *right) {
    size_t n = session->tiny ? 256 : 4096;
    struct twins_bodies p = {block(n * 16), block(n * 16), n};
    uint32_t state = 1;
    for (size_t i = 0; i < 4 * n; i++) p.in[i] = job_unit(&state);
    struct pace pace = least(session, parts()->nbody, &p, n / 32);
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

static struct pace reduce(const struct session *session, double *work, bool *right) {
    size_t n = session->tiny ? 1 << 18 : 16 << 20, groups = n / (2 * TWINS_REDUCE_GROUP);
    float *in = block(n * 4);
    struct twins_array p = {in, NULL, block(groups * 4), n};
    uint32_t state = 3;
    double want = 0, got = 0;
    for (size_t i = 0; i < n; i++) want += in[i] = (float)(job_random(&state) >> 28) - 8;
    struct pace pace = least(session, parts()->reduce, &p, groups / TWINS_GROUPS_A_PART);
    for (size_t i = 0; i < groups; i++) got += p.out[i];
    *right = got == want;
    free(in);
    free(p.out);
    *work = (double)n * 4;
    return pace;
}

static struct pace sha256(const struct session *session, double *work, bool *right) {
    size_t chains = session->tiny ? 128 : 1 << 13, rounds = session->tiny ? 2 : 64;
    uint32_t *start = block(chains * 32), state = 2, k[64];
    rows_sha256_constants(k);
    struct twins_chains p = {block(chains * 32), start, k, chains, rounds};
    for (size_t i = 0; i < chains * 8; i++) start[i] = job_random(&state);
    struct pace pace = least(session, parts()->sha256, &p, chains / TILE);
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

static struct pace stream(const struct session *session, double *work, bool *right) {
    size_t n = session->tiny ? 4096 : 8 << 20;
    float *a = block(n * 4), *b = block(n * 4);
    struct twins_array p = {a, b, block(n * 4), n};
    for (size_t i = 0; i < n; i++) {
        a[i] = (float)(i % 1000);
        b[i] = (float)(i % 777);
    }
    struct pace pace =
        least(session, parts()->stream, &p, (n + TWINS_STREAM_PART - 1) / TWINS_STREAM_PART);
    *right = true;
    for (size_t i = 0; i < n; i++) *right &= p.out[i] == a[i] + b[i];
    free(a);
    free(b);
    free(p.out);
    *work = 12.0 * (double)n;
    return pace;
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
    {"matmul_naive", "several warps in flight", naive_more, NULL},
    {"matmul_tiled", "warp by warp", tiled, &twins[3]},
    {"matmul_tiled", "several warps, sums in registers", tiled_more, NULL},
    {"mandelbrot", "warp by warp", mandelbrot, NULL},
    {"nbody", "warp by warp", nbody, NULL},
    {"nbody_tiled", "warp by warp, no tiles", nbody, NULL},
    {"reduce", "warp by warp", reduce, NULL},
    {"sha256", "vector by vector", sha256, NULL},
    {"vecadd", "a STREAM-like loop", stream, NULL},
#endif
    {NULL, NULL, NULL, NULL},
};

const struct twin *twins_find(const char *row) {
#if defined(__x86_64__)
    if (parts())
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
