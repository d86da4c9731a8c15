// Lanes that go down through memory: rows that are turned, whole, in part and as pairs.
//: test words
//: global 128
//: local 64
//: arg to float[128] = -1
//: arg from float[128] = i
//: arg back float[128] = -1
//: expect to = 127 - i
//: expect back = 127 - i
__kernel void words(__global float *to, __global const float *from, __global float *back)
{
    int i = get_global_id(0);
    to[127 - i] = from[i];
    back[i] = from[127 - i];
}

//: test guarded
//: global 128
//: local 64
//: arg to int[128] = -1
//: arg from int[128] = i
//: arg back int[128] = -1
//: arg n int 101
//: expect to = i < 101 ? 100 - i : -1
//: expect back = i < 101 ? 100 - i : -1
__kernel void guarded(__global int *to, __global const int *from, __global int *back, int n)
{
    int i = get_global_id(0);
    if (i >= n) return;
    to[n - 1 - i] = from[i];
    back[i] = from[n - 1 - i];
}

//: test odd_lanes
//: global 96
//: local 48
//: arg to int[96] = -1
//: arg from int[96] = i
//: expect to = i % 2 == 0 ? 95 - i : -1
__kernel void odd_lanes(__global int *to, __global const int *from)
{
    int i = get_global_id(0);
    if (i & 1) to[95 - i] = from[i];
}

//: test narrow_groups
//: global 32 8
//: local 16 4
//: arg to short[256] = -1
//: arg from short[256] = i
//: expect to = i / 32 * 32 + 31 - i % 32
__kernel void narrow_groups(__global short *to, __global const short *from)
{
    int x = get_global_id(0), y = get_global_id(1);
    to[y * 32 + 31 - x] = from[y * 32 + x];
}

//: test squares
//: global 16 16
//: local 8 8
//: arg to int[256] = -1
//: arg from int[256] = i
//: expect to = i / 16 * 16 + 15 - i % 16
__kernel void squares(__global int *to, __global const int *from)
{
    int x = get_global_id(0), y = get_global_id(1);
    to[y * 16 + x] = from[y * 16 + 15 - x];
}

//: test sizes
//: global 64
//: local 64
//: arg bytes uchar[64] = 0
//: arg from_bytes uchar[64] = i
//: arg longs long[64] = 0
//: arg from_longs long[64] = i * 3
//: expect bytes = 63 - i
//: expect longs = 189 - i * 3
__kernel void sizes(__global uchar *bytes, __global const uchar *from_bytes, __global long *longs,
                    __global const long *from_longs)
{
    int i = get_global_id(0);
    bytes[63 - i] = from_bytes[i];
    longs[i] = from_longs[63 - i];
}

//: test pairs
//: global 64
//: local 32
//: arg to int[128] = -1
//: arg from int[128] = i
//: arg back int[128] = -1
//: expect to = (63 - i / 2) * 2 + i % 2
//: expect back = (63 - i / 2) * 2 + i % 2
__kernel void pairs(__global int2 *to, __global const int2 *from, __global int2 *back)
{
    int i = get_global_id(0);
    to[63 - i] = from[i];
    back[i] = from[63 - i];
}

//: test every_second
//: global 64
//: local 32
//: arg to int[128] = -1
//: arg from int[128] = i
//: arg picked int[64] = -1
//: expect to = i % 2 ? -1 : 63 - i / 2
//: expect picked = 126 - i * 2
__kernel void every_second(__global int *to, __global const int *from, __global int *picked)
{
    int i = get_global_id(0);
    picked[i] = from[(63 - i) * 2];
    to[126 - i * 2] = i;
}

//: test every_third_guarded
//: global 64
//: local 32
//: arg from int[192] = i
//: arg picked int[64] = -1
//: arg n int 43
//: expect picked = i < 43 ? 126 - i * 3 : -1
__kernel void every_third_guarded(__global const int *from, __global int *picked, int n)
{
    int i = get_global_id(0);
    if (i < n) picked[i] = from[(n - 1 - i) * 3];
}

//: test locals
//: global 128
//: local 64
//: arg to int[128] = -1
//: arg from int[128] = i * 5
//: expect to = (i / 64 * 64 + 63 - i % 64) * 5
__kernel void locals(__global int *to, __global const int *from)
{
    __local int s[64];
    int i = get_global_id(0), l = get_local_id(0);
    s[63 - l] = from[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    to[i] = s[l];
}

//: test in_a_loop
//: global 64
//: local 32
//: arg sums int[64] = -1
//: arg from int[512] = i
//: arg n int 8
//: expect sums = 8 * (63 - i) + 64 * 28
__kernel void in_a_loop(__global int *sums, __global const int *from, int n)
{
    int sum = 0;
    for (int j = 0; j < n; j++) sum += from[j * 64 + 63 - get_global_id(0)];
    sums[get_global_id(0)] = sum;
}

// Cut off at both ends: warps at the edges have lanes that do not go down, others go down in a row; halves of words, too.
//: test cut
//: global 192
//: local 64
//: arg out int[192] = -1
//: arg in int[192] = i * 3
//: arg narrow short[192] = i
//: arg n int 192
//: expect out = (i < 5 ? 0 : i - 5) * 3 + (i > 188 ? 191 : i + 3) * 3 + (i < 2 ? 0 : i - 2)
__kernel void cut(__global int *out, __global const int *in, __global const short *narrow, int n)
{
    int i = n - 1 - get_global_id(0);
    out[i] = in[max(i - 5, 0)] + in[min(i + 3, n - 1)] + narrow[i < 2 ? 0 : i - 2];
}

// Stored so, too, by some lanes.
//: test cut_stores
//: global 192
//: local 64
//: arg out int[256] = -1
//: arg n int 192
//: expect out = i < 191 && i % 7 != 3 ? i + 1 : -1
__kernel void cut_stores(__global int *out, int n)
{
    int i = n - 1 - get_global_id(0);
    int to = max(i - 1, 0);
    if (i > 0 && to % 7 != 3) out[to] = i;
}
