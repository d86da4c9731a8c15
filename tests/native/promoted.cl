// Variables in private memory that constant addresses alone reach are registers: such as are declared volatile,
// whatever their types, also where some lanes are off, in loops, and beside what an index goes through.

//: test index
//: global 96
//: local 32
//: arg out int[96] = -1
//: arg in int[96] = i * 7
//: arg n int 70
//: expect out = i < 70 ? i * 7 + i : -1
__kernel void index(__global int *out, __global const int *in, int n)
{
    volatile int i = get_global_id(0);
    if (i < n) out[i] = in[i] + i;
}

// Stored under a condition, and again in each iteration; lanes leave the loop one by one.
//: test counted
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg in int[64] = i
//: expect out = i % 5 * 3 + (i % 2 == 1 ? 100 : 200)
__kernel void counted(__global int *out, __global const int *in)
{
    volatile int left = in[get_global_id(0)] % 5, sum = 0;
    volatile short base;
    if (in[get_global_id(0)] & 1)
        base = 100;
    else
        base = 200;
    while (left > 0) {
        sum += 3;
        left--;
    }
    out[get_global_id(0)] = sum + base;
}

// As float and as int, by parts: words that are accessed in one type after another, and in parts, stay in memory.
//: test views
//: global 64
//: local 32
//: arg out int[64] = -1
//: expect out = 1065353216 + 256 * i + i
__kernel void views(__global int *out)
{
    union { float f; int i; } volatile whole;
    union { int i; uchar c[4]; } volatile parts;
    whole.f = 1;
    parts.i = 0;
    parts.c[1] = get_global_id(0);
    out[get_global_id(0)] = whole.i + parts.i + (int)get_global_id(0);
}

// Beside arrays: one that each lane goes through by its own index, and one that it may leave.
//: test beside
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg in int[64] = i
//: expect out = (i % 8 + 1) * 10 + i + 5
__kernel void beside(__global int *out, __global const int *in)
{
    volatile int before = in[get_global_id(0)];
    int table[8];
    volatile int after = 5;
    for (int j = 0; j < 8; j++) table[(j + in[0]) & 7] = (j + 1) * 10;
    out[get_global_id(0)] = table[in[get_global_id(0)] & 7] + before + after;
}

// Vectors, and 64 bits.
//: test wide
//: global 32
//: local 32
//: arg out long[32] = -1
//: arg in int[32] = i
//: expect out = i * 4294967296 + i + 1 + i + 2 + i + 3
__kernel void wide(__global long *out, __global const int *in)
{
    volatile int4 v = (int4)(0, 1, 2, 3) + in[get_global_id(0)];
    volatile long l = (long)v.x << 32;
    out[get_global_id(0)] = l + v.y + v.z + v.w;
}

// An array of which every index is known when loops are written out, one of them a while loop.
//: test sorted
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg in int[68] = i * 37 % 23
//: expect out = (i * 37 % 23 + (i + 1) * 37 % 23 + (i + 2) * 37 % 23 + (i + 3) * 37 % 23) * 10 + 3
__kernel void sorted(__global int *out, __global const int *in)
{
    int i = get_global_id(0), k = 0, s[4], sum = 0, rising = 0;
    while (k < 4) {
        s[k] = in[i + k];
        k++;
    }
    for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3 - p; q++)
            if (s[q] > s[q + 1]) {
                int t = s[q];
                s[q] = s[q + 1];
                s[q + 1] = t;
            }
    for (int q = 0; q < 4; q++) {
        sum += s[q];
        if (q) rising += s[q] >= s[q - 1];
    }
    out[i] = sum * 10 + rising;
}

// Arrays of a few elements by whose index lanes differ: an insertion, whose loop is left before its index is one too few.
//: test inserted
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[128] = i * 37 % 101
//: expect out = (i * 37 % 101 > (i + 1) * 37 % 101 ? i * 37 % 101 : (i + 1) * 37 % 101) * 256 + (i * 37 % 101 > (i + 1) * 37 % 101 ? (i + 1) * 37 % 101 : i * 37 % 101)
__kernel void inserted(__global int *out, __global const int *in)
{
    int most[4] = {-1, -1, -1, -1};
    for (int j = 0; j < 2; j++) {
        int v = in[get_global_id(0) + j], at = 3;
        while (at > 0 && most[at - 1] < v) {
            most[at] = most[at - 1];
            at--;
        }
        most[at] = v;
    }
    out[get_global_id(0)] = most[0] * 256 + most[1];
}

// Elements of structures, as float and as int, and one that lanes which are off must not change.
//: test chosen
//: global 64
//: local 64
//: arg out float[64] = -1
//: arg in int[64] = i
//: expect out = i % 3 == 2 ? i % 4 : i % 3 == i % 4 ? i + i * 0.5 : i % 4
__kernel void chosen(__global float *out, __global const int *in)
{
    struct { float f; int i; } table[4];
    int v = in[get_global_id(0)];
    for (int j = 0; j < 4; j++) table[j].f = table[j].i = j;
    if (v % 3 != 2) {
        table[v % 3 & 3].i = v;
        table[v % 3 & 3].f = v * 0.5f;
    }
    int at = v & 3;
    out[get_global_id(0)] = v % 3 == at && v % 3 != 2 ? table[at].i + table[at].f : table[at].f;
}

// More of them than are chosen among stay in memory, and so does what they overlap.
//: test too_many
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg in int[64] = i
//: expect out = i % 16 + i % 4 * 2
__kernel void too_many(__global int *out, __global const int *in)
{
    int table[16], few[4];
    int v = in[get_global_id(0)];
    for (int j = 0; j < 16; j++) table[j + (in[0] & 1)] = j;
    for (int j = 0; j < 4; j++) few[j] = 2 * j;
    out[get_global_id(0)] = table[v & 15] + few[v & 3];
}

// What is computed of an element and stored there again is computed of each, and stored where the index says.
//: test counts
//: global 96
//: local 32
//: arg in uchar[1536] = i * 37 % 251
//: arg out int[1536] = -1
//: arg sums float[384] = -1
//: arg n int 96
//: arg rounds int 16
//: expect out = 0
//: expect sums = 0
kernel void counts(global const uchar *in, global int *out, global float *sums, int n, int rounds)
{
    int i = get_global_id(0), c[16] = {0};
    float s[4] = {0};
    uchar narrow[16] = {0};
    for (int k = 0; k < rounds; k++) {
        uchar v = in[k * n + i];
        c[v >> 4]++;
        narrow[v >> 4] += 3;
        s[v & 3] = s[v & 3] * 0.5f + v;
    }
    for (int b = 0; b < 16; b++) {
        int want = 0;
        for (int k = 0; k < 16; k++) want += in[k * n + i] >> 4 == b;
        out[b * n + i] = c[b] - want | (narrow[b] ^ (uchar)(3 * want));
    }
    for (int b = 0; b < 4; b++) {
        float want = 0;
        for (int k = 0; k < 16; k++)
            if ((in[k * n + i] & 3) == b) want = want * 0.5f + in[k * n + i];
        sums[b * n + i] = s[b] - want;
    }
}

// An index of which nothing is known but that it is in the array; and one that is negative in between.
//: test told
//: global 64
//: local 32
//: arg in int[512] = i * i % 5
//: arg out int[320] = -1
//: expect out = 0
kernel void told(global const int *in, global int *out)
{
    int i = get_global_id(0), c[5] = {0}, d[5] = {0}, last = 0, at[5];
    for (int k = 0; k < 8; k++) {
        int v = in[8 * i + k];
        c[v]++;
        at[v] = c[v] + k;
        last += at[v];
    }
    for (int k = 0; k < 8; k++)
        for (int b = 0; b < 5; b++) d[b] += in[8 * i + k] == b;
    for (int b = 0; b < 5; b++) out[5 * i + b] = c[b] - d[b];
    if (last == 12345) out[5 * i] = last;
}

// Elements are moved up until one is in its place, which is before the first one where all are moved.
//: test moved_up
//: global 64
//: local 64
//: arg in int[512] = i * 7919 % 101
//: arg out int[512] = -1
//: expect out = 1
kernel void moved_up(global const int *in, global int *out)
{
    int i = get_global_id(0), v[8];
    uchar u[8];
    for (int k = 0; k < 8; k++) v[k] = in[8 * i + k];
    for (int k = 1; k < 8; k++) {
        int t = v[k], j;
        for (j = k - 1; j >= 0 && v[j] > t; j--) v[j + 1] = v[j];
        v[j + 1] = t;
    }
    for (int k = 0; k < 8; k++) {
        uchar t = in[8 * i + k];
        int j = k;
        while (j > 0 && u[j - 1] > t) {
            u[j] = u[j - 1];
            j--;
        }
        u[j] = t;
    }
    for (int k = 0; k < 8; k++) {
        int before = 0, same = 0;
        for (int m = 0; m < 8; m++) before += in[8 * i + m] < v[k], same += in[8 * i + m] == v[k];
        out[8 * i + k] = v[k] == u[k] && before <= k && k < before + same;
    }
}
