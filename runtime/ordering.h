/* SIMTCL_CHECK=api: commands of a context that access the same bytes, one of them to store, with
 * nothing that orders them: no queue's order, no wait list or barrier, and no wait of the host's
 * between the end of one and the enqueuing of the other. What a command accesses is known when it
 * has ended; which of two ends first, or whether they ran at once, does not matter.
 *
 * Only contexts with several queues, or with one out of order, can have such commands: until then
 * nothing is kept of any. The context's graph_lock is held where nothing else is said. */
#ifndef SIMTCL_ORDERING_H
#define SIMTCL_ORDERING_H

#include "copy.h"
#include "device/check/touched.h"
#include "mem.h"
#include "scheduler.h"

struct ordering;    /* of a context */
struct ordered;     /* of a command, or of a user event: its event's */
struct ordered_set; /* of commands: what a queue keeps */

/* Have commands of this queue to be looked at? Without the lock. */
bool ordering_wanted(cl_command_queue queue);
/* The event is hung into the graph. */
void ordering_linked(cl_command_queue queue, cl_event event, enum command_order order,
                     struct waits waits, bool in_order, bool all);
/* The event ends: what it accessed is compared. Of a user event: the host has set its status. */
void ordering_ended(cl_event event, bool well);
/* The host has learned that the event has ended; that all commands of the queue have. */
void ordering_known(cl_event event);
void ordering_finished(cl_command_queue queue);
/* Those go. Without the lock. */
void ordering_free(struct ordering *ordering);
void ordering_release(struct ordered *command);
void ordering_set_free(struct ordered_set *set);

/* What a command does, by the thread that runs it, before it ends; without the lock. Rows of a copy
 * that lie in the object: */
void ordering_accesses(cl_event event, cl_mem mem, const char *first, const struct copy *rows,
                       bool to, enum touch how);
/* what was marked of an object, which takes the place in the sandbox: */
void ordering_touched(cl_event event, cl_mem root, const struct touched_object *object);
/* and whose launch it is. */
void ordering_names(cl_event event, const char *kernel);

#endif
