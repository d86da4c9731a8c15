// Vectors (6.1.6, 6.1.7): literals, components as values and as targets, vectors of three.
//: versions 1.0 1.1 1.2

//: test literals
//: global 1
//: arg out int[16] = -1
//: expect out = i < 12 ? i : 3
kernel void literals(global int *out) {
    int2 a = (int2)(0, 1);
    int4 b = (int4)(a, 2, 3), c = (int4)(4, (int2)(5, 6), 7), d = (int4)((int3)(8, 9, 10), 11);
    vstore16((int16)(b, c, d, (int4)(3)), 0, out);
}

// A cast stands before a cast, and in brackets an operand.
//: test casts_of_casts
//: global 1
//: arg out int[24] = -1
//: expect out = {44, 44, 7, 7, 7, 7, 300, 300, 300, 300, 44, 44, 44, 44, 5, 5, 5, 5, 1, 1, 1, 1, 6, 6}
typedef uchar byte_t;
typedef const byte_t small_t, *small_ptr;
typedef int quad_t __attribute__((ext_vector_type(4)));
kernel void casts_of_casts(global int *out) {
    int x = out[0] + 301, seven = 7;
    vstore2((int2)(uchar)x, 0, out);
    vstore4((int4)(seven), 0, out + 2);
    vstore4((int4)(unsigned short)(x), 0, out + 6);
    vstore4((quad_t)(small_t)x, 0, out + 10);
    vstore4((quad_t)(int4)(5), 0, out + 14);
    vstore4((int4)(bool)-x, 0, out + 18);
    vstore2((int2)(const int)seven-1, 0, out + 22);
}

//: test swizzles
//: global 1
//: arg out int[16] = -1
//: expect out = {4, 3, 2, 1, 1, 3, 2, 4, 3, 4, 2, 2, 1, 1, 16, 10}
kernel void swizzles(global int *out) {
    int4 v = (int4)(1, 2, 3, 4);
    vstore4(v.wzyx, 0, out);
    vstore2(v.even, 2, out);
    vstore2(v.odd, 3, out);
    vstore2(v.hi, 4, out);
    vstore4(v.s1100, 0, out + 10);
    int16 w = (int16)(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    out[14] = w.sF;
    out[15] = w.hi.odd.lo.x;
}

//: test targets
//: global 1
//: arg out int[16] = -1
//: expect out = {10, 2, 30, 4, 4, 3, 2, 1, 1, 1, 7, 8, 1, 9, 3, 9}
kernel void targets(global int *out) {
    int4 v = (int4)(1, 2, 3, 4);
    int4 a = v, b = v, c = v, d = v;
    a.xz *= 10;
    b.wzyx = v;
    c.hi = (int2)(7, 8);
    c.lo = c.xx;
    d.odd = 9;
    vstore4(a, 0, out);
    vstore4(b, 1, out);
    vstore4(c, 2, out);
    vstore4(d, 3, out);
}

//: test swap
//: global 1
//: arg out int[4] = 0
//: expect out = {2, 1, 4, 3}
kernel void swap(global int *out) {
    int4 v = (int4)(1, 2, 3, 4);
    v.xyzw = v.yxwz;
    vstore4(v, 0, out);
}

//: test memory
//: global 4
//: arg p float4[4] = i
//: arg out float[4] = 0
//: expect out = 4 * i + 2 + 100
//: expect p = i % 4 == 1 ? i - 1 : i % 4 == 2 ? i + 100 : i
kernel void memory(global float4 *p, global float *out) {
    int i = get_global_id(0);
    p[i].z += 100;
    p[i].y = p[i].x;
    out[i] = p[i].z;
}

//: test threes
//: global 4
//: arg in float4[4] = i
//: arg out float[12] = 0
//: expect out = 2 * (i / 3 * 4 + i % 3)
kernel void threes(global float3 *in, global float *out) {
    int i = get_global_id(0);
    float3 v = in[i];
    v.xyz += in[i];
    vstore3(v, i, out);
}

//: test kept
//: global 2
//: arg io int4[2] = 7
//: expect io = i % 4 == 3 ? 7 : 1
kernel void kept(global int3 *io) { io[get_global_id(0)] = (int3)(1); }

//: test reinterpreted
//: global 1
//: arg out int[8] = 0
//: expect out = {1065353216, 1, 2, 3, 258, 1, 2, 3}
kernel void reinterpreted(global int *out) {
    out[0] = as_int(1.0f);
    int4 a = as_int4((int3)(1, 2, 3));
    vstore3(a.xyz, 0, out + 1);
    out[4] = as_short((char2)(2, 1));
    uchar4 c = as_uchar4(0x04030201);
    out[5] = c.x;
    out[6] = as_short2(as_float(0x00020001)).y;
    out[7] = c.z;
}

//: test stepped
//: global 1
//: arg out int[4] = 0
//: expect out = {4, 4, 1, 16}
kernel void stepped(global int *out) {
    out[0] = vec_step(int3);
    out[1] = vec_step(float4);
    out[2] = vec_step(int);
    char16 c;
    out[3] = vec_step(c);
}
