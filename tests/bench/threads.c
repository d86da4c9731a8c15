/* How launches are shared out to threads: for 1, 2, 4 and 8 of them (SIMTCL_THREADS), each in a
 * process of its own, launches of many small groups, of few large ones, of groups that take longer
 * and longer, and many launches of few groups. Results are checked.
 *
 *   threads [--runs N] [--tiny] [threads ...]
 *
 * Prints the least time; how many times as fast as with the first number of threads; the CPU time
 * of all threads against it; and the shares that threads have of that, the largest first. */
#include "chosen.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 64, SHARES = 8, MOST_COUNTS = 16 };

static const char source[] = "kernel void work(global uint *out, uint steps, uint more) {\n"
                             "    uint x = get_global_id(0), n = steps + more * get_group_id(0);\n"
                             "    for (uint i = 0; i < n; i++) x = x * 1664525u + 1013904223u;\n"
                             "    out[get_global_id(0)] = x;\n"
                             "}\n";

static const struct kind {
    const char *name;
    uint32_t groups, size, steps, more, launches;
} kinds[] = {{"many small groups", 65536, 32, 60, 0, 1}, {"few large groups", 8, 512, 30000, 0, 1},
             {"nine large groups", 9, 512, 30000, 0, 1}, {"longer and longer", 512, 64, 0, 24, 1},
             {"a group each", 1, 64, 200, 0, 1000},      {"four groups each", 4, 64, 2000, 0, 500},
             {"groups of a moment", 262144, 32, 1, 0, 1}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* What one kind of launch came to. */
struct shared {
    double seconds;        /* least, on the wall */
    double cpu;            /* of all threads, in that run */
    double shares[SHARES]; /* of cpu, the largest first */
};

static _Noreturn void fail(const char *what, int error) {
    fprintf(stderr, "threads: %s (%d)\n", what, error);
    exit(2);
}
static void check(cl_int error, const char *what) {
    if (error != CL_SUCCESS) fail(what, error);
}
#define CHECK(call) check(call, #call)

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- CPU time of threads ---- */

struct thread_times {
    long id[MOST_THREADS];
    double seconds[MOST_THREADS];
    unsigned n;
};

/* The CPU time of a thread of this process as a clock: Linux makes its number of the thread's
 * (bits 0 and 1: of the scheduler, bit 2: of one thread). */
static clockid_t clock_of(long thread) { return (clockid_t)(~thread * 8 + 6); }

static void times_now(struct thread_times *t) {
    DIR *dir = opendir("/proc/self/task");
    t->n = 0;
    if (!dir) return;
    for (const struct dirent *e; (e = readdir(dir)) && t->n < MOST_THREADS;) {
        struct timespec spent;
        long id = atol(e->d_name);
        if (id <= 0 || clock_gettime(clock_of(id), &spent) != 0) continue;
        t->id[t->n] = id;
        t->seconds[t->n++] = (double)spent.tv_sec + (double)spent.tv_nsec * 1e-9;
    }
    closedir(dir);
}

static int larger_first(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static void find_shares(struct shared *s, const struct thread_times *a,
                        const struct thread_times *b) {
    double spent[MOST_THREADS] = {0};
    s->cpu = 0;
    for (unsigned i = 0; i < b->n; i++) {
        spent[i] = b->seconds[i];
        for (unsigned j = 0; j < a->n; j++)
            if (a->id[j] == b->id[i]) spent[i] -= a->seconds[j];
        s->cpu += spent[i];
    }
    qsort(spent, b->n, sizeof *spent, larger_first);
    for (unsigned i = 0; i < SHARES; i++) s->shares[i] = s->cpu > 0 ? spent[i] / s->cpu : 0;
}

/* ---- one number of threads ---- */

/* n steps of the kernel's loop, by squaring x -> a x + c. */
static uint32_t steps_from(uint32_t x, uint32_t n) {
    uint32_t a = 1664525u, c = 1013904223u;
    for (; n; n >>= 1) {
        if (n & 1) x = x * a + c;
        c *= a + 1;
        a *= a;
    }
    return x;
}

static void check_results(const struct kind *k, const uint32_t *out) {
    for (uint32_t i = 0; i < k->groups * k->size; i++)
        if (out[i] != steps_from(i, k->steps + k->more * (i / k->size)))
            fail("a result is wrong", (int)i);
}

static void run_kind(cl_context context, cl_command_queue queue, cl_kernel kernel,
                     const struct kind *k, int runs, struct shared *best) {
    size_t items = (size_t)k->groups * k->size, local = k->size, bytes = items * sizeof(uint32_t);
    uint32_t *out = calloc(items, sizeof *out);
    cl_int err;
    cl_mem m = clCreateBuffer(context, 0, bytes, NULL, &err);
    check(err, "clCreateBuffer");
    if (!out) fail("memory", 0);
    CHECK(clSetKernelArg(kernel, 0, sizeof m, &m));
    CHECK(clSetKernelArg(kernel, 1, sizeof k->steps, &k->steps));
    CHECK(clSetKernelArg(kernel, 2, sizeof k->more, &k->more));
    best->seconds = 1e30;
    for (int r = 0; r < runs + 1; r++) {
        struct thread_times before, after;
        times_now(&before);
        double begin = now();
        for (uint32_t n = 0; n < k->launches; n++)
            CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &local, 0, NULL, NULL));
        CHECK(clFinish(queue));
        double took = now() - begin;
        times_now(&after);
        if (!r || took >= best->seconds) continue; /* the first one compiles */
        best->seconds = took;
        find_shares(best, &before, &after);
    }
    CHECK(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, bytes, out, 0, NULL, NULL));
    check_results(k, out);
    CHECK(clReleaseMemObject(m));
    free(out);
}

static void run_all(int runs, bool tiny, struct shared of[KINDS]) {
    struct session s = {0};
    cl_int err;
    chosen_open(&s, "simtcl");
    const char *text = source;
    cl_program program = clCreateProgramWithSource(s.context, 1, &text, NULL, &err);
    check(err, "clCreateProgramWithSource");
    CHECK(clBuildProgram(program, 1, &s.device, "", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "work", &err);
    check(err, "clCreateKernel");
    for (unsigned n = 0; n < KINDS; n++) {
        struct kind k = kinds[n];
        if (tiny) {
            k.groups = k.groups > 64 ? 64 : k.groups;
            k.steps = k.steps > 50 ? 50 : k.steps;
            k.launches = k.launches > 10 ? 10 : k.launches;
        }
        run_kind(s.context, s.queue, kernel, &k, runs, &of[n]);
    }
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(s.queue));
    CHECK(clReleaseContext(s.context));
}

/* In a process of its own, as the driver reads SIMTCL_THREADS once. */
static void run_with(const char *threads, int runs, bool tiny, struct shared of[KINDS]) {
    int fd[2], status = -1;
    if (pipe(fd) != 0) fail("pipe", 0);
    pid_t child = fork();
    if (child == 0) {
        setenv("SIMTCL_THREADS", threads, 1);
        setenv("SIMTCL_ENGINE", "native", 0); /* nothing is compiled while it runs */
        run_all(runs, tiny, of);
        bool told = write(fd[1], of, KINDS * sizeof *of) == (ssize_t)(KINDS * sizeof *of);
        exit(told ? 0 : 2);
    }
    close(fd[1]);
    bool known = child > 0 && read(fd[0], of, KINDS * sizeof *of) == (ssize_t)(KINDS * sizeof *of);
    close(fd[0]);
    if (child < 0 || waitpid(child, &status, 0) != child || status || !known)
        fail("no result", status);
}

int main(int argc, char **argv) {
    const char *counts[MOST_COUNTS] = {"1", "2", "4", "8"};
    unsigned n = 0;
    int runs = 10;
    bool tiny = false;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--tiny")) {
            tiny = true;
            runs = 1;
        } else if (!strcmp(argv[i], "--runs") && i + 1 < argc) {
            runs = atoi(argv[++i]);
        } else if (n < MOST_COUNTS && atoi(argv[i]) > 0) {
            counts[n++] = argv[i];
        } else {
            fail("threads [--runs N] [--tiny] [threads ...]", i);
        }
    }
    if (!n) n = 4;
    static struct shared of[MOST_COUNTS][KINDS];
    for (unsigned c = 0; c < n; c++) run_with(counts[c], runs, tiny, of[c]);
    printf("%-20s %7s %10s %6s %6s  shares\n", "", "threads", "ms", "speed", "CPU");
    for (unsigned k = 0; k < KINDS; k++)
        for (unsigned c = 0; c < n; c++) {
            const struct shared *s = &of[c][k], *first = &of[0][k];
            printf("%-20s %7s %10.3f %6.2f %6.2f ", c ? "" : kinds[k].name, counts[c],
                   s->seconds * 1e3, first->seconds / s->seconds, s->cpu / first->cpu);
            for (unsigned i = 0; i < SHARES && s->shares[i] >= 0.005; i++)
                printf(" %.2f", s->shares[i]);
            printf("\n");
        }
    return 0;
}
