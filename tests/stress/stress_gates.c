/* The pattern of NVIDIA's oclMultiThreads: many threads, each with a queue, hold their commands
 * behind a user event whose last reference they release at once; another thread sets its status,
 * and callbacks look at what came of it. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "tests/api/api.h"

enum { THREADS = 8, ROUNDS = 60, ITEMS = 64, WRONG = 5 /* every fifth gate is set to an error */ };

static struct api a;
static cl_program program;

/* One round of one thread. */
struct gate_round {
    cl_int got[ITEMS], first;
    atomic_int heard; /* what the callback was told; 1: it has not been called */
};

/* Where a thread leaves its gate for the one beside it to set. */
static struct {
    cl_event _Atomic gate;
    cl_int status;
} slots[THREADS];

static void CL_CALLBACK hear(cl_event e, cl_int status, void *round) {
    (void)e;
    atomic_store(&((struct gate_round *)round)->heard, status);
}

static void wait_for(atomic_int *heard) {
    while (atomic_load(heard) == 1) usleep(50);
}

/* Commands behind a gate, in an order of their own: a kernel, and what it wrote, read. */
static void enqueue(cl_command_queue queue, cl_kernel k, cl_mem m, struct gate_round *r,
                    unsigned slot, cl_int status) {
    size_t items = ITEMS;
    cl_int err;
    cl_event gate, ran, read;
    EXPECT_NEW(CL_SUCCESS, gate = clCreateUserEvent(a.context, &err));
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 1, sizeof r->first, &r->first));
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, NULL, 1, &gate, &ran));
    EXPECT(CL_SUCCESS,
           clEnqueueReadBuffer(queue, m, CL_FALSE, 0, sizeof r->got, r->got, 1, &ran, &read));
    EXPECT(CL_SUCCESS, clSetEventCallback(read, CL_COMPLETE, hear, r));
    EXPECT(CL_SUCCESS, clFlush(queue));
    EXPECT(CL_SUCCESS, clReleaseEvent(ran));
    EXPECT(CL_SUCCESS, clReleaseEvent(read));
    EXPECT(CL_SUCCESS, clReleaseEvent(gate));
    CHECK(atomic_load(&r->heard) == 1);
    slots[slot].status = status;
    atomic_store(&slots[slot].gate, gate);
}

/* Sets the gate that the thread beside this one has left. */
static void set(unsigned slot) {
    cl_event gate;
    while (!(gate = atomic_exchange(&slots[slot].gate, NULL))) usleep(50);
    EXPECT(CL_SUCCESS, clSetUserEventStatus(gate, slots[slot].status));
}

static void check(const struct gate_round *r, cl_int status) {
    CHECK(status < 0 ? r->heard < 0 : r->heard == CL_COMPLETE);
    int wrong = 0;
    for (int i = 0; i < ITEMS; i++) wrong += r->got[i] != (status < 0 ? -1 : r->first + i);
    CHECK(!wrong);
}

static void *work(void *number) {
    unsigned slot = (unsigned)(uintptr_t)number;
    cl_int err;
    cl_command_queue queue;
    cl_mem m;
    EXPECT_NEW(CL_SUCCESS, queue = clCreateCommandQueue(a.context, a.device, 0, &err));
    EXPECT_NEW(CL_SUCCESS, m = clCreateBuffer(a.context, 0, ITEMS * sizeof(cl_int), NULL, &err));
    cl_kernel k = kernels_get(program, "fill");
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 0, sizeof m, &m));
    for (int n = 0; n < ROUNDS; n++) {
        struct gate_round r = {.first = n * THREADS + (cl_int)slot, .heard = 1};
        cl_int status = n % WRONG == WRONG - 1 ? -5 : CL_COMPLETE;
        for (int i = 0; i < ITEMS; i++) r.got[i] = -1;
        enqueue(queue, k, m, &r, slot, status);
        set((slot + 1) % THREADS);
        wait_for(&r.heard);
        check(&r, status);
        clFinish(queue); /* the host has been told */
    }
    EXPECT(CL_SUCCESS, clReleaseKernel(k));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseCommandQueue(queue));
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    a = api_open();
    program = kernels_program(&a);
    for (uintptr_t i = 0; i < THREADS; i++)
        CHECK(!pthread_create(&threads[i], NULL, work, (void *)i));
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    EXPECT(CL_SUCCESS, clReleaseProgram(program));
    api_close(&a);
    return api_result();
}
