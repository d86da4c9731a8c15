// Loops of functions that are sequences of operations: whose iterations do not wait for one another,
// and whose do.
//: test sums
//: global 256
//: local 128
//: arg out float[256] = -1
//: arg in float[256] = 0
//: arg n int 16
//: expect out = 16 * 1
__kernel void sums(__global float *out, __global const float *in, int n)
{
    int i = get_global_id(0);
    float x = in[i], sum = 0;
    for (int k = 0; k < n; k++) {
        sum += cos(x);
        x += in[i];
    }
    out[i] = sum;
}

//: test waits
//: global 256
//: local 128
//: arg out float[256] = -1
//: arg in float[256] = 0
//: arg n int 16
//: expect out = 0
__kernel void waits(__global float *out, __global const float *in, int n)
{
    int i = get_global_id(0);
    float x = in[i];
    for (int k = 0; k < n; k++)
        x = native_sin(x);
    out[i] = x;
}
