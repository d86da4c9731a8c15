#include "device/host/pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "test.h"

enum { COUNT = 10000 };

struct work {
    struct job job;
    atomic_uchar seen[COUNT];
    atomic_int done;
};

static atomic_int busy[POOL_MAX_WORKERS];

/* In a forked child: the workers that were busy are not here. */
static void none_busy(void) {
    for (unsigned i = 0; i < POOL_MAX_WORKERS; i++) atomic_store(&busy[i], 0);
}

static void run(struct job *job, uint64_t begin, uint64_t end, unsigned slot) {
    struct work *w = (struct work *)job;
    CHECK(slot < POOL_MAX_WORKERS && atomic_fetch_add(&busy[slot], 1) == 0);
    CHECK(begin < end && end <= job->count);
    for (uint64_t i = begin; i < end; i++) atomic_fetch_add(&w->seen[i], 1);
    atomic_fetch_sub(&busy[slot], 1);
}

static void done(struct job *job) {
    struct work *w = (struct work *)job;
    for (uint64_t i = 0; i < job->count; i++) CHECK(atomic_load(&w->seen[i]) == 1);
    atomic_fetch_add(&w->done, 1);
}

static struct work *work_new(uint64_t count, uint64_t chunk) {
    struct work *w = calloc(1, sizeof *w);
    w->job = (struct job){.run = run, .done = done, .count = count, .chunk = chunk};
    return w;
}

static void finish(struct work *w) {
    while (!atomic_load(&w->done)) sched_yield();
    CHECK(atomic_load(&w->done) == 1);
    free(w);
}

static void submit(void) {
    static const uint64_t sizes[][2] = {{0, 1}, {1, 1},     {1, 0},     {1, 100},
                                        {7, 3}, {10000, 1}, {10000, 77}};
    for (int iteration = 0; iteration < 200; iteration++) {
        const uint64_t *s = sizes[iteration % 7];
        struct work *w = work_new(s[0], s[1]);
        if (iteration % 3 == 0) pool_run(&w->job);
        if (iteration % 3 != 0) pool_submit(&w->job);
        if (iteration % 3 == 1) pool_help(&w->job); /* unless enough are at it */
        finish(w);
    }
}

static void *submitter(void *unused) {
    struct work *w[8];
    for (int iteration = 0; iteration < 100; iteration++) {
        for (int i = 0; i < 8; i++) {
            w[i] = work_new(50 + (uint64_t)i, 1 + (uint64_t)iteration % 5);
            if (iteration % 2)
                pool_run(&w[i]->job);
            else
                pool_submit(&w[i]->job);
        }
        if (iteration % 4 == 0) pool_help(&w[7]->job);
        for (int i = 0; i < 8; i++) finish(w[i]);
    }
    return unused;
}

static void many_submitters(void) {
    pool_limit(5);
    pthread_t thread[6];
    for (int i = 0; i < 6; i++) pthread_create(&thread[i], NULL, submitter, NULL);
    for (int i = 0; i < 6; i++) pthread_join(thread[i], NULL);
}

enum { MEETING = 8 };
static atomic_int met;

static void run_and_meet(struct job *job, uint64_t begin, uint64_t end, unsigned slot) {
    run(job, begin, end, slot);
    atomic_fetch_add(&met, 1);
    while (atomic_load(&met) < MEETING) sched_yield();
}

/* All workers come: each of 8 pieces ends only when all are being run. */
static void all_come(void) {
    pool_limit(8);
    struct work *w = work_new(MEETING, 1);
    w->job.run = run_and_meet;
    pool_submit(&w->job);
    finish(w);
}

static atomic_uint at_once, most_at_once;

static void run_and_count(struct job *job, uint64_t begin, uint64_t end, unsigned slot) {
    unsigned n = atomic_fetch_add(&at_once, 1) + 1, most = atomic_load(&most_at_once);
    while (n > most && !atomic_compare_exchange_weak(&most_at_once, &most, n)) continue;
    run(job, begin, end, slot);
    sched_yield();
    atomic_fetch_sub(&at_once, 1);
}

/* No more threads are at work than there are to be, the one that helps included. */
static void as_many_as_wanted(unsigned threads) {
    pool_limit(threads);
    for (int iteration = 0; iteration < 300; iteration++) {
        struct work *w = work_new(50, 1), *next = work_new(20, 1);
        w->job.run = next->job.run = run_and_count;
        if (iteration % 2) pool_submit(&w->job);
        if (iteration % 3 == 0) usleep(100); /* a worker is at it */
        if (iteration % 2)
            pool_help(&w->job);
        else
            pool_run(&w->job);
        if (iteration % 5 == 0) finish(w); /* else the next one begins while it runs */
        pool_submit(&next->job);
        if (iteration % 5) finish(w);
        finish(next);
    }
    CHECK(atomic_load(&most_at_once) <= threads);
}
static void one_at_a_time(void) { as_many_as_wanted(1); }
static void two_at_a_time(void) { as_many_as_wanted(2); }

static void fork_and_go_on(void) {
    for (int i = 0; i < 20; i++) {
        struct work *w = work_new(1000, 1);
        pool_submit(&w->job);
        pid_t child = fork();
        if (!child) none_busy();
        struct work *own = work_new(1000, 3);
        pool_submit(&own->job);
        if (!child) {
            finish(own);
            own = work_new(10, 3);
            pool_run(&own->job);
            finish(own);
            _exit(0);
        }
        int status;
        CHECK(waitpid(child, &status, 0) == child && status == 0);
        finish(own);
        finish(w);
    }
}

static void fork_inside(struct job *job) {
    struct work *w = (struct work *)job;
    pid_t child = fork();
    if (!child) {
        none_busy();
        struct work *own = work_new(100, 1);
        pool_submit(&own->job);
        pool_help(&own->job);
        finish(own);
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    atomic_store(&w->done, 1);
}

static void fork_in_callback(void) {
    struct work *w = work_new(10, 1);
    w->job.done = fork_inside;
    pool_submit(&w->job);
    finish(w);
}

static void run_and_look(struct job *job, uint64_t begin, uint64_t end, unsigned slot) {
    run(job, begin, end, slot);
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    CHECK(sigismember(&blocked, SIGINT) && sigismember(&blocked, SIGUSR1) &&
          sigismember(&blocked, SIGALRM));
    CHECK(!sigismember(&blocked, SIGSEGV) && !sigismember(&blocked, SIGBUS));
    char name[32];
    pthread_getname_np(pthread_self(), name, sizeof name);
    CHECK(!strcmp(name, "simtcl"));
}

static void signals(void) {
    struct work *w = work_new(1, 1);
    w->job.run = run_and_look;
    pool_submit(&w->job);
    finish(w);
}

static void *leaver(void *unused) {
    struct work *w[8];
    for (int iteration = 0; iteration < 300; iteration++) {
        int n = 1 + iteration % 8;
        for (int i = 0; i < n; i++) {
            w[i] = work_new(1, 1);
            w[i]->job.brief = true;
            pool_submit(&w[i]->job);
        }
        if (iteration % 3) pool_help(&w[n - 1]->job);
        if (iteration % 5 == 0) pool_hurry();
        if (iteration % 16) pool_help(&w[0]->job);
        for (int i = 0; i < n; i++) finish(w[i]);
    }
    return unused;
}

/* Brief jobs that are left to who helps are done when nobody comes, too, also while others are
 * submitted. */
static void left_lying(void) {
    pool_limit(2);
    pthread_t thread[4];
    for (int i = 0; i < 3; i++) pthread_create(&thread[i], NULL, leaver, NULL);
    pthread_create(&thread[3], NULL, submitter, NULL);
    for (int i = 0; i < 4; i++) pthread_join(thread[i], NULL);
}

/* The same where one thread is all there is. */
static void left_to_one(void) {
    pool_limit(1);
    leaver(NULL);
}

/* Without a single thread the work is done all the same. */
static void no_threads(void) {
    struct rlimit none = {0, 0};
    CHECK(setrlimit(RLIMIT_NPROC, &none) == 0);
    if (geteuid() == 0 && setuid(65534) != 0) return;
    pthread_t thread;
    bool cannot = pthread_create(&thread, NULL, submitter, NULL) != 0;
    if (!cannot) return; /* this system does not keep the limit */
    for (int i = 0; i < 3; i++) {
        struct work *w = work_new(100, 3);
        pool_submit(&w->job);
        CHECK(atomic_load(&w->done) == 1);
        finish(w);
    }
    _exit(0); /* a leak checker would want a thread of its own */
}

TEST_MAIN(TEST(submit), TEST(many_submitters), TEST(all_come), TEST(one_at_a_time),
          TEST(two_at_a_time), TEST(fork_and_go_on), TEST(fork_in_callback), TEST(signals),
          TEST(left_lying), TEST(left_to_one), TEST(no_threads))
