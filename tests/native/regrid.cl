// Work-items that a launch deals out to groups as a GPU likes it, in rows that have nothing to do with the ND-range's own
// dimensions: they are run as those of another range, which goes along rows, where that is the same.

// Rows of 5 x 3 x 4 elements, padded; the condition takes ids apart otherwise than addresses do.
//: test padded
//: global 160 177 2
//: local 32 3 1
//: arg out float[226560] = -1
//: arg in float[200704] = i % 1001
//: expect out = i % 60 >= 3 && i % 60 < 59 && i / 60 % 59 > 0 && i / 60 % 59 < 57 ? (i % 60 - 3 + (i / 60 % 59 - 1) * 56 + i / 3540 * 3136) % 1001 : 0
kernel void padded(global float *out, global const float *in)
{
    int g0 = get_group_id(0), g1 = get_group_id(1), g2 = get_group_id(2), l0 = get_local_id(0), l1 = get_local_id(1);
    int x = g0 * 12 + (l1 << 2), at = g2 * 100352 + l0 * 3136 + g1 * 56 + x;
    bool row = (0 < g1) & (g1 < 57);
    float a = (2 < x) & row ? in[at - 59] : 0;
    float d = (l1 + g0 * 3 < 14) & row ? in[at - 56] : 0;
    float b = (0 < g0 + l1) & row ? in[at - 58] : 0, c = (0 < g0 + l1) & row ? in[at - 57] : 0;
    *(global float4 *)(out + g2 * 113280 + l0 * 3540 + g1 * 60 + x) = (float4)(a, b, c, d);
}

// One row of all digits of a range.
//: test halved
//: global 224 896
//: local 32 4
//: arg out float[200704] = -1
//: arg in float[802816] = i % 1013
//: expect out = ((i / 28 * 112 + i % 28 * 2) % 1013 + (i / 28 * 112 + i % 28 * 2 + 1) % 1013 + (i / 28 * 112 + i % 28 * 2 + 56) % 1013 + (i / 28 * 112 + i % 28 * 2 + 57) % 1013) * 0.25
kernel void halved(global float *out, global const float *in)
{
    int g0 = get_group_id(0), g1 = get_group_id(1), l0 = get_local_id(0), l1 = get_local_id(1);
    int at = (g0 << 3) + (l1 << 1) + g1 * 3584 + l0 * 112;
    float2 below = *(global const float2 *)(in + at + 56), above = *(global const float2 *)(in + at);
    out[l1 + (g0 << 2) + g1 * 896 + l0 * 28] = (above.x + above.y + below.x + below.y) * 0.25f;
}

// Addresses that a loop steps, and sizes that are asked for.
//: test stepped
//: global 42 20 8
//: local 2 5 4
//: arg out int[6720] = -1
//: arg in int[13440] = i * 7
//: arg by int[640] = i % 11
//: expect out = (i % 84 + i / 3360 * 6720) * 7 * ((i / 84 % 40 * 16) % 11) + (i % 84 + 84 + i / 3360 * 6720) * 7 * ((i / 84 % 40 * 16 + 1) % 11) + (i % 84 + 168 + i / 3360 * 6720) * 7 * ((i / 84 % 40 * 16 + 2) % 11) + 840
kernel void stepped(global int *out, global const int *in, global const int *by)
{
    int x = get_local_id(2) + get_group_id(0) * get_local_size(2);
    int y = get_local_id(1) + get_group_id(1) * 5 + get_local_id(0) * 20, z = get_group_id(2), sum = 0;
    for (int k = 0; k < 3; k++) sum += in[x + k * 84 + z * 6720] * by[y * 16 + k];
    out[x + y * 84 + z * 3360] = sum + get_global_size(0) * get_num_groups(1) * get_local_size(1);
}

// In place, and with an offset: as they are.
//: test in_place
//: kernel moved
//: global 512 32
//: local 32 4
//: arg a int[16384] = i
//: arg same same a
//: expect a = i * 3
//: test elsewhere
//: kernel moved
//: global 512 32
//: local 32 4
//: arg a int[16384] = -1
//: arg from int[16384] = i
//: expect a = i * 3
//: test behind
//: kernel moved
//: global 512 32
//: local 32 4
//: offset 32 0
//: arg a int[16384] = -1
//: arg from int[16384] = i
//: expect a = i * 3
kernel void moved(global int *a, global const int *from)
{
    int at = get_local_id(1) + get_group_id(0) * 4 + get_local_id(0) * 64 + get_group_id(1) * 2048;
    a[at] = from[at] * 3;
}

// Ids of the range itself, and a value that an id is not added to.
//: test mixed
//: global 96 64
//: local 16 4
//: arg out int[6144] = -1
//: expect out = i % 24 / 4 * 100 + i / 24 % 16 + (i / 24 % 16 + i % 24 / 4 * 16) * 10000 + (i % 4 ^ 3)
kernel void mixed(global int *out)
{
    int at = get_local_id(1) + get_group_id(0) * 4 + get_local_id(0) * 24 + get_group_id(1) * 384;
    out[at] = (int)get_group_id(0) * 100 + (int)get_local_id(0) + (int)get_global_id(0) * 10000 + ((int)get_local_id(1) ^ 3);
}

// Several work-items store to one place, the same.
//: test several
//: global 128 32
//: local 16 4
//: arg out int[256] = -1
//: expect out = i
kernel void several(global int *out)
{
    int at = get_local_id(1) + get_group_id(1) * 4 + get_local_id(0) % 8 * 32;
    if (get_group_id(0) < 2 && get_local_id(0) < 8) out[at] = at;
}

// Ids that are taken apart by a number, as 49 groups of a plane of 7 x 7 are; by two numbers, of which one is no divisor.
//: test planes
//: global 98 16 24
//: local 2 4 8
//: arg out int[37632] = -1
//: arg in int[37632] = i * 5 + 1
//: expect out = (i * 5 + 1) * 9 + (i % 28 > 0 ? (i * 5 - 4) * 2 : 0)
kernel void planes(global int *out, global const int *in)
{
    int g = get_group_id(0), x = g % 7 * 4 + get_local_id(1), y = g / 7 * 2 + get_local_id(0), sum = 0;
    int at = x + y * 28 + (get_local_id(2) + get_group_id(1) * 8) * 392 + get_group_id(2) * 12544;
    for (int k = 1; k < 4; k++) sum += in[at] * (k + 1);
    out[at] = sum + (0 < g % 7 + get_local_id(1) ? in[at - 1] * 2 : 0);
}

//: test apart
//: global 98 16 24
//: local 2 4 8
//: arg out int[37632] = -1
//: arg in int[37632] = i * 5 + 1
//: expect out = i * 5 + 1 + i % 28 / 4 % 5
kernel void apart(global int *out, global const int *in)
{
    int g = get_group_id(0), x = g % 7 * 4 + get_local_id(1), y = g / 7 * 2 + get_local_id(0);
    int at = x + y * 28 + (get_local_id(2) + get_group_id(1) * 8) * 392 + get_group_id(2) * 12544;
    out[at] = in[at] + g % 7 % 5;
}
