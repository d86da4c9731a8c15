/* Contexts: devices, the sandbox they share, and the lock and condition under which the context's
 * commands wait for each other. */
#ifndef SIMTCL_CONTEXT_H
#define SIMTCL_CONTEXT_H

#include <pthread.h>

#include "device/device.h"
#include "object.h"

typedef void(CL_CALLBACK *context_notify)(const char *text, const void *data, size_t size,
                                          void *user);

struct _cl_context {
    struct object object;
    cl_device_id *devices; /* held */
    cl_uint ndevices;
    cl_context_properties *properties; /* as given, the closing 0 among them, or NULL */
    size_t nproperties;
    context_notify notify;
    void *user_data;
    struct memory *memory;
    struct gpu_heap *heap;      /* where the device would have its objects */
    struct profiler_log *log;   /* NULL: none is written */
    _Atomic uint32_t profiles;  /* begun and not ended: profiling.h */
    uint32_t number;            /* of the process's contexts, from 1 */
    _Atomic uint32_t queues;    /* made so far */
    pthread_mutex_t graph_lock; /* edges, callbacks and queues' lists of all events: scheduler.c */
    pthread_cond_t graph_wake;
    uint64_t failures; /* of commands and user events that waited for none, numbered from 1 */
    struct ordering *ordering; /* NULL: nothing is looked at; under graph_lock: ordering.h */
    pthread_mutex_t mem_lock;  /* mappings and destructor callbacks of all memory objects: mem.c */
};

void context_free(void *object);
struct error context_check(cl_context context);
/* Is it one of the context's devices? */
bool context_has(cl_context context, cl_device_id device);
/* The list a caller gave: all of the context's devices when both are 0; errors otherwise as
 * clBuildProgram has them (CL_INVALID_VALUE, CL_INVALID_DEVICE). *devices and *n are replaced. */
struct error context_device_list(cl_context context, cl_uint *n, const cl_device_id **devices);
/* Tells the context's callback, if there is one. Called without locks. */
void context_report(cl_context context, const char *text);

/* Entry points (specification 4.4). */
struct error context_create(const cl_context_properties *properties, cl_uint ndevices,
                            const cl_device_id *devices, context_notify notify, void *user_data,
                            cl_context *result);
struct error context_create_type(const cl_context_properties *properties, cl_device_type type,
                                 context_notify notify, void *user_data, cl_context *result);
struct error context_retain(cl_context context);
struct error context_release(cl_context context);
struct error context_info(cl_context context, cl_context_info name, size_t size, void *value,
                          size_t *size_ret);

#endif
