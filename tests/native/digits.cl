// Indices that are taken apart and put together by shifts and bits: in launches of which sizes and arguments say so they
// are sums, products, quotients and remainders, in others what is written. Each is compared with one that memory has a
// part in, of which nothing is known.

//: test rows_even
//: kernel rows
//: global 64 64
//: local 16 16
//: arg out int[4096] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 64
//: arg lg int 6
//: expect out = 0

//: test rows_short
//: kernel rows
//: global 64 64
//: local 16 16
//: arg out int[4096] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 40
//: arg lg int 6
//: expect out = 0

//: test rows_long
//: kernel rows
//: global 64 64
//: local 16 16
//: arg out int[4096] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 65
//: arg lg int 6
//: expect out = 0

//: test rows_less
//: kernel rows
//: global 64 64
//: local 16 16
//: arg out int[4096] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 64
//: arg lg int 5
//: expect out = 0

//: test rows_more
//: kernel rows
//: global 64 64
//: local 16 16
//: arg out int[4096] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 32
//: arg lg int 6
//: expect out = 0

//: test rows_none
//: kernel rows
//: global 64 64
//: local 16 16
//: arg out int[4096] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 0
//: arg lg int 3
//: expect out = 0

//: test rows_negative
//: kernel rows
//: global 64 64
//: local 16 16
//: arg out int[4096] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int -64
//: arg lg int 6
//: expect out = 0

//: test rows_wide
//: kernel rows
//: global 64 64
//: local 16 16
//: arg out int[4096] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 64
//: arg lg int 38
//: expect out = 0

//: test rows_offset
//: kernel rows
//: global 64 64
//: local 16 16
//: offset 3 5
//: arg out int[4096] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 64
//: arg lg int 6
//: expect out = 0

//: test apart_even
//: kernel apart
//: global 8192
//: local 256
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 128
//: arg lg int 7
//: expect out = 0

//: test joined_even
//: kernel joined
//: global 128 64
//: local 16 8
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 128
//: arg lg int 7
//: expect out = 0

//: test apart_odd
//: kernel apart
//: global 8192
//: local 256
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 96
//: arg lg int 7
//: expect out = 0

//: test joined_odd
//: kernel joined
//: global 128 64
//: local 16 8
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 96
//: arg lg int 7
//: expect out = 0

//: test apart_less
//: kernel apart
//: global 8192
//: local 256
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 128
//: arg lg int 6
//: expect out = 0

//: test joined_less
//: kernel joined
//: global 128 64
//: local 16 8
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 128
//: arg lg int 6
//: expect out = 0

//: test apart_more
//: kernel apart
//: global 8192
//: local 256
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 64
//: arg lg int 7
//: expect out = 0

//: test joined_more
//: kernel joined
//: global 128 64
//: local 16 8
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 64
//: arg lg int 7
//: expect out = 0

//: test apart_one
//: kernel apart
//: global 8192
//: local 256
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 1
//: arg lg int 0
//: expect out = 0

//: test joined_one
//: kernel joined
//: global 128 64
//: local 16 8
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 1
//: arg lg int 0
//: expect out = 0

//: test apart_short
//: kernel apart
//: global 8192
//: local 256
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 8
//: arg lg int 3
//: expect out = 0

//: test joined_short
//: kernel joined
//: global 128 64
//: local 16 8
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 8
//: arg lg int 3
//: expect out = 0

//: test apart_all
//: kernel apart
//: global 8192
//: local 256
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 8192
//: arg lg int 13
//: expect out = 0

//: test joined_all
//: kernel joined
//: global 128 64
//: local 16 8
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 8192
//: arg lg int 13
//: expect out = 0

//: test apart_beyond
//: kernel apart
//: global 8192
//: local 256
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 16384
//: arg lg int 14
//: expect out = 0

//: test joined_beyond
//: kernel joined
//: global 128 64
//: local 16 8
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 16384
//: arg lg int 14
//: expect out = 0

//: test apart_none
//: kernel apart
//: global 8192
//: local 256
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 0
//: arg lg int 0
//: expect out = 0

//: test joined_none
//: kernel joined
//: global 128 64
//: local 16 8
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 0
//: arg lg int 0
//: expect out = 0

//: test apart_negative
//: kernel apart
//: global 8192
//: local 256
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int -128
//: arg lg int 7
//: expect out = 0

//: test joined_negative
//: kernel joined
//: global 128 64
//: local 16 8
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int -128
//: arg lg int 7
//: expect out = 0

//: test apart_end
//: kernel apart
//: global 8192
//: local 256
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int -2147483648
//: arg lg int 31
//: expect out = 0

//: test joined_end
//: kernel joined
//: global 128 64
//: local 16 8
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int -2147483648
//: arg lg int 31
//: expect out = 0

//: test apart_offset
//: kernel apart
//: global 8192
//: local 256
//: offset 128
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 128
//: arg lg int 7
//: expect out = 0

//: test joined_offset
//: kernel joined
//: global 128 64
//: local 16 8
//: offset 0 2
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 128
//: arg lg int 7
//: expect out = 0

//: test pairs_0
//: kernel pairs
//: global 8192
//: local 64
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 64
//: arg lg int 0
//: expect out = 0

//: test pairs_3
//: kernel pairs
//: global 8192
//: local 64
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 64
//: arg lg int 3
//: expect out = 0

//: test pairs_5
//: kernel pairs
//: global 8192
//: local 64
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 64
//: arg lg int 5
//: expect out = 0

//: test pairs_7
//: kernel pairs
//: global 8192
//: local 64
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 64
//: arg lg int 7
//: expect out = 0

//: test pairs_12
//: kernel pairs
//: global 8192
//: local 64
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 64
//: arg lg int 12
//: expect out = 0

//: test pairs_31
//: kernel pairs
//: global 8192
//: local 64
//: arg out int[8192] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 64
//: arg lg int 31
//: expect out = 0

//: test tiles_64_6
//: kernel tiles
//: global 64 64
//: local 16 16
//: arg out int[4096] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 64
//: arg lg int 6
//: expect out = 0

//: test tiles_48_6
//: kernel tiles
//: global 64 64
//: local 16 16
//: arg out int[4096] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 48
//: arg lg int 6
//: expect out = 0

//: test tiles_64_5
//: kernel tiles
//: global 64 64
//: local 16 16
//: arg out int[4096] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 64
//: arg lg int 5
//: expect out = 0

//: test blocks_64_6
//: kernel blocks
//: global 4096
//: local 256
//: arg out int[4096] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 64
//: arg lg int 6
//: expect out = 0

//: test blocks_48_6
//: kernel blocks
//: global 4096
//: local 256
//: arg out int[4096] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 48
//: arg lg int 6
//: expect out = 0

//: test blocks_32_5
//: kernel blocks
//: global 4096
//: local 256
//: arg out int[4096] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 32
//: arg lg int 5
//: expect out = 0

//: test pointers_64
//: kernel pointers
//: global 64 64
//: local 16 16
//: arg out int[4096] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 64
//: arg lg int 6
//: expect out = 0

//: test pointers_63
//: kernel pointers
//: global 64 64
//: local 16 16
//: arg out int[4096] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 63
//: arg lg int 6
//: expect out = 0

//: test pointers_16
//: kernel pointers
//: global 64 64
//: local 16 16
//: arg out int[4096] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 16
//: arg lg int 6
//: expect out = 0

//: test pointers_1
//: kernel pointers
//: global 64 64
//: local 16 16
//: arg out int[4096] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 1
//: arg lg int 6
//: expect out = 0

//: test counters_100
//: kernel counters
//: global 64 64
//: local 16 4
//: arg out int[4096] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 100
//: arg lg int 7
//: expect out = 0

//: test counters_128
//: kernel counters
//: global 64 64
//: local 16 4
//: arg out int[4096] = -1
//: arg in int[65536] = i * 7
//: arg zero int[1] = 0
//: arg n int 128
//: arg lg int 7
//: expect out = 0

#define ARGUMENTS __global int *out, __global const int *in, __global const int *zero, int n, int lg
#define HERE (get_global_id(1) - get_global_offset(1)) * get_global_size(0) + get_global_id(0) - get_global_offset(0)

__kernel void rows(ARGUMENTS)
{
    int x = get_global_id(0), y = get_global_id(1), z = zero[0], sum = 0;
    for (int k = 0; k < n; k++) {
        sum += in[((y << lg) | k) & 65535] * 3 + in[((k << lg) | x) & 65535];
        sum -= in[(((y | z) << lg) | k) & 65535] * 3 + in[(((k | z) << lg) | x) & 65535];
        sum ^= ((y << lg) ^ k) - (((y | z) << lg) ^ k);
    }
    out[HERE] = sum + ((y << lg) | x) - (((y | z) << lg) | x);
}

// One index of a range in rows: all of it, or of two dimensions.
__kernel void apart(ARGUMENTS)
{
    int i = get_global_id(0), j = i | zero[0], x = i & (n - 1), y = i >> lg;
    int u = j & (n - 1), v = j >> lg;
    out[i - get_global_offset(0)] = x - u + (y - v) * 3 + in[((x << lg) | y) & 65535] - in[((u << lg) | v) & 65535] +
        (i & ((1 << lg) - 1)) - (j & ((1 << lg) - 1)) + ((i - 1) & (n - 1)) - ((j - 1) & (n - 1));
}

__kernel void joined(ARGUMENTS)
{
    int i = get_global_id(1) * get_global_size(0) + get_global_id(0), j = i | zero[0], x = i & (n - 1), y = i >> lg;
    int u = j & (n - 1), v = j >> lg, sum = x - u + (y - v) * 3 + i % 128 - j % 128 + i / 128 * 5 - j / 128 * 5;
    for (int k = 0; k < (n & 15); k++)
        sum += in[(y * n + k) & 65535] + in[(k * n + x) & 65535] - in[(v * n + k) & 65535] - in[(k * n + u) & 65535];
    out[HERE] = sum;
}

// As sorting networks and transforms have them.
__kernel void pairs(ARGUMENTS)
{
    int i = get_global_id(0), j = i | zero[0];
    int low = ((i >> lg) << (lg + 1)) | (i & ((1 << lg) - 1)), high = low | (1 << lg), other = i ^ (1 << lg);
    int l = ((j >> lg) << (lg + 1)) | (j & ((1 << lg) - 1)), h = l | (1 << lg), o = j ^ (1 << lg);
    int seven = (((i >> 7) << 8) | (i & 127)) - (((j >> 7) << 8) | (j & 127)), bits = ((i & ~3) | (i & 3)) ^ (j ^ 1);
    out[i] = low - l + (high - h) * 3 + (other ^ o) + in[low & 65535] - in[l & 65535] + seven + (bits ^ 1);
}

__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void tiles(ARGUMENTS)
{
    __local int s[256];
    int lx = get_local_id(0), ly = get_local_id(1), x = (get_group_id(0) << 4) | lx, y = (get_group_id(1) << 4) + ly;
    int z = zero[0], sum = 0;
    for (int k = 0; k < n; k += 16) {
        s[(ly << 4) | lx] = in[((y << lg) | k | lx) & 65535];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 16; j++)
            sum += s[(ly << 4) | j] * s[(j << 4) | lx] - s[(ly | z) * 16 + j] * s[j * 16 + (lx | z)];
        sum += s[(ly << 4) | lx] - in[(((y | z) << lg) | k | lx) & 65535];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[HERE] = sum + x - (int)get_global_id(0) + (y - (int)get_global_id(1)) * 3;
}

__kernel void blocks(ARGUMENTS)
{
    int l = get_local_id(0), g = get_group_id(0), lx = l & 15, ly = l >> 4, gx = g & ((n >> 4) - 1), gy = g >> (lg - 4);
    int x = (gx << 4) | lx, y = (gy << 4) | ly, z = zero[0], h = g | z;
    int u = (h & ((n >> 4) - 1)) * 16 + l % 16, v = (h >> (lg - 4)) * 16 + l / 16;
    int i = (g << 8) | l, at = ((y << lg) | x) & 65535;
    out[i] = x - u + (y - v) * 3 + in[at] - in[(((v | z) << lg) | u) & 65535] + (((g << 8) + l) & 511) - ((h * 256 + l) & 511);
}

__kernel void pointers(ARGUMENTS)
{
    int x = get_global_id(0), y = get_global_id(1), z = zero[0], sum = 0;
    __global const int *row = in + y * n, *end = row + n, *column = in;
    while (row != end) {
        sum += *row++ * column[x];
        column += n;
    }
    for (int k = 0; k < n; k++)
        sum -= in[(y | z) * n + k] * in[(k | z) * n + x];
    out[HERE] = sum;
}

// Of a loop's counter that an inner loop reads, which is less than what ends its own loop.
__kernel void counters(ARGUMENTS)
{
    int x = get_global_id(0), y = get_global_id(1), z = zero[0], sum = 0;
    for (uint k = 0; k < (uint)n; k += 4) {
        for (int j = 0; j < 4; j++)
            if (((x + j) & 3) != 1) sum += in[((y << lg) | k | j) & 65535] - in[(((y | z) << lg) | k | j) & 65535];
        int next = k + 28;
        sum += (((y << lg) | next) - (((y | z) << lg) | next)) * 3;
    }
    out[HERE] = sum;
}
