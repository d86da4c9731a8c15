/* Footprint: which texels a read of an image by one warp takes (specification 8.2): what observers
 * want to know of it. Compiled for each level by sampling.c, from the same steps that the read is
 * made of. */
#ifndef SIMTCL_FOOTPRINT_H
#define SIMTCL_FOOTPRINT_H

#include "texture.h"

/* Where the coordinates of one dimension fall. Nearest has the first texel alone. */
struct texels_axis {
    uint32_t offset[2][ISA_WARP];  /* for lanes outside that of some texel */
    uint32_t outside[2][ISA_WARP]; /* all ones: the border is read, nothing written */
    float weight[2][ISA_WARP];
} __attribute__((aligned(128)));

/* A lane reads the texels at every combination of its places along x, y and z, which are the axes'
 * offsets; z is the layer of an array. Those that are outside in some direction are the border: no
 * texel is read. */
struct footprint {
    struct texels_axis axes[3];
    unsigned count[3]; /* of a lane's places: 2 where a linear filter goes; 0: the image has no such
                          dimension, and all are place 0 */
    bool border[3];    /* lanes may be outside; else `outside` is not filled in */
};

/* footprint_find_<level>. coordinates: as struct sampler_coords has them, those of the image's
 * dimension aligned to 64 bytes; real: they are float; linear: the sampler's filter counts. */
typedef void footprint_find_fn(const struct texture *t, uint32_t sampler,
                               const void *const coordinates[3], bool real, bool linear,
                               struct footprint *f);
footprint_find_fn footprint_find_baseline, footprint_find_avx2, footprint_find_avx512;

#endif
