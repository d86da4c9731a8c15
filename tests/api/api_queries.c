/* Every query of every object but the device (platform.c has those), in whichever version
 * SIMTCL_CL_VERSION reports: what it answers, how many bytes that has, and the rules about room and
 * NULL that all of them share (specification 4.1, 4.4, 5). */
#include "api.h"

#include <CL/cl_ext.h>

static struct api a;
static int version;
static unsigned char room[4096];

/* What every query has to keep to, if the version has it. */
#define RULES(function, object, name, since)                                                       \
    do {                                                                                           \
        size_t size_ = 0, again_ = 0;                                                              \
        if (version < since) {                                                                     \
            EXPECT(CL_INVALID_VALUE, function(object, name, sizeof room, room, &size_));           \
            break;                                                                                 \
        }                                                                                          \
        EXPECT(CL_SUCCESS, function(object, name, 0, NULL, &size_));                               \
        EXPECT(CL_SUCCESS, function(object, name, 0, NULL, NULL));                                 \
        if (!size_) break; /* an empty list */                                                     \
        memset(room, 0xab, sizeof room);                                                           \
        EXPECT(CL_SUCCESS, function(object, name, sizeof room, room, &again_));                    \
        CHECK(again_ == size_ && room[size_] == 0xab);                                             \
        EXPECT(CL_SUCCESS, function(object, name, size_, room, NULL));                             \
        EXPECT(CL_INVALID_VALUE, function(object, name, size_ - 1, room, &again_));                \
        EXPECT(CL_INVALID_VALUE, function(object, name, 0, room, NULL));                           \
    } while (0)
#define VALUE(function, object, name, since, type, value)                                          \
    do {                                                                                           \
        RULES(function, object, name, since);                                                      \
        if (version >= since) EXPECT_INFO(function, object, name, type, value);                    \
    } while (0)
#define TEXT(function, object, name, since, text)                                                  \
    do {                                                                                           \
        RULES(function, object, name, since);                                                      \
        if (version < since) break;                                                                \
        EXPECT(CL_SUCCESS, function(object, name, sizeof room, room, NULL));                       \
        CHECK(!strcmp((char *)room, text));                                                        \
    } while (0)
/* No version of ours has it. */
#define UNKNOWN(function, object, name)                                                            \
    EXPECT(CL_INVALID_VALUE, function(object, name, sizeof room, room, NULL))

static void test_platform(void) {
    char text[32];
    snprintf(text, sizeof text, "OpenCL %d.%d ", version / 100, version / 10 % 10);
    RULES(clGetPlatformInfo, a.platform, CL_PLATFORM_PROFILE, 100);
    RULES(clGetPlatformInfo, a.platform, CL_PLATFORM_VERSION, 100);
    RULES(clGetPlatformInfo, a.platform, CL_PLATFORM_NAME, 100);
    RULES(clGetPlatformInfo, a.platform, CL_PLATFORM_VENDOR, 100);
    RULES(clGetPlatformInfo, a.platform, CL_PLATFORM_EXTENSIONS, 100);
    RULES(clGetPlatformInfo, a.platform, CL_PLATFORM_ICD_SUFFIX_KHR, 100);
    if (version <= 120) UNKNOWN(clGetPlatformInfo, a.platform, CL_PLATFORM_HOST_TIMER_RESOLUTION);
    EXPECT(CL_SUCCESS, clGetPlatformInfo(a.platform, CL_PLATFORM_VERSION, sizeof room, room, NULL));
    CHECK(!strncmp((char *)room, text, strlen(text)));
}

static void test_context(void) {
    cl_int err;
    cl_context_properties how[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)a.platform, 0};
    cl_context c;
    EXPECT_NEW(CL_SUCCESS, c = clCreateContext(how, 1, &a.device, NULL, NULL, &err));
    VALUE(clGetContextInfo, c, CL_CONTEXT_REFERENCE_COUNT, 100, cl_uint, 1);
    VALUE(clGetContextInfo, c, CL_CONTEXT_NUM_DEVICES, 110, cl_uint, 1);
    VALUE(clGetContextInfo, c, CL_CONTEXT_DEVICES, 100, cl_device_id, a.device);
    RULES(clGetContextInfo, c, CL_CONTEXT_PROPERTIES, 100);
    RULES(clGetContextInfo, a.context, CL_CONTEXT_PROPERTIES, 100); /* none were given */
    UNKNOWN(clGetContextInfo, c, 0x4242);
    EXPECT(CL_SUCCESS, clReleaseContext(c));
}

static void test_queue(void) {
    VALUE(clGetCommandQueueInfo, a.queue, CL_QUEUE_CONTEXT, 100, cl_context, a.context);
    VALUE(clGetCommandQueueInfo, a.queue, CL_QUEUE_DEVICE, 100, cl_device_id, a.device);
    VALUE(clGetCommandQueueInfo, a.queue, CL_QUEUE_REFERENCE_COUNT, 100, cl_uint, 1);
    VALUE(clGetCommandQueueInfo, a.queue, CL_QUEUE_PROPERTIES, 100, cl_command_queue_properties,
          CL_QUEUE_PROFILING_ENABLE);
    if (api_ours) UNKNOWN(clGetCommandQueueInfo, a.queue, CL_QUEUE_SIZE);
    UNKNOWN(clGetCommandQueueInfo, a.queue, 0x4242);
}

static void mem_queries(cl_mem m, cl_mem_object_type type, cl_mem_flags flags, size_t size,
                        void *host, cl_mem parent, size_t offset) {
    VALUE(clGetMemObjectInfo, m, CL_MEM_TYPE, 100, cl_mem_object_type, type);
    VALUE(clGetMemObjectInfo, m, CL_MEM_FLAGS, 100, cl_mem_flags, flags);
    VALUE(clGetMemObjectInfo, m, CL_MEM_SIZE, 100, size_t, size);
    VALUE(clGetMemObjectInfo, m, CL_MEM_HOST_PTR, 100, void *, host);
    VALUE(clGetMemObjectInfo, m, CL_MEM_MAP_COUNT, 100, cl_uint, 0);
    VALUE(clGetMemObjectInfo, m, CL_MEM_REFERENCE_COUNT, 100, cl_uint, 1);
    VALUE(clGetMemObjectInfo, m, CL_MEM_CONTEXT, 100, cl_context, a.context);
    VALUE(clGetMemObjectInfo, m, CL_MEM_ASSOCIATED_MEMOBJECT, 110, cl_mem, parent);
    VALUE(clGetMemObjectInfo, m, CL_MEM_OFFSET, 110, size_t, offset);
    if (api_ours) UNKNOWN(clGetMemObjectInfo, m, CL_MEM_USES_SVM_POINTER);
    UNKNOWN(clGetMemObjectInfo, m, 0x4242);
}

static void test_buffers(void) {
    cl_int err;
    static char host[8192];
    cl_mem m, sub;
    EXPECT_NEW(CL_SUCCESS, m = clCreateBuffer(a.context, CL_MEM_WRITE_ONLY, 8192, NULL, &err));
    mem_queries(m, CL_MEM_OBJECT_BUFFER, CL_MEM_WRITE_ONLY, 8192, NULL, NULL, 0);
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    cl_mem_flags uses = CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR;
    EXPECT_NEW(CL_SUCCESS, m = clCreateBuffer(a.context, uses, 8192, host, &err));
    mem_queries(m, CL_MEM_OBJECT_BUFFER, uses, 8192, host, NULL, 0);
    if (version >= 110) {
        cl_buffer_region region = {4096, 512};
        EXPECT_NEW(CL_SUCCESS,
                   sub = clCreateSubBuffer(m, CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION,
                                           &region, &err));
        mem_queries(sub, CL_MEM_OBJECT_BUFFER, uses, 512, host + 4096, m, 4096);
        EXPECT(CL_SUCCESS, clReleaseMemObject(sub));
    }
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    /* What the host's bytes were copied from is only answered by 1.0. */
    EXPECT_NEW(CL_SUCCESS, m = clCreateBuffer(a.context, CL_MEM_COPY_HOST_PTR, 64, host, &err));
    VALUE(clGetMemObjectInfo, m, CL_MEM_HOST_PTR, 100, void *, version < 110 ? host : NULL);
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
}

static void image_queries(cl_mem m, cl_image_format format, size_t texel, const size_t *extent,
                          size_t row, size_t slice) {
    RULES(clGetImageInfo, m, CL_IMAGE_FORMAT, 100);
    EXPECT(CL_SUCCESS, clGetImageInfo(m, CL_IMAGE_FORMAT, sizeof room, room, NULL));
    CHECK(!memcmp(room, &format, sizeof format));
    VALUE(clGetImageInfo, m, CL_IMAGE_ELEMENT_SIZE, 100, size_t, texel);
    VALUE(clGetImageInfo, m, CL_IMAGE_ROW_PITCH, 100, size_t, row);
    VALUE(clGetImageInfo, m, CL_IMAGE_SLICE_PITCH, 100, size_t, slice);
    VALUE(clGetImageInfo, m, CL_IMAGE_WIDTH, 100, size_t, extent[0]);
    VALUE(clGetImageInfo, m, CL_IMAGE_HEIGHT, 100, size_t, extent[1]);
    VALUE(clGetImageInfo, m, CL_IMAGE_DEPTH, 100, size_t, extent[2]);
    VALUE(clGetImageInfo, m, CL_IMAGE_ARRAY_SIZE, 120, size_t, 0);
    VALUE(clGetImageInfo, m, CL_IMAGE_BUFFER, 120, cl_mem, NULL);
    VALUE(clGetImageInfo, m, CL_IMAGE_NUM_MIP_LEVELS, 120, cl_uint, 0);
    VALUE(clGetImageInfo, m, CL_IMAGE_NUM_SAMPLES, 120, cl_uint, 0);
    UNKNOWN(clGetImageInfo, m, 0x4242);
}

static void test_images(void) {
    cl_int err;
    cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT16};
    static char host[16 * 8 * 8 * 4];
    cl_mem m;
    EXPECT_NEW(CL_SUCCESS, m = clCreateImage2D(a.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                               &format, 16, 8, 0, host, &err));
    image_queries(m, format, 8, (const size_t[]){16, 8, 0}, 128, 0);
    mem_queries(m, CL_MEM_OBJECT_IMAGE2D, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, 16 * 8 * 8, host,
                NULL, 0);
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT_NEW(CL_SUCCESS, m = clCreateImage3D(a.context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR,
                                               &format, 16, 8, 4, 0, 0, host, &err));
    image_queries(m, format, 8, (const size_t[]){16, 8, 4}, 128, 1024);
    mem_queries(m, CL_MEM_OBJECT_IMAGE3D, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, 16 * 8 * 4 * 8,
                host, NULL, 0);
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
}

static void test_sampler(void) {
    cl_int err;
    cl_sampler s;
    EXPECT_NEW(CL_SUCCESS,
               s = clCreateSampler(a.context, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR, &err));
    VALUE(clGetSamplerInfo, s, CL_SAMPLER_REFERENCE_COUNT, 100, cl_uint, 1);
    VALUE(clGetSamplerInfo, s, CL_SAMPLER_CONTEXT, 100, cl_context, a.context);
    VALUE(clGetSamplerInfo, s, CL_SAMPLER_NORMALIZED_COORDS, 100, cl_bool, CL_TRUE);
    VALUE(clGetSamplerInfo, s, CL_SAMPLER_ADDRESSING_MODE, 100, cl_addressing_mode,
          CL_ADDRESS_REPEAT);
    VALUE(clGetSamplerInfo, s, CL_SAMPLER_FILTER_MODE, 100, cl_filter_mode, CL_FILTER_LINEAR);
    UNKNOWN(clGetSamplerInfo, s, 0x4242);
    EXPECT(CL_SUCCESS, clReleaseSampler(s));
}

/* With the device as the second argument. */
#define build_info(program, ...) clGetProgramBuildInfo(program, a.device, __VA_ARGS__)
#define group_info(kernel, ...)  clGetKernelWorkGroupInfo(kernel, a.device, __VA_ARGS__)
#define first_arg(kernel, ...)   clGetKernelArgInfo(kernel, 0, __VA_ARGS__)

static void test_program(cl_program p) {
    VALUE(clGetProgramInfo, p, CL_PROGRAM_REFERENCE_COUNT, 100, cl_uint, 1);
    VALUE(clGetProgramInfo, p, CL_PROGRAM_CONTEXT, 100, cl_context, a.context);
    VALUE(clGetProgramInfo, p, CL_PROGRAM_NUM_DEVICES, 100, cl_uint, 1);
    VALUE(clGetProgramInfo, p, CL_PROGRAM_DEVICES, 100, cl_device_id, a.device);
    RULES(clGetProgramInfo, p, CL_PROGRAM_SOURCE, 100);
    RULES(clGetProgramInfo, p, CL_PROGRAM_BINARY_SIZES, 100);
    VALUE(clGetProgramInfo, p, CL_PROGRAM_NUM_KERNELS, 120, size_t, 6);
    RULES(clGetProgramInfo, p, CL_PROGRAM_KERNEL_NAMES, 120);
    UNKNOWN(clGetProgramInfo, p, 0x4242);
    size_t size = 0;
    unsigned char *none[2] = {NULL, NULL};
    EXPECT(CL_SUCCESS, clGetProgramInfo(p, CL_PROGRAM_BINARIES, 0, NULL, &size));
    CHECK(size == sizeof *none);
    EXPECT(CL_SUCCESS, clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof none, none, &size));
    EXPECT(CL_INVALID_VALUE, clGetProgramInfo(p, CL_PROGRAM_BINARIES, size - 1, none, NULL));
    VALUE(build_info, p, CL_PROGRAM_BUILD_STATUS, 100, cl_build_status, CL_BUILD_SUCCESS);
    RULES(build_info, p, CL_PROGRAM_BUILD_OPTIONS, 100);
    RULES(build_info, p, CL_PROGRAM_BUILD_LOG, 100);
    VALUE(build_info, p, CL_PROGRAM_BINARY_TYPE, 120, cl_program_binary_type,
          CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    UNKNOWN(build_info, p, 0x4242);
}

static void test_kernel(cl_program p) {
    cl_kernel k = kernels_get(p, "fill");
    TEXT(clGetKernelInfo, k, CL_KERNEL_FUNCTION_NAME, 100, "fill");
    VALUE(clGetKernelInfo, k, CL_KERNEL_NUM_ARGS, 100, cl_uint, 2);
    VALUE(clGetKernelInfo, k, CL_KERNEL_REFERENCE_COUNT, 100, cl_uint, 1);
    VALUE(clGetKernelInfo, k, CL_KERNEL_CONTEXT, 100, cl_context, a.context);
    VALUE(clGetKernelInfo, k, CL_KERNEL_PROGRAM, 100, cl_program, p);
    TEXT(clGetKernelInfo, k, CL_KERNEL_ATTRIBUTES, 120, "");
    UNKNOWN(clGetKernelInfo, k, 0x4242);
    size_t most = 0;
    EXPECT(CL_SUCCESS,
           clGetDeviceInfo(a.device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL));
    RULES(group_info, k, CL_KERNEL_WORK_GROUP_SIZE, 100);
    if (api_ours) EXPECT_INFO(group_info, k, CL_KERNEL_WORK_GROUP_SIZE, size_t, most);
    RULES(group_info, k, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, 100);
    RULES(group_info, k, CL_KERNEL_LOCAL_MEM_SIZE, 100);
    if (api_ours) /* system words, a pointer and an int */
        EXPECT_INFO(group_info, k, CL_KERNEL_LOCAL_MEM_SIZE, cl_ulong, 16 + 4 + 4);
    RULES(group_info, k, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, 110);
    VALUE(group_info, k, CL_KERNEL_PRIVATE_MEM_SIZE, 110, cl_ulong, 0);
    UNKNOWN(group_info, k, CL_KERNEL_GLOBAL_WORK_SIZE);
    UNKNOWN(group_info, k, 0x4242);
    if (version >= 120) {
        VALUE(first_arg, k, CL_KERNEL_ARG_ADDRESS_QUALIFIER, 120, cl_kernel_arg_address_qualifier,
              CL_KERNEL_ARG_ADDRESS_GLOBAL);
        VALUE(first_arg, k, CL_KERNEL_ARG_ACCESS_QUALIFIER, 120, cl_kernel_arg_access_qualifier,
              CL_KERNEL_ARG_ACCESS_NONE);
        TEXT(first_arg, k, CL_KERNEL_ARG_TYPE_NAME, 120, "int*");
        VALUE(first_arg, k, CL_KERNEL_ARG_TYPE_QUALIFIER, 120, cl_kernel_arg_type_qualifier,
              CL_KERNEL_ARG_TYPE_NONE);
        TEXT(first_arg, k, CL_KERNEL_ARG_NAME, 120, "out");
        UNKNOWN(first_arg, k, 0x4242);
    }
    EXPECT(CL_SUCCESS, clReleaseKernel(k));
}

static void test_event(void) {
    cl_event e;
    EXPECT(CL_SUCCESS, clEnqueueMarker(a.queue, &e));
    EXPECT(CL_SUCCESS, clWaitForEvents(1, &e));
    VALUE(clGetEventInfo, e, CL_EVENT_COMMAND_QUEUE, 100, cl_command_queue, a.queue);
    VALUE(clGetEventInfo, e, CL_EVENT_CONTEXT, 110, cl_context, a.context);
    VALUE(clGetEventInfo, e, CL_EVENT_COMMAND_TYPE, 100, cl_command_type, CL_COMMAND_MARKER);
    VALUE(clGetEventInfo, e, CL_EVENT_COMMAND_EXECUTION_STATUS, 100, cl_int, CL_COMPLETE);
    VALUE(clGetEventInfo, e, CL_EVENT_REFERENCE_COUNT, 100, cl_uint, 1);
    UNKNOWN(clGetEventInfo, e, 0x4242);
    RULES(clGetEventProfilingInfo, e, CL_PROFILING_COMMAND_QUEUED, 100);
    RULES(clGetEventProfilingInfo, e, CL_PROFILING_COMMAND_SUBMIT, 100);
    RULES(clGetEventProfilingInfo, e, CL_PROFILING_COMMAND_START, 100);
    RULES(clGetEventProfilingInfo, e, CL_PROFILING_COMMAND_END, 100);
    if (api_ours) UNKNOWN(clGetEventProfilingInfo, e, CL_PROFILING_COMMAND_COMPLETE);
    EXPECT(CL_SUCCESS, clReleaseEvent(e));
}

int main(void) {
    a = api_open();
    version = api_version(a.device);
    cl_program p = kernels_program(&a);
    test_platform();
    test_context();
    test_queue();
    test_buffers();
    test_images();
    test_sampler();
    test_program(p);
    test_kernel(p);
    test_event();
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    api_close(&a);
    return api_result();
}
