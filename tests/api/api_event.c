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

/* Failure goes along wait lists, through several queues, and along the order of a queue. */
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
    EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &after));
    CHECK(status_of(gate) == -77);
    for (int i = 0; i < 3; i++)
        CHECK(status_of(chain[i]) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
           clEnqueueReadBuffer(a.queue, m, CL_TRUE, 0, 4, &data, 1, &gate, NULL));
    EXPECT(CL_INVALID_VALUE, clWaitForEvents(0, &after));
    EXPECT(CL_INVALID_VALUE, clWaitForEvents(1, NULL));
    cl_event none = NULL;
    EXPECT(CL_INVALID_EVENT, clWaitForEvents(1, &none));
    for (int i = 0; i < 3; i++) EXPECT(CL_SUCCESS, clReleaseEvent(chain[i]));
    EXPECT(CL_SUCCESS, clReleaseEvent(after));
    EXPECT(CL_SUCCESS, clReleaseEvent(gate));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseCommandQueue(other));
}

/* A user event that commands wait for can be set when its last reference is gone, as NVIDIA's
 * oclMultiThreads does, and nothing runs before that. */
static void test_released_user_event(cl_int status) {
    cl_int err, first = 1, second = 2, got = 0;
    cl_event gate = user_event(), read;
    cl_mem m = clCreateBuffer(a.context, CL_MEM_COPY_HOST_PTR, sizeof first, &first, &err);
    EXPECT(CL_SUCCESS,
           clEnqueueWriteBuffer(a.queue, m, CL_FALSE, 0, sizeof second, &second, 1, &gate, NULL));
    EXPECT(CL_SUCCESS,
           clEnqueueReadBuffer(a.queue, m, CL_FALSE, 0, sizeof got, &got, 0, NULL, &read));
    EXPECT(CL_SUCCESS, clReleaseEvent(gate));
    CHECK(status_of(read) > CL_COMPLETE);
    CHECK(got == 0);
    EXPECT(CL_SUCCESS, clSetUserEventStatus(gate, status));
    EXPECT(status < 0 ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS,
           clWaitForEvents(1, &read));
    CHECK(got == (status < 0 ? 0 : second));
    EXPECT(CL_SUCCESS, clReleaseEvent(read));
    if (api_ours) { /* it is gone now, and one that nothing waits for goes with its last reference
                     */
        EXPECT(CL_INVALID_EVENT, clSetUserEventStatus(gate, status));
        gate = user_event();
        EXPECT(CL_SUCCESS, clReleaseEvent(gate));
        EXPECT(CL_INVALID_EVENT, clSetUserEventStatus(gate, CL_COMPLETE));
    }
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
}

/* ---- a command that goes wrong, and those behind it ---- */

enum { TELL_FINISH, TELL_WAIT, TELL_STATUS, TELL_BLOCKING, TELL_CALLBACK, TELLS };

static void CL_CALLBACK hears(cl_event e, cl_int status, void *user) {
    (void)e;
    atomic_store((atomic_int *)user, status);
}

/* The host learns that `behind` has failed. */
static void let_tell(int tell, cl_command_queue queue, cl_mem m, cl_event behind) {
    cl_int got = 0;
    atomic_int heard = 0;
    switch (tell) {
    case TELL_FINISH: EXPECT(CL_OUT_OF_RESOURCES, clFinish(queue)); break;
    case TELL_WAIT:
        EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &behind));
        break;
    case TELL_STATUS:
        while (status_of(behind) > CL_COMPLETE) usleep(100);
        break;
    case TELL_BLOCKING:
        EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
               clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL));
        break;
    case TELL_CALLBACK:
        EXPECT(CL_SUCCESS, clSetEventCallback(behind, CL_COMPLETE, hears, &heard));
        while (!heard) usleep(100);
        CHECK(heard == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    }
}

/* A kernel that goes wrong, and one that fills a buffer with a value. */
struct launches {
    cl_program program;
    cl_kernel wild, fill;
    cl_mem m;
};

static struct launches launches_open(cl_int value) {
    cl_int err, address = 12;
    struct launches k = {.program = kernels_program(&a)};
    k.wild = kernels_get(k.program, "wild");
    k.fill = kernels_get(k.program, "fill");
    k.m = clCreateBuffer(a.context, 0, 64, NULL, &err);
    EXPECT(CL_SUCCESS, clSetKernelArg(k.wild, 0, sizeof k.m, &k.m));
    EXPECT(CL_SUCCESS, clSetKernelArg(k.wild, 1, sizeof address, &address));
    EXPECT(CL_SUCCESS, clSetKernelArg(k.fill, 0, sizeof k.m, &k.m));
    EXPECT(CL_SUCCESS, clSetKernelArg(k.fill, 1, sizeof value, &value));
    return k;
}

static void launches_close(struct launches *k) {
    EXPECT(CL_SUCCESS, clReleaseMemObject(k->m));
    EXPECT(CL_SUCCESS, clReleaseKernel(k->wild));
    EXPECT(CL_SUCCESS, clReleaseKernel(k->fill));
    EXPECT(CL_SUCCESS, clReleaseProgram(k->program));
}

/* Whether what comes behind is enqueued before the command ends or long after, it fails, until the
 * host has been told. */
static void test_behind_failure(cl_command_queue queue, int tell, bool late) {
    cl_int value = 1, got = 0;
    size_t items = 4;
    cl_event wrong, behind;
    struct launches k = launches_open(value);
    EXPECT(CL_SUCCESS,
           clEnqueueNDRangeKernel(queue, k.wild, 1, NULL, &items, NULL, 0, NULL, &wrong));
    if (late) usleep(20000);
    /* To an in-order queue it is nothing new, and another has no order without it. */
    EXPECT(CL_SUCCESS, clEnqueueBarrier(queue));
    if (late) usleep(1000);
    EXPECT(CL_SUCCESS,
           clEnqueueNDRangeKernel(queue, k.fill, 1, NULL, &items, NULL, 0, NULL, &behind));
    let_tell(tell, queue, k.m, behind);
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, k.fill, 1, NULL, &items, NULL, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clFinish(queue));
    EXPECT(CL_SUCCESS,
           clEnqueueReadBuffer(queue, k.m, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL));
    CHECK(got == value);
    CHECK(status_of(wrong) == CL_OUT_OF_RESOURCES);
    CHECK(status_of(behind) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPECT(CL_PROFILING_INFO_NOT_AVAILABLE,
           clGetEventProfilingInfo(wrong, CL_PROFILING_COMMAND_END, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clReleaseEvent(wrong));
    EXPECT(CL_SUCCESS, clReleaseEvent(behind));
    launches_close(&k);
}

/* A command that was behind a failed one when the host was told of it fails later: nothing new.
 * What is enqueued behind that, but waits for none of both, runs. */
static void test_told_before(cl_command_queue queue) {
    cl_int value = 3, got = 0;
    size_t items = 4;
    cl_event wrong, gate = user_event(), late[2], waits[2];
    struct launches k = launches_open(value);
    EXPECT(CL_SUCCESS,
           clEnqueueNDRangeKernel(queue, k.wild, 1, NULL, &items, NULL, 0, NULL, &wrong));
    waits[0] = wrong, waits[1] = gate;
    EXPECT(CL_SUCCESS, clEnqueueBarrierWithWaitList(queue, 2, waits, &late[0]));
    EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &wrong));
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, k.fill, 1, NULL, &items, NULL, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueMarkerWithWaitList(queue, 0, NULL, &late[1]));
    EXPECT(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
    EXPECT(CL_SUCCESS, clFinish(queue));
    CHECK(status_of(late[0]) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(status_of(late[1]) == CL_COMPLETE);
    EXPECT(CL_SUCCESS,
           clEnqueueReadBuffer(queue, k.m, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL));
    CHECK(got == value);
    for (int i = 0; i < 2; i++) EXPECT(CL_SUCCESS, clReleaseEvent(late[i]));
    EXPECT(CL_SUCCESS, clReleaseEvent(gate));
    EXPECT(CL_SUCCESS, clReleaseEvent(wrong));
    launches_close(&k);
}

static void test_wrong(void) {
    cl_int err;
    cl_command_queue other = clCreateCommandQueue(
        a.context, a.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE,
        &err);
    for (int tell = 0; tell < TELLS; tell++)
        for (int late = 0; late < 2; late++) {
            test_behind_failure(a.queue, tell, late);
            test_behind_failure(other, tell, late);
        }
    test_told_before(a.queue);
    test_told_before(other);
    EXPECT(CL_SUCCESS, clReleaseCommandQueue(other));
}

/* Over two queues: what the host is told of the second one, it is told of the first. */
static void test_wrong_elsewhere(void) {
    cl_int err, address = 12;
    size_t items = 4;
    cl_event wrong, behind;
    cl_command_queue other = clCreateCommandQueue(a.context, a.device, 0, &err);
    cl_program p = kernels_program(&a);
    cl_kernel wild = kernels_get(p, "wild");
    cl_mem m = clCreateBuffer(a.context, 0, 64, NULL, &err);
    EXPECT(CL_SUCCESS, clSetKernelArg(wild, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clSetKernelArg(wild, 1, sizeof address, &address));
    EXPECT(CL_SUCCESS,
           clEnqueueNDRangeKernel(a.queue, wild, 1, NULL, &items, NULL, 0, NULL, &wrong));
    EXPECT(CL_SUCCESS, clEnqueueMarkerWithWaitList(other, 1, &wrong, &behind));
    EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &behind));
    EXPECT(CL_SUCCESS, clFinish(a.queue));
    EXPECT(CL_SUCCESS, clFinish(other));
    EXPECT(CL_SUCCESS, clReleaseEvent(wrong));
    EXPECT(CL_SUCCESS, clReleaseEvent(behind));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseKernel(wild));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
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
    test_released_user_event(CL_COMPLETE);
    test_released_user_event(-9);
    if (api_ours) {
        test_wrong();
        test_wrong_elsewhere();
    }
    test_callbacks();
    test_callback_enqueues();
    test_profiling();
    api_close(&a);
    return api_result();
}
