#include "watchdog.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "device/host/forks.h"
#include "device/host/moment.h"
#include "device/host/pool.h"
#include "device/host/thread.h"
#include "device/sandbox/fault.h"

enum {
    BEAT_NS = 10000000, /* between two looks at launches that run */
    LINE = 400
};
#define MINUTE_NS UINT64_C(60000000000)

static uint64_t limit_ns;
static uint64_t told_ns; /* from when on something is told of */
static void (*teller)(const char *line);

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct watch *first;
    bool thread, asleep; /* asleep: until it is called */
} dog = {.lock = PTHREAD_MUTEX_INITIALIZER};
static pthread_once_t prepared = PTHREAD_ONCE_INIT;

/* Who runs what, by slots of the pool. */
static struct {
    _Alignas(POOL_LINE) struct watch *_Atomic watch; /* written for each piece of a launch */
    _Atomic pid_t thread;
} runs[POOL_MAX_WORKERS];

void watchdog_limit(uint64_t ns) { limit_ns = ns; }

void watchdog_tell(uint64_t ns, void (*tell)(const char *line)) {
    told_ns = ns;
    teller = tell;
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

static bool is_told_of(const struct watch *w) { return teller && w->say; }

/* The next time to tell of it: after twice as long, but each minute. */
static uint64_t due_ns(const struct watch *w) {
    uint64_t said = w->said_ns, ns = !said              ? told_ns
                                     : said < MINUTE_NS ? 2 * said
                                                        : said + MINUTE_NS;
    return w->began_ns + ns;
}

/* Under the lock: sees to what runs; when to look again, 0: nothing is looked after. Puts a line to
 * tell into `line`, at most one. */
static uint64_t look(uint64_t now, char *line, size_t size) {
    uint64_t next = now + BEAT_NS;
    if (!dog.first) return 0;
    for (struct watch *w = dog.first; w; w = w->next) {
        if (is_told_of(w) && !*line && due_ns(w) <= now) {
            w->said_ns = now - w->began_ns;
            w->say(w, w->said_ns, false, line, size);
        }
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

/* Under the lock. */
static bool runs_kernels(void) {
    for (const struct watch *w = dog.first; w; w = w->next)
        if (w->runs_kernel) return true;
    return false;
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
        char line[LINE] = "";
        if (runs_kernels()) guard_faults(); /* before threads are interrupted, too */
        uint64_t next = look(moment_ns(), line, sizeof line);
        if (*line) { /* without the lock: who reads it may be slow */
            pthread_mutex_unlock(&dog.lock);
            teller(line);
            pthread_mutex_lock(&dog.lock);
            continue;
        }
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

static void begin(struct watch *w) {
    pthread_once(&prepared, prepare);
    w->began_ns = moment_ns();
    w->said_ns = 0;
    w->deadline_ns = w->runs_kernel && limit_ns ? w->began_ns + limit_ns : 0;
    w->looked_after = true;
    pthread_mutex_lock(&dog.lock);
    w->next = dog.first;
    dog.first = w;
    if (!dog.thread) /* where none can be started nothing is looked after */
        dog.thread = thread_start(NULL, 0, work, NULL);
    else if (dog.asleep || w->deadline_ns)
        pthread_cond_signal(&dog.changed);
    pthread_mutex_unlock(&dog.lock);
}

void watchdog_begin(struct watch *w, bool lasting) {
    if (!limit_ns && !lasting) return;
    w->runs_kernel = true;
    begin(w);
}

void watchdog_begin_work(struct watch *w) {
    w->runs_kernel = w->looked_after = false;
    if (is_told_of(w)) begin(w);
}

void watchdog_end(struct watch *w) {
    if (!w->looked_after) return;
    pthread_mutex_lock(&dog.lock);
    struct watch **at = &dog.first;
    while (*at && *at != w) at = &(*at)->next;
    if (*at) *at = w->next;
    pthread_mutex_unlock(&dog.lock);
    uint64_t ns = moment_ns() - w->began_ns;
    if (!is_told_of(w) || ns < told_ns) return;
    char line[LINE];
    w->say(w, ns, true, line, sizeof line);
    teller(line);
}

void watchdog_runs(unsigned slot, struct watch *w) {
    if (!limit_ns) return;
    if (w) atomic_store(&runs[slot].thread, (pid_t)syscall(SYS_gettid));
    atomic_store(&runs[slot].watch, w);
}
