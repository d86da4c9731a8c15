// Stores wait for the loads of elements that follow where the buffer is no other argument's.

//: test four
//: global 64
//: local 64
//: arg out float[256] = -1
//: arg in float[256] = i
//: expect out = i * (2 + i % 4)
__kernel void four(__global float *out, __global const float *in)
{
    int i = 4 * get_global_id(0);
    out[i] = in[i] * 2;
    out[i + 1] = in[i + 1] * 3;
    out[i + 2] = in[i + 2] * 4;
    out[i + 3] = in[i + 3] * 5;
}

// The buffer is the other argument's, too: each element is made of the one before.
//: test shared
//: kernel running
//: global 64
//: local 32
//: arg out int[256] = 1
//: arg in same out
//: arg off int 1
//: expect out = 1 + i % 4
__kernel void running(__global int *out, __global const int *in, int off)
{
    int i = 4 * get_global_id(0);
    out[i + 1] = in[i] + off;
    out[i + 2] = in[i + 1] + off;
    out[i + 3] = in[i + 2] + off;
}

// In place: each element is loaded and stored by one register, so that no version is needed.
//: test in_place
//: global 64
//: local 64
//: arg a uchar[256] = i
//: expect a = 255 - i
__kernel void in_place(__global uchar *a)
{
    int i = 4 * get_global_id(0);
    a[i] = 255 - a[i];
    a[i + 1] = 255 - a[i + 1];
    a[i + 2] = 255 - a[i + 2];
    a[i + 3] = 255 - a[i + 3];
}

// In place, but what was stored is loaded.
//: test chained
//: global 64
//: local 64
//: arg a int[256] = i % 4 == 0 ? i : 0
//: expect a = i / 4 * 4 + i % 4
__kernel void chained(__global int *a)
{
    int i = 4 * get_global_id(0);
    a[i + 1] = a[i] + 1;
    a[i + 2] = a[i + 1] + 1;
    a[i + 3] = a[i + 2] + 1;
}

// The address moves between the store and the load.
//: test moving
//: global 64
//: local 64
//: arg out int[320] = i
//: arg n int 4
//: expect out = i / 5 * 5
__kernel void moving(__global int *out, int n)
{
    __global int *p = out + 5 * get_global_id(0);
    for (int k = 0; k < n; k++, p++) p[1] = p[0];
}

// Registers that are written several times, and read behind.
//: test reused
//: global 64
//: local 64
//: arg out int[256] = -1
//: arg sums int[64] = -1
//: arg in int[256] = i
//: expect out = i * 3
//: expect sums = 4 * (4 * i) + 6
__kernel void reused(__global int *out, __global int *sums, __global const int *in)
{
    int i = 4 * get_global_id(0), sum = 0;
    for (int k = 0; k < 4; k++) {
        int v = in[i + k];
        sum += v;
        out[i + k] = v * 3;
    }
    sums[get_global_id(0)] = sum;
}

// What is loaded again, behind a store.
//: test again
//: global 64
//: local 64
//: arg out int[192] = -1
//: arg in int[192] = i
//: expect out = i % 3 == 0 ? 2 * i + 1 : i % 3 == 1 ? 3 * i : 2 * i - 1
__kernel void again(__global int *out, __global const int *in)
{
    int i = 3 * get_global_id(0);
    out[i] = in[i] + in[i + 1];
    out[i + 1] = in[i + 1] * 3;
    out[i + 2] = in[i + 2] + in[i + 1];
}

// The same where it is in the buffer that is stored to.
//: test again_there
//: kernel again
//: global 64
//: local 64
//: arg out int[192] = i
//: arg in same out
//: expect out = i % 3 == 0 ? 2 * i + 1 : i % 3 == 1 ? 3 * i : i + 3 * (i - 1)
