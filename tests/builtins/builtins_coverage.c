/* Every built-in function with every combination of types that the compiler's table allows: a
 * kernel is generated for each, run by the driver and compared with the host's own computation.
 *
 *   coverage [NAME]          only the functions of that name
 *   coverage --sample N      only every Nth: engines that compile each kernel take their time
 *
 * The last line says how many of the table's functions were covered. What a family of signatures
 * needs for a kernel and how its results are checked is one struct coverage_family. */
#include "coverage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCH = 96, /* kernels of one program */
    IMAGE_ARG = BUFFERS + 1,
    MAX_FAILURES = 40
};

static cl_device_id device;
static char extensions[2048];
static cl_mem buffers[BUFFERS];
static unsigned failures;

/* ---- inputs ---- */

static uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

/* Functions whose errors grow with their arguments, or that are defined for some only. */
static bool is_tame(const struct coverage_test *t) {
    static const char *const names[] = {"mix", "step",   "smoothstep", "degrees", "radians",
                                        "dot", "length", "normalize",  "cross",   "distance",
                                        "mad", "max",    "min",        "clamp",   "sign"};
    const char *n = t->c.name;
    if (!strncmp(n, "half_", 5) || !strncmp(n, "native_", 7) || !strncmp(n, "fast_", 5))
        return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(n, names[i])) return true;
    return false;
}

static uint64_t input(const struct coverage_test *t, unsigned arg, enum ast_type_kind kind,
                      size_t index) {
    static const double reals[] = {
        0,    1,      -1,     0.5,   -0.5,    1.5,   -2.5,         2,         3,
        -3,   100.25, 65504,  65520, 1e10,    -1e10, 2147483648.0, 1e-5,      -1e-7,
        1e30, 127.5,  -128.5, 255.5, 32767.5, -0.0,  INFINITY,     -INFINITY, NAN};
    static const uint64_t integers[] = {
        0,    1,      ~0ull,  2,          7,          31,         33,         0x80,
        0x7f, 0x8000, 0x7fff, 0x80000000, 0x7fffffff, 1ull << 63, ~0ull >> 1, 255};
    uint64_t random = mix(index * 8 + arg + 77);
    if (reference_is_real(kind)) {
        if (kind == AST_HALF) {
            uint64_t h = random & 0xffff;
            return (h & 0x7c00) == 0x7c00 && h & 0x3ff ? 0x7c00 : h;
        }
        if (is_tame(t)) return coverage_real_bits(kind, ((double)(random % 127) - 63) / 8 + 0.0625);
        if (index % 3 == arg % 3)
            return coverage_real_bits(
                kind, reals[(index / 3 + 5 * arg) % (sizeof reals / sizeof *reals)]);
        double x = (double)(int64_t)random / 0x1p63;
        return coverage_real_bits(kind, ldexp(x, index % 2 ? 3 : (int)(random % 61) - 30));
    }
    if (strstr(t->c.name, "24") && arg < 2)
        return kind == AST_UINT ? random & 0xffffff : (uint64_t)((int64_t)(random << 40) >> 40);
    if (!strcmp(t->c.name, "ldexp") || !strcmp(t->c.name, "pown") || !strcmp(t->c.name, "rootn"))
        return index % 5 ? (uint64_t)((int64_t)(random % 31) - 15) : integers[index % 16];
    if (index % 2) return integers[(index / 2 + 3 * arg) % (sizeof integers / sizeof *integers)];
    return random >> random % 24;
}

static void fill(const struct coverage_test *t) {
    for (unsigned b = 0; b < RESULT; b++) {
        struct coverage_type type = b < t->c.nargs && t->args[b].kind != AST_VOID
                                        ? t->args[b]
                                        : (struct coverage_type){.kind = AST_UINT, .count = 1};
        size_t n = BYTES / reference_size(type.kind);
        if (n > 2 * ITEMS * 16) n = 2 * ITEMS * 16;
        for (size_t i = 0; i < n; i++) coverage_store(b, &type, i, input(t, b, type.kind, i));
    }
    memset(coverage_memory[RESULT], 0x5a, sizeof coverage_memory[RESULT]);
    memset(coverage_memory[SECOND], 0x5a, sizeof coverage_memory[SECOND]);
}

/* ---- running ---- */

static void source_of(const struct coverage_test *t, unsigned index, char *text, size_t size) {
    coverage_add(
        text, size,
        "kernel void k%u(global uchar *b0, global uchar *b1, global uchar *b2, global uchar *b3, "
        "global uchar *b4, global uchar *b5, global uchar *b6, constant uchar *b7",
        index);
    if (t->family->is_image) coverage_add(text, size, ", %s image", t->c.args[0]);
    coverage_add(text, size, ") {\nuint i = get_local_id(0);\n");
    t->family->body(t, text, size);
    coverage_add(text, size, "}\n");
}

static cl_program build(const char *source) {
    cl_int code;
    cl_program p = clCreateProgramWithSource(coverage_context, 1, &source, NULL, &code);
    if (code) coverage_fatal("clCreateProgramWithSource", code);
    code = clBuildProgram(p, 1, &device, "-cl-std=CL1.2", NULL, NULL);
    if (!code) return p;
    static char log[20000];
    clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    printf("build failed (%d): %.3000s\n", code, log);
    clReleaseProgram(p);
    return NULL;
}

static bool launch(const struct coverage_test *t, cl_program program, unsigned index) {
    char name[16];
    snprintf(name, sizeof name, "k%u", index);
    cl_int code;
    cl_kernel kernel = clCreateKernel(program, name, &code);
    if (code) coverage_fatal("clCreateKernel", code);
    fill(t);
    cl_mem image = t->family->is_image ? covered_images_new(t) : NULL;
    for (unsigned b = 0; b < BUFFERS && !code; b++) {
        code = clEnqueueWriteBuffer(coverage_queue, buffers[b], CL_FALSE, 0, BYTES,
                                    coverage_memory[b], 0, NULL, NULL);
        if (!code) code = clSetKernelArg(kernel, b, sizeof(cl_mem), &buffers[b]);
    }
    if (!code) code = clSetKernelArg(kernel, BUFFERS, sizeof(cl_mem), &buffers[1]);
    if (!code && image) code = clSetKernelArg(kernel, IMAGE_ARG, sizeof(cl_mem), &image);
    size_t items = ITEMS;
    if (!code)
        code =
            clEnqueueNDRangeKernel(coverage_queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL);
    for (unsigned b = RESULT; b <= SECOND && !code; b++)
        code = clEnqueueReadBuffer(coverage_queue, buffers[b], CL_TRUE, 0, BYTES,
                                   coverage_memory[b], 0, NULL, NULL);
    bool good = !code && t->family->check(t);
    if (code) printf("FAILED %s: the launch gives %d\n", t->c.name, code);
    if (image) covered_images_release();
    clReleaseKernel(kernel);
    return good;
}

/* Returns how many of the tests passed. */
static unsigned run(const struct coverage_test *tests, unsigned n) {
    static char source[BATCH * 2048];
    source[0] = 0;
    for (unsigned i = 0; i < n; i++) source_of(&tests[i], i, source, sizeof source);
    cl_program program = build(source);
    if (!program && n > 1) { /* which? */
        unsigned half = n / 2;
        return run(tests, half) + run(tests + half, n - half);
    }
    unsigned passed = 0;
    for (unsigned i = 0; program && i < n; i++) passed += launch(&tests[i], program, i);
    if (!program) {
        char signature[200];
        builtin_signature(&tests[0].c, signature, sizeof signature);
        printf("FAILED %s: is refused\n%s", signature, source);
    }
    failures += n - passed;
    if (program) clReleaseProgram(program);
    return passed;
}

/* A function of an extension that the device does not have must be refused. */
static bool refused(const struct coverage_test *t) {
    static char source[4096];
    source[0] = 0;
    source_of(t, 0, source, sizeof source);
    const char *text = source;
    cl_int code;
    cl_program p = clCreateProgramWithSource(coverage_context, 1, &text, NULL, &code);
    if (!code) code = clBuildProgram(p, 1, &device, "-cl-std=CL1.2", NULL, NULL);
    clReleaseProgram(p);
    if (code != CL_BUILD_PROGRAM_FAILURE) printf("FAILED %s: is accepted\n", t->c.name);
    return code == CL_BUILD_PROGRAM_FAILURE;
}

static void open_device(void) {
    cl_platform_id platforms[8];
    cl_uint n = 0;
    cl_int code = clGetPlatformIDs(8, platforms, &n);
    if (code || !n) coverage_fatal("clGetPlatformIDs", code);
    code = clGetDeviceIDs(platforms[0], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    if (code) coverage_fatal("clGetDeviceIDs", code);
    clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL);
    coverage_context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    if (code) coverage_fatal("clCreateContext", code);
    coverage_queue = clCreateCommandQueue(coverage_context, device, 0, &code);
    if (code) coverage_fatal("clCreateCommandQueue", code);
    for (unsigned b = 0; b < BUFFERS; b++) {
        buffers[b] = clCreateBuffer(coverage_context, CL_MEM_READ_WRITE, BYTES, NULL, &code);
        if (code) coverage_fatal("clCreateBuffer", code);
    }
}

/* The first that suits; NULL: none. */
static const struct coverage_family *family_of(const struct coverage_test *t) {
    const struct coverage_family *const families[] = {covered_images, covered_memory,
                                                      covered_values};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        for (const struct coverage_family *f = families[i]; f->suits; f++)
            if (f->suits(t)) return f;
    return NULL;
}

int main(int argc, char **argv) {
    static struct coverage_test tests[BATCH];
    struct builtin_case c = {0};
    unsigned pending = 0, covered = 0, total = 0, absent = 0, seen = 0;
    bool sampled = argc > 2 && !strcmp(argv[1], "--sample");
    unsigned every = sampled ? (unsigned)strtoul(argv[2], NULL, 0) : 1;
    open_device();
    while (builtin_next(&c)) {
        if (argc > 1 && !sampled && strcmp(argv[1], c.name)) continue;
        if (every > 1 && seen++ % every) continue;
        total++;
        struct coverage_test *t = &tests[pending];
        *t = (struct coverage_test){.c = c, .result = coverage_parse(c.result)};
        for (unsigned i = 0; i < c.nargs; i++) t->args[i] = coverage_parse(c.args[i]);
        t->family = family_of(t);
        const char *extension = builtin_table[c.row].extension;
        if (!t->family) {
            printf("FAILED %s: the test has no way to call it\n", c.name);
            failures++;
        } else if ((c.needs_double && !strstr(extensions, "cl_khr_fp64")) ||
                   !strstr(extensions, extension)) {
            bool good = refused(t);
            covered += good;
            failures += !good;
            absent++;
        } else if (++pending == BATCH) {
            covered += run(tests, pending);
            pending = 0;
        }
        if (failures >= MAX_FAILURES) break;
    }
    if (pending) covered += run(tests, pending);
    for (unsigned b = 0; b < BUFFERS; b++) clReleaseMemObject(buffers[b]);
    clReleaseCommandQueue(coverage_queue);
    clReleaseContext(coverage_context);
    printf("%u of %u built-in functions covered (name x types), %.1f %%; %u of them are refused as "
           "the "
           "device lacks their extension\n",
           covered, total, total ? 100.0 * covered / total : 0, absent);
    return failures || !covered;
}
