// Variables, structs, unions, arrays, pointers, constants, local memory.
//: test structs
//: global 16
//: arg out int[16] = 0
//: expect out = i * 3 + 7 + i * i
typedef struct { int a; float4 v; struct { short s[3]; char c; } in; } S;
S make(int x) { S s; s.a = x; s.v = (float4)(x, x*2, 7, 0); s.in.s[0] = x; s.in.s[1] = x; s.in.s[2] = 1; s.in.c = 3; return s; }
void bump(S *p) { p->a += (int)p->v.y; p->in.s[2] *= p->a; }
__kernel void structs(__global int *out) {
    int i = get_global_id(0);
    S s = make(i), t;
    t = s;
    bump(&t);
    out[i] = t.a + (int)t.v.z + i * s.in.s[0];
}

//: test arrays
//: global 16
//: arg out int[16] = 0
//: expect out = i * 10 + 45 + (i % 5) * 11
__kernel void arrays(__global int *out) {
    int i = get_global_id(0);
    int a[10], b[5] = {0, 11, 22, 33, 44};
    for (int k = 0; k < 10; k++) a[k] = i + k;
    int s = 0;
    for (int k = 0; k < 10; k++) s += a[k];
    out[i] = s + b[i % 5];
}

//: test unions
//: global 16
//: arg out int[16] = 0
//: expect out = i * 65536 + 5
typedef union { uint u; ushort s[2]; float f; uchar4 c; } U;
__kernel void unions(__global int *out) {
    int i = get_global_id(0);
    U u;
    u.u = 0;
    u.s[0] = 5; u.s[1] = i;
    U w = u;
    out[i] = w.u;
}

//: test ptrs
//: global 16
//: arg out int[16] = 0
//: expect out = i + 9
void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
__kernel void ptrs(__global int *out) {
    int i = get_global_id(0), x = i, y = 9, *q = &y;
    swap(&x, q);
    int arr[3] = {x, y, 0};
    int *p = arr, *e = arr + 2;
    int s = 0;
    while (p < e) s += *p++;
    out[i] = s + (int)(e - p);
}

//: test consts
//: global 16
//: arg out int[16] = 0
//: expect out = i % 4 * 10 + 3 + i % 4
__constant int tbl[4] = {0, 10, 20, 30};
__constant struct { int a; __constant int *p; } cs = { 3, tbl };
__kernel void consts(__global int *out) {
    int i = get_global_id(0);
    __constant char *s = "\0\1\2\3";
    out[i] = cs.p[i & 3] + cs.a + s[i & 3];
}

//: test local
//: kernel locals
//: global 64
//: local 16
//: arg out int[64] = 0
//: expect out = i / 16 * 16 + (15 - i % 16)
__kernel void locals(__global int *out) {
    __local int t[16];
    int l = get_local_id(0);
    t[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[15 - l];
}

//: test krn
//: kernel outer
//: global 16
//: arg out int[16] = 0
//: expect out = i * 2
__kernel void inner(__global int *out, int k) { __local int z; if (get_local_id(0) == 0) z = k; barrier(CLK_LOCAL_MEM_FENCE); out[get_global_id(0)] += get_global_id(0) * z; }
__kernel void outer(__global int *out) { inner(out, 1); barrier(CLK_GLOBAL_MEM_FENCE); inner(out, 1); }

//: test v3
//: global 8
//: arg out float[24] = 0
//: arg in float[24] = i
//: expect out = in[i] * 2 + (i % 3)
__kernel void v3(__global float *out, __global float *in) {
    int i = get_global_id(0);
    float3 v = vload3(i, in);
    v = v * 2.0f + (float3)(0, 1, 2);
    vstore3(v, i, out);
}

//: test promoted
//: global 32
//: arg out int[32] = 0
//: expect out = i * 120 + 680
// Everything indexed by constants once the loops are unrolled.
__kernel void promoted(__global int *out) {
    int i = get_global_id(0), a[4][4], s = 0;
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++) a[r][c] = i + r * 4 + c;
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++) s += a[c][r] * (r * 4 + c);
    int t = 0;
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++) t += (r * 4 + c) * (c * 4 + r);
    out[i] = s - t + 680;
}

//: test packed
//: global 8
//: arg out int[8] = 0
//: expect out = i * 257 + 5
typedef struct __attribute__((packed)) { char c; int n; short s; } packed_type;
__kernel void packed(__global int *out) {
    int i = get_global_id(0);
    packed_type p[2];
    p[i & 1].c = 5;
    p[i & 1].n = i * 256;
    p[i & 1].s = i;
    out[i] = p[i & 1].c + p[i & 1].n + p[i & 1].s;
}

//: test by_value
//: global 8
//: arg out float[8] = 0
//: expect out = i + 6
typedef struct { float2 v; float w[2]; } pair;
pair twice(pair p) { p.v += p.v; p.w[1] *= 2; return p; }
__kernel void by_value(__global float *out) {
    int i = get_global_id(0);
    pair p = {(float2)(1, i), {1, 1}}, q = twice(p);
    out[i] = q.v.x + p.v.y + q.w[1] + p.w[1] + p.v.x;
}

//: test half_storage
//: global 16
//: arg out float[16] = 0
//: arg h half[16] = 15360 + i * 1024
//: expect out = (1 << i) + 1
__kernel void half_storage(__global float *out, __global half *h) {
    int i = get_global_id(0);
    out[i] = vload_half(i, h) + 1;
}
