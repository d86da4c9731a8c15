// SIMTCL_EXACT=gpu: single precision with the bits of compute capability 1.x (guide A.2).

// The product is 1.5 + 1.5 e: FMAD cuts it to 1.5 + e, rounding makes it 1.5 + 2 e.
kernel void cut(global uint *out, uint a, uint b, float c, float zero) {
    float x = as_float(a), y = as_float(b);
    out[0] = as_uint(mad(x, y, c));
    out[1] = as_uint(x * y + c);
    out[2] = as_uint(c + x * y);
    out[3] = as_uint(x * y - -c);
    out[4] = as_uint(-c - x * y);
    out[5] = as_uint(mad(x, y, zero)); // as a product and a sum
    out[6] = as_uint(x * y);
    out[7] = as_uint(fma(x, y, c));
}
//: test cut
//: global 1
//: arg out uint[8] = 9
//: arg a uint 0x3f800001
//: arg b uint 0x3fc00000
//: arg c float -1.5
//: arg zero float 0
//: expect out = {0x34000000, 0x34000000, 0x34000000, 0x34000000, 0xb4000000, 0x3fc00002, 0x3fc00002, 0x34400000}

// The exponent of the product is kept: it neither overflows nor underflows.
kernel void exponents(global float *out, float large, float small) {
    out[0] = mad(large, large, -large * 0x1p63f);
    out[1] = mad(-large, large, INFINITY);
    out[2] = mad(small, small, 1.0f);
    out[3] = mad(large, -large, 0.0f);
    out[4] = mad(small, small * 0x1p62f, as_float(1u)); // a denormal: 0 is added
    out[5] = mad(large, small, as_float(0x807fffffu));
}
//: test exponents
//: global 1
//: arg out float[6] = 9
//: arg large float 0x1p64
//: arg small float 0x1p-64
//: expect out = {0x1p127, inf, 1, -inf, 0x1p-66, 1}

kernel void nans(global uint *out, float zero, uint nan, float one) {
    float n = as_float(nan);
    out[0] = as_uint(zero / zero);
    out[1] = as_uint(sqrt(-one));
    out[2] = as_uint(one / zero - one / zero);
    out[3] = as_uint(n * one);
    out[4] = as_uint(mad(n, one, one));
    out[5] = as_uint(n); // what computes nothing passes it through
    out[6] = as_uint(fabs(n));
    out[7] = as_uint(-n);
    out[8] = as_uint(-(n + one));
    out[9] = as_uint(fmax(n, one));
    out[10] = as_uint(fmin(n, n));
    out[11] = as_uint(log(-one));
    float sum = n;
    for (int i = 0; i < 3; i++) sum += one;
    out[12] = as_uint(sum);
    out[13] = as_uint(floor(n));
}
//: test nans
//: global 1
//: arg out uint[14] = 9
//: arg zero float 0
//: arg nan uint 0xffc12345
//: arg one float 1
//: expect out = {0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0xffc12345, 0x7fc12345, 0x7fc12345, 0xffffffff, 0x3f800000, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff}

// x/y within 2 ulp, sqrt within 3 (B.1.1).
kernel void quotients(global float *q, global float *s, global const float *a) {
    int i = get_global_id(0);
    q[i] = a[i] / (i + 3);
    s[i] = sqrt(a[i]);
}
//: test quotients
//: global 64
//: arg q float[64] = 0
//: arg s float[64] = 0
//: arg a float[64] = i * i * 1.37 + 0.1
//: ulp 3
//: expect q = a[i] / (i + 3)
//: expect s = sqrt(a[i])

kernel void ends(global float *out, float huge, float zero, float one) {
    out[0] = huge / huge;
    out[1] = one / huge; // would be a denormal
    out[2] = 4 / huge;
    out[3] = one / zero;
    out[4] = one / -zero;
    out[5] = zero / huge;
    out[6] = one / (huge + huge);
    out[7] = huge / 0x1p-126f;
    out[8] = sqrt(zero);
    out[9] = sqrt(one / zero);
    out[10] = 1 / sqrt(-zero);
    out[11] = sqrt(16 * one);
}
//: test ends
//: global 1
//: arg out float[12] = 9
//: arg huge float 0x1p127
//: arg zero float 0
//: arg one float 1
//: expect out = {1, 0, 0x1p-125, inf, -inf, 0, 0, inf, 0, inf, -inf, 4}

kernel void clamps(global int *out, float huge, uint nan) {
    out[0] = (int)huge;
    out[1] = (int)-huge;
    out[2] = (int)as_float(nan);
    out[3] = (int)(uint)huge;
    out[4] = (int)(uint)-huge;
    out[5] = (char)convert_char_sat(huge);
}
//: test clamps
//: global 1
//: arg out int[6] = 9
//: arg huge float 1e20
//: arg nan uint 0x7fc00000
//: expect out = {0x7fffffff, -0x80000000, 0, -1, 0, 127}

// Floats are flushed where doubles, which keep their denormals, are computed too.
kernel void flushed(global uint *out, global double *d, uint tiny, uint least) {
    float t = as_float(tiny), l = as_float(least);
    out[0] = as_uint(t * 0x1p20f);
    out[1] = as_uint(l * 0.5f);
    out[2] = as_uint(-l * 0.5f);
    out[3] = t > 0;
    out[4] = as_uint(mad(t, 0x1p40f, l));
    out[5] = as_uint(t);
    d[0] = l * 0x1p-900;
    d[1] = d[0] * 0x1p-20 * 0x1p20;
}
//: requires doubles
//: test flushed
//: global 1
//: arg out uint[6] = 9
//: arg d double[2] = 9
//: arg tiny uint 0x00400000
//: arg least uint 0x00800000
//: expect out = {0, 0, 0x80000000, 0, 0x00800000, 0x00400000}
//: expect d = {0x1p-1026, 0x1p-1026}
