__kernel void vecadd(__global float *out, __global const float *a, __global const float *b)
{
    int i = get_global_id(0);
    out[i] = a[i] + b[i];
}

__kernel void saxpy(__global float *out, __global const float *x, __global const float *y, float a)
{
    int i = get_global_id(0);
    out[i] = a * x[i] + y[i];
}

// Each work-item goes through the arrays with the stride of the whole range.
__kernel void triad(__global float *out, __global const float *a, __global const float *b,
                    float scale, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = a[i] + scale * b[i];
}

__kernel void copy_float4(__global float4 *out, __global const float4 *in)
{
    int i = get_global_id(0);
    out[i] = in[i];
}

// Reads every fourth element of its part of the input, an array of structures' way.
__kernel void copy_strided(__global float *out, __global const float *in, int stride, int n)
{
    int i = get_global_id(0);
    out[i] = in[(i * stride) % n + i * stride / n];
}

__kernel void gather(__global float *out, __global const float *in, __global const int *index)
{
    int i = get_global_id(0);
    out[i] = in[index[i]];
}

#define TILE 16

__kernel void transpose_naive(__global float *out, __global const float *in, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[x * height + y] = in[y * width + x];
}

__kernel void transpose_tiled(__global float *out, __global const float *in, int width, int height)
{
    __local float tile[TILE][TILE + 1];
    int tx = get_local_id(0), ty = get_local_id(1);
    int x = get_group_id(0) * TILE, y = get_group_id(1) * TILE;
    tile[ty][tx] = in[(y + ty) * width + x + tx];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(x + ty) * height + y + tx] = tile[tx][ty];
}

// Three bytes to one.
__kernel void gray(__global uchar *out, __global const uchar *rgb)
{
    int i = get_global_id(0);
    uchar3 c = vload3(i, rgb);
    out[i] = (uchar)((c.x * 77 + c.y * 150 + c.z * 29) >> 8);
}

__kernel void launch(__global int *out) { out[get_global_id(0)] = get_global_id(0); }
