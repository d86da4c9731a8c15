/* Manners towards the host process: fork with work in flight, exit with work in flight, dlclose. */
#include "api.h"

#include <sys/wait.h>
#include <unistd.h>

/* A process that ends with work in flight, or with what it inherited by fork, frees nothing. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }
/* And the child starts threads, as a host program's may. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) { return "die_after_fork=0"; }

static struct api a;
static cl_program program;

static cl_int run_fill(struct api *in, cl_program p) {
    cl_int err, value = 40, out[64] = {0};
    size_t items = 64;
    cl_kernel k = kernels_get(p, "fill");
    cl_mem m = clCreateBuffer(in->context, 0, sizeof out, NULL, &err);
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 1, sizeof value, &value));
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(in->queue, k, 1, NULL, &items, NULL, 0, NULL, NULL));
    EXPECT(CL_SUCCESS,
           clEnqueueReadBuffer(in->queue, m, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseKernel(k));
    return out[63];
}

/* A launch that takes some seconds. */
static void start_long(void) {
    cl_int err, n = 1 << 30;
    size_t items = 32;
    cl_kernel spin = kernels_get(program, "spin");
    cl_mem m = clCreateBuffer(a.context, 0, 4096, NULL, &err);
    EXPECT(CL_SUCCESS, clSetKernelArg(spin, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clSetKernelArg(spin, 1, sizeof n, &n));
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(a.queue, spin, 1, NULL, &items, NULL, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clFlush(a.queue));
}

static void in_child(void) {
    /* What the parent made gives errors, at once. */
    EXPECT(CL_INVALID_COMMAND_QUEUE, clFinish(a.queue));
    EXPECT(CL_INVALID_CONTEXT, clReleaseContext(a.context));
    EXPECT(CL_INVALID_PROGRAM, clReleaseProgram(program));
    /* A device works. */
    struct api own = api_open();
    CHECK(own.device == a.device);
    cl_program p = kernels_program(&own);
    CHECK(run_fill(&own, p) == 103);
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    api_close(&own);
}

static void expect_child(void (*body)(void)) {
    pid_t pid = fork();
    if (!pid) {
        alarm(900);
        body();
        exit(api_result());
    }
    int status = -1;
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void exits_with_work(void) {
    a = api_open();
    program = kernels_program(&a);
    start_long();
}

int main(void) {
    expect_child(exits_with_work); /* returns from main's exit() with a launch running */
    a = api_open();
    program = kernels_program(&a);
    expect_child(in_child);
    CHECK(run_fill(&a, program) == 103);
    start_long();
    expect_child(in_child); /* forked while workers run */
    expect_child(in_child);
    fflush(NULL);
    _exit(api_result());
}
