#include "watchdog.h"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "device/host/pool.h"
#include "device/sandbox/fault.h"

enum { AGAIN_NS = 10000000 }; /* between two interruptions of a launch that does not end */

static uint64_t limit_ns;

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct watch *first;
    bool thread;
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
    dog.thread = false;
    make_condition();
    after_fork();
}

static void prepare(void) {
    make_condition();
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

/* Under the lock. A host may have put a handler of its own over ours since the launch began. */
static void interrupt_threads(const struct watch *w) {
    fault_arm();
    for (unsigned i = 0; i < POOL_MAX_WORKERS; i++)
        if (atomic_load(&runs[i].watch) == w) fault_interrupt(atomic_load(&runs[i].thread));
}

/* Under the lock: sees to what is overdue; when to look again, 0: nothing is looked after. */
static uint64_t look(uint64_t now) {
    uint64_t next = 0;
    for (struct watch *w = dog.first; w; w = w->next) {
        uint64_t again = w->deadline_ns;
        if (again <= now) {
            atomic_store(&w->overdue, true);
            interrupt_threads(w);
            again = now + AGAIN_NS;
        }
        if (!next || again < next) next = again;
    }
    return next;
}

static void *work(void *unused) {
    (void)unused;
    pthread_setname_np(pthread_self(), "simtcl-watch");
    pthread_mutex_lock(&dog.lock);
    for (;;) {
        uint64_t next = look(now_ns());
        if (!next) {
            pthread_cond_wait(&dog.changed, &dog.lock);
            continue;
        }
        struct timespec at = {(time_t)(next / 1000000000u), (long)(next % 1000000000u)};
        pthread_cond_timedwait(&dog.changed, &dog.lock, &at);
    }
    return NULL;
}

/* Detached, with all signals blocked. Where no thread can be started launches have no limit. */
static bool start_thread(void) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_attr_t attr;
    pthread_t thread;
    if (pthread_attr_init(&attr)) return false;
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool good = !pthread_create(&thread, &attr, work, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attr);
    return good;
}

void watchdog_begin(struct watch *w) {
    if (!limit_ns) return;
    pthread_once(&prepared, prepare);
    pthread_mutex_lock(&dog.lock);
    w->deadline_ns = now_ns() + limit_ns;
    w->next = dog.first;
    dog.first = w;
    if (!dog.thread) dog.thread = start_thread();
    pthread_cond_signal(&dog.changed);
    pthread_mutex_unlock(&dog.lock);
}

void watchdog_end(struct watch *w) {
    if (!w->deadline_ns) return;
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
