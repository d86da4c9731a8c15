// Near the largest numbers, in double precision.
//: requires doubles

//: test hyperbolic
//: global 1
//: arg x double 710.0
//: arg out double[2] = 0
//: ulp 4
//: expect out = {1.1169973830808557e+308, -1.1169973830808557e+308}
kernel void hyperbolic(double x, global double *out) {
    out[0] = cosh(-x);
    out[1] = sinh(-x);
}

//: test overflow
//: global 2
//: arg x double[2] = i ? 25000 : 711
//: arg out double[4] = 0
//: expect out = {inf, -inf, inf, -inf}
kernel void overflow(global const double *x, global double *out) {
    int i = get_global_id(0);
    out[2 * i] = cosh(-x[i]);
    out[2 * i + 1] = sinh(-x[i]);
}

//: test largest_power
//: global 1
//: arg x double -1.7976931348623157e308
//: arg out double[5] = 0
//: ulp 2
//: expect out = {-1.7976931348623157e308, -1.7976931348623157e308, 1.7976931348623157e308, inf, -1.7976931348623157e308}
kernel void largest_power(double x, global double *out) {
    out[0] = pow(x, 1.0);
    out[1] = pown(x, 1);
    out[2] = powr(-x, 1.0);
    out[3] = pow(x, 2.0);
    out[4] = rootn(x, 1);
}

//: test denormal_roots
//: global 1
//: arg x double 8e-320
//: arg out int[1] = 0
//: expect out = 1
kernel void denormal_roots(double x, global int *out) {
    double r = rootn(x, 3), s = rootn(x, -3);
    out[0] = fabs(r * 0x1p200 * (r * 0x1p200) * (r * 0x1p200) / (x * 0x1p600) - 1) < 1e-14 && fabs(r * s - 1) < 1e-14;
}

// Where a kernel uses doubles, single precision keeps denormals; the special function unit does not.
//: test native_rsqrt_beside_doubles
//: global 32
//: arg least float 1.17549435e-38
//: arg out float[64] = 0
//: expect out = i < 32 ? inf : 0.5
kernel void native_rsqrt_beside_doubles(float least, global float *out) {
    int i = get_global_id(0);
    double part = (i + 1) / 64.0;
    out[i] = native_rsqrt((float)(least * part));
    out[i + 32] = native_rsqrt(4 + (i >> 5));
}
