// Lanes whose elements lie near each other, by indices that are rounded, or divided, or permuted: two registers are
// permuted where that is so, and lanes go elsewhere all the same.

// In rows of 1,024 words over several pages, so that some begin at the end of a page; 16 lanes over 12 to 45 elements.
//: test words
//: global 4096
//: local 64
//: arg out int[4096] = -1
//: arg in int[8200] = i * 5 + 1
//: arg of int 1
//: expect out = (i * 3 / 4 * 5 + 1) * 4 + (i * 11 / 7 * 5 + 1) * 3 + (i * 2 / 3 * 5 + 1) * 2 + (i * 3 / 2 + 3) * 5 + 1 + (i / 3 + i / 3 * 4 + 6) * 7
__kernel void words(__global int *out, __global const int *in, int of)
{
    int i = get_global_id(0) * of;
    out[i] = in[i * 3 / 4] * 4 + in[i * 11 / 7] * 3 + in[i * 2 / 3] * 2 + in[(int)(i * 1.5f) + 3] + in[i / 3 + 1] * 7;
}

// The same behind a condition, in groups with lanes that there are not, and in the other direction.
//: test guarded
//: global 3000
//: local 100
//: arg out int[3000] = -1
//: arg in int[3000] = i * 5
//: arg n int 2950
//: expect out = i < 2950 && i % 37 != 5 ? i * 3 / 4 * 5 + (2999 - i * 3 / 4) * 10 : -1
__kernel void guarded(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0);
    if (i < n && i % 37 != 5)
        out[i] = in[i * 3 / 4] + in[2999 - i * 3 / 4] * 2;
}

// Bytes, halves and floats, and what is behind them.
//: test narrow
//: global 4096
//: local 128
//: arg out float[4096] = -1
//: arg bytes char[5000] = i * 7
//: arg halves ushort[5000] = i * 13
//: arg floats float[5000] = i
//: expect out = ((i * 3 / 4 * 7 + 128) % 256 - 128) + 2 * (((i * 3 / 4 + 1) * 7 + 128) % 256 - 128) + (i * 5 / 7 * 13) % 65536 + i * 7 / 8 + (i * 7 / 8 + 1) * 2
__kernel void narrow(__global float *out, __global const char *bytes, __global const ushort *halves,
                     __global const float *floats)
{
    int i = get_global_id(0), b = i * 3 / 4, f = i * 7 / 8;
    out[i] = bytes[b] + 2 * bytes[b + 1] + halves[i * 5 / 7] + floats[f] + floats[f + 1] * 2;
}

// Components, which are words together or more.
//: test components
//: global 2048
//: local 64
//: arg out int[2048] = -1
//: arg four uchar[8192] = i * 3
//: arg two short[4096] = i
//: arg pair int[8192] = i
//: expect out = (i * 3 / 4 * 12 & 255) + (i * 3 / 4 * 12 + 6 & 255) * 256 + (i * 2 / 3 * 4 + 1) * 3 + (i * 4 / 5 * 2 + 1) * 1000
__kernel void components(__global int *out, __global const uchar4 *four, __global const short2 *two,
                         __global const int2 *pair)
{
    int i = get_global_id(0);
    uchar4 of = four[i * 3 / 4];
    short2 other = two[i * 2 / 3];
    out[i] = of.x + of.z * 256 + (other.x + other.y) * 3 + pair[i * 4 / 5].y * 1000;
}

// Permuted in blocks of 16, or of 48, by what only the arguments say.
//: test permuted
//: global 1024 4
//: local 16 4
//: arg out int[4096] = -1
//: arg in int[4096] = i * 3
//: arg five int 5
//: arg block int 16
//: expect out = (i ^ 5) * 3 + (i / 16 * 16 + (i * 7 + i / 1024) % 16) * 6 + (i < 4080 ? (i / 48 * 48 + 47 - i % 48) * 12 : 0)
__kernel void permuted(__global int *out, __global const int *in, int five, int block)
{
    int x = get_global_id(0), y = get_global_id(1), i = y * get_global_size(0) + x, far = block * 3;
    int v = in[i ^ five] + in[i / block * block + (i * 7 + y) % block] * 2;
    if (i < 4096 / far * far)
        v += in[i / far * far + far - 1 - i % far] * 4;
    out[i] = v;
}

// In local memory, and in the last words of a buffer.
//: test small
//: global 256
//: local 64
//: arg out int[256] = -1
//: arg in int[20] = i + 1
//: expect out = (i % 64 * 3 / 4) * 2 + i * 20 / 256 + 1
__kernel void small(__global int *out, __global const int *in)
{
    __local int part[64];
    int own = get_local_id(0);
    part[own] = own * 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = part[own * 3 / 4] + in[(int)(get_global_id(0) * 0.078125f)];
}
