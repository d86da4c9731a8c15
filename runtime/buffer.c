#include "buffer.h"

#include <string.h>

#include "context.h"
#include "devices.h"
#include "platform.h"
#include "scheduler.h"

struct error buffer_check(cl_mem b) {
    TRY(mem_check(b));
    if (mem_is_image(b)) return fail(CL_INVALID_MEM_OBJECT, "the memory object is no buffer");
    return OK;
}

struct error buffer_check_enqueue(cl_command_queue q, cl_mem b) {
    TRY(mem_check_enqueue(q, b));
    return buffer_check(b);
}

struct error buffer_check_range(cl_mem b, size_t offset, size_t size) {
    if (offset > b->size || size > b->size - offset)
        return fail(CL_INVALID_VALUE, "offset %zu and size %zu leave the buffer of %zu bytes",
                    offset, size, b->size);
    return OK;
}

struct error buffer_create(cl_context context, cl_mem_flags flags, size_t size, void *host_ptr,
                           cl_mem *result) {
    TRY(context_check(context));
    TRY(mem_check_flags(flags));
    uint64_t most = device_alloc_bytes(context->devices[0]->model);
    if (!size) return fail(CL_INVALID_BUFFER_SIZE, "the size is 0");
    if (size > most)
        return fail(CL_INVALID_BUFFER_SIZE, "%zu bytes, CL_DEVICE_MAX_MEM_ALLOC_SIZE is %llu", size,
                    (unsigned long long)most);
    TRY(mem_check_host_ptr(flags, host_ptr));
    TRY(mem_new(context, CL_MEM_OBJECT_BUFFER, flags, size, host_ptr, result));
    if (host_ptr) memcpy(mem_bytes(*result), host_ptr, size);
    return OK;
}

/* Of 3.0, which defines no property for a buffer that we know. */
struct error buffer_create_with(cl_context context, const cl_mem_properties *properties,
                                cl_mem_flags flags, size_t size, void *host_ptr, cl_mem *result) {
    TRY(context_check(context));
    if (properties && properties[0])
        return fail(CL_INVALID_PROPERTY, "buffer property 0x%llx",
                    (unsigned long long)properties[0]);
    return buffer_create(context, flags, size, host_ptr, result);
}

struct error buffer_create_sub(cl_mem parent, cl_mem_flags flags, cl_buffer_create_type type,
                               const void *create_info, cl_mem *result) {
    TRY(buffer_check(parent));
    if (parent->parent)
        return fail(CL_INVALID_MEM_OBJECT, "a sub-buffer has no sub-buffers of its own");
    TRY(mem_inherit_flags(parent->flags, &flags));
    if (type != CL_BUFFER_CREATE_TYPE_REGION)
        return fail(CL_INVALID_VALUE, "buffer_create_type 0x%x", type);
    if (!create_info) return fail(CL_INVALID_VALUE, "buffer_create_info is NULL");
    const cl_buffer_region *region = create_info;
    if (!region->size) return fail(CL_INVALID_BUFFER_SIZE, "the region's size is 0");
    TRY(buffer_check_range(parent, region->origin, region->size));
    if (region->origin % DEVICE_BASE_ALIGN)
        return fail(CL_MISALIGNED_SUB_BUFFER_OFFSET,
                    "origin %zu is no multiple of %d bytes (CL_DEVICE_MEM_BASE_ADDR_ALIGN)",
                    region->origin, DEVICE_BASE_ALIGN);
    cl_mem m = object_new(OBJECT_mem);
    if (!m) return fail_memory();
    m->context = object_retain(parent->context);
    m->type = CL_MEM_OBJECT_BUFFER;
    m->flags = flags;
    m->size = region->size;
    m->host_ptr = parent->host_ptr ? parent->host_ptr + region->origin : NULL;
    m->address = parent->address + (uint32_t)region->origin;
    mem_attach(m, parent);
    m->offset = region->origin;
    *result = m;
    return OK;
}

struct error buffer_read(cl_command_queue q, cl_mem b, cl_bool blocking, size_t offset, size_t size,
                         void *ptr, cl_uint nwaits, const cl_event *events, cl_event *event) {
    TRY(buffer_check_enqueue(q, b));
    TRY(buffer_check_range(b, offset, size));
    if (!ptr) return fail(CL_INVALID_VALUE, "ptr is NULL");
    struct waits waits = {nwaits, events};
    TRY(event_check_waits(q->context, waits));
    TRY(mem_host_may(b, true, false));
    struct copy copy = copy_linear(ptr, mem_bytes(b) + offset, size);
    struct command *c = copy_command(&copy, b, NULL);
    if (!c) return fail_memory();
    return scheduler_enqueue(c, q, CL_COMMAND_READ_BUFFER, ORDER_QUEUE, waits, blocking, event);
}

struct error buffer_write(cl_command_queue q, cl_mem b, cl_bool blocking, size_t offset,
                          size_t size, const void *ptr, cl_uint nwaits, const cl_event *events,
                          cl_event *event) {
    TRY(buffer_check_enqueue(q, b));
    TRY(buffer_check_range(b, offset, size));
    if (!ptr) return fail(CL_INVALID_VALUE, "ptr is NULL");
    struct waits waits = {nwaits, events};
    TRY(event_check_waits(q->context, waits));
    TRY(mem_host_may(b, false, true));
    struct copy copy = copy_linear(mem_bytes(b) + offset, ptr, size);
    struct command *c = copy_command(&copy, b, NULL);
    if (!c) return fail_memory();
    return scheduler_enqueue(c, q, CL_COMMAND_WRITE_BUFFER, ORDER_QUEUE, waits, blocking, event);
}

struct error buffer_copy(cl_command_queue q, cl_mem from, cl_mem to, size_t from_offset,
                         size_t to_offset, size_t size, cl_uint nwaits, const cl_event *events,
                         cl_event *event) {
    TRY(buffer_check_enqueue(q, from));
    TRY(buffer_check_enqueue(q, to));
    TRY(buffer_check_range(from, from_offset, size));
    TRY(buffer_check_range(to, to_offset, size));
    struct waits waits = {nwaits, events};
    TRY(event_check_waits(q->context, waits));
    /* By address, so that two sub-buffers of one buffer are seen too. */
    uint64_t a = (uint64_t)from->address + from_offset, b = (uint64_t)to->address + to_offset;
    if (a < b + size && b < a + size)
        return fail(CL_MEM_COPY_OVERLAP, "the source and the destination overlap");
    struct copy copy = copy_linear(mem_bytes(to) + to_offset, mem_bytes(from) + from_offset, size);
    struct command *c = copy_command(&copy, from, to);
    if (!c) return fail_memory();
    return scheduler_enqueue(c, q, CL_COMMAND_COPY_BUFFER, ORDER_QUEUE, waits, CL_FALSE, event);
}

struct error buffer_fill(cl_command_queue q, cl_mem b, const void *pattern, size_t pattern_size,
                         size_t offset, size_t size, cl_uint nwaits, const cl_event *events,
                         cl_event *event) {
    TRY(buffer_check_enqueue(q, b));
    TRY(buffer_check_range(b, offset, size));
    if (!pattern) return fail(CL_INVALID_VALUE, "pattern is NULL");
    if (!pattern_size || pattern_size > COPY_MAX_PATTERN || (pattern_size & (pattern_size - 1)))
        return fail(CL_INVALID_VALUE, "pattern_size %zu is no power of two up to %d", pattern_size,
                    COPY_MAX_PATTERN);
    if (offset % pattern_size || size % pattern_size)
        return fail(CL_INVALID_VALUE,
                    "offset %zu and size %zu are no multiples of the pattern's %zu", offset, size,
                    pattern_size);
    struct waits waits = {nwaits, events};
    TRY(event_check_waits(q->context, waits));
    struct copy fill = copy_linear(mem_bytes(b) + offset, NULL, size);
    struct command *c = copy_fill_command(&fill, pattern, pattern_size, b);
    if (!c) return fail_memory();
    return scheduler_enqueue(c, q, CL_COMMAND_FILL_BUFFER, ORDER_QUEUE, waits, CL_FALSE, event);
}

struct error buffer_map(cl_command_queue q, cl_mem b, cl_bool blocking, cl_map_flags flags,
                        size_t offset, size_t size, cl_uint nwaits, const cl_event *events,
                        cl_event *event, void **result) {
    TRY(buffer_check_enqueue(q, b));
    if (!size) return fail(CL_INVALID_VALUE, "the size is 0");
    TRY(buffer_check_range(b, offset, size));
    TRY(mem_check_map_flags(b, flags));
    struct waits waits = {nwaits, events};
    TRY(event_check_waits(q->context, waits));
    char *device = mem_bytes(b) + offset;
    bool shadow = b->flags & CL_MEM_USE_HOST_PTR;
    struct copy out = copy_linear(shadow ? b->host_ptr + offset : device, device, size);
    return mem_map(q, b, CL_COMMAND_MAP_BUFFER, blocking, flags, &out, waits, event, result);
}
