/* Memory that runs out: every allocation that a round of calls makes fails once. Each time the
 * calls that fail say so with a code of memory, nothing crashes or hangs, the next round works, and
 * in the end nothing is left over.
 *
 * The functions of malloc are replaced for the whole process, the driver included. */
#include "api.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* ---- an allocator that fails when asked to ---- */

#pragma GCC visibility push(default)

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static atomic_long until; /* allocations until one fails; 0: none does */
static atomic_long made, live;
static atomic_bool failed;

static bool refuse(void) {
    atomic_fetch_add(&made, 1);
    long n = atomic_load(&until);
    while (n > 0)
        if (atomic_compare_exchange_weak(&until, &n, n - 1)) {
            if (n == 1) atomic_store(&failed, true);
            return n == 1;
        }
    return false;
}

static void *counted(void *p) {
    if (p) atomic_fetch_add(&live, 1);
    return p;
}

void *malloc(size_t n) {
    if (refuse()) return errno = ENOMEM, NULL;
    return counted(__libc_malloc(n));
}

void *calloc(size_t n, size_t size) {
    if (refuse()) return errno = ENOMEM, NULL;
    return counted(__libc_calloc(n, size));
}

void *realloc(void *old, size_t n) {
    if (refuse()) return errno = ENOMEM, NULL;
    return old ? __libc_realloc(old, n) : counted(__libc_malloc(n));
}

void *aligned_alloc(size_t align, size_t n) {
    if (refuse()) return errno = ENOMEM, NULL;
    return counted(__libc_memalign(align, n));
}

int posix_memalign(void **p, size_t align, size_t n) {
    *p = aligned_alloc(align, n);
    return *p ? 0 : ENOMEM;
}

void free(void *p) {
    if (p) atomic_fetch_sub(&live, 1);
    __libc_free(p);
}

#pragma GCC visibility pop

/* ---- a round of calls ---- */

enum { BYTES = 4096 };

static struct api a;
static const char *binary;
static size_t binary_bytes;
static long step; /* which allocation fails */

/* A call may fail only when memory ran out, and has to say that. A command may also fail because
 * one that it waits for has. */
static bool went(const char *call, int line, cl_int err) {
    if (err == CL_SUCCESS) return true;
    bool memory = err == CL_OUT_OF_HOST_MEMORY || err == CL_OUT_OF_RESOURCES ||
                  err == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
                  err == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    if (!memory || !failed) {
        fprintf(stderr, "allocation %ld: line %d: %s: %d\n", step, line, call, err);
        CHECK(memory && failed);
    } else {
        api_saw(call, err);
    }
    return false;
}
#define WENT(call)         went(#call, __LINE__, call)
#define MADE(object, call) ((object) = (call), went(#call, __LINE__, err) && (object))

static void CL_CALLBACK note(cl_event e, cl_int status, void *user) {
    (void)e, (void)status;
    atomic_fetch_add((atomic_int *)user, 1);
}

static void CL_CALLBACK gone(cl_mem m, void *user) {
    (void)m;
    atomic_fetch_add((atomic_int *)user, 1);
}

static void use_buffers(cl_context context, cl_command_queue q) {
    cl_int err, pattern = 7;
    static char data[BYTES];
    static atomic_int destroyed;
    cl_mem b, part = NULL;
    if (!MADE(b, clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, BYTES, data, &err))) return;
    bool notified = WENT(clSetMemObjectDestructorCallback(b, gone, &destroyed));
    int before = destroyed;
    cl_buffer_region region = {1024, 1024};
    MADE(part, clCreateSubBuffer(b, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err));
    WENT(clEnqueueFillBuffer(q, b, &pattern, 4, 0, BYTES, 0, NULL, NULL));
    const size_t origin[3] = {0, 0, 0}, size[3] = {16, 8, 2};
    WENT(clEnqueueReadBufferRect(q, b, CL_TRUE, origin, origin, size, 32, 0, 32, 0, data, 0, NULL,
                                 NULL));
    if (part) WENT(clEnqueueCopyBuffer(q, part, b, 0, 0, 512, 0, NULL, NULL));
    void *p = clEnqueueMapBuffer(q, b, CL_TRUE, CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, &err);
    if (went("map", __LINE__, err) && p)
        while (!WENT(clEnqueueUnmapMemObject(q, b, p, 0, NULL, NULL)) && failed) {
            /* must be undone: the failure was one alone, so that it succeeds now */
        }
    clFinish(q);
    if (part) EXPECT(CL_SUCCESS, clReleaseMemObject(part));
    EXPECT(CL_SUCCESS, clReleaseMemObject(b));
    CHECK(destroyed == before + notified);
}

static void use_images(cl_context context, cl_command_queue q) {
    cl_int err;
    cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 8};
    cl_mem image;
    cl_sampler s;
    static unsigned char data[16 * 8 * 4];
    const float red[4] = {1, 0, 0, 1};
    const size_t origin[3] = {0, 0, 0}, region[3] = {16, 8, 1};
    if (MADE(s, clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, &err)))
        EXPECT(CL_SUCCESS, clReleaseSampler(s));
    if (!MADE(image, clCreateImage(context, 0, &format, &desc, NULL, &err))) return;
    bool filled = WENT(clEnqueueFillImage(q, image, red, origin, region, 0, NULL, NULL));
    if (WENT(clEnqueueReadImage(q, image, CL_TRUE, origin, region, 0, 0, data, 0, NULL, NULL)) &&
        filled)
        CHECK(data[0] == 255 && data[1] == 0);
    EXPECT(CL_SUCCESS, clReleaseMemObject(image));
}

static void use_kernel(cl_context context, cl_command_queue q, cl_command_queue other) {
    cl_int err, status, value = 3, got[64] = {0};
    const unsigned char *text = (const void *)binary;
    static atomic_int called;
    size_t items = 64;
    cl_program program;
    cl_kernel k = NULL;
    cl_mem m = NULL;
    cl_event user = NULL, ran = NULL, marked = NULL;
    if (!MADE(program, clCreateProgramWithBinary(context, 1, &a.device, &binary_bytes, &text,
                                                 &status, &err)))
        return;
    if (WENT(clBuildProgram(program, 1, &a.device, "", NULL, NULL)) &&
        MADE(k, clCreateKernel(program, "fill", &err)) &&
        MADE(m, clCreateBuffer(context, 0, sizeof got, NULL, &err)) &&
        MADE(user, clCreateUserEvent(context, &err)) && WENT(clSetKernelArg(k, 0, sizeof m, &m)) &&
        WENT(clSetKernelArg(k, 1, sizeof value, &value))) {
        if (WENT(clEnqueueNDRangeKernel(q, k, 1, NULL, &items, NULL, 1, &user, &ran))) {
            WENT(clSetEventCallback(ran, CL_COMPLETE, note, &called));
            WENT(clEnqueueMarkerWithWaitList(other, 1, &ran, &marked));
        }
        EXPECT(CL_SUCCESS, clSetUserEventStatus(user, CL_COMPLETE));
        if (marked) WENT(clWaitForEvents(1, &marked));
        cl_int end = CL_COMPLETE;
        if (ran) {
            WENT(clWaitForEvents(1, &ran));
            EXPECT(CL_SUCCESS,
                   clGetEventInfo(ran, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof end, &end, NULL));
        }
        if (WENT(clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL)) && ran &&
            end == CL_COMPLETE)
            CHECK(got[63] == 66);
    } else if (user) {
        EXPECT(CL_SUCCESS, clSetUserEventStatus(user, CL_COMPLETE));
    }
    clFinish(q);
    clFinish(other);
    if (ran) EXPECT(CL_SUCCESS, clReleaseEvent(ran));
    if (marked) EXPECT(CL_SUCCESS, clReleaseEvent(marked));
    if (user) EXPECT(CL_SUCCESS, clReleaseEvent(user));
    if (m) EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    if (k) EXPECT(CL_SUCCESS, clReleaseKernel(k));
    EXPECT(CL_SUCCESS, clReleaseProgram(program));
}

static void use_all(void) {
    cl_int err;
    cl_context context;
    cl_command_queue q = NULL, other = NULL;
    cl_device_partition_property half[] = {CL_DEVICE_PARTITION_EQUALLY, 15, 0};
    cl_device_id parts[2];
    if (WENT(clCreateSubDevices(a.device, half, 2, parts, NULL)))
        for (int i = 0; i < 2; i++) EXPECT(CL_SUCCESS, clReleaseDevice(parts[i]));
    if (!MADE(context, clCreateContext(NULL, 1, &a.device, NULL, NULL, &err))) return;
    if (MADE(q, clCreateCommandQueue(context, a.device, CL_QUEUE_PROFILING_ENABLE, &err)) &&
        MADE(other, clCreateCommandQueue(context, a.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                         &err))) {
        use_buffers(context, q);
        use_images(context, q);
        use_kernel(context, q, other);
    }
    if (q) EXPECT(CL_SUCCESS, clReleaseCommandQueue(q));
    if (other) EXPECT(CL_SUCCESS, clReleaseCommandQueue(other));
    EXPECT(CL_SUCCESS, clReleaseContext(context));
}

int main(void) {
    setvbuf(stderr, NULL, _IONBF, 0);
    a = api_open();
    binary = kernels_binary(&binary_bytes);
    for (int i = 0; i < 300; i++) use_all(); /* what is kept from round to round is there now */
    long before = made, kept = live;
    use_all();
    long most = made - before;
    for (step = 1; step <= most && api_failures < 20; step++) {
        failed = false;
        until = step;
        use_all();
        until = 0;
        failed = false;
        use_all();
    }
    long left = live - kept;
    fprintf(stderr, "%ld allocations, %ld more live afterwards\n", most, left);
    CHECK(left < most / 8);
    api_close(&a);
    return api_result();
}
