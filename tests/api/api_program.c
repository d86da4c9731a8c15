/* Programs from binaries (specification 5.6). What needs the compiler is in tests/language. */
#include "api.h"

#include <stdatomic.h>

static struct api a;
static atomic_int notified;

static void CL_CALLBACK notify(cl_program p, void *user) {
    CHECK(user == &notified && p);
    notified++;
}

static cl_program load(const char *text, size_t length, cl_int wanted, cl_int wanted_status) {
    cl_int err, status = 99;
    const unsigned char *bytes = (const unsigned char *)text;
    cl_program p;
    EXPECT_NEW(wanted, p = clCreateProgramWithBinary(a.context, 1, &a.device, &length, &bytes,
                                                     &status, &err));
    CHECK(status == wanted_status);
    return p;
}

static void test_binary(void) {
    size_t length, other_length;
    const char *text = kernels_binary(&length);
    cl_program p = load(text, length, CL_SUCCESS, CL_SUCCESS);
    char buffer[256], *copy;
    EXPECT_INFO(clGetProgramInfo, p, CL_PROGRAM_NUM_DEVICES, cl_uint, 1);
    EXPECT_INFO(clGetProgramInfo, p, CL_PROGRAM_DEVICES, cl_device_id, a.device);
    EXPECT_INFO(clGetProgramInfo, p, CL_PROGRAM_CONTEXT, cl_context, a.context);
    EXPECT_INFO(clGetProgramInfo, p, CL_PROGRAM_REFERENCE_COUNT, cl_uint, 1);
    EXPECT_INFO(clGetProgramInfo, p, CL_PROGRAM_BINARY_SIZES, size_t, length);
    EXPECT(CL_SUCCESS,
           clGetProgramInfo(p, CL_PROGRAM_SOURCE, sizeof buffer, buffer, &other_length));
    CHECK(other_length == 1 && !buffer[0]);
    EXPECT(CL_INVALID_VALUE, clGetProgramInfo(p, 0x4242, 0, NULL, NULL));
    EXPECT(CL_INVALID_PROGRAM, clGetProgramInfo(NULL, CL_PROGRAM_SOURCE, 0, NULL, NULL));
    EXPECT(CL_INVALID_PROGRAM_EXECUTABLE,
           clGetProgramInfo(p, CL_PROGRAM_NUM_KERNELS, 0, NULL, NULL));
    cl_int err;
    EXPECT_NEW(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(p, "fill", &err));
    copy = malloc(length);
    EXPECT(CL_SUCCESS, clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof copy, &copy, NULL));
    CHECK(!memcmp(copy, text, length));
    free(copy);
    copy = NULL;
    EXPECT(CL_SUCCESS, clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof copy, &copy, NULL));
    EXPECT(CL_INVALID_VALUE, clGetProgramInfo(p, CL_PROGRAM_BINARIES, 1, &copy, NULL));

    cl_build_status status = 0;
    EXPECT(CL_SUCCESS, clGetProgramBuildInfo(p, a.device, CL_PROGRAM_BUILD_STATUS, sizeof status,
                                             &status, NULL));
    CHECK(status == CL_BUILD_NONE);
    EXPECT(CL_INVALID_VALUE, clBuildProgram(p, 1, NULL, NULL, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clBuildProgram(p, 0, &a.device, NULL, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clBuildProgram(p, 0, NULL, NULL, NULL, &notified));
    EXPECT(CL_INVALID_DEVICE, clBuildProgram(p, 1, (cl_device_id[]){NULL}, NULL, NULL, NULL));
    EXPECT(CL_INVALID_PROGRAM, clBuildProgram(NULL, 0, NULL, NULL, NULL, NULL));
    EXPECT(CL_SUCCESS, clBuildProgram(p, 1, &a.device, "-DX=1", NULL, NULL));
    EXPECT(CL_SUCCESS, clGetProgramBuildInfo(p, a.device, CL_PROGRAM_BUILD_STATUS, sizeof status,
                                             &status, NULL));
    CHECK(status == CL_BUILD_SUCCESS);
    EXPECT(CL_SUCCESS, clGetProgramBuildInfo(p, a.device, CL_PROGRAM_BUILD_OPTIONS, sizeof buffer,
                                             buffer, NULL));
    CHECK(!strcmp(buffer, "-DX=1"));
    EXPECT(CL_SUCCESS,
           clGetProgramBuildInfo(p, a.device, CL_PROGRAM_BUILD_LOG, sizeof buffer, buffer, NULL));
    cl_program_binary_type type = 0;
    EXPECT(CL_SUCCESS,
           clGetProgramBuildInfo(p, a.device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL));
    CHECK(type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    EXPECT(CL_INVALID_DEVICE, clGetProgramBuildInfo(p, NULL, CL_PROGRAM_BUILD_LOG, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clGetProgramBuildInfo(p, a.device, 0x4242, 0, NULL, NULL));
    EXPECT_INFO(clGetProgramInfo, p, CL_PROGRAM_NUM_KERNELS, size_t, 6);
    EXPECT(CL_SUCCESS, clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, sizeof buffer, buffer, NULL));
    CHECK(!strcmp(buffer, "fill;wild;spin;shaped;kinds;sum"));
    EXPECT(CL_SUCCESS, clBuildProgram(p, 0, NULL, NULL, notify, &notified));
    for (status = CL_BUILD_IN_PROGRESS; !notified;)
        clGetProgramBuildInfo(p, a.device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL);
    EXPECT(CL_INVALID_OPERATION, clCompileProgram(p, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    EXPECT_NEW(CL_INVALID_OPERATION,
               clLinkProgram(a.context, 0, NULL, NULL, 1, &p, NULL, NULL, &err));
    EXPECT_NEW(CL_INVALID_VALUE,
               clLinkProgram(a.context, 0, NULL, NULL, 0, NULL, NULL, NULL, &err));
    EXPECT_NEW(CL_INVALID_PROGRAM,
               clLinkProgram(a.context, 0, NULL, NULL, 1, (cl_program[]){NULL}, NULL, NULL, &err));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    EXPECT(CL_INVALID_PROGRAM, clReleaseProgram(p));
}

/* Every cut and many single damaged bytes: refused, or a program that is whole. */
static void test_damage(void) {
    if (!api_ours) return;
    size_t length;
    const char *text = kernels_binary(&length);
    char *copy = malloc(length);
    unsigned seed = 1;
    cl_int err, status;
    load("", 0, CL_INVALID_VALUE, CL_INVALID_VALUE);
    load("\x7f"
         "ELF foreign",
         12, CL_INVALID_BINARY, CL_INVALID_BINARY);
    load("; simtcl library\n", 17, CL_INVALID_BINARY, CL_INVALID_BINARY);
    for (int round = 0; round < 2000; round++) {
        memcpy(copy, text, length);
        seed = seed * 1664525 + 1013904223;
        size_t size = round % 2 ? length : seed % length;
        if (round % 2) copy[(seed >> 8) % length] = (char)(seed >> 4);
        const unsigned char *bytes = (const unsigned char *)copy;
        if (!size) continue;
        cl_program p =
            clCreateProgramWithBinary(a.context, 1, &a.device, &size, &bytes, &status, &err);
        CHECK(p ? err == CL_SUCCESS : err == CL_INVALID_BINARY);
        if (p) EXPECT(CL_SUCCESS, clReleaseProgram(p));
    }
    free(copy);
}

static void test_create(void) {
    cl_int err;
    const char *source = "__kernel void k() {}", *strings[] = {source, NULL};
    size_t length = 4;
    EXPECT_NEW(CL_INVALID_CONTEXT, clCreateProgramWithSource(NULL, 1, &source, NULL, &err));
    EXPECT_NEW(CL_INVALID_VALUE, clCreateProgramWithSource(a.context, 0, &source, NULL, &err));
    EXPECT_NEW(CL_INVALID_VALUE, clCreateProgramWithSource(a.context, 1, NULL, NULL, &err));
    EXPECT_NEW(CL_INVALID_VALUE, clCreateProgramWithSource(a.context, 2, strings, NULL, &err));
    EXPECT_NEW(CL_INVALID_VALUE,
               clCreateProgramWithBinary(a.context, 0, NULL, &length,
                                         (const unsigned char **)&source, NULL, &err));
    EXPECT_NEW(CL_INVALID_DEVICE,
               clCreateProgramWithBinary(a.context, 1, (cl_device_id[]){NULL}, &length,
                                         (const unsigned char **)&source, NULL, &err));
    EXPECT_NEW(CL_INVALID_VALUE,
               clCreateProgramWithBinary(a.context, 1, &a.device, NULL,
                                         (const unsigned char **)&source, NULL, &err));
    EXPECT_NEW(CL_INVALID_VALUE,
               clCreateProgramWithBuiltInKernels(a.context, 1, &a.device, "none", &err));
    strings[1] = "x";
    size_t lengths[] = {8, 0}, size;
    cl_program p;
    char text[64];
    EXPECT_NEW(CL_SUCCESS, p = clCreateProgramWithSource(a.context, 2, strings, lengths, &err));
    EXPECT(CL_SUCCESS, clGetProgramInfo(p, CL_PROGRAM_SOURCE, sizeof text, text, &size));
    CHECK(size == 10 && !strcmp(text, "__kernelx"));
    EXPECT_INFO(clGetProgramInfo, p, CL_PROGRAM_BINARY_SIZES, size_t, 0);
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
}

int main(void) {
    a = api_open();
    test_create();
    test_binary();
    test_damage();
    api_close(&a);
    return api_result();
}
