/* The table of one level. */
#include "sleef.h"
#include "trig.h"

#ifndef SLEEF_SCALAR
#define MATH_SLEEF1(op, function, bound) SLEEF_USE1(function, bound)
#define MATH_TRIG1(op)
#define MATH_ANGLE1(op)
#define MATH_SINGLE1(op, function, bound)  SLEEF_WRAP1(function, bound, F64, SLEEF_F64)
#define MATH_SINGLE2F(op, function, bound) SLEEF_USE2(function, bound)
#define MATH_OWN(op)
#define MATH_OWN32(op)
#include "math.def"
#undef MATH_SLEEF1
#undef MATH_TRIG1
#undef MATH_ANGLE1
#undef MATH_SINGLE1
#undef MATH_SINGLE2F
#undef MATH_OWN
#undef MATH_OWN32
#define VECTOR(function, bound, type) (math_vector_fn) SLEEF_NAME_##type(function, bound)
#define TRIG(function)                (math_vector_fn) trig_##function
#else
#define TRIG(function)                NULL
#define VECTOR(function, bound, type) NULL
#endif

#define BOTH(op) .fn[ISA_##op] = {MATH_FUNCTION(op, f32), MATH_FUNCTION(op, f64)}
#define MATH_SLEEF1(op, function, bound)                                                           \
    BOTH(op), .vector[ISA_##op] = {VECTOR(function, bound, F32), VECTOR(function, bound, F64)},
#define MATH_TRIG1(op)  BOTH(op), .vector[ISA_##op] = {TRIG(op), VECTOR(op, _u10, F64)},
#define MATH_ANGLE1(op) BOTH(op), .vector[ISA_##op] = {TRIG(double_##op), VECTOR(op, _u10, F64)},
#define MATH_SINGLE1(op, function, bound)                                                          \
    BOTH(op), .vector[ISA_##op] = {NULL, VECTOR(function, bound, F64)},
#define MATH_SINGLE2F(op, function, bound)                                                         \
    BOTH(op), .vector[ISA_##op] = {VECTOR(function, bound, F32), NULL},
#define MATH_OWN(op)   BOTH(op),
#define MATH_OWN32(op) .fn[ISA_##op] = {MATH_FUNCTION(op, f32), NULL},

const struct math_table MATH_NAME(math_table) = {
#include "math.def"
};
