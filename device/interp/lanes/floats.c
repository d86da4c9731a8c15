/* Floating-point arithmetic. Compiled without contraction: each operation rounds once, where
 * isa.def says. */
#include "alu.h"
#include "device/math/fused.h"
#include "device/simd/rounding.h"

ALWAYS float fma_float(float a, float b, float c) { return fused_float(a, b, c); }
#if defined(__FMA__)
ALWAYS double fma_double(double a, double b, double c) { return __builtin_fma(a, b, c); }
#else
ALWAYS double fma_double(double a, double b, double c) { return fma(a, b, c); }
#endif

/* A choice between floats is to be flushed as a computed one: where denormals count as zero they
 * compare equal to it. NaNs become quiet. */
ALWAYS float flushed_float(float r) {
    union {
        float f;
        uint32_t bits;
    } v = {r};
    if (r == 0) v.bits &= 0x80000000u;
    v.bits |= (uint32_t)(r != r) << 22;
    return v.f;
}
ALWAYS double flushed_double(double r) { return r; }

/* isa.def's fmad. The product of two floats is exact in double, and so is rounding the sum there
 * first: it has more than twice the bits. */
ALWAYS float fmad_float(float a, float b, float c) {
    union {
        double d;
        uint64_t bits;
    } product = {(double)a * b};
    union {
        float f;
        uint32_t bits;
    } added = {c};
    product.bits &= ~(uint64_t)0x1fffffff;
    float cut = (float)(product.d + c), apart = a * b + c;
    return (added.bits & 0x7fffffff) < 0x800000 ? apart : cut;
}

ALWAYS float canon_float(float a) {
    union {
        float f;
        uint32_t bits;
    } v = {a};
    uint32_t size = v.bits & 0x7fffffff;
    v.bits = size > 0x7f800000 ? 0x7fffffff : size < 0x800000 ? v.bits & 0x80000000 : v.bits;
    return v.f;
}

#define FLOAT_BINARY(ROW, T, U, s)                                                                 \
    ROW(fadd, T, U, s, a + b)                                                                      \
    ROW(fsub, T, U, s, a - b)                                                                      \
    ROW(fmul, T, U, s, a *b)                                                                       \
    ROW(fdiv, T, U, s, a / b)                                                                      \
    ROW(fmin, T, U, s, flushed_##T(a != a || b < a ? b : a))                                       \
    ROW(fmax, T, U, s, flushed_##T(a != a || b > a ? b : a))                                       \
    ROW(copysign, T, U, s, copysign##s(a, b))

#define FLOAT_UNARY(ROW, T, U, s)                                                                  \
    ROW(fabs, T, U, s, fabs##s(a))                                                                 \
    ROW(fneg, T, U, s, -a)                                                                         \
    ROW(floor, T, U, s, floor_##s(a))                                                              \
    ROW(ceil, T, U, s, ceil_##s(a))                                                                \
    ROW(ftrunc, T, U, s, trunc_##s(a))                                                             \
    ROW(rint, T, U, s, rint_##s(a))                                                                \
    ROW(round, T, U, s, round_##s(a))                                                              \
    ROW(sqrt, T, U, s, sqrt##s(a))                                                                 \
    ROW(rsqrt, T, U, s, 1 / sqrt##s(a))
#define sqrtd sqrt

#define TYPES(ROWS) ROWS(F32, float, uint32_t, f) ROWS(F64, double, uint64_t, d)

#define BINARY(name, T, U, s, value)                                                               \
    ALWAYS T name##_##T(T a, T b) { return value; }                                                \
    ALU_BINARY(h_##name##_##s, name##_##T, T)                                                      \
    ALU_MIXED(h_##name##_##s, name##_##T, T)
#define UNARY(name, T, U, s, value)                                                                \
    ALWAYS T name##_##T(T a) { return value; }                                                     \
    ALU_UNARY(h_##name##_##s, name##_##T, T, T)
#define ALL(type, T, U, s)                                                                         \
    FLOAT_BINARY(BINARY, T, U, s)                                                                  \
    FLOAT_UNARY(UNARY, T, U, s)                                                                    \
    ALU_TERNARY(h_fma_##s, fma_##T, T)
TYPES(ALL)
#undef ALL
ALU_TERNARY(h_fmad_f, fmad_float, float)
ALU_UNARY(h_canon_f, canon_float, float, float)

PART(floats) {
#define FILL2(name, T, U, s, value) ROW_MIXED(ISA_##name, type, h_##name##_##s)
#define FILL1(name, T, U, s, value) ROW_UNARY(ISA_##name, type, h_##name##_##s)
#define ALL(isa, T, U, s)                                                                          \
    {                                                                                              \
        enum isa_type type = ISA_##isa;                                                            \
        FLOAT_BINARY(FILL2, T, U, s)                                                               \
        FLOAT_UNARY(FILL1, T, U, s)                                                                \
        ROW_TERNARY(ISA_fma, type, h_fma_##s)                                                      \
        ROW_TERNARY(ISA_mad, type, h_fma_##s)                                                      \
    }
    TYPES(ALL)
    ROW_TERNARY(ISA_fmad, ISA_F32, h_fmad_f)
    ROW_UNARY(ISA_canon, ISA_F32, h_canon_f)
}
