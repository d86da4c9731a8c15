//: test barrier
//: kernel reverse
//: global 128
//: local 64
//: arg out int[128] = 0
//: expect out = i / 64 * 64 + 63 - i % 64
kernel void reverse(global int *out) {
    local int tile[64];
    int l = get_local_id(0);
    tile[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    int mine = tile[63 - l];
    out[get_global_id(0)] = mine;
}
