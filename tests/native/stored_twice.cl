// Rows that a work-item stores to twice do not go past the caches; those of the two parts of an if may.
//: test twice
//: global 256 16
//: local 64 2
//: arg out int[4096] = -1
//: arg in int[4096] = i
//: arg w int = 256
//: expect out = (i % 256 > 0 && i % 256 < 255) ? 4 * i : i
__kernel void twice(__global int *out, __global const int *in, int w)
{
    int x = get_global_id(0), i = get_global_id(1) * w + x;
    out[i] = in[i];
    if (x > 0 && x < w - 1)
        out[i] = in[i - 1] + in[i + 1] + 2 * in[i];
}

//: test parts
//: global 256 16
//: local 64 2
//: arg out int[4096] = -1
//: arg in int[4096] = i
//: arg w int = 256
//: expect out = (i % 256 > 0 && i % 256 < 255) ? 4 * i : i
__kernel void parts(__global int *out, __global const int *in, int w)
{
    int x = get_global_id(0), i = get_global_id(1) * w + x;
    if (x > 0 && x < w - 1)
        out[i] = in[i - 1] + in[i + 1] + 2 * in[i];
    else
        out[i] = in[i];
}
