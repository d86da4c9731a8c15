// Quotients and remainders of what is evenly spaced over a warp: where it lies in one row, where a row begins
// anew in it, and where a division is none of positive numbers.

// Rows of five warps and of 40, 33 and 7 elements; three dimensions.
//: test rows
//: global 960
//: local 64
//: arg out int[960] = -1
//: arg in int[960] = i * 3
//: arg row int[960] = i * 1000
//: arg w int 160
//: expect out = i * 3 + i / 160 * 1000 + i % 160
//: test short_rows
//: kernel rows
//: global 960
//: local 96
//: arg out int[960] = -1
//: arg in int[960] = i * 3
//: arg row int[960] = i * 1000
//: arg w int 40
//: expect out = i * 3 + i / 40 * 1000 + i % 40
//: test odd_rows
//: kernel rows
//: global 960
//: local 320
//: arg out int[960] = -1
//: arg in int[960] = i * 3
//: arg row int[960] = i * 1000
//: arg w int 33
//: expect out = i * 3 + i / 33 * 1000 + i % 33
//: test shortest_rows
//: kernel rows
//: global 960
//: local 32
//: arg out int[960] = -1
//: arg in int[960] = i * 3
//: arg row int[960] = i * 1000
//: arg w int 7
//: expect out = i * 3 + i / 7 * 1000 + i % 7
__kernel void rows(__global int *out, __global const int *in, __global const int *row, int w)
{
    int i = get_global_id(0), x = i % w, y = i / w;
    out[y * w + x] = in[i] + row[y] + x;
}

// A last warp with lanes off; groups in two dimensions.
//: test partial
//: global 240
//: local 40
//: arg out int[240] = -1
//: arg in int[240] = i * 5
//: arg w uint 80
//: expect out = i * 5 + i / 80
__kernel void partial(__global int *out, __global const int *in, uint w)
{
    uint i = get_global_id(0);
    out[i / w * w + i % w] = in[i / w * w + i % w] + i / w;
}

//: test grid
//: global 64 4
//: local 32 2
//: arg out int[256] = -1
//: arg in int[256] = i * 5
//: arg w uint 100
//: expect out = i * 5 + i / 100
__kernel void grid(__global int *out, __global const int *in, uint w)
{
    uint i = get_global_id(1) * 64 + get_global_id(0), x = i % w, y = i / w;
    out[y * w + x] = in[y * w + x] + y;
}

//: test cube
//: global 1536
//: local 128
//: arg out int[1536] = -1
//: arg in int[1536] = i * 7
//: arg w int 64
//: arg h int 6
//: expect out = i * 7 + i % 64 + i / 64 % 6 * 100 + i / 384 * 10000
__kernel void cube(__global int *out, __global const int *in, int w, int h)
{
    int i = get_global_id(0), z = i / (w * h), rest = i - z * (w * h), y = rest / w, x = rest % w;
    out[(z * h + y) * w + x] = in[(z * h + y) * w + x] + x + y * 100 + z * 10000;
}

// Each fourth element; a row length that is a constant, a power of two or not.
//: test steps
//: global 256
//: local 64
//: arg out int[1024] = -1
//: arg in int[1024] = i * 9
//: arg w int 200
//: expect out = i % 4 ? -1 : i * 9 + i / 200 + i % 200
__kernel void steps(__global int *out, __global const int *in, int w)
{
    int i = get_global_id(0) * 4;
    out[i] = in[i / w * w + i % w] + i / w + i % w;
}

//: test constants
//: global 1024
//: local 256
//: arg out int[1024] = -1
//: arg in int[1024] = i * 11
//: expect out = i * 11 + i / 128 + i % 128 * 2 + i / 100 * 3 + i % 100 * 5
__kernel void constants(__global int *out, __global const int *in)
{
    uint i = get_global_id(0);
    out[i] = in[i / 128 * 128 + i % 128] + i / 128 + i % 128 * 2 + in[i / 100] / 11 * 3 + in[i % 100] / 11 * 5;
}

// Negative dividends, a negative divisor, and none: 0 / w is in the middle of a warp.
//: test negative
//: global 256
//: local 64
//: arg out int[256] = -1
//: arg in int[256] = i
//: arg w int 70
//: expect out = (i - 144) / 70 * 1000 + (i - 144) % 70
__kernel void negative(__global int *out, __global const int *in, int w)
{
    int i = get_global_id(0), v = i - 144;
    out[in[v / w * w + v % w + 144]] = v / w * 1000 + v % w;
}

//: test below
//: kernel negative
//: global 256
//: local 64
//: arg out int[256] = -1
//: arg in int[256] = i
//: arg w int -70
//: expect out = (i - 144) / -70 * 1000 + (i - 144) % 70

//: test by_zero
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg in int[128] = i * 13
//: arg w uint 0
//: expect out = i * 13 - 1
__kernel void by_zero(__global int *out, __global const int *in, uint w)
{
    uint i = get_global_id(0);
    out[i % w] = in[i % w] + i / w;
}

// Numbers that wrap around in a warp.
//: test wraps
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg in int[128] = i * 13
//: arg w uint 1000
//: expect out = i < 20 ? i * 13 + 294967 : i * 13
__kernel void wraps(__global int *out, __global const int *in, uint w)
{
    uint i = get_global_id(0), v = i - 20, q = v / w, r = v % w;
    out[i] = in[q > 1000 ? r - 276 : r + 20] + (q > 1000 ? q - 4000000 : 0);
}

// In a loop whose counter goes on, with what lives beyond the version.
//: test strides
//: global 128
//: local 64
//: arg out int[1000] = -1
//: arg in int[1000] = i * 3
//: arg n int 1000
//: arg w int 90
//: arg sums int[128] = -1
//: expect out = i * 3 + i / 90
//: expect sums = i < 104 ? 3584 + 8 * i - (((i % 90) + ((i + 128) % 90) + ((i + 256) % 90) + ((i + 384) % 90) + ((i + 512) % 90) + ((i + 640) % 90) + ((i + 768) % 90) + ((i + 896) % 90))) : 2688 + 7 * i - (((i % 90) + ((i + 128) % 90) + ((i + 256) % 90) + ((i + 384) % 90) + ((i + 512) % 90) + ((i + 640) % 90) + ((i + 768) % 90)))
__kernel void strides(__global int *out, __global const int *in, int n, int w, __global int *sums)
{
    int sum = 0, last = 0;
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        int x = i % w, y = i / w;
        if (x & 1)
            last = y;
        else
            last = y + 0;
        out[y * w + x] = in[y * w + x] + last;
        sum += y * w;
    }
    sums[get_global_id(0)] = sum;
}

// A register that is written under a mask and read in the next iteration.
//: test stays
//: global 64
//: local 64
//: arg out int[256] = -1
//: arg w int 48
//: expect out = i % 48 < 20 ? i % 48 + i / 48 : i >= 64 && (i - 64) % 48 < 20 ? (i - 64) % 48 + (i - 64) / 48 : i >= 128 && (i - 128) % 48 < 20 ? (i - 128) % 48 + (i - 128) / 48 : i >= 192 && (i - 192) % 48 < 20 ? (i - 192) % 48 + (i - 192) / 48 : 0
__kernel void stays(__global int *out, int w)
{
    int last = 0;
    for (int i = get_global_id(0); i < 256; i += 64) {
        int x = i % w, y = i / w;
        if (x < 20)
            last = x + y;
        out[y * w + x] = last;
    }
}

// Barriers behind the quotient, and a guard round it.
//: test tiles
//: global 512
//: local 128
//: arg out int[512] = -1
//: arg in int[512] = i * 3
//: arg w int 96
//: arg n int 400
//: expect out = i < 400 ? (i / 128 * 128 + 127 - i % 128) * 3 + i / 96 : -1
__kernel void tiles(__global int *out, __global const int *in, int w, int n)
{
    __local int tile[128];
    int i = get_global_id(0), l = get_local_id(0), x = i % w, y = i / w;
    tile[127 - l] = in[y * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n)
        out[y * w + x] = tile[l] + y;
}

// As long, rows of which some end within a warp; the ids begin near the end of what an int holds.
//: test longs
//: global 512
//: local 64
//: offset 2147483500
//: arg out int[512] = -1
//: arg in int[512] = i * 3
//: arg w long 200
//: arg from long 2147483500
//: expect out = (i + 60) % 200 * 3 + (i + 60) / 200
__kernel void longs(__global int *out, __global const int *in, long w, long from)
{
    long i = get_global_id(0), x = (i - from + 60) % w, y = (i - from + 60) / w;
    out[i - from] = in[x] + y;
}

// What is divided is negative in the first warp, and the divisor in all.
//: test negative_longs
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg in int[256] = i * 3
//: arg w long -300
//: expect out = (i - 20) % 300 * 3 + 60 - (i - 20) / 300
__kernel void negative_longs(__global int *out, __global const int *in, long w)
{
    long i = get_global_id(0), x = (i - 20) % w, y = (i - 20) / w;
    out[i] = in[x + 20] + y;
}

// Loops whose counters and sums begin before the quotient: in the version for one row they are the group's own. The sums
// are read behind it.
//: test carried
//: global 256
//: local 64
//: arg out int[256] = -1
//: arg in int[1200] = i
//: arg n int 5
//: arg w int 80
//: expect out = 50 * 80 + 5 * (i % 80) + 5000 * (i % 80)
__kernel void carried(__global int *out, __global const int *in, int n, int w)
{
    int i = get_global_id(0), sum = 0, k = 0;
    do {
        sum += in[k * w + i % w] + in[i % w] * 1000;
        k++;
    } while (k < n);
    out[i] = sum + 8 * n * w * (k == n);
}

// A remainder by a power of two, in a loop that is written out.
//: test written_out
//: global 192
//: local 64
//: arg out int[192] = -1
//: arg in int[2048] = i
//: expect out = 64 * (i % 128) + 128 * 15 * 8
__kernel void written_out(__global int *out, __global const int *in)
{
    int i = get_global_id(0), sum = 0;
    for (int k = 0; k < 16; k++)
        sum += in[k * 128 + i % 128] * 4;
    out[i] = sum - 128 * 15 * 24;
}

// Indices that are cut off at an edge are read again behind a barrier, and what is made of them.
//: test beyond_barriers
//: global 256
//: local 128
//: arg out int[256] = -1
//: arg in int[256] = i
//: expect out = 7 * i + (i % 128 == 0 ? 4 : i % 128 == 127 ? -4 : 0)
__kernel void beyond_barriers(__global int *out, __global const int *in)
{
    __local int t[128];
    int i = get_global_id(0), l = get_local_id(0), size = get_local_size(0);
    int left = l > 0 ? l - 1 : 0, right = l < size - 1 ? l + 1 : size - 1;
    t[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = t[left] + t[right];
    sum += sum - t[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = 2 * in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = sum + t[left] + t[right];
}
