#include "clock.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "device/host/forks.h"
#include "env.h"
#include "log.h"
#include "platform.h"
#include "preload/preload.h"
#include "profiler.h"
#include "scheduler.h"
#include "timeline.h"

enum {
#define COST(name, ns, what, source) COST_##name = (ns),
#include "clock.def"
#undef COST
};

enum { ENGINES = 2 };

/* What is known of nodes that are resolved, of which only the latest matter. */
struct clock_mark {
    uint64_t submit, end;
};

/* Why a node is resolved after another: it waits for its end; its call was made by a callback of
 * the other's event; the other has the engine before it. */
enum clock_reason { CLOCK_WAITS, CLOCK_CAUSED, CLOCK_ENGINE };

/* "`node` is resolved after `on`." */
struct clock_edge {
    struct clock_edge *next; /* of those that come behind `on` */
    struct clock_node *node;
    struct clock_node *on; /* NULL: it is resolved */
    enum clock_reason reason;
};

struct clock_node {
    uint32_t refs;
    bool user, submitted, resolved, barrier;
    unsigned engines, device;
    uint64_t number;          /* in the order of the calls */
    uint32_t held;            /* what it waits for that has not been submitted, and its own call */
    uint32_t open;            /* what has to come before it is resolved */
    uint64_t call, spent;     /* the host's time; what a callback's calls before it have taken */
    uint64_t caused;          /* end of what the call came behind */
    struct clock_mark behind; /* of what it waits for */
    uint64_t latency, took;
    uint64_t times[EVENT_TIMES];
    cl_event event;                     /* until it has ended */
    struct profiler_slot *slot;         /* the log's; NULL: none */
    uint32_t record;                    /* the timeline's */
    struct clock_queue *queue;          /* NULL: a user event */
    struct clock_node *previous, *next; /* of the queue */
    struct clock_node *next_work;       /* of a list that is worked off */
    struct clock_edge *first, **last;   /* who waits for it */
    uint32_t nedges;
    struct clock_edge edges[];
};

/* What the clock knows of a queue, which may be gone before its nodes are resolved. */
struct clock_queue {
    uint32_t refs;
    struct clock_node *first, *last;    /* not resolved yet, in the order of their calls */
    struct clock_node *barrier;         /* the last one, if it is among them */
    struct clock_mark resolved, passed; /* of all others; of barriers */
};

/* An engine of a device: when it is free, or what it does last. */
struct clock_engine {
    uint64_t free;
    struct clock_node *last;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all that follows, and all nodes */
static struct clock_engine engines[PLATFORM_MAX_DEVICES][ENGINES];
static uint64_t nodes;
static _Atomic uint64_t host = COST_begin; /* may be read, and added to, without the lock */
static _Thread_local struct clock_callback *callback;

/* ---- whether it is on ---- */

static bool on;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* What the parent had to do is not the child's. */
static void before_fork(void) { pthread_mutex_lock(&lock); }
static void after_fork(void) { pthread_mutex_unlock(&lock); }
static void after_fork_in_child(void) {
    memset(engines, 0, sizeof engines);
    pthread_mutex_unlock(&lock);
}

/* preload/preload.h; it may be called from within a signal's handler. */
static uint64_t pass(uint64_t nanoseconds) {
    uint64_t more = nanoseconds ? nanoseconds : COST_clock;
    return callback ? atomic_load(&host) : atomic_fetch_add(&host, more) + more;
}

static void read_environment(void) {
    const char *text = env_get(ENV_SIMTCL_TIME);
    const struct model *m = platform_get()->model;
    bool model = !strcmp(text, "model");
    if (!model && strcmp(text, "wall") != 0)
        log_line(LOG_FAULT, "SIMTCL_TIME is \"%s\", known are wall and model: wall is used", text);
    if (model && m->unlimited)
        log_line(LOG_FAULT, "SIMTCL_TIME is model, but %s is no GPU: wall is used", m->name);
    on = model && !m->unlimited;
    if (!on) return;
    static struct forks_watch watch = {before_fork, after_fork, after_fork_in_child};
    forks_watch(&watch);
    void (*take)(uint64_t(*pass)(uint64_t nanoseconds)) =
        (void (*)(uint64_t(*)(uint64_t)))dlsym(RTLD_DEFAULT, PRELOAD_NAME);
    if (take) take(pass);
}

bool clock_on(void) {
    pthread_once(&once, read_environment);
    return on;
}

/* ---- nodes ---- */

static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

static void mark_add(struct clock_mark *m, struct clock_mark other) {
    m->submit = later(m->submit, other.submit);
    m->end = later(m->end, other.end);
}

static struct clock_mark mark_of(const struct clock_node *n) {
    return (struct clock_mark){n->times[EVENT_SUBMIT], n->times[EVENT_END]};
}

static void drop_queue(struct clock_queue *q) {
    if (q && !--q->refs) free(q);
}

static void drop_node(struct clock_node *n) {
    if (--n->refs) return;
    drop_queue(n->queue);
    free(n);
}

static struct clock_node *node_new(size_t nedges) {
    struct clock_node *n = calloc(1, sizeof *n + nedges * sizeof *n->edges);
    if (!n) return NULL;
    n->refs = 2; /* the event's; until it is resolved */
    n->number = nodes++;
    n->held = 1;
    n->open = 2; /* its submission, its own end */
    n->last = &n->first;
    return n;
}

/* `other`, for which `n` waits, is resolved. Whether it was when `n` began to wait makes no
 * difference. An engine knows by itself when it is free. */
static void add_resolved(struct clock_node *n, const struct clock_node *other,
                         enum clock_reason reason) {
    if (reason == CLOCK_WAITS) mark_add(&n->behind, mark_of(other));
    if (reason == CLOCK_CAUSED) n->caused = later(n->caused, other->times[EVENT_END]);
}

/* `n` comes behind `other`, which may be NULL. */
static void add_edge(struct clock_node *n, struct clock_node *other, enum clock_reason reason) {
    if (!other) return;
    if (other->resolved) {
        add_resolved(n, other, reason);
        return;
    }
    struct clock_edge *edge = &n->edges[n->nedges++];
    *edge = (struct clock_edge){NULL, n, other, reason};
    *other->last = edge;
    other->last = &edge->next;
    n->open++;
    if (!other->submitted) n->held++;
}

static void list_node(struct clock_queue *q, struct clock_node *n) {
    n->queue = q;
    q->refs++;
    n->previous = q->last;
    *(q->last ? &q->last->next : &q->first) = n;
    q->last = n;
    if (n->barrier) q->barrier = n;
}

static void unlist_node(struct clock_queue *q, struct clock_node *n) {
    *(n->previous ? &n->previous->next : &q->first) = n->next;
    *(n->next ? &n->next->previous : &q->last) = n->previous;
    mark_add(&q->resolved, mark_of(n));
    if (n->barrier) mark_add(&q->passed, mark_of(n));
    if (q->barrier == n) q->barrier = NULL;
}

/* ---- when it is resolved ---- */

static void set_times(struct clock_node *n) {
    uint64_t call = later(n->call, n->caused) + n->spent, free = 0;
    for (unsigned e = 0; e < ENGINES; e++)
        if (n->engines >> e & 1) free = later(free, engines[n->device][e].free);
    n->times[EVENT_QUEUED] = call;
    n->times[EVENT_SUBMIT] = later(call + (n->user ? 0 : COST_enqueue), n->behind.submit);
    n->times[EVENT_START] = later(later(n->times[EVENT_SUBMIT] + n->latency, n->behind.end), free);
    n->times[EVENT_END] = n->times[EVENT_START] + n->took;
    for (unsigned e = 0; e < ENGINES; e++) {
        struct clock_engine *engine = &engines[n->device][e];
        if (!(n->engines >> e & 1)) continue;
        engine->free = n->times[EVENT_END];
        if (engine->last == n) engine->last = NULL;
    }
}

/* Nothing is left that has to come before it, nor before those it appends to the list. */
static void resolve_one(struct clock_node *n, struct clock_node **end) {
    set_times(n);
    n->resolved = true;
    if (n->queue) unlist_node(n->queue, n);
    if (n->slot) profiler_slot_time(n->slot, n->times);
    timeline_set_times(n->record, n->times);
    for (struct clock_edge *edge = n->first; edge; edge = edge->next) {
        struct clock_node *waiter = edge->node;
        edge->on = NULL;
        add_resolved(waiter, n, edge->reason);
        if (--waiter->open) continue;
        (*end)->next_work = waiter;
        *end = waiter;
    }
}

static void resolve(struct clock_node *n) {
    struct clock_node *end = n;
    while (n) {
        resolve_one(n, &end);
        struct clock_node *next = n->next_work;
        n->next_work = NULL;
        drop_node(n);
        n = next;
    }
}

static void step(struct clock_node *n) {
    if (!--n->open) resolve(n);
}

/* ---- when it is submitted ---- */

static void take_engines(struct clock_node *n) {
    for (unsigned e = 0; e < ENGINES; e++) {
        if (!(n->engines >> e & 1)) continue;
        add_edge(n, engines[n->device][e].last, CLOCK_ENGINE);
        engines[n->device][e].last = n;
    }
}

/* Into a list in the order of the calls. */
static void insert(struct clock_node **list, struct clock_node *n) {
    while (*list && (*list)->number < n->number) list = &(*list)->next_work;
    n->next_work = *list;
    *list = n;
}

/* Nothing that has not been submitted is before it: it is, and then what waited for that alone, in
 * the order of the calls, which comes behind it. */
static void submit(struct clock_node *list) {
    while (list) {
        struct clock_node *n = list;
        list = n->next_work;
        n->next_work = NULL;
        n->submitted = true;
        take_engines(n);
        for (struct clock_edge *edge = n->first; edge; edge = edge->next)
            if (!--edge->node->held) insert(&list, edge->node);
        step(n);
    }
}

/* The call of a node, with what it takes of the host's time. */
static void take_call(struct clock_node *n, uint64_t cost) {
    struct clock_callback *c = callback;
    n->call = c ? c->host : host;
    if (c) {
        add_edge(n, c->event->clock, CLOCK_CAUSED);
        n->spent = c->spent;
        c->spent += cost;
    } else {
        host += cost;
    }
}

/* Everything is said of what it waits for. */
static void complete(struct clock_node *n) {
    if (!--n->held) submit(n);
}

static void wait_for_queue(struct clock_node *n, const struct clock_queue *q,
                           const struct clock_command *c) {
    if (c->follows || c->all) mark_add(&n->behind, q->resolved);
    if (c->follows) {
        add_edge(n, q->last, CLOCK_WAITS);
    } else if (c->all) {
        for (struct clock_node *o = q->first; o; o = o->next) add_edge(n, o, CLOCK_WAITS);
    } else {
        mark_add(&n->behind, q->passed);
        add_edge(n, q->barrier, CLOCK_WAITS);
    }
}

static size_t edges_of(const struct clock_queue *q, const struct clock_command *c) {
    size_t n = c->nwaits + (size_t)2 + ENGINES; /* of the queue, of a callback */
    for (const struct clock_node *o = c->all ? q->first : NULL; o; o = o->next) n++;
    return n;
}

static struct clock_node *node_of(struct clock_queue **queue, cl_event e,
                                  const struct clock_command *c) {
    if (!*queue && (*queue = calloc(1, sizeof **queue))) (*queue)->refs = 1;
    struct clock_node *n = *queue ? node_new(edges_of(*queue, c)) : NULL;
    if (!n) return NULL;
    n->event = e;
    n->engines = c->engines;
    n->device = c->device;
    n->latency = c->latency;
    n->barrier = c->barrier;
    n->slot = c->slot;
    n->record = c->record;
    return n;
}

bool clock_enqueue(struct clock_queue **queue, cl_event e, const struct clock_command *c) {
    pthread_mutex_lock(&lock);
    struct clock_node *n = e->clock = node_of(queue, e, c);
    if (n) {
        take_call(n, COST_enqueue);
        for (uint32_t i = 0; i < c->nwaits; i++) add_edge(n, c->waits[i]->clock, CLOCK_WAITS);
        wait_for_queue(n, *queue, c);
        list_node(*queue, n);
        complete(n);
    }
    pthread_mutex_unlock(&lock);
    return n;
}

bool clock_user_event(cl_event e) {
    pthread_mutex_lock(&lock);
    struct clock_node *n = e->clock = node_new(1);
    if (n) {
        n->user = true;
        n->event = e;
    }
    pthread_mutex_unlock(&lock);
    return n;
}

void clock_end(cl_event e, uint64_t nanoseconds, bool well) {
    struct clock_node *n = e->clock;
    if (!n) return;
    pthread_mutex_lock(&lock);
    n->event = NULL;
    n->took = nanoseconds;
    if (!well) {
        n->took = n->latency = 0;
        n->record = 0;
    }
    if (n->user) {
        take_call(n, 0);
        complete(n);
    }
    step(n);
    pthread_mutex_unlock(&lock);
}

/* ---- the host's time ---- */

/* What keeps `n`, whose event has ended, from being resolved: a command that the device has before
 * it, and that the host has not run yet. */
static cl_event first_running(struct clock_node *n) {
    for (uint32_t i = 0; i < n->nedges;)
        if (n->edges[i].on) {
            n = n->edges[i].on;
            i = 0;
        } else {
            i++;
        }
    return object_retain(n->event);
}

/* Under the lock, which is given back meanwhile. */
static void await(struct clock_node *n) {
    while (!n->resolved) {
        cl_event running = first_running(n);
        pthread_mutex_unlock(&lock);
        scheduler_wait(running);
        object_release(running);
        pthread_mutex_lock(&lock);
    }
}

/* Under the lock. */
static void host_reaches(uint64_t end, uint64_t wake) {
    uint64_t now = atomic_load(&host);
    if (callback) {
        if (callback->host < end) callback->host = end + wake;
        return;
    }
    while (now < end)
        if (atomic_compare_exchange_weak(&host, &now, end + wake)) return;
}

static void wait_for(cl_uint n, const cl_event *events, uint64_t wake) {
    uint64_t end = 0;
    pthread_mutex_lock(&lock);
    for (cl_uint i = 0; i < n; i++) {
        if (!events[i]->clock) continue;
        await(events[i]->clock);
        end = later(end, events[i]->clock->times[EVENT_END]);
    }
    host_reaches(end, wake);
    pthread_mutex_unlock(&lock);
}

void clock_wait(cl_uint n, const cl_event *events) {
    if (clock_on()) wait_for(n, events, COST_wake);
}

void clock_seen(cl_event e) {
    if (e->clock) wait_for(1, &e, 0);
}

uint64_t clock_position(void) {
    if (!clock_on()) return 0;
    pthread_mutex_lock(&lock);
    uint64_t position = nodes;
    pthread_mutex_unlock(&lock);
    return position;
}

void clock_finish(struct clock_queue *q, uint64_t position) {
    if (!q) return;
    pthread_mutex_lock(&lock);
    for (struct clock_node *n; (n = q->first) && n->number < position; drop_node(n)) {
        n->refs++;
        await(n);
    }
    host_reaches(q->resolved.end, COST_wake);
    pthread_mutex_unlock(&lock);
}

void clock_times(cl_event e, uint64_t times[EVENT_TIMES]) {
    pthread_mutex_lock(&lock);
    await(e->clock);
    memcpy(times, e->clock->times, sizeof e->clock->times);
    pthread_mutex_unlock(&lock);
}

uint64_t clock_host(void) {
    if (!clock_on()) return 0;
    return callback ? callback->host : atomic_load(&host);
}

uint64_t clock_call(const uint64_t times[EVENT_TIMES], bool blocking) {
    uint64_t back = times[EVENT_QUEUED] + COST_enqueue, end = times[EVENT_END];
    return (blocking && back < end ? end + COST_wake : back) - times[EVENT_QUEUED];
}

void clock_callback_begin(struct clock_callback *c, cl_event e, uint64_t set) {
    *c = (struct clock_callback){callback, e, set, 0};
    callback = c;
}

void clock_callback_end(struct clock_callback *c) { callback = c->outer; }

/* ---- references ---- */

void clock_release(struct clock_node *n) {
    if (!n) return;
    pthread_mutex_lock(&lock);
    drop_node(n);
    pthread_mutex_unlock(&lock);
}

void clock_queue_release(struct clock_queue *q) {
    if (!q) return;
    pthread_mutex_lock(&lock);
    drop_queue(q);
    pthread_mutex_unlock(&lock);
}
