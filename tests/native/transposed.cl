// Stores that lie in columns for the rows of a work-group, and some that do not quite.
//: test squares
//: kernel transpose
//: global 64 32
//: local 16 16
//: arg out float[2048] = -1
//: arg in float[2048] = i
//: arg w int 64
//: arg h int 32
//: expect out = i % 32 * 64 + i / 32

//: test flat
//: kernel transpose
//: global 64 32
//: local 16 4
//: arg out float[2048] = -1
//: arg in float[2048] = i
//: arg w int 64
//: arg h int 32
//: expect out = i % 32 * 64 + i / 32

//: test flatter
//: kernel transpose
//: global 48 30
//: local 16 6
//: arg out float[1440] = -1
//: arg in float[1440] = i
//: arg w int 48
//: arg h int 30
//: expect out = i % 30 * 48 + i / 30

//: test warps
//: kernel transpose
//: global 64 32
//: local 32 8
//: arg out float[2048] = -1
//: arg in float[2048] = i
//: arg w int 64
//: arg h int 32
//: expect out = i % 32 * 64 + i / 32

//: test off
//: kernel transpose
//: global 32 16
//: local 16 16
//: arg out float[1000] = -1
//: arg in float[1000] = i
//: arg w int 40
//: arg h int 20
//: expect out = i / 20 < 32 && i % 20 < 16 ? i % 20 * 40 + i / 20 : -1
__kernel void transpose(__global float *out, __global const float *in, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[x * h + y] = in[y * w + x];
}

// Every other place; and places of which the last row's differ.
//: test gaps
//: global 32 32
//: local 16 16
//: arg out int[2048] = -1
//: arg h int 32
//: expect out = i % 2 ? -1 : i / 2 % 32 * 1000 + i / 64
__kernel void gaps(__global int *out, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[(x * h + y) * 2] = y * 1000 + x;
}

//: test bent
//: global 32 32
//: local 16 16
//: arg out int[1100] = -1
//: arg h int 32
//: expect out = i < 1024 ? (i % 32 == 31 ? -1 : i % 32 * 1000 + i / 32) : i < 1056 ? 31000 + i - 1024 : -1
__kernel void bent(__global int *out, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[y == 31 ? 1024 + x : x * h + y] = y * 1000 + x;
}

//: test twice
//: global 32 32
//: local 16 16
//: arg out int[1024] = -1
//: arg odd int[1024] = -1
//: arg h int 32
//: expect out = i % 32 * 1000 + i / 32
//: expect odd = i / 32 % 2 ? i % 32 : -1
__kernel void twice(__global int *out, __global int *odd, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[x * h + y] = y * 1000 + x;
    if (x % 2)
        odd[x * h + y] = y;
}

//: test outside
//: global 32 32
//: local 16 16
//: arg out int[1024] = -1
//: arg h int 0x1000000
//: fault
__kernel void outside(__global int *out, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[x * h + y] = y;
}

// Loads of columns: of tiles with and without padding, of memory's last words, and of what is not
// quite a column.
//: test tile
//: global 64 32
//: local 16 16
//: arg out float[2048] = -1
//: arg in float[2048] = i
//: arg w int 64
//: arg h int 32
//: expect out = i % 32 * 64 + i / 32
__kernel void tile(__global float *out, __global const float *in, int w, int h)
{
    __local float t[16][17];
    int x = get_local_id(0), y = get_local_id(1), gx = get_group_id(0) * 16,
        gy = get_group_id(1) * 16;
    t[y][x] = in[(gy + y) * w + gx + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(gx + y) * h + gy + x] = t[x][y];
}

//: test dense_tile
//: global 16 16
//: local 16 16
//: arg out int[256] = -1
//: expect out = i % 16 * 16 + i / 16
__kernel void dense_tile(__global int *out)
{
    __local int t[16][16];
    int x = get_local_id(0), y = get_local_id(1);
    t[y][x] = y * 16 + x;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * 16 + x] = t[x][y];
}

//: test not_quite
//: global 16 16
//: local 16 16
//: arg out int[1024] = -1
//: expect out = i < 256 ? i % 16 * 16 + 15 - i / 16 : i < 512 ? i % 16 * 16 + i / 16 % 8 : i < 768 ? i % 16 * 16 + (i / 16 % 16 ^ 1) : (i + 1) % 16 * 16 + i / 16 % 16
__kernel void not_quite(__global int *out)
{
    __local int t[16][16];
    int x = get_local_id(0), y = get_local_id(1);
    t[y][x] = y * 16 + x;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * 16 + x] = t[x][15 - y];
    out[y * 16 + x + 256] = t[x][y % 8];
    out[y * 16 + x + 512] = t[x][y ^ 1];
    out[y * 16 + x + 768] = t[(x + 1) % 16][y];
}

//: test end
//: global 16 16
//: local 16 16
//: arg out int[256] = -1
//: arg in int[1024] = i
//: expect out = i % 16 * 67 + i / 16 + 3
__kernel void end(__global int *out, __global const int *in)
{
    int x = get_local_id(0), y = get_local_id(1);
    out[y * 16 + x] = in[x * 67 + y + 3];
}

//: test some_tile
//: global 16 16
//: local 16 16
//: arg out int[256] = -1
//: expect out = i % 16 > 2 ? i % 16 * 16 + i / 16 : -1
__kernel void some_tile(__global int *out)
{
    __local int t[16][16];
    int x = get_local_id(0), y = get_local_id(1);
    t[y][x] = y * 16 + x;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x > 2)
        out[y * 16 + x] = t[x][y];
}
