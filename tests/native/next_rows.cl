// Sums of groups: the rows that the next groups load are asked for, at the end of a buffer, too; not where as much is stored.
//: test sums
//: global 1024
//: local 256
//: arg out int[4] = -5
//: arg a float[1024] = i % 7
//: arg b float[1024] = i % 3
//: arg part local 1024
//: expect out = 761 + 9 * (i == 1) + 8 * (i == 2) + (i == 3)
__kernel void sums(__global int *out, __global const float *a, __global const float *b, __local float *part)
{
    int t = get_local_id(0), i = get_global_id(0);
    part[t] = a[i] * b[i];
    for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < s)
            part[t] += part[t + s];
    }
    if (t == 0)
        out[get_group_id(0)] = part[0];
}

//: test products
//: global 256
//: local 64
//: arg out float[256] = -5
//: arg a float[256] = i
//: arg b float[256] = i + 1
//: expect out = i * (i + 1)
__kernel void products(__global float *out, __global const float *a, __global const float *b)
{
    int i = get_global_id(0);
    out[i] = a[i] * b[i];
}
