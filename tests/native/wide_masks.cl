// Masks that are alive over blocks and combined there, where they become words: of loops that lanes leave one by one by
// two conditions, of branches in branches, of elements of other sizes than a word.

//: test steps
//: kernel steps
//: global 96
//: local 96
//: arg out int[96] = -1
//: arg most int 5
//: expect out = (i % 7 < 5 ? i % 7 : 5) + (i % 3 == 1 ? 100 : 0)

//: test steps_none
//: kernel steps
//: global 50
//: local 50
//: arg out int[64] = -1
//: arg most int 0
//: expect out = i >= 50 ? -1 : i % 3 == 1 ? 100 : 0
__kernel void steps(__global int *out, int most)
{
    int i = get_global_id(0), n = 0;
    while (n < most && n < i % 7)
        n++;
    if (n >= 0 && i % 3 == 1)
        n += 100;
    out[i] = n;
}

//: test sizes
//: kernel sizes
//: global 64
//: local 64
//: arg bytes char[64] = 0
//: arg longs long[64] = 0
//: arg in int[64] = i * 37 % 64
//: expect bytes = (i * 37 % 64 > 9 && i % 4 != 2) || i == 5 ? 3 : i * 37 % 64 > 50 ? 2 : 1
//: expect longs = i * 37 % 64 > 9 && i % 4 != 2 ? 10 * i : i * 37 % 64 <= 9 ? -i : 7
__kernel void sizes(__global char *bytes, __global long *longs, __global const int *in)
{
    int i = get_global_id(0);
    bool large = in[i] > 9, other = i % 4 != 2;
    char b = (large && other) || i == 5 ? 3 : in[i] > 50 ? 2 : 1;
    long l = 7;
    if (large) {
        if (other)
            l = 10 * i;
    } else {
        l = -i;
    }
    bytes[i] = b;
    longs[i] = l;
}

// A choice of x and of what an operation makes of x: the operation by what is chosen.
//: test choices
//: kernel choices
//: global 64
//: local 64
//: arg out int[256] = -1
//: arg in int[64] = i * 37 % 64
//: expect out = i < 64 ? ((i * 37 % 64) ^ (i * 37 % 2 ? 0x55 : 0)) : i < 128 ? (i - 64) * 37 % 64 + ((i - 64) * 37 % 64 > 9 ? 0 : 1000) : i < 192 ? (i - 128) * 37 % 64 - ((i - 128) * 37 % 64 < 50 ? i - 128 : 0) : ((i - 192) * 37 % 64 | ((i - 192) * 37 % 64 == 5 ? 0x700 : 0))
__kernel void choices(__global int *out, __global const int *in)
{
    int i = get_global_id(0), x = in[i];
    out[i] = x & 1 ? x ^ 0x55 : x;
    out[64 + i] = x > 9 ? x : x + 1000;
    out[128 + i] = x < 50 ? x - i : x;
    int y = x;
    if (x == 5)
        y |= 0x700;
    out[192 + i] = y;
}
