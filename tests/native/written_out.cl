// Loops that are written out for the size of the work-group, where what they count is an address, too.

//: test weighted
//: global 128
//: local 64
//: arg out int[2] = -1
//: expect out = 6160
__kernel void weighted(__global int *out)
{
    __local int sums[64];
    int weights[4] = {1, 3, 2, 5};
    uint l = get_local_id(0);
    sums[l] = l;
    for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < s)
            sums[l] += sums[l + s] * weights[s & 3];
    }
    if (l == 0)
        out[get_group_id(0)] = sums[0];
}
