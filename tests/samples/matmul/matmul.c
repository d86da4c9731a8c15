/* The two matrix multiplications of the OpenCL Programming Guide for the CUDA Architecture 2.3,
 * section 2.5, as one ordinary OpenCL 1.0 host program: linked with nothing but -lOpenCL.
 *
 *   matmul naive|tiled [N] [--platform NAME] [--save FILE] [--load FILE] [--result FILE]
 *
 * Multiplies two N x N matrices (a multiple of 16; 512 by default) and checks the result against
 * the same sum computed on the host. --platform picks the platform whose name contains NAME. --save
 * writes the program's binary, --load runs one instead of building from source, --result writes the
 * bytes of C. Exit status: 0 right, 1 wrong result, 2 anything else. */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#include <CL/cl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels.h" /* naive_cl, tiled_cl: the text of the two .cl files */

#define BLOCK_SIZE 16

typedef struct {
    int width;
    int height;
    int stride;
    float *elements;
} Matrix;

typedef struct {
    int width;
    int height;
    int stride;
    cl_mem elements;
} DeviceMatrix;

static void fail(const char *what, cl_int error) {
    fprintf(stderr, "matmul: %s failed (%d)\n", what, (int)error);
    exit(2);
}

static void check(cl_int error, const char *what) {
    if (error != CL_SUCCESS) fail(what, error);
}

static void *allocate(size_t size) {
    void *p = malloc(size ? size : 1);
    if (!p) fail("malloc", 0);
    return p;
}

/* The first platform whose name contains `name` (the first of all when NULL). */
static cl_platform_id find_platform(const char *name) {
    cl_platform_id platforms[32];
    cl_uint count = 0;
    cl_int error = clGetPlatformIDs(32, platforms, &count);
    if (error != CL_SUCCESS || count == 0) {
        fprintf(stderr, "matmul: no OpenCL platform found (%d)\n", (int)error);
        exit(2);
    }
    if (count > 32) count = 32;
    for (cl_uint i = 0; i < count; i++) {
        char text[256];
        if (!name) return platforms[i];
        if (clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof(text), text, NULL) ==
                CL_SUCCESS &&
            strstr(text, name))
            return platforms[i];
    }
    fprintf(stderr, "matmul: no platform is named %s\n", name);
    exit(2);
}

static Matrix matrix_new(int n) {
    Matrix m = {n, n, n, allocate((size_t)n * n * sizeof(float))};
    return m;
}

/* Fills with numbers in [-1, 1) from a fixed generator. */
static void matrix_fill(Matrix m, uint32_t seed) {
    for (long i = 0; i < (long)m.width * m.height; i++) {
        seed = seed * 1664525u + 1013904223u;
        m.elements[i] = (float)(seed >> 8) / 8388608.0f - 1.0f;
    }
}

static DeviceMatrix matrix_load(cl_context context, Matrix m, cl_mem_flags flags) {
    DeviceMatrix d = {m.width, m.height, m.stride, NULL};
    size_t size = (size_t)m.width * m.height * sizeof(float);
    cl_int error;
    void *data = flags & CL_MEM_COPY_HOST_PTR ? m.elements : NULL;
    d.elements = clCreateBuffer(context, flags, size, data, &error);
    check(error, "clCreateBuffer");
    return d;
}

/* Sets width, height, (stride of the tiled variant) and elements, in the kernels' order. */
static void set_matrix(cl_kernel kernel, cl_uint *i, const DeviceMatrix *m, int with_stride) {
    check(clSetKernelArg(kernel, (*i)++, sizeof(m->width), &m->width), "clSetKernelArg");
    check(clSetKernelArg(kernel, (*i)++, sizeof(m->height), &m->height), "clSetKernelArg");
    if (with_stride)
        check(clSetKernelArg(kernel, (*i)++, sizeof(m->stride), &m->stride), "clSetKernelArg");
    check(clSetKernelArg(kernel, (*i)++, sizeof(m->elements), &m->elements), "clSetKernelArg");
}

/* C = A * B on the device. Returns the seconds the kernel took. */
static double MatMulHost(Matrix A, Matrix B, Matrix C, cl_context context, cl_kernel matMulKernel,
                         cl_command_queue queue, int tiled) {
    DeviceMatrix d_A = matrix_load(context, A, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR);
    DeviceMatrix d_B = matrix_load(context, B, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR);
    DeviceMatrix d_C = matrix_load(context, C, CL_MEM_WRITE_ONLY);

    cl_uint i = 0;
    if (tiled) {
        size_t tile = BLOCK_SIZE * BLOCK_SIZE * sizeof(float);
        set_matrix(matMulKernel, &i, &d_C, 1);
        set_matrix(matMulKernel, &i, &d_A, 1);
        set_matrix(matMulKernel, &i, &d_B, 1);
        check(clSetKernelArg(matMulKernel, i++, tile, NULL), "clSetKernelArg");
        check(clSetKernelArg(matMulKernel, i++, tile, NULL), "clSetKernelArg");
    } else {
        set_matrix(matMulKernel, &i, &d_A, 0);
        set_matrix(matMulKernel, &i, &d_B, 0);
        set_matrix(matMulKernel, &i, &d_C, 0);
    }

    size_t localWorkSize[] = {BLOCK_SIZE, BLOCK_SIZE};
    size_t globalWorkSize[] = {(size_t)B.width, (size_t)A.height};
    cl_event event;
    check(clEnqueueNDRangeKernel(queue, matMulKernel, 2, NULL, globalWorkSize, localWorkSize, 0,
                                 NULL, &event),
          "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, d_C.elements, CL_TRUE, 0,
                              (size_t)C.width * C.height * sizeof(float), C.elements, 0, NULL,
                              NULL),
          "clEnqueueReadBuffer");

    cl_ulong start = 0, end = 0;
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(start), &start, NULL),
          "clGetEventProfilingInfo");
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL),
          "clGetEventProfilingInfo");
    clReleaseEvent(event);
    clReleaseMemObject(d_A.elements);
    clReleaseMemObject(d_B.elements);
    clReleaseMemObject(d_C.elements);
    return (double)(end - start) * 1e-9;
}

/* The largest difference from the sum in double precision, relative to the sum of magnitudes: what
 * any order of single-precision additions keeps below N * 2^-24. */
static double largest_error(Matrix A, Matrix B, Matrix C) {
    int n = A.width;
    double worst = 0;
    double *sum = allocate((size_t)n * sizeof(double)),
           *size = allocate((size_t)n * sizeof(double));
    for (int row = 0; row < n; row++) {
        for (int col = 0; col < n; col++) sum[col] = size[col] = 0;
        for (int e = 0; e < n; e++) {
            double a = A.elements[(size_t)row * n + e];
            for (int col = 0; col < n; col++) {
                double product = a * B.elements[(size_t)e * n + col];
                sum[col] += product;
                size[col] += fabs(product);
            }
        }
        for (int col = 0; col < n; col++) {
            double off = fabs(C.elements[(size_t)row * n + col] - sum[col]);
            if (!(off <= 1e30)) off = 1e30;
            if (size[col] > 0) off /= size[col];
            if (off > worst) worst = off;
        }
    }
    free(sum);
    free(size);
    return worst;
}

static unsigned char *read_file(const char *name, size_t *length) {
    FILE *f = fopen(name, "rb");
    if (!f) {
        perror(name);
        exit(2);
    }
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    rewind(f);
    unsigned char *data = allocate((size_t)size);
    *length = fread(data, 1, (size_t)size, f);
    fclose(f);
    return data;
}

static void write_file(const char *name, const void *data, size_t length) {
    FILE *f = fopen(name, "wb");
    if (!f || fwrite(data, 1, length, f) != length || fclose(f)) {
        perror(name);
        exit(2);
    }
}

static cl_program make_program(cl_context context, cl_device_id device, int tiled,
                               const char *load) {
    cl_int error, status;
    cl_program program;
    if (load) {
        size_t length;
        unsigned char *binary = read_file(load, &length);
        program = clCreateProgramWithBinary(context, 1, &device, &length,
                                            (const unsigned char **)&binary, &status, &error);
        check(error, "clCreateProgramWithBinary");
        free(binary);
    } else {
        const char *source = tiled ? tiled_cl : naive_cl;
        program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
        check(error, "clCreateProgramWithSource");
    }
    error = clBuildProgram(program, 1, &device, NULL, NULL, NULL);
    if (error != CL_SUCCESS) {
        size_t length = 0;
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &length);
        char *log = allocate(length + 1);
        log[0] = '\0';
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, length, log, NULL);
        fprintf(stderr, "%s\n", log);
        free(log);
        fail("clBuildProgram", error);
    }
    return program;
}

static void save_binary(cl_program program, const char *name) {
    size_t length = 0;
    check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(length), &length, NULL),
          "clGetProgramInfo");
    unsigned char *binary = allocate(length);
    check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binary), &binary, NULL),
          "clGetProgramInfo");
    write_file(name, binary, length);
    free(binary);
}

static void usage(void) {
    fprintf(stderr, "usage: matmul naive|tiled [N] [--platform NAME] [--save FILE] [--load FILE] "
                    "[--result FILE]\n");
    exit(2);
}

int main(int argc, char **argv) {
    const char *platform_name = NULL, *save = NULL, *load = NULL, *result = NULL;
    int tiled = -1, n = 512;
    for (int i = 1; i < argc; i++) {
        const char **option = !strcmp(argv[i], "--platform") ? &platform_name
                              : !strcmp(argv[i], "--save")   ? &save
                              : !strcmp(argv[i], "--load")   ? &load
                              : !strcmp(argv[i], "--result") ? &result
                                                             : NULL;
        if (option) {
            if (++i == argc) usage();
            *option = argv[i];
        } else if (!strcmp(argv[i], "naive") || !strcmp(argv[i], "tiled")) {
            tiled = argv[i][0] == 't';
        } else {
            char *end;
            long value = strtol(argv[i], &end, 10);
            if (*end || value <= 0 || value > 16384 || value % BLOCK_SIZE) {
                fprintf(stderr, "matmul: N must be a multiple of %d up to 16384, not %s\n",
                        BLOCK_SIZE, argv[i]);
                return 2;
            }
            n = (int)value;
        }
    }
    if (tiled < 0) usage();

    cl_platform_id platform = find_platform(platform_name);
    cl_device_id device;
    cl_int error = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    check(error, "clGetDeviceIDs");
    char name[256];
    check(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof(name), name, NULL), "clGetDeviceInfo");

    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
    cl_context context = clCreateContext(properties, 1, &device, NULL, NULL, &error);
    check(error, "clCreateContext");
    cl_command_queue queue =
        clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &error);
    check(error, "clCreateCommandQueue");
    cl_program program = make_program(context, device, tiled, load);
    cl_kernel kernel = clCreateKernel(program, tiled ? "matrixMulKernel" : "MatMulKernel", &error);
    check(error, "clCreateKernel");

    Matrix A = matrix_new(n), B = matrix_new(n), C = matrix_new(n);
    matrix_fill(A, 1);
    matrix_fill(B, 2);
    memset(C.elements, 0xff, (size_t)n * n * sizeof(float)); /* NaN: a missing element shows */
    double seconds = MatMulHost(A, B, C, context, kernel, queue, tiled);

    double worst = largest_error(A, B, C);
    int right = worst <= n * ldexp(1, -24);
    printf("%s %4d x %-4d on %s: %s (largest error %.2g), %.2f ms, %.2f GFLOPS\n",
           tiled ? "tiled" : "naive", n, n, name, right ? "right" : "WRONG", worst, seconds * 1e3,
           seconds > 0 ? 2.0 * n * n * n / seconds * 1e-9 : 0.0);

    if (save) save_binary(program, save);
    if (result) write_file(result, C.elements, (size_t)n * n * sizeof(float));
    free(A.elements);
    free(B.elements);
    free(C.elements);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return right ? 0 : 1;
}
