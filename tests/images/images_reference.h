/* Image reads and writes by the letter of the specification (8.2, 8.3), in double. */
#ifndef SIMTCL_TESTS_IMAGES_REFERENCE_H
#define SIMTCL_TESTS_IMAGES_REFERENCE_H

#include "host.h"

enum images_reference_class { REFERENCE_REAL, REFERENCE_SIGNED, REFERENCE_UNSIGNED };

/* Which of read_imagef, read_imagei and read_imageui a channel type is for. */
enum images_reference_class images_reference_class(cl_channel_type type);
/* Bytes of a texel; 0 for a format these tests do not know. */
size_t images_reference_bytes(const cl_image_format *format);
/* Red, green, blue and alpha of a texel. */
void images_reference_decode(const cl_image_format *format, const unsigned char *texel,
                             double out[4]);
/* Whether `texel` is what writing `in` may leave. */
bool images_reference_written(const cl_image_format *format, const unsigned char *texel,
                              const double in[4]);

struct reference_image {
    const struct kind *kind;
    cl_image_format format;
    const unsigned char *bytes;
};
struct reference_sampler {
    bool normalised, linear;
    bool fixed; /* weights of 8 bits: coordinates go to the nearest 1/256 of a texel, halves up */
    cl_addressing_mode mode;
};
/* Whether the GPU filters a type as integers: with `fixed`, results are exact. */
bool images_reference_filters_whole(cl_channel_type type);
/* What a read gives at coordinates in texels or, as the sampler has it, normalised; the layer comes
 * after. magnitude: of the greatest texel that took part. */
void images_reference_read(const struct reference_image *image,
                           const struct reference_sampler *sampler, bool real, const float at[3],
                           double out[4], double *magnitude);

#endif
