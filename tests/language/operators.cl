// Operators on scalars and vectors (6.3): comparisons give 1, of vectors -1; shifts go modulo the width.
//: versions 1.0 1.1 1.2

//: test comparisons
//: global 1
//: arg out int[16] = 5
//: expect out = {1, 0, -1, 0, 0, -1, -1, -1, 0, 0, -1, 1, 0, -1, 0, 0}
kernel void comparisons(global int *out) {
    int4 a = (int4)(1, 2, 3, 4), b = (int4)(1, 5, 9, 0);
    out[0] = a.x == b.x;
    out[1] = a.y == b.y;
    vstore4(a == b, 0, out + 2);
    int4 ge = a >= (int4)(1);
    out[5] = ge.x;
    out[6] = ge.y;
    out[7] = ge.w;
    float2 f = (float2)(1.0f, NAN);
    int2 unordered = f != f;
    out[8] = unordered.x;
    out[9] = (f == f).y;
    out[10] = unordered.y;
    out[11] = !0;
    int4 negated = !a;
    out[12] = negated.x;
    out[13] = (a && b).x;
    out[14] = (a && b).w;
    out[15] = (a != a || b != b).x;
}

//: test shifts
//: global 1
//: arg out int[8] = 5
//: arg n int 33
//: expect out = {2, 2, 4, -1, 128, 2, 1, 1}
kernel void shifts(global int *out, int n) {
    out[0] = 1 << n;
    out[1] = ((int2)(1) << (int2)(n)).x;
    uchar c = 1;
    uchar2 v = (uchar2)(1, 1);
    out[2] = (v << (uchar)(n - 23)).y; /* 10 modulo 8 */
    out[3] = -1 >> n;
    out[4] = (v << (uchar)(n - 26)).x;
    out[5] = (int)(1L << n >> 32);
    out[6] = (int)(1UL << (n + 31));
    out[7] = (c << n) >> 1;
}

//: test divisions
//: global 1
//: arg a int -7
//: arg zero int 0
//: arg out int[6] = 1
//: expect out = {-3, -1, 2147483644, 0, -2, 1}
kernel void divisions(int a, int zero, global int *out) {
    out[0] = a / 2;
    out[1] = a % 2;
    out[2] = (uint)a / 2u;
    int whatever = a / zero + a % zero + INT_MIN / (zero - 1); /* undefined, but nothing may happen */
    out[3] = whatever & 0;
    char4 c = (char4)(a) / (char4)(3);
    out[4] = c.z;
    out[5] = (int)(-5L % (a + 5)) + 2;
}

//: test ternary
//: global 1
//: arg out int[8] = 1
//: expect out = {1, 20, 3, 40, 7, 10, 20, 30}
kernel void ternary(global int *out) {
    int4 a = (int4)(1, 2, 3, 4), b = a * 10, c = (int4)(-1, 1, INT_MIN, 0);
    vstore4(c ? a : b, 0, out);
    out[4] = out[0] ? 7 : 8;
    int one = 1;
    int3 d = one ? (int3)(10, 20, 30) : (int3)(0);
    vstore3(d, 0, out + 5);
}

//: test short_circuit
//: global 64
//: arg out int[64] = 0
//: expect out = i % 2 ? (i % 3 ? 2 : 1) : (i % 3 ? 1 : 0)
kernel void short_circuit(global int *out) {
    int i = get_global_id(0), n = 0;
    if (i % 2 && (n++, i % 3)) n++;
    if (i % 2 == 0 && (i % 3 == 0 || n++ >= 0)) ;
    out[i] = n;
}

//: test scalar_widens
//: global 1
//: arg out float[4] = 0
//: arg s float 0.5
//: expect out = {1.5, 2.5, 3.5, 4.5}
kernel void scalar_widens(global float *out, float s) {
    float4 v = (float4)(1, 2, 3, 4);
    v += s;
    vstore4(v, 0, out);
}

//: test increments
//: global 1
//: arg out int[8] = 0
//: expect out = {1, 2, 3, 3, 4, 5, 6, 6}
kernel void increments(global int *out) {
    int2 v = (int2)(1, 2);
    int2 w = v++;
    out[0] = w.x;
    out[1] = w.y;
    ++v.y;
    v.y--;
    out[2] = v.x + 1;
    out[3] = v.y;
    int i = 4;
    out[4] = i++;
    out[5] = i++;
    out[6] = i--;
    out[7] = i + 1, i = 3;
}

//: test operands_before_xor
//: global 1
//: arg out int[8] = 0
//: expect out = {7, 4, 6, 1, 3, 2, 17, 5}
kernel void operands_before_xor(global int *out) {
    int a[3] = {5, 6, 7}, *p = a, i = 2;
    int2 v = (int2)(1, 2);
    out[0] = *p++ ^ i;
    out[1] = *p-- ^ i;
    out[2] = i++ ^ 4;
    int2 w = v++ ^ (int2)(0, 1);
    out[3] = w.x;
    out[4] = w.y;
    out[5] = i-- ^ (p == a);
    out[6] = sizeof(uint4) ^ 1;
    out[7] = vec_step(int4) ^ 1;
}

//: test sizes
//: global 1
//: arg out int[16] = 0
//: expect out = {1, 2, 4, 8, 4, 8, 16, 16, 4, 4, 4, 2, 64, 128, 1, 32}
kernel void sizes(global int *out) {
    int n = 0;
    out[n++] = sizeof(char);
    out[n++] = sizeof(short);
    out[n++] = sizeof(int);
    out[n++] = sizeof(long);
    out[n++] = sizeof(float);
    out[n++] = sizeof(float2);
    out[n++] = sizeof(float3);
    out[n++] = sizeof(float4);
    out[n++] = sizeof(size_t);
    out[n++] = sizeof(global int *);
    out[n++] = sizeof(char3);
    out[n++] = sizeof(half);
    out[n++] = sizeof(int16);
    out[n++] = sizeof(long16);
    out[n++] = sizeof(bool);
    out[n++] = sizeof(long3);
}
