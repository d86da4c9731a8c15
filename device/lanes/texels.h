/* Conversions between the words of texels and their channels, a warp at a time (specification 8.3).
 * A texel is up to four 32-bit words; one of 1 or 2 bytes is the low part of one. */
#ifndef SIMTCL_LANES_TEXELS_H
#define SIMTCL_LANES_TEXELS_H

#include "level.h"
#include "texel.h"

/* Four rows of lanes: words of a texel, its channels, or its components. */
union texels {
    uint32_t u[4][ISA_WARP];
    float f[4][ISA_WARP];
} __attribute__((aligned(128)));

/* Stored channels from words: floats for read_imagef, integers as they are otherwise. */
typedef void texels_decode_fn(const union texels *words, unsigned channels, union texels *out);
/* And back. What a channel of 32 bits or less leaves of its word must be zero before. */
typedef void texels_encode_fn(const union texels *in, unsigned channels, union texels *words);

/* By type - TEXEL_FIRST_TYPE. */
enum { TEXELS_TYPES = TEXEL_FLOAT - TEXEL_FIRST_TYPE + 1 };
extern texels_decode_fn *const LANES_NAME(texels_decode_real)[TEXELS_TYPES];
extern texels_decode_fn *const LANES_NAME(texels_decode_integer)[TEXELS_TYPES];
extern texels_encode_fn *const LANES_NAME(texels_encode)[TEXELS_TYPES];

#endif
