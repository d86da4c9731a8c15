/* The lines of the texture cache that a warp's read needs, found by vectors on each level, are
 * those of the texels that the specification names (8.2), said lane by lane. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "device/gpu/tiling.h"
#include "device/observe/counters_texture.h"

enum { CASES = 100000, LANES = ISA_WARP, HALF = LANES / 2 };

static uint64_t state = 1;

static uint32_t any(uint32_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % below);
}

/* A read of an image at coordinates of which float has every bit that counts. */
struct read_case {
    struct texture texture;
    uint32_t sampler, mask, first, line;
    bool real, linear;
    float reals[3][LANES] __attribute__((aligned(64)));
    int32_t ints[3][LANES] __attribute__((aligned(64)));
};

static void make(struct read_case *c) {
    static const uint32_t masks[] = {~0u, 0xffff, 0x10000, 0x5555aaaa, 1u << 31};
    struct texture *t = &c->texture;
    memset(c, 0, sizeof *c);
    t->dim = (uint8_t)any(ISA_DIM_COUNT);
    bool high = t->dim == ISA_DIM_2D || t->dim == ISA_DIM_2D_ARRAY || t->dim == ISA_DIM_3D;
    bool array = t->dim == ISA_DIM_1D_ARRAY || t->dim == ISA_DIM_2D_ARRAY;
    t->width = 1u << any(9);
    t->height = high ? 1u << any(9) : 1;
    t->depth = t->dim == ISA_DIM_3D ? 1u << any(5) : 1;
    t->array_size = array ? 1 + any(9) : 0;
    t->texel_bytes = (uint8_t)(1u << any(5));
    c->sampler = any(2) * ISA_SAMPLER_NORMALIZED | any(2) * ISA_SAMPLER_LINEAR |
                 any(ISA_ADDRESS_MIRRORED_REPEAT + 1) << ISA_SAMPLER_ADDRESS_SHIFT;
    c->real = any(3) != 0;
    c->linear = c->real && c->sampler & ISA_SAMPLER_LINEAR;
    c->mask = masks[any(5)];
    c->first = any(1000) * TILING_TILE_BYTES;
    c->line = 64u << any(3);
    const uint32_t size[3] = {t->width, t->height, t->depth};
    for (unsigned d = 0; d < 3; d++) {
        bool scaled = c->sampler & ISA_SAMPLER_NORMALIZED && c->real;
        uint32_t spread = any(4), begin = any(4 * size[d] + 16), row = any(2) ? LANES : HALF;
        uint32_t turned = any(4) ? 0 : row - 1;
        for (unsigned l = 0; l < LANES; l++) {
            uint32_t at =
                spread == 3 ? any(4 * size[d] + 16) : begin + 4 * spread * (l % row ^ turned);
            c->reals[d][l] = ((float)at * 0.25f - 2) / (scaled ? (float)size[d] : 1);
            c->ints[d][l] = (int32_t)(at / 4) - 2;
        }
    }
}

/* The texels along one axis, -1: the border. */
static unsigned along(const struct read_case *c, unsigned d, unsigned lane, uint32_t size,
                      int64_t texel[2]) {
    unsigned mode = c->sampler >> ISA_SAMPLER_ADDRESS_SHIFT & ISA_SAMPLER_ADDRESS_MASK;
    bool scaled = c->real && c->sampler & ISA_SAMPLER_NORMALIZED;
    bool repeat = scaled && mode == ISA_ADDRESS_REPEAT;
    bool mirror = scaled && mode == ISA_ADDRESS_MIRRORED_REPEAT;
    bool edge = mode == ISA_ADDRESS_CLAMP_TO_EDGE || mirror;
    double u = c->real ? (double)c->reals[d][lane] : (double)c->ints[d][lane];
    if (repeat) u -= floor(u);
    if (mirror) u = fabs(u - 2.0 * nearbyint(0.5 * u));
    if (scaled) u *= size;
    if (c->linear) u -= 0.5;
    texel[0] = (int64_t)floor(u);
    texel[1] = texel[0] + 1;
    for (unsigned n = 0; n < 2; n++) {
        int64_t last = (int64_t)size - 1;
        if (repeat) texel[n] = texel[n] < 0 ? last : texel[n] > last ? 0 : texel[n];
        if (texel[n] >= 0 && texel[n] <= last) continue;
        texel[n] = !edge ? -1 : texel[n] < 0 ? 0 : last;
    }
    return c->linear ? 2 : 1;
}

static uint32_t layer(const struct read_case *c, unsigned d, unsigned lane) {
    double at = c->real ? nearbyint((double)c->reals[d][lane]) : (double)c->ints[d][lane];
    double last = (double)c->texture.array_size - 1;
    return (uint32_t)(at < 0 ? 0 : at > last ? last : at);
}

static void add(struct counters_lines *lines, unsigned half, uint32_t line) {
    for (unsigned n = 0; n < lines->count[half]; n++)
        if (lines->line[half][n] == line) return;
    lines->line[half][lines->count[half]++] = line;
}

static void read_lane(const struct read_case *c, const struct tiling *tiling, unsigned lane,
                      struct counters_lines *lines) {
    const struct texture *t = &c->texture;
    int64_t x[2], y[2] = {0, 0}, z[2] = {0, 0};
    unsigned nx = along(c, 0, lane, t->width, x), ny = 1, nz = 1;
    if (t->dim == ISA_DIM_2D || t->dim == ISA_DIM_2D_ARRAY || t->dim == ISA_DIM_3D)
        ny = along(c, 1, lane, t->height, y);
    if (t->dim == ISA_DIM_3D) nz = along(c, 2, lane, t->depth, z);
    if (t->dim == ISA_DIM_1D_ARRAY) z[0] = layer(c, 1, lane);
    if (t->dim == ISA_DIM_2D_ARRAY) z[0] = layer(c, 2, lane);
    for (unsigned n = 0; n < nx * ny * nz; n++) {
        int64_t tx = x[n % nx], ty = y[n / nx % ny], tz = z[n / nx / ny];
        if (tx < 0 || ty < 0 || tz < 0) continue;
        uint32_t byte =
            t->dim == ISA_DIM_1D_BUFFER
                ? (uint32_t)tx * t->texel_bytes
                : tiling_offset(tiling, (uint32_t)tx, (uint32_t)ty, (uint32_t)tz, t->texel_bytes);
        lines->texels++;
        add(lines, lane / HALF, (c->first + byte) / c->line * c->line);
    }
}

static void plainly(const struct read_case *c, struct counters_lines *lines) {
    struct tiling tiling;
    tiling_init(&tiling, c->texture.width * c->texture.texel_bytes, c->texture.height);
    lines->texels = lines->count[0] = lines->count[1] = 0;
    for (unsigned l = 0; l < LANES; l++)
        if (c->mask >> l & 1) read_lane(c, &tiling, l, lines);
}

static bool same(const struct counters_lines *a, const struct counters_lines *b) {
    bool equal = a->texels == b->texels;
    for (unsigned h = 0; h < 2; h++)
        equal = equal && a->count[h] == b->count[h] &&
                !memcmp(a->line[h], b->line[h], a->count[h] * sizeof *a->line[h]);
    return equal;
}

static unsigned rows[2]; /* that lie in rows: from left to right, and back */

static bool check(const struct read_case *c, footprint_find_fn *find, counters_lines_fn *lines,
                  counters_row_fn *row) {
    struct counters_lines want, got;
    struct footprint f;
    const void *at[3];
    for (unsigned d = 0; d < 3; d++)
        at[d] = c->real ? (const void *)c->reals[d] : (const void *)c->ints[d];
    struct counters_tiles tiles = counters_tiles_of(&c->texture, c->first);
    plainly(c, &want);
    find(&c->texture, c->sampler, at, c->real, true, &f);
    lines(&tiles, &f, c->mask, c->line, &got);
    bool good = same(&want, &got);
    const uint32_t size[2] = {c->texture.width, c->texture.height};
    if (c->real || c->texture.dim != ISA_DIM_2D ||
        !row(&tiles, size, at[0], at[1], c->mask, c->line, &got))
        return good;
    unsigned lane = (unsigned)__builtin_ctz(c->mask);
    rows[c->ints[0][lane] > c->ints[0][lane + 1]]++;
    return good && same(&want, &got);
}

int main(void) {
    unsigned failures = 0;
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                __builtin_cpu_supports("bmi2");
    bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    for (unsigned n = 0; n < CASES; n++) {
        struct read_case c;
        make(&c);
        bool good =
            check(&c, footprint_find_baseline, counters_lines_baseline, counters_row_baseline) &&
            (!avx2 || check(&c, footprint_find_avx2, counters_lines_avx2, counters_row_avx2)) &&
            (!avx512 ||
             check(&c, footprint_find_avx512, counters_lines_avx512, counters_row_avx512));
        if (!good && !failures++)
            fprintf(stderr, "case %u: image of dimension %u, sampler %x, mask %08x\n", n,
                    c.texture.dim, (unsigned)c.sampler, (unsigned)c.mask);
    }
    printf("%u of %d differ; %u and %u were rows\n", failures, (int)CASES, rows[0], rows[1]);
    return failures || !rows[0] || !rows[1];
}
