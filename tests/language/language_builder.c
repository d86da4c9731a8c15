#include "language_builder.h"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static cl_context context;
static cl_device_id device;
static char *log_text;

static void check(const char *what, cl_int code) {
    if (!code) return;
    fprintf(stderr, "%s: %d\n", what, code);
    exit(2);
}

void language_open(void) {
    cl_platform_id platform;
    cl_int code;
    check("clGetPlatformIDs", clGetPlatformIDs(1, &platform, NULL));
    check("clGetDeviceIDs", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check("clCreateContext", code);
}

void language_close(void) {
    free(log_text);
    clReleaseContext(context);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct language_build language_build(const char *source, const char *options) {
    cl_int code;
    cl_program p = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check("clCreateProgramWithSource", code);
    double begin = now();
    code = clBuildProgram(p, 1, &device, options, NULL, NULL);
    struct language_build b = {.good = code == CL_SUCCESS, .seconds = now() - begin};
    size_t size = 0;
    check("clGetProgramBuildInfo",
          clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size));
    free(log_text);
    log_text = calloc(1, size + 1);
    if (!log_text) check("calloc", CL_OUT_OF_HOST_MEMORY);
    clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, size, log_text, NULL);
    b.log = log_text;
    clReleaseProgram(p);
    return b;
}
