/* The read of an image, by a half-warp, that needs the most lines of the texture cache (guide
 * 3.1.2.4). Private to device/observe but for what worst_observer.h shows. */
#ifndef SIMTCL_WORST_READ_H
#define SIMTCL_WORST_READ_H

#include "device/gpu/model.h"
#include "observer.h"

enum {
    WORST_LANES = ISA_WARP / 2, /* of a half-warp, whose requests the device serves together */
    WORST_TEXELS = 8,           /* of a lane: two along each axis */
    WORST_LINES = WORST_LANES * WORST_TEXELS
};

/* A lane reads the texels at every combination of its places along x, y and z, as struct footprint
 * has them, but for those outside of the image. */
struct worst_read {
    uint32_t hash;
    uint32_t cost; /* lines; 0: not looked at */
    uint32_t mask; /* bits of the half-warp; 0: no read was seen */
    uint32_t width, height;
    uint32_t place[3][2][WORST_LANES];
    uint16_t outside[3][2];
    uint8_t count[3], texel_bytes;
    bool linear; /* the image is a buffer: it is not tiled */
};

/* A line of the cache: the texels that lie in it, and whom it serves. */
struct worst_line {
    uint32_t address; /* from the image's beginning */
    uint32_t x, y, z, wide, high;
    uint16_t lanes;
};

/* Both half-warps of a read. Whether they are looked at follows from their hash, for skipped(hash);
 * one that is not is kept where there is no other. */
void worst_read_add(struct worst_read *kept, const struct observe_event *e,
                    bool skipped(const struct observe_grid *grid, uint32_t hash));
/* Keeps the one that costs more: of those that cost the same the one with the least hash, then the
 * one whose lanes and places are least. */
void worst_read_take(struct worst_read *kept, const struct worst_read *r);

/* The texels of a lane, x, y and z of each. Returns how many. */
unsigned worst_read_texels(const struct worst_read *r, unsigned lane,
                           uint32_t texels[WORST_TEXELS][3]);
/* The lines that it needs of the model's texture cache, as its lanes in their order do. Returns how
 * many. */
unsigned worst_read_lines(const struct worst_read *r, const struct model *m,
                          struct worst_line lines[WORST_LINES]);

#endif
