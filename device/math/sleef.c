/* The operations that are SLEEF's as they stand. */
#include "sleef.h"
#include "trig.h"

#define MATH_SLEEF1(op, function, bound)                                                           \
    SLEEF_USE1(function, bound)                                                                    \
    DEFINE(op, f32) { sleef_##function##_F32(src[0], dst[0]); }                                    \
    DEFINE(op, f64) { sleef_##function##_F64(src[0], dst[0]); }
#define MATH_TRIG1(op)                                                                             \
    DEFINE(op, f32) { TRIG_WARP(op, src[0], dst[0]); }                                             \
    DEFINE(op, f64) { sleef_##op##_F64(src[0], dst[0]); }
#define MATH_ANGLE1(op)                                                                            \
    DEFINE(op, f64) { sleef_##op##_F64(src[0], dst[0]); }
#define MATH_SINGLE1(op, function, bound)                                                          \
    SLEEF_WRAP1(function, bound, F64, SLEEF_F64)                                                   \
    DEFINE(op, f64) { sleef_##function##_F64(src[0], dst[0]); }
#define MATH_SINGLE2F(op, function, bound)
#define MATH_OWN(op)
#define MATH_OWN32(op)
#include "math.def"
