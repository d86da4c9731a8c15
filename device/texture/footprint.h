/* Footprint: which texels a read of an image by one warp takes (specification 8.2): what observers
 * want to know of it. Compiled for each level by sampling.c, from the same steps that the read is
 * made of. */
#ifndef SIMTCL_FOOTPRINT_H
#define SIMTCL_FOOTPRINT_H

#include "texture.h"

/* A lane reads the texels at every combination of its places along x, y and z; z is the layer of an
 * array. Those that are outside in some direction are the border: no texel is read. */
struct footprint {
    uint32_t at[3][2][ISA_WARP];
    uint32_t outside[3][2]; /* lanes, a bit each; their places are some of the image's */
    unsigned count[3];      /* of places: 2 where a linear filter goes; 1 of a dimension that the
                               image has not, which is place 0 */
} __attribute__((aligned(128)));

/* footprint_find_<level>. coordinates: as struct sampler_coords has them, those of the image's
 * dimension aligned to 64 bytes; real: they are float; linear: the sampler's filter counts. */
typedef void footprint_find_fn(const struct texture *t, uint32_t sampler,
                               const void *const coordinates[3], bool real, bool linear,
                               struct footprint *f);
footprint_find_fn footprint_find_baseline, footprint_find_avx2, footprint_find_avx512;

#endif
