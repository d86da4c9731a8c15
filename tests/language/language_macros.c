/* Predefined macros (6.10 of 1.2, 6.9 of 1.0): which each version and each option has, and of which
 * value. A row is a condition that #if must find true. */
#include <stdio.h>

#include "language_builder.h"

static const struct {
    const char *options, *condition;
} rows[] = {
    {"", "__OPENCL_VERSION__ == 120 && __OPENCL_C_VERSION__ == 120"},
    {"-cl-std=CL1.0", "__OPENCL_VERSION__ == 120 && __OPENCL_C_VERSION__ == 100"},
    {"-cl-std=CL1.1", "__OPENCL_VERSION__ == 120 && __OPENCL_C_VERSION__ == 110"},
    {"-cl-std=CL1.2", "__OPENCL_VERSION__ == 120 && __OPENCL_C_VERSION__ == 120"},
    {"", "CL_VERSION_1_0 == 100 && CL_VERSION_1_1 == 110 && CL_VERSION_1_2 == 120"},
    {"-cl-std=CL1.0", "CL_VERSION_1_0 == 100 && CL_VERSION_1_1 == 110 && CL_VERSION_1_2 == 120"},
    {"", "__OPENCL_C_VERSION__ < CL_VERSION_2_0 && __OPENCL_C_VERSION__ < CL_VERSION_3_0"},
    {"", "__ENDIAN_LITTLE__ == 1 && __IMAGE_SUPPORT__ == 1"},
    {"-cl-std=CL1.0", "__ENDIAN_LITTLE__ == 1 && __IMAGE_SUPPORT__ == 1"},
    {"", "!defined(__FAST_RELAXED_MATH__)"},
    {"-cl-fast-relaxed-math", "__FAST_RELAXED_MATH__ == 1"},
    {"-cl-unsafe-math-optimizations -cl-finite-math-only", "!defined(__FAST_RELAXED_MATH__)"},
    {"", "defined(__kernel_exec) && defined(kernel_exec) && defined(NULL)"},
    {"", "__LINE__ == 1 && __INCLUDE_LEVEL__ == 0 && defined(__FILE__)"},
    {"", "cl_khr_global_int32_base_atomics == 1 && cl_khr_global_int32_extended_atomics == 1"},
    {"", "cl_khr_local_int32_base_atomics == 1 && cl_khr_local_int32_extended_atomics == 1"},
    {"", "cl_khr_byte_addressable_store == 1 && cl_khr_fp64 == 1"},
    {"", "!defined(cl_khr_fp16) && !defined(cl_amd_printf) && !defined(__STDC_HOSTED__)"},
    {"", "!defined(__x86_64__) && !defined(__linux__) && !defined(__SPIR__) && "
         "!defined(__cplusplus)"},
    {"", "CHAR_BIT == 8 && CHAR_MAX == 127 && CHAR_MIN == -128 && SCHAR_MIN == -128 && UCHAR_MAX "
         "== 255"},
    {"", "SHRT_MAX == 32767 && SHRT_MIN == -32768 && USHRT_MAX == 65535"},
    {"", "INT_MAX == 2147483647 && INT_MIN == -2147483648L && UINT_MAX == 4294967295L"},
    {"", "LONG_MAX == 9223372036854775807 && LONG_MIN + 1 == -9223372036854775807 && ULONG_MAX == "
         "18446744073709551615UL"},
    {"", "FLT_DIG == 6 && FLT_MANT_DIG == 24 && FLT_MAX_10_EXP == 38 && FLT_MAX_EXP == 128 && "
         "FLT_MIN_10_EXP == -37 && FLT_MIN_EXP == -125 && FLT_RADIX == 2"},
    {"", "DBL_DIG == 15 && DBL_MANT_DIG == 53 && DBL_MAX_10_EXP == 308 && DBL_MAX_EXP == 1024 && "
         "DBL_MIN_10_EXP == -307 && DBL_MIN_EXP == -1021"},
    {"", "defined(MAXFLOAT) && defined(HUGE_VALF) && defined(INFINITY) && defined(NAN) && "
         "defined(HUGE_VAL) && defined(FP_ILOGB0) && defined(FP_ILOGBNAN)"},
    {"", "defined(M_E_F) && defined(M_LOG2E_F) && defined(M_LOG10E_F) && defined(M_LN2_F) && "
         "defined(M_LN10_F) && defined(M_PI_F) && defined(M_PI_2_F) && defined(M_PI_4_F) && "
         "defined(M_1_PI_F) && defined(M_2_PI_F) && defined(M_2_SQRTPI_F) && defined(M_SQRT2_F) && "
         "defined(M_SQRT1_2_F)"},
    {"", "defined(M_E) && defined(M_PI) && defined(M_SQRT1_2) && !defined(FP_FAST_FMAF)"},
    {"-D A -DB=2 -D C=3 -D'D=4' -DE=\"5\" -D F(x)=x+1 -DG -UG",
     "A == 1 && B == 2 && C == 3 && D == 4 && E == 5 && F(5) == 6 && !defined(G)"},
    {"-DA=", "defined(A) && A + 1 == 1"},
    {"-D __OPENCL_VERSION__2 -cl-std=CL1.1 -DV=__OPENCL_C_VERSION__", "V == 110"},
};

int main(void) {
    unsigned failed = 0, n = sizeof rows / sizeof *rows;
    language_open();
    for (unsigned i = 0; i < n; i++) {
        char source[1000];
        snprintf(source, sizeof source,
                 "#if !(%s)\n#error it is false\n#endif\nkernel void k(global int *o) { o[0] = 1; "
                 "}\n",
                 rows[i].condition);
        struct language_build b = language_build(source, rows[i].options);
        if (b.good) continue;
        failed++;
        printf("FAILED: [%s] %s; the log:\n%s\n", rows[i].options, rows[i].condition, b.log);
    }
    language_close();
    printf("%u passed, %u failed\n", n - failed, failed);
    return failed != 0;
}
