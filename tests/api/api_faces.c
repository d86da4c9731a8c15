/* The strict older faces (SIMTCL_CL_VERSION): every call, flag, query, option and error code that
 * came later is refused as a driver of the time would. The same checks hold for 1.2, where nothing
 * of them is refused. */
#include "api.h"

static struct api a;
static int version;
static cl_program program;
static cl_mem buffer;

/* A function that came with `since`; with all arguments NULL or 0 it answers `code` from then on.
 */
#define SINCE(since, code, call)     EXPECT(version < since ? CL_INVALID_OPERATION : code, call)
#define SINCE_NEW(since, code, call) EXPECT_NEW(version < since ? CL_INVALID_OPERATION : code, call)

static void test_calls(void) {
    cl_int err;
    SINCE(110, CL_INVALID_EVENT, clSetEventCallback(NULL, 0, NULL, NULL));
    SINCE_NEW(110, CL_INVALID_MEM_OBJECT, clCreateSubBuffer(NULL, 0, 0, NULL, &err));
    SINCE(110, CL_INVALID_MEM_OBJECT, clSetMemObjectDestructorCallback(NULL, NULL, NULL));
    SINCE_NEW(110, CL_INVALID_CONTEXT, clCreateUserEvent(NULL, &err));
    SINCE(110, CL_INVALID_EVENT, clSetUserEventStatus(NULL, 0));
    SINCE(
        110, CL_INVALID_COMMAND_QUEUE,
        clEnqueueReadBufferRect(NULL, NULL, 0, NULL, NULL, NULL, 0, 0, 0, 0, NULL, 0, NULL, NULL));
    SINCE(
        110, CL_INVALID_COMMAND_QUEUE,
        clEnqueueWriteBufferRect(NULL, NULL, 0, NULL, NULL, NULL, 0, 0, 0, 0, NULL, 0, NULL, NULL));
    SINCE(110, CL_INVALID_COMMAND_QUEUE,
          clEnqueueCopyBufferRect(NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, NULL, NULL));
    SINCE(120, CL_INVALID_DEVICE, clCreateSubDevices(NULL, NULL, 0, NULL, NULL));
    SINCE_NEW(120, CL_INVALID_CONTEXT, clCreateImage(NULL, 0, NULL, NULL, NULL, &err));
    SINCE_NEW(120, CL_INVALID_CONTEXT,
              clCreateProgramWithBuiltInKernels(NULL, 0, NULL, NULL, &err));
    SINCE(120, CL_INVALID_PROGRAM,
          clCompileProgram(NULL, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    SINCE_NEW(120, CL_INVALID_CONTEXT,
              clLinkProgram(NULL, 0, NULL, NULL, 0, NULL, NULL, NULL, &err));
    SINCE(120, CL_INVALID_PLATFORM, clUnloadPlatformCompiler(NULL));
    SINCE(120, CL_INVALID_KERNEL, clGetKernelArgInfo(NULL, 0, 0, 0, NULL, NULL));
    SINCE(120, CL_INVALID_COMMAND_QUEUE,
          clEnqueueFillBuffer(NULL, NULL, NULL, 0, 0, 0, 0, NULL, NULL));
    SINCE(120, CL_INVALID_COMMAND_QUEUE,
          clEnqueueFillImage(NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL));
    SINCE(120, CL_INVALID_COMMAND_QUEUE,
          clEnqueueMigrateMemObjects(NULL, 0, NULL, 0, 0, NULL, NULL));
    SINCE(120, CL_INVALID_COMMAND_QUEUE, clEnqueueMarkerWithWaitList(NULL, 0, NULL, NULL));
    SINCE(120, CL_INVALID_COMMAND_QUEUE, clEnqueueBarrierWithWaitList(NULL, 0, NULL, NULL));
    SINCE_NEW(120, CL_INVALID_CONTEXT, clCreateCommandQueueWithProperties(NULL, NULL, NULL, &err));
    SINCE_NEW(120, CL_INVALID_CONTEXT, clCreateSamplerWithProperties(NULL, NULL, &err));
    SINCE_NEW(120, CL_INVALID_CONTEXT, clCreateBufferWithProperties(NULL, NULL, 0, 0, NULL, &err));
    SINCE_NEW(120, CL_INVALID_CONTEXT,
              clCreateImageWithProperties(NULL, NULL, 0, NULL, NULL, NULL, &err));
}

static void test_flags(void) {
    cl_int err;
    cl_uint n;
    cl_int later = version < 120 ? CL_INVALID_VALUE : CL_SUCCESS;
    const cl_mem_flags host[] = {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY,
                                 CL_MEM_HOST_WRITE_ONLY};
    for (int i = 0; i < 3; i++) {
        cl_mem m = NULL;
        EXPECT_NEW(later, m = clCreateBuffer(a.context, host[i], 64, NULL, &err));
        if (m) EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    }
    void *p = NULL;
    EXPECT_NEW(later,
               p = clEnqueueMapBuffer(a.queue, buffer, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0,
                                      16, 0, NULL, NULL, &err));
    if (p) EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(a.queue, buffer, p, 0, NULL, NULL));
    const cl_mem_object_type types[] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY,
                                        CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE2D_ARRAY};
    for (int i = 0; i < 4; i++)
        EXPECT(later,
               clGetSupportedImageFormats(a.context, CL_MEM_READ_ONLY, types[i], 0, NULL, &n));
    EXPECT(version < 120 ? CL_INVALID_DEVICE_TYPE : CL_DEVICE_NOT_FOUND,
           clGetDeviceIDs(a.platform, CL_DEVICE_TYPE_CUSTOM, 0, NULL, &n));
    /* What no version knows, or knows once, is a bad value to 1.0, which has no code of its own. */
    cl_int bad = version < 110 ? CL_INVALID_VALUE : CL_INVALID_PROPERTY;
    cl_context_properties platform = (cl_context_properties)a.platform, unknown[] = {0x4242, 1, 0},
                          twice[] = {CL_CONTEXT_PLATFORM, platform, CL_CONTEXT_PLATFORM, platform,
                                     0};
    EXPECT_NEW(bad, clCreateContext(unknown, 1, &a.device, NULL, NULL, &err));
    EXPECT_NEW(bad, clCreateContext(twice, 1, &a.device, NULL, NULL, &err));
    EXPECT_NEW(bad, clCreateContextFromType(unknown, CL_DEVICE_TYPE_ALL, NULL, NULL, &err));
    cl_context c = NULL;
    const cl_context_properties sync[] = {CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE, 0};
    EXPECT_NEW(version < 110   ? CL_INVALID_VALUE
               : version < 120 ? CL_INVALID_PROPERTY
                               : CL_SUCCESS,
               c = clCreateContext(sync, 1, &a.device, NULL, NULL, &err));
    if (c) EXPECT(CL_SUCCESS, clReleaseContext(c));
}

static void test_images(void) {
    cl_int err;
    cl_uint n = 0;
    static cl_image_format formats[256];
    const cl_image_format rx = {CL_Rx, CL_UNORM_INT8};
    cl_mem m = NULL;
    EXPECT_NEW(version < 110 ? CL_INVALID_IMAGE_FORMAT_DESCRIPTOR : CL_SUCCESS,
               m = clCreateImage2D(a.context, 0, &rx, 4, 4, 0, NULL, &err));
    if (m) EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clGetSupportedImageFormats(a.context, CL_MEM_READ_ONLY,
                                                  CL_MEM_OBJECT_IMAGE2D, 256, formats, &n));
    int later = 0;
    for (cl_uint i = 0; i < n && i < 256; i++)
        later +=
            formats[i].image_channel_order >= CL_Rx && formats[i].image_channel_order <= CL_RGBx;
    CHECK(version < 110 ? !later : later);
    cl_sampler s = NULL;
    EXPECT_NEW(version < 110 ? CL_INVALID_VALUE : CL_SUCCESS,
               s = clCreateSampler(a.context, CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT,
                                   CL_FILTER_NEAREST, &err));
    if (s) EXPECT(CL_SUCCESS, clReleaseSampler(s));
}

/* 1.0 has no offset, and no code that says a command failed because another one did. */
static void test_launches(void) {
    cl_int value = 1, address = 12, status = 0;
    size_t items = 4, offset = 2, zero = 0;
    cl_kernel fill = kernels_get(program, "fill"), wild = kernels_get(program, "wild");
    EXPECT(CL_SUCCESS, clSetKernelArg(fill, 0, sizeof buffer, &buffer));
    EXPECT(CL_SUCCESS, clSetKernelArg(fill, 1, sizeof value, &value));
    EXPECT(CL_SUCCESS, clSetKernelArg(wild, 0, sizeof buffer, &buffer));
    EXPECT(CL_SUCCESS, clSetKernelArg(wild, 1, sizeof address, &address));
    cl_int refused = version < 110 ? CL_INVALID_GLOBAL_OFFSET : CL_SUCCESS;
    EXPECT(refused, clEnqueueNDRangeKernel(a.queue, fill, 1, &offset, &items, NULL, 0, NULL, NULL));
    EXPECT(refused, clEnqueueNDRangeKernel(a.queue, fill, 1, &zero, &items, NULL, 0, NULL, NULL));
    cl_int empty = version < 110 ? CL_OUT_OF_RESOURCES : CL_INVALID_GLOBAL_WORK_SIZE;
    EXPECT(empty, clEnqueueNDRangeKernel(a.queue, fill, 1, NULL, &zero, NULL, 0, NULL, NULL));
    if (api_ours) {
        cl_event stopped, after;
        EXPECT(CL_SUCCESS,
               clEnqueueNDRangeKernel(a.queue, wild, 1, NULL, &items, NULL, 0, NULL, &stopped));
        EXPECT(CL_SUCCESS,
               clEnqueueNDRangeKernel(a.queue, fill, 1, NULL, &items, NULL, 1, &stopped, &after));
        EXPECT(version < 110 ? CL_SUCCESS : CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
               clWaitForEvents(1, &after));
        EXPECT(CL_SUCCESS, clGetEventInfo(after, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                                          &status, NULL));
        cl_int dependent =
            version < 110 ? CL_OUT_OF_RESOURCES : CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
        CHECK(status == dependent);
        EXPECT(dependent,
               clEnqueueReadBuffer(a.queue, buffer, CL_TRUE, 0, 4, &value, 1, &stopped, NULL));
        EXPECT(CL_SUCCESS, clReleaseEvent(stopped));
        EXPECT(CL_SUCCESS, clReleaseEvent(after));
    }
    EXPECT(CL_SUCCESS, clReleaseKernel(fill));
    EXPECT(CL_SUCCESS, clReleaseKernel(wild));
}

static void CL_CALLBACK called(cl_event e, cl_int status, void *user) {
    (void)e, (void)status, (void)user;
}

/* 1.1 knows callbacks for the end alone. */
static void test_callbacks(void) {
    if (version < 110) return;
    cl_int err;
    cl_event e = clCreateUserEvent(a.context, &err);
    cl_int earlier = version < 120 ? CL_INVALID_VALUE : CL_SUCCESS;
    EXPECT(earlier, clSetEventCallback(e, CL_SUBMITTED, called, NULL));
    EXPECT(earlier, clSetEventCallback(e, CL_RUNNING, called, NULL));
    EXPECT(CL_SUCCESS, clSetEventCallback(e, CL_COMPLETE, called, NULL));
    EXPECT(CL_SUCCESS, clSetUserEventStatus(e, CL_COMPLETE));
    EXPECT(CL_SUCCESS, clReleaseEvent(e));
}

/* What the compiler says of itself, and which options it knows. */
static void test_compiler(void) {
    cl_int err, bad = CL_INVALID_BUILD_OPTIONS;
    char text[256];
    const char *source = text;
    snprintf(text, sizeof text,
             "#if __OPENCL_VERSION__ != %d\n#error version\n#endif\n"
             "kernel void k(global int *out) { *out = 1; }\n",
             version);
    cl_program p;
    EXPECT_NEW(CL_SUCCESS, p = clCreateProgramWithSource(a.context, 1, &source, NULL, &err));
    EXPECT(CL_SUCCESS, clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    EXPECT(version < 110 ? bad : CL_SUCCESS,
           clBuildProgram(p, 0, NULL, "-cl-std=CL1.1", NULL, NULL));
    EXPECT(version < 120 ? bad : CL_SUCCESS,
           clBuildProgram(p, 0, NULL, "-cl-std=CL1.2", NULL, NULL));
    EXPECT(version < 120 ? bad : CL_SUCCESS,
           clBuildProgram(p, 0, NULL, "-cl-kernel-arg-info", NULL, NULL));
    EXPECT(CL_SUCCESS, clBuildProgram(p, 0, NULL, "-cl-mad-enable", NULL, NULL));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
}

int main(void) {
    a = api_open();
    version = api_version(a.device);
    if (version > 120) version = 120;
    cl_int err;
    program = kernels_program(&a);
    buffer = clCreateBuffer(a.context, 0, 256, NULL, &err);
    test_calls();
    test_flags();
    test_images();
    test_launches();
    test_callbacks();
    test_compiler();
    EXPECT(CL_SUCCESS, clReleaseMemObject(buffer));
    EXPECT(CL_SUCCESS, clReleaseProgram(program));
    api_close(&a);
    return api_result();
}
