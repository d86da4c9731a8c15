// Elements of several components that are handed on, as they are and not quite.
//: test floats
//: global 128
//: local 64
//: arg out float[512] = -1
//: arg in float[512] = i
//: expect out = i
__kernel void floats(__global float4 *out, __global const float4 *in)
{
    int i = get_global_id(0);
    out[i] = in[i];
}

//: test small
//: global 128
//: local 128
//: arg out uchar[2048] = 1
//: arg in uchar[2048] = i * 7
//: arg triples short[384] = -1
//: arg from short[384] = i * 3
//: expect out = i * 7
//: expect triples = i * 3
__kernel void small(__global uchar16 *out, __global const uchar16 *in, __global short *triples,
                    __global const short *from)
{
    int i = get_global_id(0);
    out[i] = in[i];
    vstore3(vload3(i, from), i, triples);
}

//: test changed
//: global 128
//: local 64
//: arg out int[512] = -1
//: arg before int[512] = -1
//: arg in int[512] = i
//: expect out = i % 4 == 1 ? 7 : i
//: expect before = i
__kernel void changed(__global int4 *out, __global int4 *before, __global const int4 *in)
{
    int i = get_global_id(0);
    int4 v = in[i];
    before[i] = v;
    v.y = 7;
    out[i] = v;
}

//: test turned
//: global 128
//: local 64
//: arg out int[512] = -1
//: arg in int[512] = i
//: expect out = i / 4 * 4 + 3 - i % 4
__kernel void turned(__global int4 *out, __global const int4 *in)
{
    int i = get_global_id(0);
    out[i] = in[i].wzyx;
}

//: test either
//: global 128
//: local 64
//: arg out int[512] = -1
//: arg in int[512] = i
//: arg other int[512] = -i
//: arg which int 1
//: expect out = -i
__kernel void either(__global int4 *out, __global const int4 *in, __global const int4 *other,
                     int which)
{
    int i = get_global_id(0);
    int4 v = in[i];
    if (which)
        v = other[i];
    out[i] = v;
}

//: test shifted
//: global 64
//: local 64
//: arg a int[260] = i
//: expect a = i < 4 ? i : i - 4
__kernel void shifted(__global int4 *a)
{
    int i = get_global_id(0);
    int4 v = a[i];
    barrier(CLK_GLOBAL_MEM_FENCE);
    a[i + 1] = v;
}

//: test iterations
//: global 128
//: local 64
//: arg out int[2048] = -1
//: arg in int[2048] = i
//: arg n int 500
//: expect out = i < 2000 ? i : -1
__kernel void iterations(__global int4 *out, __global const int4 *in, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = in[i];
}

// Sixteen bytes of every lane, far apart.
//: test bytes
//: global 128
//: local 128
//: arg out uchar[2048] = 0
//: arg in uchar[7040] = i * 7 & 255
//: arg words int[128] = i
//: expect out = ((i / 16 * 55 + i % 16) * 7 & 255) ^ 85
__kernel void bytes(__global uchar16 *out, __global const uchar *in, __global const int *words)
{
    int i = get_global_id(0);
    uchar16 v = *(__global const uchar16 *)(in + i * 55);
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[words[i]] = v ^ (uchar16)85;
}

// Some members of structures, side by side and not: what lies between them stays. The last group has a part of its
// work-items on.
//: test members
//: global 256
//: local 64
//: arg in int[256] = i * 7
//: arg n int 230
//: arg a int[1024] = 1000 + i
//: arg b int[1280] = 2000 + i
//: arg c long[1280] = 3000 + i
//: arg d int[512] = 4000 + i
//: expect a = i / 4 >= 230 || i % 4 == 3 ? 1000 + i : i / 4 * 7 * (i % 4 + 1)
//: expect b = i / 5 >= 230 || i % 5 == 1 ? 2000 + i : i / 5 * 7 + i % 5
//: expect c = i / 5 >= 230 || i % 5 != 3 ? 3000 + i : i / 5 * 7
//: expect d = i / 2 < 26 || i % 2 == 0 ? 4000 + i : (255 - i / 2) * 7
struct four { int x[4]; };
struct five { int x[5]; };
kernel void members(global const int *in, int n, global struct four *a, global struct five *b, global long *c,
                    global int *d)
{
    int i = get_global_id(0), v = in[i];
    if (i < n) {
        a[i].x[0] = v;
        a[i].x[1] = v * 2;
        a[i].x[2] = v * 3;
        b[i].x[0] = v;
        b[i].x[2] = v + 2;
        b[i].x[3] = v + 3;
        b[i].x[4] = v + 4;
        c[5 * i + 3] = v;
        d[2 * (255 - i) + 1] = v;
    }
}

//: test triples
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg in int[384] = i
//: arg bytes uchar[384] = i
//: expect out = 9 * i + 3 + (3 * i) % 256 + (3 * i + 1) % 256 + (3 * i + 2) % 256
__kernel void triples(__global int *out, __global const int *in, __global const uchar *bytes)
{
    int i = get_global_id(0);
    int3 v = vload3(i, in);
    uchar3 b = vload3(i, bytes);
    out[i] = v.x + v.y + v.z + b.x + b.y + b.z;
}

//: test wide
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg in int[1024] = i
//: expect out = 64 * i + 28
__kernel void wide(__global int *out, __global const int8 *in)
{
    int i = get_global_id(0);
    int8 v = in[i];
    out[i] = v.s0 + v.s1 + v.s2 + v.s3 + v.s4 + v.s5 + v.s6 + v.s7;
}

// Some lanes on: in a row, further apart, down.
//: test some
//: global 128
//: local 64
//: arg out int[512] = -1
//: arg gaps int[512] = -1
//: arg down int[256] = -1
//: arg in int[512] = i
//: expect out = i / 4 % 3 == 1 ? -1 : i
//: expect gaps = i / 4 % 3 == 1 || i % 4 > 1 ? -1 : i + 2
//: expect down = i / 2 % 3 == 0 ? -1 : 254 - i / 2 * 2 + i % 2
__kernel void some(__global int4 *out, __global int2 *gaps, __global int2 *down,
                   __global const int *in)
{
    int i = get_global_id(0), back = 127 - i;
    if (i % 3 != 1) {
        out[i] = vload4(i, in);
        gaps[2 * i] = vload2(2 * i + 1, in);
    }
    if (back % 3)
        down[back] = vload2(i, in);
}

// Volatile ones, all of whose components are stored, some lanes off.
//: test seen
//: global 128
//: local 64
//: arg out int2[128] = -1
//: arg in int2[128] = i
//: arg n int 100
//: expect out = i < 200 ? i + 1 : -1
__kernel void seen(__global volatile int2 *out, __global volatile int2 *in, int n)
{
    int i = get_global_id(0);
    if (i < n) out[i] = in[i] + 1;
}

// Volatile ones of which one component is.
//: test seen_in_part
//: global 64
//: local 64
//: arg out int[128] = -1
//: arg in int[128] = i
//: expect out = i % 2 == 0 ? i + 1 : -1
__kernel void seen_in_part(__global volatile int *out, __global volatile int *in)
{
    int i = get_global_id(0);
    out[2 * i] = in[2 * i + 1];
}

// What is volatile: all of it, and by some lanes.
//: test watched
//: global 160
//: local 80
//: arg out float[640] = -1
//: arg some uchar[640] = 9
//: arg in float[640] = i
//: arg n int 139
//: expect out = i * 2
//: expect some = i < 139 * 4 ? i * 2 : 9
__kernel void watched(__global volatile float4 *out, __global volatile uchar4 *some,
                      __global const volatile float4 *in, int n)
{
    int i = get_global_id(0);
    float4 v = in[i] * 2;
    out[i] = v;
    if (i < n) some[i] = convert_uchar4(convert_int4(v) & 255);
}
