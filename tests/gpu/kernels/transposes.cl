/* A matrix of 32 x 32 floats is transposed by groups of 16 x 16: 64 half-warps, a row of 16 each. */
//: model 8800gtx gtx280

/* It writes columns: lanes 128 bytes apart. */
//: test naive
//: global 32 32
//: local 16 16
//: arg out float[1024] = -1
//: arg in float[1024] = i
//: expect out = in[i % 32 * 32 + i / 32]
//: expect gld_coherent == 64
//: expect gld_incoherent == 0
//: expect gld_64b == 64
//: expect gst_coherent == 0
//: expect gst_incoherent == 64
//: expect gst_transactions_1_0 == 1024
//: expect gst_32b == 1024
//: expect gst_64b == 0
//: expect gst_bytes == 4096
//: expect gst_moved == 32768
kernel void naive(global float *out, global const float *in) {
    int x = get_global_id(0), y = get_global_id(1);
    out[x * 32 + y] = in[y * 32 + x];
}

/* Through shared memory, whose columns lie in one bank. */
//: test tiled
//: global 32 32
//: local 16 16
//: arg out float[1024] = -1
//: arg in float[1024] = i
//: expect out = in[i % 32 * 32 + i / 32]
//: expect gld_coherent == 64
//: expect gld_64b == 64
//: expect gst_coherent == 64
//: expect gst_incoherent == 0
//: expect gst_transactions_1_0 == 64
//: expect gst_64b == 64
//: expect gst_total == 64
//: expect shared_access == 128
//: expect shared_passes == 1088
//: expect shared_replay == 960
//: expect shared_conflict == 16
//: expect warp_serialize == 960
//: expect barrier == 32
kernel void tiled(global float *out, global const float *in) {
    local float tile[16][16];
    int x = get_local_id(0), y = get_local_id(1);
    int from = get_group_id(1) * 16, to = get_group_id(0) * 16;
    tile[y][x] = in[(from + y) * 32 + to + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(to + y) * 32 + from + x] = tile[x][y];
}

/* And with a column more, which lies over all banks. */
//: test padded
//: global 32 32
//: local 16 16
//: arg out float[1024] = -1
//: arg in float[1024] = i
//: expect out = in[i % 32 * 32 + i / 32]
//: expect gld_64b == 64
//: expect gst_64b == 64
//: expect shared_access == 128
//: expect shared_passes == 128
//: expect shared_replay == 0
//: expect shared_conflict == 1
//: expect warp_serialize == 0
kernel void padded(global float *out, global const float *in) {
    local float tile[16][17];
    int x = get_local_id(0), y = get_local_id(1);
    int from = get_group_id(1) * 16, to = get_group_id(0) * 16;
    tile[y][x] = in[(from + y) * 32 + to + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(to + y) * 32 + from + x] = tile[x][y];
}
