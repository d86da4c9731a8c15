/* Tiling: where the texels of an image lie in the device's memory, so that texels near each other
 * in either direction share a line of the texture cache (guide 3.1.2.4: 2D locality). Tiles have
 * 64 bytes x 4 rows; they are stacked into columns of up to 16, which follow each other row by row
 * (published by the envytools project from observation of the G80 family; how high drivers of the
 * time made the columns is not known: here, as open drivers do, as high as the image, up to 64
 * rows). Pure functions. */
#ifndef SIMTCL_TILING_H
#define SIMTCL_TILING_H

#include <stdint.h>

enum { TILING_TILE_WIDTH = 64, TILING_TILE_ROWS = 4, TILING_TILE_BYTES = 256 };

struct tiling {
    uint32_t columns;     /* tiles side by side */
    uint32_t height;      /* tiles in a column, a power of two up to 16 */
    uint32_t slice_bytes; /* of one slice or layer */
};

/* Of images whose rows have so many bytes of texels, without padding. Both are 1 at least. */
void tiling_init(struct tiling *t, uint32_t row_bytes, uint32_t rows);

/* The byte of texel (x, y) of slice z, whose size is texel_bytes, from the image's beginning, which
 * is that of a tile. */
uint32_t tiling_offset(const struct tiling *t, uint32_t x, uint32_t y, uint32_t z,
                       unsigned texel_bytes);

#endif
