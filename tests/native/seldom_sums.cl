// Sums that a loop comes to under an if: loaded before it where there is something to be loaded, and stored by those alone
// that have come to a store.

//: test guarded
//: global 64
//: local 64
//: arg out int[64] = 100 + i
//: arg in int[16] = i
//: arg on int[16] = i % 3 == 1
//: arg n int 16
//: expect out = 100 + i + 5 * i + 35

//: test guarded_same
//: kernel guarded
//: global 16
//: local 16
//: arg out int[64] = i
//: arg in same out
//: arg on int[16] = 0
//: arg n int 16
//: expect out = i

//: test guarded_itself
//: kernel guarded
//: global 1
//: local 1
//: arg out int[64] = i + 1
//: arg in same out
//: arg on int[16] = i < 2
//: arg n int 16
//: expect out = i ? i + 1 : 4
__kernel void guarded(__global int *out, __global const int *in, __global const int *on, int n)
{
    int i = get_global_id(0);
    for (int k = 0; k < n; k++)
        if (on[k]) out[i] += in[k] + i;
}

// Each lane for itself, and some for none.
//: test own
//: global 64
//: local 32
//: arg out float[64] = 1
//: arg in float[512] = i % 8
//: arg least float 5
//: arg n int 8
//: expect out = i % 2 ? 1 : 14
__kernel void own(__global float *out, __global const float *in, float least, int n)
{
    int i = get_global_id(0);
    for (int k = 0; k < n; k++)
        if (i % 2 == 0 && in[i * 8 + k] > least) out[i] += in[i * 8 + k];
}

// Those that never come to it have no element.
//: test no_element
//: global 64
//: local 64
//: arg out int[40] = i
//: arg in int[8] = i
//: arg n int 40
//: arg far int 100000000
//: arg m int 8
//: expect out = i + 28
__kernel void no_element(__global int *out, __global const int *in, int n, int far, int m)
{
    int i = get_global_id(0), at = i < n ? i : i * far;
    for (int k = 0; k < m; k++)
        if (i < n) out[at] += in[k];
}

// Nor do those write to it that others write to.
//: test of_another
//: global 64
//: local 64
//: arg out int[8] = 10 * i
//: arg in int[64] = i
//: arg n int 16
//: expect out = 10 * i + 120 + 9 * i
__kernel void of_another(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0);
    for (int k = 0; k < n; k++)
        if (i % 8 == 3 && k < 16) out[i / 8] += in[k] + (k < 9 ? i / 8 : 0);
}

// Stored alone: an index.
//: test greatest
//: global 64
//: local 64
//: arg best int[64] = 3
//: arg at int[64] = -7
//: arg in int[640] = (i / 10 % 4) * (i * 7 % 10)
//: arg n int 10
//: expect best = i % 4 == 0 ? 3 : i % 4 == 1 ? 9 : i % 4 == 2 ? 18 : 27
//: expect at = i % 4 == 0 ? -7 : 7
__kernel void greatest(__global int *best, __global int *at, __global const int *in, int n)
{
    int i = get_global_id(0);
    for (int k = 0; k < n; k++)
        if (in[i * 10 + k] > best[i]) {
            best[i] = in[i * 10 + k];
            at[i] = k;
        }
}

// Members of structures, and the loop in a loop.
struct record { int sum, squares, last; };
//: test members
//: global 64
//: local 64
//: arg out int[192] = i % 3 == 1 ? 0 : i
//: arg in int[64] = i % 6
//: arg n int 4
//: expect out = i % 3 == 0 ? i + 6 : i % 3 == 1 ? 27 : 3
__kernel void members(__global struct record *out, __global const int *in, int n)
{
    int i = get_global_id(0);
    for (int r = 0; r < 2; r++) {
        for (int k = 0; k < n; k++) {
            int v = in[k];
            if (v > r) out[i].sum += v;
            if (v != r) out[i].squares += v * v;
            if (v == 3) out[i].last = k;
        }
        if (r == 1) out[i].sum -= 5;
    }
}

// Set to 0 in each round, and read behind the loop.
//: test rounds
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg seen int[256] = -1
//: arg in int[64] = i
//: arg n int 4
//: expect out = 6 + 4 * (i + 3)
//: expect seen = 6 + 4 * (i / 4 + i % 4)
__kernel void rounds(__global int *out, __global int *seen, __global const int *in, int n)
{
    int i = get_global_id(0);
    for (int r = 0; r < n; r++) {
        out[i] = 0;
        for (int k = 0; k < n; k++)
            out[i] += in[k] + i + r;
        seen[i * 4 + r] = out[i];
    }
}

// All share it: who comes there last has it in the end.
//: test one_flag
//: global 64
//: local 64
//: arg out int[1] = 0
//: arg in int[64] = i == 40
//: arg n int 2
//: expect out = 1
__kernel void one_flag(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0);
    for (int k = 0; k < n; k++)
        if (in[i] && k) out[0] = 1;
}

// In local memory: alone, and where another element may be the same.
//: test local_sum
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg in int[64] = i
//: arg n int 10
//: expect out = 1 + (45 - (i % 64 < 10 ? i % 64 : 0)) + 64
__kernel void local_sum(__global int *out, __global const int *in, int n)
{
    __local int sums[64], ones[64];
    int i = get_global_id(0), l = get_local_id(0);
    sums[l] = 1;
    ones[63 - l] = 1;
    for (int k = 0; k < n; k++)
        if (k != l) sums[l] += in[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 64; k++)
        sums[l] += ones[k];
    out[i] = sums[l];
}

//: test local_other
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg at int[64] = i
//: arg n int 4
//: expect out = 16
__kernel void local_other(__global int *out, __global const int *at, int n)
{
    __local int sums[64];
    int l = get_local_id(0), same = at[l];
    sums[l] = 1;
    for (int k = 0; k < n; k++)
        if (k != 9) sums[l] += sums[same];
    out[l] = sums[l];
}
