/* Helpers that die, or take more than they may, at every moment: that costs what they were doing
 * and nothing else. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "watch.h"

static struct api a;
static cl_int build_error;

static void *build_thread(void *program) {
    build_error = watch_build(program);
    return NULL;
}

/* Between builds, nothing is lost: not by a kill, not by clUnloadCompiler. */
static void idle(void) {
    a = api_open();
    CHECK(watch_until(0));
    for (int i = 1; i < 4; i++) {
        CHECK(watch_works(&a, i));
        watch_kill(watch_one());
    }
    CHECK(watch_works(&a, 9));
    pid_t before = watch_one();
    EXPECT(CL_SUCCESS, clUnloadCompiler());
    CHECK(watch_until(0));
    CHECK(watch_works(&a, 10));
    CHECK(watch_one() != before);
    CHECK(!watch_zombies());
    api_close(&a);
}

static void kill_with(int number, const char *said) {
    pthread_t thread;
    CHECK(watch_works(&a, 4)); /* it has made itself ready */
    cl_program p = watch_program(&a, 5, WATCH_LONG);
    pid_t helper = watch_one();
    CHECK(!pthread_create(&thread, NULL, build_thread, p));
    if (CHECK(watch_busy(helper))) CHECK(!kill(helper, number));
    pthread_join(thread, NULL);
    CHECK(build_error == CL_BUILD_PROGRAM_FAILURE);
    CHECK(watch_log_has(&a, p, said));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    CHECK(watch_works(&a, 6));
    pid_t next = watch_one();
    CHECK(next && next != helper);
}

static void during_build(void) {
    a = api_open();
    kill_with(SIGKILL, "the compiler crashed");
    kill_with(SIGSEGV, "the compiler crashed: segmentation fault");
    kill_with(SIGABRT, "the compiler crashed: abort");
    CHECK(!watch_zombies());
    api_close(&a);
}

/* The build that dies takes no other with it. */
static void beside_another(void) {
    pthread_t threads[2];
    pid_t helpers[2];
    a = api_open();
    cl_program p[2];
    CHECK(watch_works(&a, 4));
    for (int i = 0; i < 2; i++) {
        p[i] = watch_program(&a, i + 1, WATCH_LONG);
        CHECK(!pthread_create(&threads[i], NULL, build_thread, p[i]));
    }
    CHECK(watch_until(2) && watch_find(helpers, 2) == 2);
    if (CHECK(watch_busy(helpers[0]))) CHECK(!kill(helpers[0], SIGKILL));
    int good = 0, bad = 0;
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        cl_build_status status;
        EXPECT(CL_SUCCESS, clGetProgramBuildInfo(p[i], a.device, CL_PROGRAM_BUILD_STATUS,
                                                 sizeof status, &status, NULL));
        good += status == CL_BUILD_SUCCESS;
        bad += status == CL_BUILD_ERROR;
    }
    CHECK(good == 1 && bad == 1);
    CHECK(watch_works(&a, 3));
}

/* One that does not answer. */
static void too_long(void) {
    a = api_open();
    double begin = watch_seconds();
    kill_with(SIGSTOP, "the compiler was stopped after 5 seconds (SIMTCL_COMPILE_SECONDS)");
    CHECK(watch_seconds() - begin < 60);
    api_close(&a);
}

static void too_large(void) {
#ifdef SIMTCL_SANITIZED /* there is no limit then */
    return;
#endif
    a = api_open();
    cl_program p = watch_program(&a, 1, WATCH_ENDLESS);
    CHECK(watch_build(p) == CL_BUILD_PROGRAM_FAILURE);
    CHECK(watch_log_has(&a, p, "out of memory: it may have 100 MB (SIMTCL_COMPILE_MEMORY)"));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    CHECK(watch_works(&a, 2));
    api_close(&a);
}

/* ---- native code ---- */

/* Takes LLVM some time; each number is another program. */
static cl_program loops(int number) {
    char *text = NULL;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    fprintf(f, "kernel void k(global int *out) {\nint x = get_global_id(0), n = 0;\n");
    for (int i = 0; i < 60; i++)
        fprintf(f, "for (int i = 0; i < x; i++) { n = n * %d + (i ^ x); if (n > %d) n -= i; }\n",
                i + 3, i);
    fprintf(f, "out[x] = 8 + (n & 0);\n}\n// %d\n", number);
    fclose(f);
    const char *strings = text;
    cl_int err;
    cl_program p;
    EXPECT_NEW(CL_SUCCESS, p = clCreateProgramWithSource(a.context, 1, &strings, NULL, &err));
    CHECK(!watch_build(p));
    free(text);
    return p;
}

static cl_int result;

static void *run_thread(void *program) {
    result = kernels_run(&a, program);
    return NULL;
}

static void during_native(void) {
    pthread_t thread;
    a = api_open();
    for (int number = SIGSEGV; number; number = number == SIGSEGV ? SIGKILL : 0) {
        cl_program p = loops(0);
        pid_t helper = watch_one();
        CHECK(!pthread_create(&thread, NULL, run_thread, p));
        if (CHECK(watch_busy(helper))) CHECK(!kill(helper, number));
        pthread_join(thread, NULL);
        CHECK(result == 8);
        EXPECT(CL_SUCCESS, clReleaseProgram(p));
    }
    cl_program p = loops(0);
    CHECK(kernels_run(&a, p) == 8 && watch_until(1));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    api_close(&a);
}

/* A kernel that is being compiled in the background goes without waiting for its code, which a
 * helper that stands still would not give. */
static void released(void) {
    enum { LAUNCHES = 400 };
    a = api_open();
    cl_program p = loops(0);
    pid_t helper = watch_one();
    CHECK(!kill(helper, SIGSTOP));
    for (int i = 0; i < LAUNCHES; i++) CHECK(kernels_run(&a, p) == 8);
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    CHECK(watch_works(&a, 7));
    api_close(&a);
    CHECK(!kill(helper, SIGCONT));
    CHECK(watch_busy(helper)); /* so it had been asked */
    a = api_open();
    CHECK(watch_works(&a, 8));
    api_close(&a);
}

/* A build does not wait for kernels that are compiled in the background, however many. */
static void beside_native(void) {
    enum { LAUNCHES = 400 };
    pthread_t threads[2];
    pid_t helpers[2];
    cl_program p[2];
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    CHECK(!sched_setaffinity(0, sizeof one, &one));
    a = api_open();
    for (int i = 0; i < 2; i++) {
        p[i] = watch_program(&a, i + 1, WATCH_LONG);
        CHECK(!pthread_create(&threads[i], NULL, build_thread, p[i]));
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++) {
        EXPECT(CL_SUCCESS, clReleaseProgram(p[i]));
        p[i] = loops(i);
    }
    if (!CHECK(watch_until(2) && watch_find(helpers, 2) == 2)) return;
    for (int i = 0; i < 2; i++) CHECK(!kill(helpers[i], SIGSTOP));
    for (int i = 0; i < 2 * LAUNCHES; i++) CHECK(kernels_run(&a, p[i % 2]) == 8);
    CHECK(watch_works(&a, 7));
    CHECK(watch_until(3)); /* both are still asked */
    for (int i = 0; i < 2; i++) {
        CHECK(!kill(helpers[i], SIGCONT));
        EXPECT(CL_SUCCESS, clReleaseProgram(p[i]));
    }
    CHECK(watch_works(&a, 8));
    api_close(&a);
}

/* ---- all at once ---- */

static atomic_bool stop;

/* Less and less often: however busy the machine is, builds come through in the end. */
static void *killer(void *unused) {
    (void)unused;
    enum { SLOWER = 16 };
    for (unsigned round = 0; !stop; round++) {
        pid_t pids[16];
        int n = watch_find(pids, 16);
        if (n > 0 && n <= 16) kill(pids[round % (unsigned)n], SIGKILL);
        usleep((20000 + round % 7 * 10000) * (1 + round / SLOWER));
    }
    return NULL;
}

static void *builder(void *number) {
    int good = 0, value = (int)(intptr_t)number * 1000;
    while (good < 10) {
        cl_program p = watch_program(&a, ++value, 0);
        cl_int error = watch_build(p);
        CHECK(!error || error == CL_BUILD_PROGRAM_FAILURE || error == CL_COMPILER_NOT_AVAILABLE);
        if (!error) CHECK(kernels_run(&a, p) == value);
        good += !error;
        EXPECT(CL_SUCCESS, clReleaseProgram(p));
    }
    return NULL;
}

static void storm(void) {
    enum { BUILDERS = 6 };
    pthread_t threads[BUILDERS], kills;
    a = api_open();
    CHECK(!pthread_create(&kills, NULL, killer, NULL));
    for (intptr_t i = 0; i < BUILDERS; i++)
        CHECK(!pthread_create(&threads[i], NULL, builder, (void *)(i + 1)));
    for (int i = 0; i < BUILDERS; i++) pthread_join(threads[i], NULL);
    stop = true;
    pthread_join(kills, NULL);
    CHECK(watch_works(&a, 7));
    CHECK(!watch_zombies());
    api_close(&a);
}

int main(int argc, char **argv) {
    static const struct watch_case cases[] = {
        {"idle", idle, {0}},
        {"during_build", during_build, {0}},
        {"beside_another", beside_another, {0}},
        {"too_long", too_long, {"SIMTCL_COMPILE_SECONDS=5"}},
        {"too_large", too_large, {"SIMTCL_COMPILE_MEMORY=100"}},
        {"during_native", during_native, {"SIMTCL_ENGINE=native"}},
        {"released", released, {"SIMTCL_ENGINE=auto"}},
        {"beside_native", beside_native, {"SIMTCL_ENGINE=auto"}},
        {"storm", storm, {0}},
    };
    return watch_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
