// A condition is added to numbers of 64 bits where a group has fewer work-items than a half-warp.
//: test sums
//: global 14
//: local 7
//: arg at int[14] = (i * 5) % 14
//: arg in int[14] = i
//: arg out long[14] = 100
//: expect out = 100 + (i * 3 % 14) * 7 + (i * 3 % 14 > 4)
kernel void sums(global const int *at, global const int *in, global long *out)
{
    int i = get_global_id(0);
    long x = out[at[i]] + in[i] * 7L;
    if (in[i] > 4) x += 1;
    if (in[i] >= 0) out[at[i]] = x;
}
