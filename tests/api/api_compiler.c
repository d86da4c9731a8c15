/* A driver without its helper process (SIMTCL_HELPER names a file that is not there): what needs
 * the compiler says so, and what does not works. */
#include "api.h"

API_SETTING("SIMTCL_HELPER", "/nowhere/simtcl-compile")

int main(void) {
    if (!api_ours) return 0;
    struct api a = api_open();
    cl_int err;
    const char *text = "kernel void k(global int *out) { *out = 1; }";
    cl_program p;
    EXPECT_NEW(CL_SUCCESS, p = clCreateProgramWithSource(a.context, 1, &text, NULL, &err));
    EXPECT_INFO(clGetDeviceInfo, a.device, CL_DEVICE_COMPILER_AVAILABLE, cl_bool, CL_FALSE);
    EXPECT_INFO(clGetDeviceInfo, a.device, CL_DEVICE_LINKER_AVAILABLE, cl_bool, CL_FALSE);
    EXPECT(CL_COMPILER_NOT_AVAILABLE, clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    EXPECT(CL_COMPILER_NOT_AVAILABLE,
           clCompileProgram(p, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    EXPECT_NEW(CL_LINKER_NOT_AVAILABLE,
               clLinkProgram(a.context, 0, NULL, NULL, 1, &p, NULL, NULL, &err));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));

    cl_int value = 9, got = 0;
    p = kernels_program(&a);
    cl_kernel fill = kernels_get(p, "fill");
    cl_mem m = clCreateBuffer(a.context, 0, 64, NULL, &err);
    EXPECT(CL_SUCCESS, clSetKernelArg(fill, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clSetKernelArg(fill, 1, sizeof value, &value));
    EXPECT(CL_SUCCESS, clEnqueueTask(a.queue, fill, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(a.queue, m, CL_TRUE, 0, 4, &got, 0, NULL, NULL));
    CHECK(got == 9);
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseKernel(fill));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    api_close(&a);
    return api_result();
}
