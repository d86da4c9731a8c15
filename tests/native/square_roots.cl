// Square roots that are made of products are the rounded ones. A root R of a number M, both scaled
// to whole numbers, is: (2 R - 1)^2 < 4 M < (2 R + 1)^2.
int is_root(uint x, uint r)
{
    int e = (int)(x >> 23) - 127;
    ulong m = (x & 0x7fffff) | 0x800000, root = (r & 0x7fffff) | 0x800000;
    if (e & 1)
        m += m;
    m <<= 25;
    return (int)(r >> 23) - 127 == e >> 1 && (2 * root - 1) * (2 * root - 1) < m &&
           m < (2 * root + 1) * (2 * root + 1);
}

// All digits, of both parities of the exponent.
//: test digits
//: global 65536
//: local 64
//: arg wrong int[65536] = -1
//: expect wrong = 0
kernel void digits(global int *wrong)
{
    local float roots[32][64];
    uint first = 0x3f800000 + get_global_id(0) * 256, n = 0, t = get_local_id(0);
    for (uint u = first; u < first + 256; u += 32) {
        for (uint j = 0; j < 32; j++)
            roots[j][t] = sqrt(as_float(u + j));
        for (uint j = 0; j < 32; j++)
            n += !is_root(u + j, as_uint(roots[j][t]));
    }
    wrong[get_global_id(0)] = n;
}

// Every exponent, one a group.
//: test exponents
//: global 16256
//: local 64
//: arg wrong int[16256] = -1
//: expect wrong = 0
kernel void exponents(global int *wrong)
{
    local float roots[32][64];
    uint e = (uint)get_group_id(0) + 1, n = 0, t = get_local_id(0), start = get_global_id(0) * 524297;
    for (uint j = 0; j < 32; j++)
        roots[j][t] = sqrt(as_float(e << 23 | (start + j * 262147 & 0x7fffff)));
    for (uint j = 0; j < 32; j++)
        n += !is_root(e << 23 | (start + j * 262147 & 0x7fffff), as_uint(roots[j][t]));
    wrong[get_global_id(0)] = n;
}

// What has no such root, among those that have.
//: test ends
//: global 128
//: local 32
//: arg in uint[128] = i % 8 == 0 ? (i / 8 % 4 == 0 ? 0 : i / 8 % 4 == 1 ? 0x80000000 : i / 8 % 4 == 2 ? 0x7f800000 : 0x00400000) : 0x40800000
//: arg out uint[128] = 7
//: expect out = i % 8 == 0 ? (i / 8 % 4 == 0 ? 0 : i / 8 % 4 == 1 ? 0x80000000 : i / 8 % 4 == 2 ? 0x7f800000 : 0) : 0x40000000
kernel void ends(global const uint *in, global uint *out)
{
    out[get_global_id(0)] = as_uint(sqrt(as_float(in[get_global_id(0)])));
}

//: test none
//: global 64
//: local 32
//: arg out int[64] = 7
//: expect out = i % 3 == 0
kernel void none(global int *out)
{
    int i = get_global_id(0);
    float x = i % 3 ? i : i % 2 ? -1.0f - i : NAN;
    out[i] = isnan(sqrt(x));
}

// Where denormals are kept.
//: test kept
//: requires doubles
//: global 64
//: local 64
//: arg out float[64] = 7
//: arg one double 1
//: expect out = i % 8 == 7 ? 1 : 2
kernel void kept(global float *out, double one)
{
    int i = get_global_id(0);
    float x = as_float(i % 8 == 7 ? 0x00000200 : 0x00000800);
    out[i] = sqrt(x) * 0x1p70f * one;
}
