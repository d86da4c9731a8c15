// Lanes several elements apart, by way of a bound that mostly is none: where it is one, two lanes are at one place.

//: test run
//: global 64
//: local 64
//: arg out int[256] = -1
//: arg in int[256] = i * i
//: arg w int 256
//: expect out = i == 0 ? 1 : i == 255 ? 255 * 255 + 254 * 254 * 2 : (i - 1) * (i - 1) * 2 + i * i + (i + 1) * (i + 1)
__kernel void run(__global int *out, __global const int *in, int w)
{
    for (int x = get_global_id(0) * 4, end = x + 4; x < end; x++) {
        int right = x + 1 < w ? in[min(x + 1, w - 1)] : 0;
        out[x] = in[max(x - 1, 0)] * 2 + in[min(x, w - 1)] + right;
    }
}

//: test bytes
//: global 96
//: local 96
//: arg out int[96] = -1
//: arg small uchar[300] = i * 7
//: arg halves ushort[300] = i * 401
//: arg most uint 284
//: expect out = (i * 3 < 284 ? i * 3 : 284) * 7 % 256 + (i * 2 < 150 ? 150 : i * 2) * 401 % 65536
__kernel void bytes(__global int *out, __global const uchar *small, __global const ushort *halves, uint most)
{
    uint i = get_global_id(0);
    out[i] = small[min(i * 3, most)] + halves[max(i * 2, 150u)];
}

// The last element is the memory's last; and steps that go down, or are too long for vectors.
//: test ends
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg in int[255] = i * 5
//: arg far int[8192] = i
//: arg last int 254
//: expect out = i * 10 + (i < 64 ? (254 - i * 2) * 5 : (254 - i * 2) * 5) + (i * 64 < 8000 ? i * 64 : 8000)
__kernel void ends(__global int *out, __global const int *in, __global const int *far, int last)
{
    int i = get_global_id(0);
    out[i] = in[min(i * 2, last)] + in[max(last - i * 2, 0)] + far[min(i * 64, 8000)];
}

// Remainders, choices, and lanes that are off.
//: test others
//: global 192
//: local 64
//: arg out int[192] = -1
//: arg in int[512] = i * 3
//: arg w int 200
//: expect out = i % 5 ? i * 2 % 200 * 3 + (i < 100 ? i * 4 : i * 4 - 400) * 3 : -1
__kernel void others(__global int *out, __global const int *in, int w)
{
    int i = get_global_id(0), at = i < 100 ? i * 4 : i * 4 - 400;
    int x = in[i * 2 % w], y = in[at];
    if (i % 5)
        out[i] = x + y;
}

// Rows of eight lanes, each with steps of its own.
//: test grid
//: global 24 8
//: local 8 8
//: arg out int[192] = -1
//: arg in int[384] = i * 3
//: expect out = ((i % 24 * 2 < 40 ? i % 24 * 2 : 40) + i / 24 * 48) * 3
__kernel void grid(__global int *out, __global const int *in)
{
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
    out[y * w + x] = in[y * 48 + min(x * 2, 40)];
}
