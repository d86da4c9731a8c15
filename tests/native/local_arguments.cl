// Local memory that is an argument: accessed in rows where they lie in it, otherwise as any memory.

//: test turned
//: global 256
//: local 128
//: arg out uint[256] = 0
//: arg from uint[256] = i * 3
//: arg part local 512
//: expect out = (i / 128 * 128 + i % 128 / 64 * 64 + 63 - i % 64) * 3
__kernel void turned(__global uint *out, __global const uint *from, __local uint *part)
{
    uint own = get_local_id(0), i = get_global_id(0);
    part[own] = from[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = part[own / 64 * 64 + 63 - own % 64];
}

// An index of 64 bits.
//: test wide
//: global 256
//: local 128
//: arg out uint[256] = 0
//: arg from uint[256] = i * 3
//: expect out = (i / 128 * 128 + i % 128 / 64 * 64 + 63 - i % 64) * 3
__kernel void wide(__global uint *out, __global const uint *from)
{
    __local uint part[128];
    long own = get_local_id(0), i = get_global_id(0);
    part[own] = from[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = part[own / 64 * 64 + 63 - own % 64];
}

// Two, of which the second does not begin where a row of the first would.
//: test two
//: global 128
//: local 64
//: arg out uint[128] = 0
//: arg a local 260
//: arg b local 256
//: expect out = i / 64 * 64 + 63 - i % 64 + (i % 64 ^ 1) * 1000
__kernel void two(__global uint *out, __local uint *a, __local uint *b)
{
    uint own = get_local_id(0);
    a[own] = get_global_id(0);
    b[own] = own * 1000;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a[63 - own] + b[own ^ 1];
}

// What might be accessed is more than there is, and then is not.
//: test short_one
//: kernel maybe_beyond
//: global 128
//: local 64
//: arg out uint[128] = 0
//: arg part local 256
//: arg n uint 0
//: expect out = i / 64 * 64 + (i % 64 ^ 63)

//: test long_one
//: kernel maybe_beyond
//: global 128
//: local 64
//: arg out uint[128] = 0
//: arg part local 512
//: arg n uint 8
//: expect out = i / 64 * 64 + (i % 64 ^ 63) + (i % 64 < 8 ? i % 64 ^ 3 : 0)
__kernel void maybe_beyond(__global uint *out, __local uint *part, uint n)
{
    uint own = get_local_id(0), v;
    part[own] = get_global_id(0);
    if (own < n)
        part[own + 64] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    v = part[own ^ 63];
    if (own < n)
        v += part[(own ^ 3) + 64];
    out[get_global_id(0)] = v;
}

// One that is made to halve.
//: test halved
//: global 512
//: local 256
//: arg out uint[2] = 0
//: arg part local 1024
//: expect out = i * 65536 + 32640
__kernel void halved(__global uint *out, __local uint *part)
{
    uint own = get_local_id(0);
    part[own] = get_global_id(0);
    for (uint span = get_local_size(0) / 2; span > 0; span /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (own < span)
            part[own] += part[own + span];
    }
    if (!own)
        out[get_group_id(0)] = part[0];
}

// What is stored last nobody reads; one word of a row is read by all, another by one.
//: test halving
//: global 512
//: local 256
//: arg out float[2] = 0
//: arg all float[512] = 0
//: arg from float[1024] = i % 7
//: arg part local 1024
//: expect out = i == 0 ? 1533 : 1534
//: expect all = i < 256 ? 1533 : 1534

//: test halving_odd
//: kernel halving
//: global 512
//: local 256
//: arg out float[2] = 0
//: arg all float[512] = 0
//: arg from float[1024] = i % 7
//: arg part local 1100
//: expect out = i == 0 ? 1533 : 1534
//: expect all = i < 256 ? 1533 : 1534
__kernel void halving(__global float *out, __global float *all, __global const float *from,
                      __local float *part)
{
    uint own = get_local_id(0), i = get_group_id(0) * 512 + own;
    part[own] = from[i] + from[i + 256];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 128; s > 0; s >>= 1) {
        if (own < s)
            part[own] += part[own + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (own == 0)
        out[get_group_id(0)] = part[0];
    all[get_global_id(0)] = part[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    part[own ^ 1] = 0;
}

// A word behind a row; a warp alone reads one, and a work-item alone.
//: test last_words
//: global 256
//: local 128
//: arg out uint[256] = 0
//: arg n uint 100
//: expect out = i % 128 < 32 ? i / 128 * 128 + 96 : i % 128 == 70 ? i / 128 * 128 + 33 : 7
__kernel void last_words(__global uint *out, uint n)
{
    __local uint part[129];
    uint own = get_local_id(0), i = get_global_id(0), v = 7;
    part[own ^ 31] = i;
    part[128] = 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own < 32)
        v = part[127];
    if (own == 70)
        v = part[128] == 5 ? part[62] : 0;
    out[i] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own + n < 129)
        part[own + n] = v;
}
