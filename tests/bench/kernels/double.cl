#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define TILE 16

__kernel void dgemm(__global double *c, __global const double *a, __global const double *b, int n)
{
    __local double as[TILE][TILE], bs[TILE][TILE];
    int tx = get_local_id(0), ty = get_local_id(1);
    int x = get_global_id(0), y = get_global_id(1);
    double sum = 0;
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

__kernel void daxpy(__global double *out, __global const double *x, __global const double *y,
                    double a)
{
    int i = get_global_id(0);
    out[i] = a * x[i] + y[i];
}
