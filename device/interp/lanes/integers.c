/* Integer arithmetic, bits and shifts, on i8, i16, i32 and i64.
 *
 * Each row is an expression of the elements a and b with these types: S and U the operation's type,
 * signed and unsigned, W and X types twice as wide. It is evaluated unsigned, so nothing overflows
 * in C's sense. */
#include "alu.h"

typedef __int128 int128_t;
typedef unsigned __int128 uint128_t;

#define MAX_OF(S)           ((S)(((uint64_t)1 << (sizeof(S) * 8 - 1)) - 1))
#define WIDTH(U)            (sizeof(U) * 8)
#define COUNT(U, b)         ((b) & (WIDTH(U) - 1))
#define SUM(U, a, b)        ((U)((U)(a) + (U)(b)))
#define DIFFERENCE(U, a, b) ((U)((U)(a) - (U)(b)))
/* Signed overflow of a + b: both operands differ in sign from the result. */
#define SATURATED(S, a) ((S)(MAX_OF(S) ^ ((S)(a) >> (sizeof(S) * 8 - 1))))

/* clang-format off */
#define INTEGER_BINARY(ROW, S, U, W, X) \
    ROW(add,      S, U, W, X, SUM(U, a, b)) \
    ROW(sub,      S, U, W, X, DIFFERENCE(U, a, b)) \
    ROW(mul,      S, U, W, X, (U)((X)(U)a * (U)b)) \
    ROW(mulhi_s,  S, U, W, X, (U)((X)((W)a * (W)b) >> WIDTH(U))) \
    ROW(mulhi_u,  S, U, W, X, (U)(((X)(U)a * (X)(U)b) >> WIDTH(U))) \
    ROW(min_s,    S, U, W, X, b < a ? b : a) \
    ROW(min_u,    S, U, W, X, (U)b < (U)a ? b : a) \
    ROW(max_s,    S, U, W, X, b > a ? b : a) \
    ROW(max_u,    S, U, W, X, (U)b > (U)a ? b : a) \
    ROW(addsat_s, S, U, W, X, (S)((a ^ (S)SUM(U, a, b)) & (b ^ (S)SUM(U, a, b))) < 0 \
                              ? SATURATED(S, a) : (S)SUM(U, a, b)) \
    ROW(addsat_u, S, U, W, X, SUM(U, a, b) < (U)a ? (U)-1 : SUM(U, a, b)) \
    ROW(subsat_s, S, U, W, X, (S)((a ^ b) & (a ^ (S)DIFFERENCE(U, a, b))) < 0 \
                              ? SATURATED(S, a) : (S)DIFFERENCE(U, a, b)) \
    ROW(subsat_u, S, U, W, X, (U)a < (U)b ? 0 : DIFFERENCE(U, a, b)) \
    ROW(hadd_s,   S, U, W, X, SUM(U, a & b, (S)(a ^ b) >> 1)) \
    ROW(hadd_u,   S, U, W, X, SUM(U, a & b, (U)(a ^ b) >> 1)) \
    ROW(rhadd_s,  S, U, W, X, DIFFERENCE(U, a | b, (S)(a ^ b) >> 1)) \
    ROW(rhadd_u,  S, U, W, X, DIFFERENCE(U, a | b, (U)(a ^ b) >> 1)) \
    ROW(shl,      S, U, W, X, (U)((U)a << COUNT(U, b))) \
    ROW(shr_s,    S, U, W, X, a >> COUNT(U, b)) \
    ROW(shr_u,    S, U, W, X, (U)a >> COUNT(U, b)) \
    ROW(rotl,     S, U, W, X, (U)((U)a << COUNT(U, b)) | (U)((U)a >> COUNT(U, -(U)b))) \
    ROW(and,      S, U, W, X, a & b) \
    ROW(or,       S, U, W, X, a | b) \
    ROW(xor,      S, U, W, X, a ^ b)

#define INTEGER_UNARY(ROW, S, U, W, X) \
    ROW(clz,  S, U, W, X, leading_##U((U)a)) \
    ROW(popc, S, U, W, X, ones_##U((U)a)) \
    ROW(abs,  S, U, W, X, a < 0 ? DIFFERENCE(U, 0, a) : (U)a) \
    ROW(not,  S, U, W, X, ~a)
/* clang-format on */

/* Bits set, by halves that vectorise at every level. */
ALWAYS uint64_t ones_uint64_t(uint64_t x) {
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    x += x >> 8;
    x += x >> 16;
    return (x + (x >> 32)) & 0x7f;
}
ALWAYS uint32_t ones_uint32_t(uint32_t x) {
    x -= x >> 1 & 0x55555555u;
    x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0fu;
    x += x >> 8;
    return (x + (x >> 16)) & 0x3f;
}
ALWAYS uint16_t ones_uint16_t(uint16_t x) { return (uint16_t)ones_uint32_t(x); }
ALWAYS uint8_t ones_uint8_t(uint8_t x) { return (uint8_t)ones_uint32_t(x); }

/* Leading zeros: the width less the bits set once the highest one is smeared down. */
ALWAYS uint64_t leading_uint64_t(uint64_t x) {
    for (int s = 1; s < 64; s *= 2) x |= x >> s;
    return 64 - ones_uint64_t(x);
}
ALWAYS uint32_t leading_uint32_t(uint32_t x) {
    for (int s = 1; s < 32; s *= 2) x |= x >> s;
    return 32 - ones_uint32_t(x);
}
ALWAYS uint16_t leading_uint16_t(uint16_t x) { return (uint16_t)(leading_uint32_t(x) - 16); }
ALWAYS uint8_t leading_uint8_t(uint8_t x) { return (uint8_t)(leading_uint32_t(x) - 24); }

#define TYPES(ROWS)                                                                                \
    ROWS(I8, int8_t, uint8_t, int16_t, uint16_t)                                                   \
    ROWS(I16, int16_t, uint16_t, int32_t, uint32_t)                                                \
    ROWS(I32, int32_t, uint32_t, int64_t, uint64_t)                                                \
    ROWS(I64, int64_t, uint64_t, int128_t, uint128_t)

#define BINARY(name, S, U, W, X, value)                                                            \
    ALWAYS S name##_##S(S a, S b) { return (S)(value); }                                           \
    ALU_BINARY(h_##name##_##S, name##_##S, S)
#define UNARY(name, S, U, W, X, value)                                                             \
    ALWAYS S name##_##S(S a) { return (S)(value); }                                                \
    ALU_UNARY(h_##name##_##S, name##_##S, S, S)
#define ALL(T, S, U, W, X)                                                                         \
    INTEGER_BINARY(BINARY, S, U, W, X)                                                             \
    INTEGER_UNARY(UNARY, S, U, W, X)
TYPES(ALL)
#undef ALL

#define MIXED(name, S, U, W, X, value) ALU_MIXED(h_##name##_##S, name##_##S, S)
INTEGER_BINARY(MIXED, int32_t, uint32_t, int64_t, uint64_t)

ALWAYS int32_t low24_s(int32_t x) { return (int32_t)((uint32_t)x << 8) >> 8; }
ALWAYS int32_t mul24_s(int32_t a, int32_t b) {
    return (int32_t)((uint32_t)low24_s(a) * (uint32_t)low24_s(b));
}
ALWAYS int32_t mul24_u(int32_t a, int32_t b) {
    return (int32_t)(((uint32_t)a & 0xffffff) * ((uint32_t)b & 0xffffff));
}
ALU_BINARY(h_mul24_s, mul24_s, int32_t)
ALU_MIXED(h_mul24_s, mul24_s, int32_t)
ALU_BINARY(h_mul24_u, mul24_u, int32_t)
ALU_MIXED(h_mul24_u, mul24_u, int32_t)

ALWAYS int32_t multiply_add(int32_t a, int32_t b, int32_t c) {
    return (int32_t)((uint32_t)a * (uint32_t)b + (uint32_t)c);
}
ALU_TERNARY(h_multiply_add, multiply_add, int32_t)

PART(integers) {
    t->multiply_add[0] = h_multiply_add_vvv;
    t->multiply_add[1] = h_multiply_add_uvv;
    t->multiply_add[2] = h_multiply_add_vuv;
    t->multiply_add[4] = h_multiply_add_vvu;
    t->multiply_add[6] = h_multiply_add_vuu;
    t->multiply_add[LANES_SCALAR] = h_multiply_add_uuu;
#define FILL2(name, S, U, W, X, value) ROW_BINARY(ISA_##name, type, h_##name##_##S)
#define FILL1(name, S, U, W, X, value) ROW_UNARY(ISA_##name, type, h_##name##_##S)
#define ALL(T, S, U, W, X)                                                                         \
    {                                                                                              \
        enum isa_type type = ISA_##T;                                                              \
        INTEGER_BINARY(FILL2, S, U, W, X)                                                          \
        INTEGER_UNARY(FILL1, S, U, W, X)                                                           \
    }
    TYPES(ALL)
#define FILL_MIXED(name, S, U, W, X, value) ROW_MIXED(ISA_##name, ISA_I32, h_##name##_##S)
    INTEGER_BINARY(FILL_MIXED, int32_t, uint32_t, int64_t, uint64_t)
    ROW_MIXED(ISA_mul24_s, ISA_I32, h_mul24_s)
    ROW_MIXED(ISA_mul24_u, ISA_I32, h_mul24_u)
}
