/* The OP_MATH operations of isa.def as functions on a whole warp: the contract between the
 * interpreter and device/math.
 *
 * Everything in device/math is compiled once for each instruction set (LANES_LEVEL is baseline,
 * avx2 or avx512), so every file-scope name that is not static carries the level: MATH_NAME(table).
 * The bits of a result must not depend on the level. */
#ifndef SIMTCL_MATH_H
#define SIMTCL_MATH_H

#include "device/isa/isa.h"

/* One operation on 32 lanes.
 *
 * src, dst  one array for each source and destination, in isa.def's order: 32 elements of the
 * operand's type (float or double; int32_t for `i`), aligned to 128 bytes. No destination is a
 * source and none overlaps another.
 *
 * All 32 lanes are always computed, whatever they hold: lanes that are off carry leftovers of other
 * values, of any bit pattern. No call may trap, loop without bound, use errno, or leave MXCSR
 * changed other than its sticky flags. It runs with rounding to nearest, and with FTZ and DAZ set
 * when the kernel uses no f64. */
typedef void (*math_fn)(const void *const *src, void *const *dst);

enum { MATH_F32, MATH_F64, MATH_TYPE_COUNT };

/* The same on one vector register of the level, its operands and result in registers, where the
 * operation is just a function of SLEEF's, or one of trig.h (math.def); NULL elsewhere, and for
 * baseline. To be cast: T fn(T), T fn(T, T), T a vector of floats or doubles. */
typedef void (*math_vector_fn)(void);

/* NULL: not there (an operation without OP_MATH, or a type it has not); a kernel that needs it is
 * refused. The type is that of the floating-point operands: type2 of ilogb, type of all others. */
struct math_table {
    math_fn fn[ISA_OP_COUNT][MATH_TYPE_COUNT];
    math_vector_fn vector[ISA_OP_COUNT][MATH_TYPE_COUNT];
};

extern const struct math_table math_table_baseline, math_table_avx2, math_table_avx512;

#define MATH_PASTE_(a, b) a##_##b
#define MATH_PASTE(a, b)  MATH_PASTE_(a, b)
#ifdef LANES_LEVEL
#define MATH_NAME(name)                                                                            \
    MATH_PASTE(name, LANES_LEVEL) /* MATH_NAME(math_table) is this level's table */
#endif

#endif
