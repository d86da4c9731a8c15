#include "failure.h"

#include "context.h"
#include "queue.h"

static void set_culprit(cl_event e, cl_command_queue q) {
    if (!e->culprit && q) e->culprit = q == e->queue ? q : object_retain(q);
}

void failure_inherit(const struct edge *edge, cl_event other) {
    cl_event e = edge->event;
    if (edge->by_order && other->failed <= e->told) return;
    if (other->failure > e->failure) e->failure = other->failure;
    if (other->failed > e->failed) e->failed = other->failed;
    set_culprit(e, other->culprit);
}

void failure_inherit_queue(cl_event e, enum failure failure) {
    if (!failure) return;
    if (failure > e->failure) e->failure = failure;
    e->failed = e->context->failures;
    if (failure == FAILURE_WRONG) set_culprit(e, e->queue);
}

void failure_note(cl_event e) {
    cl_command_queue q = e->queue;
    if (!e->failure) {
        e->failure = q ? FAILURE_WRONG : FAILURE_ASKED;
        e->failed = ++e->context->failures;
        set_culprit(e, q);
    }
    if (!q || e->failed <= q->told) return;
    if (e->failure > q->failure) q->failure = e->failure;
    if (q->barrier == e && e->failure > q->barrier_failure) q->barrier_failure = e->failure;
}

void failure_forget(cl_command_queue q) {
    if (!q) return;
    q->failure = q->barrier_failure = FAILURE_NONE;
    q->told = q->context->failures;
}

void failure_told(cl_event e) {
    failure_forget(e->queue);
    failure_forget(e->culprit);
}
