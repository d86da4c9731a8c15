#include "graph.h"

#include <stdlib.h>

#include "context.h"
#include "failure.h"
#include "ordering.h"

void graph_keep_user(cl_event e) {
    if (e->queue || e->kept) return;
    e->kept = true;
    object_retain(e);
}

/* `e` waits for `other` too, unless that has ended. */
static void add_edge(struct edge *edge, cl_event e, cl_event other, bool by_order) {
    cl_int status = atomic_load_explicit(&other->status, memory_order_relaxed);
    *edge = (struct edge){other->dependents, e, by_order};
    if (status <= CL_COMPLETE) {
        if (status < 0) failure_inherit(edge, other);
        return;
    }
    other->dependents = edge;
    e->waits++;
    graph_keep_user(other);
}

/* What does not change while it is listed. */
static bool is_other(cl_event e) { return e->held || !e->brief_ns; }

static void list_event(cl_command_queue q, cl_event e) {
    e->number = ++q->enqueued;
    e->previous = q->last;
    e->listed = true;
    if (q->last)
        q->last->next = e;
    else
        q->first = e;
    q->last = e;
    if (!q->unfinished++) object_retain(q); /* it lives while it has commands */
    e->brief_ns = e->command->brief_ns;
    q->brief_ns += e->brief_ns;
    q->others += is_other(e);
}

void graph_unlist(cl_event e) {
    cl_command_queue q = e->queue;
    if (e->previous)
        e->previous->next = e->next;
    else
        q->first = e->next;
    if (e->next)
        e->next->previous = e->previous;
    else
        q->last = e->previous;
    e->listed = false;
    q->unfinished--;
    q->brief_ns -= e->brief_ns;
    q->others -= is_other(e);
    atomic_fetch_add_explicit(&q->ended, 1, memory_order_relaxed);
    if (q->barrier == e) q->barrier = NULL;
}

bool graph_in_order(cl_command_queue q) {
    return !(atomic_load_explicit(&q->properties, memory_order_relaxed) &
             CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

bool graph_waits_for_all(cl_command_queue q, enum command_order order, cl_uint nwaits) {
    return !graph_in_order(q) && !nwaits && (order == ORDER_MARKER || order == ORDER_BARRIER);
}

void graph_link(cl_command_queue q, cl_event e, enum command_order order, struct waits waits) {
    struct edge *edge = e->edges;
    e->told = q->told;
    for (cl_uint i = 0; i < waits.n; i++) add_edge(edge++, e, waits.events[i], false);
    if (graph_waits_for_all(q, order, waits.n)) {
        for (cl_event other = q->first; other; other = other->next)
            add_edge(edge++, e, other, true);
        failure_inherit_queue(e, q->failure);
    } else {
        cl_event before = graph_in_order(q) ? q->last : q->barrier;
        if (before) add_edge(&e->order, e, before, true);
        failure_inherit_queue(e, graph_in_order(q) ? q->failure : q->barrier_failure);
    }
    list_event(q, e);
    ordering_linked(q, e, order, waits, graph_in_order(q), graph_waits_for_all(q, order, waits.n));
    if (order == ORDER_BARRIER || order == ORDER_FENCE) q->barrier = e;
}

bool graph_lock_with_edges(cl_command_queue q, cl_event e, enum command_order order,
                           cl_uint nwaits) {
    size_t room = 0;
    for (;;) {
        pthread_mutex_lock(&q->context->graph_lock);
        size_t need = nwaits + (graph_waits_for_all(q, order, nwaits) ? q->unfinished : 0);
        if (need <= room) return true;
        pthread_mutex_unlock(&q->context->graph_lock);
        free(e->edges);
        e->edges = malloc(need * sizeof *e->edges);
        if (!e->edges) return false;
        room = need;
    }
}
