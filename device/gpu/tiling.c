#include "tiling.h"

enum { MOST_HEIGHT = 16 };

void tiling_init(struct tiling *t, uint32_t row_bytes, uint32_t rows) {
    uint32_t tiles = (rows + TILING_TILE_ROWS - 1) / TILING_TILE_ROWS;
    t->columns = (row_bytes + TILING_TILE_WIDTH - 1) / TILING_TILE_WIDTH;
    t->height = 1;
    while (t->height < tiles && t->height < MOST_HEIGHT) t->height *= 2;
    uint32_t bands = (tiles + t->height - 1) / t->height;
    t->slice_bytes = bands * t->height * t->columns * TILING_TILE_BYTES;
}

uint32_t tiling_offset(const struct tiling *t, uint32_t x, uint32_t y, uint32_t z,
                       unsigned texel_bytes) {
    uint32_t byte = x * texel_bytes, row = y / TILING_TILE_ROWS;
    uint32_t band = row / t->height, column = band * t->columns + byte / TILING_TILE_WIDTH;
    uint32_t tile = column * t->height + row % t->height;
    return z * t->slice_bytes + tile * TILING_TILE_BYTES +
           y % TILING_TILE_ROWS * TILING_TILE_WIDTH + byte % TILING_TILE_WIDTH;
}
