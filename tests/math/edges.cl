// Edge cases of 7.5.1 that programs meet, and denormals of single precision.

//: test edges
//: global 1
//: arg zero float 0
//: arg inf float inf
//: arg out int[16] = 0
//: expect out = 1
kernel void edges(float zero, float inf, global int *out) {
    int n = 0;
    float nan_ = inf - inf;
    out[n++] = pow(zero, zero) == 1;
    out[n++] = isnan(powr(zero, zero));
    out[n++] = pow(nan_, zero) == 1;
    out[n++] = fmin(nan_, 1.0f) == 1;
    out[n++] = fmax(1.0f, nan_) == 1;
    out[n++] = signbit(sqrt(-zero));
    out[n++] = isnan(sqrt(-1.0f - zero));
    out[n++] = atan2(zero, -inf) == M_PI_F;
    out[n++] = log(zero) == -inf;
    out[n++] = exp(-inf) == 0;
    out[n++] = tanpi(zero) == 0;
    out[n++] = rootn(-8.0f - zero, 3) == -2;
    out[n++] = 1 / zero == inf && 1 / -zero == -inf;
    out[n++] = rint(2.5f + zero) == 2 && round(2.5f + zero) == 3 && round(-2.5f - zero) == -3;
    out[n++] = fmod(inf, 2.0f) != fmod(inf, 2.0f);
    out[n++] = ilogb(8.0f + zero) == 3 && nextafter(1.0f + zero, 2.0f) == 1.0f + FLT_EPSILON;
}

// Near a multiple of pi: -0x1.3d65dfff736f6p-23 before rounding. Every other lane is small.
//: test large_angles
//: global 64
//: arg x float 0x1.8dc776p+85
//: arg out int[64] = 0
//: expect out = 3
kernel void large_angles(float x, global int *out) {
    int i = get_global_id(0);
    float angle = i % 2 ? 0.0f : x, c, s = sincos(angle, &c);
    int wanted = i % 2 ? 0 : as_int(-0x1.3d65ep-23f);
    out[i] = (abs_diff(as_int(sin(angle)), wanted) <= 1) + (abs_diff(as_int(tan(angle)), wanted) <= 1) +
             (cos(angle) == 1 && c == 1 && as_int(s) == as_int(sin(angle)));
}

//: test flushed
//: global 1
//: arg least float 1.17549435e-38
//: arg out float[3] = 5
//: expect out = {0, 0, 1.17549435e-38f}
kernel void flushed(float least, global float *out) {
    out[0] = least / 2;
    out[1] = least * 0.5f + 0.0f;
    out[2] = least;
}

//: test hyperbolic
//: global 1
//: arg x float 89.4
//: arg out int[1] = 0
//: expect out = 1
kernel void hyperbolic(float x, global int *out) {
    float c = cosh(x);
    out[0] = isfinite(c) && c > 3e38f && sinh(-x) == -c;
}

//: test large_hypot
//: global 1
//: arg x float -1.9059e36
//: arg y float 1.28604e38
//: arg out float[1] = 0
//: ulp 4
//: expect out = sqrt(1.9059e36 * 1.9059e36 + 1.28604e38 * 1.28604e38)
kernel void large_hypot(float x, float y, global float *out) { out[0] = hypot(x, y); }

//: test denormals
//: global 1
//: arg bits int 1049088
//: arg negative int -2147483647
//: arg out float[4] = 5
//: arg e int[1] = 5
//: expect out = 0
//: expect e = 0
kernel void denormals(int bits, int negative, global float *out, global int *e) {
    float x = as_float(bits), y = as_float(negative);
    out[0] = frexp(x, e);
    out[1] = fmax(x, y);
    out[2] = fmin(x, y);
    out[3] = maxmag(x, y) + minmag(y, x);
}

//: test extremes
//: global 1
//: arg bits int 1049088
//: arg zero float 0
//: arg out int[8] = 5
//: expect out = {0, 0x80000000, 0, 0x80000000, 0, 0x80000000, 0x80000000, 0}
kernel void extremes(int bits, float zero, global int *out) {
    float denormal = as_float(bits), negative = as_float(bits | 1 << 31);
    out[0] = as_int(fmin(zero, -zero)); // of two zeros the first
    out[1] = as_int(fmin(-zero, zero));
    out[2] = as_int(fmax(denormal, negative)); // as if they were zeros
    out[3] = as_int(fmax(negative, denormal));
    out[4] = as_int(fmax(denormal, nan(0u)));
    out[5] = as_int(fmin(nan(0u), negative));
    out[6] = as_int(fmin(negative, 1 + zero));
    out[7] = as_int(max(denormal, zero - 1));
}

//: test native_edges
//: global 1
//: arg zero float 0
//: arg inf float inf
//: arg out int[16] = 0
//: expect out = 1
kernel void native_edges(float zero, float inf, global int *out) {
    int n = 0;
    out[n++] = native_exp(inf) == inf && native_exp(89 + zero) == inf && native_exp(88.72f + zero) < inf;
    out[n++] = native_exp(-inf) == 0 && native_exp(-88 + zero) == 0 && native_exp(-87.33f + zero) > 0;
    out[n++] = native_exp2(128 + zero) == inf && native_exp2(zero - 126) == FLT_MIN;
    out[n++] = native_exp10(39 + zero) == inf && native_exp10(zero - 38) == 0;
    out[n++] = isnan(native_exp(inf - inf)) && isnan(native_exp2(inf - inf)) && isnan(native_exp10(inf - inf));
    out[n++] = native_log(zero) == -inf && native_log2(-zero) == -inf && native_log(FLT_MIN / 2 + zero) == -inf;
    out[n++] = native_log(inf) == inf && native_log2(inf) == inf && native_log10(inf) == inf;
    out[n++] = isnan(native_log(zero - 1)) && isnan(native_log(-inf)) && isnan(native_log(inf - inf));
    out[n++] = native_log2(FLT_MIN + zero) == -126 && native_log2(1 + zero) == 0;
    out[n++] = isnan(native_sin(inf)) && isnan(native_cos(-inf)) && isnan(native_sin(inf - inf));
    out[n++] = fabs(native_sin(1e30f + zero)) <= 1 && fabs(native_cos(zero - 1e9f)) <= 1;
    out[n++] = native_powr(2 + zero, 10) == 1024 && native_powr(zero, 2) == 0 && native_powr(2, inf) == inf;
    out[n++] = native_rsqrt(zero) == inf && native_rsqrt(-zero) == -inf && native_rsqrt(inf) == 0;
    out[n++] = native_rsqrt(as_float((int)zero + 0x7fffff)) == inf && native_rsqrt(as_float((int)zero | 0x80000001)) == -inf;
    out[n++] = isnan(native_rsqrt(zero - 1)) && isnan(native_rsqrt(-inf)) && isnan(native_rsqrt(inf - inf));
    out[n++] = native_rsqrt(FLT_MIN + zero) == 0x1p63f && native_rsqrt(4 + zero) == 0.5f && native_rsqrt(0x1p126f + zero) == 0x1p-63f;
}

//: test lgamma_large
//: global 1
//: arg zero float 0
//: arg out int[5] = 0
//: expect out = 1
kernel void lgamma_large(float zero, global int *out) {
    float last = 0x1.895f1ap+121f, value;
    int sign = 0;
    out[0] = lgamma(last + zero) < INFINITY && lgamma(last + zero) > 0x1.fffep+127f;
    out[1] = lgamma(0x1.895f1cp+121f + zero) == INFINITY;
    value = lgamma_r(0x1.86993cp+121f + zero, &sign);
    out[2] = value > 0x1.fp+127f && value < INFINITY && sign == 1;
    out[3] = isinf(lgamma(INFINITY + zero));
    out[4] = isnan(lgamma(NAN + zero));
}
