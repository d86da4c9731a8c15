// Between barriers, more vectors than there are registers where there are sixteen: some warps at a time.
#define TILE 16

//: test whole
//: global 32 32
//: local 16 16
//: arg c float[1024] = -1
//: arg a float[1024] = i % 7
//: arg b float[1024] = i % 32 == i / 32 ? 2 : 0
//: expect c = 2 * (i % 7) + i % 32
__kernel void whole(__global float *c, __global const float *a, __global const float *b)
{
    __local float as[TILE][TILE], bs[TILE][TILE];
    int tx = get_local_id(0), ty = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    float sum = x;
    for (int m = 0; m < 32; m += TILE) {
        as[ty][tx] = a[y * 32 + m + tx];
        bs[ty][tx] = b[(m + ty) * 32 + x];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int k = 0; k < TILE; k++) {
            sum += as[ty][k] * bs[k][tx];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * 32 + x] = sum;
}

// What is one for the group changes in each iteration.
//: test product
//: global 32 32
//: local 16 16
//: arg c float[1024] = -1
//: arg a float[1024] = i % 7
//: arg b float[1024] = i % 32 == i / 32 ? 2 : 0
//: arg sums uint[4] = 0
//: expect c = 2 * (i % 7) + i % 32
//: expect sums = 1991
__kernel void product(__global float *c, __global const float *a, __global const float *b, __global uint *sums)
{
    __local float as[TILE][TILE], bs[TILE][TILE];
    int tx = get_local_id(0), ty = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    float sum = x;
    uint steps = 0;
    for (int m = 0; m < 32; m += TILE) {
        as[ty][tx] = a[y * 32 + m + tx];
        bs[ty][tx] = b[(m + ty) * 32 + x];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int k = 0; k < TILE; k++) {
            sum += as[ty][k] * bs[k][tx];
            steps = steps * 2 + m + k;
            steps &= 1023;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * 32 + x] = sum;
    if (tx == 0 && ty == 0)
        sums[get_group_id(1) * 2 + get_group_id(0)] = steps + 1000;
}

// Each warp reads what the next one has written, and groups of other sizes.
//: test turned
//: kernel turned
//: global 512
//: local 256
//: arg out int[512] = -1
//: arg in int[512] = i * 3
//: expect out = (i / 256 * 256 * 16 + 120 + 16 * ((i + 32) % 256) - 256 * ((i + 32) % 256 > 240 ? (i + 32) % 256 - 240 : 0)) * 3
//: test turned_64
//: kernel turned
//: global 512
//: local 64
//: arg out int[512] = -1
//: arg in int[512] = i * 3
//: expect out = (i / 64 * 64 * 16 + 120 + 16 * ((i + 32) % 64) - 64 * ((i + 32) % 64 > 48 ? (i + 32) % 64 - 48 : 0)) * 3
__kernel void turned(__global int *out, __global const int *in)
{
    __local int part[256];
    int l = get_local_id(0), n = get_local_size(0), sum = 0, at = (l + 32) % n;
    part[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < 16; k++)
        sum += part[(at + k) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = sum;
}

// Rows of 8, several in a vector.
//: test tiles
//: global 512
//: local 256
//: arg c float[512] = -1
//: arg a float[1024] = i % 7
//: arg b float[1024] = i % 8 == i / 8 % 8 ? i / 512 + 1 : 0
//: arg steps int = 2
//: expect c = ((i / 64 * 128 + i % 64) % 7 + (i / 64 * 128 + 64 + i % 64) % 7) * (i / 256 + 1)
__kernel void tiles(__global float *c, __global const float *a, __global const float *b, int steps)
{
    __local float as[256], bs[256];
    int x = get_global_id(0), own = get_local_id(0), row = own / 8 * 8, column = own / 64 * 64 + own % 8;
    float sum = 0;
    for (int m = 0; m < steps; m++) {
        as[own] = a[(x / 64 * steps + m) * 64 + own % 64];
        bs[own] = b[(x / 64 * steps + m) * 64 + own % 64];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 8; k++)
            sum += as[row + k] * bs[column + k * 8];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[x] = sum;
}
