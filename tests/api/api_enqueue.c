/* What all functions that enqueue have in common (specification 5.2 to 5.8): which queues, objects
 * and wait lists they refuse, each with its code, and that a blocking one tells of an event that
 * failed. */
#include "api.h"

enum { BYTES = 4096, SIDE = 4 };

static struct api a, other; /* two contexts of one device */
static cl_program program;
static cl_mem buffer, second, image, twin, other_buffer, other_image;
static cl_event done, foreign, failed;
static unsigned char host[BYTES];
static const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
static const size_t zero[3] = {0, 0, 0}, block[3] = {4, 2, 1}, all[3] = {SIDE, SIDE, 1};

/* The arguments between the queue and the wait list follow the function's name. */
#define REFUSES_WAITS(function, ...)                                                               \
    do {                                                                                           \
        cl_event none_ = NULL, queue_ = (cl_event)a.queue;                                         \
        EXPECT(CL_INVALID_COMMAND_QUEUE, function(NULL, __VA_ARGS__, 0, NULL, NULL));              \
        EXPECT(CL_INVALID_CONTEXT, function(other.queue, __VA_ARGS__, 0, NULL, NULL));             \
        EXPECT(CL_INVALID_EVENT_WAIT_LIST, function(a.queue, __VA_ARGS__, 1, NULL, NULL));         \
        EXPECT(CL_INVALID_EVENT_WAIT_LIST, function(a.queue, __VA_ARGS__, 0, &done, NULL));        \
        EXPECT(CL_INVALID_EVENT_WAIT_LIST, function(a.queue, __VA_ARGS__, 1, &none_, NULL));       \
        EXPECT(CL_INVALID_EVENT_WAIT_LIST, function(a.queue, __VA_ARGS__, 1, &queue_, NULL));      \
        EXPECT(CL_INVALID_CONTEXT, function(a.queue, __VA_ARGS__, 1, &foreign, NULL));             \
        EXPECT(CL_SUCCESS, function(a.queue, __VA_ARGS__, 1, &done, NULL));                        \
    } while (0)
/* The same of a blocking function. */
#define REFUSES_FAILED(function, ...)                                                              \
    do {                                                                                           \
        REFUSES_WAITS(function, __VA_ARGS__);                                                      \
        EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,                                       \
               function(a.queue, __VA_ARGS__, 1, &failed, NULL));                                  \
    } while (0)
/* The same of a function that maps. */
#define REFUSES_MAPPING(function, object, ...)                                                     \
    do {                                                                                           \
        cl_event none_ = NULL;                                                                     \
        void *mapped_ = NULL;                                                                      \
        EXPECT_NEW(CL_INVALID_COMMAND_QUEUE,                                                       \
                   function(NULL, object, __VA_ARGS__, 0, NULL, NULL, &err));                      \
        EXPECT_NEW(CL_INVALID_CONTEXT,                                                             \
                   function(other.queue, object, __VA_ARGS__, 0, NULL, NULL, &err));               \
        EXPECT_NEW(CL_INVALID_EVENT_WAIT_LIST,                                                     \
                   function(a.queue, object, __VA_ARGS__, 1, NULL, NULL, &err));                   \
        EXPECT_NEW(CL_INVALID_EVENT_WAIT_LIST,                                                     \
                   function(a.queue, object, __VA_ARGS__, 0, &done, NULL, &err));                  \
        EXPECT_NEW(CL_INVALID_EVENT_WAIT_LIST,                                                     \
                   function(a.queue, object, __VA_ARGS__, 1, &none_, NULL, &err));                 \
        EXPECT_NEW(CL_INVALID_CONTEXT,                                                             \
                   function(a.queue, object, __VA_ARGS__, 1, &foreign, NULL, &err));               \
        EXPECT_NEW(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,                                   \
                   function(a.queue, object, __VA_ARGS__, 1, &failed, NULL, &err));                \
        EXPECT_INFO(clGetMemObjectInfo, object, CL_MEM_MAP_COUNT, cl_uint, 0);                     \
        EXPECT_NEW(CL_SUCCESS,                                                                     \
                   mapped_ = function(a.queue, object, __VA_ARGS__, 1, &done, NULL, &err));        \
        EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(a.queue, object, mapped_, 0, NULL, NULL));      \
        EXPECT(CL_SUCCESS, clFinish(a.queue));                                                     \
    } while (0)

static void test_buffer_waits(void) {
    cl_int err, pattern = 5;
    REFUSES_FAILED(clEnqueueReadBuffer, buffer, CL_TRUE, 0, 16, host);
    REFUSES_FAILED(clEnqueueWriteBuffer, buffer, CL_TRUE, 0, 16, host);
    REFUSES_FAILED(clEnqueueReadBufferRect, buffer, CL_TRUE, zero, zero, block, 0, 0, 0, 0, host);
    REFUSES_FAILED(clEnqueueWriteBufferRect, buffer, CL_TRUE, zero, zero, block, 0, 0, 0, 0, host);
    REFUSES_WAITS(clEnqueueCopyBuffer, buffer, second, 0, 0, 16);
    REFUSES_WAITS(clEnqueueCopyBufferRect, buffer, second, zero, zero, block, 0, 0, 0, 0);
    REFUSES_WAITS(clEnqueueFillBuffer, buffer, &pattern, 4, 0, 16);
    REFUSES_WAITS(clEnqueueMigrateMemObjects, 1, &buffer, CL_MIGRATE_MEM_OBJECT_HOST);
    REFUSES_MAPPING(clEnqueueMapBuffer, buffer, CL_TRUE, CL_MAP_READ, 0, 16);
    void *p;
    EXPECT_NEW(CL_SUCCESS, p = clEnqueueMapBuffer(a.queue, buffer, CL_TRUE, CL_MAP_READ, 0, 16, 0,
                                                  NULL, NULL, &err));
    REFUSES_WAITS(clEnqueueUnmapMemObject, buffer, p);
}

static void test_image_waits(void) {
    cl_int err;
    const float red[4] = {1, 0, 0, 1};
    size_t row = 0, slice = 0;
    REFUSES_FAILED(clEnqueueReadImage, image, CL_TRUE, zero, all, 0, 0, host);
    REFUSES_FAILED(clEnqueueWriteImage, image, CL_TRUE, zero, all, 0, 0, host);
    REFUSES_WAITS(clEnqueueCopyImage, image, twin, zero, zero, all);
    REFUSES_WAITS(clEnqueueCopyImageToBuffer, image, buffer, zero, all, 0);
    REFUSES_WAITS(clEnqueueCopyBufferToImage, buffer, image, 0, zero, all);
    REFUSES_WAITS(clEnqueueFillImage, image, red, zero, all);
    REFUSES_MAPPING(clEnqueueMapImage, image, CL_TRUE, CL_MAP_READ, zero, all, &row, &slice);
}

static void test_kernel_waits(void) {
    cl_int value = 3;
    size_t items = 4;
    cl_kernel fill = kernels_get(program, "fill"), shaped = kernels_get(program, "shaped");
    EXPECT(CL_INVALID_KERNEL_ARGS, clEnqueueTask(a.queue, fill, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clSetKernelArg(fill, 0, sizeof buffer, &buffer));
    EXPECT(CL_SUCCESS, clSetKernelArg(fill, 1, sizeof value, &value));
    EXPECT(CL_SUCCESS, clSetKernelArg(shaped, 0, sizeof buffer, &buffer));
    REFUSES_WAITS(clEnqueueNDRangeKernel, fill, 1, NULL, &items, NULL);
    REFUSES_WAITS(clEnqueueTask, fill);
    EXPECT(CL_INVALID_KERNEL, clEnqueueTask(a.queue, NULL, 0, NULL, NULL));
    EXPECT(CL_INVALID_KERNEL, clEnqueueTask(a.queue, (cl_kernel)program, 0, NULL, NULL));
    EXPECT(CL_INVALID_WORK_GROUP_SIZE, clEnqueueTask(a.queue, shaped, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clReleaseKernel(shaped));
    EXPECT(CL_SUCCESS, clReleaseKernel(fill));
    cl_kernel sum = kernels_get(program, "sum");
    EXPECT(CL_SUCCESS, clSetKernelArg(sum, 0, sizeof buffer, &buffer));
    EXPECT(CL_SUCCESS, clSetKernelArg(sum, 1, 1 << 20, NULL));
    EXPECT(CL_SUCCESS, clSetKernelArg(sum, 2, 4, NULL));
    EXPECT(CL_OUT_OF_RESOURCES, clEnqueueTask(a.queue, sum, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clReleaseKernel(sum));
    EXPECT(CL_SUCCESS, clFinish(a.queue)); /* before the leaks are counted */
}

static void CL_CALLBACK add_one(void *args) { ++**(int **)args; }

/* Only the model `host` runs functions of the host. */
static void test_native(void) {
    cl_device_exec_capabilities can = 0;
    EXPECT(CL_SUCCESS,
           clGetDeviceInfo(a.device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof can, &can, NULL));
    struct {
        int *number;
    } args = {NULL};
    const void *place = &args.number, *outside = host;
    cl_int value = 41;
    if (!(can & CL_EXEC_NATIVE_KERNEL)) {
        EXPECT(CL_INVALID_OPERATION, clEnqueueNativeKernel(a.queue, add_one, &args, sizeof args, 1,
                                                           &buffer, &place, 0, NULL, NULL));
        return;
    }
    cl_mem null = NULL;
    EXPECT(CL_SUCCESS, clEnqueueWriteBuffer(a.queue, buffer, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
    REFUSES_WAITS(clEnqueueNativeKernel, add_one, &args, sizeof args, 1, &buffer, &place);
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(a.queue, buffer, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
    CHECK(value == 42);
    EXPECT(CL_INVALID_VALUE, clEnqueueNativeKernel(a.queue, NULL, &args, sizeof args, 1, &buffer,
                                                   &place, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueNativeKernel(a.queue, add_one, NULL, sizeof args, 1, &buffer,
                                                   &place, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clEnqueueNativeKernel(a.queue, add_one, &args, 0, 0, NULL, NULL, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clEnqueueNativeKernel(a.queue, add_one, NULL, 0, 1, &buffer, &place, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueNativeKernel(a.queue, add_one, &args, sizeof args, 1, NULL,
                                                   &place, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueNativeKernel(a.queue, add_one, &args, sizeof args, 1, &buffer,
                                                   NULL, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueNativeKernel(a.queue, add_one, &args, sizeof args, 0, &buffer,
                                                   NULL, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueNativeKernel(a.queue, add_one, &args, sizeof args, 1, &buffer,
                                                   &outside, 0, NULL, NULL));
    EXPECT(CL_INVALID_MEM_OBJECT, clEnqueueNativeKernel(a.queue, add_one, &args, sizeof args, 1,
                                                        &null, &place, 0, NULL, NULL));
    EXPECT(CL_INVALID_CONTEXT, clEnqueueNativeKernel(a.queue, add_one, &args, sizeof args, 1,
                                                     &other_buffer, &place, 0, NULL, NULL));
}

static void test_buffer_objects(void) {
    cl_int err, pattern = 5;
    cl_mem wrong[] = {NULL, image, (cl_mem)a.context};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cl_mem w = wrong[i];
        EXPECT(CL_INVALID_MEM_OBJECT,
               clEnqueueReadBuffer(a.queue, w, CL_TRUE, 0, 16, host, 0, NULL, NULL));
        EXPECT(CL_INVALID_MEM_OBJECT,
               clEnqueueWriteBuffer(a.queue, w, CL_TRUE, 0, 16, host, 0, NULL, NULL));
        EXPECT(CL_INVALID_MEM_OBJECT,
               clEnqueueReadBufferRect(a.queue, w, CL_TRUE, zero, zero, block, 0, 0, 0, 0, host, 0,
                                       NULL, NULL));
        EXPECT(CL_INVALID_MEM_OBJECT,
               clEnqueueWriteBufferRect(a.queue, w, CL_TRUE, zero, zero, block, 0, 0, 0, 0, host, 0,
                                        NULL, NULL));
        EXPECT(CL_INVALID_MEM_OBJECT,
               clEnqueueCopyBuffer(a.queue, w, second, 0, 0, 16, 0, NULL, NULL));
        EXPECT(CL_INVALID_MEM_OBJECT,
               clEnqueueCopyBuffer(a.queue, buffer, w, 0, 0, 16, 0, NULL, NULL));
        EXPECT(CL_INVALID_MEM_OBJECT, clEnqueueCopyBufferRect(a.queue, w, second, zero, zero, block,
                                                              0, 0, 0, 0, 0, NULL, NULL));
        EXPECT(CL_INVALID_MEM_OBJECT, clEnqueueCopyBufferRect(a.queue, buffer, w, zero, zero, block,
                                                              0, 0, 0, 0, 0, NULL, NULL));
        EXPECT(CL_INVALID_MEM_OBJECT,
               clEnqueueFillBuffer(a.queue, w, &pattern, 4, 0, 16, 0, NULL, NULL));
        EXPECT(CL_INVALID_MEM_OBJECT,
               clEnqueueCopyImageToBuffer(a.queue, image, w, zero, all, 0, 0, NULL, NULL));
        EXPECT(CL_INVALID_MEM_OBJECT,
               clEnqueueCopyBufferToImage(a.queue, w, image, 0, zero, all, 0, NULL, NULL));
        EXPECT_NEW(CL_INVALID_MEM_OBJECT, clEnqueueMapBuffer(a.queue, w, CL_TRUE, CL_MAP_READ, 0,
                                                             16, 0, NULL, NULL, &err));
        if (w == image) continue;
        EXPECT(CL_INVALID_MEM_OBJECT, clEnqueueUnmapMemObject(a.queue, w, host, 0, NULL, NULL));
        EXPECT(CL_INVALID_MEM_OBJECT, clEnqueueMigrateMemObjects(a.queue, 1, &w, 0, 0, NULL, NULL));
    }
    EXPECT(CL_INVALID_CONTEXT,
           clEnqueueCopyBuffer(a.queue, buffer, other_buffer, 0, 0, 16, 0, NULL, NULL));
    EXPECT(CL_INVALID_CONTEXT,
           clEnqueueCopyBuffer(a.queue, other_buffer, buffer, 0, 0, 16, 0, NULL, NULL));
}

static void test_image_objects(void) {
    cl_int err;
    const float red[4] = {1, 0, 0, 1};
    size_t row = 0, slice = 0;
    cl_mem wrong[] = {NULL, buffer, (cl_mem)a.context};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cl_mem w = wrong[i];
        EXPECT(CL_INVALID_MEM_OBJECT,
               clEnqueueReadImage(a.queue, w, CL_TRUE, zero, all, 0, 0, host, 0, NULL, NULL));
        EXPECT(CL_INVALID_MEM_OBJECT,
               clEnqueueWriteImage(a.queue, w, CL_TRUE, zero, all, 0, 0, host, 0, NULL, NULL));
        EXPECT(CL_INVALID_MEM_OBJECT,
               clEnqueueCopyImage(a.queue, w, image, zero, zero, all, 0, NULL, NULL));
        EXPECT(CL_INVALID_MEM_OBJECT,
               clEnqueueCopyImage(a.queue, image, w, zero, zero, all, 0, NULL, NULL));
        EXPECT(CL_INVALID_MEM_OBJECT,
               clEnqueueCopyImageToBuffer(a.queue, w, buffer, zero, all, 0, 0, NULL, NULL));
        EXPECT(CL_INVALID_MEM_OBJECT,
               clEnqueueCopyBufferToImage(a.queue, buffer, w, 0, zero, all, 0, NULL, NULL));
        EXPECT(CL_INVALID_MEM_OBJECT,
               clEnqueueFillImage(a.queue, w, red, zero, all, 0, NULL, NULL));
        EXPECT_NEW(CL_INVALID_MEM_OBJECT,
                   clEnqueueMapImage(a.queue, w, CL_TRUE, CL_MAP_READ, zero, all, &row, &slice, 0,
                                     NULL, NULL, &err));
    }
    EXPECT(CL_INVALID_CONTEXT,
           clEnqueueCopyImage(a.queue, image, other_image, zero, zero, all, 0, NULL, NULL));
    EXPECT(CL_INVALID_CONTEXT,
           clEnqueueCopyBufferToImage(a.queue, other_buffer, image, 0, zero, all, 0, NULL, NULL));
}

/* What the host may not touch (1.2). */
static void test_host_access(void) {
    cl_int err;
    cl_mem no[2];
    size_t row = 0, slice = 0;
    EXPECT_NEW(CL_SUCCESS,
               no[0] = clCreateBuffer(a.context, CL_MEM_HOST_NO_ACCESS, BYTES, NULL, &err));
    EXPECT_NEW(CL_SUCCESS, no[1] = clCreateImage2D(a.context, CL_MEM_HOST_NO_ACCESS, &format, SIDE,
                                                   SIDE, 0, NULL, &err));
    EXPECT(CL_INVALID_OPERATION, clEnqueueReadBufferRect(a.queue, no[0], CL_TRUE, zero, zero, block,
                                                         0, 0, 0, 0, host, 0, NULL, NULL));
    EXPECT(CL_INVALID_OPERATION, clEnqueueWriteBufferRect(a.queue, no[0], CL_TRUE, zero, zero,
                                                          block, 0, 0, 0, 0, host, 0, NULL, NULL));
    EXPECT(CL_INVALID_OPERATION,
           clEnqueueReadImage(a.queue, no[1], CL_TRUE, zero, all, 0, 0, host, 0, NULL, NULL));
    EXPECT(CL_INVALID_OPERATION,
           clEnqueueWriteImage(a.queue, no[1], CL_TRUE, zero, all, 0, 0, host, 0, NULL, NULL));
    EXPECT_NEW(CL_INVALID_OPERATION, clEnqueueMapImage(a.queue, no[1], CL_TRUE, CL_MAP_READ, zero,
                                                       all, &row, &slice, 0, NULL, NULL, &err));
    EXPECT_NEW(CL_INVALID_OPERATION, clEnqueueMapImage(a.queue, no[1], CL_TRUE, CL_MAP_WRITE, zero,
                                                       all, &row, &slice, 0, NULL, NULL, &err));
    for (int i = 0; i < 2; i++) EXPECT(CL_SUCCESS, clReleaseMemObject(no[i]));
}

static void test_values(void) {
    const size_t out[3] = {SIDE + 1, 1, 1}, deep[3] = {1, 1, 2}, none[3] = {0, 1, 1};
    EXPECT(CL_INVALID_VALUE,
           clEnqueueCopyImage(a.queue, image, twin, zero, zero, out, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clEnqueueCopyImage(a.queue, image, twin, zero, zero, deep, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clEnqueueCopyImage(a.queue, image, twin, zero, NULL, all, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clEnqueueCopyImageToBuffer(a.queue, image, buffer, zero, none, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clEnqueueCopyBufferToImage(a.queue, buffer, image, BYTES, zero, all, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueFillImage(a.queue, image, NULL, zero, all, 0, NULL, NULL));
}

/* Markers and barriers, which may have no wait list at all. */
static void test_markers(void) {
    cl_event none = NULL, e;
    EXPECT(CL_INVALID_COMMAND_QUEUE, clEnqueueMarkerWithWaitList(NULL, 0, NULL, &e));
    EXPECT(CL_INVALID_COMMAND_QUEUE, clEnqueueBarrierWithWaitList(NULL, 0, NULL, &e));
    EXPECT(CL_INVALID_CONTEXT, clEnqueueMarkerWithWaitList(a.queue, 1, &foreign, &e));
    EXPECT(CL_INVALID_CONTEXT, clEnqueueBarrierWithWaitList(a.queue, 1, &foreign, &e));
    EXPECT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(a.queue, 1, NULL, &e));
    EXPECT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueBarrierWithWaitList(a.queue, 1, NULL, &e));
    EXPECT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(a.queue, 0, &done, &e));
    EXPECT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueBarrierWithWaitList(a.queue, 1, &none, &e));
    EXPECT(CL_INVALID_COMMAND_QUEUE, clEnqueueMarker(NULL, &e));
    EXPECT(CL_INVALID_VALUE, clEnqueueMarker(a.queue, NULL));
    EXPECT(CL_INVALID_COMMAND_QUEUE, clEnqueueBarrier(NULL));
    EXPECT(CL_INVALID_COMMAND_QUEUE, clEnqueueWaitForEvents(NULL, 1, &done));
    EXPECT(CL_INVALID_CONTEXT, clEnqueueWaitForEvents(a.queue, 1, &foreign));
    cl_event both[] = {done, foreign};
    EXPECT(CL_INVALID_CONTEXT, clWaitForEvents(2, both));
}

static cl_event ended(cl_context context, cl_int status) {
    cl_int err;
    cl_event e = clCreateUserEvent(context, &err);
    EXPECT(CL_SUCCESS, clSetUserEventStatus(e, status));
    return e;
}

static cl_mem new_image(cl_context context) {
    cl_int err;
    cl_mem m = NULL;
    EXPECT_NEW(CL_SUCCESS, m = clCreateImage2D(context, 0, &format, SIDE, SIDE, 0, NULL, &err));
    return m;
}

int main(void) {
    a = api_open();
    other = api_open();
    cl_int err;
    program = kernels_program(&a);
    buffer = clCreateBuffer(a.context, 0, BYTES, NULL, &err);
    second = clCreateBuffer(a.context, 0, BYTES, NULL, &err);
    other_buffer = clCreateBuffer(other.context, 0, BYTES, NULL, &err);
    image = new_image(a.context);
    twin = new_image(a.context);
    other_image = new_image(other.context);
    done = ended(a.context, CL_COMPLETE);
    failed = ended(a.context, -20);
    foreign = ended(other.context, CL_COMPLETE);
    test_buffer_waits();
    test_image_waits();
    test_kernel_waits();
    test_native();
    test_buffer_objects();
    test_image_objects();
    test_host_access();
    test_values();
    test_markers();
    cl_mem mems[] = {buffer, second, image, twin, other_buffer, other_image};
    cl_event events[] = {done, failed, foreign};
    for (int i = 0; i < 6; i++) EXPECT(CL_SUCCESS, clReleaseMemObject(mems[i]));
    for (int i = 0; i < 3; i++) EXPECT(CL_SUCCESS, clReleaseEvent(events[i]));
    EXPECT(CL_SUCCESS, clReleaseProgram(program));
    api_close(&a);
    api_close(&other);
    return api_result();
}
