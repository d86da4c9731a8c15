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
#define ADD(one, i)                                                                                \
    for (int j = 0; j < 16; j++) sum[j] += (one) * tile[i][j];
// Each of four columns of A is used, and the one four further is read.
#define NEXT(part)                                                                                 \
    a += 4 * a_pitch;                                                                              \
    for (int i = 0; i < 4; i++) {                                                                  \
        ADD(four[i], part + i)                                                                     \
        four[i] = a[i * a_pitch];                                                                  \
    }

kernel void gemm(global const REAL *a, int a_pitch, global const REAL *b, int b_pitch, global REAL *c,
                 int c_pitch, int n, REAL alpha, REAL beta) {
    local REAL tile[16][17];
    int x = get_local_id(0), y = get_local_id(1), t = y * 16 + x, row = get_group_id(0) * 64;
    int column = get_group_id(1) * 16, done = 0;
    REAL sum[16], four[4];
    a += row + t;
    b += x + (column + y) * b_pitch;
    c += row + t + column * c_pitch;
#pragma unroll
    for (int j = 0; j < 16; j++) sum[j] = 0;
    do {
#pragma unroll
        for (int i = 0; i < 4; i++) four[i] = a[i * a_pitch];
#pragma unroll
        for (int j = 0; j < 16; j += 4) tile[x][y + j] = b[j * b_pitch];
        barrier(CLK_LOCAL_MEM_FENCE);
        NEXT(0)
        NEXT(4)
        NEXT(8)
        a += 4 * a_pitch;
        for (int i = 0; i < 4; i++) ADD(four[i], 12 + i)
        b += 16;
        done += 16;
        barrier(CLK_LOCAL_MEM_FENCE);
    } while (done < n);
#pragma unroll
    for (int j = 0; j < 16; j++, c += c_pitch) c[0] = alpha * sum[j] + beta * c[0];
}
#endif
