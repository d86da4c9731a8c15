/* How long a program waits for the driver: finding the device, the first build, later builds, the
 * first launch. Every measurement is made in a fresh process, several times; the least is printed,
 * and each kernel that was built is run and its result checked.
 *
 *   latency [--platform NAME] [--runs N]        (10 runs by default) */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ITEMS = 256, LATER_BUILDS = 8 };

/* Twenty lines, with what kernels usually have: a loop, a branch, a helper, local memory. %d makes
 * each build a program of its own. */
static const char source_format[] =
    "float square(float x)\n"
    "{\n"
    "    return x * x;\n"
    "}\n"
    "__kernel void sums(__global const float *in, __global float *out,\n"
    "                   __local float *part)\n"
    "{\n"
    "    int item = get_local_id(0);\n"
    "    part[item] = square(in[get_global_id(0)]) + %d;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int step = get_local_size(0) / 2; step > 0; step /= 2) {\n"
    "        if (item < step)\n"
    "            part[item] += part[item + step];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    if (item == 0)\n"
    "        out[get_group_id(0)] = part[0];\n"
    "    else if (item == 1)\n"
    "        out[get_num_groups(0) + get_group_id(0)] = (float)item;\n"
    "}\n";

struct times {
    double list, first_build, later_build, first_launch;
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void check(cl_int error, const char *what) {
    if (error == CL_SUCCESS) return;
    fprintf(stderr, "latency: %s failed (%d)\n", what, (int)error);
    exit(2);
}

static cl_device_id find_device(const char *name) {
    cl_platform_id platforms[32];
    cl_uint count = 0;
    check(clGetPlatformIDs(32, platforms, &count), "clGetPlatformIDs");
    for (cl_uint i = 0; i < count && i < 32; i++) {
        char text[256] = "";
        cl_device_id device;
        check(clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof(text), text, NULL),
              "clGetPlatformInfo");
        if (!strstr(text, name)) continue;
        check(clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
        return device;
    }
    fprintf(stderr, "latency: no platform is named %s\n", name);
    exit(2);
}

static cl_program build(cl_context context, cl_device_id device, int number, double *milliseconds) {
    char text[2048];
    const char *source = text;
    cl_int error;
    snprintf(text, sizeof(text), source_format, number);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    check(error, "clCreateProgramWithSource");
    double begin = now();
    check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "clBuildProgram");
    *milliseconds = now() - begin;
    return program;
}

static void run(cl_context context, cl_command_queue queue, cl_program program, int number) {
    float in[ITEMS], out[2];
    cl_int error;
    for (int i = 0; i < ITEMS; i++) in[i] = (float)(i % 7);
    cl_kernel kernel = clCreateKernel(program, "sums", &error);
    check(error, "clCreateKernel");
    cl_mem source =
        clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof(in), in, &error);
    check(error, "clCreateBuffer");
    cl_mem result = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof(out), NULL, &error);
    check(error, "clCreateBuffer");
    check(clSetKernelArg(kernel, 0, sizeof(source), &source), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof(result), &result), "clSetKernelArg");
    check(clSetKernelArg(kernel, 2, sizeof(in), NULL), "clSetKernelArg");
    size_t items = ITEMS;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL), "launch");
    check(clEnqueueReadBuffer(queue, result, CL_TRUE, 0, sizeof(out), out, 0, NULL, NULL), "read");
    float expected = 0;
    for (int i = 0; i < ITEMS; i++) expected += in[i] * in[i] + (float)number;
    if (out[0] != expected || out[1] != 1) {
        fprintf(stderr, "latency: the kernel computed %g, %g instead of %g, 1\n", out[0], out[1],
                expected);
        exit(1);
    }
    clReleaseMemObject(source);
    clReleaseMemObject(result);
    clReleaseKernel(kernel);
}

static struct times measure(const char *platform) {
    struct times t;
    cl_int error;
    double begin = now();
    cl_device_id device = find_device(platform);
    t.list = now() - begin;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
    check(error, "clCreateCommandQueue");
    cl_program program = build(context, device, 0, &t.first_build);
    run(context, queue, program, 0);
    t.first_launch = now() - begin;
    clReleaseProgram(program);
    t.later_build = 1e30;
    for (int i = 1; i <= LATER_BUILDS; i++) {
        double milliseconds;
        program = build(context, device, i, &milliseconds);
        run(context, queue, program, i);
        clReleaseProgram(program);
        if (milliseconds < t.later_build) t.later_build = milliseconds;
    }
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return t;
}

static void least(double *a, double b) { *a = b < *a ? b : *a; }

int main(int argc, char **argv) {
    const char *platform = "simtcl";
    int runs = 10;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--platform")) platform = argv[i + 1];
        if (!strcmp(argv[i], "--runs")) runs = atoi(argv[i + 1]);
    }
    struct times best = {1e30, 1e30, 1e30, 1e30};
    for (int i = 0; i < runs; i++) {
        int channel[2], status;
        struct times t;
        if (pipe(channel)) return 2;
        pid_t child = fork(); /* nothing of OpenCL has been touched yet */
        if (child == 0) {
            t = measure(platform);
            _exit(write(channel[1], &t, sizeof(t)) == sizeof(t) ? 0 : 2);
        }
        close(channel[1]);
        if (child < 0 || read(channel[0], &t, sizeof(t)) != sizeof(t)) {
            fprintf(stderr, "latency: a measurement failed\n");
            return 1;
        }
        close(channel[0]);
        waitpid(child, &status, 0);
        if (status) return 1;
        least(&best.list, t.list);
        least(&best.first_build, t.first_build);
        least(&best.later_build, t.later_build);
        least(&best.first_launch, t.first_launch);
    }
    printf("load and list devices   %8.2f ms\n", best.list);
    printf("first build             %8.2f ms\n", best.first_build);
    printf("later builds            %8.2f ms\n", best.later_build);
    printf("start to first result   %8.2f ms\n", best.first_launch);
    return 0;
}
