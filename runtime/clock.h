/* The device's own clock (SIMTCL_TIME=model): when each command would have been queued, submitted,
 * begun and ended, had the GPU run it. docs/clock.md has the rules.
 *
 * The clock knows nothing of the host's: it follows from the calls that the program made, in their
 * order, and from how long each command takes on the device (gpu/time.h), which is known when it
 * has run. So each command is a node that is resolved when the nodes it waits for are and its own
 * duration is known, in whatever order that happens. Nodes are handed to the device in the order of
 * their calls; what waits for a user event that has not been set, when it is. The device works them
 * off in that order: one engine for kernels, and one for copies where they may overlap.
 *
 * Unless the clock is on, event->clock is NULL and nothing of this is done. Thread safe. */
#ifndef SIMTCL_CLOCK_H
#define SIMTCL_CLOCK_H

#include "event.h"

struct clock_node;
struct clock_queue;
struct profiler_slot;

/* Is it what events and logs tell? Read once, with what is wrong about SIMTCL_TIME on stderr. */
bool clock_on(void);

/* What a command needs of the device. */
enum { CLOCK_KERNELS = 1, CLOCK_COPIES = 2 };

/* A command that is enqueued. */
struct clock_command {
    unsigned engines; /* CLOCK_*; 0: it takes no time */
    unsigned device;  /* which one of the board */
    uint64_t latency; /* from its submission until it may begin, nanoseconds */
    uint32_t nwaits;
    const cl_event *waits;
    bool follows;               /* waits for the command before it in its queue */
    bool all;                   /* or for all before it; or neither: for the last barrier */
    bool barrier;               /* later commands of an out-of-order queue wait for it */
    struct profiler_slot *slot; /* who is told of its times: NULL, 0: nobody */
    uint32_t record;            /* the timeline's */
};

/* Sets event->clock, and *queue at the queue's first. Under the lock of the context's graph. False:
 * out of memory. */
bool clock_enqueue(struct clock_queue **queue, cl_event event, const struct clock_command *c);
/* A new user event; sets event->clock. False: out of memory. */
bool clock_user_event(cl_event event);
/* A command has ended well, which takes so long on the device; it has failed, which takes no time
 * and is told to nobody; or a user event has been set. Before the event says so. */
void clock_end(cl_event event, uint64_t nanoseconds, bool well);

/* The host has waited for events, which have ended; its own time goes on. May have to wait for
 * other commands that the device works off before these. */
void clock_wait(cl_uint n, const cl_event *events);
/* It has seen that an event has ended, likewise. */
void clock_seen(cl_event event);
/* It has waited for what was enqueued in a queue before clock_position() was what it gave. */
void clock_finish(struct clock_queue *queue, uint64_t position);
uint64_t clock_position(void);
/* When an event that has ended was queued, submitted, and so on, nanoseconds; waits likewise. */
void clock_times(cl_event event, uint64_t times[EVENT_TIMES]);
/* The host's own time; in a callback its own. */
uint64_t clock_host(void);
/* What the call that enqueued a command took of it, if nothing else was to be waited for. */
uint64_t clock_call(const uint64_t times[EVENT_TIMES], bool blocking);

/* A callback is called because an event has ended; it was set when the host's time was `set`. What
 * it enqueues comes behind both. */
struct clock_callback {
    struct clock_callback *outer;
    cl_event event;
    uint64_t host, spent; /* its own time before its calls; what they have taken */
};
void clock_callback_begin(struct clock_callback *c, cl_event event, uint64_t set);
void clock_callback_end(struct clock_callback *c);

void clock_release(struct clock_node *node);         /* NULL is fine */
void clock_queue_release(struct clock_queue *queue); /* NULL is fine */

#endif
