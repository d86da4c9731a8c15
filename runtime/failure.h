/* What has failed, and what fails because of it: how it spreads over events and queues. All of it
 * under the lock of the context's graph. */
#ifndef SIMTCL_FAILURE_H
#define SIMTCL_FAILURE_H

#include "event.h"

/* What waited for `other`, which has failed, fails too. What stands behind it only
 * in its queue's order, and was enqueued when the host knew of that failure, runs. */
void failure_inherit(const struct edge *edge, cl_event other);
/* `e` is enqueued behind what the queue has failed with. */
void failure_inherit_queue(cl_event e, enum failure failure);
/* The event ends with an error. One that waited for no failure is the first. */
void failure_note(cl_event e);
/* What has failed by now the host knows, also where it comes to the queue's later commands yet. */
void failure_forget(cl_command_queue q);
/* The host knows that of the event. */
void failure_told(cl_event e);

#endif
