// Doubles, under cl_khr_fp64.
//: requires doubles
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

//: test arithmetic
//: global 4
//: arg a double[4] = i + 0.25
//: arg out double[4] = 0
//: expect out = (i + 0.25) * (i + 0.25) / 3 + 1e-300
kernel void arithmetic(global const double *a, global double *out) {
    int i = get_global_id(0);
    out[i] = a[i] * a[i] / 3 + 1e-300;
}

//: test denormals
//: global 1
//: arg tiny double 1e-310
//: arg out double[2] = 0
//: expect out = {5e-311, 2e-310}
kernel void denormals(double tiny, global double *out) {
    out[0] = tiny / 2;
    out[1] = tiny + tiny;
}

//: test vectors
//: global 1
//: arg out double[4] = 0
//: expect out = {4, 9, 16, 1}
kernel void vectors(global double *out) {
    double3 v = (double3)(2, 3, 4);
    vstore3(v * v, 0, out);
    long3 less = v < 3.5;
    out[3] = less.y == -1L && less.z == 0;
}

// Operators on vectors of every length give what they give of each component.
#define LENGTH(N)                                                           \
    int wrong##N(double##N a, double##N b) {                                \
        private double *x = (private double *)&a, *y = (private double *)&b; \
        double##N sum = a + b, product = a * b, quotient = a / b, less = -a, chosen = a < b ? a : b; \
        double##N by_scalar = a * x[1];                                     \
        long##N smaller = a < b, same = a == a, differ = a != b;            \
        int wrong = 0;                                                      \
        _Pragma("unroll 1") for (int c = 0; c < N; c++) {                   \
            wrong += ((private double *)&sum)[c] != x[c] + y[c];            \
            wrong += ((private double *)&product)[c] != x[c] * y[c];        \
            wrong += ((private double *)&quotient)[c] != x[c] / y[c];       \
            wrong += ((private double *)&less)[c] != -x[c];                 \
            wrong += ((private double *)&chosen)[c] != (x[c] < y[c] ? x[c] : y[c]); \
            wrong += ((private double *)&by_scalar)[c] != x[c] * x[1];      \
            wrong += ((private long *)&smaller)[c] != (x[c] < y[c] ? -1 : 0); \
            wrong += ((private long *)&same)[c] != -1;                      \
            wrong += ((private long *)&differ)[c] != (x[c] != y[c] ? -1 : 0); \
        }                                                                   \
        return wrong;                                                       \
    }
LENGTH(2) LENGTH(3) LENGTH(4) LENGTH(8) LENGTH(16)

//: test lengths
//: global 8
//: arg in double[40] = (i - 19.5) * (i % 5 + 0.3)
//: arg out int[40] = -1
//: expect out = 0
kernel void lengths(global const double *in, global int *out) {
    int i = get_global_id(0);
    global const double *a = in + i, *b = in + 16 + i;
    out[5 * i] = wrong2(vload2(0, a), vload2(0, b));
    out[5 * i + 1] = wrong3(vload3(0, a), vload3(0, b));
    out[5 * i + 2] = wrong4(vload4(0, a), vload4(0, b));
    out[5 * i + 3] = wrong8(vload8(0, a), vload8(0, b));
    out[5 * i + 4] = wrong16(vload16(0, a), vload16(0, b));
}

//: test reinterpreted
//: global 1
//: arg out long[6] = 0
//: expect out = {4607182418800017408, 2, 3, 1, 1072693248, 0}
kernel void reinterpreted(global long *out) {
    out[0] = as_long(1.0);
    out[1] = as_long3(as_double3((long3)(1, 2, 3))).y;
    out[2] = as_long4(as_double4((long4)(1, 2, 3, 4))).z;
    out[3] = as_double(as_int2(1.0)) == 1.0;
    out[4] = as_int2(1.0).y;
    out[5] = as_int2(1.0).x;
}
