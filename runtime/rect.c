/* Blocks of rows and slices in buffers (specification 5.2.2, 1.1 and later). */
#include "buffer.h"
#include "context.h"
#include "scheduler.h"

/* One side of a rectangular copy, with its pitches completed. */
struct rect {
    size_t row, slice;
    size_t begin, extent; /* first byte, and bytes from there to behind the last */
};

static bool overflows(size_t a, size_t b, size_t *product) {
    return __builtin_mul_overflow(a, b, product);
}

/* The rules for origin, region and pitches; the extent is checked against `size` by the caller. */
static struct error rect_of(const char *what, const size_t *origin, const size_t *region,
                            size_t row, size_t slice, struct rect *r) {
    if (!origin || !region)
        return fail(CL_INVALID_VALUE, "the %s origin or the region is NULL", what);
    if (!region[0] || !region[1] || !region[2])
        return fail(CL_INVALID_VALUE, "a dimension of the region is 0");
    if (!row) row = region[0];
    if (row < region[0])
        return fail(CL_INVALID_VALUE, "the %s row pitch %zu is less than the region's %zu", what,
                    row, region[0]);
    size_t least, rows, slices, last;
    if (overflows(region[1], row, &least)) return fail(CL_INVALID_VALUE, "the region is too large");
    if (!slice) slice = least;
    if (slice < least || slice % row)
        return fail(CL_INVALID_VALUE,
                    "the %s slice pitch %zu is less than %zu or no multiple of %zu", what, slice,
                    least, row);
    if (overflows(origin[1], row, &rows) || overflows(origin[2], slice, &slices) ||
        overflows(region[2], slice, &last) || __builtin_add_overflow(rows, slices, &r->begin) ||
        __builtin_add_overflow(r->begin, origin[0], &r->begin) ||
        __builtin_add_overflow(r->begin, last, &last))
        return fail(CL_INVALID_VALUE, "the %s origin and the region are too large", what);
    r->row = row;
    r->slice = slice;
    r->extent = copy_extent(region[0], region[1], region[2], row, slice);
    return OK;
}

static struct error in_buffer(cl_mem b, const struct rect *r) {
    if (r->extent > b->size || r->begin > b->size - r->extent)
        return fail(CL_INVALID_VALUE, "bytes %zu to %zu leave the buffer of %zu bytes", r->begin,
                    r->begin + r->extent, b->size);
    return OK;
}

static struct copy copy_of(const size_t *region, char *to, const struct rect *t, const char *from,
                           const struct rect *f) {
    return (struct copy){.to = to + t->begin,
                         .from = from + f->begin,
                         .bytes = region[0],
                         .rows = region[1],
                         .slices = region[2],
                         .to_row = t->row,
                         .to_slice = t->slice,
                         .from_row = f->row,
                         .from_slice = f->slice};
}

struct error rect_read(cl_command_queue q, cl_mem b, cl_bool blocking, const size_t *buffer_origin,
                       const size_t *host_origin, const size_t *region, size_t buffer_row,
                       size_t buffer_slice, size_t host_row, size_t host_slice, void *ptr,
                       cl_uint nwaits, const cl_event *events, cl_event *event) {
    TRY(buffer_check_enqueue(q, b));
    struct rect device = {0}, host = {0};
    TRY(rect_of("buffer", buffer_origin, region, buffer_row, buffer_slice, &device));
    TRY(rect_of("host", host_origin, region, host_row, host_slice, &host));
    TRY(in_buffer(b, &device));
    if (!ptr) return fail(CL_INVALID_VALUE, "ptr is NULL");
    struct waits waits = {nwaits, events};
    TRY(event_check_waits(q->context, waits));
    TRY(mem_host_may(b, true, false));
    struct copy copy = copy_of(region, ptr, &host, mem_bytes(b), &device);
    struct command *c = copy_command(&copy, b, NULL);
    if (!c) return fail_memory();
    return scheduler_enqueue(c, q, CL_COMMAND_READ_BUFFER_RECT, ORDER_QUEUE, waits, blocking,
                             event);
}

struct error rect_write(cl_command_queue q, cl_mem b, cl_bool blocking, const size_t *buffer_origin,
                        const size_t *host_origin, const size_t *region, size_t buffer_row,
                        size_t buffer_slice, size_t host_row, size_t host_slice, const void *ptr,
                        cl_uint nwaits, const cl_event *events, cl_event *event) {
    TRY(buffer_check_enqueue(q, b));
    struct rect device = {0}, host = {0};
    TRY(rect_of("buffer", buffer_origin, region, buffer_row, buffer_slice, &device));
    TRY(rect_of("host", host_origin, region, host_row, host_slice, &host));
    TRY(in_buffer(b, &device));
    if (!ptr) return fail(CL_INVALID_VALUE, "ptr is NULL");
    struct waits waits = {nwaits, events};
    TRY(event_check_waits(q->context, waits));
    TRY(mem_host_may(b, false, true));
    struct copy copy = copy_of(region, mem_bytes(b), &device, ptr, &host);
    struct command *c = copy_command(&copy, b, NULL);
    if (!c) return fail_memory();
    return scheduler_enqueue(c, q, CL_COMMAND_WRITE_BUFFER_RECT, ORDER_QUEUE, waits, blocking,
                             event);
}

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/* Two blocks of one shape, `distance` bytes apart: have they a byte in common? That is, can the
 * distance be written as dx + dy * row + dz * slice with each of the three inside the region? As
 * rows do not reach into the next row nor slices into the next slice, two candidates for dz and dy
 * do. */
static bool blocks_meet(int64_t distance, const size_t *region, size_t row, size_t slice) {
    int64_t nx = (int64_t)region[0], ny = (int64_t)region[1], nz = (int64_t)region[2];
    int64_t z = floor_div(distance, (int64_t)slice);
    for (int64_t dz = z; dz <= z + 1; dz++) {
        if (dz <= -nz || dz >= nz) continue;
        int64_t in_slice = distance - dz * (int64_t)slice;
        int64_t y = floor_div(in_slice, (int64_t)row);
        for (int64_t dy = y; dy <= y + 1; dy++) {
            int64_t dx = in_slice - dy * (int64_t)row;
            if (dy > -ny && dy < ny && dx > -nx && dx < nx) return true;
        }
    }
    return false;
}

struct error rect_copy(cl_command_queue q, cl_mem from, cl_mem to, const size_t *from_origin,
                       const size_t *to_origin, const size_t *region, size_t from_row,
                       size_t from_slice, size_t to_row, size_t to_slice, cl_uint nwaits,
                       const cl_event *events, cl_event *event) {
    TRY(buffer_check_enqueue(q, from));
    TRY(buffer_check_enqueue(q, to));
    struct rect source = {0}, target = {0};
    TRY(rect_of("source", from_origin, region, from_row, from_slice, &source));
    TRY(rect_of("destination", to_origin, region, to_row, to_slice, &target));
    TRY(in_buffer(from, &source));
    TRY(in_buffer(to, &target));
    if (from == to && (source.row != target.row || source.slice != target.slice))
        return fail(CL_INVALID_VALUE, "the pitches differ within one buffer");
    struct waits waits = {nwaits, events};
    TRY(event_check_waits(q->context, waits));
    uint64_t a = (uint64_t)from->address + source.begin, b = (uint64_t)to->address + target.begin;
    bool disjoint = a >= b + target.extent || b >= a + source.extent;
    if (!disjoint && source.row == target.row && source.slice == target.slice)
        disjoint = !blocks_meet((int64_t)(b - a), region, source.row, source.slice);
    if (!disjoint) return fail(CL_MEM_COPY_OVERLAP, "the source and the destination overlap");
    struct copy copy = copy_of(region, mem_bytes(to), &target, mem_bytes(from), &source);
    struct command *c = copy_command(&copy, from, to);
    if (!c) return fail_memory();
    return scheduler_enqueue(c, q, CL_COMMAND_COPY_BUFFER_RECT, ORDER_QUEUE, waits, CL_FALSE,
                             event);
}
