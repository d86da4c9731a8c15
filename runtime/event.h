/* Events: the nodes of a context's graph of commands. The scheduler owns their state; here are what
 * callers may do with them. */
#ifndef SIMTCL_EVENT_H
#define SIMTCL_EVENT_H

#include "object.h"

struct command;
struct counted_launches;
struct clock_node;

typedef void(CL_CALLBACK *event_notify)(cl_event event, cl_int status, void *user);

/* "`event` may go on when the event I hang on has ended." */
struct edge {
    struct edge *next;
    cl_event event;
    bool by_order; /* of the queue, not of a wait list */
};

/* Why a command fails, or what comes behind a failed one: the host asked for it by the status of a
 * user event, or one of the commands went wrong. */
enum failure { FAILURE_NONE, FAILURE_ASKED, FAILURE_WRONG };

struct callback {
    struct callback *next;
    event_notify notify;
    void *user_data;
    cl_int status;  /* called when this is reached */
    uint64_t since; /* when it was set: clock.h, the host's time */
};

enum { EVENT_QUEUED, EVENT_SUBMIT, EVENT_START, EVENT_END, EVENT_TIMES };

struct _cl_event {
    struct object object;
    cl_context context;
    cl_command_queue queue; /* NULL: a user event */
    void *held; /* the queue, which holds the context, or a user event's context; NULL: no caller
                   sees the event, and its queue holds itself while there are commands */
    cl_command_type type;
    _Atomic cl_int status;
    atomic_bool called; /* a callback has been set */
    bool profiled;      /* the caller may ask for its times */
    bool timed;         /* which are kept; nobody asks for those of an event that nobody sees */
    /* under the context's graph_lock: */
    bool listed;
    uint32_t brief_ns; /* its part in the queue's */
    bool kept; /* holds itself: a user event that something waits for, until its status is set */
    enum failure failure;     /* of what it waited for, then its own */
    uint64_t failed;          /* the number of that failure: context.h */
    uint64_t told;            /* of its queue, when it was enqueued */
    cl_command_queue culprit; /* whose command went wrong first, with FAILURE_WRONG; held, unless
                                 it is the event's own */
    uint32_t waits;           /* ends still to come before it may start */
    uint32_t waiters;         /* threads asleep until it ends */
    uint64_t number;          /* position in its queue */
    struct command *command;  /* until it ends */
    struct edge *dependents;  /* who waits for this one */
    struct callback *callbacks;
    cl_event previous, next; /* unfinished commands of the queue, in order */
    cl_event next_ready;
    /* written by whoever makes the step */
    uint64_t times[EVENT_TIMES];
    struct clock_node *clock;         /* held: when it is on the device; NULL: SIMTCL_TIME=wall */
    struct counted_launches *counted; /* held: what was counted of a launch; NULL: nothing */
    struct ordered *ordered;          /* held: ordering.h; NULL: it is not looked at */
    struct edge *edges;               /* storage of its places in others' lists */
    struct edge order; /* the edge nearly every command has: behind its predecessor */
};

/* A wait list as a caller gives it. */
struct waits {
    cl_uint n;
    const cl_event *events;
};

void event_free(void *object);
struct error event_check(cl_event event);
/* CL_INVALID_EVENT_WAIT_LIST, or CL_INVALID_CONTEXT for an event of another context. */
struct error event_check_waits(cl_context context, struct waits waits);
bool event_ended(cl_event event);

/* Entry points (specification 5.9). */
struct error event_create_user(cl_context context, cl_event *result);
struct error event_set_status(cl_event event, cl_int status);
struct error event_wait(cl_uint n, const cl_event *events);
struct error event_info(cl_event event, cl_event_info name, size_t size, void *value,
                        size_t *size_ret);
struct error event_set_callback(cl_event event, cl_int status, event_notify notify,
                                void *user_data);
struct error event_retain(cl_event event);
struct error event_release(cl_event event);
struct error event_profiling(cl_event event, cl_profiling_info name, size_t size, void *value,
                             size_t *size_ret);

#endif
