// Indices that are cut off at an edge: warps none of whose lanes is have no test for each access, others do as they say.
//: test clamped
//: global 256
//: local 64
//: arg out int[256] = -1
//: arg in int[256] = i * i
//: arg n int 200
//: expect out = (i < 2 ? 0 : i > 201 ? 199 * 199 : (i - 2) * (i - 2)) + 3 * (i > 199 ? 199 * 199 : i * i) + 5 * (i > 196 ? 199 * 199 : (i + 3) * (i + 3))
//: test clamped_to_nothing
//: kernel clamped
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg in int[256] = i * i + 7
//: arg n int 1
//: expect out = 63
__kernel void clamped(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0);
    out[i] = in[clamp(i - 2, 0, n - 1)] + 3 * in[min(i, n - 1)] + 5 * in[min(max(i + 3, 0), n - 1)];
}

// By choices, in one dimension of two, with work-items from the last one down; and what is no edge but another value.
//: test chosen
//: global 96 8
//: local 32 4
//: arg out int[768] = -1
//: arg in int[768] = i
//: arg w int 96
//: expect out = (i / 96 * 96 + (i % 96 < 3 ? 0 : i % 96 - 3)) * 2 + i / 96 * 96 + (i % 96 + 4 >= 96 ? 95 : i % 96 + 4) + (i % 96 == 0 ? 5 : i - 1)
__kernel void chosen(__global int *out, __global const int *in, int w)
{
    int x = w - 1 - get_global_id(0), y = get_global_id(1);
    int left = x - 3, right = x + 4, before = y * w + x - 1;
    if (left < 0)
        left = 0;
    right = right < 0 || right >= w ? w - 1 : right;
    out[y * w + x] = in[y * w + left] * 2 + in[y * w + right] + in[x >= 1 ? before : 5];
}

// Mirrored at both ends, where what is chosen goes the other way.
//: test mirrored
//: global 160
//: local 32
//: arg out int[160] = -1
//: arg in int[160] = i * 3
//: arg n int 160
//: expect out = (i < 5 ? 5 - i : i - 5) * 3 + (i + 6 >= 160 ? 2 * 160 - 1 - (i + 6) : i + 6) * 3
__kernel void mirrored(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0), left = i - 5, right = i + 6;
    left = left < 0 ? -left : left;
    right = right >= n ? 2 * n - 1 - right : right;
    out[i] = in[left] + in[right];
}

// Without a sign, where i - 1 is the largest number; and numbers that wrap around between a warp's lanes.
//: test unsigned_
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg in int[128] = i + 1
//: arg n uint 128
//: arg far uint 2147483600
//: expect out = (i ? i : 128) + (i < 48 ? 128 : 1) * 1000
__kernel void unsigned_(__global int *out, __global const int *in, uint n, uint far)
{
    uint i = get_global_id(0);
    int large = (int)(i + far); /* negative from 48 on */
    out[i] = in[min(i - 1, n - 1)] + 1000 * in[clamp(large, 0, (int)n - 1)];
}

// Of 64 bits; bounds that change in a loop, and indices that do.
//: test in_loop
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg in int[128] = 1
//: arg n ulong 128
//: expect out = 36
__kernel void in_loop(__global int *out, __global const int *in, ulong n)
{
    size_t i = get_global_id(0);
    int sum = 0;
    for (int t = 0; t < 8; t++) {
        size_t at = min(i + (size_t)t, (size_t)n - 1);
        sum += in[at] * (t + 1);
    }
    out[i] = sum;
}

// An edge for each lane, which is none for the warp.
//: test own_edges
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg in int[64] = i
//: arg edge int[64] = i % 5 * 16
//: expect out = i < i % 5 * 16 ? i : i % 5 * 16 > 63 ? 63 : i % 5 * 16
__kernel void own_edges(__global int *out, __global const int *in, __global const int *edge)
{
    int i = get_global_id(0);
    out[i] = in[min(min(i, edge[i]), 63)];
}

// A condition that holds for the first lane and the last one, but not between them.
//: test between
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg in int[64] = i
//: arg low int 10
//: arg high int 20
//: expect out = i >= 10 && i < 20 ? 3 : i
__kernel void between(__global int *out, __global const int *in, int low, int high)
{
    int i = get_global_id(0);
    out[i] = in[i < low || i >= high ? i : 3];
}

// Several bounds of one register, of which the outermost says nothing of one that wraps around.
//: test wraps
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg in int[128] = i
//: expect out = (i < 4 ? 127 : i + 8) + (i + 16)
__kernel void wraps(__global int *out, __global const int *in)
{
    uint i = get_global_id(0), first = i - 4, second = i + 8;
    first = first >= 0xfffffffbu ? first : i + 8;
    second = second >= 0xfffffffbu ? second : i + 16;
    out[i] = in[min(first, 127u)] + in[min(second, 127u)];
}

// A loop that is written out, in one register, and a choice in one part of an `if`.
//: test rewritten
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg in int[128] = i
//: arg n int 128
//: arg turns int 1
//: expect out = (i == 0 ? 0 : i - 1) + i * 2 + (i == 127 ? 127 : i + 1) * 3
__kernel void rewritten(__global int *out, __global const int *in, int n, int turns)
{
    int i = get_global_id(0), k = 0, sum = 0;
    while (k < 3) {
        int at = i + k - 1;
        if (turns) {
            at = at < 0 ? 0 : at;
            at = at >= n ? n - 1 : at;
        } else {
            at = at & (n - 1);
        }
        sum += in[at] * (k + 1);
        k++;
    }
    out[i] = sum;
}

// Indices of 64 bits, one of which is compared as one of 32; rows by groups, in whose loop the index is written behind all
// that is made of it.
//: test long_indices
//: global 96 6
//: local 32 2
//: arg out int[576] = -1
//: arg in int[576] = i
//: arg w int 96
//: arg h int 6
//: expect out = 100 * (i / 96 * 96 + (i % 96 > 0 ? i % 96 - 1 : 0)) + 10 * (i / 96 * 96 + (i % 96 < 95 ? i % 96 + 1 : 95)) + i
__kernel void long_indices(__global int *out, __global const int *in, int w, int h)
{
    long x = get_global_id(0), y = get_global_id(1);
    int r = 0;
    for (long i = -1; i < 2; i++) {
        long u = x + i;
        u = u < 0 ? 0 : u >= w ? w - 1 : u;
        r += in[y * w + u] * (i < 0 ? 100 : i > 0 ? 10 : 1);
    }
    out[y * w + x] = r;
}
//: test rows_by_groups
//: global 192
//: local 32
//: arg out int[660] = -1
//: arg in int[660] = i * i
//: arg w int 110
//: expect out = 2 * (i / 110 * 110 + (i % 110 > 2 ? i % 110 - 3 : 0)) * (i / 110 * 110 + (i % 110 > 2 ? i % 110 - 3 : 0)) + (i / 110 * 110 + (i % 110 < 107 ? i % 110 + 2 : 109)) * (i / 110 * 110 + (i % 110 < 107 ? i % 110 + 2 : 109))
__kernel void rows_by_groups(__global int *out, __global const int *in, int w)
{
    int y = get_group_id(0);
    for (int x = get_local_id(0); x < w; x += get_local_size(0)) {
        int left = x - 3 < 0 ? 0 : x - 3, right = x + 2 >= w ? w - 1 : x + 2;
        out[y * w + x] = 2 * in[y * w + left] + in[y * w + right];
    }
}
