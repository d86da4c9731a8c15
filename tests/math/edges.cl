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
