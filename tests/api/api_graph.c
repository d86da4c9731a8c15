/* 8 threads that make 10,000 random calls each on queues, buffers and events that they share;
 * afterwards the graph of all events is checked: everything has completed, nothing began before
 * what it waited for had ended (its wait list, its thread's last command in an in-order queue, its
 * thread's last barrier in another one), and every write is there. How much: the first argument, in
 * percent. */
#include "api.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 8, CALLS = 10000, QUEUES = 4, WAITS = 3, ITEMS = 4, CONSTANT = 77 };

/* A call that made a command, and what has to have ended before it. */
struct node {
    cl_event event;
    struct node *waits[WAITS + 2];
    int nwaits;
    int value; /* what it wrote to its place; 0: nothing */
};

struct thread {
    pthread_t id;
    unsigned seed;
    struct node nodes[CALLS];
    atomic_int made; /* nodes that others may wait for */
    struct node *
        last[QUEUES]; /* in an in-order queue: the last command; in another one: the last barrier */
    cl_kernel fill;
};

static struct api a;
static cl_program program;
static cl_command_queue queues[QUEUES]; /* the even ones in order */
static cl_mem places, source;           /* ITEMS numbers for each node; ITEMS times CONSTANT */
static struct thread threads[THREADS];
static int calls = CALLS;

static unsigned next(struct thread *t) {
    t->seed = t->seed * 1664525 + 1013904223;
    return t->seed >> 8;
}

static void depends(struct node *n, struct node *on) {
    if (on) n->waits[n->nwaits++] = on;
}

/* Up to WAITS commands that any thread has enqueued. */
static cl_uint choose_waits(struct thread *t, struct node *n, cl_event *events) {
    cl_uint count = 0, most = next(t) % (WAITS + 1);
    for (cl_uint i = 0; i < most; i++) {
        struct thread *from = &threads[next(t) % THREADS];
        int made = atomic_load_explicit(&from->made, memory_order_acquire);
        if (!made) continue;
        struct node *other = &from->nodes[next(t) % (unsigned)made];
        depends(n, other);
        events[count++] = other->event;
    }
    return count;
}

static size_t place(const struct thread *t, const struct node *n) {
    return ((size_t)(t - threads) * CALLS + (size_t)(n - t->nodes)) * ITEMS * sizeof(cl_int);
}

/* What is called between the commands: none of it may change anything. */
static void others(struct thread *t, cl_command_queue q) {
    cl_int err;
    cl_mem m;
    cl_uint count;
    switch (next(t) % 8) {
    case 0:
        EXPECT_NEW(CL_SUCCESS, m = clCreateBuffer(a.context, 0, 64 + next(t) % 4096, NULL, &err));
        EXPECT(CL_SUCCESS, clReleaseMemObject(m));
        break;
    case 1: EXPECT(CL_SUCCESS, clFlush(q)); break;
    case 2:
        EXPECT(CL_SUCCESS, clRetainMemObject(places));
        EXPECT(CL_SUCCESS, clReleaseMemObject(places));
        break;
    case 3:
        EXPECT(CL_SUCCESS,
               clGetContextInfo(a.context, CL_CONTEXT_NUM_DEVICES, sizeof count, &count, NULL));
        break;
    case 4:
        if (next(t) % 64 == 0) EXPECT(CL_SUCCESS, clFinish(q));
        break;
    default: break;
    }
}

static void kernel(struct thread *t, struct node *n, cl_command_queue q, cl_uint count,
                   const cl_event *waits) {
    size_t offset = place(t, n) / sizeof(cl_int), items = ITEMS;
    cl_int value = n->value - (cl_int)offset; /* fill adds the work-item's global index */
    EXPECT(CL_SUCCESS, clSetKernelArg(t->fill, 1, sizeof value, &value));
    EXPECT(CL_SUCCESS,
           clEnqueueNDRangeKernel(q, t->fill, 1, &offset, &items, NULL, count, waits, &n->event));
}

/* A command behind a user event that is set only when the command is in its queue. */
static void gated(struct node *n, cl_command_queue q, cl_uint count, cl_event *waits) {
    cl_int err;
    cl_event gate;
    EXPECT_NEW(CL_SUCCESS, gate = clCreateUserEvent(a.context, &err));
    waits[count] = gate;
    EXPECT(CL_SUCCESS, clEnqueueMarkerWithWaitList(q, count + 1, waits, &n->event));
    EXPECT(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
    EXPECT(CL_SUCCESS, clReleaseEvent(gate));
}

static void command(struct thread *t, struct node *n) {
    cl_int into = 0;
    cl_event events[WAITS + 1];
    unsigned at = next(t) % QUEUES, what = next(t) % 10;
    cl_command_queue q = queues[at];
    cl_uint count = choose_waits(t, n, events);
    const cl_event *waits = count ? events : NULL;
    depends(n, t->last[at]);
    n->value = what < 5 ? 1 + (int)(next(t) & 0xffff) : what < 7 ? CONSTANT : 0;
    size_t size = ITEMS * sizeof n->value;
    switch (what) {
    case 0:
    case 1:
    case 2: kernel(t, n, q, count, waits); break;
    case 3:
        EXPECT(CL_SUCCESS, clEnqueueFillBuffer(q, places, &n->value, sizeof n->value, place(t, n),
                                               size, count, waits, &n->event));
        break;
    case 4: /* blocking, as what is written is on the stack: that one number */
        EXPECT(CL_SUCCESS, clEnqueueWriteBuffer(q, places, CL_TRUE, place(t, n), sizeof n->value,
                                                &n->value, count, waits, &n->event));
        break;
    case 5:
    case 6:
        EXPECT(CL_SUCCESS, clEnqueueCopyBuffer(q, source, places, 0, place(t, n), size, count,
                                               waits, &n->event));
        break;
    case 7: gated(n, q, count, events); break;
    case 8:
        EXPECT(CL_SUCCESS, clEnqueueBarrierWithWaitList(q, count, waits, &n->event));
        if (at % 2) t->last[at] = n;
        break;
    default:
        EXPECT(CL_SUCCESS, clEnqueueReadBuffer(q, source, CL_TRUE, 4, sizeof into, &into, count,
                                               waits, &n->event));
        CHECK(into == CONSTANT);
    }
    if (at % 2 == 0) t->last[at] = n;
    others(t, q);
}

static void *work(void *arg) {
    struct thread *t = arg;
    t->fill = kernels_get(program, "fill");
    EXPECT(CL_SUCCESS, clSetKernelArg(t->fill, 0, sizeof places, &places));
    for (int i = 0; i < calls && !api_failures; i++) {
        command(t, &t->nodes[i]);
        atomic_store_explicit(&t->made, i + 1, memory_order_release);
    }
    EXPECT(CL_SUCCESS, clReleaseKernel(t->fill));
    return NULL;
}

/* ---- afterwards ---- */

static cl_ulong time_of(const struct node *n, cl_profiling_info what) {
    cl_ulong t = 0;
    EXPECT(CL_SUCCESS, clGetEventProfilingInfo(n->event, what, sizeof t, &t, NULL));
    return t;
}

static void check_node(const struct thread *t, const struct node *n, const cl_int *numbers) {
    cl_int status = 1;
    EXPECT(CL_SUCCESS, clGetEventInfo(n->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                                      &status, NULL));
    CHECK(status == CL_COMPLETE);
    cl_ulong start = time_of(n, CL_PROFILING_COMMAND_START);
    CHECK(time_of(n, CL_PROFILING_COMMAND_QUEUED) <= time_of(n, CL_PROFILING_COMMAND_SUBMIT));
    CHECK(time_of(n, CL_PROFILING_COMMAND_SUBMIT) <= start);
    CHECK(start <= time_of(n, CL_PROFILING_COMMAND_END));
    for (int i = 0; i < n->nwaits; i++)
        CHECK(time_of(n->waits[i], CL_PROFILING_COMMAND_END) <= start);
    if (n->value) CHECK(numbers[place(t, n) / sizeof *numbers] == n->value);
}

static void check_graph(void) {
    size_t bytes = (size_t)THREADS * CALLS * ITEMS * sizeof(cl_int);
    cl_int *numbers = malloc(bytes);
    EXPECT(CL_SUCCESS,
           clEnqueueReadBuffer(queues[0], places, CL_TRUE, 0, bytes, numbers, 0, NULL, NULL));
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < threads[t].made && api_failures < 20; i++)
            check_node(&threads[t], &threads[t].nodes[i], numbers);
    free(numbers);
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < threads[t].made; i++)
            EXPECT(CL_SUCCESS, clReleaseEvent(threads[t].nodes[i].event));
}

int main(int argc, char **argv) {
    if (argc > 1) calls = CALLS * atoi(argv[1]) / 100;
    a = api_open();
    program = kernels_program(&a);
    cl_int err;
    for (int i = 0; i < QUEUES; i++) {
        cl_command_queue_properties how =
            CL_QUEUE_PROFILING_ENABLE | (i % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
        EXPECT_NEW(CL_SUCCESS, queues[i] = clCreateCommandQueue(a.context, a.device, how, &err));
    }
    places =
        clCreateBuffer(a.context, 0, (size_t)THREADS * CALLS * ITEMS * sizeof(cl_int), NULL, &err);
    cl_int constants[ITEMS] = {CONSTANT, CONSTANT, CONSTANT, CONSTANT};
    source = clCreateBuffer(a.context, CL_MEM_COPY_HOST_PTR, sizeof constants, constants, &err);
    for (int i = 0; i < THREADS; i++) {
        threads[i].seed = (unsigned)i * 7919 + 17;
        pthread_create(&threads[i].id, NULL, work, &threads[i]);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i].id, NULL);
    for (int i = 0; i < QUEUES; i++) EXPECT(CL_SUCCESS, clFinish(queues[i]));
    check_graph();
    for (int i = 0; i < QUEUES; i++) EXPECT(CL_SUCCESS, clReleaseCommandQueue(queues[i]));
    EXPECT(CL_SUCCESS, clReleaseMemObject(places));
    EXPECT(CL_SUCCESS, clReleaseMemObject(source));
    EXPECT(CL_SUCCESS, clReleaseProgram(program));
    api_close(&a);
    return api_result();
}
