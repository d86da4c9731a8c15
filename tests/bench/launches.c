/* What a command costs: launch and finish of one group (median), a queue of 1,000 launches (each),
 * and transfers against a copy by the same number of threads. Results are checked.
 *
 *   launch [rounds]        (1,000 by default) */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { QUEUED = 1000, MEGABYTES = 64, COPIERS = 2, TRANSFERS = 8 };
static const size_t bytes = (size_t)MEGABYTES << 20;

static const char source[] = "kernel void add(global int *out) { out[get_global_id(0)] += 1; }\n";

static double now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static void check(cl_int error, const char *what) {
    if (error == CL_SUCCESS) return;
    fprintf(stderr, "launch: %s failed (%d)\n", what, (int)error);
    exit(2);
}
#define CHECK(call) check(call, #call)

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ---- a copy by threads, as the yardstick ---- */

struct launches_part {
    char *to;
    const char *from;
    size_t bytes;
};

static void *copy_part(void *arg) {
    struct launches_part *p = arg;
    memcpy(p->to, p->from, p->bytes);
    return NULL;
}

static double copy_us(char *to, const char *from) {
    double best = 1e30;
    for (int i = 0; i < TRANSFERS; i++) {
        pthread_t threads[COPIERS];
        struct launches_part parts[COPIERS];
        double begin = now_us();
        for (size_t t = 0; t < COPIERS; t++) {
            size_t each = bytes / COPIERS;
            parts[t] = (struct launches_part){to + t * each, from + t * each, each};
            if (pthread_create(&threads[t], NULL, copy_part, &parts[t]) != 0) exit(2);
        }
        for (int t = 0; t < COPIERS; t++) pthread_join(threads[t], NULL);
        double took = now_us() - begin;
        if (took < best) best = took;
    }
    return best;
}

static double transfer_us(cl_command_queue queue, cl_mem m, char *host, int writes) {
    double best = 1e30;
    for (int i = 0; i < TRANSFERS; i++) {
        double begin = now_us();
        if (writes)
            CHECK(clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, bytes, host, 0, NULL, NULL));
        else
            CHECK(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, bytes, host, 0, NULL, NULL));
        double took = now_us() - begin;
        if (took < best) best = took;
    }
    return best;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 1000;
    cl_platform_id platform;
    cl_device_id device;
    cl_int err, count = 0, got[64];
    CHECK(clGetPlatformIDs(1, &platform, NULL));
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    check(err, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &err);
    check(err, "clCreateCommandQueue");
    const char *text = source;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
    CHECK(clBuildProgram(program, 1, &device, "", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "add", &err);
    check(err, "clCreateKernel");
    cl_mem out = clCreateBuffer(context, 0, sizeof got, NULL, &err);
    check(err, "clCreateBuffer");
    memset(got, 0, sizeof got);
    CHECK(clEnqueueWriteBuffer(queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    CHECK(clSetKernelArg(kernel, 0, sizeof out, &out));

    double *times = malloc((size_t)rounds * sizeof *times);
    size_t items = 64;
    if (!times || rounds < 1) return 2;
    for (int i = -100; i < rounds; i++, count++) {
        double begin = now_us();
        CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL));
        CHECK(clFinish(queue));
        if (i >= 0) times[i] = now_us() - begin;
    }
    qsort(times, (size_t)rounds, sizeof *times, compare);
    printf("launch and finish   %8.2f us median, %.2f least\n", times[rounds / 2], times[0]);
    free(times);

    double best = 1e30;
    for (int i = 0; i < 20; i++) {
        double begin = now_us();
        for (int n = 0; n < QUEUED; n++, count++)
            CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL));
        CHECK(clFinish(queue));
        double took = (now_us() - begin) / QUEUED;
        if (took < best) best = took;
    }
    printf("queued launch       %8.2f us each of %d\n", best, QUEUED);
    CHECK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (int i = 0; i < 64; i++)
        if (got[i] != count) {
            fprintf(stderr, "launch: item %d ran %d times, not %d\n", i, (int)got[i], (int)count);
            return 1;
        }

    char *from = malloc(bytes), *to = malloc(bytes);
    if (!from || !to) return 2;
    for (size_t i = 0; i < bytes; i++) from[i] = (char)(i * 7 + i / 4099);
    memset(to, 1, bytes);
    double copy = copy_us(to, from);
    memset(to, 1, bytes);
    cl_mem large = clCreateBuffer(context, 0, bytes, NULL, &err);
    check(err, "clCreateBuffer");
    double write = transfer_us(queue, large, from, 1), read = transfer_us(queue, large, to, 0);
    if (memcmp(from, to, bytes) != 0) {
        fprintf(stderr, "launch: what was read is not what was written\n");
        return 1;
    }
    double gb = (double)bytes * 1e-3;
    printf("copy by %d threads   %8.2f GB/s\n", COPIERS, gb / copy);
    printf("host to device      %8.2f GB/s (%.2f of the copy)\n", gb / write, copy / write);
    printf("device to host      %8.2f GB/s (%.2f of the copy)\n", gb / read, copy / read);
    free(from);
    free(to);
    CHECK(clReleaseMemObject(out));
    CHECK(clReleaseMemObject(large));
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseContext(context));
    return 0;
}
