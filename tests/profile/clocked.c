/* A program that takes its times from the host's clocks, started with libsimtcl-clock.so. With
 * SIMTCL_TIME=model, what passes for it between two looks is what its calls and the device take, to
 * the nanosecond; else the clocks are the host's. */
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "guest.h"

/* runtime/clock.def */
enum { LOOK = 100, WAKE = 2000, BYTES = 1 << 20 };

static const clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW};
enum { CLOCKS = sizeof clocks / sizeof *clocks, OTHERS = 3 };

static int64_t ns(const struct timespec *t) { return (int64_t)t->tv_sec * 1000000000 + t->tv_nsec; }

/* Through each of the functions, in nanoseconds, and how fine it is. */
static int64_t look(int n, int64_t *unit) {
    struct timespec t;
    struct timeval v;
    *unit = 1;
    if (n < CLOCKS) {
        CHECK(!clock_gettime(clocks[n], &t), "clock_gettime");
        return ns(&t);
    }
    switch (n - CLOCKS) {
    case 0: CHECK(timespec_get(&t, TIME_UTC) == TIME_UTC, "timespec_get"); return ns(&t);
    case 1:
        *unit = 1000;
        CHECK(!gettimeofday(&v, NULL), "gettimeofday");
        return (int64_t)v.tv_sec * 1000000000 + v.tv_usec * 1000;
    default: *unit = 1000000000; return (int64_t)time(NULL) * 1000000000;
    }
}

static void expect_model(struct guest *h) {
    static char data[BYTES];
    cl_int error;
    cl_mem a = clCreateBuffer(h->context, 0, BYTES, NULL, &error);
    cl_command_queue q =
        clCreateCommandQueue(h->context, h->device, CL_QUEUE_PROFILING_ENABLE, &error);
    CHECK(!error, "%d", error);
    for (int n = 0; n < CLOCKS + OTHERS; n++) {
        cl_event e;
        cl_ulong from = 0, to = 0;
        int64_t unit, before = look(n, &unit);
        error = clEnqueueWriteBuffer(q, a, CL_TRUE, 0, BYTES, data, 0, NULL, &e);
        int64_t passed = look(n, &unit) - before;
        error |= clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_QUEUED, sizeof from, &from, NULL);
        error |= clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_END, sizeof to, &to, NULL);
        error |= clReleaseEvent(e);
        CHECK(!error, "%d", error);
        int64_t expected = (int64_t)(to - from) + WAKE + LOOK;
        CHECK(passed > expected - unit && passed < expected + unit,
              "look %d: %lld ns passed, and not %lld", n, (long long)passed, (long long)expected);
    }
    clReleaseCommandQueue(q);
    clReleaseMemObject(a);
}

/* Sleeping lets its own time pass, to the nanosecond. */
static void expect_sleep(void) {
    int64_t unit, before = look(1, &unit);
    struct timespec t = {0, 1000003}, until;
    CHECK(!nanosleep(&t, NULL) && !usleep(7) && !sleep(0), "sleeping");
    CHECK(!clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL), "clock_nanosleep");
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += 50000;
    if (until.tv_nsec >= 1000000000)
        until = (struct timespec){until.tv_sec + 1, until.tv_nsec - 1000000000};
    CHECK(!clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL), "clock_nanosleep");
    int64_t end = look(1, &unit);
    CHECK(end == ns(&until) + LOOK, "%lld ns late", (long long)(end - ns(&until)));
    CHECK(end - before == 2 * 1000003 + 7000 + 50000 + 3 * LOOK, "%lld ns",
          (long long)(end - before));
}

/* A loop that waits for a time ends. */
static void expect_end(void) {
    int64_t unit, until = look(0, &unit) + 1000 * LOOK, looks = 0;
    while (look(0, &unit) < until) looks++;
    CHECK(looks == 999, "%lld looks", (long long)looks);
}

/* What the kernel says before and after. */
static void expect_real(void) {
    for (int n = 0; n < CLOCKS + OTHERS; n++) {
        clockid_t clock = n < CLOCKS ? clocks[n] : CLOCK_REALTIME;
        struct timespec before, after;
        syscall(SYS_clock_gettime, clock, &before);
        int64_t unit, now = look(n, &unit);
        syscall(SYS_clock_gettime, clock, &after);
        CHECK(now > ns(&before) - unit && now <= ns(&after), "look %d", n);
    }
}

int main(int argc, char **argv) {
    struct guest h;
    expect_real();
    guest_open(&h, NULL);
    if (argc > 1 && !strcmp(argv[1], "model")) {
        expect_model(&h);
        expect_sleep();
        expect_end();
    } else {
        expect_real();
    }
    guest_close(&h);
    puts("told the time");
    return 0;
}
