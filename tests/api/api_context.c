/* Contexts, of one device and of all the model's (specification 4.4). */
#include "api.h"

static void CL_CALLBACK notify(const char *text, const void *data, size_t size, void *user) {
    (void)text, (void)data, (void)size, (void)user;
}

/* Boards may have several. */
static cl_uint devices_of_model(void) {
    const char *model = getenv("SIMTCL_MODEL");
    if (model && !strcmp(model, "Tesla S1070")) return 4;
    return model && !strcmp(model, "GeForce GTX 295") ? 2 : 1;
}

int main(void) {
    cl_platform_id platform;
    cl_device_id devices[8], device, got[9];
    cl_uint n = 0;
    cl_int err;
    EXPECT(CL_SUCCESS, clGetPlatformIDs(1, &platform, NULL));
    EXPECT(CL_SUCCESS, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 8, devices, &n));
    device = devices[0];
    if (api_ours) CHECK(n == devices_of_model());
    cl_context_properties good[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
    cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, good[1], CL_CONTEXT_PLATFORM, good[1], 0};
    cl_context_properties wrong[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)&n, 0};
    cl_context_properties null[] = {CL_CONTEXT_PLATFORM, 0, 0};
    cl_context_properties unknown[] = {0x4242, 1, 0};
    cl_device_id bad[] = {device, (cl_device_id)platform};
    cl_context c;
    EXPECT_NEW(CL_INVALID_PROPERTY, clCreateContext(unknown, 1, &device, NULL, NULL, &err));
    EXPECT_NEW(CL_INVALID_PROPERTY, clCreateContext(twice, 1, &device, NULL, NULL, &err));
    EXPECT_NEW(CL_INVALID_PLATFORM, clCreateContext(wrong, 1, &device, NULL, NULL, &err));
    EXPECT_NEW(CL_INVALID_PLATFORM, clCreateContext(null, 1, &device, NULL, NULL, &err));
    EXPECT_NEW(CL_INVALID_VALUE, clCreateContext(good, 0, &device, NULL, NULL, &err));
    EXPECT_NEW(CL_INVALID_VALUE, clCreateContext(good, 1, NULL, NULL, NULL, &err));
    EXPECT_NEW(CL_INVALID_VALUE, clCreateContext(good, 1, &device, NULL, &n, &err));
    EXPECT_NEW(CL_INVALID_DEVICE, clCreateContext(good, 2, bad, NULL, NULL, &err));
    EXPECT_NEW(CL_INVALID_DEVICE_TYPE, clCreateContextFromType(good, 0, NULL, NULL, &err));
    EXPECT_NEW(CL_DEVICE_NOT_FOUND,
               clCreateContextFromType(good, CL_DEVICE_TYPE_ACCELERATOR, NULL, NULL, &err));
    EXPECT_NEW(CL_SUCCESS, c = clCreateContextFromType(good, CL_DEVICE_TYPE_GPU, notify, &n, &err));
    EXPECT(CL_SUCCESS, clReleaseContext(c));

    EXPECT_NEW(CL_SUCCESS, c = clCreateContext(good, n, devices, notify, &n, &err));
    EXPECT_INFO(clGetContextInfo, c, CL_CONTEXT_NUM_DEVICES, cl_uint, n);
    EXPECT_INFO(clGetContextInfo, c, CL_CONTEXT_REFERENCE_COUNT, cl_uint, 1);
    size_t size = 0;
    EXPECT(CL_SUCCESS, clGetContextInfo(c, CL_CONTEXT_DEVICES, sizeof got, got, &size));
    CHECK(size == n * sizeof *got && !memcmp(got, devices, size));
    cl_context_properties p[4];
    EXPECT(CL_SUCCESS, clGetContextInfo(c, CL_CONTEXT_PROPERTIES, sizeof p, p, &size));
    CHECK(size == sizeof good && !memcmp(p, good, size));
    EXPECT(CL_INVALID_VALUE, clGetContextInfo(c, 0x4242, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clGetContextInfo(c, CL_CONTEXT_DEVICES, 1, got, NULL));
    EXPECT(CL_INVALID_CONTEXT, clGetContextInfo(NULL, CL_CONTEXT_DEVICES, 0, NULL, NULL));

    /* A value goes from device to device. */
    cl_program program;
    cl_command_queue queues[8];
    for (cl_uint i = 0; i < n; i++)
        EXPECT_NEW(CL_SUCCESS, queues[i] = clCreateCommandQueue(c, devices[i], 0, &err));
    program = kernels_program_for(c, n, devices);
    cl_kernel fill = kernels_get(program, "fill");
    cl_mem mem[2];
    for (int i = 0; i < 2; i++)
        EXPECT_NEW(CL_SUCCESS, mem[i] = clCreateBuffer(c, 0, 4096, NULL, &err));
    const cl_image_format format = {CL_R, CL_SIGNED_INT32};
    const size_t origin[3] = {0, 0, 0}, region[3] = {32, 32, 1};
    cl_mem image;
    EXPECT_NEW(CL_SUCCESS, image = clCreateImage2D(c, 0, &format, 32, 32, 0, NULL, &err));
    cl_int value = 11, out[1024] = {0};
    size_t items = 1024;
    EXPECT(CL_SUCCESS, clSetKernelArg(fill, 0, sizeof *mem, &mem[0]));
    EXPECT(CL_SUCCESS, clSetKernelArg(fill, 1, sizeof value, &value));
    cl_event events[8];
    EXPECT(CL_SUCCESS,
           clEnqueueNDRangeKernel(queues[0], fill, 1, NULL, &items, NULL, 0, NULL, &events[0]));
    for (cl_uint i = 1; i < n; i++)
        EXPECT(CL_SUCCESS, clEnqueueCopyBuffer(queues[i], mem[(i + 1) % 2], mem[i % 2], 0, 0, 4096,
                                               1, &events[i - 1], &events[i]));
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queues[0], mem[(n - 1) % 2], CL_TRUE, 0, 4096, out, 1,
                                           &events[n - 1], NULL));
    CHECK(out[0] == 11 && out[1023] == 1034);
    /* And by way of an image, into one device and out of another. */
    memset(out, 0, sizeof out);
    EXPECT(CL_SUCCESS, clReleaseEvent(events[0]));
    EXPECT(CL_SUCCESS, clEnqueueCopyBufferToImage(queues[0], mem[(n - 1) % 2], image, 0, origin,
                                                  region, 0, NULL, &events[0]));
    EXPECT(CL_SUCCESS, clEnqueueReadImage(queues[n - 1], image, CL_TRUE, origin, region, 0, 0, out,
                                          1, events, NULL));
    CHECK(out[0] == 11 && out[1023] == 1034);
    EXPECT(CL_SUCCESS, clReleaseEvent(events[0]));
    EXPECT(CL_SUCCESS, clReleaseMemObject(image));
    for (cl_uint i = 0; i < n; i++) {
        if (i) EXPECT(CL_SUCCESS, clReleaseEvent(events[i]));
        EXPECT(CL_SUCCESS, clReleaseCommandQueue(queues[i]));
    }
    EXPECT(CL_SUCCESS, clReleaseKernel(fill));
    EXPECT(CL_SUCCESS, clReleaseProgram(program));

    /* Objects keep their context; its handle can be had from them again. */
    EXPECT(CL_SUCCESS, clReleaseContext(c));
    cl_context again = NULL;
    EXPECT(CL_SUCCESS, clGetMemObjectInfo(mem[0], CL_MEM_CONTEXT, sizeof again, &again, NULL));
    CHECK(again == c);
    EXPECT(CL_INVALID_CONTEXT, clReleaseContext(c));
    EXPECT(CL_SUCCESS, clRetainContext(c));
    EXPECT(CL_SUCCESS, clReleaseContext(c));
    EXPECT(CL_SUCCESS, clReleaseMemObject(mem[0]));
    EXPECT(CL_SUCCESS, clReleaseMemObject(mem[1]));
    EXPECT(CL_INVALID_CONTEXT, clRetainContext(c));
    return api_result();
}
