/* What the specification forbids is refused in words that say so; what programs of the time hold is
 * accepted, with a warning where it belongs to another version. */
#include <stdio.h>
#include <string.h>

#include "builder.h"

struct row {
    const char *source, *options;
    bool good;
    const char *words; /* in the log; NULL: any */
};

#define REFUSED(words, ...)                                                                        \
    { __VA_ARGS__, "", false, words }
#define REFUSED_AT(options, words, s)                                                              \
    { s, options, false, words }
#define TAKEN(...)                                                                                 \
    { __VA_ARGS__, "", true, NULL }
#define TAKEN_AT(options, words, s)                                                                \
    { s, options, true, words }

static const struct row rows[] = {
    /* 6.8 of 1.0, 6.9 of 1.2: restrictions */
    REFUSED(
        "recursion",
        "int f(int n) { return n ? f(n - 1) : 0; } kernel void k(global int *o) { o[0] = f(3); }"),
    REFUSED("recursion",
            "int g(int n); int f(int n) { return g(n); } int g(int n) { return n ? f(n - 1) : 0; }"
            " kernel void k(global int *o) { o[0] = f(3); }"),
    REFUSED("function", "int f(int n) { return n; } kernel void k(global int *o) { int (*p)(int) = "
                        "f; o[0] = p(1); }"),
    REFUSED("variable", "kernel void k(int n, global int *o) { int a[n]; a[0] = 1; o[0] = a[0]; }"),
    REFUSED("bit-field", "struct s { int a : 3; }; kernel void k(global int *o) { struct s x; x.a "
                         "= 1; o[0] = x.a; }"),
    REFUSED("variadic",
            "int f(int n, ...) { return n; } kernel void k(global int *o) { o[0] = f(1, 2); }"),
    REFUSED("void", "kernel int k(global int *o) { return 1; }"),
    REFUSED("bool", "kernel void k(bool b, global int *o) { o[0] = b; }"),
    REFUSED("size_t", "kernel void k(size_t n, global int *o) { o[0] = n; }"),
    REFUSED(
        "pointer",
        "struct s { global int *p; }; kernel void k(struct s x, global int *o) { o[0] = *x.p; }"),
    REFUSED("address space", "kernel void k(int *p) { p[0] = 1; }"),
    REFUSED("pointer", "kernel void k(global int *global *p) { p[0][0] = 1; }"),
    REFUSED("", "kernel void k(half h, global float *o) { o[0] = h; }"),
    REFUSED("half", "kernel void k(global half *p) { half h = p[0]; p[1] = h; }"),
    REFUSED("local",
            "void f(void) { local int a[4]; a[0] = 1; } kernel void k(global int *o) { f(); }"),
    REFUSED("constant", "int counter = 1; kernel void k(global int *o) { o[0] = counter; }"),
    REFUSED("", "constant int c = 1; kernel void k(global int *o) { c = 2; o[0] = c; }"),
    REFUSED("address space", "kernel void k(global int *o) { local int *p = o; p[0] = 1; }"),
    REFUSED("", "kernel void k(global int *o) { local int a = 3; o[0] = a; }"),
    REFUSED("", "kernel void k(global int *o) { image2d_t i; o[0] = 1; }"),
    REFUSED("", "kernel void k(global int *o) { sampler_t s[2]; o[0] = 1; }"),
    REFUSED("", "#include <stdio.h>\nkernel void k(global int *o) { o[0] = 1; }"),
    REFUSED("", "kernel void k(global int *o) { goto nowhere; }"),
    REFUSED("", "kernel void k(global int *o) { int4 v; v.xx = (int2)(1); o[0] = v.x; }"),
    REFUSED("", "kernel void k(global int *o) { int4 v = 1; o[0] = v.s7; }"),
    REFUSED("", "kernel void k(global int *o) { int4 v = (int4)(1, 2); o[0] = v.x; }"),
    REFUSED("", "kernel void k(global int *o) { int4 a = 1; float4 b = a; o[0] = b.x; }"),
    REFUSED("", "kernel void k(global int *o) { o[0] = as_int2(1.0f).x; }"),
    REFUSED("", "kernel void k(global int *o) { int a; if ((int4)(1)) a = 1; o[0] = a; }"),
    REFUSED("sine", "kernel void k(global float *o) { o[0] = sine(1.0f); }"),
    REFUSED("", "kernel void k(global int *o) { o[0] = 1 }"),
    REFUSED("constant char", "kernel void k(global char *o) { printf(o); }"),
    REFUSED("kernel 'k'",
            "kernel void k(global int *o) { int a[20000]; a[o[0]] = 1; o[1] = a[o[2]]; }"),
    REFUSED("", "__attribute__((reqd_work_group_size(0, 1, 1))) kernel void k(global int *o) { "
                "o[0] = 1; }"),
    REFUSED("asm", "kernel void k(global int *o) { __asm__(\"nop\"); }"),
    /* options */
    REFUSED_AT("-cl-std=CL2.0", "CL2.0", "kernel void k() {}"),
    REFUSED_AT("-cl-nonsense", "-cl-nonsense", "kernel void k() {}"),
    REFUSED_AT("-Werror", NULL,
               "kernel void k(global int *o) { int unused; o[0] = 1; return; ; o[0] == 2; }"),
    REFUSED_AT("-DX=)", NULL, "kernel void k(global int *o) { o[0] = X; }"),
    /* what is taken */
    TAKEN("static int f(int n) { return n; } static constant int c = 1; kernel void k(global int "
          "*o) { o[0] = f(c); }"),
    TAKEN("kernel void k(global int * restrict o, global const half *h) { o[0] = vload_half(0, h); "
          "}"),
    TAKEN("#pragma OPENCL EXTENSION cl_amd_printf : enable\nkernel void k(global int *o) { o[0] = "
          "1; }"),
    TAKEN("inline int f(int n) { return n; } kernel void k(global int *o) { o[0] = f(1); }"),
    TAKEN("__kernel __attribute__((vec_type_hint(float4))) void k(__global float4 *o) { o[0] = "
          "o[1]; }"),
    TAKEN("kernel void k(read_only image2d_t i, sampler_t s, global float4 *o) { o[0] = "
          "read_imagef(i, s, (int2)(0)); }"),
    TAKEN("kernel void a(global int *o) { o[0] = 1; } kernel void b(global int *o) { a(o); }"),
    TAKEN("kernel void k(global int *o) { o[0] = ((global char *)o)[1]; }"),
    TAKEN(""),
    TAKEN_AT("-cl-std=CL1.0", "1.1",
             "kernel void k(global int4 *o) { o[0] = shuffle(o[1], (uint4)(0)); }"),
    TAKEN_AT("-cl-std=CL1.0", "1.1", "kernel void k(global int *o) { atomic_inc(o); }"),
    TAKEN_AT("-cl-std=CL1.1", "1.2", "kernel void k(global int *o) { o[0] = popcount(o[1]); }"),
    TAKEN_AT("-cl-std=CL1.0", NULL, "kernel void k(global int3 *o) { o[0] = max(o[1], 2); }"),
    TAKEN_AT("-cl-std=CL1.0", NULL,
             "static int f() { return 1; } kernel void k(global int *o) { o[0] = f(); }"),
    TAKEN_AT("-w -cl-std=CL1.0", NULL, "kernel void k(global int *o) { atomic_inc(o); }"),
    TAKEN_AT("-cl-fast-relaxed-math -cl-unsafe-math-optimizations -cl-finite-math-only "
             "-cl-no-signed-zeros "
             "-cl-single-precision-constant -cl-denorms-are-zero -cl-opt-disable "
             "-cl-strict-aliasing -cl-mad-enable",
             NULL, "kernel void k(global float *o) { o[0] = o[1] * o[2] + 1.0; }"),
    TAKEN_AT("-D TWICE(x)=((x)*2) -D'NAME(a, b)=a##b' -D NONE()=3", NULL,
             "kernel void k(global int *NAME(o, ut)) { out[0] = TWICE(4) + NONE(); }"),
    TAKEN_AT("-cl-nv-verbose -cl-nv-maxrregcount=16 -cl-nv-opt-level=2", NULL,
             "kernel void k(global int *o) { o[0] = 1; }"),
};

int main(void) {
    unsigned failed = 0, n = sizeof rows / sizeof *rows;
    builder_open();
    for (unsigned i = 0; i < n; i++) {
        const struct row *r = &rows[i];
        struct build b = builder_build(r->source, r->options);
        bool said = !r->words || strstr(b.log, r->words);
        if (b.good == r->good && said && (b.good || *b.log)) continue;
        failed++;
        printf("FAILED: %s [%s] is %s%s; the log:\n%s\n", r->source, r->options,
               b.good ? "taken" : "refused", said ? "" : " without saying so", b.log);
    }
    builder_close();
    printf("%u passed, %u failed\n", n - failed, failed);
    return failed != 0;
}
