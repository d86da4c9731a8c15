/* The special function unit on floats. */
#include "sfu_floats.h"

#define SFU_FUNCTION1(op)                                                                          \
    DEFINE(native_##op, f32) {                                                                     \
        const float *a = SOURCE(float, 0);                                                         \
        float *d = RESULT(float, 0);                                                               \
        EACH_LANE d[i] = sfu_##op((sfu_context){0}, a[i]);                                         \
    }
#define SFU_FUNCTION2(op)                                                                          \
    DEFINE(native_##op, f32) {                                                                     \
        const float *a = SOURCE(float, 0), *b = SOURCE(float, 1);                                  \
        float *d = RESULT(float, 0);                                                               \
        EACH_LANE d[i] = sfu_##op((sfu_context){0}, a[i], b[i]);                                   \
    }
SFU_FUNCTIONS
