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

// Reflected at both edges, with the outermost element once or twice, by maxima and minima or by choices; in a row that is
// shorter than the warp or of one element; beyond what one reflection brings back.
//: test reflected
//: global 192
//: local 64
//: arg out int[192] = -1
//: arg in int[192] = i * i
//: arg n int 150
//: expect out = i >= 150 ? -1 : (i < 2 ? (2 - i) * (2 - i) : (i - 2) * (i - 2)) + 3 * (i + 3 > 149 ? (295 - i) * (295 - i) : (i + 3) * (i + 3)) + 5 * (i < 4 ? (3 - i) * (3 - i) : (i - 4) * (i - 4)) + 7 * (i + 1 > 149 ? 149 * 149 : (i + 1) * (i + 1))
//: test reflected_in_short
//: kernel reflected
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg in int[192] = i * i
//: arg n int 5
//: expect out = i >= 5 ? -1 : (i < 2 ? (2 - i) * (2 - i) : (i - 2) * (i - 2)) + 3 * (i + 3 > 4 ? (5 - i) * (5 - i) : (i + 3) * (i + 3)) + 5 * (i < 4 ? (3 - i) * (3 - i) : (i - 4) * (i - 4)) + 7 * (i + 1 > 4 ? 16 : (i + 1) * (i + 1))
//: test reflected_in_one
//: kernel reflected
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg in int[192] = i * i + 3
//: arg n int 1
//: expect out = i >= 1 ? -1 : 48
int reflect(int x, int n)
{
    return clamp(min((n - 1) * 2 - x, max(x, -x)), 0, n - 1);
}
int reflect_twice(int x, int n)
{
    return clamp(min((n - 1) * 2 - x + 1, max(x, -x - 1)), 0, n - 1);
}
__kernel void reflected(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0);
    if (i < n)
        out[i] = in[reflect(i - 2, n)] + 3 * in[reflect(i + 3, n)] + 5 * in[reflect_twice(i - 4, n)] + 7 * in[reflect_twice(i + 1, n)];
}

// With long indices, from the last element down, and by what may be less than its mirror image or as large.
//: test reflected_down
//: global 160
//: local 32
//: arg out int[160] = -1
//: arg in int[160] = i * 3
//: arg n long 160
//: expect out = (159 - i < 7 ? 7 - 159 + i : 159 - i - 7) * 3 + 4 * 3 * (159 - i + 9 >= 160 ? 2 * 160 - 2 - (159 - i + 9) : 159 - i + 9)
__kernel void reflected_down(__global int *out, __global const int *in, long n)
{
    long i = n - 1 - get_global_id(0), a = i - 7, b = i + 9;
    a = a < -a ? -a : a;
    b = b > 2 * n - 2 - b ? 2 * n - 2 - b : b;
    out[get_global_id(0)] = in[a] + 4 * in[b];
}

// Mirror images beyond the numbers that there are: they wrap around, and none is taken for what it would be.
//: test wrapped_image
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg far int 2147483600
//: arg odd int 2147483647
//: expect out = (i > 47 ? 1 : 0) + (i < 24 ? 2 : 0) + (i >= 47 ? 4 : 0)
__kernel void wrapped_image(__global int *out, int far, int odd)
{
    int i = get_global_id(0), up = far + i, image = -3 - up, third = odd - far - i;
    out[i] = (max(up, image) == image && up < 0 ? 1 : 0) + (min(i, third) == i && i < third + 47 - i + i && i < 47 ? 2 : 0) + (i >= 47 ? 4 : 0);
}
