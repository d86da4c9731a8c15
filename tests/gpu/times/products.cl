// C = A B: of a narrow and a flat matrix, 16 columns and rows; then of large ones.
kernel void narrow(global const float *a, global const float *b, global float *c, int n) {
    int row = get_global_id(1), column = get_global_id(0);
    float sum = 0;
    for (int i = 0; i < 16; i++) sum += a[row * 16 + i] * b[i * n + column];
    c[row * n + column] = sum;
}

kernel void narrow_a(global const float *a, global const float *b, global float *c, int n) {
    local float tile[16][16];
    int row = get_global_id(1), column = get_global_id(0), x = get_local_id(0), y = get_local_id(1);
    float sum = 0;
    tile[y][x] = a[row * 16 + x];
    for (int i = 0; i < 16; i++) sum += tile[y][i] * b[i * n + column];
    c[row * n + column] = sum;
}

kernel void narrow_ab(global const float *a, global const float *b, global float *c, int n) {
    local float tile[16][16], other[16][16];
    int row = get_global_id(1), column = get_global_id(0), x = get_local_id(0), y = get_local_id(1);
    float sum = 0;
    tile[y][x] = a[row * 16 + x];
    other[y][x] = b[y * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 16; i++) sum += tile[y][i] * other[i][x];
    c[row * n + column] = sum;
}

// A work-item has 16 elements of a row of C in registers, a group of 64 a tile of 64 x 16; matrices are
// column by column.
#ifdef REAL
#ifdef DOUBLES
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
kernel void gemm(global const REAL *a, global const REAL *b, global REAL *c, int n) {
    local REAL tile[16][17];
    int x = get_local_id(0), y = get_local_id(1), t = y * 16 + x;
    int row = get_group_id(0) * 64, column = get_group_id(1) * 16;
    a += row + t;
    b += x + (column + y) * n;
    c += row + t + column * n;
    REAL sum[16];
#pragma unroll
    for (int j = 0; j < 16; j++) sum[j] = 0;
    for (int k = 0; k < n; k += 16) {
#pragma unroll
        for (int j = 0; j < 16; j += 4) tile[x][y + j] = b[j * n];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int i = 0; i < 16; i++) {
            REAL one = a[i * n];
#pragma unroll
            for (int j = 0; j < 16; j++) sum[j] += one * tile[i][j];
        }
        a += 16 * n;
        b += 16;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (int j = 0; j < 16; j++) c[j * n] = sum[j];
}
#endif
