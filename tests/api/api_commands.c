/* What the event of each command tells of it: its type, queue and context, that it has completed,
 * and the times of its steps (specification 5.9, 5.12). */
#include "api.h"

enum { SIDE = 4, BYTES = 256 };

static struct api a;

static void look_at(const char *call, cl_event e, cl_command_type type, bool profiled) {
    cl_ulong t[4] = {0};
    cl_command_type got = 0;
    EXPECT(CL_SUCCESS, clWaitForEvents(1, &e));
    EXPECT(CL_SUCCESS, clGetEventInfo(e, CL_EVENT_COMMAND_TYPE, sizeof got, &got, NULL));
    if (!CHECK(got == type)) fprintf(stderr, "%s: type 0x%x, not 0x%x\n", call, got, type);
    EXPECT_INFO(clGetEventInfo, e, CL_EVENT_COMMAND_QUEUE, cl_command_queue, a.queue);
    EXPECT_INFO(clGetEventInfo, e, CL_EVENT_CONTEXT, cl_context, a.context);
    EXPECT_INFO(clGetEventInfo, e, CL_EVENT_COMMAND_EXECUTION_STATUS, cl_int, CL_COMPLETE);
    EXPECT_INFO(clGetEventInfo, e, CL_EVENT_REFERENCE_COUNT, cl_uint, 1);
    for (cl_uint i = 0; profiled && i < 4; i++)
        EXPECT(CL_SUCCESS,
               clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_QUEUED + i, sizeof *t, &t[i], NULL));
    CHECK(!profiled || (t[0] && t[0] <= t[1] && t[1] <= t[2] && t[2] <= t[3]));
    EXPECT(CL_SUCCESS, clReleaseEvent(e));
}

/* MADE(COPY_BUFFER, clEnqueueCopyBuffer(..., &e)) */
#define MADE(type, call)                                                                           \
    do {                                                                                           \
        cl_event e = NULL;                                                                         \
        EXPECT(CL_SUCCESS, call);                                                                  \
        look_at(#call, e, CL_COMMAND_##type, true);                                                \
    } while (0)
#define MAPPED(type, pointer, call)                                                                \
    do {                                                                                           \
        cl_event e = NULL;                                                                         \
        EXPECT_NEW(CL_SUCCESS, pointer = call);                                                    \
        look_at(#call, e, CL_COMMAND_##type, true);                                                \
    } while (0)

static const size_t zero[3] = {0, 0, 0}, block[3] = {4, 2, 1}, all[3] = {SIDE, SIDE, 1};

static void test_buffers(cl_mem m, cl_mem other) {
    static unsigned char host[BYTES];
    cl_int err, pattern = 7;
    cl_command_queue q = a.queue;
    void *p;
    MADE(READ_BUFFER, clEnqueueReadBuffer(q, m, CL_FALSE, 0, BYTES, host, 0, NULL, &e));
    MADE(WRITE_BUFFER, clEnqueueWriteBuffer(q, m, CL_TRUE, 0, BYTES, host, 0, NULL, &e));
    MADE(READ_BUFFER_RECT,
         clEnqueueReadBufferRect(q, m, CL_TRUE, zero, zero, block, 0, 0, 0, 0, host, 0, NULL, &e));
    MADE(WRITE_BUFFER_RECT,
         clEnqueueWriteBufferRect(q, m, CL_TRUE, zero, zero, block, 0, 0, 0, 0, host, 0, NULL, &e));
    MADE(COPY_BUFFER, clEnqueueCopyBuffer(q, m, other, 0, 0, BYTES, 0, NULL, &e));
    MADE(COPY_BUFFER_RECT,
         clEnqueueCopyBufferRect(q, m, other, zero, zero, block, 0, 0, 0, 0, 0, NULL, &e));
    MADE(FILL_BUFFER, clEnqueueFillBuffer(q, m, &pattern, 4, 0, BYTES, 0, NULL, &e));
    MADE(MIGRATE_MEM_OBJECTS, clEnqueueMigrateMemObjects(q, 1, &m, 0, 0, NULL, &e));
    MAPPED(MAP_BUFFER, p, clEnqueueMapBuffer(q, m, CL_TRUE, CL_MAP_READ, 0, 16, 0, NULL, &e, &err));
    MADE(UNMAP_MEM_OBJECT, clEnqueueUnmapMemObject(q, m, p, 0, NULL, &e));
}

static void test_images(cl_mem m) {
    static unsigned char host[BYTES];
    static const float red[4] = {1, 0, 0, 1};
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    cl_int err;
    cl_command_queue q = a.queue;
    cl_mem images[2];
    for (int i = 0; i < 2; i++)
        EXPECT_NEW(CL_SUCCESS,
                   images[i] = clCreateImage2D(a.context, 0, &format, SIDE, SIDE, 0, NULL, &err));
    size_t row, slice;
    void *p;
    MADE(READ_IMAGE, clEnqueueReadImage(q, *images, CL_TRUE, zero, all, 0, 0, host, 0, NULL, &e));
    MADE(WRITE_IMAGE,
         clEnqueueWriteImage(q, *images, CL_FALSE, zero, all, 0, 0, host, 0, NULL, &e));
    MADE(COPY_IMAGE, clEnqueueCopyImage(q, *images, images[1], zero, zero, all, 0, NULL, &e));
    MADE(COPY_IMAGE_TO_BUFFER,
         clEnqueueCopyImageToBuffer(q, *images, m, zero, all, 0, 0, NULL, &e));
    MADE(COPY_BUFFER_TO_IMAGE,
         clEnqueueCopyBufferToImage(q, m, *images, 0, zero, all, 0, NULL, &e));
    MADE(FILL_IMAGE, clEnqueueFillImage(q, *images, red, zero, all, 0, NULL, &e));
    MAPPED(MAP_IMAGE, p,
           clEnqueueMapImage(q, *images, CL_TRUE, CL_MAP_WRITE, zero, all, &row, &slice, 0, NULL,
                             &e, &err));
    MADE(UNMAP_MEM_OBJECT, clEnqueueUnmapMemObject(q, *images, p, 0, NULL, &e));
    for (int i = 0; i < 2; i++) EXPECT(CL_SUCCESS, clReleaseMemObject(images[i]));
}

static void CL_CALLBACK nothing(void *args) { (void)args; }

static void test_kernels(cl_mem m) {
    cl_program program = kernels_program(&a);
    cl_kernel fill = kernels_get(program, "fill");
    cl_int value = 3;
    size_t items = 8;
    EXPECT(CL_SUCCESS, clSetKernelArg(fill, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clSetKernelArg(fill, 1, sizeof value, &value));
    MADE(NDRANGE_KERNEL, clEnqueueNDRangeKernel(a.queue, fill, 1, NULL, &items, NULL, 0, NULL, &e));
    MADE(TASK, clEnqueueTask(a.queue, fill, 0, NULL, &e));
    cl_device_exec_capabilities can = 0;
    EXPECT(CL_SUCCESS,
           clGetDeviceInfo(a.device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof can, &can, NULL));
    if (can & CL_EXEC_NATIVE_KERNEL)
        MADE(NATIVE_KERNEL,
             clEnqueueNativeKernel(a.queue, nothing, NULL, 0, 0, NULL, NULL, 0, NULL, &e));
    EXPECT(CL_SUCCESS, clReleaseKernel(fill));
    EXPECT(CL_SUCCESS, clReleaseProgram(program));
}

static void test_rest(void) {
    MADE(MARKER, clEnqueueMarker(a.queue, &e));
    MADE(MARKER, clEnqueueMarkerWithWaitList(a.queue, 0, NULL, &e));
    MADE(BARRIER, clEnqueueBarrierWithWaitList(a.queue, 0, NULL, &e));
}

int main(void) {
    a = api_open();
    cl_int err;
    cl_mem m = clCreateBuffer(a.context, 0, BYTES, NULL, &err),
           other = clCreateBuffer(a.context, 0, BYTES, NULL, &err);
    test_buffers(m, other);
    test_images(m);
    test_kernels(m);
    test_rest();
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseMemObject(other));
    api_close(&a);
    return api_result();
}
