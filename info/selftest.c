#include "selftest.h"

#include <stdio.h>

enum { ITEMS = 256, GROUP = 64 };

/* Local memory and a barrier, a divergent branch, a loop, constants, mathematics. */
static const char *source =
    "constant float weights[4] = {1.0f, 2.0f, 4.0f, 8.0f};\n"
    "kernel void check(global float *out, int n) {\n"
    "    local float tile[64];\n"
    "    int l = get_local_id(0), i = get_global_id(0);\n"
    "    tile[l] = i & 1 ? sqrt((float)i * i) : -(float)i;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    float sum = 0;\n"
    "    for (int k = 0; k < n; k++) sum += tile[(l + k) % 64] * weights[k & 3];\n"
    "    out[i] = sum;\n"
    "}\n";

static float expected(int i, int n) {
    static const float weights[] = {1, 2, 4, 8};
    float sum = 0;
    for (int k = 0; k < n; k++) {
        int j = i / GROUP * GROUP + (i % GROUP + k) % GROUP;
        sum += (j & 1 ? (float)j : -(float)j) * weights[k & 3];
    }
    return sum;
}

static char why[4096];

static const char *failed(const char *what, cl_int err) {
    snprintf(why, sizeof why, "%s failed with %d", what, err);
    return why;
}

static const char *run_kernel(const struct driver *d, cl_context context, cl_command_queue queue,
                              cl_kernel kernel) {
    static float out[ITEMS];
    size_t items = ITEMS, group = GROUP;
    cl_int err, n = 7;
    cl_mem buffer = d->clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof out, NULL, &err);
    if (!buffer) return failed("clCreateBuffer", err);
    err = d->clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    if (!err) err = d->clSetKernelArg(kernel, 1, sizeof n, &n);
    if (!err)
        err = d->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL);
    if (!err)
        err = d->clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL);
    d->clReleaseMemObject(buffer);
    if (err) return failed("the kernel", err);
    for (int i = 0; i < ITEMS; i++) {
        if (out[i] == expected(i, n)) continue;
        snprintf(why, sizeof why, "element %d is %g, not %g", i, (double)out[i],
                 (double)expected(i, n));
        return why;
    }
    return NULL;
}

static const char *build_and_run(const struct driver *d, cl_context context, cl_command_queue queue,
                                 cl_program program) {
    cl_int err = d->clBuildProgram(program, 1, &d->device, "", NULL, NULL);
    if (err) {
        size_t n = (size_t)snprintf(why, sizeof why, "the program is not built (%d): ", err);
        d->clGetProgramBuildInfo(program, d->device, CL_PROGRAM_BUILD_LOG, sizeof why - n, why + n,
                                 NULL);
        return why;
    }
    cl_kernel kernel = d->clCreateKernel(program, "check", &err);
    if (!kernel) return failed("clCreateKernel", err);
    const char *wrong = run_kernel(d, context, queue, kernel);
    d->clReleaseKernel(kernel);
    return wrong;
}

const char *selftest_run(const struct driver *d) {
    cl_int err;
    const char *wrong;
    cl_context context = d->clCreateContext(NULL, 1, &d->device, NULL, NULL, &err);
    if (!context) return failed("clCreateContext", err);
    cl_command_queue queue = d->clCreateCommandQueue(context, d->device, 0, &err);
    if (!queue) return failed("clCreateCommandQueue", err);
    cl_program program = d->clCreateProgramWithSource(context, 1, &source, NULL, &err);
    if (!program) return failed("clCreateProgramWithSource", err);
    wrong = build_and_run(d, context, queue, program);
    d->clReleaseProgram(program);
    d->clReleaseCommandQueue(queue);
    d->clReleaseContext(context);
    return wrong;
}
