/* Images: formats, shapes, and everything that copies from or to them. */
#ifndef SIMTCL_RUNTIME_IMAGE_H
#define SIMTCL_RUNTIME_IMAGE_H

#include "mem.h"

struct error image_check(cl_mem image);
/* Extents in the three coordinates of an origin or region: layers count as the last one used. */
void image_extent(cl_mem image, size_t extent[3]);
/* Bytes between neighbours in the second and third of these coordinates. */
void image_pitches(const struct texture *t, size_t *second, size_t *third);

/* Entry points (specification 5.3). */
struct error image_create(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                          const cl_image_desc *desc, void *host_ptr, cl_mem *result);
struct error image_create_2d(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                             size_t width, size_t height, size_t row_pitch, void *host_ptr,
                             cl_mem *result);
struct error image_create_3d(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                             size_t width, size_t height, size_t depth, size_t row_pitch,
                             size_t slice_pitch, void *host_ptr, cl_mem *result);
struct error image_create_with(cl_context context, const cl_mem_properties *properties,
                               cl_mem_flags flags, const cl_image_format *format,
                               const cl_image_desc *desc, void *host_ptr, cl_mem *result);
struct error image_formats(cl_context context, cl_mem_flags flags, cl_mem_object_type type,
                           cl_uint num_entries, cl_image_format *formats, cl_uint *num_formats);
struct error image_info(cl_mem image, cl_image_info name, size_t size, void *value,
                        size_t *size_ret);

/* region.c */
struct error image_read(cl_command_queue queue, cl_mem image, cl_bool blocking,
                        const size_t *origin, const size_t *region, size_t row_pitch,
                        size_t slice_pitch, void *ptr, cl_uint nwaits, const cl_event *waits,
                        cl_event *event);
struct error image_write(cl_command_queue queue, cl_mem image, cl_bool blocking,
                         const size_t *origin, const size_t *region, size_t row_pitch,
                         size_t slice_pitch, const void *ptr, cl_uint nwaits, const cl_event *waits,
                         cl_event *event);
struct error image_copy(cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,
                        const size_t *to_origin, const size_t *region, cl_uint nwaits,
                        const cl_event *waits, cl_event *event);
struct error image_to_buffer(cl_command_queue queue, cl_mem from, cl_mem to, const size_t *origin,
                             const size_t *region, size_t offset, cl_uint nwaits,
                             const cl_event *waits, cl_event *event);
struct error image_from_buffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t offset,
                               const size_t *origin, const size_t *region, cl_uint nwaits,
                               const cl_event *waits, cl_event *event);
struct error image_fill(cl_command_queue queue, cl_mem image, const void *color,
                        const size_t *origin, const size_t *region, cl_uint nwaits,
                        const cl_event *waits, cl_event *event);
struct error image_map(cl_command_queue queue, cl_mem image, cl_bool blocking, cl_map_flags flags,
                       const size_t *origin, const size_t *region, size_t *row_pitch,
                       size_t *slice_pitch, cl_uint nwaits, const cl_event *waits, cl_event *event,
                       void **result);

#endif
