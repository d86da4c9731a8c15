/* Buffers, sub-buffers and everything that copies from or to them. */
#ifndef SIMTCL_BUFFER_H
#define SIMTCL_BUFFER_H

#include "mem.h"

/* A live buffer: CL_INVALID_MEM_OBJECT for images too. */
struct error buffer_check(cl_mem buffer);
struct error buffer_check_enqueue(cl_command_queue queue, cl_mem buffer);
/* offset .. offset + size inside the buffer: CL_INVALID_VALUE. */
struct error buffer_check_range(cl_mem buffer, size_t offset, size_t size);

/* Entry points (specification 5.2). */
struct error buffer_create(cl_context context, cl_mem_flags flags, size_t size, void *host_ptr,
                           cl_mem *result);
struct error buffer_create_with(cl_context context, const cl_mem_properties *properties,
                                cl_mem_flags flags, size_t size, void *host_ptr, cl_mem *result);
struct error buffer_create_sub(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                               const void *create_info, cl_mem *result);
struct error buffer_read(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                         size_t size, void *ptr, cl_uint nwaits, const cl_event *waits,
                         cl_event *event);
struct error buffer_write(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                          size_t size, const void *ptr, cl_uint nwaits, const cl_event *waits,
                          cl_event *event);
struct error buffer_copy(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                         size_t to_offset, size_t size, cl_uint nwaits, const cl_event *waits,
                         cl_event *event);
struct error buffer_fill(cl_command_queue queue, cl_mem buffer, const void *pattern,
                         size_t pattern_size, size_t offset, size_t size, cl_uint nwaits,
                         const cl_event *waits, cl_event *event);
struct error buffer_map(cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags,
                        size_t offset, size_t size, cl_uint nwaits, const cl_event *waits,
                        cl_event *event, void **result);

/* rect.c: the same for blocks of rows and slices. */
struct error rect_read(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                       const size_t *buffer_origin, const size_t *host_origin, const size_t *region,
                       size_t buffer_row, size_t buffer_slice, size_t host_row, size_t host_slice,
                       void *ptr, cl_uint nwaits, const cl_event *waits, cl_event *event);
struct error rect_write(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                        const size_t *buffer_origin, const size_t *host_origin,
                        const size_t *region, size_t buffer_row, size_t buffer_slice,
                        size_t host_row, size_t host_slice, const void *ptr, cl_uint nwaits,
                        const cl_event *waits, cl_event *event);
struct error rect_copy(cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,
                       const size_t *to_origin, const size_t *region, size_t from_row,
                       size_t from_slice, size_t to_row, size_t to_slice, cl_uint nwaits,
                       const cl_event *waits, cl_event *event);

#endif
