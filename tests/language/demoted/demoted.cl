// Doubles on a device without double precision (guide 3.1.1.1): floats in 64 bits.

struct mixed {
    char c;
    double d;
    int i;
};

constant double table[3] = {0.5, 1.0 / 3.0, -3};

kernel void arithmetic(global float *out, global const float *a, float b) {
    int i = get_global_id(0);
    double x = a[i], y = b;
    out[i] = x * y + table[i % 3];
}
//: test arithmetic
//: global 32
//: arg out float[32] = 0
//: arg a float[32] = i / 8.0
//: arg b float 1.5
//: ulp 1
//: expect out = i / 8.0 * 1.5 + (i % 3 == 0 ? 0.5 : i % 3 == 1 ? 1.0 / 3 : -3)

// A sum that only doubles could hold.
kernel void precision(global float *out, global const float *a) {
    int i = get_global_id(0);
    double x = a[i];
    x += 1e-9f;
    out[i] = x - a[i] == 0 ? 1 : 0;
}
//: test precision
//: global 8
//: arg out float[8] = 0
//: arg a float[8] = i + 1
//: expect out = 1

// The size stays: 64 bits a double, the float in the lower half, the upper half 0.
kernel void sizes(global int *out, global double *d) {
    int i = get_global_id(0);
    d[i] = i + 0.5;
    out[4 * i] = sizeof(double);
    out[4 * i + 1] = sizeof(struct mixed);
    out[4 * i + 2] = as_int2((long)as_long((double)2.0f)).x == as_int(2.0f);
    out[4 * i + 3] = sizeof(double3);
}
//: test sizes
//: global 4
//: arg out int[16] = 0
//: arg d float[8] = 9
//: expect out = i % 4 == 0 ? 8 : i % 4 == 1 ? 24 : i % 4 == 2 ? 1 : 32
//: expect d = i % 2 ? 0 : i / 2 + 0.5

kernel void reads(global float *out, global const double *d, double v) {
    int i = get_global_id(0);
    double2 pair = vload2(i, d);
    out[i] = pair.x + pair.y + v;
}
//: test reads
//: global 4
//: arg out float[4] = 0
//: arg d float[16] = i % 2 ? 77 : i / 2
//: arg v float2 100 77
//: expect out = 4 * i + 101

kernel void memory(global float *out, local double *l) {
    int i = get_local_id(0);
    double frame[8];
    struct mixed m = {1, i, 2};
    for (int n = 0; n < 8; n++) frame[n] = n * m.d;
    l[i] = frame[i & 7];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = l[i ^ 1] + frame[(i + 1) & 7];
}
//: test memory
//: global 16
//: local 16
//: arg out float[16] = 0
//: arg l local 128
//: expect out = (i % 2 ? (i - 1) * ((i - 1) % 8) : (i + 1) * ((i + 1) % 8)) + i * ((i + 1) % 8)

kernel void functions(global float *out, global int *whole) {
    int i = get_global_id(0);
    double x = i + 0.25;
    out[i] = sqrt(x * x) + fmin(x, 2.0) + (x > 3 ? select(x, -x, 0L) : 0.0) + pow(2.0, (double)i);
    whole[i] = convert_int_rte(x * 3) + (int)(x + (double)i) + isnan(x / 0.0 * 0.0);
}
//: test functions
//: global 8
//: arg out float[8] = 0
//: arg whole int[8] = 0
//: ulp 4
//: expect out = i + 0.25 + (i + 0.25 < 2 ? i + 0.25 : 2) + (i >= 3 ? i + 0.25 : 0) + pow(2, i)
//: expect whole = i * 3 + 1 + 2 * i + 1
