// Rows of uneven lengths, a work-item each, that are not joined in any order: lanes go through them one by one where
// some rows are much longer than most, and all together where they are not.

// One row of 200 elements, others of 3.
//: test sums
//: global 64
//: local 32
//: arg out float[128] = -1
//: arg a float[2048] = i % 4
//: arg least int 3
//: arg most int 200
//: expect out = i % 64 == 5 ? 300 * (1 + i / 64) : 6 * (1 + i / 64)
//: test sums_even
//: kernel sums
//: global 64
//: local 32
//: arg out float[128] = -1
//: arg a float[2048] = i % 4
//: arg least int 20
//: arg most int 20
//: expect out = 30 * (1 + i / 64)
//: test sums_none
//: kernel sums
//: global 64
//: local 32
//: arg out float[128] = -1
//: arg a float[2048] = i % 4
//: arg least int 0
//: arg most int -7
//: expect out = 0
kernel void sums(global float *out, global const float *a, int least, int most)
{
    int i = get_global_id(0), begin = i % 8 * 4 + (i == 5 ? 0 : 1), end = begin + (i == 5 ? most : least);
    float sum = 0, twice = 0;
    for (int k = begin; k < end; k++) {
        sum += a[k];
        twice += 2 * a[k];
    }
    out[i] = sum;
    out[64 + i] = twice;
}

// Each iteration waits for the one before, with as many operations.
//: test hashes
//: global 96
//: local 96
//: arg out uint[96] = -1
//: arg text uchar[512] = 1
//: arg starts int[97] = i * i / 24
//: expect out = (i * i + 2 * i + 1) / 24 - i * i / 24
kernel void hashes(global uint *out, global const uchar *text, global const int *starts)
{
    int i = get_global_id(0), end = starts[i + 1];
    uint h = 0, n = 0;
    for (int k = starts[i]; k < end; k++) {
        h = (h << 5) + h + text[k];
        h ^= h >> 7;
        n = (h | 1) ? n + text[k] : h;
    }
    out[i] = n;
}

// From the last element to the first one.
//: test descending
//: global 96
//: local 96
//: arg out float[96] = -1
//: arg a float[512] = i % 2
//: arg starts int[97] = i * i / 24
//: expect out = (i + 1) * (i + 1) / 24 / 2 - i * i / 24 / 2
kernel void descending(global float *out, global const float *a, global const int *starts)
{
    int i = get_global_id(0);
    float sum = 0;
    for (int k = starts[i + 1] - 1; k >= starts[i]; k--) sum += a[k];
    out[i] = sum;
}

// Running sums, which are stored, and loaded again by the next iteration.
//: test running
//: global 64
//: local 64
//: arg out int[1024] = -1
//: arg a int[1024] = 1
//: expect out = i % 16 < i / 16 % 16 ? i % 16 + 1 : -1
kernel void running(global int *out, global const int *a)
{
    int i = get_global_id(0), end = i * 16 + i % 16;
    for (int k = i * 16; k < end; k++) out[k] = a[k] + (k % 16 ? out[k - 1] : 0);
}

// Each iteration stores what a later one loads.
//: test handed
//: global 64
//: local 32
//: arg out uint[1024] = i % 16
//: expect out = i % 16 > i / 16 % 16 ? i % 16 : i % 16 * (i % 16 + 1) / 2
kernel void handed(global uint *out)
{
    int i = get_global_id(0), end = i * 16 + i % 16;
    for (int k = i * 16; k < end; k++) out[k + 1] += out[k];
}
