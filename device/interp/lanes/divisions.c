/* Integer division. Narrow types divide as floating-point numbers, which vectorises: with a
 * quotient below 2^n and a dividend below 2^n, a/b is at least 2^-n of itself away from the next
 * whole number unless it is one, so a format with more than n digits truncates to the exact
 * quotient. */
#include "alu.h"

/* Truncated quotient, for any operands but a zero divisor (it is replaced) and MIN / -1. */
#define QUOTIENT(T, F)                                                                             \
    ALWAYS T quotient_##T(T a, T b) { return (T)((F)a / (F)b); }
QUOTIENT(int8_t, float)
QUOTIENT(uint8_t, float)
QUOTIENT(int16_t, float)
QUOTIENT(uint16_t, float)
QUOTIENT(int32_t, double)
#undef QUOTIENT
/* Unsigned 32-bit words go through signed ones, which every level can convert in vectors. */
ALWAYS double whole_uint32(uint32_t x) { return (double)(int32_t)(x ^ 0x80000000u) + 0x1p31; }
ALWAYS uint32_t quotient_uint32_t(uint32_t a, uint32_t b) {
    double q = whole_uint32(a) / whole_uint32(b);
    int32_t high = q >= 0x1p31;
    return (uint32_t)(int32_t)(high ? q - 0x1p31 : q) + ((uint32_t)high << 31);
}
ALWAYS int64_t quotient_int64_t(int64_t a, int64_t b) { return a / b; }
ALWAYS uint64_t quotient_uint64_t(uint64_t a, uint64_t b) { return a / b; }

#define MIN_OF(S) ((S)(-1 - (S)(((uint64_t)1 << (sizeof(S) * 8 - 1)) - 1)))

/* isa.def fixes what a zero divisor and MIN / -1 give; both divide by 1 instead. MIN / 1 is MIN
 * already. */
#define DIVISION(S, U)                                                                             \
    ALWAYS S div_s_##S(S a, S b) {                                                                 \
        S q = quotient_##S(a, b == 0 || (b == -1 && a == MIN_OF(S)) ? 1 : b);                      \
        return b == 0 ? (S)-1 : q;                                                                 \
    }                                                                                              \
    ALWAYS S rem_s_##S(S a, S b) {                                                                 \
        S q = quotient_##S(a, b == 0 || (b == -1 && a == MIN_OF(S)) ? 1 : b);                      \
        return b == 0                        ? a                                                   \
               : (b == -1 && a == MIN_OF(S)) ? 0                                                   \
                                             : (S)((U)a - (U)((uint64_t)(U)q * (U)b));             \
    }                                                                                              \
    ALWAYS U div_u_##S(U a, U b) {                                                                 \
        U q = quotient_##U(a, b == 0 ? 1 : b);                                                     \
        return b == 0 ? (U)-1 : q;                                                                 \
    }                                                                                              \
    ALWAYS U rem_u_##S(U a, U b) {                                                                 \
        U q = quotient_##U(a, b == 0 ? 1 : b);                                                     \
        return b == 0 ? a : (U)(a - (U)((uint64_t)q * b));                                         \
    }                                                                                              \
    ALU_BINARY(h_div_s_##S, div_s_##S, S)                                                          \
    ALU_BINARY(h_rem_s_##S, rem_s_##S, S)                                                          \
    ALU_BINARY(h_div_u_##S, div_u_##S, U)                                                          \
    ALU_BINARY(h_rem_u_##S, rem_u_##S, U)
DIVISION(int8_t, uint8_t)
DIVISION(int16_t, uint16_t)
DIVISION(int32_t, uint32_t)
DIVISION(int64_t, uint64_t)
ALU_MIXED(h_div_s_int32_t, div_s_int32_t, int32_t)
ALU_MIXED(h_rem_s_int32_t, rem_s_int32_t, int32_t)
ALU_MIXED(h_div_u_int32_t, div_u_int32_t, uint32_t)
ALU_MIXED(h_rem_u_int32_t, rem_u_int32_t, uint32_t)

PART(divisions) {
#define FILL(ROW, type, S)                                                                         \
    ROW(ISA_div_s, type, h_div_s_##S)                                                              \
    ROW(ISA_div_u, type, h_div_u_##S)                                                              \
    ROW(ISA_rem_s, type, h_rem_s_##S)                                                              \
    ROW(ISA_rem_u, type, h_rem_u_##S)
    FILL(ROW_BINARY, ISA_I8, int8_t)
    FILL(ROW_BINARY, ISA_I16, int16_t)
    FILL(ROW_MIXED, ISA_I32, int32_t)
    FILL(ROW_BINARY, ISA_I64, int64_t)
}
