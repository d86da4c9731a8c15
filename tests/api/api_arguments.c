/* Launches of one kernel with other arguments and other sizes each time: what the driver has made
 * of it for one of them is not run for another one. */
#include "api.h"

API_DEFAULT("SIMTCL_ENGINE", "native")

enum { ITEMS = 8192, ROOM = 4 * ITEMS };

static struct api a;
static cl_kernel kernel;
static cl_mem out, in;
static cl_int got[ROOM], given[ROOM];

static const char source[] =
    "__kernel void mixed(__global int *out, __global const int *in, int ix, int iy, int lg) {\n"
    "    __local int own[256];\n"
    "    int i = get_global_id(0), l = get_local_id(0) & 63, sum = 0;\n"
    "    own[get_local_id(0)] = i;\n"
    "    for (int k = 0; k < 4; k++) sum += in[(i >> lg) + k * ix];\n"
    "    own[get_local_id(0)] += sum * 2;\n"
    "    out[i * iy] = own[get_local_id(0)] + (l & 7) + (i & ((1 << lg) - 1));\n"
    "}\n";

static void launch(cl_int ix, cl_int iy, cl_int lg, size_t group, size_t items) {
    cl_int zero = 0;
    EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 2, sizeof ix, &ix));
    EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 3, sizeof iy, &iy));
    EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 4, sizeof lg, &lg));
    EXPECT(CL_SUCCESS,
           clEnqueueFillBuffer(a.queue, out, &zero, sizeof zero, 0, sizeof got, 0, NULL, NULL));
    EXPECT(CL_SUCCESS,
           clEnqueueNDRangeKernel(a.queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
    EXPECT(CL_SUCCESS,
           clEnqueueReadBuffer(a.queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (cl_int i = 0; i < (cl_int)items; i++) {
        cl_int sum = 0, l = i % (cl_int)group & 63;
        for (cl_int k = 0; k < 4; k++) sum += given[(i >> lg) + k * ix];
        CHECK(got[i * iy] == i + sum * 2 + (l & 7) + (i & ((1 << lg) - 1)));
    }
}

int main(void) {
    static const cl_int steps[] = {1, 1, 2, 1, 2, 2, 1, 1, 3, 1, 0, 1, 1, 1, 2};
    static const size_t groups[] = {64, 64, 256, 32, 1, 64, 48, 64};
    const char *text = source;
    cl_int err;
    a = api_open();
    for (int i = 0; i < ROOM; i++) given[i] = i * 7 - 3;
    EXPECT_NEW(CL_SUCCESS, out = clCreateBuffer(a.context, 0, sizeof got, NULL, &err));
    EXPECT_NEW(CL_SUCCESS,
               in = clCreateBuffer(a.context, CL_MEM_COPY_HOST_PTR, sizeof given, given, &err));
    cl_program program = NULL;
    EXPECT_NEW(CL_SUCCESS, program = clCreateProgramWithSource(a.context, 1, &text, NULL, &err));
    EXPECT(CL_SUCCESS, clBuildProgram(program, 1, &a.device, "", NULL, NULL));
    EXPECT_NEW(CL_SUCCESS, kernel = clCreateKernel(program, "mixed", &err));
    EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof out, &out));
    EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 1, sizeof in, &in));
    for (unsigned n = 0; n < sizeof steps / sizeof *steps; n++) {
        launch(steps[n], 1, (cl_int)n % 3, 64, ITEMS);
        launch(steps[n], steps[n] ? steps[n] : 2, 1, 64, ITEMS);
        launch(1, 1, 2, groups[n % 8], groups[n % 8] == 48 ? 4800 : ITEMS);
        launch(1, 1, 2, groups[n % 8], groups[n % 8] == 48 ? 4800 : ITEMS);
    }
    EXPECT(CL_SUCCESS, clReleaseKernel(kernel));
    EXPECT(CL_SUCCESS, clReleaseProgram(program));
    EXPECT(CL_SUCCESS, clReleaseMemObject(in));
    EXPECT(CL_SUCCESS, clReleaseMemObject(out));
    api_close(&a);
    return api_result();
}
