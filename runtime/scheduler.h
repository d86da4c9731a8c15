/* The scheduler: commands, the graph of what waits for what, and who runs them.
 *
 * A command starts when everything it waits for has ended: its wait list, its predecessor in an
 * in-order queue, the last barrier of an out-of-order one. There is no thread of the scheduler's
 * own: a command is started by the thread that made it ready (the one that enqueued it, or the one
 * that ended the last thing it waited for), and what takes long runs on the device's pool. A thread
 * that waits helps with the work it waits for. User callbacks and destructors run without locks.
 *
 * A command that fails ends those that wait for it, by a wait list or by the order of their queue,
 * with an error: they would work on wrong data. So that it does not matter whether they are
 * enqueued before it ends or later, its queue goes on failing what comes behind until the host has
 * been told: by a blocking command, clFinish, clWaitForEvents, a query of a status or a callback.
 */
#ifndef SIMTCL_SCHEDULER_H
#define SIMTCL_SCHEDULER_H

#include "command.h"

/* How a command depends on what was enqueued in its queue before it. */
enum command_order {
    ORDER_QUEUE,   /* as the queue's mode says */
    ORDER_MARKER,  /* after all earlier commands, or after the wait list when there is one */
    ORDER_BARRIER, /* the same, and later commands wait for it */
    ORDER_FENCE    /* after the wait list alone, and later commands wait for it
                      (clEnqueueWaitForEvents) */
};

/* Enqueues a command, which the scheduler owns from now on, also when it fails. The wait list has
 * been checked. event: where the caller wants an event, or NULL. blocking: returns when it has
 * ended, with its error. */
struct error scheduler_enqueue(struct command *c, cl_command_queue queue, cl_command_type type,
                               enum command_order order, struct waits waits, cl_bool blocking,
                               cl_event *event);
/* A started command has ended: CL_COMPLETE or a negative status. Who waits for that, or for the
 * queue, goes on when the driver holds nothing of the command and its event any more, unless a
 * callback of the event is being called. */
void scheduler_end(struct command *c, cl_int status);
/* When the work itself ran, for profiling; before scheduler_end. */
void scheduler_set_times(struct command *c, uint64_t start, uint64_t end);
/* Had the thread that is starting `c` better do its work itself, rather than hand it to a worker?
 * So it is for a worker, and for a thread that waits for this command or a later one of its queue.
 */
bool scheduler_stays(const struct command *c);
/* Is `c` started by the call that enqueues it? Then who has called mostly waits for it soon. */
bool scheduler_enqueues(const struct command *c);
/* A user event's status is set; false if it was before. The caller holds the event. */
bool scheduler_end_user(cl_event event, cl_int status);
/* Waits for an event, helping; its status. */
cl_int scheduler_wait(cl_event event);
/* An event's status; one that says it has ended is told when scheduler_wait would return. */
cl_int scheduler_status(cl_event event);
/* Waits for all commands enqueued so far. */
void scheduler_finish(cl_command_queue queue);
/* The host learns that this event has failed. */
void scheduler_told(cl_event event);
/* The host is to learn what has failed in the queue that it has not been told of. */
enum failure scheduler_tell(cl_command_queue queue);
/* Adds the callback, or calls it at once if its status has been reached. Owns it. */
void scheduler_add_callback(cl_event event, struct callback *callback);
uint64_t scheduler_now(void); /* nanoseconds, the clock of profiling */

/* A command that does nothing: markers, barriers, migration. holds n objects until it ends. */
struct command *command_new_empty(cl_uint nheld, const cl_mem *held);

#endif
