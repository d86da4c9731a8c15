/* Counts of rotations that the native code's compiler comes to know for some lanes, of which one is 0. */

//: test by_lane
//: global 64
//: local 8
//: arg out uint[64] = 0
//: arg turns int 1
//: expect out = i % 8 ? (0x7bdefe00u << i % 8) | (0x7bdefe00u >> (32 - i % 8)) : 0x7bdefe00u
kernel void by_lane(global uint *out, int turns) {
    local int counts[64];
    int l = get_local_id(0);
    counts[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int count = counts[l % (int)get_local_size(0)];
    uint x = 5;
    for (int t = 0; t < turns; t++) x = rotate(0x7bdefe00u, (uint)count);
    out[get_global_id(0)] = x;
}
