/* A program reads nothing of what an earlier one has left in local memory or in private arrays,
 * whichever thread runs it. */
#include "tests/api/api.h"

enum { ITEMS = 4096, GROUP = 64, SECRET = 0x5ec2e7 };

static const char leaves[] =
    "kernel void k(global int *out, local int *l) {\n"
    "    int a[16];\n"
    "    for (int i = 0; i < 16; i++) a[(i + out[0]) & 15] = 0x5ec2e7;\n"
    "    for (int i = get_local_id(0); i < 1024; i += 64) l[i] = 0x5ec2e7;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[get_global_id(0)] = a[out[1] & 15] + l[get_local_id(0) ^ 1];\n"
    "}\n";
static const char looks[] =
    "kernel void k(global int *out, local int *l) {\n"
    "    int a[16], seen = 0;\n"
    "    for (int i = 0; i < 16; i++) seen |= a[(i + out[0]) & 15];\n"
    "    for (int i = 0; i < 16; i++) seen |= l[i * 64 + get_local_id(0)];\n"
    "    if (out[0] == 1) a[out[1] & 15] = seen;\n"
    "    out[get_global_id(0)] = seen | a[out[2] & 15];\n"
    "}\n";

static struct api a;

static cl_kernel kernel(const char *text) {
    cl_int err;
    cl_program p = clCreateProgramWithSource(a.context, 1, &text, NULL, &err);
    EXPECT(CL_SUCCESS, clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    cl_kernel k = kernels_get(p, "k");
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    return k;
}

static void run(cl_kernel k, cl_mem m, cl_int *out) {
    size_t items = ITEMS, group = GROUP;
    cl_int zero = 0;
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 1, 4096, NULL));
    EXPECT(CL_SUCCESS, clEnqueueFillBuffer(a.queue, m, &zero, sizeof zero, 0, ITEMS * sizeof zero,
                                           0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(a.queue, k, 1, NULL, &items, &group, 0, NULL, NULL));
    EXPECT(CL_SUCCESS,
           clEnqueueReadBuffer(a.queue, m, CL_TRUE, 0, ITEMS * sizeof *out, out, 0, NULL, NULL));
}

int main(void) {
    static cl_int out[ITEMS];
    cl_int err;
    a = api_open();
    cl_kernel leaving = kernel(leaves), looking = kernel(looks);
    cl_mem m = clCreateBuffer(a.context, 0, sizeof out, NULL, &err);
    for (int round = 0; round < 20; round++) {
        int wrong = 0;
        run(leaving, m, out);
        CHECK(out[ITEMS - 1] == 2 * SECRET);
        run(looking, m, out);
        for (int i = 0; i < ITEMS; i++) wrong += out[i] != 0;
        CHECK(!wrong);
    }
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseKernel(leaving));
    EXPECT(CL_SUCCESS, clReleaseKernel(looking));
    api_close(&a);
    return api_result();
}
