// Barriers in regions of which memory says whether, and how often, a group passes them: all of its work-items read the same
// there, and its warps stay in lockstep.
//: test times
//: global 1024
//: local 256
//: arg out int[1024] = -1
//: arg in int[1024] = i
//: arg many int[4] = {3, 0, 1, 70}
//: expect out = many[i / 256] * (i / 256 * 256) + (i % 256 * many[i / 256] + many[i / 256] * (many[i / 256] + 1) / 2 - (i % 256 + many[i / 256] > 255 ? 256 * (i % 256 + many[i / 256] - 255) : 0))
//: test times_of_some
//: kernel times
//: global 200
//: local 100
//: arg out int[200] = -1
//: arg in int[200] = i
//: arg many int[2] = {0, 5}
//: expect out = i < 100 ? 0 : 500 + i % 100 * 5 + 15 - (i % 100 + 5 > 99 ? 100 * (i % 100 + 5 - 99) : 0)
__kernel void times(__global int *out, __global const int *in, __global const int *many)
{
    __local int part[256];
    int l = get_local_id(0), i = get_global_id(0), n = get_local_size(0), sum = 0;
    for (int t = 0; t < many[get_group_id(0)]; t++) {
        part[l] = in[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += part[(l + t + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = sum;
}

// A flag in local memory, which one work-item writes: halvings until all numbers are odd, or none is left to halve.
//: test flag
//: global 512
//: local 128
//: arg out int[512] = -1
//: arg rounds int[4] = -1
//: arg in int[512] = i / 128 == 2 ? 2 * i + 1 : 1 << i % 7
//: expect out = i / 128 == 2 ? 2 * i + 1 : 1
//: expect rounds = i == 2 ? 0 : 6
__kernel void flag(__global int *out, __global int *rounds, __global const int *in)
{
    __local int any;
    int l = get_local_id(0), i = get_global_id(0), x = in[i], n = 0;
    while (true) {
        if (l == 0)
            any = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!(x & 1))
            any = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!any)
            break;
        barrier(CLK_LOCAL_MEM_FENCE);
        n++;
        if (!(x & 1))
            x >>= 1;
    }
    out[i] = x;
    if (l == 0)
        rounds[get_group_id(0)] = n;
}

// Work-items that have returned do not come to barriers in it, of whole warps and of parts of one.
//: test behind_return
//: global 384
//: local 192
//: arg out int[384] = -1
//: arg in int[384] = i
//: arg go int[2] = {1, 1}
//: arg n int 330
//: expect out = i < 330 ? (i ^ 1) + 3 : -1
__kernel void behind_return(__global int *out, __global const int *in, __global const int *go, int n)
{
    __local int part[192];
    int l = get_local_id(0), i = get_global_id(0), x = 0;
    if (i >= n)
        return;
    if (go[get_group_id(0)]) {
        part[l] = in[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        x = part[l ^ 1] + 3;
    }
    out[i] = x;
}

// What memory says in a warp's own region, at another time than others, is no one value for the group.
//: test own
//: global 128
//: local 128
//: arg out int[128] = -1
//: arg count int[1] = 5
//: expect out = i < 32 ? 6 : 7
__kernel void own(__global int *out, __global int *count)
{
    int i = get_global_id(0), x = 7;
    if (i == 0)
        count[0]++;
    if (i < 32)
        x = count[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = x;
}

// One work-item writes what all read behind a barrier, in global memory.
//: test read_after_write
//: global 512
//: local 256
//: arg out int[512] = -1
//: arg steps int[2] = {2, 7}
//: expect out = i < 256 ? 2 : 7
//: expect steps = 0
__kernel void read_after_write(__global int *out, __global int *steps)
{
    int l = get_local_id(0), n = 0;
    __global int *mine = steps + get_group_id(0);
    while (*mine > 0) {
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (l == 77)
            --*mine;
        n++;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    out[get_global_id(0)] = n;
}
