/* Many small launches, which the driver may leave lying until somebody waits for them, and run on
 * whatever thread that is: they end when nobody does, too, in order, whatever is released
 * meanwhile, and on all threads at once. */
#include "api.h"

#include <pthread.h>
#include <sched.h>

enum { ITEMS = 64, MANY = 100, ROUNDS = 40, THREADS = 6, STEPS = 400 };

static struct api a;
static cl_program program;

static cl_command_queue new_queue(cl_command_queue_properties how) {
    cl_int err;
    cl_command_queue q = NULL;
    EXPECT_NEW(CL_SUCCESS, q = clCreateCommandQueue(a.context, a.device, how, &err));
    return q;
}

static cl_mem new_buffer(void) {
    cl_int err;
    cl_mem m = NULL;
    EXPECT_NEW(CL_SUCCESS, m = clCreateBuffer(a.context, 0, ITEMS * sizeof(cl_int), NULL, &err));
    return m;
}

static cl_kernel new_fill(cl_mem out) {
    cl_kernel k = kernels_get(program, "fill");
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 0, sizeof out, &out));
    return k;
}

static void launch(cl_command_queue q, cl_kernel k, cl_int value, cl_uint n, const cl_event *waits,
                   cl_event *event) {
    size_t items = ITEMS;
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 1, sizeof value, &value));
    EXPECT(CL_SUCCESS,
           clEnqueueNDRangeKernel(q, k, 1, NULL, &items, &items, n, n ? waits : NULL, event));
}

static void expect_last(cl_command_queue q, cl_mem m, cl_int value) {
    cl_int got[ITEMS] = {0};
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (int i = 0; i < ITEMS; i++) CHECK(got[i] == value + i);
}

static void CL_CALLBACK destroyed(cl_mem m, void *count) {
    (void)m;
    atomic_fetch_add((atomic_int *)count, 1);
}

static void CL_CALLBACK ended(cl_event e, cl_int status, void *count) {
    (void)e;
    CHECK(status == CL_COMPLETE);
    atomic_fetch_add((atomic_int *)count, 1);
}

/* Launches are known to be small when one has run. */
static void warm_up(cl_kernel k) {
    for (int i = 0; i < 3; i++) {
        launch(a.queue, k, i, 0, NULL, NULL);
        EXPECT(CL_SUCCESS, clFinish(a.queue));
    }
}

/* Everything is released while the launches lie there, and nobody waits for them: their memory
 * goes when the last one has run. */
static void released(int launches, cl_event gate) {
    atomic_int gone = 0;
    cl_mem m = new_buffer();
    cl_kernel k = new_fill(m);
    cl_command_queue q = new_queue(0);
    EXPECT(CL_SUCCESS, clSetMemObjectDestructorCallback(m, destroyed, &gone));
    warm_up(k);
    for (int i = 0; i < launches; i++) launch(q, k, i, !i && gate, gate ? &gate : NULL, NULL);
    EXPECT(CL_SUCCESS, clReleaseCommandQueue(q));
    EXPECT(CL_SUCCESS, clReleaseKernel(k));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    if (gate) {
        CHECK(!atomic_load(&gone));
        EXPECT(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
    }
    while (!atomic_load(&gone)) sched_yield();
    CHECK(atomic_load(&gone) == 1);
}

static void released_in_flight(void) {
    cl_int err;
    for (int i = 0; i < ROUNDS; i++) {
        released(1, NULL);
        released(i + 2, NULL);
        cl_event gate = NULL;
        EXPECT_NEW(CL_SUCCESS, gate = clCreateUserEvent(a.context, &err));
        released(MANY, gate);
        EXPECT(CL_SUCCESS, clReleaseEvent(gate));
    }
}

static void poll_for(cl_event e) {
    cl_int status = CL_QUEUED;
    while (status > CL_COMPLETE) {
        cl_int error =
            clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
        if (!CHECK(error == CL_SUCCESS)) return;
    }
    CHECK(status == CL_COMPLETE);
}

/* One launch, whose end is asked for again and again, or told of by a callback, or which has
 * nothing that shows it but the wait of another thread's queue. */
static void nobody_waits(void) {
    cl_mem m = new_buffer();
    cl_kernel k = new_fill(m);
    cl_command_queue other = new_queue(0);
    warm_up(k);
    for (int i = 0; i < ROUNDS; i++) {
        cl_event e = NULL;
        atomic_int told = 0;
        launch(a.queue, k, i, 0, NULL, &e);
        poll_for(e);
        EXPECT(CL_SUCCESS, clReleaseEvent(e));
        launch(a.queue, k, i, 0, NULL, &e);
        EXPECT(CL_SUCCESS, clSetEventCallback(e, CL_COMPLETE, ended, &told));
        EXPECT(CL_SUCCESS, clReleaseEvent(e));
        while (!atomic_load(&told)) sched_yield();
        launch(a.queue, k, i + 1, 0, NULL, &e);
        EXPECT(CL_SUCCESS, clEnqueueMarkerWithWaitList(other, 1, &e, NULL));
        EXPECT(CL_SUCCESS, clReleaseEvent(e));
        EXPECT(CL_SUCCESS, clFinish(other));
        expect_last(other, m, i + 1);
        EXPECT(CL_SUCCESS, clFinish(a.queue));
    }
    EXPECT(CL_SUCCESS, clReleaseCommandQueue(other));
    EXPECT(CL_SUCCESS, clReleaseKernel(k));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
}

/* What lies in front of a launch that goes wrong has run, what lies behind it has not, and the
 * queue goes on when the host has been told. */
static void one_goes_wrong(void) {
    if (!api_ours) return;
    cl_int address = 64;
    size_t items = ITEMS;
    cl_mem m = new_buffer();
    cl_kernel k = new_fill(m), wild = kernels_get(program, "wild");
    cl_command_queue q = new_queue(0);
    EXPECT(CL_SUCCESS, clSetKernelArg(wild, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clSetKernelArg(wild, 1, sizeof address, &address));
    warm_up(k);
    for (int i = 0; i < ROUNDS; i++) {
        for (int n = 0; n < i; n++) launch(q, k, n, 0, NULL, NULL);
        EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(q, wild, 1, NULL, &items, &items, 0, NULL, NULL));
        for (int n = 0; n < MANY; n++) launch(q, k, MANY + n, 0, NULL, NULL);
        EXPECT(CL_OUT_OF_RESOURCES, clFinish(q));
        if (i) expect_last(q, m, i - 1);
        launch(q, k, i, 0, NULL, NULL);
        expect_last(q, m, i);
    }
    EXPECT(CL_SUCCESS, clReleaseCommandQueue(q));
    EXPECT(CL_SUCCESS, clReleaseKernel(k));
    EXPECT(CL_SUCCESS, clReleaseKernel(wild));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
}

/* ---- several threads ---- */

static cl_command_queue shared;

struct launcher {
    pthread_t id;
    unsigned seed;
    atomic_int told;
};

static unsigned next(struct launcher *t) {
    t->seed = t->seed * 1664525 + 1013904223;
    return t->seed >> 8;
}

/* A launch in the thread's own queue or in the one of all, mostly without an event; some events are
 * released at once, with a callback or without. */
static void any_launch(struct launcher *t, cl_command_queue q, cl_kernel k, cl_int value,
                       int *callbacks) {
    cl_event e = NULL;
    unsigned how = next(t) % 8;
    launch(q, k, value, 0, NULL, how < 3 ? &e : NULL);
    if (how == 0) {
        EXPECT(CL_SUCCESS, clSetEventCallback(e, CL_COMPLETE, ended, &t->told));
        ++*callbacks;
    }
    if (how == 1) EXPECT(CL_SUCCESS, clWaitForEvents(1, &e));
    if (e) EXPECT(CL_SUCCESS, clReleaseEvent(e));
}

static void *launches(void *user) {
    struct launcher *t = user;
    int callbacks = 0;
    cl_mem m = new_buffer();
    cl_kernel k = new_fill(m);
    cl_command_queue own = new_queue(0);
    for (int i = 0; i < STEPS; i++) {
        cl_command_queue q = next(t) % 2 ? shared : own;
        for (unsigned n = next(t) % 40; n; n--) any_launch(t, q, k, i + (cl_int)n, &callbacks);
        any_launch(t, q, k, i, &callbacks);
        switch (next(t) % 4) {
        case 0: EXPECT(CL_SUCCESS, clFlush(q)); break;
        case 1: EXPECT(CL_SUCCESS, clFinish(q)); break;
        }
        expect_last(q, m, i);
        if (next(t) % 16) continue;
        EXPECT(CL_SUCCESS, clReleaseCommandQueue(own));
        own = new_queue(0);
    }
    while (atomic_load(&t->told) < callbacks) sched_yield();
    CHECK(atomic_load(&t->told) == callbacks);
    EXPECT(CL_SUCCESS, clReleaseCommandQueue(own));
    EXPECT(CL_SUCCESS, clReleaseKernel(k));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    return NULL;
}

static void on_all_threads(void) {
    struct launcher threads[THREADS];
    shared = new_queue(0);
    for (unsigned i = 0; i < THREADS; i++) {
        threads[i].seed = i * 7919 + 17;
        atomic_init(&threads[i].told, 0);
        pthread_create(&threads[i].id, NULL, launches, &threads[i]);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i].id, NULL);
    EXPECT(CL_SUCCESS, clReleaseCommandQueue(shared));
}

int main(void) {
    a = api_open();
    program = kernels_program(&a);
    released_in_flight();
    nobody_waits();
    one_goes_wrong();
    on_all_threads();
    EXPECT_INFO(clGetContextInfo, a.context, CL_CONTEXT_REFERENCE_COUNT, cl_uint, 1);
    EXPECT(CL_SUCCESS, clReleaseProgram(program));
    api_close(&a);
    return api_result();
}
