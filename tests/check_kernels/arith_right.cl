//: test guarded
//: global 8
//: local 8
//: arg sum int[8] = 10 * i
//: arg count int[8] = i % 4
//: arg out int[8] = 0
kernel void guarded(global const int *sum, global const int *count, global int *out) {
    int i = get_global_id(0);
    out[i] = count[i] ? sum[i] / count[i] : 0;
    if (count[i]) out[i] += sum[i] % count[i];
    if (count[i] > 0 && sum[i] / count[i] > 3) out[i]++;
}

//: test in_a_loop_that_may_not_run
//: global 8
//: local 8
//: arg count int[8] = i % 4
//: arg out int[8] = 0
kernel void in_a_loop_that_may_not_run(global const int *count, global int *out) {
    int i = get_global_id(0), n = count[i], sum = 0;
    for (int j = 0; j < n; j++) sum += j + 100 / n;
    out[i] = sum;
}

//: test saturated
//: global 8
//: local 8
//: arg in float[8] = (i - 4) * 1000000000
//: arg out int[16] = 0
kernel void saturated(global const float *in, global int *out) {
    int i = get_global_id(0);
    out[i] = convert_int_sat(in[i]);
    out[i + 8] = convert_uchar_sat(in[i]);
}

//: test clamped
//: global 8
//: local 8
//: arg in float[8] = (i - 4) * 100
//: arg out uchar[8] = 0
kernel void clamped(global const float *in, global uchar *out) {
    int i = get_global_id(0);
    out[i] = (uchar)clamp(in[i], 0.0f, 255.0f);
}

//: test cut_towards_zero
//: global 4
//: local 4
//: arg in float[4] = 0 - i / 4.0
//: arg out uint[4] = 0
kernel void cut_towards_zero(global const float *in, global uint *out) {
    int i = get_global_id(0);
    out[i] = (uint)in[i];
}

//: test edges
//: global 4
//: local 4
//: arg out int[12] = 0
//: arg least float -2147483648
kernel void edges(global int *out, float least) {
    int i = get_global_id(0);
    out[i] = (int)least;
    out[i + 4] = (int)(2147483520.0f - i);
    out[i + 8] = (char)(-128.5f + i);
}

//: test by_its_width_less_one
//: global 4
//: local 4
//: arg out int[8] = 0
kernel void by_its_width_less_one(global int *out) {
    int i = get_global_id(0);
    out[i] = 1 << (28 + i);
    out[i + 4] = (int)(rotate(7u, (uint)(30 + i)) >> (28 + i));
}

//: test least_by_others
//: global 4
//: local 4
//: arg in int[4] = -2147483648
//: arg out int[4] = 0
kernel void least_by_others(global const int *in, global int *out) {
    int i = get_global_id(0);
    out[i] = in[i] / (i + 1) + in[i] % (i - 7) + (in[i] + 1) / -1;
}

//: test by_constants
//: global 8
//: local 8
//: arg out int[8] = 0
kernel void by_constants(global int *out) {
    int i = get_global_id(0);
    out[i] = i / 3 + i % 8 + (i - 5) / 4 + (i << 31 >> 31) + (int)(i / 2.0f);
}

//: test floats_by_zero
//: global 4
//: local 4
//: arg out float[4] = 0
kernel void floats_by_zero(global float *out) {
    int i = get_global_id(0);
    out[i] = 1.0f / i;
    out[i] = isinf(out[i]) ? 0 : fmod(out[i], (float)i);
}
