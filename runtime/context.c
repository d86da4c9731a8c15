#include "context.h"

#include <stdlib.h>

#include "device/host/lock.h"
#include "device/host/stay.h"
#include "devices.h"
#include "info.h"
#include "ordering.h"
#include "platform.h"
#include "profiler.h"
#include "profiling.h"

void context_free(void *object) {
    cl_context c = object;
    profiler_log_close(c->log);
    ordering_free(c->ordering);
    memory_free(c->memory);
    gpu_heap_free(c->heap);
    for (cl_uint i = 0; i < c->ndevices; i++) object_release(c->devices[i]);
    free(c->devices);
    free(c->properties);
    pthread_mutex_lock(&c->graph_lock); /* who gave back the last but one reference may have it */
    pthread_mutex_unlock(&c->graph_lock);
    pthread_mutex_destroy(&c->graph_lock);
    pthread_cond_destroy(&c->graph_wake);
    pthread_mutex_destroy(&c->mem_lock);
}

struct error context_check(cl_context c) {
    return object_check(c, OBJECT_context, "context");
}

bool context_has(cl_context c, cl_device_id device) {
    for (cl_uint i = 0; i < c->ndevices; i++)
        if (c->devices[i] == device) return true;
    return false;
}

struct error context_device_list(cl_context c, cl_uint *n, const cl_device_id **devices) {
    if (!*n != !*devices)
        return fail(CL_INVALID_VALUE, "num_devices is %u but device_list is %sNULL", *n,
                    *devices ? "not " : "");
    for (cl_uint i = 0; i < *n; i++)
        if (!context_has(c, (*devices)[i]))
            return fail(CL_INVALID_DEVICE, "device_list[%u] is not a device of the context", i);
    if (!*n) {
        *n = c->ndevices;
        *devices = c->devices;
    }
    return OK;
}

void context_report(cl_context c, const char *text) {
    if (!c->notify) return;
    unsigned stay = stay_leave();
    c->notify(text, NULL, 0, c->user_data);
    stay_return(stay);
}

/* Checks a property list and counts its entries, the closing 0 among them (table 4.5). A bad name
 * is CL_INVALID_PROPERTY since 1.1, CL_INVALID_VALUE at 1.0. */
static struct error check_properties(const cl_context_properties *p, size_t *count) {
    cl_int bad = platform_version() >= 110 ? CL_INVALID_PROPERTY : CL_INVALID_VALUE;
    bool platform_seen = false, sync_seen = false;
    *count = 0;
    if (!p) return OK;
    size_t n = 0;
    for (; p[n]; n += 2) {
        if (p[n] == CL_CONTEXT_PLATFORM) {
            if (platform_seen) return fail(bad, "CL_CONTEXT_PLATFORM is given twice");
            platform_seen = true;
            if (!p[n + 1]) return fail(CL_INVALID_PLATFORM, "CL_CONTEXT_PLATFORM is NULL");
            TRY(platform_check((cl_platform_id)p[n + 1]));
        } else if (p[n] == CL_CONTEXT_INTEROP_USER_SYNC && platform_version() >= 120) {
            if (sync_seen) return fail(bad, "CL_CONTEXT_INTEROP_USER_SYNC is given twice");
            sync_seen = true;
            if (p[n + 1] != CL_TRUE && p[n + 1] != CL_FALSE)
                return fail(bad, "CL_CONTEXT_INTEROP_USER_SYNC is neither CL_TRUE nor CL_FALSE");
        } else {
            return fail(bad, "context property 0x%lx is not supported", (long)p[n]);
        }
    }
    *count = n + 1;
    return OK;
}

static struct error new_context(const cl_context_properties *properties, size_t nproperties,
                                cl_uint ndevices, const cl_device_id *devices, cl_context *result) {
    cl_context c = object_new(OBJECT_context);
    if (!c) return fail_memory();
    c->graph_lock = (pthread_mutex_t)LOCK_SHORT;
    pthread_cond_init(&c->graph_wake, NULL);
    pthread_mutex_init(&c->mem_lock, NULL);
    c->devices = calloc(ndevices, sizeof *devices);
    if (nproperties) c->properties = malloc(nproperties * sizeof *properties);
    if (!c->devices || (nproperties && !c->properties)) {
        object_release(c);
        return fail_memory();
    }
    if (nproperties) memcpy(c->properties, properties, nproperties * sizeof *properties);
    c->nproperties = nproperties;
    uint64_t bytes = 0;
    for (cl_uint i = 0; i < ndevices; i++) {
        if (context_has(c, devices[i])) continue; /* 4.4: duplicates are ignored */
        c->devices[c->ndevices++] = object_retain(devices[i]);
        bytes += device_memory_bytes(devices[i]->model);
    }
    uint64_t most = device_memory_bytes(&(struct model){0});
    profiling_get_ready(); /* which says whether it has a shadow */
    c->memory = memory_new(bytes < most ? bytes : most);
    if (!c->memory) {
        object_release(c);
        return fail(CL_OUT_OF_HOST_MEMORY, "no address space left for the context's 4 GiB sandbox");
    }
    c->heap = gpu_heap_new();
    if (!c->heap) {
        object_release(c);
        return fail_memory();
    }
    static _Atomic uint32_t contexts;
    c->number = atomic_fetch_add(&contexts, 1) + 1;
    c->log = profiler_log_open(c);
    *result = c;
    return OK;
}

struct error context_create(const cl_context_properties *properties, cl_uint ndevices,
                            const cl_device_id *devices, context_notify notify, void *user_data,
                            cl_context *result) {
    size_t nproperties;
    TRY(check_properties(properties, &nproperties));
    if (!devices) return fail(CL_INVALID_VALUE, "devices is NULL");
    if (!ndevices) return fail(CL_INVALID_VALUE, "num_devices is 0");
    if (!notify && user_data)
        return fail(CL_INVALID_VALUE, "user_data is given without pfn_notify");
    for (cl_uint i = 0; i < ndevices; i++) TRY(device_check(devices[i]));
    TRY(new_context(properties, nproperties, ndevices, devices, result));
    (*result)->notify = notify;
    (*result)->user_data = user_data;
    return OK;
}

struct error context_create_type(const cl_context_properties *properties, cl_device_type type,
                                 context_notify notify, void *user_data, cl_context *result) {
    size_t nproperties;
    TRY(check_properties(properties, &nproperties));
    if (!notify && user_data)
        return fail(CL_INVALID_VALUE, "user_data is given without pfn_notify");
    cl_device_id devices[PLATFORM_MAX_DEVICES];
    cl_uint n;
    TRY(device_ids(NULL, type, PLATFORM_MAX_DEVICES, devices, &n));
    return context_create(properties, n, devices, notify, user_data, result);
}

struct error context_retain(cl_context c) {
    return object_user_retain(c, OBJECT_context);
}
struct error context_release(cl_context c) {
    return object_user_release(c, OBJECT_context);
}

struct error context_info(cl_context c, cl_context_info name, size_t size, void *value,
                          size_t *size_ret) {
    TRY(context_check(c));
    struct info out = {size, value, size_ret, name};
    switch (name) {
    case CL_CONTEXT_REFERENCE_COUNT: return info_of(out, cl_uint, object_users(c));
    case CL_CONTEXT_DEVICES: return info_bytes(out, c->devices, c->ndevices * sizeof *c->devices);
    case CL_CONTEXT_PROPERTIES:
        return info_bytes(out, c->properties, c->nproperties * sizeof *c->properties);
    case CL_CONTEXT_NUM_DEVICES:
        if (platform_version() < 110) break;
        return info_of(out, cl_uint, c->ndevices);
    }
    return info_unknown("context", name);
}
