// Several elements for each work-item, one behind the other: a work-item for each of them does the same, where none accesses what another one stores.
//: test rows
//: global 16
//: local 8
//: arg out int[2280] = -1
//: arg in int[2280] = i % 7
//: arg w int 60
//: arg d int 38
//: expect out = i < 2280 ? (i % 7) * 38 - ((i / 38 * 38) % 7 + (i / 38 * 38 + 37) % 7) : -1
//: test rows_from
//: kernel rows
//: global 14
//: local 7
//: offset 1
//: arg out int[2280] = -1
//: arg in int[2280] = i % 7
//: arg w int 60
//: arg d int 38
//: expect out = i >= 152 ? (i % 7) * 38 - ((i / 38 * 38) % 7 + (i / 38 * 38 + 37) % 7) : -1
__kernel void rows(__global int *out, __global const int *in, int w, int d)
{
    int x0 = get_global_id(0) * 4;
    for (int j = 0; j < 4; j++) {
        int x = x0 + j;
        if (x < w) {
            int ends = 0;
            for (int k = 0; k < d; k++)
                ends += k == 0 || k == d - 1 ? in[x * d + k] : 0;
            for (int k = 0; k < d; k++)
                out[x * d + k] = in[x * d + k] * d - ends;
        }
    }
}

// Functions that return early; a number that is no power of two; columns; an index that is computed.
void column(__global int *out, __global const int *in, int w, int d, int x)
{
    if (x >= w)
        return;
    int s = 0;
    for (int k = 0; k < d; k++) {
        s += in[k * w + x];
        out[k * w + x] = s;
    }
}

//: test columns
//: global 20
//: local 10
//: arg out int[696] = -1
//: arg in int[696] = 1
//: arg w int 58
//: arg d int 12
//: expect out = i / 58 + 1
__kernel void columns(__global int *out, __global const int *in, int w, int d)
{
    int x = get_group_id(0) * get_local_size(0) + get_local_id(0);
    column(out, in, w, d, 3 * x);
    column(out, in, w, d, 3 * x + 1);
    column(out, in, w, d, 3 * x + 2);
}

// Of the second dimension.
//: test lines
//: global 20 8
//: local 10 4
//: arg out int[320] = -1
//: arg in int[320] = i
//: arg w int 20
//: arg h int 15
//: expect out = i < 300 ? i * 4 + i / 20 : -1
__kernel void lines(__global int *out, __global const int *in, int w, int h)
{
    int x = get_global_id(0);
    for (int j = 0; j < 2; j++) {
        int y = get_global_id(1) * 2 + j;
        if (y < h) {
            int s = y;
            for (int k = 0; k < 4; k++)
                s += in[y * w + x];
            out[y * w + x] = s;
        }
    }
}

// As many work-items apart as there are, by a counter that all elements share.
//: test apart
//: global 16
//: local 8
//: arg out int[570] = -1
//: arg in int[570] = i % 7
//: arg w int 57
//: arg d int 10
//: expect out = i % 7 + (i / 10 * 10) % 7 + (i / 10 * 10 + 9) % 7
__kernel void apart(__global int *out, __global const int *in, int w, int d)
{
    int x = get_global_id(0);
    for (int j = 0; j < 4; j++, x += get_global_size(0))
        if (x < w) {
            int ends = 0;
            for (int k = 0; k < d; k++)
                ends += k == 0 || k == d - 1 ? in[x * d + k] : 0;
            for (int k = 0; k < d; k++)
                out[x * d + k] = in[x * d + k] + ends;
        }
}

// Rows that overlap: what an element stores another one of the same work-item loads, or stores after it.
//: test overlapping
//: global 1
//: local 1
//: arg out int[40] = 0
//: arg d int 20
//: expect out = i < 4 ? i + 1 : i < 20 ? 4 : i < 23 ? 23 - i : 0
__kernel void overlapping(__global int *out, int d)
{
    int x0 = get_global_id(0) * 4;
    for (int j = 0; j < 4; j++)
        for (int k = 0; k < d; k++)
            out[x0 + j + k] += 1;
}

//: test later
//: global 8
//: local 8
//: arg out int[64] = i
//: arg d int 2
//: expect out = i < 32 ? (i % 4 < 3 ? i + 1 : 101) : i
//: arg in int[8] = 100
__kernel void later(__global int *out, int d, __global const int *in)
{
    int x0 = get_global_id(0) * 4;
    for (int j = 0; j < 4; j++) {
        int s = j < 3 ? out[x0 + j + 1] : in[0];
        for (int k = 0; k < d; k++)
            out[x0 + j] = s + (j == 3);
    }
}

// What elements hand on.
//: test running
//: global 8
//: local 8
//: arg out int[32] = -1
//: arg in int[320] = 1
//: arg d int 10
//: expect out = (i % 4 + 1) * 10
__kernel void running(__global int *out, __global const int *in, int d)
{
    int x0 = get_global_id(0) * 4, s = 0;
    for (int j = 0; j < 4; j++) {
        for (int k = 0; k < d; k++)
            s += in[(x0 + j) * d + k];
        out[x0 + j] = s;
    }
}

// Places in the group; which of the elements it is; what each work-item has of its own.
//: test places
//: global 16
//: local 8
//: arg out int[64] = -1
//: arg d int 3
//: expect out = (i / 4 % 8 + i % 4 + i / 4) * 3
__kernel void places(__global int *out, int d)
{
    int g = get_global_id(0), l = get_local_id(0);
    for (int j = 0; j < 4; j++) {
        int s = 0;
        for (int k = 0; k < d; k++)
            s += l + j + g;
        out[g * 4 + j] = s;
    }
}

//: test own
//: global 16
//: local 8
//: arg out int[32] = -1
//: arg in int[16] = i * i
//: arg d int 3
//: expect out = (i / 2) * (i / 2) * 3 + i
__kernel void own(__global int *out, __global const int *in, int d)
{
    int g = get_global_id(0), v = in[g];
    for (int j = 0; j < 2; j++) {
        int s = g * 2 + j;
        for (int k = 0; k < d; k++)
            s += v;
        out[g * 2 + j] = s;
    }
}

// Elements that do not follow those of the work-item before.
//: test spaced
//: global 16
//: local 8
//: arg out int[64] = -1
//: arg d int 3
//: expect out = i % 4 < 3 ? i * 3 : -1
__kernel void spaced(__global int *out, int d)
{
    int x0 = get_global_id(0) * 4;
    for (int j = 0; j < 3; j++) {
        int s = 0;
        for (int k = 0; k < d; k++)
            s += x0 + j;
        out[x0 + j] = s;
    }
}

// Who went astray is told as it was launched.
//: test astray
//: global 32
//: local 16
//: arg out int[64] = -1
//: arg in int[40] = i
//: arg d int 5
//: fault line 226, work-item global (19,0,0) local (3,0,0) of group (1,0,0)
__kernel void astray(__global int *out, __global const int *in, int d)
{
    int x0 = get_global_id(0) * 2;
    for (int j = 0; j < 2; j++) {
        int s = 0;
        for (int k = 0; k < d; k++)
            s += in[x0 + j == 39 && k == 3 ? 0x10000000 : k];
        out[x0 + j] = s;
    }
}

// A flag that all raise, whoever is first: elements are apart all the same.
//: test raised
//: global 192 16
//: local 16 4
//: arg out int[6144] = -1
//: arg flag int[1] = 0
//: arg in int[6144] = i * 7 % 1000
//: arg w int 384
//: expect out = i * 7 % 1000 + 1
//: expect flag = 1
__kernel void raised(__global int *out, __global int *flag, __global const int *in, int w)
{
    int x = get_global_id(0) * 2, y = get_global_id(1);
    for (int k = 0; k < 2; k++) {
        int i = y * w + x + k;
        if (in[i] > 900)
            *flag = 1;
        out[i] = in[i] + 1;
    }
}

// Sixteen elements, as many work-items apart as there are.
//: test far_apart
//: global 16
//: local 8
//: arg out int[256] = -1
//: arg in int[256] = i * 3
//: expect out = i * 3 + i
__kernel void far_apart(__global int *out, __global const int *in)
{
    int x = get_global_id(0);
    for (int j = 0; j < 16; j++, x += get_global_size(0))
        out[x] = in[x] + x;
}
