// Addresses that are a constant apart: of one register, as far as it still holds what it did.

// Long indices: eight words of each work-item.
//: test words
//: global 64
//: local 64
//: arg out long[64] = -1
//: arg in int[520] = i * i
//: expect out = 512 * i * i + 448 * i + 140
__kernel void words(__global long *out, __global const int *in)
{
    long x = get_global_id(0);
    out[x] = (long)in[8 * x] + in[8 * x + 1] + in[8 * x + 2] + in[8 * x + 3] + in[8 * x + 4] + in[8 * x + 5] +
             in[8 * x + 6] + in[8 * x + 7];
}

// A counter that goes on in between, and down.
//: test goes_on
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg in int[320] = i * 3
//: arg n long 2
//: expect out = 72 * i + 48
__kernel void goes_on(__global int *out, __global const int *in, long n)
{
    long x = get_global_id(0), k = 4 * x;
    int sum = 0;
    for (long i = 0; i < n; i++) {
        sum += in[k + 1];
        k += 2;
        sum += in[k + 1] + in[k - 1];
        k--;
        sum -= in[k + 1];
        k += 1;
        sum += in[k];
    }
    out[x] = sum;
}

// What one part of an if writes is another value behind it, and in its other part.
//: test parts
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[512] = i
//: expect out = i % 3 == 0 ? 19 * i + 13 : 12 * i + 9
__kernel void parts(__global int *out, __global const int *in)
{
    long x = get_global_id(0), k = 4 * x;
    int sum = in[k + 1];
    if (x % 3 == 0) {
        k += x + 2;
        sum += in[k] + in[k + 1];
    } else {
        sum += in[k + 2];
        k++;
    }
    sum += in[k + 5];
    out[x] = sum;
}

// Stores, from the last one down, and what is read of them.
//: test stores
//: global 64
//: local 64
//: arg out int[256] = -1
//: expect out = i % 4 == 3 ? i / 4 * 3 + 3 : i / 4 + i % 4
__kernel void stores(__global int *out)
{
    long x = get_global_id(0);
    out[4 * x + 2] = x + 2;
    out[4 * x + 1] = x + 1;
    out[4 * x] = x;
    out[4 * x + 3] = out[4 * x + 1] + out[4 * x + 2] + out[4 * x];
}

// Constants within sums of local memory, farther apart than is worth it, too.
//: test tiles
//: global 64
//: local 64
//: arg out int[64] = -1
//: expect out = 4 * i + 1603
__kernel void tiles(__global int *out)
{
    __local int part[1024];
    long x = get_local_id(0), y = 3;
    for (long i = 0; i < 16; i++) part[x + 64 * i] = x + 64 * i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[x] = part[x] + part[(x + 4) - y] + part[(x + 2 * 400) + 1] + part[801 + x];
}

// Words of each element in any order, in parts of an if, in loops, and where one is known in another part.
//: test any_order
//: global 96
//: local 48
//: arg out int[96] = -1
//: arg in int[768] = i
//: expect out = i * 48 + 15
__kernel void any_order(__global int *out, __global const int *in)
{
    long x = get_global_id(0);
    out[x] = in[8 * x + 5] + in[8 * x] + in[8 * x + 3] + in[8 * x + 1] + in[8 * x + 4] + in[8 * x + 2];
}
//: test other_parts
//: global 100
//: local 50
//: arg out int[200] = -1
//: arg in int[208] = i
//: expect out = i % 2 ? i / 2 * 2 + 5 : i / 2 % 3 ? i / 2 * 4 + 6 : i / 2 * 6 + 3
__kernel void other_parts(__global int *out, __global const int *in)
{
    long x = get_global_id(0);
    int v;
    if (x % 3) v = in[2 * x + 4] + in[2 * x + 2];
    else v = in[2 * x + 2] + in[2 * x + 1] + in[2 * x];
    out[2 * x] = v;
    out[2 * x + 1] = in[2 * x + 5];
}
//: test barriers
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[80] = i
//: expect out = i * 15 + 60 + (i % 2 ? i + 3 : 0)
__kernel void barriers(__global int *out, __global const int *in)
{
    __local int shared[64];
    long x = get_global_id(0), l = get_local_id(0);
    int sum = 0;
    for (long k = 0; k < 5; k++) {
        long i = x + k * 2;
        shared[2 * l] = in[i + 1];
        if (i & 1) shared[2 * l + 1] = in[i];
        else shared[2 * l + 1] = in[i + 2] - 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += shared[2 * l + 1] + shared[2 * l] - 1 + in[i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (x & 1) sum += in[x + 3];
    out[x] = sum;
}
//: test far
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[2000] = i
//: expect out = i * 4 + 1302
__kernel void far(__global int *out, __global const int *in)
{
    long x = get_global_id(0);
    out[x] = in[x + 1] + in[x + 300] + in[x + 1000] + in[x + 1];
}
