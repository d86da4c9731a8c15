/* Texels of every format, a warp at a time: what reads them, filters them and writes them
 * (specification 8.2, 8.3) once sampling.c has said where they lie. There is a function for each
 * channel type and number of channels; between the texels' words and the result all stays in
 * vector registers. */
#ifndef SIMTCL_LANES_TEXELS_H
#define SIMTCL_LANES_TEXELS_H

#include "device/simd/simd.h"
#include "footprint.h"
#include "texel.h"

/* A read or write of a warp. The texels' sandbox addresses are the sums of the axes' offsets. */
struct texels_access {
    char *base;
    unsigned naxes;
    bool border; /* lanes may be outside; else `outside` is not filled in */
    bool fixed;  /* a linear read weighs corners in 1/256, as sampler.h says */
    struct texels_axis axes[3];
};

/* Channels as they are stored, then what texel_order calls TEXEL_ZERO and TEXEL_ONE, so that its
 * `from` picks a row. */
enum { TEXELS_ROWS = 6 };
struct texels_rows {
    uint32_t u[TEXELS_ROWS][ISA_WARP];
} __attribute__((aligned(128)));

/* Fills the rows of the channels; 0 outside. */
typedef void texels_read_fn(const struct texels_access *a, struct texels_rows *rows);
/* Writes the lanes of `mask` that are inside, the highest last. in: the channels as they are
 * stored. */
typedef void texels_write_fn(const struct texels_access *a, uint32_t mask, const void *const in[4]);

/* What is there for a format. Where the specification leaves a combination undefined, the
 * channel's bits are read, and not filtered. */
struct texels_format {
    texels_read_fn *nearest, *linear; /* read_imagef; linear: NULL where there is none */
    texels_read_fn *integer;          /* read_imagei, read_imageui */
    texels_write_fn *write;
};
/* NULL for a format that does not exist. */
const struct texels_format *LANES_NAME(texels_format)(uint16_t type, unsigned channels);

#endif
