/* Copies, fills and maps of regions of images (specification 5.3.3 to 5.3.5). */
#include <string.h>

#include "buffer.h"
#include "context.h"
#include "image.h"
#include "scheduler.h"

/* A region of an image as one side of a copy. */
struct side {
    char *bytes; /* of its first texel */
    size_t row, slice;
};

/* Checks origin and region against an image; coordinates it does not have must be 0 and 1, which
 * the extents of 1 demand by themselves. */
static struct error check_region(cl_mem m, const size_t *origin, const size_t *region) {
    if (!origin || !region) return fail(CL_INVALID_VALUE, "origin or region is NULL");
    size_t extent[3];
    image_extent(m, extent);
    for (int i = 0; i < 3; i++) {
        if (!region[i]) return fail(CL_INVALID_VALUE, "region[%d] is 0", i);
        if (origin[i] >= extent[i] || region[i] > extent[i] - origin[i])
            return fail(CL_INVALID_VALUE, "origin[%d] %zu and region[%d] %zu leave the image's %zu",
                        i, origin[i], i, region[i], extent[i]);
    }
    return OK;
}

static struct side side_of(cl_mem m, const size_t *origin) {
    struct side s;
    image_pitches(&m->texture, &s.row, &s.slice);
    s.bytes =
        mem_bytes(m) + origin[0] * m->texture.texel_bytes + origin[1] * s.row + origin[2] * s.slice;
    return s;
}

static struct copy copy_of(cl_mem m, const size_t *region, struct side to, struct side from) {
    return (struct copy){.to = to.bytes,
                         .from = from.bytes,
                         .bytes = region[0] * m->texture.texel_bytes,
                         .rows = region[1],
                         .slices = region[2],
                         .to_row = to.row,
                         .to_slice = to.slice,
                         .from_row = from.row,
                         .from_slice = from.slice};
}

/* The host's side of a read or write: its pitches, completed (5.3.3). */
static struct error host_side(cl_mem m, const size_t *region, size_t row, size_t slice,
                              const void *ptr, struct side *side) {
    uint8_t dim = m->texture.dim;
    bool sliced = dim == ISA_DIM_3D || dim == ISA_DIM_2D_ARRAY || dim == ISA_DIM_1D_ARRAY;
    size_t least = region[0] * m->texture.texel_bytes, rows;
    if (!ptr) return fail(CL_INVALID_VALUE, "ptr is NULL");
    if (row && row < least)
        return fail(CL_INVALID_VALUE, "row pitch %zu is less than the region's %zu", row, least);
    if (!row) row = least;
    if (!sliced && slice)
        return fail(CL_INVALID_VALUE, "a slice pitch is given for an image without slices");
    if (__builtin_mul_overflow(row, dim == ISA_DIM_1D_ARRAY ? 1 : region[1], &rows))
        return fail(CL_INVALID_VALUE, "the row pitch is too large");
    if (slice && slice < rows)
        return fail(CL_INVALID_VALUE, "slice pitch %zu is less than the region's %zu", slice, rows);
    if (!slice) slice = rows;
    *side = (struct side){(char *)ptr, dim == ISA_DIM_1D_ARRAY ? slice : row, slice};
    return OK;
}

static struct error check_enqueue(cl_command_queue q, cl_mem m) {
    TRY(mem_check_enqueue(q, m));
    return image_check(m);
}

struct error image_read(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t *origin,
                        const size_t *region, size_t row_pitch, size_t slice_pitch, void *ptr,
                        cl_uint nwaits, const cl_event *events, cl_event *event) {
    TRY(check_enqueue(q, m));
    TRY(check_region(m, origin, region));
    struct side host;
    TRY(host_side(m, region, row_pitch, slice_pitch, ptr, &host));
    struct waits waits = {nwaits, events};
    TRY(event_check_waits(q->context, waits));
    TRY(mem_host_may(m, true, false));
    struct copy copy = copy_of(m, region, host, side_of(m, origin));
    struct command *c = copy_command(&copy, m, NULL);
    if (!c) return fail_memory();
    return scheduler_enqueue(c, q, CL_COMMAND_READ_IMAGE, ORDER_QUEUE, waits, blocking, event);
}

struct error image_write(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t *origin,
                         const size_t *region, size_t row_pitch, size_t slice_pitch,
                         const void *ptr, cl_uint nwaits, const cl_event *events, cl_event *event) {
    TRY(check_enqueue(q, m));
    TRY(check_region(m, origin, region));
    struct side host;
    TRY(host_side(m, region, row_pitch, slice_pitch, ptr, &host));
    struct waits waits = {nwaits, events};
    TRY(event_check_waits(q->context, waits));
    TRY(mem_host_may(m, false, true));
    struct copy copy = copy_of(m, region, side_of(m, origin), host);
    struct command *c = copy_command(&copy, m, NULL);
    if (!c) return fail_memory();
    return scheduler_enqueue(c, q, CL_COMMAND_WRITE_IMAGE, ORDER_QUEUE, waits, blocking, event);
}

static bool disjoint(const size_t *a, const size_t *b, const size_t *region) {
    for (int i = 0; i < 3; i++)
        if (a[i] >= b[i] + region[i] || b[i] >= a[i] + region[i]) return true;
    return false;
}

struct error image_copy(cl_command_queue q, cl_mem from, cl_mem to, const size_t *from_origin,
                        const size_t *to_origin, const size_t *region, cl_uint nwaits,
                        const cl_event *events, cl_event *event) {
    TRY(check_enqueue(q, from));
    TRY(check_enqueue(q, to));
    if (from->texture.order != to->texture.order || from->texture.type != to->texture.type)
        return fail(CL_IMAGE_FORMAT_MISMATCH, "the images have different formats");
    TRY(check_region(from, from_origin, region));
    TRY(check_region(to, to_origin, region));
    struct waits waits = {nwaits, events};
    TRY(event_check_waits(q->context, waits));
    if (from == to && !disjoint(from_origin, to_origin, region))
        return fail(CL_MEM_COPY_OVERLAP, "the source and the destination overlap");
    struct copy copy = copy_of(from, region, side_of(to, to_origin), side_of(from, from_origin));
    struct command *c = copy_command(&copy, from, to);
    if (!c) return fail_memory();
    return scheduler_enqueue(c, q, CL_COMMAND_COPY_IMAGE, ORDER_QUEUE, waits, CL_FALSE, event);
}

/* The buffer's side of a copy: rows without gaps from an offset. */
static struct error buffer_side(cl_mem image, cl_mem buffer, const size_t *region, size_t offset,
                                struct side *side) {
    size_t row = region[0] * image->texture.texel_bytes; /* no more than the image: no overflow */
    TRY(buffer_check_range(buffer, offset, row * region[1] * region[2]));
    *side = (struct side){mem_bytes(buffer) + offset, row, row * region[1]};
    return OK;
}

struct error image_to_buffer(cl_command_queue q, cl_mem from, cl_mem to, const size_t *origin,
                             const size_t *region, size_t offset, cl_uint nwaits,
                             const cl_event *events, cl_event *event) {
    TRY(check_enqueue(q, from));
    TRY(buffer_check_enqueue(q, to));
    if (from->parent && from->parent == to)
        return fail(CL_INVALID_MEM_OBJECT, "the image lies in the buffer it is copied to");
    TRY(check_region(from, origin, region));
    struct side side;
    TRY(buffer_side(from, to, region, offset, &side));
    struct waits waits = {nwaits, events};
    TRY(event_check_waits(q->context, waits));
    struct copy copy = copy_of(from, region, side, side_of(from, origin));
    struct command *c = copy_command(&copy, from, to);
    if (!c) return fail_memory();
    return scheduler_enqueue(c, q, CL_COMMAND_COPY_IMAGE_TO_BUFFER, ORDER_QUEUE, waits, CL_FALSE,
                             event);
}

struct error image_from_buffer(cl_command_queue q, cl_mem from, cl_mem to, size_t offset,
                               const size_t *origin, const size_t *region, cl_uint nwaits,
                               const cl_event *events, cl_event *event) {
    TRY(buffer_check_enqueue(q, from));
    TRY(check_enqueue(q, to));
    if (to->parent && to->parent == from)
        return fail(CL_INVALID_MEM_OBJECT, "the image lies in the buffer it is copied from");
    TRY(check_region(to, origin, region));
    struct side side;
    TRY(buffer_side(to, from, region, offset, &side));
    struct waits waits = {nwaits, events};
    TRY(event_check_waits(q->context, waits));
    struct copy copy = copy_of(to, region, side_of(to, origin), side);
    struct command *c = copy_command(&copy, from, to);
    if (!c) return fail_memory();
    return scheduler_enqueue(c, q, CL_COMMAND_COPY_BUFFER_TO_IMAGE, ORDER_QUEUE, waits, CL_FALSE,
                             event);
}

struct error image_fill(cl_command_queue q, cl_mem m, const void *color, const size_t *origin,
                        const size_t *region, cl_uint nwaits, const cl_event *events,
                        cl_event *event) {
    TRY(check_enqueue(q, m));
    if (!color) return fail(CL_INVALID_VALUE, "fill_color is NULL");
    TRY(check_region(m, origin, region));
    struct waits waits = {nwaits, events};
    TRY(event_check_waits(q->context, waits));
    unsigned char texel[COPY_MAX_PATTERN];
    texel_pack(&m->texture, color, texel);
    struct side to = side_of(m, origin);
    struct copy fill = copy_of(m, region, to, to);
    struct command *c = copy_fill_command(&fill, texel, m->texture.texel_bytes, m);
    if (!c) return fail_memory();
    return scheduler_enqueue(c, q, CL_COMMAND_FILL_IMAGE, ORDER_QUEUE, waits, CL_FALSE, event);
}

struct error image_map(cl_command_queue q, cl_mem m, cl_bool blocking, cl_map_flags flags,
                       const size_t *origin, const size_t *region, size_t *row_pitch,
                       size_t *slice_pitch, cl_uint nwaits, const cl_event *events, cl_event *event,
                       void **result) {
    TRY(check_enqueue(q, m));
    TRY(check_region(m, origin, region));
    if (!row_pitch) return fail(CL_INVALID_VALUE, "image_row_pitch is NULL");
    uint8_t dim = m->texture.dim;
    bool sliced = dim == ISA_DIM_3D || m->texture.array_size;
    if (sliced && !slice_pitch) return fail(CL_INVALID_VALUE, "image_slice_pitch is NULL");
    TRY(mem_check_map_flags(m, flags));
    struct waits waits = {nwaits, events};
    TRY(event_check_waits(q->context, waits));
    struct side device = side_of(m, origin), host = device;
    size_t row = m->texture.row_pitch, slice = m->texture.slice_pitch;
    bool shadow = m->flags & CL_MEM_USE_HOST_PTR;
    if (shadow) {
        row = m->host_row;
        slice = m->host_slice;
        host.row = dim == ISA_DIM_1D_ARRAY ? slice : row;
        host.slice = slice;
        host.bytes = m->host_ptr + origin[0] * m->texture.texel_bytes + origin[1] * host.row +
                     origin[2] * host.slice;
    }
    struct copy out = copy_of(m, region, host, device);
    TRY(mem_map(q, m, CL_COMMAND_MAP_IMAGE, blocking, flags, &out, waits, event, result));
    *row_pitch = row;
    if (slice_pitch) *slice_pitch = sliced ? slice : 0;
    return OK;
}
