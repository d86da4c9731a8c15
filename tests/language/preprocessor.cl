// Predefined macros, -D, pragmas and what the options change.
//: options -cl-std=CL1.1 -D N=5 -DTEXT=abc -D FLAG -cl-mad-enable -cl-single-precision-constant
#pragma OPENCL EXTENSION cl_khr_byte_addressable_store : enable
#pragma OPENCL EXTENSION all : disable
#define CAT(a, b) a##b
#define STRING(x) #x
#define MANY(...) (int4)(__VA_ARGS__)

//: test macros
//: global 1
//: arg out int[12] = 0
//: expect out = {5, 1, 110, 1, 1, 1, 12, 4, 1, 7, 110, 4}
kernel void macros(global int *out) {
    int n = 0;
    out[n++] = N;
#if defined(FLAG) && FLAG == 1
    out[n++] = 1;
#endif
    out[n++] = __OPENCL_C_VERSION__;
    out[n++] = __OPENCL_VERSION__ >= 100;
#ifdef __ENDIAN_LITTLE__
    out[n++] = 1;
#endif
#ifdef CL_VERSION_1_0
    out[n++] = CL_VERSION_1_0 == 100;
#endif
    int CAT(var, 1) = 12;
    out[n++] = var1;
    out[n++] = sizeof(STRING(abc));
    out[n++] = __LINE__ > 10;
    out[n++] = MANY(1, 2, 7, 4).z;
    out[n++] = CL_VERSION_1_1;
    out[n++] = sizeof(1.0);
}

//: test limits
//: global 1
//: arg out int[6] = 0
//: expect out = {2147483647, -128, 65535, 24, 8, 1}
kernel void limits(global int *out) {
    out[0] = INT_MAX;
    out[1] = CHAR_MIN;
    out[2] = USHRT_MAX;
    out[3] = FLT_MANT_DIG;
    out[4] = CHAR_BIT;
    out[5] = isinf(INFINITY) && isnan(NAN) && MAXFLOAT == FLT_MAX && M_PI_F > 3.14f && HUGE_VALF == INFINITY;
}

//: test newer_versions
//: global 1
//: arg out int[1] = 0
//: expect out = 1
kernel void newer_versions(global int *out) {
#if __OPENCL_C_VERSION__ >= CL_VERSION_2_0
    out[0] = get_enqueued_local_size(0);
#else
    out[0] = 1;
#endif
}
