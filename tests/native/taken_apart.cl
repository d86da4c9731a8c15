// One dimension taken apart by / and %: half-warps lie in a row and are at one address, or go over a row's end.

//: test product
//: global 960
//: local 64
//: arg out int[960] = -1
//: arg a int[240] = i % 13
//: arg b int[480] = i % 7
//: arg w int 40
//: arg d int 10
//: expect out = i / 40 * 100 + i % 40 + i / 40 * 10 % 13 * (i % 40 % 7) + (i / 40 * 10 + 9) % 13 * ((9 * 40 + i % 40) % 7)
__kernel void product(__global int *out, __global const int *a, __global const int *b, int w, int d)
{
    int i = get_global_id(0), x = i % w, y = i / w;
    int first = a[y * d] * b[x], last = a[y * d + d - 1] * b[(d - 1) * w + x];
    out[y * w + x] = first + last + y * 100 + x;
}

// Bytes and halves of words at one address; rows that begin anywhere.
//: test small
//: global 256
//: local 128
//: arg out int[256] = -1
//: arg bytes uchar[32] = i * 9
//: arg shorts short[32] = i * 1000 - 9000
//: arg w uint 19
//: expect out = i / 19 * 9 + i / 19 * 1000 - 9000 + i % 19 * 9
__kernel void small(__global int *out, __global const uchar *bytes, __global const short *shorts, uint w)
{
    uint i = get_global_id(0), x = i % w, y = i / w;
    out[i] = bytes[y] + shorts[y] + bytes[x];
}

// All at one address in each group, in some of which not all are on.
//: test some
//: global 256
//: local 64
//: arg out int[256] = -1
//: arg in int[64] = i * 31
//: arg w int 64
//: expect out = i % 64 < 50 ? i / 64 * 31 + i % 64 * 31 : -1
__kernel void some(__global int *out, __global const int *in, int w)
{
    int i = get_global_id(0), x = i % w, y = i / w;
    if (x < 50)
        out[y * w + x] = in[y] + in[x];
}
