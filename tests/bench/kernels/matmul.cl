// C = A * B for square row-major matrices; groups of 16 x 16.
#define TILE 16

__kernel void matmul_naive(__global float *c, __global const float *a, __global const float *b,
                           int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

__kernel void matmul_tiled(__global float *c, __global const float *a, __global const float *b,
                           int n)
{
    __local float as[TILE][TILE], bs[TILE][TILE];
    int tx = get_local_id(0), ty = get_local_id(1);
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int m = 0; m < n; m += TILE) {
        as[ty][tx] = a[y * n + m + tx];
        bs[ty][tx] = b[(m + ty) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            sum += as[ty][k] * bs[k][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
}
