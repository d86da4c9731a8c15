/* The texture unit: image reads and writes of one warp (specification 8.2). The contract between
 * the engines and lanes/sampling.c, which is compiled for each level; all give the same bits. */
#ifndef SIMTCL_SAMPLER_H
#define SIMTCL_SAMPLER_H

#include <stdbool.h>

#include "texture.h"

/* The coordinates of a warp: x, y, z-or-layer as the operation's dimension has them; NULL where it
 * has none. Each points to 32 lanes. */
struct sampler_coords {
    const void *at[3];
    bool real; /* lanes are float; int32_t otherwise */
};

/* sampler_read_<level>: reads one texel, filtered as `sampler` (ISA_SAMPLER_*, ISA_ADDRESS_*) says,
 * for each lane of `mask`.
 *
 * base     middle of the sandbox the texels lie in
 * t        a texture that fits the instruction's dimension
 * real     read_imagef; else read_imagei or read_imageui: the channel's type says how to extend
 * out      the four components, 32 lanes each of 4 bytes, aligned to 128 bytes; none is a
 *          coordinate. Lanes off in `mask` are left as they are
 *
 * A linear filter weighs texels by what is left of the coordinates in float. With t->fixed_weights
 * it does as the GPU: u - 0.5 (in texels, after scaling and wrapping) is rounded to the nearest
 * 1/256, halves up; its whole part picks the first texel, its fraction is the weight of the second.
 * In two dimensions the weight of the texel that is second in both is the product of its weights,
 * rounded likewise, and so is that of the one that is first in both; the others have what is left
 * of the weight along x. In three, the weight of a layer is shared out first along x (the second's
 * share is rounded), then along y as in two. What channels of 8 and 16 normalised bits add up to is
 * rounded to 16 bits, halves up, and is -1 at least; other types add up in float. (Measured on a
 * GPU: of 3,182 and 7,680 weights and 19,092 results of normalised channels none differs. Sums of
 * floats differ in the last bits.)
 *
 * Touches only texels inside the image (for lanes that are off, any), and never faults while the
 * texture lies in the sandbox. Its results do not depend on which lanes are on.
 *
 * sampler_write_<level>: writes one texel for each lane of `mask`, the highest lane last;
 * coordinates (integers) outside of the image write nothing. `in`: the four components, 32 lanes
 * each of 4 bytes, aligned to 128, floats or integers as the channel's type has it; integers
 * saturate to its range, floats round to the nearest even. */
typedef void sampler_read_fn(const char *base, const struct texture *t, uint32_t sampler,
                             const struct sampler_coords *coords, bool real, uint32_t mask,
                             void *const out[4]);
typedef void sampler_write_fn(char *base, const struct texture *t,
                              const struct sampler_coords *coords, uint32_t mask,
                              const void *const in[4]);
#define SAMPLER_LEVEL(level)                                                                       \
    sampler_read_fn sampler_read_##level;                                                          \
    sampler_write_fn sampler_write_##level;
SAMPLER_LEVEL(baseline)
SAMPLER_LEVEL(avx2)
SAMPLER_LEVEL(avx512)
#undef SAMPLER_LEVEL

#endif
