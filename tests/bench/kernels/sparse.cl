// Sparse matrix (compressed rows) by vector.
__kernel void spmv_scalar(__global float *out, __global const int *row, __global const int *column,
                          __global const float *value, __global const float *x)
{
    int r = get_global_id(0);
    float sum = 0;
    for (int i = row[r]; i < row[r + 1]; i++)
        sum += value[i] * x[column[i]];
    out[r] = sum;
}

// 32 work-items a row.
#define WIDTH 32
#define GROUP 128

__kernel void spmv_vector(__global float *out, __global const int *row, __global const int *column,
                          __global const float *value, __global const float *x)
{
    __local float part[GROUP];
    int t = get_local_id(0), lane = t & (WIDTH - 1);
    int r = get_global_id(0) / WIDTH;
    float sum = 0;
    for (int i = row[r] + lane; i < row[r + 1]; i += WIDTH)
        sum += value[i] * x[column[i]];
    part[t] = sum;
    for (int s = WIDTH / 2; s > 0; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < s)
            part[t] += part[t + s];
    }
    if (lane == 0)
        out[r] = part[t];
}
