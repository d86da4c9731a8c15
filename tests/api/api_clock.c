/* The device's own clock (SIMTCL_TIME=model): when commands would have been queued, submitted,
 * begun and ended, to the nanosecond. docs/clock.md has the rules; how long one takes is
 * device/gpu/time.h's. */
#include "api.h"
#include "device/device.h"

API_SETTING("SIMTCL_TIME", "model")

/* runtime/clock.def */
enum { BEGIN = 1000000000, CALL = 5000, WAKE = 2000 };
#define LAUNCH way() /* a launch's to the device */
enum { BYTES = 1 << 20, ITEMS = 4096 };

static struct api a;
static const struct model *model;
static bool overlap;                /* copies beside kernels */
static cl_command_queue other, any; /* in order; in any order */
static cl_program program;
static cl_kernel spin;
static cl_mem plain, locked; /* the host's memory is pageable, page-locked */
static void *mapped;         /* of another one that is page-locked */
/* What a queue's launches write, and its copies: commands that nothing orders run at once, and two
 * that wrote the same bytes would be a race of this program's. */
static struct target { cl_mem spun, filled; } targets[3];
static char pageable[BYTES];
static cl_ulong now = BEGIN; /* what the host's time has to be */
static cl_ulong launch;      /* what one takes */

struct times {
    cl_ulong queued, submit, start, end;
};

static cl_ulong time_of(cl_event e, cl_profiling_info step) {
    cl_ulong t = 0;
    EXPECT(CL_SUCCESS, clGetEventProfilingInfo(e, step, sizeof t, &t, NULL));
    return t;
}

static struct times times_of(cl_event e) {
    return (struct times){
        time_of(e, CL_PROFILING_COMMAND_QUEUED), time_of(e, CL_PROFILING_COMMAND_SUBMIT),
        time_of(e, CL_PROFILING_COMMAND_START), time_of(e, CL_PROFILING_COMMAND_END)};
}

static void is_at(int line, cl_event e, cl_ulong queued, cl_ulong submit, cl_ulong start,
                  cl_ulong took) {
    struct times t = times_of(e);
    bool good =
        t.queued == queued && t.submit == submit && t.start == start && t.end == start + took;
    if (!good)
        fprintf(stderr,
                "line %d: queued %lld of %lld, submitted %lld of %lld, %lld of %lld, took "
                "%lld of %lld\n",
                line, (long long)t.queued - BEGIN, (long long)queued - BEGIN,
                (long long)t.submit - BEGIN, (long long)submit - BEGIN, (long long)t.start - BEGIN,
                (long long)start - BEGIN, (long long)(t.end - t.start), (long long)took);
    CHECK(good);
    EXPECT(CL_SUCCESS, clReleaseEvent(e));
}
/* A command that was queued at `queued`, and submitted when its call ended. */
#define IS_AT(e, queued, start, took) is_at(__LINE__, e, queued, (queued) + CALL, start, took)
#define IS_SUBMITTED_AT(e, queued, submit, start, took)                                            \
    is_at(__LINE__, e, queued, submit, start, took)

/* The host's time goes on. */
static cl_ulong call(void) {
    now += CALL;
    return now - CALL;
}
static void wait_until(cl_ulong end) {
    if (now < end) now = end + WAKE;
}
static cl_ulong latest(cl_ulong x, cl_ulong y) { return x > y ? x : y; }

static cl_ulong ns(double seconds) { return (cl_ulong)(seconds * 1e9 + 0.5); }
static cl_ulong way(void) { return ns(gpu_time_parameter(model, GPU_TIMING_launch_us) * 1e-6); }
static cl_ulong up(bool page_locked) {
    return ns(gpu_time_transfer(model, BYTES, true, page_locked));
}
static cl_ulong down(bool page_locked) {
    return ns(gpu_time_transfer(model, BYTES, false, page_locked));
}
static cl_ulong on_device(size_t read, size_t written) {
    return ns(gpu_time_copy(model, read, written) -
              gpu_time_parameter(model, GPU_TIMING_launch_us) * 1e-6);
}

/* ---- calls ---- */

static struct target *target(cl_command_queue q) {
    return &targets[q == other ? 1 : q == any ? 2 : 0];
}

static cl_event enqueue_write(cl_command_queue q, const void *from, cl_uint n,
                              const cl_event *waits) {
    cl_event e = NULL;
    EXPECT(CL_SUCCESS,
           clEnqueueWriteBuffer(q, target(q)->filled, CL_FALSE, 0, BYTES, from, n, waits, &e));
    return e;
}

static cl_event enqueue_launch(cl_command_queue q, cl_uint n, const cl_event *waits) {
    const size_t items = ITEMS, group = 64;
    cl_event e = NULL;
    EXPECT(CL_SUCCESS, clSetKernelArg(spin, 0, sizeof(cl_mem), &target(q)->spun));
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(q, spin, 1, NULL, &items, &group, n, waits, &e));
    return e;
}

static cl_event enqueue_marker(cl_command_queue q, cl_uint n, const cl_event *waits) {
    cl_event e = NULL;
    EXPECT(CL_SUCCESS, clEnqueueMarkerWithWaitList(q, n, waits, &e));
    return e;
}

static void finish(cl_command_queue q, cl_ulong end) {
    EXPECT(CL_SUCCESS, clFinish(q));
    wait_until(end);
}

/* ---- what one command takes ---- */

static void test_first(void) {
    cl_event e = enqueue_write(a.queue, pageable, 0, NULL);
    finish(a.queue, BEGIN + CALL + up(false));
    IS_AT(e, BEGIN, BEGIN + CALL, up(false));
    CHECK(now == BEGIN + CALL + up(false) + WAKE);
    EXPECT_INFO(clGetDeviceInfo, a.device, CL_DEVICE_PROFILING_TIMER_RESOLUTION, size_t, 1);
}

static void test_transfers(void) {
    cl_event e;
    /* from and to memory of either kind; blocking ones, behind which the host's time goes on */
    EXPECT(CL_SUCCESS,
           clEnqueueReadBuffer(a.queue, plain, CL_TRUE, 0, BYTES, pageable, 0, NULL, &e));
    cl_ulong at = call();
    wait_until(at + CALL + down(false));
    IS_AT(e, at, at + CALL, down(false));
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(a.queue, plain, CL_TRUE, 0, BYTES, mapped, 0, NULL, &e));
    at = call();
    wait_until(at + CALL + down(true));
    IS_AT(e, at, at + CALL, down(true));
    EXPECT(CL_SUCCESS,
           clEnqueueWriteBuffer(a.queue, plain, CL_TRUE, 0, BYTES, mapped, 0, NULL, &e));
    at = call();
    wait_until(at + CALL + up(true));
    IS_AT(e, at, at + CALL, up(true));
    CHECK(up(true) < up(false));
    /* maps, and giving back what was not written */
    cl_int err;
    void *p;
    EXPECT_NEW(CL_SUCCESS, p = clEnqueueMapBuffer(a.queue, plain, CL_TRUE, CL_MAP_READ, 0, BYTES, 0,
                                                  NULL, &e, &err));
    at = call();
    wait_until(at + CALL + down(false));
    IS_AT(e, at, at + CALL, down(false));
    EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(a.queue, plain, p, 0, NULL, &e));
    at = call();
    finish(a.queue, at + CALL);
    IS_AT(e, at, at + CALL, 0);
    EXPECT_NEW(CL_SUCCESS, p = clEnqueueMapBuffer(a.queue, locked, CL_TRUE, CL_MAP_WRITE, 0, BYTES,
                                                  0, NULL, &e, &err));
    at = call();
    wait_until(at + CALL + down(true));
    IS_AT(e, at, at + CALL, down(true));
    EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(a.queue, locked, p, 0, NULL, &e));
    at = call();
    finish(a.queue, at + CALL + up(true));
    IS_AT(e, at, at + CALL, up(true));
}

static void test_on_device(void) {
    cl_event e;
    cl_int pattern = 7;
    EXPECT(CL_SUCCESS, clEnqueueCopyBuffer(a.queue, plain, locked, 0, 0, BYTES, 0, NULL, &e));
    cl_ulong at = call();
    finish(a.queue, at + CALL + LAUNCH + on_device(BYTES, BYTES));
    IS_AT(e, at, at + CALL + LAUNCH, on_device(BYTES, BYTES));
    EXPECT(CL_SUCCESS,
           clEnqueueFillBuffer(a.queue, plain, &pattern, sizeof pattern, 0, BYTES, 0, NULL, &e));
    at = call();
    finish(a.queue, at + CALL + LAUNCH + on_device(0, BYTES));
    IS_AT(e, at, at + CALL + LAUNCH, on_device(0, BYTES));
}

/* Launches of one kernel take the same; the second begins when the first ends. */
static void test_launches(void) {
    cl_event first = enqueue_launch(a.queue, 0, NULL), second = enqueue_launch(a.queue, 0, NULL);
    EXPECT(CL_SUCCESS, clFinish(a.queue));
    struct times t = times_of(first);
    launch = t.end - t.start;
    CHECK(launch > 2 * LAUNCH); /* so that the tests below mean something */
    cl_ulong at = call(), next = call(), start = at + CALL + LAUNCH;
    wait_until(start + 2 * launch);
    IS_AT(first, at, start, launch);
    IS_AT(second, next, start + launch, launch);
    /* nothing is left to wait for */
    EXPECT(CL_SUCCESS, clFinish(a.queue));
    cl_event e = enqueue_marker(a.queue, 0, NULL);
    at = call();
    finish(a.queue, at + CALL);
    IS_AT(e, at, at + CALL, 0);
}

/* ---- several queues ---- */

/* Kernels one after the other, in the order of their calls; a copy from page-locked memory beside
 * them where the device can, any other when it has the device for itself. */
static void test_two_queues(void) {
    cl_event k = enqueue_launch(a.queue, 0, NULL), w = enqueue_write(other, mapped, 0, NULL),
             l = enqueue_launch(other, 0, NULL), p = enqueue_write(a.queue, pageable, 0, NULL),
             d = enqueue_launch(a.queue, 0, NULL);
    cl_ulong at[5];
    for (int i = 0; i < 5; i++) at[i] = call();
    cl_ulong first = at[0] + CALL + LAUNCH, copy = overlap ? at[1] + CALL : first + launch;
    cl_ulong second = latest(first + launch, copy + up(true)), third = second + launch;
    finish(other, second + launch);
    finish(a.queue, third + up(false) + launch);
    IS_AT(k, at[0], first, launch);
    IS_AT(w, at[1], copy, up(true));
    IS_AT(l, at[2], second, launch);
    IS_AT(p, at[3], third, up(false));
    IS_AT(d, at[4], third + up(false), launch);
}

/* The host has waited for one queue alone: what another one has before it on the device counts. */
static void test_other_queue_first(void) {
    cl_event k = enqueue_launch(other, 0, NULL), l = enqueue_launch(a.queue, 0, NULL);
    cl_ulong at = call(), then = call(), start = at + CALL + LAUNCH;
    EXPECT(CL_SUCCESS, clWaitForEvents(1, &l));
    wait_until(start + 2 * launch);
    cl_event m = enqueue_marker(a.queue, 0, NULL);
    cl_ulong later = call();
    finish(a.queue, later + CALL);
    IS_AT(m, later, later + CALL, 0);
    finish(other, start + launch);
    IS_AT(k, at, start, launch);
    IS_AT(l, then, start + launch, launch);
}

static void test_wait_list(void) {
    cl_event w = enqueue_write(other, mapped, 0, NULL), k = enqueue_launch(a.queue, 1, &w),
             m = enqueue_marker(other, 1, &k), both[2] = {w, k};
    cl_ulong at = call(), then = call(), last = call(), end = at + CALL + up(true);
    EXPECT(CL_SUCCESS, clWaitForEvents(2, both));
    wait_until(end + launch);
    EXPECT(CL_SUCCESS, clFinish(other));
    cl_ulong start = latest(end, then + CALL + LAUNCH);
    IS_AT(w, at, at + CALL, up(true));
    IS_AT(k, then, start, launch);
    IS_AT(m, last, start + launch, 0);
}

/* ---- a queue in any order ---- */

static void test_out_of_order(void) {
    cl_event k = enqueue_launch(any, 0, NULL), w = enqueue_write(any, mapped, 0, NULL), b;
    cl_ulong at = call(), copy = call(), first = at + CALL + LAUNCH;
    cl_ulong begun = overlap ? copy + CALL : first + launch;
    EXPECT(CL_SUCCESS, clEnqueueBarrierWithWaitList(any, 0, NULL, &b));
    cl_ulong barrier = call(), open = latest(first + launch, begun + up(true));
    cl_event v = enqueue_write(any, mapped, 0, NULL), l = enqueue_launch(any, 0, NULL);
    cl_ulong second = call(), third = call();
    cl_event m = enqueue_marker(any, 1, &v), all = enqueue_marker(any, 0, NULL);
    cl_ulong one = call(), every = call();
    cl_ulong behind = overlap ? open : open + up(true);
    finish(any, latest(behind + launch, open + up(true)));
    IS_AT(k, at, first, launch);
    IS_AT(w, copy, begun, up(true));
    IS_AT(b, barrier, open, 0);
    IS_AT(v, second, open, up(true));
    IS_AT(l, third, behind, launch);
    IS_AT(m, one, open + up(true), 0);
    IS_AT(all, every, latest(behind + launch, open + up(true)), 0);
}

/* A part of the device takes longer, and has no engines of its own. */
static void test_sub_device(void) {
    cl_int err;
    cl_device_id half[2];
    cl_event e[2];
    cl_context context;
    const cl_device_partition_property by[] = {CL_DEVICE_PARTITION_BY_COUNTS, 3, 1,
                                               CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    EXPECT(CL_SUCCESS, clCreateSubDevices(a.device, by, 2, half, NULL));
    EXPECT_NEW(CL_SUCCESS, context = clCreateContext(NULL, 2, half, NULL, NULL, &err));
    cl_program part = kernels_program_for(context, 2, half);
    cl_kernel k = kernels_get(part, "spin");
    cl_mem m[2];
    cl_int n = 2000;
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 1, sizeof n, &n));
    cl_command_queue q[2];
    const size_t items = ITEMS, group = 64;
    for (int i = 0; i < 2; i++) {
        EXPECT_NEW(CL_SUCCESS,
                   q[i] = clCreateCommandQueue(context, half[i], CL_QUEUE_PROFILING_ENABLE, &err));
        EXPECT_NEW(CL_SUCCESS, m[i] = clCreateBuffer(context, 0, BYTES, NULL, &err));
        EXPECT(CL_SUCCESS, clSetKernelArg(k, 0, sizeof m[i], &m[i]));
        EXPECT(CL_SUCCESS,
               clEnqueueNDRangeKernel(q[i], k, 1, NULL, &items, &group, 0, NULL, &e[i]));
    }
    EXPECT(CL_SUCCESS, clWaitForEvents(2, e));
    struct times t[2] = {times_of(e[0]), times_of(e[1])};
    CHECK(t[0].end - t[0].start > 2 * launch);
    CHECK(t[1].end - t[1].start > 2 * (t[0].end - t[0].start));
    cl_ulong at = call(), then = call(), start = at + CALL + LAUNCH;
    wait_until(t[1].end);
    IS_AT(e[1], then, t[0].end, t[1].end - t[1].start);
    IS_AT(e[0], at, start, t[0].end - t[0].start);
    EXPECT(CL_SUCCESS, clReleaseKernel(k));
    EXPECT(CL_SUCCESS, clReleaseProgram(part));
    for (int i = 0; i < 2; i++) {
        EXPECT(CL_SUCCESS, clReleaseMemObject(m[i]));
        EXPECT(CL_SUCCESS, clReleaseCommandQueue(q[i]));
    }
    EXPECT(CL_SUCCESS, clReleaseContext(context));
    for (int i = 0; i < 2; i++) EXPECT(CL_SUCCESS, clReleaseDevice(half[i]));
}

/* ---- the host in between ---- */

/* What waits for a user event is submitted when that is set; what is enqueued later but does not,
 * comes before it on the device. */
static void test_user_event(void) {
    cl_int err;
    cl_event user;
    EXPECT_NEW(CL_SUCCESS, user = clCreateUserEvent(a.context, &err));
    cl_event held = enqueue_launch(a.queue, 1, &user),
             behind = enqueue_write(a.queue, mapped, 0, NULL),
             free = enqueue_launch(other, 0, NULL);
    cl_ulong at = call(), then = call(), last = call(), start = last + CALL + LAUNCH;
    finish(other, start + launch);
    cl_ulong set = now;
    EXPECT(CL_SUCCESS, clSetUserEventStatus(user, CL_COMPLETE));
    finish(a.queue, set + LAUNCH + launch + up(true));
    IS_AT(free, last, start, launch);
    IS_SUBMITTED_AT(held, at, set, set + LAUNCH, launch);
    IS_SUBMITTED_AT(behind, then, set, set + LAUNCH + launch, up(true));
    EXPECT(CL_SUCCESS, clReleaseEvent(user));
}

/* A failed command takes no time, nor do those behind it. */
static void test_failed(void) {
    cl_int err;
    cl_event user, l;
    EXPECT_NEW(CL_SUCCESS, user = clCreateUserEvent(a.context, &err));
    cl_event k = enqueue_launch(a.queue, 1, &user);
    call();
    EXPECT(CL_SUCCESS, clSetUserEventStatus(user, -7));
    EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &k));
    cl_ulong t;
    EXPECT(CL_PROFILING_INFO_NOT_AVAILABLE,
           clGetEventProfilingInfo(k, CL_PROFILING_COMMAND_END, sizeof t, &t, NULL));
    l = enqueue_launch(a.queue, 0, NULL);
    cl_ulong at = call();
    finish(a.queue, at + CALL + LAUNCH + launch);
    IS_AT(l, at, at + CALL + LAUNCH, launch);
    EXPECT(CL_SUCCESS, clReleaseEvent(k));
    EXPECT(CL_SUCCESS, clReleaseEvent(user));
}

/* Asking for the status until it has ended is like waiting, but for the way back. */
static void test_polling(void) {
    cl_event k = enqueue_launch(a.queue, 0, NULL);
    cl_ulong at = call();
    cl_int status;
    do
        EXPECT(CL_SUCCESS,
               clGetEventInfo(k, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    while (status != CL_COMPLETE);
    now = at + CALL + LAUNCH + launch;
    cl_event m = enqueue_marker(a.queue, 0, NULL);
    cl_ulong later = call();
    finish(a.queue, later + CALL);
    IS_AT(k, at, at + CALL + LAUNCH, launch);
    IS_AT(m, later, later + CALL, 0);
}

static cl_event from_callback[2];
static void CL_CALLBACK notified(cl_event e, cl_int status, void *user) {
    (void)e, (void)status;
    for (int i = 0; i < 2; i++) from_callback[i] = enqueue_launch(other, 0, NULL);
    EXPECT(CL_SUCCESS, clSetUserEventStatus(user, CL_COMPLETE));
}

/* What a callback enqueues comes behind its event, whichever thread calls it and when; its calls
 * take none of the host's time. */
static void test_callback(void) {
    cl_int err;
    cl_event user;
    EXPECT_NEW(CL_SUCCESS, user = clCreateUserEvent(a.context, &err));
    cl_event k = enqueue_launch(a.queue, 0, NULL);
    cl_ulong at = call(), start = at + CALL + LAUNCH, end = start + launch;
    EXPECT(CL_SUCCESS, clSetEventCallback(k, CL_COMPLETE, notified, user));
    EXPECT(CL_SUCCESS, clWaitForEvents(1, &user));
    cl_ulong first = end + CALL + LAUNCH;
    wait_until(end + 2 * CALL);
    finish(other, first + 2 * launch);
    IS_AT(from_callback[0], end, first, launch);
    IS_AT(from_callback[1], end + CALL, first + launch, launch);
    IS_AT(k, at, start, launch);
    EXPECT(CL_SUCCESS, clReleaseEvent(user));
}

/* A long chain, and many that wait for one. */
static void test_many(void) {
    enum { MANY = 3000 };
    static cl_event e[MANY];
    cl_int err;
    cl_event user;
    EXPECT_NEW(CL_SUCCESS, user = clCreateUserEvent(a.context, &err));
    for (int i = 0; i < MANY; i++) {
        e[i] = enqueue_marker(i % 2 ? any : a.queue, 1, i < MANY / 2 ? &user : &e[i - MANY / 2]);
        call();
    }
    cl_ulong set = now;
    EXPECT(CL_SUCCESS, clSetUserEventStatus(user, CL_COMPLETE));
    EXPECT(CL_SUCCESS, clFinish(any));
    finish(a.queue, set);
    for (int i = 0; i < MANY; i++)
        IS_SUBMITTED_AT(e[i], set - (cl_ulong)(MANY - i) * CALL, set, set, 0);
    EXPECT(CL_SUCCESS, clReleaseEvent(user));
}

int main(void) {
    cl_int err;
    cl_bool can = CL_FALSE;
    char name[128];
    a = api_open();
    EXPECT(CL_SUCCESS, clGetDeviceInfo(a.device, CL_DEVICE_NAME, sizeof name, name, NULL));
    EXPECT(CL_SUCCESS, clGetDeviceInfo(a.device, CL_DEVICE_GPU_OVERLAP_NV, sizeof can, &can, NULL));
    model = model_find(name);
    overlap = can;
    EXPECT_NEW(CL_SUCCESS,
               other = clCreateCommandQueue(a.context, a.device, CL_QUEUE_PROFILING_ENABLE, &err));
    EXPECT_NEW(CL_SUCCESS, any = clCreateCommandQueue(a.context, a.device,
                                                      CL_QUEUE_PROFILING_ENABLE |
                                                          CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                                      &err));
    EXPECT_NEW(CL_SUCCESS, plain = clCreateBuffer(a.context, 0, BYTES, NULL, &err));
    EXPECT_NEW(CL_SUCCESS,
               locked = clCreateBuffer(a.context, CL_MEM_ALLOC_HOST_PTR, BYTES, NULL, &err));
    for (int i = 0; i < 3; i++) {
        struct target *t = &targets[i];
        EXPECT_NEW(CL_SUCCESS, t->spun = clCreateBuffer(a.context, 0, BYTES, NULL, &err));
        EXPECT_NEW(CL_SUCCESS, t->filled = clCreateBuffer(a.context, 0, BYTES, NULL, &err));
    }
    program = kernels_program(&a);
    spin = kernels_get(program, "spin");
    cl_int n = 2000;
    EXPECT(CL_SUCCESS, clSetKernelArg(spin, 1, sizeof n, &n));
    test_first();
    cl_mem twin;
    EXPECT_NEW(CL_SUCCESS,
               twin = clCreateBuffer(a.context, CL_MEM_ALLOC_HOST_PTR, BYTES, NULL, &err));
    EXPECT_NEW(CL_SUCCESS,
               mapped = clEnqueueMapBuffer(a.queue, twin, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION,
                                           0, BYTES, 0, NULL, NULL, &err));
    call();
    test_transfers();
    test_on_device();
    test_launches();
    test_two_queues();
    test_other_queue_first();
    test_wait_list();
    test_out_of_order();
    test_sub_device();
    test_user_event();
    test_failed();
    test_polling();
    test_callback();
    test_many();
    EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(a.queue, twin, mapped, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clFinish(a.queue));
    EXPECT(CL_SUCCESS, clReleaseMemObject(twin));
    EXPECT(CL_SUCCESS, clReleaseMemObject(plain));
    EXPECT(CL_SUCCESS, clReleaseMemObject(locked));
    for (int i = 0; i < 3; i++) {
        EXPECT(CL_SUCCESS, clReleaseMemObject(targets[i].spun));
        EXPECT(CL_SUCCESS, clReleaseMemObject(targets[i].filled));
    }
    EXPECT(CL_SUCCESS, clReleaseKernel(spin));
    EXPECT(CL_SUCCESS, clReleaseProgram(program));
    EXPECT(CL_SUCCESS, clReleaseCommandQueue(other));
    EXPECT(CL_SUCCESS, clReleaseCommandQueue(any));
    api_close(&a);
    return api_result();
}
