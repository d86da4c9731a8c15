#include "scheduler.h"

#include <stdlib.h>

#include "checking_api.h"
#include "clock.h"
#include "context.h"
#include "device/host/moment.h"
#include "device/host/stay.h"
#include "devices.h"
#include "duration.h"
#include "failure.h"
#include "graph.h"
#include "motion.h"
#include "ordering.h"
#include "platform.h"
#include "profiler.h"
#include "timeline.h"

enum {
    MANY = 16,      /* brief commands that do not lie any longer */
    WAKE_NS = 8000, /* what they take together when waking a worker is better than running them */
    LOOKS = 100     /* at an event that is about to end: as many as a worker makes */
};

/* Commands that may start, in the order they became ready. */
struct ready {
    cl_event first, last;
};

/* The list this thread is working off. What becomes ready meanwhile is appended to it, so that a
 * long chain of commands is a loop and not a recursion. */
static _Thread_local struct ready *active;

/* A host thread inside the scheduler, and what it waits for, if it does. A thread without one that
 * starts a command is a worker. */
struct visit {
    struct visit *outer;
    cl_command_queue queue; /* it waits for commands of this one, NULL: for none, */
    uint64_t number;        /* up to this */
    cl_event enqueued;      /* by this call */
};
static _Thread_local struct visit *visit;

static void visit_begin(struct visit *v) {
    v->outer = visit;
    visit = v;
}
static void visit_end(void) { visit = visit->outer; }

uint64_t scheduler_now(void) { return moment_ns(); }

static void stamp(cl_event e, unsigned step) {
    if (e->timed) e->times[step] = scheduler_now();
}

static void lock(cl_event e) { pthread_mutex_lock(&e->context->graph_lock); }
static void unlock(cl_event e) { pthread_mutex_unlock(&e->context->graph_lock); }

/* Where the event's callbacks for a step and those before it end; they are in the order of steps.
 */
static struct callback **callbacks_end(cl_event e, cl_int status) {
    struct callback **end = &e->callbacks;
    while (*end && (*end)->status >= status) end = &(*end)->next;
    return end;
}

/* Under the lock: takes the callbacks that are due at a status off the event, in order. */
static struct callback *take_callbacks(cl_event e, cl_int status) {
    struct callback **end = callbacks_end(e, status), *later = *end;
    *end = NULL; /* of what is due, which may be nothing */
    struct callback *due = e->callbacks;
    e->callbacks = later;
    return due;
}

/* Calls and frees them. One that is set for an earlier step of a command that failed sees the
 * failure. */
static void call_callbacks(cl_event e, struct callback *c, cl_int status) {
    if (c && status <= CL_COMPLETE) {
        lock(e);
        ordering_known(e);
        unlock(e);
    }
    for (struct callback *next; c; c = next) {
        struct clock_callback timed;
        bool ended = e->clock && status <= CL_COMPLETE;
        next = c->next;
        if (ended) clock_callback_begin(&timed, e, c->since);
        checking_callback_begin();
        unsigned stay = stay_leave();
        c->notify(e, status < 0 ? status : c->status, c->user_data);
        stay_return(stay);
        checking_callback_end();
        if (ended) clock_callback_end(&timed);
        free(c);
    }
}

/* ---- failure ---- */

void scheduler_told(cl_event e) {
    lock(e);
    failure_told(e);
    unlock(e);
}

enum failure scheduler_tell(cl_command_queue q) {
    pthread_mutex_lock(&q->context->graph_lock);
    enum failure failure = q->failure;
    failure_forget(q);
    pthread_mutex_unlock(&q->context->graph_lock);
    return failure;
}

/* ---- running ---- */

static void append(struct ready *list, cl_event e) {
    e->next_ready = NULL;
    if (list->first)
        list->last->next_ready = e;
    else
        list->first = e;
    list->last = e;
}

static void start(cl_event e) {
    struct command *c = e->command;
    stamp(e, EVENT_SUBMIT);
    if (e->failure) {
        stamp(e, EVENT_START);
        scheduler_end(c, platform_version() < 110 ? CL_OUT_OF_RESOURCES
                                                  : CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        return;
    }
    /* Without the lock, as hardly any command has callbacks. Who sets the first one says so before
     * he looks at the status, and here it is the other way round: one of the two sees the other. */
    atomic_store(&e->status, CL_RUNNING);
    if (atomic_load(&e->called)) {
        lock(e);
        struct callback *due = take_callbacks(e, CL_RUNNING);
        unlock(e);
        call_callbacks(e, due, CL_RUNNING);
    }
    if (!c->kind->times) stamp(e, EVENT_START);
    c->kind->start(c);
}

static void drain(struct ready *list) {
    while (list->first) {
        cl_event e = list->first;
        list->first = e->next_ready;
        start(e);
    }
}

static void run_ready(struct ready *list) {
    if (!list->first) return;
    if (active) {
        if (active->first)
            active->last->next_ready = list->first;
        else
            active->first = list->first;
        active->last = list->last;
        return;
    }
    unsigned stay = stay_begin();
    active = list;
    drain(list);
    active = NULL;
    stay_end(stay);
}

/* Under the lock: the device's clock and the timeline see commands in the order of their calls.
 * False: out of memory. */
static bool note_call(cl_command_queue q, cl_event e, enum command_order order,
                      struct waits waits) {
    struct command *c = e->command;
    if (!clock_on() && !timeline_on()) return true;
    struct timeline_record record = {.bytes = c->moves.bytes,
                                     .type = e->type,
                                     .context = q->context->number,
                                     .queue = q->stream,
                                     .device = (uint8_t)q->device->index,
                                     .engines = (uint8_t)duration_engines(e),
                                     .locked = c->moves.bytes && motion_locked(e)};
    c->record = timeline_add(&record);
    if (!clock_on()) return true;
    bool barrier = order == ORDER_BARRIER || order == ORDER_FENCE;
    c->took = duration_of(e);
    c->slot = q->context->log ? profiler_slot_new(q->context->log) : NULL;
    struct clock_command call = {.engines = record.engines,
                                 .device = record.device,
                                 .latency = duration_latency(e),
                                 .nwaits = waits.n,
                                 .waits = waits.events,
                                 .follows = graph_in_order(q),
                                 .all = graph_waits_for_all(q, order, waits.n),
                                 .barrier = barrier,
                                 .slot = c->slot,
                                 .record = c->record};
    if (clock_enqueue(&q->clock, e, &call)) return true;
    if (c->slot) {
        profiler_slot_settle(c->slot);
        profiler_slot_time(c->slot, e->times);
    }
    return false;
}

/* Under the lock: `e` has been enqueued, and this thread does not wait for it. Is what lies in the
 * queue, for somebody who comes to wait, to lie there longer? Not when something comes that takes
 * long, or enough has come. To wake a worker takes this thread as long as running a number of small
 * launches does, which then are not carried from one processor's cache to another's and back: if
 * that is all there is, *first is the first of them, held, with which this thread runs them. Nobody
 * has the handle of one of these, so none has a callback. */
static bool lies_well(cl_command_queue q, cl_event e, struct command **first) {
    bool enough = q->brief_ns >= WAKE_NS && q->brief_ns - e->brief_ns < WAKE_NS;
    if (e->brief_ns && !enough && q->unfinished % MANY) return true;
    struct command *c = q->first->command;
    if (q->others || q->brief_ns >= WAKE_NS || !graph_in_order(q)) return false;
    if (!c || c->event == e || !atomic_load_explicit(&c->help, memory_order_acquire)) return false;
    command_retain(c);
    *first = c;
    return true;
}

/* Runs it, and what becomes ready by that, if it lies there still. */
static void run_first(cl_command_queue q, struct command *first) {
    pool_help(atomic_load_explicit(&first->help, memory_order_acquire));
    pthread_mutex_lock(&q->context->graph_lock);
    command_release(first, q);
    pthread_mutex_unlock(&q->context->graph_lock);
}

struct error scheduler_enqueue(struct command *c, cl_command_queue q, cl_command_type type,
                               enum command_order order, struct waits waits, cl_bool blocking,
                               cl_event *event) {
    cl_event e = event ? object_new(OBJECT_event) : command_event(c);
    if (!e) {
        command_free(c);
        return fail_memory();
    }
    if (event) object_conceal(e);
    e->context = q->context;
    e->queue = q;
    e->type = type;
    e->profiled =
        atomic_load_explicit(&q->properties, memory_order_relaxed) & CL_QUEUE_PROFILING_ENABLE;
    e->timed = (event && e->profiled) || q->context->log || timeline_on();
    /* Of an event that nobody sees when the command has ended the queue need not live as long. */
    if (event || clock_on() || ordering_wanted(q)) e->held = object_retain(q);
    e->command = c;
    c->event = e;
    c->blocking = blocking;
    e->waits = 1; /* until it is linked */
    atomic_store_explicit(&e->status, CL_QUEUED, memory_order_relaxed);
    stamp(e, EVENT_QUEUED);
    c->enqueued = e->times[EVENT_QUEUED];
    if (!graph_lock_with_edges(q, e, order, waits.n)) {
        object_release(e);
        command_free(c);
        return fail_memory();
    }
    if (!note_call(q, e, order, waits)) {
        unlock(e);
        object_release(e);
        command_free(c);
        return fail_memory();
    }
    graph_link(q, e, order, waits);
    command_ready(q);
    struct ready ready = {0};
    if (!--e->waits) {
        atomic_store_explicit(&e->status, CL_SUBMITTED, memory_order_relaxed);
        append(&ready, e);
    }
    if (blocking) object_retain(e);
    if (event) {
        object_publish(e);
        *event = e;
    }
    uint64_t number = e->number; /* behind the lock it may have ended */
    struct command *first = NULL;
    bool hurry = !blocking && !lies_well(q, e, &first);
    unlock(e);
    visit_begin(&(struct visit){
        .queue = blocking || first ? q : NULL, .number = number, .enqueued = first ? NULL : e});
    run_ready(&ready);
    if (first) run_first(q, first);
    visit_end();
    if (hurry) pool_hurry();
    if (!blocking) return OK;
    checking_waits("a blocking command");
    cl_int status = scheduler_wait(e);
    clock_wait(1, &e);
    if (status < 0) scheduler_told(e);
    object_release(e);
    if (status < 0) return fail(status, "the blocking command failed");
    return OK;
}

void scheduler_set_times(struct command *c, uint64_t start, uint64_t end) {
    if (!c->event->timed) return;
    c->event->times[EVENT_START] = start;
    c->event->times[EVENT_END] = end;
}

bool scheduler_enqueues(const struct command *c) { return visit && visit->enqueued == c->event; }

bool scheduler_stays(const struct command *c) {
    if (!visit) return true;
    cl_event e = c->event;
    return e->queue == visit->queue && e->number <= visit->number;
}

/* Under the lock: the scheduler's reference to an event that has ended is given back, with what
 * hangs on it. False: it is the last one of an event that holds another queue; below, of the
 * context too, for which nobody can wait. */
static bool let_go(cl_event e, struct command *c) {
    if (command_park(c, e) || object_release_shared(e)) return true;
    if (e->culprit && e->culprit != e->queue) return false;
    if (e->held) object_release(e->held); /* which still holds itself */
    e->held = NULL;
    object_release(e);
    return true;
}

/* The same for what a queue holds itself by when its last command has ended. */
static bool let_queue_go(cl_command_queue q) {
    if (object_release_shared(q)) return true;
    if (!object_release_shared(q->context)) return false;
    q->context = NULL;
    object_release(q);
    return true;
}

/* Under the lock. A command, or NULL, ends. */
static void note_end(cl_event e, const struct command *c, cl_int status) {
    bool well = status == CL_COMPLETE;
    if (e->clock)
        clock_end(e, c ? c->took : 0, well);
    else if (c && well)
        timeline_set_times(c->record, e->times);
}

/* Under the lock: has an end been waited for, of the event or of the last of the queue's commands
 * that somebody waits for? He who does sets q->awaited again when there is another one. */
static bool is_awaited(cl_event e, cl_command_queue q) {
    bool finished = q && q->awaited && (!q->first || q->first->number > q->awaited);
    if (finished) q->awaited = 0;
    return finished || e->waiters;
}

/* The end of an event, with or without a command. False: it had ended before. What the scheduler
 * held is given back before the lock is: another thread sees the end when it has had the lock. */
static bool end_event(cl_event e, struct command *c, cl_int status) {
    struct ready ready = {0};
    cl_command_queue q = e->queue, left = NULL;
    pthread_mutex_t *graph_lock = &e->context->graph_lock;
    pthread_mutex_lock(graph_lock);
    if (event_ended(e)) {
        pthread_mutex_unlock(graph_lock);
        return false;
    }
    e->command = NULL;
    if (status < 0) failure_note(e);
    ordering_ended(e, status == CL_COMPLETE);
    if (e->listed) graph_unlist(e);
    for (unsigned step = EVENT_START; step <= EVENT_END; step++)
        if (!e->times[step]) stamp(e, step);
    note_end(e, c, status);
    atomic_store_explicit(&e->status, status, memory_order_release);
    for (struct edge *edge = e->dependents, *next; edge; edge = next) {
        next = edge->next;
        cl_event dependent = edge->event;
        if (status < 0) failure_inherit(edge, e);
        if (--dependent->waits) continue;
        atomic_store_explicit(&dependent->status, CL_SUBMITTED, memory_order_relaxed);
        append(&ready, dependent);
    }
    e->dependents = NULL;
    struct callback *due = take_callbacks(e, status);
    if (due && status < 0) failure_told(e);
    bool kept = e->kept;
    e->kept = false;
    if (is_awaited(e, q)) pthread_cond_broadcast(&e->context->graph_wake);
    bool held = c && (due || !let_go(e, c));
    if (c) command_release(c, q);
    if (c && !q->unfinished && !let_queue_go(q)) left = q;
    pthread_mutex_unlock(graph_lock);
    if (due) call_callbacks(e, due, status);
    if (held) object_release(e);
    run_ready(&ready);
    if (kept) object_release(e);
    object_release(left);
    return true;
}

void scheduler_end(struct command *c, cl_int status) {
    cl_event e = c->event;
    if (e->context->log && status == CL_COMPLETE) profiler_log_copy(e->context->log, e);
    if (c->slot) profiler_slot_settle(c->slot);
    c->kind->release(
        c, status); /* before the end is seen: what it held is free when clFinish returns */
    end_event(e, c, status);
}

bool scheduler_end_user(cl_event e, cl_int status) {
    visit_begin(&(struct visit){0});
    fault_released();
    bool first = end_event(e, NULL, status);
    visit_end();
    pool_hurry();
    return first;
}

cl_int scheduler_status(cl_event e) {
    /* Read once: what is told as ended must be an end behind which the lock has been had. */
    cl_int status = atomic_load_explicit(&e->status, memory_order_acquire);
    if (status <= CL_COMPLETE) { /* whoever ended it may still be about to let go of it */
        lock(e);
        ordering_known(e);
        unlock(e);
    } else {
        pool_hurry(); /* who asks again and again would wait for a nap */
    }
    return status;
}

/* ---- waiting ---- */

/* What a thread waits for: the end of an event, or that of a queue's commands up to a number. */
struct goal {
    cl_event event;         /* NULL: the queue's commands */
    cl_command_queue queue; /* NULL: it is a user event */
    uint64_t number;
};

static bool is_reached(const struct goal *g) {
    if (g->event) return event_ended(g->event);
    return !g->queue->first || g->queue->first->number > g->number;
}

/* Under the lock: a running command that brings the goal nearer, held, or NULL. `tried`: the number
 * of the command last helped, which has nothing left to hand out. */
static struct command *helpable(const struct goal *g, uint64_t *tried) {
    cl_event candidates[] = {g->event, g->queue ? g->queue->first : NULL};
    for (unsigned i = 0; i < 2; i++) {
        cl_event c = candidates[i];
        if (!c || c->number == *tried || !c->command) continue;
        if (!atomic_load_explicit(&c->command->help, memory_order_acquire)) continue;
        *tried = c->number;
        command_retain(c->command);
        return c->command;
    }
    return NULL;
}

/* Under the lock: is somebody at a command that is over before this thread would be asleep and
 * woken? Each is looked at once, so that one that is not sends the thread to sleep. */
static bool ends_soon(const struct goal *g, uint64_t *looked) {
    cl_event first = g->queue ? g->queue->first : NULL;
    if (!first || first->number <= *looked || !first->command || !first->command->brief_ns)
        return false;
    *looked = first->number;
    return true;
}

/* Looks on for a moment: until a command of the queue has ended. */
static void look(cl_command_queue q, uint64_t ended) {
    for (unsigned i = 0; i < LOOKS; i++) {
        if (atomic_load_explicit(&q->ended, memory_order_relaxed) != ended) return;
        pool_rest();
    }
}

/* Sleeps until it may be reached. */
static void sleep_for(const struct goal *g, cl_context context) {
    if (g->event)
        g->event->waiters++;
    else if (!g->queue->awaited || g->number < g->queue->awaited)
        g->queue->awaited = g->number;
    pthread_cond_wait(&context->graph_wake, &context->graph_lock);
    if (g->event) g->event->waiters--;
}

/* Waits for the goal, helping; with the lock, which is given back meanwhile. */
static void await(const struct goal *g, cl_context context) {
    uint64_t tried = 0, looked = 0;
    bool hurried = false;
    visit_begin(&(struct visit){.queue = g->queue, .number = g->number});
    while (!is_reached(g)) {
        bool own = active && active->first; /* a callback waits: that may be what it waits for */
        struct command *c = own ? NULL : helpable(g, &tried);
        bool soon = !own && !c && ends_soon(g, &looked);
        if (!own && !c && !soon && hurried) {
            sleep_for(g, context);
            continue;
        }
        uint64_t ended = soon ? atomic_load_explicit(&g->queue->ended, memory_order_relaxed) : 0;
        pthread_mutex_unlock(&context->graph_lock);
        if (own) {
            drain(active);
        } else if (c) {
            pool_help(atomic_load_explicit(&c->help, memory_order_acquire));
        } else if (soon) {
            look(g->queue, ended);
        } else { /* without the lock: with no worker to be had jobs run in there */
            pool_hurry();
            hurried = true;
        }
        pthread_mutex_lock(&context->graph_lock);
        if (c) command_release(c, g->queue);
    }
    visit_end();
}

cl_int scheduler_wait(cl_event e) {
    struct goal goal = {e, e->queue, e->number};
    lock(e); /* also for an event that has ended: whoever ended it may be about to let go of it */
    await(&goal, e->context);
    ordering_known(e);
    cl_int status = atomic_load_explicit(&e->status, memory_order_relaxed);
    unlock(e);
    return status;
}

void scheduler_finish(cl_command_queue q) {
    checking_waits("clFinish");
    uint64_t position = clock_position();
    pthread_mutex_lock(&q->context->graph_lock);
    struct clock_queue *clock = q->clock;
    await(&(struct goal){.queue = q, .number = q->enqueued}, q->context);
    ordering_finished(q);
    pthread_mutex_unlock(&q->context->graph_lock);
    clock_finish(clock, position);
}

void scheduler_add_callback(cl_event e, struct callback *callback) {
    lock(e);
    atomic_store(&e->called, true); /* before the look: start() */
    cl_int status = atomic_load(&e->status);
    bool due = status <= callback->status;
    if (due && status < 0) failure_told(e);
    if (!due) {
        struct callback **end = callbacks_end(e, callback->status);
        callback->next = *end;
        *end = callback;
        graph_keep_user(e);
    }
    unlock(e);
    if (due)
        call_callbacks(e, callback, status);
    else
        pool_hurry();
}
