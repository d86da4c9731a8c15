// CALLS results of one function, summed, so that the function and not the memory is measured. The
// arguments differ from call to call and from item to item.
#define CALLS 32
#define MATH(name, expression)                                                                     \
    __kernel void name(__global float *out, float start, float step, float stride)                 \
    {                                                                                              \
        int i = get_global_id(0);                                                                  \
        float x = start + i * step, sum = 0;                                                       \
        for (int c = 0; c < CALLS; c++) {                                                          \
            sum += expression;                                                                     \
            x += stride;                                                                           \
        }                                                                                          \
        out[i] = sum;                                                                              \
    }

MATH(sin_full, sin(x))
MATH(cos_full, cos(x))
MATH(exp_full, exp(x))
MATH(log_full, log(x))
MATH(pow_full, pow(x, 1.3f))
MATH(sqrt_full, sqrt(x))
MATH(sin_native, native_sin(x))
MATH(exp_native, native_exp(x))
MATH(log_native, native_log(x))
MATH(pow_native, native_powr(x, 1.3f))
