/* Memory that runs out: every allocation that a round of calls makes fails once. Each time the
 * calls that fail say so with a code of memory, nothing crashes or hangs, the next round works, and
 * in the end nothing is left over. */
#include "allocator.h"
#include "tests/api/api.h"

#include <stdatomic.h>

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
    if (!memory || !allocator_failed()) {
        fprintf(stderr, "allocation %ld: line %d: %s: %d\n", step, line, call, err);
        CHECK(memory && allocator_failed());
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

/* Undone whatever happens: the failure was one alone, so that the second try succeeds. */
#define UNMAP(q, m, p)                                                                             \
    while (!WENT(clEnqueueUnmapMemObject(q, m, p, 0, NULL, NULL)) && allocator_failed()) {         \
    }

static const size_t origin[3] = {0, 0, 0};

static void use_transfers(cl_command_queue q, cl_mem b, cl_mem to) {
    cl_int err, pattern = 7;
    static char data[BYTES];
    const size_t size[3] = {16, 8, 2};
    WENT(clEnqueueFillBuffer(q, b, &pattern, 4, 0, BYTES, 0, NULL, NULL));
    WENT(clEnqueueWriteBuffer(q, b, CL_TRUE, 0, BYTES, data, 0, NULL, NULL));
    WENT(clEnqueueReadBuffer(q, b, CL_FALSE, 0, BYTES, data, 0, NULL, NULL));
    WENT(clEnqueueReadBufferRect(q, b, CL_TRUE, origin, origin, size, 32, 0, 32, 0, data, 0, NULL,
                                 NULL));
    WENT(clEnqueueWriteBufferRect(q, b, CL_TRUE, origin, origin, size, 32, 0, 32, 0, data, 0, NULL,
                                  NULL));
    WENT(clEnqueueCopyBuffer(q, b, to, 0, 0, BYTES, 0, NULL, NULL));
    WENT(clEnqueueCopyBufferRect(q, b, to, origin, origin, size, 32, 0, 32, 0, 0, NULL, NULL));
    WENT(clEnqueueMigrateMemObjects(q, 1, &b, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL));
    void *p;
    if (MADE(p, clEnqueueMapBuffer(q, b, CL_TRUE, CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, &err)))
        UNMAP(q, b, p)
    clFinish(q);
}

static void use_buffers(cl_context context, cl_command_queue q) {
    cl_int err;
    static char data[BYTES];
    static atomic_int destroyed;
    cl_mem b, part = NULL, to = NULL;
    if (!MADE(b, clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, BYTES, data, &err))) return;
    bool notified = WENT(clSetMemObjectDestructorCallback(b, gone, &destroyed));
    int before = destroyed;
    cl_buffer_region region = {1024, 1024};
    if (MADE(part, clCreateSubBuffer(b, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err)))
        WENT(clEnqueueCopyBuffer(q, part, b, 0, 0, 512, 0, NULL, NULL));
    if (MADE(to, clCreateBuffer(context, 0, BYTES, NULL, &err))) use_transfers(q, b, to);
    clFinish(q);
    if (part) EXPECT(CL_SUCCESS, clReleaseMemObject(part));
    if (to) EXPECT(CL_SUCCESS, clReleaseMemObject(to));
    EXPECT(CL_SUCCESS, clReleaseMemObject(b));
    CHECK(destroyed == before + notified);
}

static const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};

static void use_image_transfers(cl_command_queue q, cl_mem image, cl_mem twin, cl_mem b) {
    cl_int err;
    static unsigned char data[16 * 8 * 4];
    const float red[4] = {1, 0, 0, 1};
    const size_t region[3] = {16, 8, 1};
    size_t row = 0;
    void *p;
    bool filled = WENT(clEnqueueFillImage(q, image, red, origin, region, 0, NULL, NULL));
    if (WENT(clEnqueueReadImage(q, image, CL_TRUE, origin, region, 0, 0, data, 0, NULL, NULL)) &&
        filled)
        CHECK(data[0] == 255 && data[1] == 0);
    WENT(clEnqueueWriteImage(q, image, CL_TRUE, origin, region, 0, 0, data, 0, NULL, NULL));
    WENT(clEnqueueCopyImage(q, image, twin, origin, origin, region, 0, NULL, NULL));
    WENT(clEnqueueCopyImageToBuffer(q, image, b, origin, region, 0, 0, NULL, NULL));
    WENT(clEnqueueCopyBufferToImage(q, b, image, 0, origin, region, 0, NULL, NULL));
    if (MADE(p, clEnqueueMapImage(q, image, CL_TRUE, CL_MAP_WRITE, origin, region, &row, NULL, 0,
                                  NULL, NULL, &err)))
        UNMAP(q, image, p)
    clFinish(q);
}

static void use_images(cl_context context, cl_command_queue q) {
    cl_int err;
    cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 8};
    cl_mem image, twin = NULL, b = NULL;
    cl_sampler s;
    if (MADE(s, clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, &err)))
        EXPECT(CL_SUCCESS, clReleaseSampler(s));
    if (!MADE(image, clCreateImage(context, 0, &format, &desc, NULL, &err))) return;
    if (MADE(twin, clCreateImage(context, 0, &format, &desc, NULL, &err)) &&
        MADE(b, clCreateBuffer(context, 0, BYTES, NULL, &err)))
        use_image_transfers(q, image, twin, b);
    if (twin) EXPECT(CL_SUCCESS, clReleaseMemObject(twin));
    if (b) EXPECT(CL_SUCCESS, clReleaseMemObject(b));
    EXPECT(CL_SUCCESS, clReleaseMemObject(image));
}

static void CL_CALLBACK nothing(void *args) { (void)args; }

/* What needs no object but the queue. */
static void use_queue(cl_context context, cl_command_queue q) {
    cl_int err;
    cl_event e = NULL, user;
    cl_device_exec_capabilities can = 0;
    clGetDeviceInfo(a.device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof can, &can, NULL);
    if (can & CL_EXEC_NATIVE_KERNEL)
        WENT(clEnqueueNativeKernel(q, nothing, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
    if (WENT(clEnqueueMarker(q, &e))) EXPECT(CL_SUCCESS, clReleaseEvent(e));
    WENT(clEnqueueBarrier(q));
    WENT(clEnqueueBarrierWithWaitList(q, 0, NULL, NULL));
    if (!MADE(user, clCreateUserEvent(context, &err))) return;
    WENT(clEnqueueWaitForEvents(q, 1, &user));
    EXPECT(CL_SUCCESS, clSetUserEventStatus(user, CL_COMPLETE));
    clFinish(q);
    EXPECT(CL_SUCCESS, clReleaseEvent(user));
}

/* What can be asked of a program; its kernels, all at once. Source is for starvation.c: libclang,
 * which is loaded for it on another thread, ends the process when memory runs out. */
static void use_program(cl_program program) {
    size_t size = 0;
    cl_kernel kernels[16];
    cl_uint n = 0;
    if (WENT(clCreateKernelsInProgram(program, 16, kernels, &n)))
        for (cl_uint i = 0; i < n; i++) EXPECT(CL_SUCCESS, clReleaseKernel(kernels[i]));
    char *bytes = NULL, names[256];
    if (WENT(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL)))
        WENT(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    WENT(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL));
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
    bool built = WENT(clBuildProgram(program, 1, &a.device, "", NULL, NULL));
    if (built) use_program(program);
    if (built && MADE(k, clCreateKernel(program, "fill", &err)) &&
        MADE(m, clCreateBuffer(context, 0, sizeof got, NULL, &err)) &&
        MADE(user, clCreateUserEvent(context, &err)) && WENT(clSetKernelArg(k, 0, sizeof m, &m)) &&
        WENT(clSetKernelArg(k, 1, sizeof value, &value))) {
        if (WENT(clEnqueueNDRangeKernel(q, k, 1, NULL, &items, NULL, 1, &user, &ran))) {
            WENT(clSetEventCallback(ran, CL_COMPLETE, note, &called));
            WENT(clEnqueueMarkerWithWaitList(other, 1, &ran, &marked));
            WENT(clEnqueueTask(q, k, 0, NULL, NULL));
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
    cl_device_partition_property ones[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 0, 0};
    cl_device_id parts[2];
    if (WENT(clCreateSubDevices(a.device, ones, 2, parts, NULL)))
        for (int i = 0; i < 2; i++) EXPECT(CL_SUCCESS, clReleaseDevice(parts[i]));
    if (MADE(context, clCreateContextFromType(NULL, CL_DEVICE_TYPE_ALL, NULL, NULL, &err)))
        EXPECT(CL_SUCCESS, clReleaseContext(context));
    if (!MADE(context, clCreateContext(NULL, 1, &a.device, NULL, NULL, &err))) return;
    if (MADE(q, clCreateCommandQueue(context, a.device, CL_QUEUE_PROFILING_ENABLE, &err)) &&
        MADE(other, clCreateCommandQueue(context, a.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                         &err))) {
        use_buffers(context, q);
        use_images(context, q);
        use_queue(context, q);
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
    long before = allocator_made(), kept = allocator_live();
    use_all();
    long most = allocator_made() - before;
    for (step = 1; step <= most && api_failures < 20; step++) {
        allocator_fail(step);
        use_all();
        allocator_fail(0);
        use_all();
    }
    long left = allocator_live() - kept;
    fprintf(stderr, "%ld allocations, %ld more live afterwards\n", most, left);
    CHECK(left < most / 8);
    api_close(&a);
    return api_result();
}
