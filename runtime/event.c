#include "event.h"

#include <stdlib.h>

#include "checking_api.h"
#include "clock.h"
#include "context.h"
#include "counted.h"
#include "info.h"
#include "ordering.h"
#include "platform.h"
#include "scheduler.h"

void event_free(void *object) {
    cl_event e = object;
    for (struct callback *c = e->callbacks, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    free(e->edges);
    clock_release(e->clock);
    ordering_release(e->ordered);
    counted_release(e->counted);
    if (e->culprit != e->queue) object_release(e->culprit);
    object_release(e->held);
}

struct error event_check(cl_event e) {
    return object_check(e, OBJECT_event, "event");
}

bool event_ended(cl_event e) {
    return atomic_load_explicit(&e->status, memory_order_acquire) <= CL_COMPLETE;
}

struct error event_check_waits(cl_context context, struct waits waits) {
    if (!waits.n != !waits.events)
        return fail(CL_INVALID_EVENT_WAIT_LIST,
                    "num_events_in_wait_list is %u but the list is %sNULL", waits.n,
                    waits.events ? "not " : "");
    for (cl_uint i = 0; i < waits.n; i++) {
        if (!waits.events[i])
            return fail(CL_INVALID_EVENT_WAIT_LIST, "event_wait_list[%u] is no live event", i);
        if (waits.events[i]->context != context)
            return fail(CL_INVALID_CONTEXT, "event_wait_list[%u] belongs to another context", i);
    }
    return OK;
}

struct error event_create_user(cl_context context, cl_event *result) {
    TRY(context_check(context));
    cl_event e = object_new(OBJECT_event);
    if (!e) return fail_memory();
    e->context = e->held = object_retain(context);
    e->type = CL_COMMAND_USER;
    if (clock_on() && !clock_user_event(e)) {
        object_release(e);
        return fail_memory();
    }
    atomic_store(&e->status, CL_SUBMITTED);
    *result = e;
    return OK;
}

struct error event_set_status(cl_event e, cl_int status) {
    TRY(event_check(e));
    if (e->type != CL_COMMAND_USER) return fail(CL_INVALID_EVENT, "the event is no user event");
    if (status > CL_COMPLETE)
        return fail(CL_INVALID_VALUE, "execution_status %d is neither CL_COMPLETE nor negative",
                    status);
    if (!scheduler_end_user(e, status))
        return fail(CL_INVALID_OPERATION, "the event's status was set before");
    return OK;
}

struct error event_wait(cl_uint n, const cl_event *events) {
    if (!n || !events) return fail(CL_INVALID_VALUE, "the list of events is empty or NULL");
    for (cl_uint i = 0; i < n; i++) TRY(event_check(events[i]));
    for (cl_uint i = 1; i < n; i++)
        if (events[i]->context != events[0]->context)
            return fail(CL_INVALID_CONTEXT, "event_list[%u] belongs to another context", i);
    bool failed = false;
    checking_waits("clWaitForEvents");
    for (cl_uint i = 0; i < n; i++) {
        if (scheduler_wait(events[i]) >= 0) continue;
        failed = true;
        if (platform_version() >= 110) scheduler_told(events[i]);
    }
    clock_wait(n, events);
    if (failed && platform_version() >= 110)
        return fail(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "an event of the list failed");
    return OK;
}

struct error event_info(cl_event e, cl_event_info name, size_t size, void *value,
                        size_t *size_ret) {
    TRY(event_check(e));
    struct info out = {size, value, size_ret, name};
    switch (name) {
    case CL_EVENT_COMMAND_QUEUE: return info_of(out, cl_command_queue, e->queue);
    case CL_EVENT_COMMAND_TYPE: return info_of(out, cl_command_type, e->type);
    case CL_EVENT_COMMAND_EXECUTION_STATUS: {
        cl_int status = scheduler_status(e);
        if (status < 0 && value) scheduler_told(e);
        if (status <= CL_COMPLETE && value) clock_seen(e);
        return info_of(out, cl_int, status);
    }
    case CL_EVENT_REFERENCE_COUNT: return info_of(out, cl_uint, object_users(e));
    case CL_EVENT_CONTEXT:
        if (platform_version() < 110) break;
        return info_of(out, cl_context, e->context);
    }
    return info_unknown("event", name);
}

struct error event_set_callback(cl_event e, cl_int status, event_notify notify, void *user_data) {
    TRY(event_check(e));
    if (!notify) return fail(CL_INVALID_VALUE, "pfn_event_notify is NULL");
    /* 1.1 knows CL_COMPLETE alone; 1.2 adds the steps before it. */
    if (status != CL_COMPLETE &&
        (platform_version() < 120 || (status != CL_SUBMITTED && status != CL_RUNNING)))
        return fail(CL_INVALID_VALUE, "no callback can be set for status %d", status);
    struct callback *c = malloc(sizeof *c);
    if (!c) return fail_memory();
    *c = (struct callback){NULL, notify, user_data, status, clock_host()};
    scheduler_add_callback(e, c);
    return OK;
}

struct error event_retain(cl_event e) {
    return object_user_retain(e, OBJECT_event);
}

struct error event_release(cl_event e) {
    return object_user_release(e, OBJECT_event);
}

struct error event_profiling(cl_event e, cl_profiling_info name, size_t size, void *value,
                             size_t *size_ret) {
    TRY(event_check(e));
    if (e->type == CL_COMMAND_USER)
        return fail(CL_PROFILING_INFO_NOT_AVAILABLE, "a user event has no times");
    if (!e->profiled)
        return fail(CL_PROFILING_INFO_NOT_AVAILABLE, "the queue has no CL_QUEUE_PROFILING_ENABLE");
    cl_int status = scheduler_status(e);
    if (status < 0)
        return fail(CL_PROFILING_INFO_NOT_AVAILABLE, "the command failed with %s (%d)",
                    fail_name(status), status);
    if (status != CL_COMPLETE)
        return fail(CL_PROFILING_INFO_NOT_AVAILABLE, "the command has not completed");
    struct info out = {size, value, size_ret, name};
    if (name < CL_PROFILING_COMMAND_QUEUED || name > CL_PROFILING_COMMAND_END)
        return info_unknown("profiled event", name);
    unsigned step = name - CL_PROFILING_COMMAND_QUEUED;
    uint64_t times[EVENT_TIMES];
    if (!e->clock) return info_of(out, cl_ulong, e->times[step]);
    clock_times(e, times);
    return info_of(out, cl_ulong, times[step]);
}
