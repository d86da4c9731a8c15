// Ifs whose other part only copies: it is copied before them.

//: test chosen
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[64] = i * 7 % 13
//: arg n int 40
//: expect out = i < 40 && i * 7 % 13 > 5 ? i * 7 % 13 * 3 + i : i + 9
__kernel void chosen(__global int *out, __global const int *in, int n)
{
    int x = get_global_id(0), y = x < n ? in[x] : 0;
    out[x] = (y > 5 ? in[x] * 3 : 9) + x;
}

// In a loop; what is copied changes there.
//: test greatest
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[128] = i * 7 % 13
//: arg n int 2
//: expect out = max(max(i * 7 % 13, (i + 64) * 7 % 13), 4)
__kernel void greatest(__global int *out, __global const int *in, int n)
{
    int x = get_global_id(0), best = 4;
    for (int k = 0; k < n; k++)
        best = in[k * 64 + x] > best ? in[(k * 64 + x) % 128] : best;
    out[x] = best;
}

// The first part reads what the other one would write, or writes it for some lanes only.
//: test both
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[64] = i % 4
//: expect out = i % 4 == 0 ? 1 : i % 4 == 1 ? 5 + 100 : i % 4 == 2 ? 5 + 200 : 5 + 300
__kernel void both(__global int *out, __global const int *in)
{
    int x = get_global_id(0), a = 5, v = in[x];
    if (v) {
        for (int k = 0; k < v; k++)
            a += 100;
    } else {
        a = 1;
    }
    out[x] = a;
}

//: test swapped
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[64] = i % 4
//: expect out = i % 4 > 1 ? (i % 4 + 7) * 10 + i % 4 + 7 - 7 : 77 + (i % 4) * 0
__kernel void swapped(__global int *out, __global const int *in)
{
    int x = get_global_id(0), a = in[x], b = 7;
    if (in[x] > 1) {
        int t = a;
        a = in[x] + b;
        b = in[x];
    } else {
        a = b;
    }
    out[x] = a * 10 + b;
}

// Several in a loop, of which all go into one sum: how many warps go in lockstep hangs on that.
//: test border
//: global 64 32
//: local 16 16
//: arg out float[2048] = -1
//: arg in float[2048] = i % 64 + 1
//: arg by float[5] = i + 1
//: expect out = (max(i % 64 - 1, 0) + 2 * (i % 64) + 3 * (i % 64 + 1) + (i % 64 < 63 ? 4 * (i % 64 + 2) : 0) + (i % 64 < 62 ? 5 * (i % 64 + 3) : 0)) * min(min(i / 64 + 3, 34 - i / 64), 5)
__kernel void border(__global float *out, __global const float *in, __constant float *by)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++)
            sum += by[dx + 2] * (x + dx >= 0 && x + dx < 64 && y + dy >= 0 && y + dy < 32
                                     ? in[(y + dy) * 64 + x + dx]
                                     : 0);
    out[y * 64 + x] = sum;
}
