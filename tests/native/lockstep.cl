// Two warps go through regions that lanes leave one by one, and read memory there. What a warp would
// read that has no lane left is behind the end of the memory.
//: test ended
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg table int[2056] = i
//: expect out = i < 32 ? (2000 + i % 5) * (1999 + i % 5) / 2 : i % 3 * 2048 + i % 3 * (i % 3 - 1) / 2
__kernel void ended(__global int *out, __global const int *table)
{
    int l = get_local_id(0), w = l >> 5, sum = 0, iterations = w ? l % 3 : 2000 + l % 5;
    for (int t = 0; t < iterations; t++)
        sum += table[w * 2048 + t];
    out[l] = sum;
}

//: test rows
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg table int[96] = i + 1
//: arg iterations int[64] = i < 32 ? 0 : i - 31
//: expect out = i < 32 ? 0 : (i - 31) * (i + 1 + (i - 32) / 2) + ((i - 32) % 2 ? (i - 31) / 2 : 0)
__kernel void rows(__global int *out, __global const int *table, __global const int *iterations)
{
    int l = get_local_id(0), sum = 0, many = iterations[l];
    for (int t = 0; t < many; t++)
        sum += table[l + t];
    out[l] = sum;
}

//: test search
//: global 192
//: local 64
//: arg out int[192] = -1
//: arg text uchar[3076] = i * i % 4
//: arg pattern uchar[3] = {0, 1, 0}
//: arg length int 3
//: expect out = 8
__kernel void search(__global int *out, __global const uchar *text, __constant uchar *pattern,
                     int length)
{
    int i = get_global_id(0), found = 0;
    for (int p = i * 16; p < (i + 1) * 16; p++) {
        int j = 0;
        while (j < length && text[p + j] == pattern[j])
            j++;
        if (j == length)
            found++;
    }
    out[i] = found;
}

//: test halves
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg text ushort[4000] = i * 7
//: arg many int[64] = i * 5 % 23
//: expect out = i < 7 ? 0 : many[i] * (i * 40 * 2 + many[i] - 1) / 2 * 7 + many[i]
__kernel void halves(__global int *out, __global const ushort *text, __global const int *many)
{
    int i = get_global_id(0), sum = 0;
    if (i >= 7)
        for (int k = 0; k < many[i]; k++)
            sum += text[i * 40 + k] + 1;
    out[i] = sum;
}

// What each lane has in common with the same lane of all warps is loaded once for them: rows along one dimension. Not what
// it has stored in private memory; nor where lanes are off, or in a region that warps pass one by one, what lives on.
//: test rows_for_all
//: global 32 16
//: local 16 8
//: arg out int[512] = -1
//: arg a int[1024] = i
//: arg b int[1024] = i * 3
//: arg n int 32
//: arg w int 32
//: arg h int 16
//: expect out = 32 * (32 * (i / 32) - 3 * 32 * (i % 32)) - 2 * 496 + 7 * (i / 32) + (i % 32 < 20 ? 3 * (i % 32) + (i / 32 == 5) : 0)
//: test rows_of_few
//: kernel rows_for_all
//: global 20 12
//: local 4 4
//: arg out int[240] = -1
//: arg a int[1024] = i
//: arg b int[1024] = i * 3
//: arg n int 32
//: arg w int 20
//: arg h int 12
//: expect out = 32 * (32 * (i / 20) - 3 * 32 * (i % 20)) - 2 * 496 + 7 * (i / 20) + (3 * (i % 20) + (i / 20 == 5))
__kernel void rows_for_all(__global int *out, __global const int *a, __global const int *b, int n, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0, own[4], more = 0;
    for (int k = 0; k < n; k++)
        sum += a[y * n + k] - b[x * n + k];
    for (int k = 0; k < 4; k++)
        own[(x + k) & 3] = y + 100 * k;
    if (x < 20) {
        more = b[x];
        if (y == 5)
            more++;
    }
    out[y * w + x] = sum + 7 * own[x & 3] + more;
}
