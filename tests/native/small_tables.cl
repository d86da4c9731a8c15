// Tables of a few registers, in which lanes have indices: of bytes, halves and words, and of more entries than that.

//: test bytes
//: global 300
//: local 60
//: arg out int[300] = -1
//: arg in uchar[300] = i * 7
//: arg table uchar[256] = i * 3 + 1
//: arg n int 291
//: expect out = i < 291 ? ((i * 7 & 255) * 3 + 1 & 255) * 1000 + (((i * 7 & 255) % 100) * 3 + 1 & 255) : -1
__kernel void bytes(__global int *out, __global const uchar *in, __global const uchar *table, int n)
{
    int i = get_global_id(0);
    if (i < n)
        out[i] = table[in[i]] * 1000 + table[in[i] % 100];
}

// With a sign; entries before where the pointer points; halves.
//: test signs
//: global 256
//: local 64
//: arg out int[256] = -1
//: arg in uchar[256] = i
//: arg bytes char[64] = i * 5 - 128
//: arg halves short[140] = i * 200 - 14000
//: expect out = ((i & 31) * 5 - 68) * 100000 + ((i & 127) + 12) * 200 - 14000
__kernel void signs(__global int *out, __global const uchar *in, __global const char *bytes, __global const short *halves)
{
    int i = get_global_id(0), v = in[i];
    out[i] = bytes[(v & 31) + 12] * 100000 + halves[(v & 127) + 12];
}

// Of each number of registers: words and floats, in constant memory and in the program.
constant float in_program[12] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121};
//: test words
//: global 250
//: local 50
//: arg out float[250] = -1
//: arg in uint[250] = i * 2654435
//: arg a int[16] = i * 3
//: arg b int[32] = i * 5
//: arg c int[64] = i * 7
//: arg d int[128] = i * 11
//: expect out = (i * 2654435 % 12) * (i * 2654435 % 12) + 100 * (i * 2654435 & 15) * 3 + (i * 2654435 >> 3 & 31) * 5 + (i * 2654435 >> 5 & 63) * 7 + (i * 2654435 >> 7 & 127) * 11
__kernel void words(__global float *out, __global const uint *in, __constant int *a, __global const int *b,
                    __global const int *c, __global const int *d)
{
    uint v = in[get_global_id(0)];
    out[get_global_id(0)] = in_program[v % 12] + 100 * a[v & 15] + b[v >> 3 & 31] + c[v >> 5 & 63] + d[v >> 7 & 127];
}

// What is stored in between is read; tables in local memory.
//: test changed
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg in uchar[128] = i * 13
//: arg table int[64] = i
//: expect out = (i * 13 & 15) + (i * 13 & 255) / 16 + i / 64 * 16 + 1000 * ((i * 13 & 15) * 2 + 5)
__kernel void changed(__global int *out, __global const uchar *in, __global int *table)
{
    __local int own[16];
    int i = get_global_id(0), l = get_local_id(0), from = get_group_id(0) * 32, v = in[i], a, b;
    a = table[from + (v & 15)];
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (l < 16) {
        own[l] = l * 2;
        table[from + l] = from / 2 + l - from;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    b = own[v & 15];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16)
        own[l] += 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = a - from + table[from + (v >> 4)] + from + 1000 * own[v & 15] + 0 * b;
}

// Wherever they lie: over the end of a page, too.
//: test anywhere
//: global 4096
//: local 64
//: arg out int[4096] = -1
//: arg in uchar[4096] = i * 31
//: arg table ushort[4400] = i * 3
//: expect out = (i / 64 * 65 + (i * 31 & 63)) * 3
__kernel void anywhere(__global int *out, __global const uchar *in, __global const ushort *table)
{
    int i = get_global_id(0);
    out[i] = table[get_group_id(0) * 65 + (in[i] & 63)];
}

// Where no lane is, nothing is read: the table is no buffer's.
//: test nobody
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg in int[128] = i
//: arg table int[16] = i
//: arg far int 100000000
//: expect out = 7
__kernel void nobody(__global int *out, __global const int *in, __global const int *table, int far)
{
    int i = get_global_id(0), v = 7;
    if (in[i] > 1000)
        v = table[far + (in[i] & 15)];
    out[i] = v;
}

// In loops that lanes leave one by one: a checksum, by nibbles.
//: test checksum
//: global 100
//: local 20
//: arg out int[100] = 0
//: arg length uchar[100] = i % 9
//: arg in uchar[900] = i / 9 * 7 + 3
//: expect out = 1
__constant uint nibbles[16] = {0,          0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                               0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
__kernel void checksum(__global int *out, __global const uchar *length, __global const uchar *in)
{
    int i = get_global_id(0);
    uint c = ~0u, bitwise = ~0u;
    for (int k = 0; k < length[i]; k++) {
        bitwise ^= in[i * 9 + k];
        for (int b = 0; b < 8; b++)
            bitwise = bitwise >> 1 ^ (bitwise & 1 ? 0xedb88320 : 0);
        c ^= in[i * 9 + k];
        c = c >> 4 ^ nibbles[c & 15];
        c = c >> 4 ^ nibbles[c & 15];
    }
    out[i] = c == bitwise;
}
