// Elements of which what has been read chooses one of two, or of a few.

// Counted in memory: in registers meanwhile.
//: test counted
//: global 64
//: local 32
//: arg out int[128] = 3
//: arg in int[1024] = i * 37 % 101
//: arg n int 16
//: arg least int 50
//: expect out = i % 2 ? 3 + (i / 2 * 37 % 101 > 50) + (i / 2 * 37 + 64 * 37) % 101 / 51 : 3 + (i / 2 * 37 % 101 <= 50) + 1 - (i / 2 * 37 + 64 * 37) % 101 / 51
__kernel void counted(__global int *out, __global const int *in, int n, int least)
{
    int x = get_global_id(0);
    for (int k = 0; k < n / 8; k++)
        out[2 * x + (in[k * 64 + x] > least)]++;
}

// By an `or`, by a pointer, from the end; what is not chosen stays.
//: test ored
//: global 64
//: local 32
//: arg out int[128] = -1
//: arg in int[64] = i * 7 % 13
//: expect out = (i / 2 * 7 % 13 < 5) == i % 2 ? i / 2 * 7 % 13 : -1
__kernel void ored(__global int *out, __global const int *in)
{
    int x = get_global_id(0), v = in[x];
    out[x << 1 | (v < 5)] = v;
}

//: test not_a_sum
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[64] = i * 7 % 13
//: expect out = i % 2 || i / 2 * 2 * 7 % 13 >= 5 ? (i % 2 && (i - 1) * 7 % 13 < 5 ? 0 : i) + (i % 2 && (i - 1) * 7 % 13 < 5 ? i : 0) : -1
__kernel void not_a_sum(__global int *out, __global const int *in)
{
    int x = get_global_id(0), v = in[x];
    out[x | (v < 5)] = x | (v < 5);
}

//: test pointed
//: global 64
//: local 32
//: arg out int[128] = -1
//: arg in int[64] = i * 7 % 13
//: expect out = (i / 2 * 7 % 13 < 5) != i % 2 ? 63 - i / 2 : -1
__kernel void pointed(__global int *out, __global const int *in)
{
    int x = get_global_id(0);
    __global int *pair = out + 2 * x, *to = in[x] < 5 ? pair : pair + 1;
    *to = 63 - x;
}

// Read: halves of a table that are far apart, and what is read is wanted behind it.
//: test halves
//: global 32 4
//: local 16 4
//: arg out int[128] = -1
//: arg in int[128] = i * 7 % 13
//: arg table int[512] = i * 3
//: expect out = (i + (i * 7 % 13 < 5 ? 256 : 0)) * 3 + (i * 7 % 13 < 5 ? 0 : 1000)
__kernel void halves(__global int *out, __global const int *in, __global const int *table)
{
    int x = get_global_id(0), y = get_global_id(1), i = y * 32 + x;
    int low = in[i] < 5, v = table[low * 256 + i];
    out[i] = low ? v : v + 1000;
}

// Something else in between, which is stored to the same memory or read from it.
//: test between
//: global 64
//: local 32
//: arg out int[192] = i
//: arg in int[64] = i * 7 % 13
//: expect out = i >= 128 ? i / 1 - 128 + (i - 128) * 2 + ((i - 128) * 7 % 13 < 5) + 0 : (i / 2 * 7 % 13 < 5) == i % 2 ? i + i / 2 * 7 % 13 : i
__kernel void between(__global int *out, __global const int *in)
{
    int x = get_global_id(0), at = 2 * x + (in[x] < 5);
    int v = out[at];
    out[128 + x] = v + x;
    out[at] = v + in[x];
}

// Whether it is chosen is not read but known of the work-item.
//: test by_id
//: global 64
//: local 32
//: arg out int[128] = -1
//: arg in int[64] = i * 7 % 13
//: expect out = (i / 2 < 20) == i % 2 ? i / 2 * 7 % 13 : -1
__kernel void by_id(__global int *out, __global const int *in)
{
    int x = get_global_id(0);
    out[2 * x + (x < 20)] = in[x];
}

// By a bit of what has been read.
//: test bits
//: global 64
//: local 32
//: arg out int[256] = -1
//: arg in int[64] = i * 7 - 200
//: expect out = i % 4 == (((i / 4 * 7 - 200) & 2) | (i / 4 * 7 - 200 < 0 ? 1 : 0)) ? i / 4 : -1
__kernel void bits(__global int *out, __global const int *in)
{
    int x = get_global_id(0), v = in[x];
    uint sign = (uint)v >> 31;
    __global int *to = out + 4 * x + sign;
    to[v & 2] = x;
}
//: test bit
//: global 64
//: local 32
//: arg out int[256] = -1
//: arg in int[64] = i * 7 - 200
//: expect out = i % 4 == ((i / 4 * 7 - 200) & 2) ? i / 4 : -1
__kernel void bit(__global int *out, __global const int *in)
{
    int x = get_global_id(0), v = in[x];
    out[4 * x + (v & 2)] = x;
}
//: test sign
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[64] = i * 7 - 200
//: expect out = i + (i * 7 - 200 < 0 ? 40 : 0)
__kernel void sign(__global int *out, __global const int *in)
{
    __local int table[128];
    int x = get_global_id(0), l = get_local_id(0), v = in[x];
    for (int k = l; k < 128; k += 32)
        table[k] = k;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[x] = table[l + ((uint)v >> 31) * 40] + x - l;
}

// In loops: by an `or`, a bit, the sign, a pointer; up to where each work-item goes; with more in between.
//: test in_loops
//: global 96
//: local 32
//: arg out int[192] = i
//: arg in int[2048] = i * 37 % 101 - 50
//: expect out = i + ((i / 2 * 37 % 101 - 50 > 3) == i % 2) * (i / 2 % 3 > 0) * 5 + (((i / 2 + 96) * 37 % 101 - 50 > 3) == i % 2) * (i / 2 % 3 > 1) * 5
__kernel void in_loops(__global int *out, __global const int *in)
{
    int x = get_global_id(0);
    for (int k = 0; k < x % 3; k++) {
        int v = in[k * 96 + x];
        out[x << 1 | (v > 3)] += 5;
    }
}

//: test by_sign
//: global 96
//: local 32
//: arg out int[192] = i
//: arg in int[2048] = i * 37 % 101 - 50
//: arg other int[2048] = i % 5
//: arg n int 1
//: expect out = i + ((i / 2 * 37 % 101 - 50 < 0) == i % 2) * (i / 2 % 5 + 1)
__kernel void by_sign(__global int *out, __global const int *in, __global const int *other, int n)
{
    int x = get_global_id(0);
    __global int *pair = out + 2 * x;
    for (int k = 0; k < n; k++) {
        int v = in[k * 96 + x];
        pair[(uint)v >> 31] += other[k * 96 + x] + 1;
    }
}

//: test by_bit
//: global 96
//: local 32
//: arg out int[384] = 1
//: arg in int[16] = i
//: arg n int 8
//: expect out = i % 4 == 0 ? 1 + 4 * (i / 4) : i % 4 == 2 ? 1 + 4 * (i / 4) : 1
__kernel void by_bit(__global int *out, __global const int *in, int n)
{
    int x = get_global_id(0);
    for (int k = 0; k < n; k++)
        out[4 * x + (in[k + x % 2] & 2)] += x;
}

// In two loops, of which the inner one begins anew with another pair.
//: test in_two_loops
//: global 64
//: local 32
//: arg out int[512] = 0
//: arg in int[64] = i % 7
//: arg n int 4
//: arg m int 6
//: expect out = (i % 128 / 2 % 7 > 3) == i % 2 ? 6 : 0
__kernel void in_two_loops(__global int *out, __global const int *in, int n, int m)
{
    int x = get_global_id(0);
    for (int j = 0; j < n; j++)
        for (int k = 0; k < m; k++)
            out[j * 128 + 2 * x + (in[x] > 3)]++;
}

// One of three, or four, by two or three comparisons: added, of different weights, one in the other, by an `or`.
//: test of_three
//: global 96
//: local 32
//: arg out int[288] = 7
//: arg in int[96] = i * 37 % 101
//: arg n int 5
//: arg low int 30
//: arg high int 60
//: expect out = 7 + (i % 3 == (i / 3 * 37 % 101 > 30) + (i / 3 * 37 % 101 > 60) ? 5 + 10 * (i / 3) : 0)
__kernel void of_three(__global int *out, __global const int *in, int n, int low, int high)
{
    int x = get_global_id(0);
    for (int k = 0; k < n; k++)
        out[3 * x + (in[x] > low) + (in[x] > high)] += 2 * x + 1;
}

//: test weighted
//: global 96
//: local 32
//: arg out int[480] = 7
//: arg in int[96] = i * 37 % 101
//: arg n int 5
//: expect out = i % 5 > 3 ? 7 : 7 + (i % 5 == 2 * (i / 5 * 37 % 101 > 30) + i / 5 * 37 % 101 % 2 ? 5 : 0)
__kernel void weighted(__global int *out, __global const int *in, int n)
{
    int x = get_global_id(0);
    for (int k = 0; k < n; k++) {
        int v = in[x], at = 5 * x + 2 * (v > 30) + (v & 1);
        out[at]++;
    }
}

//: test one_in_another
//: global 96
//: local 32
//: arg out int[384] = 7
//: arg in int[96] = i * 37 % 101
//: arg n int 5
//: expect out = 7 + (i % 4 == (i / 4 * 37 % 101 > 60 ? 3 : i / 4 * 37 % 101 > 30 ? 0 : 2) ? 5 : 0)
__kernel void one_in_another(__global int *out, __global const int *in, int n)
{
    int x = get_global_id(0);
    for (int k = 0; k < n; k++) {
        int v = in[x];
        out[4 * x + (v > 60 ? 3 : v > 30 ? 0 : 2)]++;
    }
}

//: test ored_weights
//: global 96
//: local 32
//: arg out int[384] = 7
//: arg in int[96] = i * 37 % 101
//: arg n int 5
//: expect out = 7 + (i % 4 == 2 * (i / 4 * 37 % 101 > 60) + (i / 4 * 37 % 101 > 30) ? 5 : 0)
__kernel void ored_weights(__global int *out, __global const int *in, int n)
{
    int x = get_global_id(0);
    for (int k = 0; k < n; k++) {
        int v = in[x];
        out[4 * x | (v > 60) << 1 | (v > 30)]++;
    }
}

// By a number of two bits; by one that is not the lowest; by more than four, which stays.
//: test by_number
//: global 96
//: local 32
//: arg out int[384] = 7
//: arg in int[96] = i * 37 % 101
//: arg n int 5
//: expect out = 7 + (i % 4 == i / 4 * 37 % 101 % 4 ? 5 * (i / 4 * 37 % 101) : 0)
__kernel void by_number(__global int *out, __global const int *in, int n)
{
    int x = get_global_id(0);
    for (int k = 0; k < n; k++)
        out[4 * x + (in[x] & 3)] += in[x];
}

//: test by_second_bits
//: global 96
//: local 32
//: arg out int[768] = 7
//: arg in int[96] = i * 37 % 101
//: arg n int 5
//: expect out = i % 2 ? 7 : 7 + (i % 8 / 2 == i / 8 * 37 % 101 / 2 % 4 ? 5 : 0)
__kernel void by_second_bits(__global int *out, __global const int *in, int n)
{
    int x = get_global_id(0);
    for (int k = 0; k < n; k++)
        out[8 * x + (in[x] & 6)]++;
}

//: test by_three_bits
//: global 96
//: local 32
//: arg out int[768] = 7
//: arg in int[96] = i * 37 % 101
//: arg n int 5
//: expect out = 7 + (i % 8 == i / 8 * 37 % 101 % 8 ? 5 : 0)
__kernel void by_three_bits(__global int *out, __global const int *in, int n)
{
    int x = get_global_id(0);
    for (int k = 0; k < n; k++)
        out[8 * x + (in[x] & 7)]++;
}

// Rows that overlap: the next work-item adds to some of the elements, too.
//: test overlapping
//: global 32
//: local 32
//: arg out int[66] = 0
//: arg in int[32] = 2
//: arg n int 1
//: expect out = i >= 2 && i % 2 == 0 ? 1 : 0
__kernel void overlapping(__global int *out, __global const int *in, int n)
{
    int x = get_global_id(0);
    for (int k = 0; k < n; k++)
        out[2 * x + (in[x] > 0) + (in[x] > 1)]++;
}

// What is chosen is wanted elsewhere, too.
//: test wanted
//: global 96
//: local 32
//: arg out int[384] = 0
//: arg in int[96] = i * 37 % 101
//: arg sums int[96] = 0
//: arg n int 5
//: expect out = i % 4 == (i / 4 * 37 % 101 > 30) + (i / 4 * 37 % 101 > 60) ? 5 : 0
//: expect sums = 5 * ((i * 37 % 101 > 30) + (i * 37 % 101 > 60))
__kernel void wanted(__global int *out, __global const int *in, __global int *sums, int n)
{
    int x = get_global_id(0);
    for (int k = 0; k < n; k++) {
        int j = (in[x] > 30) + (in[x] > 60);
        out[4 * x + j]++;
        sums[x] += j;
    }
}

// The index counted, or written over, by one if after the other.
//: test counted_by_ifs
//: global 96
//: local 32
//: arg out int[384] = 7
//: arg in int[96] = i * 37 % 101
//: arg n int 5
//: arg low int 30
//: expect out = 7 + (i % 4 == (i / 4 * 37 % 101 > 30) + (i / 4 * 37 % 101 > 60) + (i / 4 * 37 % 101 > 90) ? 5 + 10 * (i / 4) : 0)
__kernel void counted_by_ifs(__global int *out, __global const int *in, int n, int low)
{
    int x = get_global_id(0);
    for (int k = 0; k < n; k++) {
        int v = in[x], b = 0;
        if (v > low)
            b++;
        if (v > 2 * low)
            b++;
        if (v > 3 * low)
            b++;
        out[4 * x + b] += 2 * x + 1;
    }
}

//: test written_over
//: global 96
//: local 32
//: arg out int[288] = 7
//: arg in int[96] = i * 37 % 101
//: arg n int 5
//: arg low int 30
//: expect out = 7 + (i % 3 == (i / 3 * 37 % 101 < 10 ? 1 : i / 3 * 37 % 101 > 60 ? 2 : i / 3 * 37 % 101 > 30) ? 5 : 0)
__kernel void written_over(__global int *out, __global const int *in, int n, int low)
{
    int x = get_global_id(0);
    for (int k = 0; k < n; k++) {
        int v = in[x], b = 0;
        if (v > low)
            b = 1;
        if (v > 2 * low)
            b = 2;
        if (v < 10)
            b = 1;
        out[3 * x + b]++;
    }
}

// The index is carried from one iteration to the next: there is no first value of it to name.
//: test carried_index
//: global 96
//: local 32
//: arg out int[288] = 7
//: arg in int[96] = i * 37 % 101
//: arg n int 2
//: arg low int 30
//: expect out = 7 + (i / 3 * 37 % 101 > 30 ? (i % 3 > 0) : 2 * (i % 3 == 0))
__kernel void carried_index(__global int *out, __global const int *in, int n, int low)
{
    int x = get_global_id(0), b = 0;
    for (int k = 0; k < n; k++) {
        int v = in[x];
        if (v > low)
            b++;
        if (v > 1000)
            b--;
        out[3 * x + b]++;
    }
}
