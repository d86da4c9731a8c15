#include "queue.h"

#include "clock.h"
#include "command.h"
#include "context.h"
#include "devices.h"
#include "info.h"
#include "ordering.h"
#include "platform.h"
#include "scheduler.h"

static const cl_command_queue_properties known_properties =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;

void queue_free(void *object) {
    cl_command_queue q = object;
    command_queue_free(q);
    clock_queue_release(q->clock);
    ordering_set_free(q->last_set);
    ordering_set_free(q->barrier_set);
    object_release(q->device);
    object_release(q->context);
}

struct error queue_check(cl_command_queue q) {
    return object_check(q, OBJECT_queue, "command queue");
}

struct error queue_create(cl_context context, cl_device_id device,
                          cl_command_queue_properties properties, cl_command_queue *result) {
    TRY(context_check(context));
    TRY(device_check(device));
    if (!context_has(context, device))
        return fail(CL_INVALID_DEVICE, "the device does not belong to the context");
    if (properties & ~known_properties)
        return fail(CL_INVALID_VALUE, "queue properties 0x%llx",
                    (unsigned long long)(properties & ~known_properties));
    cl_command_queue q = object_new(OBJECT_queue);
    if (!q) return fail_memory();
    q->context = object_retain(context);
    q->device = object_retain(device);
    q->properties = properties;
    q->stream = atomic_fetch_add(&context->queues, 1) + 1;
    *result = q;
    return OK;
}

/* Of 2.0, for programs that know no other way; of its properties only what 1.2 has. */
struct error queue_create_with(cl_context context, cl_device_id device,
                               const cl_queue_properties *properties, cl_command_queue *result) {
    TRY(context_check(context));
    TRY(device_check(device));
    cl_command_queue_properties wanted = 0;
    for (size_t i = 0; properties && properties[i]; i += 2) {
        if (properties[i] != CL_QUEUE_PROPERTIES)
            return fail(CL_INVALID_VALUE, "queue property 0x%lx", (long)properties[i]);
        wanted = (cl_command_queue_properties)properties[i + 1];
    }
    if (wanted & (CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT))
        return fail(CL_INVALID_QUEUE_PROPERTIES, "the device has no queues of its own");
    return queue_create(context, device, wanted, result);
}

struct error queue_retain(cl_command_queue q) {
    return object_user_retain(q, OBJECT_queue);
}
struct error queue_release(cl_command_queue q) {
    return object_user_release(q, OBJECT_queue);
}

struct error queue_info(cl_command_queue q, cl_command_queue_info name, size_t size, void *value,
                        size_t *size_ret) {
    TRY(queue_check(q));
    struct info out = {size, value, size_ret, name};
    switch (name) {
    case CL_QUEUE_CONTEXT: return info_of(out, cl_context, q->context);
    case CL_QUEUE_DEVICE: return info_of(out, cl_device_id, q->device);
    case CL_QUEUE_REFERENCE_COUNT: return info_of(out, cl_uint, object_users(q));
    case CL_QUEUE_PROPERTIES:
        return info_of(out, cl_command_queue_properties, atomic_load(&q->properties));
    }
    return info_unknown("command queue", name);
}

struct error queue_set_property(cl_command_queue q, cl_command_queue_properties properties,
                                cl_bool enable, cl_command_queue_properties *old) {
    TRY(queue_check(q));
    if (properties & ~known_properties)
        return fail(CL_INVALID_VALUE, "queue properties 0x%llx",
                    (unsigned long long)(properties & ~known_properties));
    cl_command_queue_properties before = atomic_load(&q->properties);
    cl_command_queue_properties after = enable ? before | properties : before & ~properties;
    if (old) *old = before;
    /* 1.0, 5.1: a change of the order waits for what was enqueued under the old one. */
    if ((before ^ after) & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) scheduler_finish(q);
    atomic_store(&q->properties, after);
    return OK;
}

/* Commands start as soon as they may, or a moment later when they are brief: mostly clFinish comes
 * next, and all that is asked for is that they will be submitted. There is nothing to flush. */
struct error queue_flush(cl_command_queue q) {
    return queue_check(q);
}

struct error queue_finish(cl_command_queue q) {
    TRY(queue_check(q));
    scheduler_finish(q);
    if (scheduler_tell(q) == FAILURE_WRONG)
        return fail(CL_OUT_OF_RESOURCES, "a command of the queue has failed");
    return OK;
}

static struct error enqueue_empty(cl_command_queue q, cl_command_type type,
                                  enum command_order order, struct waits waits, cl_event *event) {
    struct command *c = command_new_empty(0, NULL);
    if (!c) return fail_memory();
    return scheduler_enqueue(c, q, type, order, waits, CL_FALSE, event);
}

struct error queue_marker(cl_command_queue q, cl_event *event) {
    TRY(queue_check(q));
    if (!event) return fail(CL_INVALID_VALUE, "event is NULL");
    return enqueue_empty(q, CL_COMMAND_MARKER, ORDER_MARKER, (struct waits){0}, event);
}

struct error queue_marker_waits(cl_command_queue q, cl_uint n, const cl_event *events,
                                cl_event *event) {
    TRY(queue_check(q));
    struct waits waits = {n, events};
    TRY(event_check_waits(q->context, waits));
    return enqueue_empty(q, CL_COMMAND_MARKER, ORDER_MARKER, waits, event);
}

struct error queue_barrier(cl_command_queue q) {
    TRY(queue_check(q));
    return enqueue_empty(q, CL_COMMAND_BARRIER, ORDER_BARRIER, (struct waits){0}, NULL);
}

struct error queue_barrier_waits(cl_command_queue q, cl_uint n, const cl_event *events,
                                 cl_event *event) {
    TRY(queue_check(q));
    struct waits waits = {n, events};
    TRY(event_check_waits(q->context, waits));
    return enqueue_empty(q, CL_COMMAND_BARRIER, ORDER_BARRIER, waits, event);
}

struct error queue_wait_for(cl_command_queue q, cl_uint n, const cl_event *events) {
    TRY(queue_check(q));
    if (!n || !events) return fail(CL_INVALID_VALUE, "the list of events is empty or NULL");
    struct waits waits = {n, events};
    for (cl_uint i = 0; i < n; i++) {
        if (!events[i]) return fail(CL_INVALID_EVENT, "event_list[%u] is no live event", i);
        if (events[i]->context != q->context)
            return fail(CL_INVALID_CONTEXT, "event_list[%u] belongs to another context", i);
    }
    return enqueue_empty(q, CL_COMMAND_MARKER, ORDER_FENCE, waits, NULL);
}
