#include "counters_lines.h"

#include "device/gpu/tiling.h"
#include "device/simd/blocks.h"

enum { COMBINATIONS = 8, HALF = ISA_WARP / 2 };

/* Each lane's texels: the lines they are in, of the lanes of `on`. */
struct lane_lines {
    uint32_t line[COMBINATIONS][ISA_WARP] __attribute__((aligned(64)));
    uint32_t on[COMBINATIONS];
    unsigned count;
};

ALWAYS block_words along_x(const struct counters_tiles *t, block_words x) {
    block_words byte = x * t->texel_bytes;
    return byte / TILING_TILE_WIDTH * t->column_bytes + byte % TILING_TILE_WIDTH;
}

ALWAYS block_words along_y(const struct counters_tiles *t, block_words y) {
    block_words row = y / TILING_TILE_ROWS, band = row >> t->height_shift;
    return band * t->band_bytes + (row - (band << t->height_shift)) * TILING_TILE_BYTES +
           y % TILING_TILE_ROWS * TILING_TILE_WIDTH;
}

/* The lanes' lines at every combination of places, along x first. */
static void find(const struct counters_tiles *t, const struct footprint *f, uint32_t mask,
                 uint32_t bytes, struct lane_lines *l) {
    uint32_t x[2][ISA_WARP] __attribute__((aligned(64))),
        y[2][ISA_WARP] __attribute__((aligned(64)));
    const unsigned *count = f->count;
    for (unsigned n = 0; n < count[0]; n++)
        EACH_BLOCK block_store(x[n] + lane, along_x(t, block_load(f->at[0][n] + lane)) + t->first);
    for (unsigned n = 0; n < count[1]; n++)
        EACH_BLOCK block_store(y[n] + lane, along_y(t, block_load(f->at[1][n] + lane)));
    l->count = count[0] * count[1] * count[2];
    for (unsigned c = 0; c < l->count; c++) {
        unsigned i = c % count[0], j = c / count[0] % count[1], k = c / count[0] / count[1];
        l->on[c] = mask & ~(f->outside[0][i] | f->outside[1][j] | f->outside[2][k]);
        EACH_BLOCK {
            block_words at = block_load(x[i] + lane) + block_load(y[j] + lane) +
                             block_load(f->at[2][k] + lane) * t->slice_bytes;
            block_store(l->line[c] + lane, at & ~(bytes - 1));
        }
    }
}

/* The lanes of a half-warp whose line it is. */
ALWAYS uint32_t those_of(const uint32_t *lines, uint32_t line) {
    uint32_t all = 0;
    for (int lane = 0; lane < HALF; lane += BLOCK)
        all |= block_bits((block_ints)(block_load(lines + lane) == block_splat(line))) << lane;
    return all;
}

/* Returns how many lines the half-warp that begins at lane `from` needs. */
static unsigned distinct(const struct lane_lines *l, unsigned from, uint32_t *lines) {
    uint32_t left[COMBINATIONS], any = 0;
    unsigned count = 0;
    for (unsigned c = 0; c < l->count; c++) any |= left[c] = l->on[c] >> from & ((1u << HALF) - 1);
    while (any) {
        unsigned lane = (unsigned)__builtin_ctz(any), c = 0;
        while (!(left[c] >> lane & 1)) c++;
        uint32_t line = l->line[c][from + lane];
        lines[count++] = line;
        any = 0;
        for (c = 0; c < l->count; c++) any |= left[c] &= ~those_of(l->line[c] + from, line);
    }
    return count;
}

void LANES_NAME(counters_lines)(const struct counters_tiles *t, const struct footprint *f,
                                uint32_t mask, uint32_t bytes, struct counters_lines *lines) {
    struct lane_lines l;
    find(t, f, mask, bytes, &l);
    lines->texels = 0;
    for (unsigned c = 0; c < l.count; c++) lines->texels += (uint32_t)__builtin_popcount(l.on[c]);
    for (unsigned h = 0; h < 2; h++) lines->count[h] = distinct(&l, h * HALF, lines->line[h]);
}
