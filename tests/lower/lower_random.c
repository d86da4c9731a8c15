/* Random programs, built as they are and with -cl-opt-disable, must compute the same; and, when a
 * platform is named, the same as there.
 *
 *   lower_random FIRST COUNT [PLATFORM]      tests programs FIRST .. FIRST + COUNT - 1
 *   lower_random FIRST                       prints one
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lower_program.h"

enum { ITEMS = 96, RESULTS = ITEMS * 4, INPUTS = 512 };

struct device {
    cl_context context;
    cl_command_queue queue;
    cl_device_id id;
};

static bool open_device(struct device *d, const char *platform) {
    cl_platform_id ids[8];
    cl_uint n = 0;
    if (clGetPlatformIDs(8, ids, &n) != CL_SUCCESS) return false;
    for (cl_uint i = 0; i < n && i < 8; i++) {
        char name[256] = "";
        clGetPlatformInfo(ids[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
        if (!strstr(name, platform)) continue;
        if (clGetDeviceIDs(ids[i], CL_DEVICE_TYPE_ALL, 1, &d->id, NULL) != CL_SUCCESS) continue;
        d->context = clCreateContext(NULL, 1, &d->id, NULL, NULL, NULL);
        d->queue = d->context ? clCreateCommandQueue(d->context, d->id, 0, NULL) : NULL;
        if (d->queue) return true;
    }
    return false;
}

static bool run(const struct device *d, const char *source, const char *options, cl_uint *out) {
    cl_uint in[INPUTS];
    for (unsigned i = 0; i < INPUTS; i++) in[i] = i * 2654435761u >> (i % 29);
    memset(out, 0, RESULTS * sizeof *out);
    cl_program program = clCreateProgramWithSource(d->context, 1, &source, NULL, NULL);
    if (clBuildProgram(program, 1, &d->id, options, NULL, NULL) != CL_SUCCESS) {
        static char log[65536];
        clGetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        printf("%s\n", log);
        clReleaseProgram(program);
        return false;
    }
    cl_kernel kernel = clCreateKernel(program, "k", NULL);
    cl_mem_flags copy = CL_MEM_COPY_HOST_PTR;
    cl_mem results = clCreateBuffer(d->context, CL_MEM_READ_WRITE | copy, RESULTS * 4, out, NULL);
    cl_mem inputs = clCreateBuffer(d->context, CL_MEM_READ_ONLY | copy, sizeof in, in, NULL);
    size_t global = ITEMS, local = 32;
    clSetKernelArg(kernel, 0, sizeof results, &results);
    clSetKernelArg(kernel, 1, sizeof inputs, &inputs);
    cl_int error =
        clEnqueueNDRangeKernel(d->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
    if (error == CL_SUCCESS)
        error = clEnqueueReadBuffer(d->queue, results, CL_TRUE, 0, RESULTS * 4, out, 0, NULL, NULL);
    if (error != CL_SUCCESS) printf("error %d\n", (int)error);
    clReleaseMemObject(results);
    clReleaseMemObject(inputs);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    return error == CL_SUCCESS;
}

static bool same(unsigned seed, const char *what, const cl_uint *a, const cl_uint *b) {
    for (unsigned i = 0; i < RESULTS; i++) {
        if (a[i] == b[i]) continue;
        printf("FAILED program %u, %s: work-item %u, result %u: 0x%x, not 0x%x\n", seed, what,
               i / 4, i % 4, (unsigned)a[i], (unsigned)b[i]);
        return false;
    }
    return true;
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    unsigned first = (unsigned)strtoul(argv[1], NULL, 10), failed = 0, count = 0;
    if (argc == 2) {
        char *text = lower_program_random(first);
        if (text) fputs(text, stdout);
        free(text);
        return 0;
    }
    struct device device, oracle;
    const char *platform = getenv("SIMTCL_TEST_PLATFORM");
    if (!open_device(&device, platform ? platform : "")) return 2;
    if (argc > 3 && !open_device(&oracle, argv[3])) return 2;
    for (count = (unsigned)strtoul(argv[2], NULL, 10); count; count--, first++) {
        cl_uint plain[RESULTS], slow[RESULTS], other[RESULTS];
        char *text = lower_program_random(first);
        if (!text) return 2;
        bool good = run(&device, text, "", plain) && run(&device, text, "-cl-opt-disable", slow) &&
                    same(first, "optimised", plain, slow);
        if (good && argc > 3)
            good = run(&oracle, text, "", other) && same(first, argv[3], plain, other);
        if (!good) printf("FAILED program %u\n", first);
        failed += !good;
        free(text);
    }
    printf("%u failed\n", failed);
    return failed != 0;
}
