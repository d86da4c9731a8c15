/* Rows with local memory, barriers and atomics, and their plain counterparts. Exact, but for fft
 * and the sparse products. */
#include "rows.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Elements 0 to 7: sums of up to 2^24 / 49 products are exact in float, in any order. */
void rows_matmul(struct bench_job *job) {
    size_t n = job_size(job, 384, 32), count = n * n, bytes = count * sizeof(float);
    float *a = job_host(job, bytes), *b = job_host(job, bytes), *want = job_host(job, bytes);
    uint32_t state = 1;
    for (size_t i = 0; i < count; i++) {
        a[i] = (float)(job_random(&state) % 8);
        b[i] = (float)(job_random(&state) % 8);
    }
    for (size_t y = 0; y < n; y++)
        for (size_t k = 0; k < n; k++)
            for (size_t x = 0; x < n; x++) want[y * n + x] += a[y * n + k] * b[k * n + x];
    cl_mem in_a = job_buffer(job, bytes, a), in_b = job_buffer(job, bytes, b);
    cl_mem out = job_buffer(job, bytes, NULL);
    job_launch(job, job_kernel(job, job_name(job)), GRID(n, n, 16, 16), MEM(out), MEM(in_a),
               MEM(in_b), INT(n));
    job_run(job, 2.0 * (double)n * (double)count);
    job_same(job, job_read(job, out, bytes), (const uint32_t *)want, count);
}

void rows_dgemm(struct bench_job *job) {
    job_require(job, "cl_khr_fp64");
    size_t n = job_size(job, 256, 32), count = n * n, bytes = count * sizeof(double);
    double *a = job_host(job, bytes), *b = job_host(job, bytes), *want = job_host(job, bytes);
    uint32_t state = 2;
    for (size_t i = 0; i < count; i++) {
        a[i] = (double)(job_random(&state) >> 12);
        b[i] = (double)(job_random(&state) >> 12);
    }
    for (size_t y = 0; y < n; y++)
        for (size_t k = 0; k < n; k++)
            for (size_t x = 0; x < n; x++) want[y * n + x] += a[y * n + k] * b[k * n + x];
    cl_mem in_a = job_buffer(job, bytes, a), in_b = job_buffer(job, bytes, b);
    cl_mem out = job_buffer(job, bytes, NULL);
    job_launch(job, job_kernel(job, "dgemm"), GRID(n, n, 16, 16), MEM(out), MEM(in_a), MEM(in_b),
               INT(n));
    job_run(job, 2.0 * (double)n * (double)count);
    job_same(job, job_read(job, out, bytes), (const uint32_t *)want, 2 * count);
}

/* Sums of whole numbers from -8 to 7 never leave what floats hold exactly. The groups' sums are
 * summed again until one is left; 64 MB go through 16 M / 512 groups first. */
void rows_reduce(struct bench_job *job) {
    enum { GROUP = 256 };
    size_t n = job_size(job, 16 << 20, 2 * GROUP * 2 * GROUP);
    if (!strcmp(job_name(job), "reduce_warp") && !job_session(job)->warps)
        job_skip(job, "not comparable: work-items do not run in warps of 32");
    float *in = job_host(job, n * sizeof(float));
    uint32_t state = 3;
    double want = 0;
    for (size_t i = 0; i < n; i++) want += in[i] = (float)(job_random(&state) >> 28) - 8;
    cl_mem from = job_buffer(job, n * sizeof(float), in);
    cl_kernel kernel = job_kernel(job, job_name(job));
    size_t items = n / 2, groups = items / GROUP;
    cl_mem to = job_buffer(job, groups * sizeof(float), NULL);
    job_launch(job, kernel, LINE(items, GROUP), MEM(to), MEM(from), LOCAL(GROUP * sizeof(float)));
    while (groups > 1) {
        size_t group = groups / 2 < GROUP ? groups / 2 : GROUP;
        if (group < 64) break; /* the warp version's least group; the host adds up the rest */
        from = to;
        items = groups / 2;
        groups = items / group;
        to = job_buffer(job, groups * sizeof(float), NULL);
        job_launch(job, kernel, LINE(items, group), MEM(to), MEM(from),
                   LOCAL(group * sizeof(float)));
    }
    job_run(job, (double)n * sizeof(float));
    float *sums = job_read(job, to, groups * sizeof(float));
    double got = 0;
    for (size_t i = 0; i < groups; i++) got += sums[i];
    if (got != want) job_fail(job, "the sum is %.9g instead of %.9g", got, want);
}

void rows_scan(struct bench_job *job) {
    enum { GROUP = 256, BLOCK = 2 * GROUP };
    size_t n = job_size(job, 4 << 20, 4 * BLOCK), blocks = n / BLOCK;
    uint32_t *in = job_host(job, n * 4), *want = job_host(job, n * 4), state = 4;
    for (size_t i = 0; i < n; i++) {
        in[i] = job_random(&state);
        want[i] = in[i] + (i ? want[i - 1] : 0);
    }
    /* The sums of blocks, padded to whole blocks, and the sums of their blocks. */
    size_t padded = (blocks + BLOCK - 1) / BLOCK * BLOCK, upper = padded / BLOCK;
    size_t top = (upper + BLOCK - 1) / BLOCK * BLOCK;
    uint32_t *zeros = job_host(job, (padded > top ? padded : top) * 4);
    cl_mem data = job_buffer(job, n * 4, NULL);
    cl_mem sums = job_buffer(job, padded * 4, zeros), sums2 = job_buffer(job, top * 4, zeros);
    cl_mem sums3 = job_buffer(job, top / BLOCK * 4, zeros);
    cl_kernel scan = job_kernel(job, "scan_blocks"), add = job_kernel(job, "scan_add");
    job_reset(job, data, n * 4, in);
    job_launch(job, scan, LINE(n / 2, GROUP), MEM(data), MEM(sums));
    job_launch(job, scan, LINE(padded / 2, GROUP), MEM(sums), MEM(sums2));
    job_launch(job, scan, LINE(top / 2, GROUP), MEM(sums2), MEM(sums3));
    job_launch(job, add, LINE(padded / 2, GROUP), MEM(sums), MEM(sums2));
    job_launch(job, add, LINE(n / 2, GROUP), MEM(data), MEM(sums));
    job_run(job, 8.0 * (double)n);
    job_same(job, job_read(job, data, n * 4), want, n);
}

void rows_histogram(struct bench_job *job) {
    enum { BINS = 256 };
    size_t n = job_size(job, 1 << 20, 4096), items = job_size(job, 1 << 15, 1024);
    uint32_t *in = job_host(job, n * 4), *zeros = job_host(job, BINS * 4);
    uint32_t *want = job_host(job, BINS * 4), state = 5;
    for (size_t i = 0; i < n; i++) {
        in[i] = job_random(&state) & job_random(&state); /* some bytes are more usual */
        for (int b = 0; b < 32; b += 8) want[in[i] >> b & 255]++;
    }
    cl_mem bins = job_buffer(job, BINS * 4, NULL), data = job_buffer(job, n * 4, in);
    job_reset(job, bins, BINS * 4, zeros);
    job_launch(job, job_kernel(job, job_name(job)), LINE(items, 256), MEM(bins), MEM(data), INT(n));
    job_run(job, 4.0 * (double)n);
    job_same(job, job_read(job, bins, BINS * 4), want, BINS);
}

static int by_value(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void rows_bitonic_sort(struct bench_job *job) {
    enum { GROUP = 256, BLOCK = 2 * GROUP };
    size_t n = job_size(job, 1 << 18, 4 * BLOCK);
    uint32_t *keys = job_host(job, n * 4), *want = job_host(job, n * 4), state = 6;
    for (size_t i = 0; i < n; i++) want[i] = keys[i] = job_random(&state);
    qsort(want, n, 4, by_value);
    cl_mem data = job_buffer(job, n * 4, NULL);
    cl_kernel sort = job_kernel(job, "bitonic_sort"), merge = job_kernel(job, "bitonic_merge");
    job_reset(job, data, n * 4, keys);
    job_launch(job, sort, LINE(n / 2, GROUP), MEM(data), INT(0));
    for (size_t size = 2 * BLOCK; size <= n; size *= 2) {
        for (size_t stride = size / 2; stride >= BLOCK; stride /= 2)
            job_launch(job, merge, LINE(n / 2, GROUP), MEM(data), INT(size), INT(stride));
        job_launch(job, sort, LINE(n / 2, GROUP), MEM(data), INT(size));
    }
    job_run(job, (double)n);
    job_same(job, job_read(job, data, n * 4), want, n);
}

/* The reference in double, the plain recursion. */
static void transform(double *re, double *im, size_t n, size_t stride, double *out_re,
                      double *out_im) {
    if (n == 1) {
        *out_re = *re;
        *out_im = *im;
        return;
    }
    size_t h = n / 2;
    transform(re, im, h, 2 * stride, out_re, out_im);
    transform(re + stride, im + stride, h, 2 * stride, out_re + h, out_im + h);
    for (size_t k = 0; k < h; k++) {
        double c = cos(-2 * M_PI * (double)k / (double)n),
               s = sin(-2 * M_PI * (double)k / (double)n);
        double x = c * out_re[h + k] - s * out_im[h + k], y = c * out_im[h + k] + s * out_re[h + k];
        out_re[h + k] = out_re[k] - x;
        out_im[h + k] = out_im[k] - y;
        out_re[k] += x;
        out_im[k] += y;
    }
}

/* Within 2e-4 of the greatest possible value a component of 512 in [-1, 1) can reach: twiddles come
 * from native_sin and native_cos. */
void rows_fft(struct bench_job *job) {
    enum { N = 512, GROUP = 64 };
    size_t batch = job_size(job, 2048, 4), count = batch * N, bytes = count * 2 * sizeof(float);
    float *in = job_host(job, bytes);
    double *want = job_host(job, count * 2 * sizeof(double));
    uint32_t state = 7;
    for (size_t i = 0; i < 2 * count; i++) in[i] = 2 * job_unit(&state) - 1;
    for (size_t b = 0; b < batch; b++) {
        static double re[N], im[N], out_re[N], out_im[N];
        for (size_t i = 0; i < N; i++) {
            re[i] = in[2 * (b * N + i)];
            im[i] = in[2 * (b * N + i) + 1];
        }
        transform(re, im, N, 1, out_re, out_im);
        for (size_t i = 0; i < N; i++) {
            want[2 * (b * N + i)] = out_re[i];
            want[2 * (b * N + i) + 1] = out_im[i];
        }
    }
    cl_mem out = job_buffer(job, bytes, NULL), source = job_buffer(job, bytes, in);
    job_launch(job, job_kernel(job, "fft"), LINE(batch * GROUP, GROUP), MEM(out), MEM(source));
    job_run(job, 5.0 * (double)count * 9);
    job_near(job, job_read(job, out, bytes), want, 2 * count, 0, 2e-4 * N);
}

/* Rows of 1 to 95 entries, so that neighbours differ; products are whole and the sums exact. */
void rows_spmv(struct bench_job *job) {
    size_t n = job_size(job, 1 << 15, 512), most = 96;
    bool wide = !strcmp(job_name(job), "spmv_vector");
    int *row = job_host(job, (n + 1) * 4), *column = job_host(job, n * most * 4);
    float *value = job_host(job, n * most * 4), *x = job_host(job, n * 4);
    float *want = job_host(job, n * 4);
    uint32_t state = 8;
    size_t entries = 0;
    for (size_t i = 0; i < n; i++) x[i] = (float)(job_random(&state) % 100);
    for (size_t i = 0; i < n; i++) {
        row[i] = (int)entries;
        for (uint32_t e = 1 + job_random(&state) % (most - 1); e > 0; e--, entries++) {
            column[entries] = (int)(job_random(&state) % n);
            value[entries] = (float)(job_random(&state) % 100) - 50;
            want[i] += value[entries] * x[column[entries]];
        }
    }
    row[n] = (int)entries;
    cl_mem out = job_buffer(job, n * 4, NULL), rows = job_buffer(job, (n + 1) * 4, row);
    cl_mem columns = job_buffer(job, entries * 4, column);
    cl_mem values = job_buffer(job, entries * 4, value), vector = job_buffer(job, n * 4, x);
    job_launch(job, job_kernel(job, job_name(job)), LINE(wide ? n * 32 : n, 128), MEM(out),
               MEM(rows), MEM(columns), MEM(values), MEM(vector));
    job_run(job, 2.0 * (double)entries);
    job_same(job, job_read(job, out, n * 4), (const uint32_t *)want, n);
}
