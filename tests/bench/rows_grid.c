/* Stencils, lattices and images. Values are multiples of small powers of two where that makes the
 * sums exact. */
#include "rows.h"
#include <string.h>

static float *grid(struct bench_job *job, size_t count, uint32_t seed) {
    float *values = job_host(job, count * sizeof(float));
    for (size_t i = 0; i < count; i++) values[i] = (float)(job_random(&seed) % 1024);
    return values;
}

void rows_stencil_2d(struct bench_job *job) {
    size_t w = job_size(job, 2048, 64), h = job_size(job, 1024, 32), bytes = w * h * sizeof(float);
    float *in = grid(job, w * h, 1), *want = job_host(job, bytes);
    for (size_t y = 0; y < h; y++)
        for (size_t x = 0; x < w; x++) {
            size_t i = y * w + x;
            bool inner = x > 0 && y > 0 && x < w - 1 && y < h - 1;
            want[i] = inner ? 0.25f * (in[i - 1] + in[i + 1] + in[i - w] + in[i + w]) + 0.5f * in[i]
                            : in[i];
        }
    cl_mem out = job_buffer(job, bytes, NULL), source = job_buffer(job, bytes, in);
    job_launch(job, job_kernel(job, "stencil_2d"), GRID(w, h, 32, 8), MEM(out), MEM(source), INT(w),
               INT(h));
    job_run(job, 2.0 * (double)bytes);
    job_same(job, job_read(job, out, bytes), (const uint32_t *)want, w * h);
}

void rows_stencil_3d(struct bench_job *job) {
    size_t w = job_size(job, 128, 32), h = w, d = w, plane = w * h, count = plane * d;
    size_t bytes = count * sizeof(float);
    float *in = grid(job, count, 2), *want = job_host(job, bytes);
    for (size_t z = 1; z < d - 1; z++)
        for (size_t y = 1; y < h - 1; y++)
            for (size_t x = 1; x < w - 1; x++) {
                size_t i = z * plane + y * w + x;
                want[i] = 0.5f * in[i] + 0.125f * (in[i - plane] + in[i + plane] + in[i - 1] +
                                                   in[i + 1] + in[i - w] + in[i + w]);
            }
    cl_mem source = job_buffer(job, bytes, in);
    memset(in, 0, bytes);
    cl_mem out = job_buffer(job, bytes, in);
    job_launch(job, job_kernel(job, "stencil_3d"), GRID(w, h, 32, 4), MEM(out), MEM(source), INT(w),
               INT(h), INT(d));
    job_run(job, 2.0 * (double)bytes);
    job_same(job, job_read(job, out, bytes), (const uint32_t *)want, count);
}

/* One step, in double on the host: within 1e-5 of it (densities are about 1). */
void rows_lbm(struct bench_job *job) {
    enum { DIRECTIONS = 9 };
    static const int ex[] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, ey[] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    size_t w = job_size(job, 1024, 64), h = job_size(job, 512, 32), n = w * h;
    size_t bytes = DIRECTIONS * n * sizeof(float);
    float *in = job_host(job, bytes), omega = 1.25f;
    double *want = job_host(job, DIRECTIONS * n * sizeof(double));
    uint32_t state = 3;
    double weight[DIRECTIONS];
    for (int k = 0; k < DIRECTIONS; k++) weight[k] = k == 0 ? 4.0 / 9 : k < 5 ? 1.0 / 9 : 1.0 / 36;
    for (size_t i = 0; i < DIRECTIONS * n; i++)
        in[i] = (float)weight[i / n] * (0.9f + 0.2f * job_unit(&state));
    for (size_t y = 0; y < h; y++)
        for (size_t x = 0; x < w; x++) {
            double f[DIRECTIONS], rho = 0, vx = 0, vy = 0;
            for (int k = 0; k < DIRECTIONS; k++) {
                size_t sx = (x + w - (size_t)ex[k]) % w, sy = (y + h - (size_t)ey[k]) % h;
                f[k] = in[(size_t)k * n + sy * w + sx];
                rho += f[k];
                vx += ex[k] * f[k];
                vy += ey[k] * f[k];
            }
            vx /= rho;
            vy /= rho;
            for (int k = 0; k < DIRECTIONS; k++) {
                double v = ex[k] * vx + ey[k] * vy;
                double level =
                    weight[k] * rho * (1 + 3 * v + 4.5 * v * v - 1.5 * (vx * vx + vy * vy));
                want[(size_t)k * n + y * w + x] = f[k] + omega * (level - f[k]);
            }
        }
    cl_mem out = job_buffer(job, bytes, NULL), source = job_buffer(job, bytes, in);
    job_launch(job, job_kernel(job, "lbm"), GRID(w, h, 32, 4), MEM(out), MEM(source), INT(w),
               INT(h), FLOAT(omega));
    job_run(job, (double)n);
    job_near(job, job_read(job, out, bytes), want, DIRECTIONS * n, 0, 1e-5);
}

void rows_convolution(struct bench_job *job) {
    static const int weights[5][5] = {{1, 4, 7, 4, 1},
                                      {4, 16, 26, 16, 4},
                                      {7, 26, 41, 26, 7},
                                      {4, 16, 26, 16, 4},
                                      {1, 4, 7, 4, 1}};
    int w = (int)job_size(job, 1024, 64), h = (int)job_size(job, 512, 32);
    size_t count = (size_t)w * (size_t)h, bytes = count * sizeof(float);
    float *in = grid(job, count, 4), *want = job_host(job, bytes);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            for (int dy = -2; dy <= 2; dy++)
                for (int dx = -2; dx <= 2; dx++) {
                    int sx = x + dx < 0 ? 0 : x + dx >= w ? w - 1 : x + dx;
                    int sy = y + dy < 0 ? 0 : y + dy >= h ? h - 1 : y + dy;
                    want[y * w + x] += (float)weights[dy + 2][dx + 2] * in[sy * w + sx];
                }
    cl_mem out = job_buffer(job, bytes, NULL), source = job_buffer(job, bytes, in);
    job_launch(job, job_kernel(job, "convolution"), GRID((size_t)w, (size_t)h, 32, 8), MEM(out),
               MEM(source), INT(w), INT(h));
    job_run(job, 50.0 * (double)count);
    job_same(job, job_read(job, out, bytes), (const uint32_t *)want, count);
}

static uint8_t *picture(struct bench_job *job, size_t bytes, uint32_t seed) {
    uint8_t *pixels = job_host(job, bytes);
    for (size_t i = 0; i < bytes; i++) pixels[i] = (uint8_t)job_random(&seed);
    return pixels;
}

/* Each component within 2 of 255 of the exact tent: filter weights have 8 bits on the device
 * (OpenCL for CUDA 2.3, appendix C), and the result is rounded once more when it is written. */
void rows_image_blur(struct bench_job *job) {
    static const int tent[3] = {1, 2, 1};
    int w = (int)job_size(job, 512, 32), h = (int)job_size(job, 512, 32);
    size_t bytes = (size_t)w * (size_t)h * 4;
    uint8_t *in = picture(job, bytes, 5);
    cl_mem source = job_image(job, CL_MEM_READ_ONLY, CL_UNORM_INT8, (size_t)w, (size_t)h, in);
    cl_mem out = job_image(job, CL_MEM_WRITE_ONLY, CL_UNORM_INT8, (size_t)w, (size_t)h, NULL);
    cl_sampler sampler = job_sampler(job, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR);
    job_launch(job, job_kernel(job, "image_blur"), GRID((size_t)w, (size_t)h, 16, 16), MEM(out),
               MEM(source), SAMPLER(sampler));
    job_run(job, (double)w * h);
    uint8_t *got = job_read_image(job, out, (size_t)w, (size_t)h, 4);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            for (int c = 0; c < 4; c++) {
                double want = 0;
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++) {
                        int sx = x + dx < 0 ? 0 : x + dx >= w ? w - 1 : x + dx;
                        int sy = y + dy < 0 ? 0 : y + dy >= h ? h - 1 : y + dy;
                        want += tent[dx + 1] * tent[dy + 1] * in[(sy * w + sx) * 4 + c] / 16.0;
                    }
                double off = got[(y * w + x) * 4 + c] - want;
                if (!(off <= 2 && off >= -2))
                    job_fail(job, "pixel (%d, %d) component %d is %d instead of %.2f", x, y, c,
                             got[(y * w + x) * 4 + c], want);
            }
}

void rows_image_mirror(struct bench_job *job) {
    size_t w = job_size(job, 1024, 32), h = job_size(job, 512, 32), bytes = w * h * 4;
    uint8_t *in = picture(job, bytes, 6), *want = job_host(job, bytes);
    for (size_t y = 0; y < h; y++)
        for (size_t x = 0; x < w; x++)
            memcpy(want + (y * w + x) * 4, in + (y * w + w - 1 - x) * 4, 4);
    cl_mem source = job_image(job, CL_MEM_READ_ONLY, CL_UNSIGNED_INT8, w, h, in);
    cl_mem out = job_image(job, CL_MEM_WRITE_ONLY, CL_UNSIGNED_INT8, w, h, NULL);
    cl_sampler sampler = job_sampler(job, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST);
    job_launch(job, job_kernel(job, "image_mirror"), GRID(w, h, 16, 16), MEM(out), MEM(source),
               SAMPLER(sampler));
    job_run(job, (double)(w * h));
    job_same(job, job_read_image(job, out, w, h, 4), (const uint32_t *)(const void *)want, w * h);
}
