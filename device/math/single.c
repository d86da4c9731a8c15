/* The sequences of single.h on floats. */
#include "sfu_floats.h"
#include "single.h"
#include "trig.h"

SLEEF_WRAP2(pow, _u10, F32, SLEEF_F32)

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

/* What is not common is SLEEF's. */
DEFINE(pow, f32) {
    const float *a = SOURCE(float, 0), *b = SOURCE(float, 1);
    float *d = RESULT(float, 0);
    WARP(int, common);
    int all = 1;
    EACH_LANE d[i] = single_pow_common((sfu_context){0}, a[i], b[i], &common[i]);
    EACH_LANE all &= common[i];
    if (all) return;
    WARP(float, exact);
    sleef_pow_F32(a, b, exact);
    EACH_LANE d[i] = common[i] ? d[i] : exact[i];
}
