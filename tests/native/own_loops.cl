// Loops between barriers that hold more vectors than registers, for warps in lockstep: what they carry.
//: test run
//: global 256
//: local 128
//: arg out int[256] = -1
//: arg in int[256] = 3
//: arg n int 256
//: expect out = 256 * (4 * i + 1) - (12 + 256 * (4 * i + 9)) * 3 + 256 * (2 * i + 7) * 5 + 256 * (3 * (i + 6) + (i + 7) * i)
__kernel void run(__global int *out, __global const int *in, int n)
{
    __local int tile[128];
    int i = get_global_id(0), t = get_local_id(0);
    int m0 = i, m1 = i + 1, m2 = m1 + in[i] - 2, m3 = m2 + in[i] - 2, m4 = m3 + in[i] - 2;
    int m5 = m4 + in[i] - 2, m6 = m5 + in[i] - 2, m7 = m6 + in[i] - 2;
    int s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (int k = 0; k < n; k += 64)
        s1 += in[k];
    for (int base = 0; base < n; base += 128) {
        tile[t] = in[base + t];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 128; j++) {
            int x = tile[j];
            s0 += x * m0 + m1;
            s1 += x * m2 + m3;
            s2 += x * m4 - m5;
            s3 += x * m6 + m7 * m0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = s0 - s1 * 3 + s2 * 5 + s3;
}

// Behind a barrier lanes go along rows of their own: those of all warps at once would not fit the nearest cache.
//: test own_rows
//: global 512
//: local 256
//: arg out int[512] = -1
//: arg a int[32768] = i / 64 + i % 64
//: arg b int[64] = i
//: expect out = i * 2016 + 85344
__kernel void own_rows(__global int *out, __global const int *a, __global const int *b)
{
    __local int row[64];
    int i = get_global_id(0), t = get_local_id(0), sum = 0;
    if (t < 64) row[t] = b[t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 64; k++) sum += a[i * 64 + k] * row[k];
    out[i] = sum;
}
