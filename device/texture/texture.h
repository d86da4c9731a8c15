/* What an image argument is to the device: a format, a shape, and where its texels lie in the
 * sandbox. */
#ifndef SIMTCL_TEXTURE_H
#define SIMTCL_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "device/isa/isa.h"

/* Channel orders and types, in OpenCL's numbering (CL_R = 0x10B0 ..., CL_SNORM_INT8 = 0x10D0 ...),
 * so that img_info can answer them unchanged. */
struct texture {
    uint32_t address;                /* of texel (0, 0, 0) */
    uint32_t width, height, depth;   /* texels; 1 where the dimension does not exist */
    uint32_t array_size;             /* layers; 0: not an array */
    uint32_t row_pitch, slice_pitch; /* bytes; slice: between layers or depth slices */
    uint16_t order, type;
    uint8_t dim; /* enum isa_image_dim */
    uint8_t texel_bytes;
    bool fixed_weights; /* filters with weights of 8 bits, as the GPU does */
};

#endif
