// Groups of half a warp and less go backwards through a row, under a condition: with a barrier, so that none is taken together with others.

//: test loaded
//: global 64
//: local 8
//: arg in uint[64] = i * 2654435761
//: arg out uint[64] = 1
//: expect out = in[63 - (i / 8 * 8 + (i + 1) % 8)] % 3 == 0 ? 0 : in[63 - (i / 8 * 8 + (i + 1) % 8)]
kernel void loaded(global const uint *in, global uint *out)
{
    local uint share[8];
    uint lid = get_local_id(0), id = get_global_id(0), v = 0;
    if (in[63 - id] % 3 != 0) v += in[63 - id];
    share[lid] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[id] = share[(lid + 1) % 8];
}

//: test stored
//: global 64 4
//: local 4 2
//: arg in uint[256] = i * 2654435761
//: arg out uint[256] = 1
//: expect out = in[255 - i] % 3 == 0 ? 1 : in[255 - i] + 2
kernel void stored(global const uint *in, global uint *out)
{
    local uint share[1];
    uint id = get_global_id(0) + 64 * get_global_id(1);
    if (!get_local_id(0) && !get_local_id(1)) share[0] = 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (in[id] % 3 != 0) out[255 - id] = in[id] + share[0];
}

//: test by_index
//: global 64
//: local 16
//: arg in uint[64] = i * 2654435761
//: arg out uint[64] = 1
//: arg n uint 5
//: expect out = i % 16 == 5 ? 0 : in[63 - i]
kernel void by_index(global const uint *in, global uint *out, uint n)
{
    local uint share[16];
    uint lid = get_local_id(0), id = get_global_id(0), v = 0;
    share[lid] = lid;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (share[lid] != n) v = in[63 - id];
    out[id] = v;
}
