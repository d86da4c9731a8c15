/* What the specification forbids is refused in words that say so; what programs of the time hold is
 * accepted, with a warning where it belongs to another version. */
#include <stdio.h>
#include <string.h>

#include "language_builder.h"

struct refusal {
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

static const struct refusal rows[] = {
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
    REFUSED("recursion", "kernel void k(global int *o) { if (o[0]) k(o); }"),
    REFUSED("recursion", "int a(int); int b(int n) { return a(n); } int c(int n) { return b(n); }"
                         " int a(int n) { return n ? c(n - 1) : 0; } kernel void k() {}"),
    REFUSED("functions", "typedef int (*fp)(int); int f(int n) { return n; } int g(fp p) { return "
                         "p(2); } kernel void k(global int *o) { o[0] = g(f); }"),
    REFUSED("functions", "struct s { int (*p)(int); }; kernel void k(struct s x) {}"),
    REFUSED("address of function", "int f(int n) { return n; } kernel void k(global int *o) { "
                                   "o[0] = f == 0; }"),
    REFUSED("variable length", "int f(int n, int a[n]) { return a[0]; } kernel void k() {}"),
    REFUSED("variable length", "kernel void k(int n) { typedef int t[n]; t a; }"),
    REFUSED("bit-field", "union u { int a : 3; int b; }; kernel void k() {}"),
    REFUSED("bit-field", "struct s { int a; int : 0; }; kernel void k() {}"),
    REFUSED("'f' is declared, but not defined",
            "int f(int); kernel void k(global int *o) { o[0] = f(1); }"),
    REFUSED("declared static", "kernel void k(global int *o) { static int n; o[0] = n; }"),
    REFUSED("extern", "kernel void k(global int *o) { extern int n; o[0] = n; }"),
    REFUSED("'auto'", "kernel void k(global int *o) { auto int n = 1; o[0] = n; }"),
    REFUSED("'register'", "kernel void k(global int *o) { register int n = 1; o[0] = n; }"),
    REFUSED("declared static", "static kernel void k(global int *o) { o[0] = 1; }"),
    REFUSED("void", "kernel int k(global int *o) { return 1; }"),
    REFUSED("'main'", "kernel void main(global int *o) { o[0] = 1; }"),
    REFUSED("bool", "kernel void k(bool b, global int *o) { o[0] = b; }"),
    REFUSED("size_t", "kernel void k(size_t n, global int *o) { o[0] = n; }"),
    REFUSED("ptrdiff_t", "kernel void k(ptrdiff_t n, global int *o) { o[0] = n; }"),
    REFUSED("'intptr_t'", "typedef struct { intptr_t p; } s; kernel void k(s n) {}"),
    REFUSED("uintptr_t", "kernel void k(uintptr_t n, global int *o) { o[0] = n; }"),
    REFUSED("event_t", "kernel void k(event_t e) {}"),
    REFUSED("'bool'", "struct s { bool b; int i; }; kernel void k(struct s x) {}"),
    REFUSED("'size_t[2]'", "struct t { size_t n[2]; }; struct s { struct t t; }; kernel void "
                           "k(struct s x) {}"),
    REFUSED("may not contain pointers", "struct t { global int *p; }; struct s { int i; struct t "
                                        "u[2]; }; kernel void k(struct s x) {}"),
    REFUSED("may not contain pointers", "union u { int i; global int *p; }; kernel void k(union u "
                                        "x) {}"),
    REFUSED("pointer to type", "kernel void k(global image2d_t *p) {}"),
    REFUSED("image2d_t", "kernel void k(read_only image2d_t p[2]) {}"),
    REFUSED("image2d_t", "struct s { image2d_t i; }; kernel void k() {}"),
    REFUSED("sampler_t", "struct s { sampler_t i; }; kernel void k() {}"),
    REFUSED("write_imagef", "kernel void k(read_only image2d_t p) { write_imagef(p, (int2)(0), "
                            "(float4)(0)); }"),
    REFUSED("read_imagef", "kernel void k(write_only image2d_t p, sampler_t s, global float4 *o) { "
                           "o[0] = read_imagef(p, s, (int2)(0)); }"),
    REFUSED("sampler", "sampler_t s = 0; kernel void k() {}"),
    REFUSED("sampler_t", "kernel void k(int n) { sampler_t s = n; }"),
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
    REFUSED("outermost scope", "kernel void k(global int *o) { if (o[0]) { local int a; a = 1; "
                               "o[1] = a; } }"),
    REFUSED("constant address space", "global int a; kernel void k(global int *o) { o[0] = a; }"),
    REFUSED("constant address space", "local int a; kernel void k(global int *o) { o[0] = a; }"),
    REFUSED("initialized", "constant int a; kernel void k(global int *o) { o[0] = a; }"),
    REFUSED("constant", "int f() { return 1; } constant int a = f(); kernel void k() {}"),
    REFUSED("address space", "kernel void k(global int *o) { local int *p = (local int *)o; p[0] = "
                             "1; }"),
    REFUSED("address space", "int f(int *p) { return *p; } kernel void k(global int *o) { o[0] = "
                             "f(o + 1); }"),
    REFUSED("read-only", "kernel void k(global const int *i) { i[0] = 1; }"),
    REFUSED("", "kernel void k(global int *o) { image2d_t i; o[0] = 1; }"),
    REFUSED("", "kernel void k(global int *o) { sampler_t s[2]; o[0] = 1; }"),
    REFUSED("", "#include <stdio.h>\nkernel void k(global int *o) { o[0] = 1; }"),
    REFUSED("", "kernel void k(global int *o) { goto nowhere; }"),
    REFUSED("", "kernel void k(global int *o) { int4 v; v.xx = (int2)(1); o[0] = v.x; }"),
    REFUSED("", "kernel void k(global int *o) { int4 v = 1; o[0] = v.s7; }"),
    REFUSED("", "kernel void k(global int *o) { int4 v = (int4)(1, 2); o[0] = v.x; }"),
    REFUSED("", "kernel void k(global int *o) { int4 a = 1; float4 b = a; o[0] = b.x; }"),
    REFUSED("", "kernel void k(global int *o) { o[0] = as_int2(1.0f).x; }"),
    REFUSED("vector", "kernel void k(global int4 *a, global int2 *b) { a[0] = a[1] + b[0]; }"),
    REFUSED("vector", "kernel void k(global int4 *a, global uint4 *b) { a[0] = a[1] + b[0]; }"),
    REFUSED("invalid operands", "kernel void k(global float *o) { o[0] = o[1] % o[2]; }"),
    REFUSED("invalid operands", "kernel void k(global float4 *o) { o[0] = o[1] & o[2]; }"),
    REFUSED("invalid operands", "kernel void k(global int *o) { o[0] = 1 << 1.0f; }"),
    REFUSED("vector element", "kernel void k(global int *o) { int4 a = 1; int *p = &a.x; }"),
    REFUSED("exceeds", "kernel void k(global int *o) { int3 a = 1; o[0] = a.w; }"),
    REFUSED("component", "kernel void k(global int *o) { int4 a = 1; o[0] = a.xs1.x; }"),
    REFUSED("convert_float_sat", "kernel void k(global float *o) { o[0] = convert_float_sat(1); }"),
    REFUSED("convert_int", "struct s { int a; }; kernel void k(struct s x, global int *o) { o[0] = "
                           "convert_int(x); }"),
    REFUSED("half", "kernel void k(global half *p) { local half h[4]; }"),
    REFUSED("duplicate case", "kernel void k(int n) { switch (n) { case 1: case 1: break; } }"),
    REFUSED("integer type", "kernel void k(float f) { switch (f) { case 1: break; } }"),
    REFUSED("'%n'", "kernel void k(global int *o) { printf(\"%n\", o); }"),
    REFUSED("lacks an argument", "kernel void k() { printf(\"%d %d\", 1); }"),
    REFUSED("'%s' of printf", "kernel void k() { char s[3] = \"ab\"; printf(\"%s\", s); }"),
    REFUSED("3 arguments", "__attribute__((reqd_work_group_size(1, 1))) kernel void k() {}"),
    REFUSED("", "kernel void k(global int *o) { int a; if ((int4)(1)) a = 1; o[0] = a; }"),
    REFUSED("sine", "kernel void k(global float *o) { o[0] = sine(1.0f); }"),
    REFUSED("", "kernel void k(global int *o) { o[0] = 1 }"),
    REFUSED("constant char", "kernel void k(global char *o) { printf(o); }"),
    REFUSED("kernel 'k'",
            "kernel void k(global int *o) { int a[20000]; a[o[0]] = 1; o[1] = a[o[2]]; }"),
    REFUSED("", "__attribute__((reqd_work_group_size(0, 1, 1))) kernel void k(global int *o) { "
                "o[0] = 1; }"),
    REFUSED("asm", "kernel void k(global int *o) { __asm__(\"nop\"); }"),
    /* what clang would not survive */
    REFUSED("overloaded function", "kernel void k(global uint *o) { o[0] = as_uint(sqrt); }"),
    REFUSED("overloaded function", "kernel void k(global uint *o) { o[0] = as_uint((&sqrt)); }"),
    REFUSED("address of function", "float f(float x) { return x; } kernel void k(global uint *o) { "
                                   "o[0] = as_uint(f); }"),
    REFUSED("", "kernel void k(global uint *o) { o[0] = as_uint(1.0f, sqrt); }"),
    REFUSED("vector cannot be made of a value of type 'event_t'",
            "kernel void k(global int4 *o) { event_t e = 0; o[0] = (int4)(e); }"),
    REFUSED("vector cannot be made of a value of type 'sampler_t'",
            "typedef int4 V; kernel void k(global V *o, sampler_t s) { o[0] = (V)(s); }"),
    REFUSED("vector cannot be made of a value of type",
            "kernel void k(global float4 *o, read_only image2d_t i) { o[0] = (const float4)(i); }"),
    REFUSED("vector cannot be made of a value of type",
            "#define V(x) (float4)(x)\nkernel void k(global float4 *o) { o[0] = V(o); }"),
    REFUSED("vector cannot be made of a value of type 'struct s'",
            "struct s { int a; }; kernel void k(global float4 *o, struct s s) { o[0] = "
            "(float4)(s); }"),
    REFUSED(
        "initialiser too large",
        "constant char a[] = {[0xfffffff0] = 1}; kernel void k(global char *o) { o[0] = a[0]; }"),
    REFUSED("initialiser too large",
            "constant int a[] = {[0x7ffffff] = 1}; kernel void k(global int *o) { o[0] = a[0]; }"),
    REFUSED("initialiser too large", "enum { N = 0x7ffffff }; constant int a[] = {1, [N + 0] = 1}; "
                                     "kernel void k(global int *o) { o[0] = a[0]; }"),
    REFUSED("initialiser too large",
            "kernel void k(global int *o) { int a[] = {[0 ... 100000000] = 3}; o[0] = a[0]; }"),
    REFUSED("initialiser too large", "kernel void k(global int *o) { int a[][4096] = {[0 ... 4095] "
                                     "= {[0 ... 4095] = 3}}; o[0] = a[0][0]; }"),
    REFUSED("initialiser too large",
            "enum { N = 4095 }; kernel void k(global int *o) { int a[][N + "
            "1] = {[0 ... N][0 ... N] = 3}; o[0] = a[0][0]; }"),
    REFUSED("empty braces", "kernel void k(global int *o) { int i = {{}, 1}; o[0] = i; }"),
    REFUSED("empty braces", "kernel void k(global int *o) { int i = {{{}}, 1}; o[0] = i; }"),
    REFUSED("struct without members", "kernel void k(global uint *o) { o[0] = as_ushort4((struct "
                                      "never)o[0]); }"),
    REFUSED("blocks", "kernel void k(global int4 *o) { o[0] = (int4)^{ ; }; }"),
    REFUSED("'__builtin_astype'",
            "kernel void k(global uint *o) { o[0] = __builtin_astype(sqrt, uint); }"),
    REFUSED("'__builtin_bit_cast'",
            "kernel void k(global uint *o) { o[0] = __builtin_bit_cast(uint, sqrt); }"),
    REFUSED("inline PTX", "kernel void k(global uint *o) { asm(\"mov.u32 %0, %1;\" : "
                          "\"=r\"(o[0]) : \"r\"(o[1])); }"),
    REFUSED("inline PTX", "kernel void k(global uint *o) { asm volatile(\"bar.sync 0;\"); }"),
    REFUSED("inline PTX", "kernel void k(global uint *o) { __asm__(\"bar.sync 0;\"); }"),
    TAKEN("enum { N = 3 }; constant int a[] = {['a' - 'a'] = 1, [N] = 4, [N + 1 ... N + 3] = 7, "
          "[10 ... 2 * 8] = 2}; kernel void k(global int *o) { int asm = a[o[1]]; o[0] = asm; "
          "}"),
    TAKEN(
        "typedef float4 V; kernel void k(global V *o, char c) { bool b = c;  o[0] = (V)(c).xyzw + "
        "(float4)(b) + (float4)(o[1])*2 - (float4)(o[0].x + o[0].y, 1, 2, 3).wzyx; o[1].x = sizeof "
        "(float4)(c) + as_float(o[1].x); }"),
    TAKEN("struct s { int a; }; kernel void k(global struct s *o, struct s s) { o[0] = (struct "
          "s)s; o[1] = (struct s){2}; int a[2][2] = {{1, 2}, {}}; o[2].a = a[s.a][0]; }"),
    /* options */
    REFUSED_AT("-cl-std=CL2.0", "CL2.0", "kernel void k() {}"),
    REFUSED_AT("-cl-nonsense", "-cl-nonsense", "kernel void k() {}"),
    REFUSED_AT("-Werror", NULL,
               "kernel void k(global int *o) { int unused; o[0] = 1; return; ; o[0] == 2; }"),
    REFUSED_AT("-DX=)", NULL, "kernel void k(global int *o) { o[0] = X; }"),
    REFUSED_AT("-Werror -cl-std=CL1.0", "error", "kernel void k(global int *o) { atomic_inc(o); }"),
    REFUSED_AT("-Werror", "error",
               "#pragma OPENCL EXTENSION cl_nobody_thing : enable\nkernel void k() {}"),
    /* what is taken */
    TAKEN("static int f(int n) { return n; } static constant int c = 1; kernel void k(global int "
          "*o) { o[0] = f(c); }"),
    TAKEN("kernel void k(global int * restrict o, global const half *h) { o[0] = vload_half(0, h); "
          "}"),
    TAKEN("#pragma OPENCL EXTENSION cl_amd_printf : enable\nkernel void k(global int *o) { o[0] = "
          "1; }"),
    REFUSED("'cl_nobody_thing' is not supported",
            "#pragma OPENCL EXTENSION cl_nobody_thing : enable\nkernel void k() {}"),
    TAKEN_AT("", "cl_nobody_thing",
             "#pragma OPENCL EXTENSION cl_nobody_thing : disable\nkernel void k() {}"),
    REFUSED("all at once", "#pragma OPENCL EXTENSION all : enable\nkernel void k() {}"),
    REFUSED("SIMTCL_MODEL=host lifts this limit",
            "kernel void k(global int *o) { local int a[5000]; a[o[0]] = 1; o[0] = a[o[1]]; }"),
    REFUSED("SIMTCL_MODEL=host lifts this limit",
            "constant int c[20000] = {1}; kernel void k(global int *o) { o[0] = c[o[1]]; }"),
    TAKEN_AT("", "missing ':'", "#pragma OPENCL EXTENSION cl_khr_fp64\nkernel void k() {}"),
    TAKEN_AT("", "'ON' or 'OFF'", "#pragma OPENCL FP_CONTRACT MAYBE\nkernel void k() {}"),
    TAKEN("#pragma OPENCL EXTENSION all : disable\n#pragma omp parallel\nkernel "
          "void k() {}"),
    TAKEN("kernel void k(global bool *b, global size_t *n) { b[0] = n[0]; }"),
    TAKEN("struct s { int i; global int *p; }; kernel void k(global struct s *x) { x->i = 1; }"),
    TAKEN("kernel void k(read_only image2d_t i, global float4 *o) { const sampler_t s = "
          "CLK_FILTER_NEAREST; o[0] = read_imagef(i, s, (int2)(0)); }"),
    TAKEN("struct s { union { int a; float f; }; int b; }; kernel void k(global int *o) { struct s "
          "x = {.f = 1}; o[0] = x.a + ((int[]){1, 2})[1]; }"),
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
    /* names of later versions are the program's where it declares them */
    TAKEN_AT("-cl-std=CL1.0", NULL,
             "typedef struct { float x, y, z; } float3; float3 cross3(float3 a) { return a; } "
             "kernel void k(global float3 *o) { float3 v = {1, 2, 3}; o[0] = cross3(v); }"),
    TAKEN_AT(
        "-cl-std=CL1.0", NULL,
        "float4 float3(float x, float y, float z) { return (float4)(x, y, z, 0); } kernel void "
        "k(global float4 *o) { o[0] = float3(1, 2, 3); }"),
    TAKEN_AT(
        "-cl-std=CL1.0", NULL,
        "typedef int int3[3]; kernel void k(global int *o) { int3 a = {1, 2, 3}; o[0] = a[o[1]]; "
        "}"),
    TAKEN_AT("-cl-std=CL1.1", NULL,
             "void printf(global int *o, int x) { o[0] = x; } kernel void k(global int *o) { "
             "printf(o, 3); }"),
    TAKEN_AT(
        "-cl-std=CL1.0", NULL,
        "float vec_step(float x) { return x < 0 ? 0 : 1; } kernel void k(global float *o) { o[0] "
        "= vec_step(o[1]); }"),
    TAKEN_AT("-cl-std=CL1.0", NULL,
             "kernel void vec_step(global int *o) { int vec_step = o[1]; o[0] = vec_step; }"),
    TAKEN_AT(
        "-cl-std=CL1.1", NULL,
        "typedef struct { int n; } image1d_t; kernel void k(global image1d_t *image2d_array_t) "
        "{ image1d_t image1d_buffer_t = {1}; image2d_array_t[0] = image1d_buffer_t; }"),
    TAKEN_AT("-cl-std=CL1.0", NULL,
             "kernel void k(global float3 *o) { o[0] = (float3)(1); printf("
             "\"%d\\n\", (int)vec_step(float3)); }"),
    REFUSED("redefinition", "typedef struct { float x, y, z; } float3; kernel void k() {}"),
    TAKEN_AT("-cl-std=CL1.0", "cl_khr_fp64", "kernel void k(global float *o) { o[0] = 2.0; }"),
    TAKEN_AT("-cl-std=CL1.0", NULL,
             "kernel void k(global char *o, global float *f) { o[0] = f[0] && !f[1]; }"),
    TAKEN_AT("-cl-std=CL1.0", NULL, "kernel void k(global int *o) { atom_inc(o); }"),
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
    language_open();
    for (unsigned i = 0; i < n; i++) {
        const struct refusal *r = &rows[i];
        struct language_build b = language_build(r->source, r->options);
        bool said = !r->words || strstr(b.log, r->words);
        if (b.good == r->good && said && (b.good || *b.log)) continue;
        failed++;
        printf("FAILED: %s [%s] is %s%s; the log:\n%s\n", r->source, r->options,
               b.good ? "taken" : "refused", said ? "" : " without saying so", b.log);
    }
    language_close();
    printf("%u passed, %u failed\n", n - failed, failed);
    return failed != 0;
}
