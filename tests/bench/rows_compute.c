/* Rows whose time is arithmetic's or control flow's. */
#include "rows.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Counts differ where a kernel contracts a product and a sum and the host does not: at most 1 % of
 * the pixels may. Seven operations an iteration. */
void rows_mandelbrot(struct bench_job *job) {
    enum { MOST = 256 };
    size_t w = job_size(job, 512, 32), h = w;
    uint32_t *want = job_host(job, w * h * 4);
    float left = -2, top = -1.25f, step = 2.5f / (float)w;
    double iterations = 0;
    for (size_t y = 0; y < h; y++)
        for (size_t x = 0; x < w; x++) {
            float cx = left + (float)x * step, cy = top + (float)y * step, zx = 0, zy = 0;
            uint32_t n = 0;
            while (n < MOST && zx * zx + zy * zy < 4) {
                float next = zx * zx - zy * zy + cx;
                zy = 2 * zx * zy + cy;
                zx = next;
                n++;
            }
            want[y * w + x] = n;
            iterations += n;
        }
    cl_mem out = job_buffer(job, w * h * 4, NULL);
    job_launch(job, job_kernel(job, "mandelbrot"), GRID(w, h, 16, 16), MEM(out), INT(w),
               FLOAT(left), FLOAT(top), FLOAT(step), INT(MOST));
    job_run(job, 7 * iterations);
    job_mostly(job, job_read(job, out, w * h * 4), want, w * h, 0.01);
}

/* Twenty operations a pair. Within 1e-3 of the greatest component of the host's, in double: the
 * kernel takes native_rsqrt. */
void rows_nbody(struct bench_job *job) {
    size_t n = job_size(job, 4096, 256), bytes = n * 4 * sizeof(float);
    float *bodies = job_host(job, bytes);
    double *want = job_host(job, n * 4 * sizeof(double)), greatest = 0;
    uint32_t state = 1;
    for (size_t i = 0; i < 4 * n; i++) bodies[i] = job_unit(&state);
    /* The reference of every sixteenth body is enough for the time it takes. */
    size_t every = job_size(job, 16, 1);
    for (size_t i = 0; i < n; i += every) {
        for (size_t j = 0; j < n; j++) {
            double d[3], square = 1e-3f;
            for (int c = 0; c < 3; c++) {
                d[c] = (double)bodies[4 * j + (size_t)c] - bodies[4 * i + (size_t)c];
                square += d[c] * d[c];
            }
            double scale = bodies[4 * j + 3] / (square * sqrt(square));
            for (int c = 0; c < 3; c++) want[4 * i + (size_t)c] += d[c] * scale;
        }
        for (int c = 0; c < 3; c++) greatest = fmax(greatest, fabs(want[4 * i + (size_t)c]));
    }
    cl_mem out = job_buffer(job, bytes, NULL), in = job_buffer(job, bytes, bodies);
    job_launch(job, job_kernel(job, job_name(job)), LINE(n, 128), MEM(out), MEM(in), INT(n));
    job_run(job, 20.0 * (double)n * (double)n);
    float *got = job_read(job, out, bytes);
    for (size_t i = 0; i < n; i += every)
        job_near(job, got + 4 * i, want + 4 * i, 3, 0, 1e-3 * greatest);
}

static uint32_t rotate(uint32_t x, int right) { return x >> right | x << (32 - right); }

void rows_sha256_constants(uint32_t constants[64]) {
    for (int n = 0, p = 2; n < 64; p++) {
        int prime = 1;
        for (int d = 2; d * d <= p; d++) prime &= p % d != 0;
        if (prime) constants[n++] = (uint32_t)(fmod(cbrt(p), 1) * 0x1p32);
    }
}

void rows_sha256_digest(uint32_t digest[8]) {
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    static uint32_t constants[64];
    if (!constants[0]) rows_sha256_constants(constants);
    uint32_t w[64] = {0}, v[8];
    memcpy(w, digest, 32);
    w[8] = 0x80000000;
    w[15] = 256;
    for (int t = 16; t < 64; t++)
        w[t] = (rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ w[t - 2] >> 10) + w[t - 7] +
               (rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ w[t - 15] >> 3) + w[t - 16];
    memcpy(v, start, sizeof(v));
    for (int t = 0; t < 64; t++) {
        uint32_t e = v[4], a = v[0];
        uint32_t t1 = v[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
                      ((e & v[5]) ^ (~e & v[6])) + constants[t] + w[t];
        uint32_t t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
                      ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof(uint32_t));
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++) digest[i] = start[i] + v[i];
}

/* Exact; the host follows every 64th chain. */
void rows_sha256(struct bench_job *job) {
    size_t chains = job_size(job, 1 << 13, 128), rounds = job_size(job, 64, 2);
    uint32_t *start = job_host(job, chains * 32), state = 2;
    for (size_t i = 0; i < chains * 8; i++) start[i] = job_random(&state);
    cl_mem digests = job_buffer(job, chains * 32, NULL);
    job_reset(job, digests, chains * 32, start);
    job_launch(job, job_kernel(job, "sha256"), LINE(chains, 64), MEM(digests), INT(rounds));
    job_run(job, (double)chains * (double)rounds);
    uint32_t *got = job_read(job, digests, chains * 32);
    for (size_t i = 0; i < chains; i += 64) {
        uint32_t want[8];
        memcpy(want, start + 8 * i, 32);
        for (size_t r = 0; r < rounds; r++) rows_sha256_digest(want);
        job_same(job, got + 8 * i, want, 8);
    }
}

/* The same formula in double: within 1e-3 (prices are 5 to 30). */
void rows_black_scholes(struct bench_job *job) {
    size_t n = job_size(job, 1 << 20, 1024), bytes = n * sizeof(float);
    const float rate = 0.02f, volatility = 0.3f;
    float *input[3];
    double *want[2];
    cl_mem in[3], out[2];
    static const float from[3] = {5, 1, 0.25f}, to[3] = {30, 100, 10};
    uint32_t state = 3;
    for (int k = 0; k < 3; k++) {
        input[k] = job_host(job, bytes);
        for (size_t i = 0; i < n; i++) input[k][i] = from[k] + (to[k] - from[k]) * job_unit(&state);
        in[k] = job_buffer(job, bytes, input[k]);
    }
    for (int k = 0; k < 2; k++) {
        want[k] = job_host(job, n * sizeof(double));
        out[k] = job_buffer(job, bytes, NULL);
    }
    for (size_t i = 0; i < n; i++) {
        double s = input[0][i], x = input[1][i], t = input[2][i], root = volatility * sqrt(t);
        double d1 = (log(s / x) + (rate + 0.5 * volatility * volatility) * t) / root;
        double n1 = 0.5 * erfc(-d1 * M_SQRT1_2), n2 = 0.5 * erfc(-(d1 - root) * M_SQRT1_2);
        double later = x * exp(-rate * t);
        want[0][i] = s * n1 - later * n2;
        want[1][i] = later * (1 - n2) - s * (1 - n1);
    }
    job_launch(job, job_kernel(job, "black_scholes"), LINE(n, 128), MEM(out[0]), MEM(out[1]),
               MEM(in[0]), MEM(in[1]), MEM(in[2]), FLOAT(rate), FLOAT(volatility));
    job_run(job, (double)n);
    for (int k = 0; k < 2; k++) job_near(job, job_read(job, out[k], bytes), want[k], n, 0, 1e-3);
}

/* Exact: every product and sum of two 16-bit fractions' squares that decides is compared without
 * rounding by the host, and the kernel's rounding can only err at the circle's very edge. */
void rows_monte_carlo(struct bench_job *job) {
    size_t items = job_size(job, 1 << 14, 512), tries = job_size(job, 1024, 32);
    uint32_t *want = job_host(job, items * 4);
    for (uint32_t i = 0; i < items; i++) {
        uint32_t x = i * 747796405u + 2891336453u;
        x = x ? x : 1;
        for (size_t t = 0; t < tries; t++) {
            x ^= x << 13;
            x ^= x >> 17;
            x ^= x << 5;
            double a = (double)(x & 0xffff), b = (double)(x >> 16);
            want[i] += a * a + b * b < 0x1p32;
        }
    }
    cl_mem out = job_buffer(job, items * 4, NULL);
    job_launch(job, job_kernel(job, "monte_carlo"), LINE(items, 128), MEM(out), INT(tries));
    job_run(job, (double)items * (double)tries);
    job_mostly(job, job_read(job, out, items * 4), want, items, 0.001);
}

/* Coordinates are whole, so the distances are exact and so is the choice. */
void rows_kmeans(struct bench_job *job) {
    enum { CENTRES = 16, COORDINATES = 8 };
    size_t n = job_size(job, 1 << 18, 1024), bytes = COORDINATES * n * sizeof(float);
    float *points = job_host(job, bytes), centres[CENTRES * COORDINATES];
    uint32_t *want = job_host(job, n * 4), state = 4;
    for (size_t i = 0; i < COORDINATES * n; i++) points[i] = (float)(job_random(&state) % 256);
    for (int i = 0; i < CENTRES * COORDINATES; i++) centres[i] = (float)(job_random(&state) % 256);
    for (size_t i = 0; i < n; i++) {
        float best = FLT_MAX;
        for (uint32_t c = 0; c < CENTRES; c++) {
            float sum = 0;
            for (size_t j = 0; j < COORDINATES; j++) {
                float d = points[j * n + i] - centres[c * COORDINATES + j];
                sum += d * d;
            }
            if (sum < best) {
                best = sum;
                want[i] = c;
            }
        }
    }
    cl_mem out = job_buffer(job, n * 4, NULL), in = job_buffer(job, bytes, points);
    cl_mem places = job_buffer(job, sizeof(centres), centres);
    job_launch(job, job_kernel(job, "kmeans"), LINE(n, 256), MEM(out), MEM(in), MEM(places),
               INT(n));
    job_run(job, 3.0 * CENTRES * COORDINATES * (double)n);
    job_same(job, job_read(job, out, n * 4), want, n);
}

static double pow_1_3(double x) { return pow(x, 1.3f); }

/* The sum of 32 calls: of full functions within 3e-6, of native ones within 2e-4 of the sum of the
 * magnitudes. Arguments are those of everyday use. */
void rows_math(struct bench_job *job) {
    enum { CALLS = 32 };
    static const struct {
        const char *name;
        double (*reference)(double);
        float start, width; /* of the arguments */
    } functions[] = {{"sin", sin, -3, 6},          {"cos", cos, -3, 6},
                     {"exp", exp, -8, 16},         {"log", log, 0.01f, 100},
                     {"pow", pow_1_3, 0.01f, 100}, {"sqrt", sqrt, 0, 100}};
    size_t f = 0, n = job_size(job, 1 << 17, 512);
    while (strncmp(job_name(job), functions[f].name, strlen(functions[f].name))) f++;
    float start = functions[f].start, step = functions[f].width / 2 / (float)n;
    float stride = functions[f].width / 2 / CALLS;
    double tolerance = strstr(job_name(job), "native") ? 2e-4 : 3e-6;
    double *want = job_host(job, n * sizeof(double)), *size = job_host(job, n * sizeof(double));
    for (size_t i = 0; i < n; i++) {
        /* The kernel's arguments are rounded at each step, or once when contracted; its results
         * hardly change with that. */
        float x = start + (float)i * step;
        for (int c = 0; c < CALLS; c++, x += stride) {
            double y = functions[f].reference(x);
            want[i] += y;
            size[i] += fabs(y);
        }
    }
    cl_mem out = job_buffer(job, n * 4, NULL);
    job_launch(job, job_kernel(job, job_name(job)), LINE(n, 256), MEM(out), FLOAT(start),
               FLOAT(step), FLOAT(stride));
    job_run(job, (double)n * CALLS);
    float *got = job_read(job, out, n * 4);
    for (size_t i = 0; i < n; i++)
        if (!(fabs(got[i] - want[i]) <= tolerance * size[i]))
            job_fail(job, "[%zu] of %zu is %.9g instead of %.9g", i, n, got[i], want[i]);
}

void rows_constant_table(struct bench_job *job) {
    enum { WORDS = 16 };
    size_t n = job_size(job, 1 << 16, 512);
    uint32_t table[256], *in = job_host(job, n * WORDS * 4), *want = job_host(job, n * 4);
    uint32_t state = 5;
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int b = 0; b < 8; b++) table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
    }
    for (size_t i = 0; i < n * WORDS; i++) in[i] = job_random(&state);
    for (size_t i = 0; i < n; i++) {
        uint32_t crc = ~0u;
        for (size_t w = 0; w < WORDS; w++)
            for (int b = 0; b < 32; b += 8)
                crc = table[(crc ^ in[w * n + i] >> b) & 255] ^ crc >> 8;
        want[i] = ~crc;
    }
    cl_mem out = job_buffer(job, n * 4, NULL), data = job_buffer(job, n * WORDS * 4, in);
    cl_mem constant = job_buffer(job, sizeof(table), table);
    job_launch(job, job_kernel(job, "constant_table"), LINE(n, 128), MEM(out), MEM(data),
               MEM(constant), INT(n));
    job_run(job, (double)(n * WORDS * 4));
    job_same(job, job_read(job, out, n * 4), want, n);
}

static int by_value(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void rows_private_array(struct bench_job *job) {
    enum { KEYS = 32 };
    size_t n = job_size(job, 1 << 14, 256), bytes = KEYS * n * 4;
    uint32_t *keys = job_host(job, bytes), *want = job_host(job, bytes), state = 6;
    for (size_t i = 0; i < KEYS * n; i++) keys[i] = job_random(&state);
    for (size_t i = 0; i < n; i++) {
        uint32_t part[KEYS];
        for (size_t j = 0; j < KEYS; j++) part[j] = keys[j * n + i];
        qsort(part, KEYS, 4, by_value);
        for (size_t j = 0; j < KEYS; j++) want[j * n + i] = part[j];
    }
    cl_mem data = job_buffer(job, bytes, NULL);
    job_reset(job, data, bytes, keys);
    job_launch(job, job_kernel(job, "private_array"), LINE(n, 64), MEM(data), INT(n));
    job_run(job, (double)KEYS * (double)n);
    job_same(job, job_read(job, data, bytes), want, KEYS * n);
}

static uint32_t interpret(const uint8_t *code, int length, int steps, uint32_t x) {
    uint32_t stack[16], y;
    int pc = 0, top = 1;
    for (uint32_t j = 0; j < 16; j++) stack[j] = j;
    for (int s = 0; s < steps; s++) {
        uint8_t op = code[pc];
        pc = pc + 1 == length ? 0 : pc + 1;
        switch (op & 7) {
        case 0:
            stack[top] = x;
            top = (top + 1) & 15;
            break;
        case 1:
            top = (top - 1) & 15;
            x += stack[top];
            break;
        case 2: x = x * 1664525u + (op >> 3); break;
        case 3: x ^= stack[(top - 1 - (op >> 3)) & 15]; break;
        case 4: x = x << 7 | x >> 25; break;
        case 5:
            if (x & 1) pc = (pc + (op >> 3)) % length;
            break;
        case 6: x = stack[op & 15] - x; break;
        case 7:
            y = stack[(top - 1) & 15];
            stack[(top - 1) & 15] = x;
            x = y + 1;
        }
    }
    return x;
}

void rows_bytecode(struct bench_job *job) {
    enum { LENGTH = 64 };
    size_t n = job_size(job, 1 << 13, 256), steps = job_size(job, 512, 64);
    uint8_t *programs = job_host(job, n * LENGTH);
    uint32_t *want = job_host(job, n * 4), state = 7;
    for (size_t i = 0; i < n * LENGTH; i++) programs[i] = (uint8_t)job_random(&state);
    for (size_t i = 0; i < n; i++)
        want[i] = interpret(programs + i * LENGTH, LENGTH, (int)steps, (uint32_t)i + 1);
    cl_mem out = job_buffer(job, n * 4, NULL), code = job_buffer(job, n * LENGTH, programs);
    job_launch(job, job_kernel(job, "bytecode"), LINE(n, 64), MEM(out), MEM(code), INT(LENGTH),
               INT(steps));
    job_run(job, (double)n * (double)steps);
    job_same(job, job_read(job, out, n * 4), want, n);
}

void rows_collatz(struct bench_job *job) {
    size_t n = job_size(job, 1 << 16, 512);
    uint32_t *want = job_host(job, n * 4), first = 1000;
    double steps = 0;
    for (size_t i = 0; i < n; i++) {
        for (uint32_t x = first + (uint32_t)i; x != 1; want[i]++) x = x & 1 ? 3 * x + 1 : x >> 1;
        steps += want[i];
    }
    cl_mem out = job_buffer(job, n * 4, NULL);
    job_launch(job, job_kernel(job, "collatz"), LINE(n, 128), MEM(out), INT(first));
    job_run(job, steps);
    job_same(job, job_read(job, out, n * 4), want, n);
}

void rows_hash(struct bench_job *job) {
    size_t n = job_size(job, 1 << 17, 512);
    uint32_t *want = job_host(job, n * 4), rounds = (uint32_t)job_size(job, 64, 4);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t x = i;
        for (uint32_t r = 0; r < rounds; r++) {
            x ^= x >> 16;
            x *= 0x85ebca6bu;
            x ^= x >> 13;
            x *= 0xc2b2ae35u;
            x ^= x >> 16;
            x += r;
        }
        want[i] = x;
    }
    cl_mem out = job_buffer(job, n * 4, NULL);
    job_launch(job, job_kernel(job, "hash"), LINE(n, 128), MEM(out), INT(rounds));
    job_run(job, (double)n * rounds);
    job_same(job, job_read(job, out, n * 4), want, n);
}

void rows_string_search(struct bench_job *job) {
    static const char pattern[] = "abac";
    enum { PART = 128, LENGTH = sizeof(pattern) - 1 };
    size_t n = job_size(job, 1 << 14, 256), bytes = n * PART + LENGTH;
    uint8_t *text = job_host(job, bytes);
    uint32_t *want = job_host(job, n * 4), state = 8;
    for (size_t i = 0; i < n * PART; i++) text[i] = (uint8_t)("abcd"[job_random(&state) >> 30]);
    for (size_t i = 0; i < n * PART; i++) want[i / PART] += !memcmp(text + i, pattern, LENGTH);
    cl_mem out = job_buffer(job, n * 4, NULL), in = job_buffer(job, bytes, text);
    cl_mem needle = job_buffer(job, LENGTH, pattern);
    job_launch(job, job_kernel(job, "string_search"), LINE(n, 64), MEM(out), MEM(in), MEM(needle),
               INT(PART), INT(LENGTH));
    job_run(job, (double)(n * PART));
    job_same(job, job_read(job, out, n * 4), want, n);
}
