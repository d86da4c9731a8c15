/* Forks while other threads are in the middle of every kind of call: whatever they held, each child
 * gets a working device at once, and what it inherited gives errors, not hangs. */
#include "tests/api/api.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 3, FORKS = 40 };

/* A child owns what its parent had, and starts threads, as a host program's may. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) { return "die_after_fork=0"; }

/* ThreadSanitizer's pthread_once hangs in the child where another thread was in the middle of it.
 * The C library's knows of forks, and begins anew. */
#if defined __has_feature
#if __has_feature(thread_sanitizer)
#define ONCE_SURVIVES_FORK 0
#endif
#endif
#ifndef ONCE_SURVIVES_FORK
#define ONCE_SURVIVES_FORK 1
#endif

static struct api a;
static cl_program program;
static cl_event user;
static cl_mem shared;
static cl_sampler sampler;
static cl_kernel kernel;
static atomic_bool stop;

static void run(const struct api *in, cl_program p) {
    cl_kernel k = kernels_get(p, "fill");
    cl_int err, value = 1, out[1024];
    size_t items = 1024;
    cl_mem m = clCreateBuffer(in->context, 0, sizeof out, NULL, &err);
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 1, sizeof value, &value));
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(in->queue, k, 1, NULL, &items, NULL, 0, NULL, NULL));
    EXPECT(CL_SUCCESS,
           clEnqueueReadBuffer(in->queue, m, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseKernel(k));
}

/* Contexts, programs, kernels, launches and transfers come and go. */
static void *busy(void *arg) {
    struct api own;
    for (int round = 0; !stop; round++) {
        bool new_context = round % 8 == 0;
        own = new_context ? api_open() : a;
        cl_program p = round % 4 ? program : kernels_program(&own);
        run(&own, p);
        if (p != program) EXPECT(CL_SUCCESS, clReleaseProgram(p));
        if (new_context) api_close(&own);
    }
    return arg;
}

static void refused(void) {
    cl_int err, value;
    EXPECT(CL_INVALID_COMMAND_QUEUE, clFinish(a.queue));
    EXPECT(CL_INVALID_COMMAND_QUEUE, clFlush(a.queue));
    EXPECT(CL_INVALID_COMMAND_QUEUE,
           clEnqueueReadBuffer(a.queue, shared, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
    EXPECT(CL_INVALID_COMMAND_QUEUE, clEnqueueTask(a.queue, kernel, 0, NULL, NULL));
    EXPECT(CL_INVALID_EVENT, clWaitForEvents(1, &user));
    EXPECT(CL_INVALID_EVENT, clSetUserEventStatus(user, CL_COMPLETE));
    EXPECT(CL_INVALID_MEM_OBJECT, clReleaseMemObject(shared));
    EXPECT(CL_INVALID_SAMPLER, clReleaseSampler(sampler));
    EXPECT(CL_INVALID_KERNEL, clSetKernelArg(kernel, 0, sizeof shared, &shared));
    EXPECT(CL_INVALID_PROGRAM, clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    EXPECT_NEW(CL_INVALID_CONTEXT, clCreateBuffer(a.context, 0, 16, NULL, &err));
    EXPECT(CL_INVALID_CONTEXT, clReleaseContext(a.context));
}

static void in_child(void) {
    refused();
    struct api own = api_open();
    cl_program p = kernels_program(&own);
    cl_kernel k = kernels_get(p, "fill");
    cl_int err, value = 5, got = 0;
    cl_mem m = clCreateBuffer(own.context, 0, 64, NULL, &err);
    EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 0, sizeof shared, &shared));
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 1, sizeof value, &value));
    EXPECT(CL_SUCCESS, clEnqueueTask(own.queue, k, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(own.queue, m, CL_TRUE, 0, 4, &got, 0, NULL, NULL));
    CHECK(got == 5);
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseKernel(k));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    api_close(&own);
}

int main(void) {
    a = api_open();
    program = kernels_program(&a);
    cl_int err;
    user = clCreateUserEvent(a.context, &err);
    shared = clCreateBuffer(a.context, 0, 64, NULL, &err);
    sampler = clCreateSampler(a.context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &err);
    kernel = kernels_get(program, "fill");
    if (!ONCE_SURVIVES_FORK) run(&a, program);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, busy, NULL);
    for (int i = 0; i < FORKS && !api_failures; i++) {
        pid_t pid = fork();
        if (!pid) {
            alarm(900);
            in_child();
            _exit(api_result());
        }
        int status = -1;
        CHECK(waitpid(pid, &status, 0) == pid);
        if (!CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0))
            fprintf(stderr, "child %d: status %x\n", i, (unsigned)status);
    }
    stop = true;
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    EXPECT(CL_SUCCESS, clReleaseEvent(user));
    EXPECT(CL_SUCCESS, clReleaseMemObject(shared));
    EXPECT(CL_SUCCESS, clReleaseSampler(sampler));
    EXPECT(CL_SUCCESS, clReleaseKernel(kernel));
    EXPECT(CL_SUCCESS, clReleaseProgram(program));
    api_close(&a);
    return api_result();
}
