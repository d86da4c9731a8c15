/* Rows whose time is memory's: streams, copies, transposition. All exact. */
#include "rows.h"
#include <string.h>

/* Small whole numbers: every sum and product of a few of them is exact. */
static float *whole_numbers(struct bench_job *job, size_t count, uint32_t seed) {
    float *values = job_host(job, count * sizeof(float));
    for (size_t i = 0; i < count; i++) values[i] = (float)(job_random(&seed) % 1000) - 500;
    return values;
}

static void same(struct bench_job *job, cl_mem got, const void *want, size_t bytes) {
    job_same(job, job_read(job, got, bytes), want, bytes / 4);
}

void rows_stream(struct bench_job *job) {
    size_t n = job_size(job, 8 << 20, 4096), bytes = n * sizeof(float);
    bool saxpy = !strcmp(job_name(job), "saxpy"), triad = !strcmp(job_name(job), "triad");
    float *a = whole_numbers(job, n, 1), *b = whole_numbers(job, n, 2),
          *want = job_host(job, bytes);
    for (size_t i = 0; i < n; i++)
        want[i] = saxpy ? 3 * a[i] + b[i] : a[i] + (triad ? 3 : 1) * b[i];
    cl_mem out = job_buffer(job, bytes, NULL);
    cl_mem in_a = job_buffer(job, bytes, a), in_b = job_buffer(job, bytes, b);
    cl_kernel kernel = job_kernel(job, job_name(job));
    if (triad)
        job_launch(job, kernel, LINE(job_size(job, 1 << 18, 1024), 256), MEM(out), MEM(in_a),
                   MEM(in_b), FLOAT(3), INT(n));
    else if (saxpy)
        job_launch(job, kernel, LINE(n, 256), MEM(out), MEM(in_a), MEM(in_b), FLOAT(3));
    else
        job_launch(job, kernel, LINE(n, 256), MEM(out), MEM(in_a), MEM(in_b));
    job_run(job, 3.0 * (double)bytes);
    same(job, out, want, bytes);
}

void rows_daxpy(struct bench_job *job) {
    size_t n = job_size(job, 4 << 20, 4096), bytes = n * sizeof(double);
    job_require(job, "cl_khr_fp64");
    double *x = job_host(job, bytes), *y = job_host(job, bytes), *want = job_host(job, bytes);
    for (size_t i = 0; i < n; i++) {
        x[i] = (double)(i % 1009);
        y[i] = (double)(i % 31) / 64;
        want[i] = 0.5 * x[i] + y[i];
    }
    cl_mem out = job_buffer(job, bytes, NULL);
    cl_mem in_x = job_buffer(job, bytes, x), in_y = job_buffer(job, bytes, y);
    job_launch(job, job_kernel(job, "daxpy"), LINE(n, 256), MEM(out), MEM(in_x), MEM(in_y),
               DOUBLE(0.5));
    job_run(job, 3.0 * (double)bytes);
    same(job, out, want, bytes);
}

void rows_copy(struct bench_job *job) {
    bool wide = !strcmp(job_name(job), "copy_float4"), random = !strcmp(job_name(job), "gather");
    size_t n = job_size(job, wide ? 16 << 20 : 4 << 20, 4096), bytes = n * sizeof(float);
    enum { STRIDE = 4 };
    float *in = whole_numbers(job, n, 3);
    cl_mem out = job_buffer(job, bytes, NULL), source = job_buffer(job, bytes, in);
    cl_kernel kernel = job_kernel(job, job_name(job));
    if (wide) {
        job_launch(job, kernel, LINE(n / 4, 128), MEM(out), MEM(source));
        job_run(job, 2.0 * (double)bytes);
        same(job, out, in, bytes);
        return;
    }
    float *want = job_host(job, bytes);
    int *index = job_host(job, bytes);
    uint32_t state = 4;
    for (size_t i = 0; i < n; i++) {
        index[i] = (int)(random ? job_random(&state) % n : i * STRIDE % n + i * STRIDE / n);
        want[i] = in[index[i]];
    }
    if (random) {
        cl_mem indices = job_buffer(job, bytes, index);
        job_launch(job, kernel, LINE(n, 256), MEM(out), MEM(source), MEM(indices));
    } else {
        job_launch(job, kernel, LINE(n, 256), MEM(out), MEM(source), INT(STRIDE), INT(n));
    }
    job_run(job, (random ? 3.0 : 2.0) * (double)bytes);
    same(job, out, want, bytes);
}

void rows_transpose(struct bench_job *job) {
    size_t width = job_size(job, 2048, 64), height = job_size(job, 1024, 32);
    size_t bytes = width * height * sizeof(float);
    float *in = whole_numbers(job, width * height, 5), *want = job_host(job, bytes);
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++) want[x * height + y] = in[y * width + x];
    cl_mem out = job_buffer(job, bytes, NULL), source = job_buffer(job, bytes, in);
    job_launch(job, job_kernel(job, job_name(job)), GRID(width, height, 16, 16), MEM(out),
               MEM(source), INT(width), INT(height));
    job_run(job, 2.0 * (double)bytes);
    same(job, out, want, bytes);
}

void rows_gray(struct bench_job *job) {
    size_t n = job_size(job, 4 << 20, 4096);
    uint8_t *rgb = job_host(job, 3 * n), *want = job_host(job, n);
    uint32_t state = 6;
    for (size_t i = 0; i < 3 * n; i++) rgb[i] = (uint8_t)job_random(&state);
    for (size_t i = 0; i < n; i++)
        want[i] = (uint8_t)((rgb[3 * i] * 77 + rgb[3 * i + 1] * 150 + rgb[3 * i + 2] * 29) >> 8);
    cl_mem out = job_buffer(job, n, NULL), source = job_buffer(job, 3 * n, rgb);
    job_launch(job, job_kernel(job, "gray"), LINE(n, 256), MEM(out), MEM(source));
    job_run(job, (double)n);
    same(job, out, want, n);
}
