/* Every platform that the loader finds, at once in one process: builds and runs on one while the
 * others have been used. With PoCL beside simtcl the process has another LLVM, loaded before
 * simtcl's and after. Exit status 77: only one platform has a device. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLATFORMS = 8, ITEMS = 1000, ROUNDS = 2 };

static void check(cl_int err, int line) {
    if (err == CL_SUCCESS) return;
    fprintf(stderr, "platforms.c:%d: error %d\n", line, (int)err);
    exit(EXIT_FAILURE);
}
#define CHECK(call) check(call, __LINE__)

/* Another text each time, so that nothing comes out of a cache. */
static int run(cl_platform_id platform, int factor) {
    char text[200];
    const char *source = text;
    cl_device_id device;
    cl_int err, out[ITEMS], wrong = 0;
    size_t items = ITEMS;
    snprintf(text, sizeof text,
             "kernel void scale(global int *out) { int i = get_global_id(0); out[i] = i * %d; }",
             factor);
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    CHECK(err);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &err);
    CHECK(err);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    CHECK(err);
    CHECK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "scale", &err);
    CHECK(err);
    cl_mem m = clCreateBuffer(context, 0, sizeof out, NULL, &err);
    CHECK(err);
    CHECK(clSetKernelArg(kernel, 0, sizeof m, &m));
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    for (int i = 0; i < ITEMS; i++) wrong += out[i] != i * factor;
    CHECK(clReleaseMemObject(m));
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseContext(context));
    return wrong;
}

/* Keeps those that have a device, as Mesa's have not where there is no GPU. Returns how many. */
static cl_uint with_devices(cl_platform_id *platforms, cl_uint n) {
    cl_uint kept = 0;
    for (cl_uint i = 0; i < n; i++) {
        cl_device_id device;
        cl_int err = clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
        if (err == CL_DEVICE_NOT_FOUND) continue;
        CHECK(err);
        platforms[kept++] = platforms[i];
    }
    return kept;
}

int main(int argc, char **argv) {
    cl_platform_id platforms[PLATFORMS];
    cl_uint n = 0;
    int wrong = 0, backwards = argc > 1 && argv[1][0] == 'b';
    CHECK(clGetPlatformIDs(PLATFORMS, platforms, &n));
    n = with_devices(platforms, n < PLATFORMS ? n : PLATFORMS);
    if (n < 2) return 77;
    for (int round = 0; round < ROUNDS; round++)
        for (cl_uint i = 0; i < n; i++)
            wrong += run(platforms[backwards ? n - 1 - i : i], round + 2);
    if (wrong) fprintf(stderr, "%d items are wrong\n", wrong);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
