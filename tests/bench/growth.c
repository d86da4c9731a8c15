/* How build time grows with the source: programs of N statements of one kind are built and launched
 * once, for N of 2,000, 4,000, 8,000 and 16,000, and the times are printed with the factors between
 * them. Twice the size should take twice the time. simtcl's disk cache is off and the interpreter
 * runs the kernels, so that times are those of the compiler, and of the device's preparation. They
 * are of the process on all CPUs, which says more on a busy machine.
 *
 *   growth [--only KIND,...] [--most N] [--list|--print]
 *
 * --list names the kinds; --print shows the sources, of N statements.
 *
 * Exit status: 0, 1 when a program was refused, 2 when used wrongly. Times decide nothing. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LEAST = 2000, MOST = 16000, SIZES = 4, ENOUGH = 30 };

static char *text;
static size_t length, room;

static void add(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void add(const char *format, ...) {
    va_list list;
    if (room - length < 4096) {
        room = room * 2 + (1 << 16);
        text = realloc(text, room);
        if (!text) exit(2);
    }
    va_start(list, format);
    length += (size_t)vsnprintf(text + length, room - length, format, list);
    va_end(list);
}

#define BEGIN                                                                                      \
    "kernel void k(global int *o, global float *q, local int *l) {\nint x = o[0], y = o[1];\n"     \
    "float a = q[0], b = q[1]; float4 v = a;\n"
#define END "o[0] = x + y; q[0] = a + b + v.x + v.y + v.z + v.w;\n}\n"

/* ---- kinds: `before` once, `head` N times, the kernel's beginning, `each` N times, its end. In
 * head and each %1$u is the number of the statement. ---- */
static const struct kind {
    const char *name, *before, *head, *each;
} kinds[] = {
    {"barrier", "", "", "barrier(CLK_LOCAL_MEM_FENCE);\n"},
    {"barrier_use", "", "",
     "l[get_local_id(0)] = x; barrier(CLK_LOCAL_MEM_FENCE); x += l[%1$u & 7];\n"},
    {"atomic", "", "", "atomic_add(o + %1$u %% 16, x);\n"},
    {"atomic_value", "", "", "x += atomic_xchg(o + %1$u %% 16, x);\n"},
    {"sin_pow", "", "", "a = sin(a) + pow(b, a);\n"},
    {"builtin", "", "", "x = max(x, y + %1$u);\n"},
    {"builtin_wide", "", "", "v = mad(v, v, (float4)(%1$u));\n"},
    {"work_item", "", "", "x += get_global_id(0);\n"},
    {"load_store", "", "", "o[%1$u] = o[%1$u + 1] + 1;\n"},
    {"local_store", "", "", "l[%1$u] = l[%1$u + 1] + x;\n"},
    {"redeclaration", "", "int f%1$u(int); int f(int x);\n", "x += y;\n"},
    {"redeclare_one", "int f(int x) { return x + 1; }\n", "int f(int x);\n", "x = f(x);\n"},
    {"assignment", "", "", "x = y + %1$u; y = x;\n"},
    {"chain", "", "", "x = x * 3 + y; y = y ^ x;\n"},
    {"float_chain", "", "", "a = a * b + %1$u.0f; b = a - b;\n"},
    {"if", "", "", "if (x > %1$u) y += x;\n"},
    {"if_store", "", "", "if (o[%1$u]) o[%1$u] = x; else y++;\n"},
    {"if_else", "", "", "if (x & %1$u) { y += x; } else { x -= y; }\n"},
    {"logic", "", "", "x += x > %1$u && y < %1$u || x == y;\n"},
    {"select", "", "", "x = x > %1$u ? y : x + 1;\n"},
    {"loop", "", "", "for (int i = 0; i < y; i++) x += o[i];\n"},
    {"loop_short", "", "", "for (int i = 0; i < 3; i++) x += o[i + %1$u];\n"},
    {"while", "", "", "while (x > %1$u) x -= y;\n"},
    {"variable", "", "", "int v%1$u = x + %1$u; x ^= v%1$u;\n"},
    {"block", "", "", "{ int t = o[%1$u]; x += t; }\n"},
    {"local_array", "", "", "{ int t[2]; t[0] = x; t[1] = y; x = t[y & 1]; }\n"},
    {"vector", "", "", "v += (float4)(a, b, %1$u, 1);\n"},
    {"swizzle", "", "", "v.xy = v.wz + v.yx;\n"},
    {"convert", "", "", "x += convert_int_sat(a * %1$u);\n"},
    {"reinterpret", "", "", "x ^= as_int(a + x);\n"},
    {"divide", "", "", "x = y / (x | 1) + x %% 7;\n"},
    {"macro", "#define ADD(a, b) ((a) + (b))\n", "", "x = ADD(x, ADD(y, %1$u));\n"},
    {"macro_new", "", "#define M%1$u(a) ((a) + %1$u)\n", "x = M%1$u(x);\n"},
    {"string", "", "", "if (y == %1$u) printf(\"%1$u %%d\\n\", x);\n"},
    {"string_same", "", "", "if (x == -77) printf(\"some %%d\\n\", x);\n"},
    {"struct", "struct s { int a; float b; int c[4]; };\n", "",
     "{ struct s s = {x, a}; s.c[1] = y; x = s.a + s.c[1]; }\n"},
    {"struct_pointer", "struct s { int a; float b; };\n", "",
     "((global struct s *)o)[%1$u].a = x;\n"},
    {"function", "", "int g%1$u(int x) { return x * %1$u + 1; }\n", "x = g%1$u(x);\n"},
    {"function_same", "int g(int x) { for (int i = 0; i < 3; i++) x ^= x << 3; return x; }\n", "",
     "x = g(x);\n"},
    {"unused_function", "", "int g%1$u(int x) { return x * %1$u + 1; }\n", ""},
    {"constant", "", "constant int c%1$u = %1$u;\n", "x += c%1$u;\n"},
    {"type", "", "struct t%1$u { int a; }; typedef struct t%1$u T%1$u;\n",
     "{ T%1$u t = {x}; x = t.a + 1; }\n"},
    {"enum", "", "enum { E%1$u = %1$u };\n", "x += E%1$u;\n"},
    {"case", "", "", NULL},
    {"kernel", "", "kernel void k%1$u(global int *o) { o[0] = %1$u; }\n", ""},
    {"comment", "", "", "/* %1$u */ // more\n"},
    {"goto_less", "", "", "do { if (x) break; x = y; } while (0);\n"},
    {"return", "", "", "if (x == %1$u) return;\n"},
    {"image_less", "", "", "x = vload4(%1$u, o).y;\n"},
    {"vstore", "", "", "vstore4((int4)(x), %1$u, o);\n"},
    {"double", "", "", "a = (float)((double)a * 1.5 + %1$u);\n"},
    {"long", "", "", "x = (int)((long)x * y >> 3);\n"},
    {"warning", "", "", "{ int u%1$u; }\n"},
    {"error", "", "", NULL},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void repeat(const char *each, unsigned n) {
    char line[512];
    for (unsigned i = 0; i < n && *each; i++) {
        snprintf(line, sizeof line, each, i);
        add("%s", line);
    }
}
#pragma GCC diagnostic pop

static void make(const struct kind *k, unsigned n) {
    length = 0;
    add("%s", k->before);
    repeat(k->head, n);
    add(BEGIN);
    if (k->each) {
        repeat(k->each, n);
    } else if (!strcmp(k->name, "case")) {
        add("switch (x) {\n");
        for (unsigned i = 0; i < n; i++) add("case %u: y += %u; break;\n", i * 3, i);
        add("}\n");
    } else {
        for (unsigned i = 0; i < n; i++) add("x = unknown%u;\n", i);
    }
    add(END);
}

/* ---- building ---- */

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static cl_mem buffer;

static void check(cl_int error, const char *what) {
    if (error == CL_SUCCESS) return;
    fprintf(stderr, "growth: %s failed (%d)\n", what, (int)error);
    exit(2);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void show_log(cl_program p) {
    static char log[600];
    clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    if (!*log) {
        size_t size = 0;
        clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
        char *all = calloc(1, size + 1);
        if (all) clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, size, all, NULL);
        snprintf(log, sizeof log, "%s", all ? all : "");
        free(all);
    }
    printf("    %s\n", log);
}

static cl_int launch(cl_program p) {
    size_t one = 32;
    cl_int error;
    cl_kernel k = clCreateKernel(p, "k", &error);
    check(error, "clCreateKernel");
    check(clSetKernelArg(k, 0, sizeof buffer, &buffer), "clSetKernelArg");
    check(clSetKernelArg(k, 1, sizeof buffer, &buffer), "clSetKernelArg");
    check(clSetKernelArg(k, 2, 4096, NULL), "clSetKernelArg");
    error = clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, &one, 0, NULL, NULL);
    if (!error) error = clFinish(queue);
    clReleaseKernel(k);
    return error;
}

/* Milliseconds of the build, and of a launch (0: it was refused). False: the program was. */
static bool build(double *built, double *launched, bool shown) {
    const char *source = text;
    cl_int error;
    cl_program p = clCreateProgramWithSource(context, 1, &source, &length, &error);
    check(error, "clCreateProgramWithSource");
    double begin = now();
    error = clBuildProgram(p, 1, &device, NULL, NULL, NULL);
    *built = now() - begin;
    *launched = 0;
    if (error && shown) show_log(p);
    if (!error) {
        begin = now();
        launch(p);
        *launched = now() - begin;
    }
    clReleaseProgram(p);
    return !error;
}

static unsigned measure(const struct kind *k, unsigned most) {
    double built[SIZES] = {0}, launched[SIZES] = {0};
    unsigned sizes = 0, failures = 0;
    bool refusal = !strcmp(k->name, "error");
    for (unsigned n = LEAST; sizes < SIZES && n <= most; n *= 2, sizes++) {
        make(k, n);
        if (build(&built[sizes], &launched[sizes], !refusal) == refusal) failures++;
        if (built[sizes] + launched[sizes] > ENOUGH * 1e3) {
            sizes++;
            break;
        }
    }
    printf("%-16s", k->name);
    for (unsigned i = 0; i < SIZES; i++)
        i < sizes ? printf(" %9.1f", built[i]) : printf(" %9s", "-");
    printf("  x%4.2f |", sizes > 1 ? built[sizes - 1] / built[sizes - 2] : 0.0);
    for (unsigned i = 0; i < SIZES; i++)
        i < sizes ? printf(" %8.1f", launched[i]) : printf(" %8s", "-");
    printf("  x%4.2f%s\n",
           sizes > 1 && launched[sizes - 2] > 0 ? launched[sizes - 1] / launched[sizes - 2] : 0.0,
           failures ? "  REFUSED" : "");
    fflush(stdout);
    return failures;
}

static bool chosen(const char *list, const char *name) {
    size_t n = strlen(name);
    for (const char *p = list; p && *p; p += *p == ',') {
        size_t word = strcspn(p, ",");
        if (word == n && memcmp(p, name, n) == 0) return true;
        p += word;
    }
    return !list;
}

int main(int argc, char **argv) {
    const char *only = NULL;
    unsigned most = MOST, failures = 0;
    bool print = false;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--list")) {
            for (unsigned k = 0; k < KINDS; k++) puts(kinds[k].name);
            return 0;
        } else if (!strcmp(argv[i], "--print")) {
            print = true;
        } else if (!strcmp(argv[i], "--only") && i + 1 < argc) {
            only = argv[++i];
        } else if (!strcmp(argv[i], "--most") && i + 1 < argc) {
            most = (unsigned)strtoul(argv[++i], NULL, 0);
        } else {
            fprintf(stderr, "usage: growth [--only KIND,...] [--most N] [--list|--print]\n");
            return 2;
        }
    }
    for (unsigned k = 0; print && k < KINDS; k++) {
        if (!chosen(only, kinds[k].name)) continue;
        make(&kinds[k], most);
        fputs(text, stdout);
    }
    if (print) return 0;
    setenv("SIMTCL_CACHE", "off", 1);
    setenv("SIMTCL_ENGINE", "interpreter", 0);
    setenv("SIMTCL_LOG", "none", 0);
    cl_platform_id platform;
    cl_int error;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &error);
    check(error, "clCreateCommandQueue");
    buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4 << 20, NULL, &error);
    check(error, "clCreateBuffer");
    printf("%-16s %39s ms        | first launch, ms\n", "statements",
           "build: 2,000  4,000  8,000  16,000");
    double built, launched;
    make(&kinds[0], 1);
    build(&built, &launched, true);
    for (unsigned k = 0; k < KINDS; k++)
        if (chosen(only, kinds[k].name)) failures += measure(&kinds[k], most);
    free(text);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return failures != 0;
}
