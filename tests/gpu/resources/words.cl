/* One load, one operation, one store: what the smallest kernels take. */
#define UNARY(name, type, expression)                                                              \
    kernel void name(global type *x, global type *y) {                                             \
        type v = *y;                                                                               \
        *x = expression;                                                                           \
    }
constant uint three = 3;

kernel void store(global int *x) { *x = 0x123456; }
UNARY(copy, int, v)
UNARY(shift_left_2, int, v << 2)
UNARY(shift_left_3, int, v << 3)
UNARY(shift_left_16, int, v << 16)
UNARY(shift_right_3, int, v >> 3)
UNARY(shift_right_3u, uint, v >> 3)
UNARY(subtract_3, int, v - 3)
UNARY(add_3u, uint, v + 3)
UNARY(add_constant, int, v + (int)three)
UNARY(max_constant, int, max(v, (int)three))
UNARY(min_constant, int, min(v, (int)three))
UNARY(mul24_constant, uint, mul24(v, three))
UNARY(mul24_3, int, mul24(v, 3))
UNARY(mul24_3u, uint, mul24(v, 3u))
UNARY(min_3, int, min(v, 3))
UNARY(min_3u, uint, min(v, 3u))
UNARY(max_3, int, max(v, 3))
UNARY(max_3u, uint, max(v, 3u))
UNARY(and_3, int, v & 3)
UNARY(or_3, int, v | 3)
UNARY(xor_3, int, v ^ 3)
UNARY(invert, int, ~v)
UNARY(is_zero, int, v == 0)
UNARY(divide_3, int, v / *(volatile constant int *)&three)
UNARY(add_3f, float, v + 3.0f)
UNARY(mul_3f, float, v * 3.0f)
UNARY(div_3f, float, v / 3.0f)
UNARY(round_up, float, ceil(v))
UNARY(wide_max_3u, ulong, max(v, 3ul))
UNARY(wide_subtract_3, long, v - 3)

kernel void mul24_short(global short *x, global short *y) { *x = (short)mul24((int)*y, 3); }
kernel void mul24_two(global int *x, global int *y, global int *z) { *x = mul24(*y, *z); }
kernel void increment(global int *x) { (*x)++; }
kernel void max_pi(global float *x) { *x = fmax(*x, 3.14f); }
kernel void min_pi(global float *x) { *x = fmin(*x, 3.14f); }
kernel void divide_by_self(global float *x) { *x = *x / *x; }
kernel void shift_by_own(global int *x, global int *y) { *x = *y >> *x; }
kernel void xor_four(global int *x, global int *y) { *x = (y[0] ^ y[1]) ^ (y[2] ^ y[3]); }
kernel void and_four(global int *x, global int *y) { *x = (y[0] & y[1]) & (y[2] & y[3]); }
kernel void add_words(int a, int b, global int *x) { *x = a + b; }
kernel void add_argument(global int *x, global int *y, int z) { *x = 0x12345 + z; }
kernel void add_three_terms(global int *x, global int *y, int z) { *x = 0x12345 + *y + z; }
kernel void subtract_two_terms(global int *x, global int *y, int z) { *x = 0x12345 - *y - z; }
kernel void subtract_and_add(global int *x, global int *y, int z) { *x = 0x12345 - *y + z; }
kernel void mad_arguments(global float *x, float y, float z, float a) { *x = y * z + a; }
kernel void mul_arguments(global float *x, float y, float z) { *x = y * z; }
kernel void add_arguments(global float *x, float y, float z) { *x = y + z; }
kernel void cos_argument(global float *x, float y, float z) { *x = native_cos(y); }
kernel void fraction_argument(global float *x, float y, float z) { *x = y - floor(y); }
kernel void log_argument(global float *x, float y, float z) { *x = native_log2(y); }
kernel void exp_argument(global float *x, float y, float z) { *x = native_exp2(y); }
kernel void recip_argument(global float *x, float y, float z) { *x = native_recip(y); }
kernel void sqrt_argument(global float *x, float y, float z) { *x = native_sqrt(y); }
kernel void rsqrt_argument(global float *x, float y, float z) { *x = native_rsqrt(y); }
kernel void place_word(global short *x) { *x = (short)get_num_groups(1); }
kernel void both_ways(global float *data, global int *data2) {
    *data = *data2;
    *data2 = *data;
}
