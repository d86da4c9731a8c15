/* clFFT's transforms against the definition: lengths of all its radices, one to three dimensions, a
 * batch. */
#include <clFFT.h>
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static cl_context context;
static cl_command_queue queue;
static int ran, wrong;

/* By the definition, along each dimension in turn. */
static void transform(double complex *x, const size_t *n, int dims, int sign) {
    size_t all = n[0] * (dims > 1 ? n[1] : 1) * (dims > 2 ? n[2] : 1), stride = 1;
    double complex *line = malloc(all * sizeof *line);
    for (int d = 0; d < dims; stride *= n[d++])
        for (size_t first = 0; first < all; first++) {
            if (first / stride % n[d]) continue;
            for (size_t k = 0; k < n[d]; k++) {
                line[k] = 0;
                for (size_t j = 0; j < n[d]; j++)
                    line[k] += x[first + j * stride] *
                               cexp(sign * 2 * M_PI * I * (double)(j * k % n[d]) / (double)n[d]);
            }
            for (size_t k = 0; k < n[d]; k++) x[first + k * stride] = line[k];
        }
    free(line);
}

static void check(int dims, size_t a, size_t b, size_t c, int twice) {
    size_t n[3] = {a, b, c}, all = a * b * c, bytes = all * (twice ? 16 : 8);
    double complex *want = malloc(all * sizeof *want);
    float *f = malloc(bytes);
    double *d = (double *)f, most = 0, scale = 0;
    unsigned seed = 5;
    for (size_t i = 0; i < 2 * all; i++) {
        seed = seed * 1664525 + 1013904223;
        double v = (double)(seed >> 8 & 0xffff) / 65536 - 0.5;
        if (twice)
            d[i] = v;
        else
            f[i] = (float)v;
        ((double *)want)[i] = twice ? v : (float)v;
    }
    cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, f, NULL);
    clfftPlanHandle plan;
    int status = clfftCreateDefaultPlan(&plan, context, (clfftDim)dims, n);
    if (!status) status = clfftSetPlanPrecision(plan, twice ? CLFFT_DOUBLE : CLFFT_SINGLE);
    if (!status) status = clfftSetResultLocation(plan, CLFFT_INPLACE);
    if (!status) status = clfftBakePlan(plan, 1, &queue, NULL, NULL);
    if (!status)
        status =
            clfftEnqueueTransform(plan, CLFFT_FORWARD, 1, &queue, 0, NULL, NULL, &m, NULL, NULL);
    if (!status) status = clEnqueueReadBuffer(queue, m, CL_TRUE, 0, bytes, f, 0, NULL, NULL);
    transform(want, n, dims, -1);
    for (size_t i = 0; i < all; i++) {
        double complex got = twice ? d[2 * i] + d[2 * i + 1] * I : f[2 * i] + f[2 * i + 1] * I;
        most = fmax(most, cabs(got - want[i]));
        scale = fmax(scale, cabs(want[i]));
    }
    ran++;
    if (status || !(most <= (twice ? 1e-12 : 1e-5) * scale)) {
        wrong++;
        printf("%zu x %zu x %zu, %s: status %d, off by %g of %g\n", a, b, c,
               twice ? "double" : "float", status, most, scale);
    }
    clfftDestroyPlan(&plan);
    clReleaseMemObject(m);
    free(f), free(want);
}

int main(void) {
    cl_platform_id platform;
    cl_device_id device;
    clfftSetupData setup;
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        return 1;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    queue = clCreateCommandQueue(context, device, 0, NULL);
    clfftInitSetupData(&setup);
    clfftSetup(&setup);
    for (int twice = 0; twice < 2; twice++) {
        static const size_t lengths[] = {2, 8, 27, 64, 125, 343, 360, 1001, 1024, 2187};
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
            check(1, lengths[i], 1, 1, twice);
        check(2, 32, 24, 1, twice);
        check(2, 15, 49, 1, twice);
        check(3, 16, 9, 10, twice);
    }
    clfftTeardown();
    printf("%d transforms, %d wrong\n", ran, wrong);
    return wrong != 0;
}
