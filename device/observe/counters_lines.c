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

ALWAYS uint32_t inside(const struct footprint *f, unsigned d, unsigned place) {
    uint32_t outside = 0;
    for (int lane = 0; f->border[d] && lane < ISA_WARP; lane += BLOCK)
        outside |= block_bits((block_ints)block_load(f->axes[d].outside[place] + lane)) << lane;
    return ~outside;
}

/* The lanes' lines at every combination of places, along x first. `count`: the footprint's. */
ALWAYS void find(const struct counters_tiles *t, const struct footprint *f, const unsigned count[3],
                 uint32_t mask, uint32_t bytes, struct lane_lines *l) {
    block_words low = block_splat(~(bytes - 1));
    l->count = 0;
    for (unsigned k = 0; !k || k < count[2]; k++) {
        uint32_t on_z = f->border[2] ? mask & inside(f, 2, k) : mask;
        for (unsigned j = 0; !j || j < count[1]; j++) {
            uint32_t on_y = f->border[1] ? on_z & inside(f, 1, j) : on_z;
            for (unsigned i = 0; i < count[0]; i++, l->count++) {
                l->on[l->count] = f->border[0] ? on_y & inside(f, 0, i) : on_y;
                EACH_BLOCK {
                    block_words at = along_x(t, block_load(f->axes[0].offset[i] + lane)) + t->first;
                    if (count[1]) at += along_y(t, block_load(f->axes[1].offset[j] + lane));
                    if (count[2]) at += block_load(f->axes[2].offset[k] + lane) * t->slice_bytes;
                    block_store(l->line[l->count] + lane, at & low);
                }
            }
        }
    }
}

/* One bit for each lane where they are equal. */
ALWAYS uint32_t equal(block_words a, block_words b) {
#if defined(__AVX512F__)
    return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b);
#else
    return block_bits((block_ints)(a == b));
#endif
}

/* The lanes of a half-warp whose line it is. */
ALWAYS uint32_t those_of(const uint32_t *lines, uint32_t line) {
    uint32_t all = 0;
    for (int lane = 0; lane < HALF; lane += BLOCK)
        all |= equal(block_load(lines + lane), block_splat(line)) << lane;
    return all;
}

/* Returns how many lines the half-warp that begins at lane `from` needs. */
ALWAYS unsigned distinct(const struct lane_lines *l, unsigned from, uint32_t *lines) {
    uint32_t left[COMBINATIONS], any = 0;
    unsigned count = 0;
    for (unsigned c = 0; c < l->count; c++) any |= left[c] = l->on[c] >> from & ((1u << HALF) - 1);
    while (any) {
        unsigned lane = (unsigned)__builtin_ctz(any), c = 0;
        while (c + 1 < l->count && !(left[c] >> lane & 1)) c++;
        uint32_t line = l->line[c][from + lane];
        lines[count++] = line;
        any = 0;
        for (c = 0; c < l->count; c++) any |= left[c] &= ~those_of(l->line[c] + from, line);
    }
    return count;
}

ALWAYS void find_lines(const struct counters_tiles *t, const struct footprint *f, unsigned x,
                       unsigned y, unsigned z, uint32_t mask, uint32_t bytes,
                       struct counters_lines *lines) {
    struct lane_lines l;
    find(t, f, (const unsigned[]){x, y, z}, mask, bytes, &l);
    lines->texels = 0;
    for (unsigned c = 0; c < l.count; c++) lines->texels += (uint32_t)__builtin_popcount(l.on[c]);
    for (unsigned h = 0; h < 2; h++) lines->count[h] = distinct(&l, h * HALF, lines->line[h]);
}

void LANES_NAME(counters_lines)(const struct counters_tiles *t, const struct footprint *f,
                                uint32_t mask, uint32_t bytes, struct counters_lines *lines) {
    const unsigned *count = f->count;
    if (count[0] == 1 && count[1] == 1 && !count[2])
        find_lines(t, f, 1, 1, 0, mask, bytes, lines);
    else if (count[0] == 2 && count[1] == 2 && !count[2])
        find_lines(t, f, 2, 2, 0, mask, bytes, lines);
    else
        find_lines(t, f, count[0], count[1], count[2], mask, bytes, lines);
}

/* A half-warp whose lanes read texels of one row in turn, in the image. */
ALWAYS bool half_row(const struct counters_tiles *t, const uint32_t size[2], const uint32_t *x,
                     const uint32_t *y, uint32_t bytes, uint32_t *lines, uint32_t *count) {
    static const uint32_t numbers[HALF]
        __attribute__((aligned(64))) = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const uint32_t step = x[1] - x[0], last = HALF - 1;
    uint32_t same = 0;
    if (x[0] >= size[0] || x[last] >= size[0] || y[0] >= size[1] || step + 1 > 2) return false;
    for (int lane = 0; lane < HALF; lane += BLOCK)
        same |= (equal(block_load(x + lane), block_load(numbers + lane) * step + x[0]) &
                 equal(block_load(y + lane), block_splat(y[0])))
                << lane;
    if (same != (1u << HALF) - 1) return false;
    uint32_t shift = (uint32_t)__builtin_ctz(bytes | TILING_TILE_WIDTH); /* of a line's row */
    uint32_t from = x[0] * t->texel_bytes >> shift, to = x[last] * t->texel_bytes >> shift;
    uint32_t row = y[0] / TILING_TILE_ROWS, band = row >> t->height_shift;
    uint32_t begin = t->first + band * t->band_bytes +
                     (row - (band << t->height_shift)) * TILING_TILE_BYTES +
                     y[0] % TILING_TILE_ROWS * TILING_TILE_WIDTH;
    *count = (from < to ? to - from : from - to) + 1;
    for (uint32_t n = 0; n < *count; n++) {
        uint32_t at = (from < to ? from + n : from - n) << shift;
        at = at / TILING_TILE_WIDTH * t->column_bytes + at % TILING_TILE_WIDTH;
        lines[n] = (begin + at) & ~(bytes - 1);
    }
    return true;
}

bool LANES_NAME(counters_row)(const struct counters_tiles *t, const uint32_t size[2],
                              const uint32_t *x, const uint32_t *y, uint32_t mask, uint32_t bytes,
                              struct counters_lines *lines) {
    lines->texels = 0;
    for (unsigned h = 0; h < 2; h++) {
        uint32_t on = mask >> h * HALF & ((1u << HALF) - 1);
        lines->count[h] = 0;
        if (!on) continue;
        if (on != (1u << HALF) - 1 ||
            !half_row(t, size, x + h * HALF, y + h * HALF, bytes, lines->line[h], &lines->count[h]))
            return false;
        lines->texels += HALF;
    }
    return true;
}

uint32_t LANES_NAME(counters_alike)(const uint32_t *a, const uint32_t *b, uint32_t mask) {
    unsigned first = (unsigned)__builtin_ctz(mask);
    block_words one = block_splat(a[first]), other = block_splat(b[first]);
    uint32_t same = 0;
    EACH_BLOCK same |= (equal(block_load(a + lane), one) & equal(block_load(b + lane), other))
                       << lane;
    return same & mask;
}
