// Loops from where each work-item begins a row of its own to where that ends: all go on as often.

//: test whole
//: kernel rows
//: global 16 16
//: local 16 4
//: arg out int[256] = -1
//: arg in int[4096] = i
//: arg n int 20
//: expect out = i / 16 * 20 * 20 + 190

//: test one
//: kernel rows
//: global 16 16
//: local 16 4
//: arg out int[256] = -1
//: arg in int[4096] = i
//: arg n int 1
//: expect out = i / 16

//: test none
//: kernel rows
//: global 16 16
//: local 16 4
//: arg out int[256] = -1
//: arg in int[4096] = i
//: arg n int 0
//: expect out = 0

//: test steps_that_do_not_fit
//: kernel pairs
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[4096] = i
//: arg n int 15
//: expect out = 11 * (i * 15) + 110

//: test steps_that_fit
//: kernel pairs
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[4096] = i
//: arg n int 16
//: expect out = 8 * (i * 16) + 56

//: test some_only
//: kernel some
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[4096] = i
//: arg n int 9
//: expect out = (9 - i % 4) * (i * 9) + 36 - (i % 4 == 0 ? 0 : i % 4 == 1 ? 0 : i % 4 == 2 ? 1 : 3)

//: test once_at_least
//: kernel once
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[4096] = i
//: arg n int 3
//: expect out = 3 * (i * 3) + 3

//: test left_behind
//: kernel behind
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[4096] = i % 13
//: arg n int 12
//: expect out = (13 - i * 12 % 13) % 13 < 12 ? (13 - i * 12 % 13) % 13 : 12

__kernel void rows(__global int *out, __global const int *in, int n)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0;
    for (__global const int *p = in + y * n, *end = p + n; p != end; p++)
        sum += *p;
    out[y * 16 + x] = sum;
}

// Where n is odd the end is passed by.
__kernel void pairs(__global int *out, __global const int *in, int n)
{
    __global const int *row = in + get_global_id(0) * n, *end = row + n;
    int sum = 0;
    for (__global const int *p = row; p != end; p += 2) {
        if (p - row > 20) break;
        sum += *p;
    }
    out[get_global_id(0)] = sum;
}

__kernel void some(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0), left = i % 4, sum = 0;
    __global const int *p = in + i * n, *end = p + n;
    while (p != end) {
        int v = *p++;
        if (left) {
            left--;
            continue;
        }
        sum += v;
    }
    out[i] = sum;
}

__kernel void once(__global int *out, __global const int *in, int n)
{
    __global const int *p = in + get_global_id(0) * n, *end = p + n;
    int sum = 0;
    do
        sum += *p++;
    while (p != end);
    out[get_global_id(0)] = sum;
}

__kernel void behind(__global int *out, __global const int *in, int n)
{
    __global const int *row = in + get_global_id(0) * n, *p = row, *end = row + n;
    while (p != end && *p) p++;
    out[get_global_id(0)] = p - row;
}
