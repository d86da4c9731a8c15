/* What the pool itself costs, without kernels (device/host/pool.h): handing out a piece of a job, a
 * job that the caller runs alone, and waking a worker that sleeps or is looking for work.
 *
 *   handing [--tiny] [threads ...]      (1 2 4 8) */
#include "device/host/pool.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_PIECES = 1000000, MOST_TIMES = 2000, SLEEP_US = 2000 };

struct empty {
    struct job job;
    atomic_uint_fast64_t indices; /* that ran */
    _Atomic double began;         /* the first of them, if it is asked for */
    atomic_bool done, timed;
};

static double now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static void check(bool right, const char *what) {
    if (right) return;
    fprintf(stderr, "handing: %s\n", what);
    exit(2);
}

/* Counts what it was given, in a line of its own for each slot. */
static struct { _Alignas(64) uint64_t n; } ran[POOL_MAX_WORKERS];

static void run(struct job *job, uint64_t begin, uint64_t end, unsigned slot) {
    struct empty *w = (struct empty *)job;
    ran[slot].n += end - begin;
    if (atomic_load(&w->timed) && !begin) atomic_store(&w->began, now_us());
}

static void done(struct job *job) { atomic_store(&((struct empty *)job)->done, true); }

static void prepare(struct empty *w, uint64_t count, uint64_t chunk, bool timed) {
    *w = (struct empty){.job = {.run = run, .done = done, .count = count, .chunk = chunk}};
    atomic_store(&w->timed, timed);
}

static void wait_for(struct empty *w) {
    while (!atomic_load(&w->done)) sched_yield();
}

static uint64_t all_ran(void) {
    uint64_t n = 0;
    for (unsigned i = 0; i < POOL_MAX_WORKERS; i++) n += ran[i].n;
    return n;
}

/* Nanoseconds of a piece that does nothing, with all threads at it. */
static double piece_ns(uint64_t pieces) {
    double best = 1e30;
    for (int i = 0; i < 5; i++) {
        struct empty w;
        uint64_t before = all_ran();
        prepare(&w, pieces, 1, false);
        double begin = now_us();
        pool_run(&w.job);
        wait_for(&w);
        double took = (now_us() - begin) * 1e3 / (double)pieces;
        check(all_ran() == before + pieces, "an index ran twice, or never");
        if (took < best) best = took;
    }
    return best;
}

static double alone_ns(uint64_t jobs) {
    double begin = now_us();
    for (uint64_t i = 0; i < jobs; i++) {
        struct empty w;
        prepare(&w, 1, 1, false);
        pool_run(&w.job);
        check(atomic_load(&w.done), "a job of one piece is left behind");
    }
    return (now_us() - begin) * 1e3 / (double)jobs;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* From pool_submit to the first index on a worker: the median. */
static double wake_us(int times, useconds_t pause) {
    static double took[MOST_TIMES];
    for (int i = 0; i < times; i++) {
        struct empty w;
        prepare(&w, 1, 1, true);
        if (pause) usleep(pause);
        double begin = now_us();
        pool_submit(&w.job);
        wait_for(&w);
        took[i] = atomic_load(&w.began) - begin;
    }
    qsort(took, (size_t)times, sizeof *took, compare);
    return took[times / 2];
}

static void measure(unsigned threads, bool tiny) {
    pool_limit(threads);
    double piece = piece_ns(tiny ? 1000 : MOST_PIECES), alone = alone_ns(tiny ? 10 : 100000);
    double asleep = wake_us(tiny ? 5 : 300, SLEEP_US), looking = wake_us(tiny ? 5 : MOST_TIMES, 0);
    printf("%7u %12.1f %12.1f %14.2f %14.2f\n", threads, piece, alone, asleep, looking);
    fflush(stdout);
}

int main(int argc, char **argv) {
    unsigned counts[16] = {1, 2, 4, 8}, n = 0;
    bool tiny = false;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--tiny")) tiny = true;
        if (atoi(argv[i]) > 0 && n < 16) counts[n++] = (unsigned)atoi(argv[i]);
    }
    if (!n) n = 4;
    printf("threads  a piece, ns  a job alone  waking one, us  while looking\n");
    fflush(stdout);
    for (unsigned i = 0; i < n; i++) { /* each in a process of its own: the pool does not shrink */
        int status = -1;
        pid_t child = fork();
        if (child == 0) {
            measure(counts[i], tiny);
            _exit(0);
        }
        check(child > 0 && waitpid(child, &status, 0) == child && !status, "a process failed");
    }
    return 0;
}
