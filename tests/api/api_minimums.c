/* The least that a full profile device of OpenCL 1.2 has (specification 1.2, table 4.3), which the
 * model `host` has and a GPU of compute capability 1.x in part cannot. */
#include "api.h"

static cl_device_id device;

#define AT_LEAST(name, type, least)                                                                \
    do {                                                                                           \
        type got_ = 0;                                                                             \
        EXPECT(CL_SUCCESS, clGetDeviceInfo(device, name, sizeof got_, &got_, NULL));               \
        if (!CHECK(got_ >= (type)(least))) fprintf(stderr, #name " is below its minimum\n");       \
    } while (0)
#define HAS(name, type, bits)                                                                      \
    do {                                                                                           \
        type got_ = 0;                                                                             \
        EXPECT(CL_SUCCESS, clGetDeviceInfo(device, name, sizeof got_, &got_, NULL));               \
        if (!CHECK((got_ & (type)(bits)) == (type)(bits)))                                         \
            fprintf(stderr, #name " has not all of " #bits "\n");                                  \
    } while (0)
#define IS(name, type, value) EXPECT_INFO(clGetDeviceInfo, device, name, type, value)

static void text_is(cl_device_info name, const char *begin) {
    char text[256] = "";
    EXPECT(CL_SUCCESS, clGetDeviceInfo(device, name, sizeof text, text, NULL));
    CHECK(!strncmp(text, begin, strlen(begin)));
}

static void test_work(void) {
    size_t sizes[3] = {0, 0, 0};
    AT_LEAST(CL_DEVICE_MAX_COMPUTE_UNITS, cl_uint, 1);
    AT_LEAST(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, cl_uint, 3);
    AT_LEAST(CL_DEVICE_MAX_WORK_GROUP_SIZE, size_t, 1024); /* the specification: 1 */
    EXPECT(CL_SUCCESS,
           clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL));
    CHECK(sizes[0] >= 1 && sizes[1] >= 1 && sizes[2] >= 1);
    AT_LEAST(CL_DEVICE_MAX_PARAMETER_SIZE, size_t, 1024);
    AT_LEAST(CL_DEVICE_MAX_CLOCK_FREQUENCY, cl_uint, 1);
    HAS(CL_DEVICE_EXECUTION_CAPABILITIES, cl_device_exec_capabilities, CL_EXEC_KERNEL);
    HAS(CL_DEVICE_QUEUE_PROPERTIES, cl_command_queue_properties, CL_QUEUE_PROFILING_ENABLE);
    AT_LEAST(CL_DEVICE_PRINTF_BUFFER_SIZE, size_t, 1 << 20);
}

static void test_memory(void) {
    cl_ulong all = 0;
    cl_uint bits = 0;
    EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof all, &all, NULL));
    AT_LEAST(CL_DEVICE_GLOBAL_MEM_SIZE, cl_ulong, 3ull << 30); /* what 32 bits of address leave */
    AT_LEAST(CL_DEVICE_MAX_MEM_ALLOC_SIZE, cl_ulong, all / 4);
    AT_LEAST(CL_DEVICE_MAX_MEM_ALLOC_SIZE, cl_ulong, 128 << 20);
    AT_LEAST(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, cl_ulong, 64 << 10);
    AT_LEAST(CL_DEVICE_MAX_CONSTANT_ARGS, cl_uint, 8);
    AT_LEAST(CL_DEVICE_LOCAL_MEM_SIZE, cl_ulong, 48 << 10); /* the specification: 32 KB */
    AT_LEAST(CL_DEVICE_MEM_BASE_ADDR_ALIGN, cl_uint, 16 * 64);
    EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_ADDRESS_BITS, sizeof bits, &bits, NULL));
    CHECK(bits == 32 || bits == 64);
    IS(CL_DEVICE_LOCAL_MEM_TYPE, cl_device_local_mem_type, CL_LOCAL);
}

static void test_images(void) {
    IS(CL_DEVICE_IMAGE_SUPPORT, cl_bool, CL_TRUE);
    AT_LEAST(CL_DEVICE_MAX_READ_IMAGE_ARGS, cl_uint, 128);
    AT_LEAST(CL_DEVICE_MAX_WRITE_IMAGE_ARGS, cl_uint, 8);
    AT_LEAST(CL_DEVICE_IMAGE2D_MAX_WIDTH, size_t, 8192);
    AT_LEAST(CL_DEVICE_IMAGE2D_MAX_HEIGHT, size_t, 8192);
    AT_LEAST(CL_DEVICE_IMAGE3D_MAX_WIDTH, size_t, 2048);
    AT_LEAST(CL_DEVICE_IMAGE3D_MAX_HEIGHT, size_t, 2048);
    AT_LEAST(CL_DEVICE_IMAGE3D_MAX_DEPTH, size_t, 2048);
    AT_LEAST(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, size_t, 65536);
    AT_LEAST(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, size_t, 2048);
    AT_LEAST(CL_DEVICE_MAX_SAMPLERS, cl_uint, 16);
}

static void test_numbers(void) {
    HAS(CL_DEVICE_SINGLE_FP_CONFIG, cl_device_fp_config, CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN);
    HAS(CL_DEVICE_DOUBLE_FP_CONFIG, cl_device_fp_config,
        CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF |
            CL_FP_INF_NAN | CL_FP_DENORM);
}

static void test_rest(void) {
    IS(CL_DEVICE_AVAILABLE, cl_bool, CL_TRUE);
    IS(CL_DEVICE_COMPILER_AVAILABLE, cl_bool, CL_TRUE);
    IS(CL_DEVICE_LINKER_AVAILABLE, cl_bool, CL_TRUE);
    text_is(CL_DEVICE_PROFILE, "FULL_PROFILE");
    text_is(CL_DEVICE_VERSION, "OpenCL 1.2 ");
    text_is(CL_DEVICE_OPENCL_C_VERSION, "OpenCL C 1.2 ");
    static const char *const needed[] = {
        "cl_khr_global_int32_base_atomics", "cl_khr_global_int32_extended_atomics",
        "cl_khr_local_int32_base_atomics", "cl_khr_local_int32_extended_atomics",
        "cl_khr_byte_addressable_store"};
    char text[2048] = "";
    EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL));
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!CHECK(strstr(text, needed[i]) != NULL)) fprintf(stderr, "%s\n", needed[i]);
}

int main(void) {

    struct api a = api_open();
    device = a.device;
    test_work();
    test_memory();
    test_images();
    test_numbers();
    test_rest();
    api_close(&a);
    return api_result();
}
