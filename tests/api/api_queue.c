/* Queues: order, barriers, markers, long chains (specification 5.1, 5.10 to 5.13). */
#include "api.h"

#include <pthread.h>
#include <unistd.h>

static struct api a;
static cl_program program;

static cl_int status_of(cl_event e) {
    cl_int status = 1234;
    clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    return status;
}

static void test_create(void) {
    cl_int err;
    cl_command_queue q;
    EXPECT_NEW(CL_INVALID_CONTEXT, clCreateCommandQueue(NULL, a.device, 0, &err));
    EXPECT_NEW(CL_INVALID_DEVICE, clCreateCommandQueue(a.context, NULL, 0, &err));
    EXPECT_NEW(CL_INVALID_VALUE, clCreateCommandQueue(a.context, a.device, 1 << 10, &err));
    cl_queue_properties good[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_queue_properties bad[] = {0x4242, 1, 0},
                        device[] = {CL_QUEUE_PROPERTIES,
                                    CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    EXPECT_NEW(CL_INVALID_VALUE,
               clCreateCommandQueueWithProperties(a.context, a.device, bad, &err));
    EXPECT_NEW(CL_INVALID_QUEUE_PROPERTIES,
               clCreateCommandQueueWithProperties(a.context, a.device, device, &err));
    EXPECT_NEW(CL_SUCCESS, q = clCreateCommandQueueWithProperties(a.context, a.device, good, &err));
    EXPECT_INFO(clGetCommandQueueInfo, q, CL_QUEUE_CONTEXT, cl_context, a.context);
    EXPECT_INFO(clGetCommandQueueInfo, q, CL_QUEUE_DEVICE, cl_device_id, a.device);
    EXPECT_INFO(clGetCommandQueueInfo, q, CL_QUEUE_REFERENCE_COUNT, cl_uint, 1);
    EXPECT_INFO(clGetCommandQueueInfo, q, CL_QUEUE_PROPERTIES, cl_command_queue_properties,
                CL_QUEUE_PROFILING_ENABLE);
    EXPECT(CL_INVALID_VALUE, clGetCommandQueueInfo(q, 0x4242, 0, NULL, NULL));
    cl_command_queue_properties old = 0;
    EXPECT(CL_INVALID_VALUE, clSetCommandQueueProperty(q, 1 << 10, CL_TRUE, &old));
    EXPECT(CL_SUCCESS,
           clSetCommandQueueProperty(q, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_TRUE, &old));
    CHECK(old == CL_QUEUE_PROFILING_ENABLE);
    EXPECT_INFO(clGetCommandQueueInfo, q, CL_QUEUE_PROPERTIES, cl_command_queue_properties, 3);
    EXPECT(CL_SUCCESS, clReleaseCommandQueue(q));
    EXPECT(CL_INVALID_COMMAND_QUEUE, clReleaseCommandQueue(q));
    EXPECT(CL_INVALID_COMMAND_QUEUE, clFlush(NULL));
    EXPECT(CL_INVALID_COMMAND_QUEUE, clFinish(q));
}

/* Out of order: what waits for nothing overtakes; barriers and markers hold. */
static void test_out_of_order(void) {
    cl_int err;
    cl_command_queue q =
        clCreateCommandQueue(a.context, a.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &err);
    cl_event gate, waits, free_event, marker, barrier, behind;
    gate = clCreateUserEvent(a.context, &err);
    EXPECT(CL_SUCCESS, clEnqueueMarkerWithWaitList(q, 1, &gate, &waits));
    cl_event done = clCreateUserEvent(a.context, &err);
    EXPECT(CL_SUCCESS, clSetUserEventStatus(done, CL_COMPLETE));
    EXPECT(CL_SUCCESS, clEnqueueMarkerWithWaitList(q, 1, &done, &free_event));
    EXPECT(CL_SUCCESS, clWaitForEvents(1, &free_event));
    CHECK(status_of(waits) == CL_QUEUED);
    EXPECT(CL_SUCCESS, clEnqueueMarker(q, &marker));
    EXPECT(CL_SUCCESS, clEnqueueBarrierWithWaitList(q, 0, NULL, &barrier));
    cl_int value = 3;
    cl_mem m = clCreateBuffer(a.context, 0, 64, NULL, &err);
    EXPECT(CL_SUCCESS, clEnqueueFillBuffer(q, m, &value, 4, 0, 64, 0, NULL, &behind));
    CHECK(status_of(marker) == CL_QUEUED && status_of(barrier) == CL_QUEUED &&
          status_of(behind) == CL_QUEUED);
    EXPECT(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
    EXPECT(CL_SUCCESS, clFinish(q));
    CHECK(status_of(marker) == CL_COMPLETE && status_of(barrier) == CL_COMPLETE &&
          status_of(behind) == CL_COMPLETE);
    cl_event all[] = {gate, waits, done, free_event, marker, barrier, behind};
    for (int i = 0; i < 7; i++) EXPECT(CL_SUCCESS, clReleaseEvent(all[i]));
    /* clEnqueueWaitForEvents holds what follows, not what came before. */
    gate = clCreateUserEvent(a.context, &err);
    EXPECT(CL_INVALID_VALUE, clEnqueueWaitForEvents(q, 0, NULL));
    EXPECT(CL_INVALID_EVENT, clEnqueueWaitForEvents(q, 1, (cl_event[]){NULL}));
    EXPECT(CL_SUCCESS, clEnqueueWaitForEvents(q, 1, &gate));
    EXPECT(CL_SUCCESS, clEnqueueFillBuffer(q, m, &value, 4, 0, 64, 0, NULL, &behind));
    CHECK(status_of(behind) == CL_QUEUED);
    EXPECT(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
    EXPECT(CL_SUCCESS, clWaitForEvents(1, &behind));
    EXPECT(CL_INVALID_VALUE, clEnqueueMarker(q, NULL));
    EXPECT(CL_SUCCESS, clEnqueueBarrier(q));
    EXPECT(CL_SUCCESS, clFinish(q));
    EXPECT(CL_SUCCESS, clReleaseEvent(gate));
    EXPECT(CL_SUCCESS, clReleaseEvent(behind));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseCommandQueue(q));
}

/* Thousands of commands behind a gate: a loop, not a recursion; in order. */
static void test_chain(void) {
    enum { LENGTH = 20000 };
    cl_int err;
    cl_event gate = clCreateUserEvent(a.context, &err), last;
    cl_mem m = clCreateBuffer(a.context, 0, 4 * LENGTH, NULL, &err);
    cl_kernel fill = kernels_get(program, "fill");
    EXPECT(CL_SUCCESS, clSetKernelArg(fill, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clEnqueueMarkerWithWaitList(a.queue, 1, &gate, NULL));
    static cl_int values[LENGTH];
    for (cl_int i = 0; i < LENGTH; i++) {
        values[i] = i;
        if (i % 100)
            EXPECT(CL_SUCCESS,
                   clEnqueueWriteBuffer(a.queue, m, CL_FALSE, 0, 4, &values[i], 0, NULL, NULL));
        else {
            EXPECT(CL_SUCCESS, clSetKernelArg(fill, 1, sizeof i, &i));
            EXPECT(CL_SUCCESS, clEnqueueTask(a.queue, fill, 0, NULL, NULL));
        }
    }
    EXPECT(CL_SUCCESS, clEnqueueMarker(a.queue, &last));
    EXPECT(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
    EXPECT(CL_SUCCESS, clWaitForEvents(1, &last));
    cl_int got = 0;
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(a.queue, m, CL_TRUE, 0, 4, &got, 0, NULL, NULL));
    CHECK(got == LENGTH - 1);
    EXPECT(CL_SUCCESS, clReleaseEvent(gate));
    EXPECT(CL_SUCCESS, clReleaseEvent(last));
    EXPECT(CL_SUCCESS, clReleaseKernel(fill));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
}

static void *open_gate(void *gate) {
    usleep(10000);
    EXPECT(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
    return NULL;
}

/* Each command waits for one of the queue before, none is flushed, and the first waits for an event
 * that is set while the host waits in a blocking call: nothing stands still. */
static void test_across(void) {
    enum { QUEUES = 5, LENGTH = 2000 };
    cl_int err, got = -1;
    static cl_int values[LENGTH];
    cl_command_queue queues[QUEUES];
    cl_event gate = clCreateUserEvent(a.context, &err), last = gate;
    cl_mem m = clCreateBuffer(a.context, 0, 64, NULL, &err);
    cl_kernel fill = kernels_get(program, "fill");
    size_t items = 1;
    EXPECT(CL_SUCCESS, clSetKernelArg(fill, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clRetainEvent(gate));
    for (int q = 0; q < QUEUES; q++)
        EXPECT_NEW(CL_SUCCESS, queues[q] = clCreateCommandQueue(
                                   a.context, a.device,
                                   q % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &err));
    for (cl_int i = 0; i < LENGTH; i++) {
        cl_command_queue q = queues[i % QUEUES];
        cl_event e;
        values[i] = i;
        EXPECT(CL_SUCCESS, clSetKernelArg(fill, 1, sizeof i, &i));
        if (i % 3 == 0)
            EXPECT(CL_SUCCESS,
                   clEnqueueNDRangeKernel(q, fill, 1, NULL, &items, NULL, 1, &last, &e));
        else if (i % 3 == 1)
            EXPECT(CL_SUCCESS,
                   clEnqueueWriteBuffer(q, m, CL_FALSE, 0, 4, &values[i], 1, &last, &e));
        else
            EXPECT(CL_SUCCESS, clEnqueueMarkerWithWaitList(q, 1, &last, &e));
        EXPECT(CL_SUCCESS, clReleaseEvent(last));
        last = e;
    }
    pthread_t opener;
    CHECK(pthread_create(&opener, NULL, open_gate, gate) == 0);
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(a.queue, m, CL_TRUE, 0, 4, &got, 1, &last, NULL));
    CHECK(got == (LENGTH - 1) / 3 * 3 + ((LENGTH - 1) % 3 ? 1 : 0));
    pthread_join(opener, NULL);
    for (int q = 0; q < QUEUES; q++) EXPECT(CL_SUCCESS, clReleaseCommandQueue(queues[q]));
    EXPECT(CL_SUCCESS, clReleaseEvent(last));
    EXPECT(CL_SUCCESS, clReleaseEvent(gate));
    EXPECT(CL_SUCCESS, clReleaseKernel(fill));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
}

/* A launch returns before it has run; releasing everything at once is fine. */
static void test_asynchronous(void) {
    cl_int err, n = 20000000;
    size_t items = 64;
    cl_kernel spin = kernels_get(program, "spin");
    cl_mem m = clCreateBuffer(a.context, 0, 4096, NULL, &err);
    cl_command_queue q = clCreateCommandQueue(a.context, a.device, 0, &err);
    cl_event e;
    EXPECT(CL_SUCCESS, clSetKernelArg(spin, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clSetKernelArg(spin, 1, sizeof n, &n));
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(q, spin, 1, NULL, &items, NULL, 0, NULL, &e));
    CHECK(status_of(e) > CL_COMPLETE);
    EXPECT(CL_SUCCESS, clReleaseKernel(spin));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseCommandQueue(q));
    EXPECT(CL_SUCCESS, clWaitForEvents(1, &e));
    EXPECT(CL_SUCCESS, clReleaseEvent(e));
}

int main(void) {
    a = api_open();
    program = kernels_program(&a);
    test_create();
    /* Not at the end: a worker lets go of an event a moment after the wait for it has returned. */
    test_asynchronous();
    test_out_of_order();
    test_chain();
    test_across();
    EXPECT(CL_SUCCESS, clReleaseProgram(program));
    api_close(&a);
    return api_result();
}
