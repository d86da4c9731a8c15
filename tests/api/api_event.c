/* Events: user events, callbacks, profiling, wait lists, failures (specification 5.9). */
#include "api.h"

#include <stdatomic.h>
#include <unistd.h>

static struct api a;

static cl_int status_of(cl_event e) {
    cl_int status = 1234;
    EXPECT(CL_SUCCESS,
           clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    return status;
}

static cl_event user_event(void) {
    cl_int err;
    cl_event e;
    EXPECT_NEW(CL_SUCCESS, e = clCreateUserEvent(a.context, &err));
    return e;
}

static void test_user(void) {
    cl_int err;
    EXPECT_NEW(CL_INVALID_CONTEXT, clCreateUserEvent(NULL, &err));
    cl_event e = user_event(), marker;
    CHECK(status_of(e) == CL_SUBMITTED);
    EXPECT_INFO(clGetEventInfo, e, CL_EVENT_COMMAND_TYPE, cl_command_type, CL_COMMAND_USER);
    EXPECT_INFO(clGetEventInfo, e, CL_EVENT_COMMAND_QUEUE, cl_command_queue, NULL);
    EXPECT_INFO(clGetEventInfo, e, CL_EVENT_CONTEXT, cl_context, a.context);
    EXPECT_INFO(clGetEventInfo, e, CL_EVENT_REFERENCE_COUNT, cl_uint, 1);
    EXPECT(CL_INVALID_VALUE, clGetEventInfo(e, 0x4242, 0, NULL, NULL));
    EXPECT(CL_INVALID_EVENT, clGetEventInfo(NULL, CL_EVENT_CONTEXT, 0, NULL, NULL));
    EXPECT(CL_PROFILING_INFO_NOT_AVAILABLE,
           clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_END, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clSetUserEventStatus(e, CL_RUNNING));
    EXPECT(CL_INVALID_EVENT, clSetUserEventStatus(NULL, CL_COMPLETE));
    EXPECT(CL_SUCCESS, clEnqueueMarkerWithWaitList(a.queue, 1, &e, &marker));
    CHECK(status_of(marker) == CL_QUEUED);
    EXPECT(CL_INVALID_EVENT, clSetUserEventStatus(marker, CL_COMPLETE));
    EXPECT(CL_SUCCESS, clSetUserEventStatus(e, CL_COMPLETE));
    EXPECT(CL_INVALID_OPERATION, clSetUserEventStatus(e, CL_COMPLETE));
    EXPECT(CL_SUCCESS, clWaitForEvents(1, &marker));
    CHECK(status_of(marker) == CL_COMPLETE);
    EXPECT(CL_SUCCESS, clReleaseEvent(e));
    EXPECT(CL_SUCCESS, clReleaseEvent(marker));
    EXPECT(CL_INVALID_EVENT, clReleaseEvent(marker));
}

/* Failure goes along wait lists, through several queues, and not along the order of a queue. */
static void test_failure(void) {
    cl_int err, data = 5;
    cl_command_queue other = clCreateCommandQueue(a.context, a.device, 0, &err);
    cl_mem m = clCreateBuffer(a.context, 0, 64, NULL, &err);
    cl_event gate = user_event(), chain[3], after;
    EXPECT(CL_SUCCESS, clEnqueueMarkerWithWaitList(a.queue, 1, &gate, &chain[0]));
    EXPECT(CL_SUCCESS,
           clEnqueueWriteBuffer(other, m, CL_FALSE, 0, 4, &data, 1, &chain[0], &chain[1]));
    EXPECT(CL_SUCCESS, clEnqueueMarkerWithWaitList(a.queue, 1, &chain[1], &chain[2]));
    EXPECT(CL_SUCCESS, clEnqueueFillBuffer(a.queue, m, &data, 4, 0, 64, 0, NULL, &after));
    EXPECT(CL_SUCCESS, clSetUserEventStatus(gate, -77));
    EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(3, chain));
    EXPECT(CL_SUCCESS, clWaitForEvents(1, &after));
    CHECK(status_of(gate) == -77);
    for (int i = 0; i < 3; i++)
        CHECK(status_of(chain[i]) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
           clEnqueueReadBuffer(a.queue, m, CL_TRUE, 0, 4, &data, 1, &gate, NULL));
    EXPECT(CL_INVALID_VALUE, clWaitForEvents(0, &after));
    EXPECT(CL_INVALID_VALUE, clWaitForEvents(1, NULL));
    cl_event none = NULL;
    EXPECT(CL_INVALID_EVENT, clWaitForEvents(1, &none));
    /* A user event nobody can set any more fails what waits for it. */
    cl_event lost = user_event();
    EXPECT(CL_SUCCESS, clEnqueueMarkerWithWaitList(a.queue, 1, &lost, &none));
    EXPECT(CL_SUCCESS, clReleaseEvent(lost));
    EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &none));
    EXPECT(CL_SUCCESS, clReleaseEvent(none));
    for (int i = 0; i < 3; i++) EXPECT(CL_SUCCESS, clReleaseEvent(chain[i]));
    EXPECT(CL_SUCCESS, clReleaseEvent(after));
    EXPECT(CL_SUCCESS, clReleaseEvent(gate));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseCommandQueue(other));
}

static atomic_int calls[4], seen[4], order[4], last;

static void CL_CALLBACK called(cl_event e, cl_int status, void *user) {
    (void)e;
    int which = *(int *)user;
    seen[which] = status;
    order[which] = ++last;
    calls[which]++;
}

static void test_callbacks(void) {
    static int which[4] = {0, 1, 2, 3};
    cl_event gate = user_event(), marker;
    EXPECT(CL_SUCCESS, clEnqueueMarkerWithWaitList(a.queue, 1, &gate, &marker));
    EXPECT(CL_INVALID_EVENT, clSetEventCallback(NULL, CL_COMPLETE, called, NULL));
    EXPECT(CL_INVALID_VALUE, clSetEventCallback(marker, CL_COMPLETE, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clSetEventCallback(marker, CL_QUEUED, called, &which[0]));
    EXPECT(CL_SUCCESS, clSetEventCallback(marker, CL_COMPLETE, called, &which[2]));
    EXPECT(CL_SUCCESS, clSetEventCallback(marker, CL_RUNNING, called, &which[1]));
    EXPECT(CL_SUCCESS, clSetEventCallback(marker, CL_SUBMITTED, called, &which[0]));
    CHECK(!calls[0] && !calls[1] && !calls[2]);
    EXPECT(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
    EXPECT(CL_SUCCESS, clFinish(a.queue));
    CHECK(calls[0] == 1 && seen[0] == CL_SUBMITTED);
    CHECK(calls[1] == 1 && seen[1] == CL_RUNNING);
    CHECK(calls[2] == 1 && seen[2] == CL_COMPLETE);
    CHECK(order[0] < order[1] && order[1] < order[2]); /* as the states follow each other */
    EXPECT(CL_SUCCESS, clSetEventCallback(marker, CL_COMPLETE, called, &which[3]));
    CHECK(calls[3] == 1); /* it had completed: called at once */
    EXPECT(CL_SUCCESS, clReleaseEvent(marker));
    EXPECT(CL_SUCCESS, clReleaseEvent(gate));
    gate = user_event();
    EXPECT(CL_SUCCESS, clSetEventCallback(gate, CL_COMPLETE, called, &which[0]));
    EXPECT(CL_SUCCESS, clSetUserEventStatus(gate, -5));
    CHECK(calls[0] == 2 && seen[0] == -5);
    EXPECT(CL_SUCCESS, clReleaseEvent(gate));
}

/* A callback enqueues, and sets the event its own thread's next command waits for. */
static cl_event inner;

static void CL_CALLBACK enqueues(cl_event e, cl_int status, void *user) {
    (void)e, (void)status;
    cl_event ready = user;
    EXPECT(CL_SUCCESS, clEnqueueMarkerWithWaitList(a.queue, 1, &ready, &inner));
    EXPECT(CL_SUCCESS, clSetUserEventStatus(ready, CL_COMPLETE));
}

static void test_callback_enqueues(void) {
    cl_event gate = user_event(), ready = user_event();
    EXPECT(CL_SUCCESS, clSetEventCallback(gate, CL_COMPLETE, enqueues, ready));
    EXPECT(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
    EXPECT(CL_SUCCESS, clWaitForEvents(1, &inner));
    EXPECT(CL_SUCCESS, clReleaseEvent(inner));
    EXPECT(CL_SUCCESS, clReleaseEvent(gate));
    EXPECT(CL_SUCCESS, clReleaseEvent(ready));
}

static void test_profiling(void) {
    cl_int err;
    cl_program p = kernels_program(&a);
    cl_kernel spin = kernels_get(p, "spin");
    cl_mem m = clCreateBuffer(a.context, 0, 4096, NULL, &err);
    cl_int n = 100000;
    size_t items = 256;
    cl_event e;
    EXPECT(CL_SUCCESS, clSetKernelArg(spin, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clSetKernelArg(spin, 1, sizeof n, &n));
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(a.queue, spin, 1, NULL, &items, NULL, 0, NULL, &e));
    EXPECT(CL_SUCCESS, clWaitForEvents(1, &e));
    cl_ulong t[4];
    for (cl_uint i = 0; i < 4; i++)
        EXPECT(CL_SUCCESS, clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_QUEUED + i, sizeof t[i],
                                                   &t[i], NULL));
    CHECK(t[0] && t[0] <= t[1] && t[1] <= t[2] && t[2] < t[3]);
    EXPECT(CL_INVALID_VALUE, clGetEventProfilingInfo(e, 0x4242, sizeof *t, t, NULL));
    EXPECT_INFO(clGetEventInfo, e, CL_EVENT_COMMAND_TYPE, cl_command_type,
                CL_COMMAND_NDRANGE_KERNEL);
    EXPECT(CL_SUCCESS, clReleaseEvent(e));
    cl_command_queue plain = clCreateCommandQueue(a.context, a.device, 0, &err);
    EXPECT(CL_SUCCESS, clEnqueueMarker(plain, &e));
    EXPECT(CL_SUCCESS, clFinish(plain));
    EXPECT(CL_PROFILING_INFO_NOT_AVAILABLE,
           clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_END, sizeof *t, t, NULL));
    EXPECT(CL_SUCCESS, clReleaseEvent(e));
    EXPECT(CL_SUCCESS, clReleaseCommandQueue(plain));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseKernel(spin));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
}

int main(void) {
    a = api_open();
    test_user();
    test_failure();
    test_callbacks();
    test_callback_enqueues();
    test_profiling();
    api_close(&a);
    return api_result();
}
