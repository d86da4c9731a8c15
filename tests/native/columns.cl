// Local memory that is stored in rows and loaded in columns, or the other way round: the accesses of all warps of a group
// are transposed together.

// Tiles of 16 x 16, with rows of any length.
//: test tile
//: global 32 48
//: local 16 16
//: arg out int[1536] = -1
//: arg in int[1536] = i
//: expect out = i % 48 * 32 + i / 48
kernel void tile(global int *out, global const int *in) {
    local int part[16][17];
    int x = get_local_id(0), y = get_local_id(1), w = get_global_size(0), h = get_global_size(1);
    part[y][x] = in[get_global_id(1) * w + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(get_group_id(0) * 16 + y) * h + get_group_id(1) * 16 + x] = part[x][y];
}

// The columns are stored.
//: test stored
//: global 32 48
//: local 16 16
//: arg out float[1536] = -1
//: arg in float[1536] = i
//: expect out = i % 48 * 32 + i / 48
kernel void stored(global float *out, global const float *in) {
    local float part[16][20];
    int x = get_local_id(0), y = get_local_id(1), w = get_global_size(0), h = get_global_size(1);
    part[x][y] = in[get_global_id(1) * w + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(get_group_id(0) * 16 + y) * h + get_group_id(1) * 16 + x] = part[y][x];
}

// Tiles of 32 x 32 by groups of 32 x 8, and of 32 x 4.
//: test by_eight
//: global 64 8
//: local 32 8
//: arg out int[2048] = -1
//: arg in int[2048] = i
//: arg rows int 32
//: expect out = i % 32 * 64 + i / 32
kernel void by_eight(global int *out, global const int *in, int rows) {
    local int part[32][33];
    int x = get_local_id(0), y = get_local_id(1), w = get_global_size(0);
    for (int j = 0; j < 32; j += 8) part[y + j][x] = in[(y + j) * w + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 32; j += 8) out[(get_group_id(0) * 32 + y + j) * rows + x] = part[x][y + j];
}

//: test by_four
//: global 64 4
//: local 32 4
//: arg out int[2048] = -1
//: arg in int[2048] = i
//: arg rows int 32
//: expect out = i % 32 * 64 + i / 32
kernel void by_four(global int *out, global const int *in, int rows) {
    local int part[32][33];
    int x = get_local_id(0), y = get_local_id(1), w = get_global_size(0);
    for (int j = 0; j < 32; j += 4) part[x][y + j] = in[(y + j) * w + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 32; j += 4) out[(get_group_id(0) * 32 + y + j) * rows + x] = part[y + j][x];
}

// In one dimension, by an argument's memory, and with some lanes off in one of the accesses.
//: test some_off
//: global 512
//: local 256
//: arg out int[512] = -1
//: arg part local 1100
//: arg n int 240
//: expect out = i % 256 < 240 ? i / 256 * 256 + i % 16 * 16 + i % 256 / 16 : -1
kernel void some_off(global int *out, local int *part, int n) {
    int l = get_local_id(0);
    part[l / 16 * 17 + l % 16] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < n) out[get_global_id(0)] = part[l % 16 * 17 + l / 16];
}

// Columns that lie in one another: the last of the work-items that store a word is not known, but it is one of them.
//: test within
//: global 256
//: local 256
//: arg out int[256] = -1
//: expect out = i < 4 ? 1 : 1
kernel void within(global int *out) {
    local int part[16 * 4 + 16];
    int l = get_local_id(0), word = l % 16 * 4 + l / 16;
    part[word] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int from = part[word];
    out[l] = from % 16 * 4 + from / 16 == word;
}
