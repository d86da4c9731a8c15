/* How long a program waits for the driver: finding the device, the first build, later builds, the
 * first launch; without simtcl's disk cache, with one that is empty, and with one that knows the
 * programs. Every measurement is made in a new process, several times in turn; the least is
 * printed, and each kernel that was built is run and its result checked. "start" is before the
 * process is made: fork, exec and the dynamic linker count.
 *
 *   latency [--platform NAME] [--runs N]        (10 runs by default) */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#include <CL/cl.h>
#include <dirent.h>
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

enum { LIST, FIRST_BUILD, LATER_BUILD, FIRST_RESULT, FIGURES };
static const char *const figures[FIGURES] = {
    [LIST] = "load and list devices",
    [FIRST_BUILD] = "first build",
    [LATER_BUILD] = "later builds",
    [FIRST_RESULT] = "start to first result",
};
enum { OFF, EMPTY, KNOWN, CACHES };
static const char *const caches[CACHES] = {"no cache", "empty", "known"};

struct latency_times {
    double ms[FIGURES];
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

static struct latency_times measure(const char *platform, double start) {
    struct latency_times t;
    cl_int error;
    double begin = now();
    cl_device_id device = find_device(platform);
    t.ms[LIST] = now() - begin;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
    check(error, "clCreateCommandQueue");
    cl_program program = build(context, device, 0, &t.ms[FIRST_BUILD]);
    run(context, queue, program, 0);
    t.ms[FIRST_RESULT] = now() - start;
    clReleaseProgram(program);
    t.ms[LATER_BUILD] = 1e30;
    for (int i = 1; i <= LATER_BUILDS; i++) {
        double milliseconds;
        program = build(context, device, i, &milliseconds);
        run(context, queue, program, i);
        clReleaseProgram(program);
        if (milliseconds < t.ms[LATER_BUILD]) t.ms[LATER_BUILD] = milliseconds;
    }
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return t;
}

/* ---- new processes ---- */

enum { ANSWER_FD = 77 };

static _Noreturn void measure_and_tell(const char *platform, const char *start) {
    struct latency_times t = measure(platform, atof(start));
    exit(write(ANSWER_FD, &t, sizeof(t)) == sizeof(t) ? 0 : 2);
}

static struct latency_times ask(const char *platform) {
    int channel[2], status = -1;
    struct latency_times t;
    char start[32];
    if (pipe(channel)) exit(2);
    snprintf(start, sizeof(start), "%.6f", now());
    pid_t child = fork();
    if (child == 0) {
        if (dup2(channel[1], ANSWER_FD) == ANSWER_FD)
            execl("/proc/self/exe", "latency", "--measure", platform, start, (char *)NULL);
        _exit(2);
    }
    close(channel[1]);
    if (child < 0 || read(channel[0], &t, sizeof(t)) != sizeof(t) ||
        waitpid(child, &status, 0) != child || status) {
        fprintf(stderr, "latency: a measurement failed\n");
        exit(1);
    }
    close(channel[0]);
    return t;
}

static void empty(const char *folder) {
    DIR *dir = opendir(folder);
    for (struct dirent *d; dir && (d = readdir(dir));)
        if (d->d_name[0] != '.') unlinkat(dirfd(dir), d->d_name, 0);
    if (dir) closedir(dir);
}

int main(int argc, char **argv) {
    if (argc == 4 && !strcmp(argv[1], "--measure")) measure_and_tell(argv[2], argv[3]);
    const char *platform = "simtcl";
    char folder[] = "/tmp/latency-XXXXXX";
    int runs = 10;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--platform")) platform = argv[i + 1];
        if (!strcmp(argv[i], "--runs")) runs = atoi(argv[i + 1]);
    }
    if (!mkdtemp(folder)) return 2;
    setenv("SIMTCL_CACHE_DIR", folder, 1);
    double best[FIGURES][CACHES];
    for (int i = 0; i < runs; i++)
        for (int c = 0; c < CACHES; c++) {
            setenv("SIMTCL_CACHE", c == OFF ? "off" : "64", 1);
            if (c == EMPTY) empty(folder); /* which then knows */
            struct latency_times t = ask(platform);
            for (int f = 0; f < FIGURES; f++)
                if (i == 0 || t.ms[f] < best[f][c]) best[f][c] = t.ms[f];
        }
    empty(folder);
    rmdir(folder);
    printf("%-24s", "ms");
    for (int c = 0; c < CACHES; c++) printf(" %10s", caches[c]);
    for (int f = 0; runs > 0 && f < FIGURES; f++) {
        printf("\n%-24s", figures[f]);
        for (int c = 0; c < CACHES; c++) printf(" %10.2f", best[f][c]);
    }
    printf("\n");
    return 0;
}
