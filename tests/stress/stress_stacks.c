/* Threads of the host whose stacks are small, and alternate stacks for signals that are: they may
 * make every call, build programs, and wait for kernels that go astray, but run none. And a host
 * that puts its own handler over the driver's while kernels run. */
#include "tests/api/api.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

static struct api a;
static cl_program program;

static void run_of(cl_program program, const char *name, cl_int argument, cl_int expected) {
    cl_int err, status = 1, got[64];
    size_t items = 64;
    cl_event e;
    cl_kernel k = kernels_get(program, name);
    cl_mem m = clCreateBuffer(a.context, 0, sizeof got, NULL, &err);
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 1, sizeof argument, &argument));
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(a.queue, k, 1, NULL, &items, NULL, 0, NULL, &e));
    clWaitForEvents(1, &e);
    EXPECT(CL_SUCCESS,
           clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    CHECK(status == expected);
    EXPECT(CL_SUCCESS,
           clEnqueueReadBuffer(a.queue, m, CL_TRUE, 0, sizeof *got, got, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clFinish(a.queue));
    EXPECT(CL_SUCCESS, clReleaseEvent(e));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseKernel(k));
}

static void run(const char *name, cl_int argument, cl_int expected) {
    run_of(program, name, argument, expected);
}

static void run_both(void) {
    for (int i = 0; i < 20; i++) {
        run("fill", i, CL_COMPLETE);
        run("wild", 12, CL_OUT_OF_RESOURCES);
    }
}

static cl_program from_source(const char *text, cl_int expected) {
    cl_int err;
    cl_program p;
    EXPECT_NEW(CL_SUCCESS, p = clCreateProgramWithSource(a.context, 1, &text, NULL, &err));
    EXPECT(expected, clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    return p;
}

/* Programs from source, of which one is wrong, from a binary and from parts. */
static void build_all(void) {
    cl_int err;
    cl_program p = from_source("kernel void fill(global int *out, int x) {\n"
                               "    for (int i = 0; i < 9; i++) out[get_global_id(0)] = x + i;\n"
                               "}\n",
                               CL_SUCCESS);
    run_of(p, "fill", 3, CL_COMPLETE);
    cl_program part, whole, bad = from_source("kernel void k() { 0 }", CL_BUILD_PROGRAM_FAILURE);
    static char log[4096];
    EXPECT(CL_SUCCESS,
           clGetProgramBuildInfo(bad, a.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    CHECK(strstr(log, "expected ';'"));
    const char *text = "kernel void fill(global int *out, int x) { out[get_global_id(0)] = x; }";
    EXPECT_NEW(CL_SUCCESS, part = clCreateProgramWithSource(a.context, 1, &text, NULL, &err));
    EXPECT(CL_SUCCESS, clCompileProgram(part, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    EXPECT_NEW(CL_SUCCESS,
               whole = clLinkProgram(a.context, 0, NULL, NULL, 1, &part, NULL, NULL, &err));
    run_of(whole, "fill", 4, CL_COMPLETE);
    cl_program binary = kernels_program(&a);
    run_of(binary, "fill", 5, CL_COMPLETE);
    cl_program all[] = {p, bad, part, whole, binary};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        EXPECT(CL_SUCCESS, clReleaseProgram(all[i]));
}

static void *small_stack(void *unused) {
    run_both();
    build_all();
    return unused;
}

static void test_small_stack(size_t bytes) {
    pthread_attr_t attr;
    pthread_t thread;
    pthread_attr_init(&attr);
    CHECK(pthread_attr_setstacksize(&attr, bytes) == 0);
    if (CHECK(pthread_create(&thread, &attr, small_stack, NULL) == 0)) pthread_join(thread, NULL);
    pthread_attr_destroy(&attr);
}

/* The smallest that Linux takes; where it wants more, the call fails. */
static void *small_alternate(void *bytes) {
    static char memory[1 << 16];
    stack_t s = {.ss_sp = memory, .ss_size = (size_t)bytes};
    if (sigaltstack(&s, NULL) == 0) run_both();
    return NULL;
}

static void test_small_alternate(size_t bytes) {
    pthread_t thread;
    if (CHECK(pthread_create(&thread, NULL, small_alternate, (void *)bytes) == 0))
        pthread_join(thread, NULL);
}

/* A coroutine: its stack is none that the C library knows. */
static ucontext_t before, within;
static void coroutine(void) { run_both(); }

static void test_coroutine(void) {
    static char stack[64 << 10];
    getcontext(&within);
    within.uc_stack.ss_sp = stack;
    within.uc_stack.ss_size = sizeof stack;
    within.uc_link = &before;
    makecontext(&within, coroutine, 0);
    swapcontext(&before, &within);
}

/* ---- a handler that is put over the driver's while a launch runs ---- */

static atomic_int host_calls;

static void host_handler(int sig, siginfo_t *info, void *context) {
    (void)sig, (void)info, (void)context;
    host_calls++;
    _exit(7);
}

/* A launch of many groups, of which the last one is astray: the handler comes before that. */
static void test_handler_meanwhile(void) {
    cl_int err, status = 0, address = 12, n = 20000;
    size_t items = 1 << 16, group = 64, few = 64;
    cl_event e[2];
    cl_command_queue queue = clCreateCommandQueue(a.context, a.device, 0, &err);
    cl_kernel spin = kernels_get(program, "spin"), wild = kernels_get(program, "wild");
    cl_mem m = clCreateBuffer(a.context, 0, items * sizeof(cl_int), NULL, &err);
    EXPECT(CL_SUCCESS, clSetKernelArg(spin, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clSetKernelArg(spin, 1, sizeof n, &n));
    EXPECT(CL_SUCCESS, clSetKernelArg(wild, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clSetKernelArg(wild, 1, sizeof address, &address));
    EXPECT(CL_SUCCESS,
           clEnqueueNDRangeKernel(queue, spin, 1, NULL, &items, &group, 0, NULL, &e[0]));
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, wild, 1, NULL, &few, &group, 0, NULL, &e[1]));
    struct sigaction action = {.sa_sigaction = host_handler, .sa_flags = SA_SIGINFO};
    CHECK(sigaction(SIGSEGV, &action, NULL) == 0);
    clWaitForEvents(1, &e[1]);
    EXPECT(CL_SUCCESS,
           clGetEventInfo(e[1], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    CHECK(status == CL_OUT_OF_RESOURCES && !host_calls);
    for (int i = 0; i < 2; i++) EXPECT(CL_SUCCESS, clReleaseEvent(e[i]));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseKernel(spin));
    EXPECT(CL_SUCCESS, clReleaseKernel(wild));
    EXPECT(CL_SUCCESS, clReleaseCommandQueue(queue));
}

/* One group, of one work-item, which waits for what the host writes and then goes astray: the
 * handler comes while it runs, and nothing else happens until the driver's is back. */
static void test_handler_in_group(void) {
    enum { PATIENCE_MS = 20000 };
    cl_int err, status = 0;
    size_t one = 1;
    cl_event e;
    cl_program p = from_source("kernel void wait(global volatile int *go) {\n"
                               "    while (!go[0]) go[1] = go[1] + 1;\n"
                               "    go[go[0]] = 1;\n"
                               "}\n",
                               CL_SUCCESS);
    cl_kernel k = kernels_get(p, "wait");
    cl_mem m;
    volatile cl_int *go;
    EXPECT_NEW(CL_SUCCESS, m = clCreateBuffer(a.context, 0, 2 * sizeof *go, NULL, &err));
    EXPECT_NEW(CL_SUCCESS, go = clEnqueueMapBuffer(a.queue, m, CL_TRUE, CL_MAP_WRITE, 0,
                                                   2 * sizeof *go, 0, NULL, NULL, &err));
    go[0] = go[1] = 0;
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(a.queue, k, 1, NULL, &one, &one, 0, NULL, &e));
    EXPECT(CL_SUCCESS, clFlush(a.queue));
    while (!go[1]) usleep(100);
    struct sigaction action = {.sa_sigaction = host_handler, .sa_flags = SA_SIGINFO}, now = action;
    CHECK(sigaction(SIGSEGV, &action, NULL) == 0);
    for (int ms = 0; now.sa_sigaction == host_handler && ms < PATIENCE_MS; ms++) {
        usleep(1000);
        CHECK(sigaction(SIGSEGV, NULL, &now) == 0);
    }
    CHECK(now.sa_sigaction != host_handler);
    go[0] = 1 << 28; /* outside of every buffer */
    clWaitForEvents(1, &e);
    EXPECT(CL_SUCCESS,
           clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    CHECK(status == CL_OUT_OF_RESOURCES && !host_calls);
    EXPECT(CL_SUCCESS, clReleaseEvent(e));
    EXPECT(CL_SUCCESS, clReleaseKernel(k));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
}

int main(void) {
    a = api_open();
    program = kernels_program(&a);
    test_small_stack((size_t)sysconf(_SC_THREAD_STACK_MIN));
    test_small_stack(64 << 10);
    for (size_t bytes = 2048; bytes <= 1 << 14; bytes += 1024) test_small_alternate(bytes);
    test_coroutine();
    test_handler_meanwhile();
    test_handler_in_group();
    EXPECT(CL_SUCCESS, clReleaseProgram(program));
    api_close(&a);
    return api_result();
}
