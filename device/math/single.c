/* The sequences of single.h on floats. */
#include "sfu_floats.h"
#include "single.h"
#include "trig.h"

#define SINGLE(op)                                                                                 \
    DEFINE(op, f32) {                                                                              \
        const float *a = SOURCE(float, 0);                                                         \
        float *d = RESULT(float, 0);                                                               \
        EACH_LANE d[i] = single_##op((sfu_context){0}, a[i]);                                      \
    }
SINGLE(exp)
SINGLE(log)

INLINE bool any_large(const float *a) {
    int large = 0;
    EACH_LANE large |= !(__builtin_fabsf(a[i]) < SINGLE_ANGLES);
    return large;
}

#define SINGLE_ANGLE(op)                                                                           \
    DEFINE(op, f32) {                                                                              \
        const float *a = SOURCE(float, 0);                                                         \
        float *d = RESULT(float, 0);                                                               \
        EACH_LANE d[i] = single_##op((sfu_context){0}, a[i]);                                      \
        if (!any_large(a)) return;                                                                 \
        WARP(float, exact);                                                                        \
        TRIG_WARP(double_##op, a, exact);                                                          \
        EACH_LANE d[i] = __builtin_fabsf(a[i]) < SINGLE_ANGLES ? d[i] : exact[i];                  \
    }
SINGLE_ANGLE(sin)
SINGLE_ANGLE(cos)
