// Tiles of 32 x 32 by groups of 32 x 8; then of 16 x 16.
kernel void copy_plain(global float *to, global const float *from, int width, int height) {
    int x = get_group_id(0) * 32 + get_local_id(0), y = get_group_id(1) * 32 + get_local_id(1);
    int at = x + width * y;
    for (int i = 0; i < 32; i += 8) to[at + i * width] = from[at + i * width];
}

kernel void copy_shared(global float *to, global const float *from, int width, int height) {
    local float tile[32][32];
    int lx = get_local_id(0), ly = get_local_id(1);
    int at = get_group_id(0) * 32 + lx + (get_group_id(1) * 32 + ly) * width;
    for (int i = 0; i < 32; i += 8) tile[ly + i][lx] = from[at + i * width];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 32; i += 8) to[at + i * width] = tile[ly + i][lx];
}

kernel void transpose_naive(global float *to, global const float *from, int width, int height) {
    int x = get_group_id(0) * 32 + get_local_id(0), y = get_group_id(1) * 32 + get_local_id(1);
    int in = x + width * y, out = y + height * x;
    for (int i = 0; i < 32; i += 8) to[out + i] = from[in + i * width];
}

kernel void transpose_coalesced(global float *to, global const float *from, int width, int height) {
    local float tile[32][32];
    int lx = get_local_id(0), ly = get_local_id(1);
    int in = get_group_id(0) * 32 + lx + (get_group_id(1) * 32 + ly) * width;
    int out = get_group_id(1) * 32 + lx + (get_group_id(0) * 32 + ly) * height;
    for (int i = 0; i < 32; i += 8) tile[ly + i][lx] = from[in + i * width];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 32; i += 8) to[out + i * height] = tile[lx][ly + i];
}

kernel void square_naive(global float *to, global const float *from, int width, int height) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height) to[y + height * x] = from[x + width * y];
}

kernel void square_padded(global float *to, global const float *from, int width, int height) {
    local float tile[16][17];
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height) tile[ly][lx] = from[x + width * y];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * 16 + lx;
    y = get_group_id(0) * 16 + ly;
    if (x < height && y < width) to[x + height * y] = tile[lx][ly];
}
