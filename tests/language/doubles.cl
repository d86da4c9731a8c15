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
