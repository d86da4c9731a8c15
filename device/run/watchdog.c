#include "watchdog.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "device/host/forks.h"
#include "device/host/pool.h"
#include "device/host/thread.h"
#include "device/sandbox/fault.h"

enum { BEAT_NS = 10000000 }; /* between two looks at launches that run */

static uint64_t limit_ns;

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct watch *first;
    bool thread, asleep; /* asleep: until it is called */
} dog = {.lock = PTHREAD_MUTEX_INITIALIZER};
static pthread_once_t prepared = PTHREAD_ONCE_INIT;

/* Who runs what, by slots of the pool. */
static struct {
    struct watch *_Atomic watch;
    _Atomic pid_t thread;
} runs[POOL_MAX_WORKERS];

void watchdog_limit(uint64_t ns) { limit_ns = ns; }

static uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void make_condition(void) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&dog.changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

static void before_fork(void) { pthread_mutex_lock(&dog.lock); }
static void after_fork(void) { pthread_mutex_unlock(&dog.lock); }
/* The child has neither the thread nor the launches. */
static void after_fork_in_child(void) {
    dog.first = NULL;
    dog.thread = dog.asleep = false;
    make_condition();
    after_fork();
}

static void prepare(void) {
    make_condition();
    static struct forks_watch watch = {before_fork, after_fork, after_fork_in_child};
    forks_watch(&watch);
}

/* Under the lock. */
static void interrupt_threads(const struct watch *w) {
    for (unsigned i = 0; i < POOL_MAX_WORKERS; i++)
        if (atomic_load(&runs[i].watch) == w) fault_interrupt(atomic_load(&runs[i].thread));
}

/* Under the lock: sees to what runs; when to look again, 0: nothing is looked after. */
static uint64_t look(uint64_t now) {
    uint64_t next = now + BEAT_NS;
    if (!dog.first) return 0;
    for (struct watch *w = dog.first; w; w = w->next) {
        if (!w->deadline_ns) continue;
        if (w->deadline_ns <= now) {
            atomic_store(&w->overdue, true);
            interrupt_threads(w);
        } else if (w->deadline_ns < next) {
            next = w->deadline_ns;
        }
    }
    return next;
}

/* A host may have put a handler of its own over ours since a launch began. Without the lock, as a
 * fork takes it and that of the handler in an order of its own; who calls meanwhile waits a beat.
 */
static void guard_faults(void) {
    pthread_mutex_unlock(&dog.lock);
    fault_arm();
    pthread_mutex_lock(&dog.lock);
}

static void *work(void *unused) {
    (void)unused;
    pthread_setname_np(pthread_self(), "simtcl-watch");
    pthread_mutex_lock(&dog.lock);
    for (;;) {
        if (dog.first) guard_faults(); /* before threads are interrupted, too */
        uint64_t next = look(now_ns());
        dog.asleep = !next;
        if (dog.asleep) {
            pthread_cond_wait(&dog.changed, &dog.lock);
            continue;
        }
        struct timespec at = {(time_t)(next / 1000000000u), (long)(next % 1000000000u)};
        pthread_cond_timedwait(&dog.changed, &dog.lock, &at);
    }
    return NULL;
}

void watchdog_begin(struct watch *w, bool lasting) {
    if (!limit_ns && !lasting) return;
    pthread_once(&prepared, prepare);
    pthread_mutex_lock(&dog.lock);
    w->deadline_ns = limit_ns ? now_ns() + limit_ns : 0;
    w->looked_after = true;
    w->next = dog.first;
    dog.first = w;
    if (!dog.thread) /* where none can be started nothing is looked after */
        dog.thread = thread_start(NULL, 0, work, NULL);
    else if (dog.asleep || w->deadline_ns)
        pthread_cond_signal(&dog.changed);
    pthread_mutex_unlock(&dog.lock);
}

void watchdog_end(struct watch *w) {
    if (!w->looked_after) return;
    pthread_mutex_lock(&dog.lock);
    struct watch **at = &dog.first;
    while (*at && *at != w) at = &(*at)->next;
    if (*at) *at = w->next;
    pthread_mutex_unlock(&dog.lock);
}

void watchdog_runs(unsigned slot, struct watch *w) {
    if (!limit_ns) return;
    if (w) atomic_store(&runs[slot].thread, (pid_t)syscall(SYS_gettid));
    atomic_store(&runs[slot].watch, w);
}
