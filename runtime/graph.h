/* The graph of a context: which of its events wait for which, and what of a queue has not ended.
 * All of it under the context's graph_lock. The rules are the scheduler's. */
#ifndef SIMTCL_GRAPH_H
#define SIMTCL_GRAPH_H

#include "scheduler.h"

bool graph_in_order(cl_command_queue queue);
/* Does the command wait for every earlier one of an out-of-order queue? */
bool graph_waits_for_all(cl_command_queue queue, enum command_order order, cl_uint nwaits);
/* Takes the lock with room for all edges of the event made, or returns false without it. */
bool graph_lock_with_edges(cl_command_queue queue, cl_event event, enum command_order order,
                           cl_uint nwaits);
/* Hangs the event into the graph. event->edges has room for all edges that take one. */
void graph_link(cl_command_queue queue, cl_event event, enum command_order order,
                struct waits waits);
/* It has ended, and is none of the queue's any more. */
void graph_unlist(cl_event event);
/* A user event that something waits for lives until its status is set, whoever still has a
 * reference: the host may go on using its handle for that alone (NVIDIA's oclMultiThreads does). */
void graph_keep_user(cl_event event);

#endif
