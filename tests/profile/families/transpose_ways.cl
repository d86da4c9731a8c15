/* Ways to transpose a matrix: stores that jump; a tile in shared memory; rows of it padded; groups dealt out diagonally. */
#define TILE 16

__kernel void transpose_naive(__global float *to, __global const float *from, int n) {
    int x = get_global_id(0), y = get_global_id(1);
    to[x * n + y] = from[y * n + x];
}

__kernel void transpose_tile(__global float *to, __global const float *from, int n) {
    __local float tile[TILE][TILE];
    int x = get_local_id(0), y = get_local_id(1);
    int column = get_group_id(0) * TILE, row = get_group_id(1) * TILE;
    tile[y][x] = from[(row + y) * n + column + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    to[(column + y) * n + row + x] = tile[x][y];
}

__kernel void transpose_padded(__global float *to, __global const float *from, int n) {
    __local float tile[TILE][TILE + 1];
    int x = get_local_id(0), y = get_local_id(1);
    int column = get_group_id(0) * TILE, row = get_group_id(1) * TILE;
    tile[y][x] = from[(row + y) * n + column + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    to[(column + y) * n + row + x] = tile[x][y];
}

__kernel void transpose_diagonal(__global float *to, __global const float *from, int n) {
    __local float tile[TILE][TILE + 1];
    int x = get_local_id(0), y = get_local_id(1);
    int row = get_group_id(0) * TILE;
    int column = (get_group_id(0) + get_group_id(1)) % get_num_groups(0) * TILE;
    tile[y][x] = from[(row + y) * n + column + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    to[(column + y) * n + row + x] = tile[x][y];
}
