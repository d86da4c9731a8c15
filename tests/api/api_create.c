/* What the functions that make, query and build objects refuse, as far as the tests of each kind of
 * object do not say it already (specification 4 and 5). */
#include "api.h"

static struct api a, other; /* two contexts of one device */
static cl_program program;
static unsigned char host[4096];
static const cl_image_format rgba = {CL_RGBA, CL_UNORM_INT8};

static void test_contexts(void) {
    cl_int err;
    int n;
    cl_context_properties unknown[] = {0x4242, 1, 0};
    cl_context_properties null[] = {CL_CONTEXT_PLATFORM, 0, 0};
    cl_context_properties wrong[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)&n, 0};
    EXPECT_NEW(CL_INVALID_PROPERTY,
               clCreateContextFromType(unknown, CL_DEVICE_TYPE_ALL, NULL, NULL, &err));
    EXPECT_NEW(CL_INVALID_PLATFORM,
               clCreateContextFromType(null, CL_DEVICE_TYPE_ALL, NULL, NULL, &err));
    EXPECT_NEW(CL_INVALID_PLATFORM,
               clCreateContextFromType(wrong, CL_DEVICE_TYPE_ALL, NULL, NULL, &err));
    EXPECT_NEW(CL_INVALID_VALUE, clCreateContextFromType(NULL, CL_DEVICE_TYPE_ALL, NULL, &n, &err));
}

static void test_queues(void) {
    cl_int err;
    cl_device_id parts[2], *not_there = parts;
    cl_device_partition_property ones[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 0, 0};
    const cl_queue_properties none[] = {0};
    EXPECT(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo(NULL, CL_QUEUE_CONTEXT, 0, NULL, NULL));
    EXPECT(CL_INVALID_COMMAND_QUEUE, clSetCommandQueueProperty(NULL, 0, CL_TRUE, NULL));
    EXPECT_NEW(CL_INVALID_CONTEXT, clCreateCommandQueueWithProperties(NULL, a.device, none, &err));
    EXPECT_NEW(CL_INVALID_DEVICE, clCreateCommandQueueWithProperties(a.context, NULL, none, &err));
    EXPECT(CL_SUCCESS, clCreateSubDevices(a.device, ones, 2, parts, NULL));
    EXPECT_NEW(CL_INVALID_DEVICE, clCreateCommandQueue(a.context, *not_there, 0, &err));
    EXPECT_NEW(CL_INVALID_DEVICE,
               clCreateCommandQueueWithProperties(a.context, *not_there, none, &err));
    for (int i = 0; i < 2; i++) EXPECT(CL_SUCCESS, clReleaseDevice(parts[i]));
}

static void test_buffers(void) {
    cl_int err;
    cl_ulong most = 0;
    const cl_mem_properties none[] = {0}, bad[] = {0x4242, 1, 0};
    EXPECT(CL_SUCCESS,
           clGetDeviceInfo(a.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
    EXPECT_NEW(CL_INVALID_CONTEXT, clCreateBufferWithProperties(NULL, none, 0, 16, NULL, &err));
    EXPECT_NEW(CL_INVALID_PROPERTY,
               clCreateBufferWithProperties(a.context, bad, 0, 16, NULL, &err));
    EXPECT_NEW(CL_INVALID_VALUE,
               clCreateBufferWithProperties(a.context, none, 1 << 20, 16, NULL, &err));
    EXPECT_NEW(CL_INVALID_BUFFER_SIZE,
               clCreateBufferWithProperties(a.context, none, 0, 0, NULL, &err));
    EXPECT_NEW(CL_INVALID_HOST_PTR,
               clCreateBufferWithProperties(a.context, none, 0, 16, host, &err));
    if (!api_ours) return;
    cl_mem full[64];
    int n = 0;
    do full[n] = clCreateBuffer(a.context, 0, most, NULL, &err);
    while (full[n] && ++n < 64);
    EXPECT_NEW(CL_MEM_OBJECT_ALLOCATION_FAILURE,
               clCreateBufferWithProperties(a.context, NULL, 0, most, NULL, &err));
    while (n) EXPECT(CL_SUCCESS, clReleaseMemObject(full[--n]));
}

static void test_images_3d(void) {
    cl_int err;
    cl_image_format bad = {CL_RGBA, CL_UNORM_SHORT_565}, wide = {CL_RGBA, CL_FLOAT};
    EXPECT_NEW(CL_INVALID_CONTEXT, clCreateImage3D(NULL, 0, &rgba, 4, 4, 4, 0, 0, NULL, &err));
    EXPECT_NEW(CL_INVALID_VALUE,
               clCreateImage3D(a.context, 1 << 20, &rgba, 4, 4, 4, 0, 0, NULL, &err));
    EXPECT_NEW(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
               clCreateImage3D(a.context, 0, NULL, 4, 4, 4, 0, 0, NULL, &err));
    EXPECT_NEW(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
               clCreateImage3D(a.context, 0, &bad, 4, 4, 4, 0, 0, NULL, &err));
    EXPECT_NEW(CL_INVALID_HOST_PTR,
               clCreateImage3D(a.context, CL_MEM_COPY_HOST_PTR, &rgba, 4, 4, 4, 0, 0, NULL, &err));
    EXPECT_NEW(CL_INVALID_HOST_PTR,
               clCreateImage3D(a.context, 0, &rgba, 4, 4, 4, 0, 0, host, &err));
    if (!api_ours) return;
    /* As many as fit, and one more. */
    cl_mem full[64];
    int n = 0;
    do full[n] = clCreateImage2D(a.context, 0, &wide, 8192, 2048, 0, NULL, &err);
    while (full[n] && ++n < 64);
    EXPECT_NEW(CL_MEM_OBJECT_ALLOCATION_FAILURE,
               clCreateImage2D(a.context, 0, &wide, 8192, 2048, 0, NULL, &err));
    while (n) EXPECT(CL_SUCCESS, clReleaseMemObject(full[--n]));
}

static void test_images(void) {
    cl_int err;
    const cl_mem_properties none[] = {0}, bad[] = {0x4242, 1, 0};
    cl_image_desc good = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    cl_image_desc wide = good, huge = good, pitched = good;
    cl_image_format strange = {CL_RGBA, CL_UNORM_SHORT_565}, large = {CL_RGBA, CL_FLOAT};
    wide.image_width = 1 << 20;
    huge.image_type = CL_MEM_OBJECT_IMAGE3D;
    huge.image_width = huge.image_height = huge.image_depth = 2048;
    pitched.image_row_pitch = 16;
    EXPECT_NEW(CL_INVALID_CONTEXT, clCreateImage(NULL, 0, &rgba, &good, NULL, &err));
    EXPECT_NEW(CL_INVALID_VALUE, clCreateImage(a.context, 1 << 20, &rgba, &good, NULL, &err));
    EXPECT_NEW(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
               clCreateImage(a.context, 0, NULL, &good, NULL, &err));
    EXPECT_NEW(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
               clCreateImage(a.context, 0, &strange, &good, NULL, &err));
    EXPECT_NEW(CL_INVALID_IMAGE_DESCRIPTOR,
               clCreateImage(a.context, 0, &rgba, &pitched, NULL, &err));
    EXPECT_NEW(CL_INVALID_IMAGE_SIZE, clCreateImage(a.context, 0, &rgba, &wide, NULL, &err));
    EXPECT_NEW(CL_INVALID_HOST_PTR,
               clCreateImage(a.context, CL_MEM_USE_HOST_PTR, &rgba, &good, NULL, &err));
    EXPECT_NEW(CL_INVALID_HOST_PTR, clCreateImage(a.context, 0, &rgba, &good, host, &err));
    EXPECT_NEW(CL_MEM_OBJECT_ALLOCATION_FAILURE,
               clCreateImage(a.context, 0, &large, &huge, NULL, &err));
    EXPECT_NEW(CL_INVALID_CONTEXT,
               clCreateImageWithProperties(NULL, none, 0, &rgba, &good, NULL, &err));
    EXPECT_NEW(CL_INVALID_PROPERTY,
               clCreateImageWithProperties(a.context, bad, 0, &rgba, &good, NULL, &err));
    EXPECT_NEW(CL_INVALID_VALUE,
               clCreateImageWithProperties(a.context, none, 1 << 20, &rgba, &good, NULL, &err));
    EXPECT_NEW(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
               clCreateImageWithProperties(a.context, none, 0, NULL, &good, NULL, &err));
    EXPECT_NEW(CL_INVALID_IMAGE_SIZE,
               clCreateImageWithProperties(a.context, none, 0, &rgba, &wide, NULL, &err));
    EXPECT_NEW(CL_INVALID_HOST_PTR,
               clCreateImageWithProperties(a.context, none, 0, &rgba, &good, host, &err));
    EXPECT_NEW(CL_MEM_OBJECT_ALLOCATION_FAILURE,
               clCreateImageWithProperties(a.context, none, 0, &large, &huge, NULL, &err));
}

static void test_samplers(void) {
    cl_int err;
    EXPECT(CL_INVALID_SAMPLER, clGetSamplerInfo(NULL, CL_SAMPLER_CONTEXT, 0, NULL, NULL));
    EXPECT_NEW(CL_INVALID_CONTEXT, clCreateSamplerWithProperties(NULL, NULL, &err));
}

static void test_programs(void) {
    cl_int err, status;
    size_t length;
    const unsigned char *bytes = (const unsigned char *)kernels_binary(&length);
    const char *text = "kernel void k() {}", *name = "x.h";
    cl_uint n;
    cl_device_id parts[2];
    cl_device_partition_property ones[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 0, 0};
    cl_program p, foreign;
    EXPECT_NEW(CL_INVALID_CONTEXT,
               clCreateProgramWithBinary(NULL, 1, &a.device, &length, &bytes, &status, &err));
    EXPECT_NEW(CL_INVALID_CONTEXT,
               clCreateProgramWithBuiltInKernels(NULL, 1, &a.device, "none", &err));
    EXPECT(CL_SUCCESS, clCreateSubDevices(a.device, ones, 2, parts, NULL));
    EXPECT_NEW(CL_INVALID_DEVICE,
               clCreateProgramWithBuiltInKernels(a.context, 1, parts, "none", &err));
    EXPECT(CL_INVALID_PROGRAM,
           clGetProgramBuildInfo(NULL, a.device, CL_PROGRAM_BUILD_LOG, 0, NULL, NULL));
    EXPECT(CL_INVALID_PROGRAM, clCreateKernelsInProgram(NULL, 0, NULL, &n));
    EXPECT_NEW(CL_SUCCESS, p = clCreateProgramWithSource(a.context, 1, &text, NULL, &err));
    EXPECT_NEW(CL_SUCCESS,
               foreign = clCreateProgramWithSource(other.context, 1, &text, NULL, &err));
    EXPECT(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernelsInProgram(p, 0, NULL, &n));
    EXPECT(CL_INVALID_PROGRAM, clCompileProgram(NULL, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    EXPECT(CL_INVALID_DEVICE, clCompileProgram(p, 1, parts, NULL, 0, NULL, NULL, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clCompileProgram(p, 0, parts, NULL, 0, NULL, NULL, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clCompileProgram(p, 0, NULL, NULL, 0, NULL, NULL, NULL, host));
    EXPECT(CL_INVALID_CONTEXT, clCompileProgram(p, 0, NULL, NULL, 1, &foreign, &name, NULL, NULL));
    EXPECT_NEW(CL_INVALID_CONTEXT, clLinkProgram(NULL, 0, NULL, NULL, 1, &p, NULL, NULL, &err));
    EXPECT_NEW(CL_INVALID_CONTEXT,
               clLinkProgram(a.context, 0, NULL, NULL, 1, &foreign, NULL, NULL, &err));
    EXPECT_NEW(CL_INVALID_DEVICE,
               clLinkProgram(a.context, 1, parts, NULL, 1, &p, NULL, NULL, &err));
    EXPECT_NEW(CL_INVALID_VALUE, clLinkProgram(a.context, 1, NULL, NULL, 1, &p, NULL, NULL, &err));
    EXPECT_NEW(CL_INVALID_VALUE, clLinkProgram(a.context, 0, NULL, NULL, 1, &p, NULL, host, &err));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    EXPECT(CL_SUCCESS, clReleaseProgram(foreign));
    for (int i = 0; i < 2; i++) EXPECT(CL_SUCCESS, clReleaseDevice(parts[i]));
}

static void test_kernels(void) {
    cl_int err;
    cl_kernel k = kernels_get(program, "kinds");
    cl_mem foreign = clCreateBuffer(other.context, 0, 64, NULL, &err);
    cl_mem image = clCreateImage2D(other.context, 0, &rgba, 4, 4, 0, NULL, &err);
    cl_sampler sampler =
        clCreateSampler(other.context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &err);
    EXPECT(CL_INVALID_CONTEXT, clSetKernelArg(k, 0, sizeof foreign, &foreign));
    EXPECT(CL_INVALID_CONTEXT, clSetKernelArg(k, 3, sizeof image, &image));
    EXPECT(CL_INVALID_CONTEXT, clSetKernelArg(k, 4, sizeof sampler, &sampler));
    EXPECT(CL_INVALID_KERNEL, clGetKernelInfo(NULL, CL_KERNEL_NUM_ARGS, 0, NULL, NULL));
    EXPECT(CL_INVALID_KERNEL,
           clGetKernelWorkGroupInfo(NULL, a.device, CL_KERNEL_WORK_GROUP_SIZE, 0, NULL, NULL));
    EXPECT(CL_INVALID_KERNEL, clGetKernelArgInfo(NULL, 0, CL_KERNEL_ARG_NAME, 0, NULL, NULL));
    EXPECT(CL_INVALID_EVENT,
           clGetEventProfilingInfo(NULL, CL_PROFILING_COMMAND_END, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clReleaseMemObject(foreign));
    EXPECT(CL_SUCCESS, clReleaseMemObject(image));
    EXPECT(CL_SUCCESS, clReleaseSampler(sampler));
    EXPECT(CL_SUCCESS, clReleaseKernel(k));
    if (!api_ours) return;
    size_t length;
    const unsigned char *bytes = (const unsigned char *)kernels_nameless(&length);
    cl_program nameless;
    EXPECT_NEW(CL_SUCCESS, nameless = clCreateProgramWithBinary(a.context, 1, &a.device, &length,
                                                                &bytes, NULL, &err));
    EXPECT(CL_SUCCESS, clBuildProgram(nameless, 0, NULL, NULL, NULL, NULL));
    k = kernels_get(nameless, "fill");
    EXPECT(CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
           clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_NAME, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clReleaseKernel(k));
    EXPECT(CL_SUCCESS, clReleaseProgram(nameless));
}

/* A program that is another on each part of the device, or is for one of them alone. */
static void test_parts(void) {
    if (!api_ours) return;
    cl_int err;
    size_t lengths[2];
    const unsigned char *binaries[] = {(const unsigned char *)kernels_binary(&lengths[0]),
                                       (const unsigned char *)kernels_nameless(&lengths[1])};
    cl_device_id parts[2];
    cl_device_partition_property ones[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 0, 0};
    cl_program p;
    EXPECT(CL_SUCCESS, clCreateSubDevices(a.device, ones, 2, parts, NULL));
    cl_context context = clCreateContext(NULL, 2, parts, NULL, NULL, &err);
    EXPECT_NEW(CL_SUCCESS,
               p = clCreateProgramWithBinary(context, 2, parts, lengths, binaries, NULL, &err));
    EXPECT(CL_SUCCESS, clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    EXPECT_NEW(CL_INVALID_KERNEL_DEFINITION, clCreateKernel(p, "fill", &err));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));

    size_t items = 1;
    cl_int value = 0;
    cl_mem m = clCreateBuffer(context, 0, 64, NULL, &err);
    cl_command_queue q = clCreateCommandQueue(context, parts[1], 0, &err);
    EXPECT_NEW(CL_SUCCESS,
               p = clCreateProgramWithBinary(context, 1, parts, lengths, binaries, NULL, &err));
    EXPECT(CL_SUCCESS, clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    cl_kernel k = kernels_get(p, "fill");
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 1, sizeof value, &value));
    EXPECT(CL_INVALID_PROGRAM_EXECUTABLE,
           clEnqueueNDRangeKernel(q, k, 1, NULL, &items, NULL, 0, NULL, NULL));
    EXPECT(CL_INVALID_PROGRAM_EXECUTABLE, clEnqueueTask(q, k, 0, NULL, NULL));
    EXPECT(CL_INVALID_DEVICE,
           clGetKernelWorkGroupInfo(k, parts[1], CL_KERNEL_WORK_GROUP_SIZE, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clReleaseKernel(k));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseCommandQueue(q));
    EXPECT(CL_SUCCESS, clReleaseContext(context));
    for (int i = 0; i < 2; i++) EXPECT(CL_SUCCESS, clReleaseDevice(parts[i]));
}

int main(void) {
    a = api_open();
    other = api_open();
    program = kernels_program(&a);
    test_contexts();
    test_queues();
    test_buffers();
    test_images_3d();
    test_images();
    test_samplers();
    test_programs();
    test_kernels();
    test_parts();
    EXPECT(CL_SUCCESS, clReleaseProgram(program));
    api_close(&a);
    api_close(&other);
    return api_result();
}
