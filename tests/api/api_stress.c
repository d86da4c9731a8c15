/* Threads making random valid calls, with chains of events whose results show that all ran in
 * order; and many launches without growth of memory. How much: the first argument, in percent;
 * without one 100, which is 10,000 calls a thread, or with SIMTCL_TEST_LONG=1 ten times that, a
 * million launches. */
#include "api.h"

#include <pthread.h>

enum { THREADS = 8, CALLS = 10000, LAUNCHES = 100000, BYTES = 256 };

static struct api a;
static cl_program program;
static int percent = 100;

static unsigned next(unsigned *seed) {
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

/* A chain of commands through two buffers and two queues, each waiting for the last by its event:
 * the value read tells whether all ran, once and in order. */
static void *work(void *arg) {
    unsigned seed = (unsigned)(size_t)arg * 7919 + 17;
    cl_int err, expected = 0, got = -1;
    cl_command_queue q[2] = {
        clCreateCommandQueue(a.context, a.device, 0, &err),
        clCreateCommandQueue(a.context, a.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &err)};
    cl_mem m[2] = {clCreateBuffer(a.context, 0, BYTES, NULL, &err),
                   clCreateBuffer(a.context, 0, BYTES, NULL, &err)};
    cl_kernel fill = kernels_get(program, "fill");
    cl_event last = clCreateUserEvent(a.context, &err), e;
    EXPECT(CL_SUCCESS, clSetUserEventStatus(last, CL_COMPLETE));
    int current = 0; /* which buffer has the value */
    size_t items = BYTES / 4;
    for (int i = 0; i < CALLS * percent / 100; i++) {
        cl_command_queue queue = q[next(&seed) % 2];
        unsigned what = next(&seed) % 8;
        switch (what) {
        case 0:
        case 1:
            expected = (cl_int)(next(&seed) & 0xffff);
            EXPECT(CL_SUCCESS, clSetKernelArg(fill, 0, sizeof *m, &m[current]));
            EXPECT(CL_SUCCESS, clSetKernelArg(fill, 1, sizeof expected, &expected));
            EXPECT(CL_SUCCESS,
                   clEnqueueNDRangeKernel(queue, fill, 1, NULL, &items, NULL, 1, &last, &e));
            break;
        case 2:
            EXPECT(CL_SUCCESS,
                   clEnqueueCopyBuffer(queue, m[current], m[!current], 0, 0, BYTES, 1, &last, &e));
            current = !current;
            break;
        case 3:
            expected = (cl_int)next(&seed);
            EXPECT(CL_SUCCESS,
                   clEnqueueFillBuffer(queue, m[current], &expected, 4, 0, BYTES, 1, &last, &e));
            break;
        case 4:
            expected = (cl_int)next(&seed);
            EXPECT(CL_SUCCESS,
                   clEnqueueWriteBuffer(queue, m[current], CL_TRUE, 0, 4, &expected, 1, &last, &e));
            break;
        case 5: EXPECT(CL_SUCCESS, clEnqueueMarkerWithWaitList(queue, 1, &last, &e)); break;
        case 6: EXPECT(CL_SUCCESS, clEnqueueBarrierWithWaitList(queue, 1, &last, &e)); break;
        default:
            EXPECT(CL_SUCCESS,
                   clEnqueueReadBuffer(queue, m[current], CL_TRUE, 0, 4, &got, 1, &last, &e));
            CHECK(got == expected);
        }
        EXPECT(CL_SUCCESS, clReleaseEvent(last));
        last = e;
    }
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(q[0], m[current], CL_TRUE, 0, 4, &got, 1, &last, NULL));
    CHECK(got == expected);
    EXPECT(CL_SUCCESS, clReleaseEvent(last));
    EXPECT(CL_SUCCESS, clReleaseKernel(fill));
    for (int i = 0; i < 2; i++) {
        EXPECT(CL_SUCCESS, clReleaseMemObject(m[i]));
        EXPECT(CL_SUCCESS, clReleaseCommandQueue(q[i]));
    }
    return NULL;
}

static long resident(void) {
    long pages = 0, all;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%ld %ld", &all, &pages) != 2) pages = 0;
    if (f) fclose(f);
    return pages * 4;
}

static void many_launches(void) {
    cl_int err, value = 1;
    cl_kernel fill = kernels_get(program, "fill");
    cl_mem m = clCreateBuffer(a.context, 0, BYTES, NULL, &err);
    EXPECT(CL_SUCCESS, clSetKernelArg(fill, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clSetKernelArg(fill, 1, sizeof value, &value));
    long before = 0;
    int launches = LAUNCHES * percent / 100;
    for (int i = 0; i < launches; i++) {
        EXPECT(CL_SUCCESS, clEnqueueTask(a.queue, fill, 0, NULL, NULL));
        if (i % 1000 == 999) EXPECT(CL_SUCCESS, clFinish(a.queue));
        if (i == launches / 2) before = resident();
    }
    EXPECT(CL_SUCCESS, clFinish(a.queue));
#ifndef SIMTCL_SANITIZED /* sanitizers keep memory of their own */
    CHECK(resident() - before < 4096);
#else
    (void)before;
#endif
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseKernel(fill));
}

/* What the native engine takes when it is loaded, at some time among the launches, is no growth. */
API_DEFAULT("SIMTCL_ENGINE", "interpreter")

int main(int argc, char **argv) {
    const char *longer = getenv("SIMTCL_TEST_LONG");
    if (longer && *longer == '1') percent = 1000;
    if (argc > 1) percent = atoi(argv[1]);
    a = api_open();
    program = kernels_program(&a);
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    many_launches();
    EXPECT(CL_SUCCESS, clReleaseProgram(program));
    api_close(&a);
    return api_result();
}
