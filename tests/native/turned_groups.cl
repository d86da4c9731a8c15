// Groups with barriers and local memory whose rows of memory go along dimension 1, or 2: so do the warps, where work-items are
// apart.
//: test product
//: global 64 32
//: local 16 16
//: arg out int[2048] = -1
//: arg a int[1024] = i % 7
//: arg b int[2048] = i / 64 == i % 32 ? 1 : 0
//: arg n int 32
//: expect out = (i / 64 * 32 + i % 32) % 7
// The same with rows along dimension 1.
//: test product_along_1
//: global 32 64
//: local 16 16
//: arg out int[2048] = -1
//: arg a int[1024] = i % 7
//: arg b int[2048] = i / 64 == i % 32 ? 1 : 0
//: arg n int 32
//: expect out = (i / 64 * 32 + i % 32) % 7
#define PRODUCT(name, ROW, COLUMN)                                                                 \
    __kernel void name(__global int *out, __global const int *a, __global const int *b, int n)     \
    {                                                                                              \
        __local int left[16][16], right[16][17];                                                   \
        int row = get_global_id(ROW), column = get_global_id(COLUMN), sum = 0;                     \
        int r = get_local_id(ROW), c = get_local_id(COLUMN), width = get_global_size(COLUMN);      \
        for (int t = 0; t < n; t += 16) {                                                          \
            left[r][c] = a[row * n + t + c];                                                       \
            right[r][c] = b[(t + r) * width + column];                                             \
            barrier(CLK_LOCAL_MEM_FENCE);                                                          \
            for (int k = 0; k < 16; k++)                                                           \
                sum += left[r][k] * right[k][c];                                                   \
            barrier(CLK_LOCAL_MEM_FENCE);                                                          \
        }                                                                                          \
        out[row * width + column] = sum;                                                           \
    }
PRODUCT(product, 1, 0)
PRODUCT(product_along_1, 0, 1)

// Groups that are not square, with an offset, whose ids and sizes are asked for; a local argument.
//: test ids
//: global 20 96
//: local 4 32
//: offset 3 7
//: arg out int[3072] = -1
//: arg part local 512
//: expect out = i % 128 < 7 || i % 128 >= 103 || i / 128 < 3 || i / 128 >= 23 ? -1 : (i / 128 - 3) / 4 + 10 * ((i % 128 - 7) / 32) + 100 * (3 - (i / 128 - 3) % 4) + 1000 * (31 - (i % 128 - 7) % 32) + 100000 * 4 + 1000000 * 32
__kernel void ids(__global int *out, __local int *part)
{
    int r = get_local_id(0), c = get_local_id(1), rows = get_local_size(0), columns = get_local_size(1);
    part[r * columns + c] = 100 * r + 1000 * c;
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = part[(rows - 1 - r) * columns + columns - 1 - c];
    out[get_global_id(0) * 128 + get_global_id(1)] =
        get_group_id(0) + 10 * get_group_id(1) + x + 100000 * rows + 1000000 * columns;
}

// A guard round a barrier, which the last groups do not all pass; rows along dimension 2.
//: test guarded
//: global 4 2 64
//: local 2 2 32
//: arg out int[600] = -1
//: arg in int[600] = i
//: arg n int 51
//: expect out = i % 64 < 51 && i < 512 ? i ^ 1 : -1
__kernel void guarded(__global int *out, __global const int *in, int n)
{
    __local int part[2][2][32];
    int x = get_global_id(2), i = (get_global_id(0) * 2 + get_global_id(1)) * 64 + x;
    __local int *row = part[get_local_id(0)][get_local_id(1)];
    if (x >= n)
        return;
    row[get_local_id(2)] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = x == n - 1 && n % 2 ? in[i] ^ 1 : row[get_local_id(2) ^ 1];
}

// Lanes count on what others of their warp have stored: warps are as they were.
//: test not_apart
//: global 32 64
//: local 16 32
//: arg out int[2048] = -1
//: arg in int[2048] = i
//: expect out = i / 64 / 2 * 2 * 64 * 2 + 64 + i % 64 * 2 
__kernel void not_apart(__global int *out, __global const int *in)
{
    __local volatile int part[32][16];
    int row = get_global_id(0), column = get_global_id(1), r = get_local_id(0), c = get_local_id(1);
    part[c][r] = in[row * 64 + column];
    int sum = part[c][r] + part[c][r ^ 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[row * 64 + column] = sum;
}

// Nor are they where a loop comes back to what was stored before it.
//: test comes_back
//: global 16 32
//: local 16 32
//: arg out int[512] = -1
//: arg in int[512] = i
//: expect out = i / 32 % 2 ? i - 32 + 3 * 64 : i + 3 * 64
__kernel void comes_back(__global int *out, __global const int *in)
{
    __local int part[32][16];
    int r = get_local_id(0), c = get_local_id(1);
    part[c][r] = in[r * 32 + c];
    for (int t = 0; t < 3; t++) {
        int x = part[c][r & ~1] + 64;
        part[c][r] = x;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[r * 32 + c] = part[c][r & ~1];
}
