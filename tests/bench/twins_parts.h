/* What twins.c takes from its hand-written code: for each kind of work what a part of it needs, and
 * the function that does one part; a table of them for each level of instructions. */
#ifndef BENCH_TWINS_PARTS_H
#define BENCH_TWINS_PARTS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TILE = 16,
    TWINS_REDUCE_GROUP = 256,
    TWINS_GROUPS_A_PART = 64, /* of reduce: as a scheduler hands them out */
    TWINS_STREAM_PART = 1 << 15,
};

struct twins_product {
    float *a, *b, *c;
    size_t n;
};

struct twins_plane {
    uint32_t *out;
    size_t width;
    float left, top, step;
    uint32_t most;
};

struct twins_bodies {
    float *in, *out;
    size_t n;
};

struct twins_array {
    const float *in, *in2;
    float *out;
    size_t n;
};

struct twins_chains {
    uint32_t *digests;
    const uint32_t *start, *k;
    size_t count, rounds;
};

/* Parts are a group of 16 x 16 work-items (matrix products, mandelbrot), a warp (nbody), a
 * half-warp (sha256), TWINS_GROUPS_A_PART groups (reduce), TWINS_STREAM_PART elements. */
typedef void twins_part(void *data, size_t index);
struct twins_parts {
    bool (*able)(void); /* whether the CPU has the instructions */
    twins_part *naive, *naive_more, *tiled, *tiled_more, *mandelbrot, *nbody, *reduce, *sha256,
        *stream;
};

extern const struct twins_parts twins_avx512, twins_avx2;
#endif
