/* Command queues. What is in them belongs to the scheduler. */
#ifndef SIMTCL_QUEUE_H
#define SIMTCL_QUEUE_H

#include "event.h"
#include "object.h"

struct _cl_command_queue {
    struct object object;
    cl_context context;  /* held */
    cl_device_id device; /* held */
    _Atomic cl_command_queue_properties properties;
    _Atomic uint32_t profiles; /* begun and not ended: profiling.h */
    uint32_t stream;           /* its number in the context, from 1 */
    /* under the context's graph_lock: */
    cl_event first, last; /* commands that have not ended */
    cl_event
        barrier; /* later commands of an out-of-order queue wait for it; NULL when it has ended */
    uint64_t enqueued;      /* commands so far */
    size_t unfinished;      /* length of the list; the queue holds itself while
                               there are any */
    _Atomic uint64_t ended; /* commands so far; read without the lock */
    uint64_t brief_ns;      /* what the brief ones among the unfinished commands take together */
    size_t others;          /* commands that are not brief, or that somebody sees */
    uint64_t awaited; /* the last command that a thread asleep in scheduler_finish waits for, the
                         first of several; 0: there is none */
    struct command *spares; /* blocks for commands: command.h */
    uint32_t nspares;
    struct command *_Atomic spare;              /* the next of them; without the lock */
    struct clock_queue *clock;                  /* held; NULL: there is none yet */
    struct ordered_set *last_set, *barrier_set; /* ordering.h: what comes before the next, and
                                                   with the last barrier; NULL: not looked at */
    /* What the host has not been told yet: a command of the queue failed, and, of an out-of-order
     * one, a barrier did. */
    enum failure failure, barrier_failure;
    uint64_t told; /* the number of the last failure when the host was told: context.h */
};

void queue_free(void *object);
struct error queue_check(cl_command_queue queue);

/* Entry points (specification 5.1, 5.10 to 5.13). */
struct error queue_create(cl_context context, cl_device_id device,
                          cl_command_queue_properties properties, cl_command_queue *result);
struct error queue_create_with(cl_context context, cl_device_id device,
                               const cl_queue_properties *properties, cl_command_queue *result);
struct error queue_retain(cl_command_queue queue);
struct error queue_release(cl_command_queue queue);
struct error queue_info(cl_command_queue queue, cl_command_queue_info name, size_t size,
                        void *value, size_t *size_ret);
struct error queue_set_property(cl_command_queue queue, cl_command_queue_properties properties,
                                cl_bool enable, cl_command_queue_properties *old);
struct error queue_flush(cl_command_queue queue);
struct error queue_finish(cl_command_queue queue);
struct error queue_marker(cl_command_queue queue, cl_event *event);
struct error queue_marker_waits(cl_command_queue queue, cl_uint n, const cl_event *events,
                                cl_event *event);
struct error queue_barrier(cl_command_queue queue);
struct error queue_barrier_waits(cl_command_queue queue, cl_uint n, const cl_event *events,
                                 cl_event *event);
struct error queue_wait_for(cl_command_queue queue, cl_uint n, const cl_event *events);

#endif
