/* Platform and devices (specification 4.1 to 4.3), in whichever version SIMTCL_CL_VERSION reports.
 */
#include "api.h"

#include <CL/cl_icd.h>

static cl_platform_id platform;
static cl_device_id device;
static int version;

static void test_platform(void) {
    cl_uint n = 0;
    char text[512];
    size_t size;
    EXPECT(CL_INVALID_VALUE, clGetPlatformIDs(0, &platform, NULL));
    EXPECT(CL_INVALID_VALUE, clGetPlatformIDs(1, NULL, NULL));
    EXPECT(CL_SUCCESS, clGetPlatformIDs(0, NULL, &n));
    CHECK(n == 1);
    EXPECT(CL_SUCCESS, clGetPlatformIDs(1, &platform, NULL));
    EXPECT(CL_INVALID_PLATFORM,
           clGetPlatformInfo((cl_platform_id)&n, CL_PLATFORM_NAME, 512, text, NULL));
    EXPECT(CL_INVALID_VALUE, clGetPlatformInfo(platform, 0x4242, 512, text, NULL));
    EXPECT(CL_INVALID_VALUE, clGetPlatformInfo(platform, CL_PLATFORM_NAME, 3, text, NULL));
    EXPECT(CL_SUCCESS, clGetPlatformInfo(platform, CL_PLATFORM_NAME, 0, NULL, &size));
    CHECK(size == sizeof "simtcl");
    EXPECT(CL_SUCCESS, clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS, 512, text, NULL));
    CHECK(strstr(text, "cl_khr_icd"));
    EXPECT(CL_SUCCESS, clGetPlatformInfo(platform, CL_PLATFORM_ICD_SUFFIX_KHR, 512, text, NULL));
    CHECK(!strcmp(text, "SIMTCL"));
    EXPECT(CL_SUCCESS, clGetPlatformInfo(platform, CL_PLATFORM_PROFILE, 512, text, NULL));
    CHECK(!strcmp(text, "FULL_PROFILE"));
}

static void test_table(void) {
    if (!api_ours) return;
    const cl_icd_dispatch *table = *(const cl_icd_dispatch *const *)platform;
    CHECK(table == *(const cl_icd_dispatch *const *)device);
    const void *const *slots = (const void *const *)table;
    for (size_t i = 0; i < sizeof *table / sizeof *slots; i++) CHECK(slots[i] != NULL);
    CHECK(clGetExtensionFunctionAddress("clIcdGetPlatformIDsKHR") != NULL);
    CHECK(!clGetExtensionFunctionAddress("clGetGLContextInfoKHR"));
    CHECK(!clGetExtensionFunctionAddress("clNothing"));
    CHECK(!clGetExtensionFunctionAddress(NULL));
    CHECK(clGetExtensionFunctionAddressForPlatform(platform, "clIcdGetPlatformIDsKHR") != NULL);
    CHECK(!clGetExtensionFunctionAddressForPlatform(NULL, "clIcdGetPlatformIDsKHR"));
}

static void test_unsupported(void) {
    if (!api_ours) return;
    cl_int err;
    EXPECT_NEW(CL_INVALID_OPERATION, clCreatePipe(NULL, 0, 1, 1, NULL, &err));
    EXPECT_NEW(CL_INVALID_OPERATION, clCloneKernel(NULL, &err));
    EXPECT(CL_INVALID_OPERATION, clEnqueueSVMMap(NULL, CL_TRUE, 0, NULL, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_OPERATION, clSetDefaultDeviceCommandQueue(NULL, NULL, NULL));
    CHECK(!clSVMAlloc(NULL, 0, 16, 0));
    clSVMFree(NULL, NULL);
}

static void test_devices(void) {
    cl_uint n = 0;
    EXPECT(CL_INVALID_PLATFORM,
           clGetDeviceIDs((cl_platform_id)&n, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    EXPECT(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 0, 1, &device, NULL));
    EXPECT(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 1 << 20, 1, &device, NULL));
    EXPECT(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, &device, NULL));
    EXPECT(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, NULL, NULL));
    EXPECT(CL_DEVICE_NOT_FOUND,
           clGetDeviceIDs(platform, CL_DEVICE_TYPE_ACCELERATOR, 1, &device, NULL));
    EXPECT(CL_SUCCESS, clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 0, NULL, &n));
    CHECK(n >= 1);
    EXPECT(CL_SUCCESS, clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, &n));
    EXPECT(CL_SUCCESS, clRetainDevice(device));
    EXPECT(CL_SUCCESS, clReleaseDevice(device));
    EXPECT(CL_SUCCESS, clReleaseDevice(device)); /* root devices are not counted */
    EXPECT(CL_INVALID_DEVICE, clRetainDevice(NULL));
    EXPECT(CL_INVALID_DEVICE, clReleaseDevice((cl_device_id)platform));
}

/* A query by name: since when there is one, and the size of its answer. */
static void test_device_info(void) {
    static const struct {
        cl_device_info name;
        int since;
        size_t size; /* 0: a text */
    } queries[] = {
#define INFO(name, since, type, ...) {name, since, sizeof(type)},
#define TEXT(name, since, text)      {name, since, 0},
#include "runtime/device_info.def"
#undef INFO
#undef TEXT
        {CL_DEVICE_VERSION, 100, 0},
        {CL_DEVICE_OPENCL_C_VERSION, 100, 0}, /* answered always */
        {CL_DEVICE_MAX_WORK_ITEM_SIZES, 100, 3 * sizeof(size_t)},
        {CL_DEVICE_PARTITION_PROPERTIES, 120, 2 * sizeof(cl_device_partition_property)},
    };
    char text[1024];
    size_t size;
    EXPECT(CL_INVALID_DEVICE, clGetDeviceInfo(NULL, CL_DEVICE_NAME, sizeof text, text, NULL));
    EXPECT(CL_INVALID_VALUE, clGetDeviceInfo(device, 0x4242, sizeof text, text, NULL));
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        cl_int wanted = version >= queries[i].since ? CL_SUCCESS : CL_INVALID_VALUE;
        size = 0;
        EXPECT(wanted, clGetDeviceInfo(device, queries[i].name, 0, NULL, &size));
        if (wanted || !size) continue;
        CHECK(!queries[i].size || size == queries[i].size);
        EXPECT(CL_SUCCESS, clGetDeviceInfo(device, queries[i].name, size, text, NULL));
        EXPECT(CL_INVALID_VALUE, clGetDeviceInfo(device, queries[i].name, size - 1, text, NULL));
    }
}

static void test_sub_devices(void) {
    if (version < 120) {
        EXPECT(CL_INVALID_OPERATION, clCreateSubDevices(device, NULL, 0, NULL, NULL));
        return;
    }
    cl_uint units = 0, n = 0;
    EXPECT(CL_SUCCESS,
           clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
    cl_device_partition_property half[] = {CL_DEVICE_PARTITION_EQUALLY, units / 2, 0};
    cl_device_partition_property none[] = {CL_DEVICE_PARTITION_EQUALLY, 0, 0};
    cl_device_partition_property more[] = {CL_DEVICE_PARTITION_EQUALLY, units + 1, 0};
    cl_device_partition_property whole[] = {CL_DEVICE_PARTITION_EQUALLY, units, 0};
    cl_device_partition_property counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 3,
                                             CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    cl_device_partition_property over[] = {CL_DEVICE_PARTITION_BY_COUNTS, units, 1,
                                           CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    cl_device_partition_property affine[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                             CL_DEVICE_AFFINITY_DOMAIN_NUMA, 0};
    cl_device_id subs[64], inner[2], parent;
    EXPECT(CL_INVALID_DEVICE, clCreateSubDevices(NULL, half, 64, subs, &n));
    EXPECT(CL_INVALID_VALUE, clCreateSubDevices(device, NULL, 64, subs, &n));
    EXPECT(CL_INVALID_VALUE, clCreateSubDevices(device, none, 64, subs, &n));
    EXPECT(CL_INVALID_VALUE, clCreateSubDevices(device, affine, 64, subs, &n));
    EXPECT(CL_INVALID_VALUE, clCreateSubDevices(device, half, 1, subs, &n));
    EXPECT(CL_INVALID_DEVICE_PARTITION_COUNT, clCreateSubDevices(device, more, 64, subs, &n));
    EXPECT(CL_DEVICE_PARTITION_FAILED, clCreateSubDevices(device, whole, 64, subs, &n));
    EXPECT(CL_INVALID_DEVICE_PARTITION_COUNT, clCreateSubDevices(device, over, 64, subs, &n));
    EXPECT(CL_SUCCESS, clCreateSubDevices(device, half, 0, NULL, &n));
    CHECK(n == 2);
    EXPECT(CL_SUCCESS, clCreateSubDevices(device, counts, 2, subs, &n));
    EXPECT_INFO(clGetDeviceInfo, subs[1], CL_DEVICE_MAX_COMPUTE_UNITS, cl_uint, 3);
    EXPECT_INFO(clGetDeviceInfo, subs[1], CL_DEVICE_REFERENCE_COUNT, cl_uint, 1);
    EXPECT_INFO(clGetDeviceInfo, subs[1], CL_DEVICE_PARENT_DEVICE, cl_device_id, device);
    cl_device_partition_property how[8];
    size_t size = 0;
    EXPECT(CL_SUCCESS, clGetDeviceInfo(subs[0], CL_DEVICE_PARTITION_TYPE, sizeof how, how, &size));
    CHECK(size == sizeof counts && !memcmp(how, counts, size));
    cl_device_partition_property ones[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 0, 0};
    EXPECT(CL_SUCCESS, clCreateSubDevices(subs[1], ones, 2, inner, NULL));
    EXPECT(CL_SUCCESS, clReleaseDevice(subs[1])); /* its sub-devices keep it */
    EXPECT(CL_SUCCESS,
           clGetDeviceInfo(inner[0], CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent, NULL));
    CHECK(parent == subs[1]);
    EXPECT(CL_SUCCESS, clReleaseDevice(inner[0]));
    EXPECT(CL_SUCCESS, clReleaseDevice(inner[1]));
    EXPECT(CL_INVALID_DEVICE, clReleaseDevice(subs[1]));
    EXPECT(CL_SUCCESS, clReleaseDevice(subs[0]));
    EXPECT(CL_INVALID_DEVICE, clReleaseDevice(subs[0]));
}

/* What an older face refuses. */
static void test_face(void) {
    cl_int err;
    cl_context c = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    EXPECT(CL_SUCCESS, err);
    cl_context_properties bad[] = {0x4242, 1, 0};
    EXPECT_NEW(version < 110 ? CL_INVALID_VALUE : CL_INVALID_PROPERTY,
               clCreateContext(bad, 1, &device, NULL, NULL, &err));
    if (version < 110) EXPECT_NEW(CL_INVALID_OPERATION, clCreateUserEvent(c, &err));
    if (version < 110)
        EXPECT_NEW(CL_INVALID_VALUE,
                   clCreateSampler(c, CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_LINEAR, &err));
    if (version < 120)
        EXPECT_NEW(CL_INVALID_VALUE, clCreateBuffer(c, CL_MEM_HOST_NO_ACCESS, 64, NULL, &err));
    if (version < 120) EXPECT(CL_INVALID_OPERATION, clUnloadPlatformCompiler(platform));
    EXPECT(CL_SUCCESS, clUnloadCompiler());
    EXPECT(CL_SUCCESS, clReleaseContext(c));
}

int main(void) {
    test_platform();
    test_devices();
    version = api_version(device);
    test_table();
    test_unsupported();
    test_device_info();
    test_sub_devices();
    test_face();
    return api_result();
}
