// What iterations load that those before have loaded, of rows that work-items have for themselves.

// By one and by two; rows that are empty, of which nothing is loaded.
//: test differences
//: global 96
//: local 32
//: arg out int[96] = -1
//: arg a int[2000] = i * i % 101
//: arg length int[96] = i % 3 * 5
//: arg from int[96] = i % 3 ? i * 20 : 2000000000
//: arg expected int[96] = 0
//: expect out = 1
__kernel void differences(__global int *out, __global const int *a, __global const int *length,
                          __global const int *from, __global int *expected)
{
    int i = get_global_id(0), n = length[i], at = from[i], one = 0, two = 0, both = 0;
    for (int k = 1; k < n; k++)
        one += abs(a[at + k] - a[at + k - 1]);
    for (int k = 0; k < n - 2; k++)
        two += a[at + k] * 3 - a[at + k + 2] * a[at + k + 1] % 7;
    for (int k = n - 2; k >= 1; k--)
        both += (a[at + k + 1] > a[at + k]) != (a[at + k] > a[at + k - 1]);
    for (int k = 1; k < n; k++) {
        int v = *(volatile __global const int *)(a + at + k), w = *(volatile __global const int *)(a + at + k - 1);
        expected[i] += abs(v - w);
    }
    one -= expected[i];
    expected[i] = 0;
    for (int k = 0; k < n - 2; k++) {
        volatile __global const int *v = a + at + k;
        expected[i] += v[0] * 3 - v[2] * v[1] % 7;
    }
    two -= expected[i];
    expected[i] = 0;
    for (int k = n - 2; k >= 1; k--) {
        volatile __global const int *v = a + at + k;
        expected[i] += (v[1] > v[0]) != (v[0] > v[-1]);
    }
    both -= expected[i];
    out[i] = !one && !two && !both;
}

// Points of which each is there twice; bytes; a way out; a guard.
//: test points
//: global 64
//: local 64
//: arg out float[64] = -1
//: arg a float[1280] = i % 20 / 2 * (i % 20 / 2) + i % 2
//: arg bytes uchar[1280] = i * 7 % 50
//: arg m int 10
//: arg w int 60
//: expect out = i < 60 ? 81 * 1.75 : -1
__kernel void points(__global float *out, __global const float *a, __global const uchar *bytes, int m, int w)
{
    int i = get_global_id(0), fell = 0, seen = 0;
    if (i >= w)
        return;
    float length = 0;
    for (int k = 0; k + 3 < 2 * m; k += 2) {
        float dx = a[i * 2 * m + k + 2] - a[i * 2 * m + k], dy = a[i * 2 * m + k + 3] - a[i * 2 * m + k + 1];
        length += 1.5f * dx + 0.25f * dy;
    }
    for (int k = 1; k < 2 * m; k++) {
        if (bytes[i * 2 * m + k] < bytes[i * 2 * m + k - 1])
            break;
        fell = k;
    }
    while (seen < 2 * m - 1 && bytes[i * 2 * m + seen] <= bytes[i * 2 * m + seen + 1])
        seen++;
    out[i] = length + (fell - seen);
}

// What the loop stores there, or others store at a barrier, is loaded: as by volatile loads.
//: test stored
//: global 64
//: local 64
//: arg out int[128] = -1
//: arg a int[1100] = i * i % 37
//: arg b int[1100] = i * i % 37
//: arg m int 16
//: expect out = 0
__kernel void stored(__global int *out, __global int *a, __global int *b, int m)
{
    int i = get_global_id(0), sum = 0, shared = 0;
    for (int k = 1; k < m; k++) {
        volatile __global int *v = b + i * m + k;
        sum += (a[i * m + k] - 2 * a[i * m + k - 1]) - (v[0] - 2 * v[-1]);
        a[i * m + k] += k;
        v[0] += k;
    }
    out[i] = sum;
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (int k = 1; k < m - 1; k++) {
        volatile __global int *v = b + i * m + k;
        shared += (a[i * m + k] - 2 * a[i * m + k - 1]) - (v[0] - 2 * v[-1]);
        barrier(CLK_GLOBAL_MEM_FENCE);
        a[(i + 1) % 64 * m + k] += i;
        b[(i + 1) % 64 * m + k] += i;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    out[i + 64] = shared;
}

// The first iteration may leave by what it has loaded, before it comes to what is handed on.
//: test left_first
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg a int[1300] = i * i % 7
//: arg m int 16
//: expect out = 0
__kernel void left_first(__global int *out, __global const int *a, int m)
{
    int i = get_global_id(0), sum = 0;
    a += i * 20 + 4;
    for (int k = 0; k < m; k++) {
        if (a[k - 1] == a[k - 2])
            break;
        sum += a[k - 1] + 3 * a[k - 2] - 5 * a[k - 3];
    }
    for (int k = 0; k < m; k++) {
        volatile __global const int *v = a + k;
        if (v[-1] == v[-2])
            break;
        sum -= v[-1] + 3 * v[-2] - 5 * v[-3];
    }
    out[i] = sum;
}

// The same by a sum of what it counts.
//: test left_by_a_sum
//: global 64
//: local 32
//: arg a int[1300] = 1
//: arg n int 16
//: arg most int 30
//: expect a = i >= 1280 ? 1 : i % 20 ? i % 20 < 4 ? 1 + i % 20 : 1 : 1
__kernel void left_by_a_sum(__global int *a, int n, int most)
{
    int sum = 0;
    a += get_global_id(0) * 20;
    for (int k = 1; k < n; k++) {
        sum += k * 5;
        if (sum > most)
            break;
        a[k] = a[k - 1] + 1;
    }
}
