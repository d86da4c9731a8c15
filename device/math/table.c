/* The table of one level. */
#include "functions.h"

#define BOTH(op)                         [ISA_##op] = {MATH_FUNCTION(op, f32), MATH_FUNCTION(op, f64)},
#define MATH_SLEEF1(op, function, bound) BOTH(op)
#define MATH_SLEEF2(op, function, bound) BOTH(op)
#define MATH_OWN(op)                     BOTH(op)
#define MATH_OWN32(op)                   [ISA_##op] = {MATH_FUNCTION(op, f32), NULL},

const struct math_table MATH_NAME(math_table) = {.fn = {
#include "math.def"
                                                 }};
