// Groups whose rows are shorter than a half-warp: pieces of 8 and 4 lanes lie in rows, at even distances, or at one address.

//: test eight
//: global 24 16
//: local 8 8
//: arg out int[384] = -1
//: arg in int[384] = i * 3
//: arg row int[16] = i * 1000
//: expect out = i * 3 + i / 24 * 1000
__kernel void eight(__global int *out, __global const int *in, __global const int *row)
{
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
    out[y * w + x] = in[y * w + x] + row[y];
}

//: test four
//: global 20 12
//: local 4 4
//: arg out int[240] = -1
//: arg in int[240] = i * 3
//: arg row int[12] = i * 1000
//: expect out = i * 3 + i / 20 * 1000
__kernel void four(__global int *out, __global const int *in, __global const int *row)
{
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
    out[y * w + x] = in[y * w + x] + row[y];
}

// Pieces of four in rows of 20, and a last warp with lanes off.
//: test twenty
//: global 40 10
//: local 20 5
//: arg out int[400] = -1
//: arg in int[400] = i * 3
//: expect out = i * 3 + i / 40
__kernel void twenty(__global int *out, __global const int *in)
{
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
    out[y * w + x] = in[y * w + x] + y;
}

// Rows of lanes that are not all on, from the first or the last of a piece.
//: test edges
//: global 24 16
//: local 8 8
//: arg out int[384] = -1
//: arg in int[384] = i * 7
//: expect out = i % 24 > 2 && i % 24 < 21 && i / 24 > 0 && i / 24 < 15 ? i * 28 : -1
__kernel void edges(__global int *out, __global const int *in)
{
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), i = y * w + x;
    if (x > 2 && x < 21 && y > 0 && y < 15)
        out[i] = in[i - 1] + in[i + 1] + in[i - w] + in[i + w];
}

// An index that lanes have only where they were on when it was made.
//: test stale
//: global 16 16
//: local 8 8
//: arg out int[256] = -1
//: arg in int[256] = i * 5
//: expect out = i % 2 ? i * 5 : 7 + i
__kernel void stale(__global int *out, __global const int *in)
{
    int x = get_global_id(0), y = get_global_id(1), i = 0, v = 7;
    if (x & 1)
        i = y * 16 + x;
    if (x & 1)
        v = in[i];
    out[y * 16 + x] = x & 1 ? v : v + y * 16 + x;
}

// Two and four components, and steps of three elements.
//: test parts
//: global 16 8
//: local 8 4
//: arg out int[512] = -1
//: arg in int[512] = i * 11
//: expect out = i % 4 == 3 ? i * 11 + i / 64 * 44 : i * 11
__kernel void parts(__global int4 *out, __global const int4 *in)
{
    int x = get_global_id(0), y = get_global_id(1), i = y * 16 + x;
    int4 v = in[i];
    v.w += in[y].x * 0 + y * 44;
    out[i] = v;
}

//: test steps
//: global 16 8
//: local 8 4
//: arg out int[384] = -1
//: arg in int[384] = i * 11
//: expect out = i % 3 == 1 ? i * 22 : -1
__kernel void steps(__global int *out, __global const int *in)
{
    int i = get_global_id(1) * 16 + get_global_id(0);
    out[3 * i + 1] = in[3 * i + 1] * 2;
}

// One address for each row of the group, of several components, by some lanes.
//: test points
//: global 16 8
//: local 8 8
//: arg out int[128] = -1
//: arg in int[64] = i
//: expect out = i % 16 == 5 ? -1 : 16 + i / 16 * 16
__kernel void points(__global int *out, __global const int4 *in)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x == 5)
        return;
    int4 v = in[y + 1] + in[y];
    out[y * 16 + x] = v.x + v.y + v.z - v.w + 8;
}

// Bytes, halves of words and long ones.
//: test bytes
//: global 24 8
//: local 8 8
//: arg out uchar[192] = 255
//: arg in uchar[192] = i
//: arg shorts short[192] = i * 3
//: arg longs long[192] = i * 5
//: expect out = (i + i * 3 + i * 5) % 256
//: expect shorts = i * 4
//: expect longs = i * 6
__kernel void bytes(__global uchar *out, __global const uchar *in, __global short *shorts, __global long *longs)
{
    int i = get_global_id(1) * 24 + get_global_id(0);
    out[i] = in[i] + shorts[i] + longs[i];
    shorts[i] += in[i];
    longs[i] += in[i];
}

// Columns of a matrix, and rows the other way round.
//: test columns
//: global 24 16
//: local 8 8
//: arg out int[384] = -1
//: arg back int[384] = -1
//: arg in int[384] = i * 3
//: expect out = i % 16 * 72 + i / 16 * 3
//: expect back = (i / 24 * 24 + 23 - i % 24) * 3
__kernel void columns(__global int *out, __global int *back, __global const int *in)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[x * 16 + y] = in[y * 24 + x];
    back[y * 24 + x] = in[y * 24 + 23 - x];
}
