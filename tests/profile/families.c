/* Kernels that do one thing in several ways, for reports to compare: what docs/report.md shows.
 *
 *   families FOLDER matmul|transpose|reduce|image [N]
 *
 * FOLDER has the kernels; N is the side of the matrices or the number of elements. Results are
 * checked. */
#include "guest.h"

#include <math.h>

struct way {
    const char *kernel;
    unsigned items; /* of a group: a side for matrices */
    unsigned each;  /* elements that a work-item begins with */
};

static const struct way matmul[] = {{"matmul_naive", 16, 1}, {"matmul_tiled", 16, 1}, {NULL}};
static const struct way transpose[] = {{"transpose_naive", 16, 1},
                                       {"transpose_tile", 16, 1},
                                       {"transpose_padded", 16, 1},
                                       {"transpose_diagonal", 16, 1},
                                       {NULL}};
static const struct way reduce[] = {{"reduce_interleaved", 128, 1}, {"reduce_strided", 128, 1},
                                    {"reduce_sequential", 128, 1},  {"reduce_first_add", 128, 2},
                                    {"reduce_many", 128, 16},       {NULL}};

static const struct way image[] = {
    {"image_rows", 64, 1}, {"image_columns", 64, 1}, {"image_between", 64, 1}, {NULL}};

static float element(size_t n) { return (float)(n * 7 % 13); }

static cl_mem buffer(struct guest *g, size_t count, bool filled) {
    cl_int error;
    float *data = malloc(count * sizeof *data);
    CHECK(data, "memory");
    for (size_t n = 0; n < count; n++) data[n] = filled ? element(n) : 0;
    cl_mem m = clCreateBuffer(g->context, CL_MEM_COPY_HOST_PTR, count * sizeof *data, data, &error);
    CHECK(!error, "clCreateBuffer %d", error);
    free(data);
    return m;
}

static void launch(struct guest *g, const struct way *w, cl_mem *buffers, cl_uint nbuffers, int n,
                   cl_uint dimensions) {
    cl_kernel k = guest_kernel(g, w->kernel);
    size_t global[2] = {(size_t)n / w->each, (size_t)n}, local[2] = {w->items, w->items};
    for (cl_uint i = 0; i < nbuffers; i++)
        CHECK(!clSetKernelArg(k, i, sizeof *buffers, &buffers[i]), "argument");
    CHECK(!clSetKernelArg(k, nbuffers, sizeof n, &n), "argument");
    CHECK(!clEnqueueNDRangeKernel(g->queue, k, dimensions, NULL, global, local, 0, NULL, NULL),
          "launch of %s", w->kernel);
    CHECK(!clFinish(g->queue), "clFinish");
    clReleaseKernel(k);
}

static float *result(struct guest *g, cl_mem m, size_t count) {
    float *data = malloc(count * sizeof *data);
    CHECK(data && !clEnqueueReadBuffer(g->queue, m, CL_TRUE, 0, count * sizeof *data, data, 0, NULL,
                                       NULL),
          "read");
    return data;
}

static void check_matrix(const char *name, const float *got, int n, bool product) {
    for (int row = 0; row < n; row += n / 8 + 1)
        for (int column = 0; column < n; column++) {
            double expected = element((size_t)column * n + row);
            for (int k = 0; product && k < n; k++) {
                double term =
                    (double)element((size_t)row * n + k) * element((size_t)k * n + column);
                expected = k ? expected + term : term;
            }
            CHECK(fabs(got[row * n + column] - expected) <= 1e-4 * fabs(expected),
                  "%s at %d, %d: %g, expected %g", name, row, column, got[row * n + column],
                  expected);
        }
}

static void run_matrices(struct guest *g, const struct way *ways, int n, bool product) {
    size_t count = (size_t)n * n;
    for (; ways->kernel; ways++) {
        cl_mem buffers[3] = {buffer(g, count, false), buffer(g, count, true),
                             buffer(g, count, true)};
        launch(g, ways, buffers, product ? 3 : 2, n, 2);
        float *got = result(g, buffers[0], count);
        check_matrix(ways->kernel, got, n, product);
        free(got);
        for (int i = 0; i < 3; i++) clReleaseMemObject(buffers[i]);
    }
}

/* An image of n x n, read along its rows, along its columns, and between four texels. */
static void run_images(struct guest *g, const struct way *ways, int n) {
    const cl_image_format format = {CL_RGBA, CL_FLOAT};
    const cl_image_desc side = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = (size_t)n, .image_height = (size_t)n};
    size_t count = (size_t)n * n;
    float *texels = malloc(4 * count * sizeof *texels);
    cl_int error;
    CHECK(texels, "memory");
    for (size_t i = 0; i < 4 * count; i++) texels[i] = element(i / 4);
    cl_mem from = clCreateImage(g->context, CL_MEM_COPY_HOST_PTR, &format, &side, texels, &error);
    CHECK(!error, "clCreateImage %d", error);
    free(texels);
    for (; ways->kernel; ways++) {
        bool columns = !strcmp(ways->kernel, "image_columns");
        bool between = !strcmp(ways->kernel, "image_between");
        cl_mem buffers[2] = {buffer(g, count, false), from};
        launch(g, ways, buffers, 2, n, 1);
        float *got = result(g, buffers[0], count);
        for (size_t i = 0; i < count; i++) {
            size_t x = i % (size_t)n, y = i / (size_t)n;
            if (between && (x + 1 == (size_t)n || y + 1 == (size_t)n)) continue;
            float expected = columns ? element(x * (size_t)n + y) : element(i);
            if (between)
                expected = (element(i) + element(i + 1) + element(i + (size_t)n) +
                            element(i + (size_t)n + 1)) /
                           4;
            CHECK(got[i] == expected, "%s at %zu: %g, expected %g", ways->kernel, i, got[i],
                  expected);
        }
        free(got);
        clReleaseMemObject(buffers[0]);
    }
    clReleaseMemObject(from);
}

static void run_sums(struct guest *g, const struct way *ways, int n) {
    double expected = 0;
    for (int i = 0; i < n; i++) expected += element((size_t)i);
    for (; ways->kernel; ways++) {
        size_t groups = (size_t)n / ways->each / ways->items;
        cl_mem buffers[2] = {buffer(g, groups, false), buffer(g, (size_t)n, true)};
        launch(g, ways, buffers, 2, n, 1);
        float *got = result(g, buffers[0], groups);
        double sum = 0;
        for (size_t i = 0; i < groups; i++) sum += got[i];
        CHECK(fabs(sum - expected) <= 1e-5 * expected, "%s: %g, expected %g", ways->kernel, sum,
              expected);
        free(got);
        for (int i = 0; i < 2; i++) clReleaseMemObject(buffers[i]);
    }
}

int main(int argc, char **argv) {
    char path[4096];
    struct guest g;
    CHECK(argc >= 3, "families FOLDER matmul|transpose|reduce|image [N]");
    snprintf(path, sizeof path, "%s/%s_ways.cl", argv[1], argv[2]);
    char *source = guest_file(path);
    CHECK(source, "%s cannot be read", path);
    int n = argc > 3 ? atoi(argv[3]) : 0;
    guest_open(&g, source);
    if (!strcmp(argv[2], "matmul"))
        run_matrices(&g, matmul, n ? n : 512, true);
    else if (!strcmp(argv[2], "transpose"))
        run_matrices(&g, transpose, n ? n : 1024, false);
    else if (!strcmp(argv[2], "image"))
        run_images(&g, image, n ? n : 256);
    else
        run_sums(&g, reduce, n ? n : 1 << 20);
    guest_close(&g);
    free(source);
    return 0;
}
