/* Lines: which lines of the texture cache a warp's read of an image needs, by vectors. Compiled for
 * each level by counters_lines.c; all give the same. Private to device/observe. */
#ifndef SIMTCL_COUNTERS_LINES_H
#define SIMTCL_COUNTERS_LINES_H

#include "device/texture/footprint.h"

enum { COUNTERS_LINES_MOST = ISA_WARP / 2 * 8 }; /* 8 texels a lane, in 3 dimensions */

/* Where an image's texels lie on the device (gpu/tiling.h): the sum of what their places along x, y
 * and z come to. */
struct counters_tiles {
    uint32_t first; /* address of texel (0, 0, 0) */
    uint32_t texel_bytes;
    uint32_t column_bytes; /* from a tile to the one beside it */
    uint32_t height_shift; /* logarithm of the tiles in a column */
    uint32_t band_bytes;   /* from a row of columns to the next */
    uint32_t slice_bytes;
};

/* What a warp's read came to: of each half-warp the lines, without repetition, as its lanes in
 * their order need them. */
struct counters_lines {
    uint32_t texels; /* that lanes read */
    uint32_t count[2];
    uint32_t line[2][COUNTERS_LINES_MOST]; /* their addresses */
};

/* counters_lines_<level>. bytes: of a line, a power of two up to that of a tile. */
typedef void counters_lines_fn(const struct counters_tiles *t, const struct footprint *f,
                               uint32_t mask, uint32_t bytes, struct counters_lines *lines);
counters_lines_fn counters_lines_baseline, counters_lines_avx2, counters_lines_avx512;

/* counters_row_<level>: the same of a read of an image of two dimensions, width and height, by the
 * whole numbers x and y (aligned to 64 bytes), one texel a lane. False: it is none of half-warps
 * whose lanes are all on, and read texels of one row of the image, in turn; nothing is said. */
typedef bool counters_row_fn(const struct counters_tiles *t, const uint32_t size[2],
                             const uint32_t *x, const uint32_t *y, uint32_t mask, uint32_t bytes,
                             struct counters_lines *lines);
counters_row_fn counters_row_baseline, counters_row_avx2, counters_row_avx512;

/* counters_alike_<level>: the lanes of `mask`, which is not empty, whose a and b are those of its
 * lowest one. Both are aligned to 64 bytes. */
typedef uint32_t counters_alike_fn(const uint32_t a[ISA_WARP], const uint32_t b[ISA_WARP],
                                   uint32_t mask);
counters_alike_fn counters_alike_baseline, counters_alike_avx2, counters_alike_avx512;

#endif
