// What loops write that is there already.

// Guards: where they do not hold, 0 is added in each iteration.
//: test nothing_added
//: global 64 24
//: local 32 8
//: arg out float[1536] = -1
//: arg in float[64] = i % 7
//: arg w int 50
//: arg h int 21
//: arg n int 9
//: expect out = i % 64 < 50 && i / 64 < 21 ? 66 : 0
__kernel void nothing_added(__global float *out, __global const float *in, int w, int h, int n)
{
    int x = get_global_id(0), y = get_global_id(1), in_range = x < w && y < h;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += in_range ? in[k] * 3 - in[0] : 0;
    out[y * 64 + x] = sum;
}

// A sum that starts as -0 is 0 when 0 has been added to it, and not before.
//: test minus_nothing
//: kernel minus
//: global 96
//: local 32
//: arg out int[96] = -1
//: arg in float[16] = i
//: arg w int 40
//: arg n int 0
//: expect out = -2147483648

//: test minus_once
//: kernel minus
//: global 96
//: local 32
//: arg out int[96] = -1
//: arg in float[16] = i
//: arg w int 40
//: arg n int 1
//: expect out = 0
__kernel void minus(__global int *out, __global const float *in, int w, int n)
{
    int x = get_global_id(0), is_in = x < w;
    float sum = -0.0f;
    for (int k = 0; k < n; k++)
        sum += is_in ? in[k] : 0.0f;
    out[x] = as_int(sum);
}

// One register stays what it is, one does not.
//: test least
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg n int 4
//: expect out = 30500 + 4 * 5 + 1
__kernel void least(__global int *out, int n)
{
    int a = 3, b = 7, c = 0, d = 0;
    for (int k = 0; k < n; k++) {
        a = min(a, 5);
        b = min(b, 5);
        c += b;
        d = d * 3 + (a - 3);
    }
    out[get_global_id(0)] = a * 10000 + b * 100 + c + d + 1;
}

// What starts before the outer loop is what that one has made of it.
//: test outer
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg n int 5
//: arg m int 3
//: expect out = 5 * 10 + 0
__kernel void outer(__global int *out, int n, int m)
{
    int a = 0, b = 0;
    for (int k = 0; k < n; k++) {
        int c = 0;
        for (int j = 0; j < m; j++) {
            c = c & 12;
            b = b | c;
            a = a * 1;
        }
        a += 10;
    }
    out[get_global_id(0)] = a + b;
}

// A register that is written first on one way only is 0 on the other.
//: test one_way
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[64] = i
//: arg n int 6
//: expect out = i % 2 ? 6 * 4 : 0
__kernel void one_way(__global int *out, __global const int *in, int n)
{
    int x = get_global_id(0), sum = 0;
    for (int k = 0; k < n; k++) {
        int v = 0;
        if (in[x] & 1)
            v = 4;
        sum += v;
    }
    out[x] = sum;
}
