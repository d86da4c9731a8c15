// Lines that begin behind 0 or are gone through by small steps: a work-item for each iteration does the same.
//: test inner
//: global 24
//: local 8
//: arg out int[1512] = -1
//: arg in int[1512] = i
//: arg w int 63
//: expect out = i % 63 == 0 || i % 63 == 62 ? -1 : i * 3
//: test no_inner
//: kernel inner
//: global 24
//: local 8
//: arg out int[48] = -1
//: arg in int[48] = i
//: arg w int 2
//: expect out = -1
//: test below_inner
//: kernel inner
//: global 24
//: local 8
//: arg out int[48] = -1
//: arg in int[48] = i
//: arg w int -7
//: expect out = -1
__kernel void inner(__global int *out, __global const int *in, int w)
{
    int y = get_global_id(0);
    for (int x = 1; x < w - 1; x++)
        out[y * w + x] = in[y * w + x] * 3;
}

// Up to a bound that is reached, by threes, from where the row says.
//: test thirds
//: global 24
//: local 8
//: arg out int[2424] = -1
//: arg most int 100
//: expect out = i % 101 % 3 == (i / 101 & 1) ? i : -1
//: test thirds_to_99
//: kernel thirds
//: global 24
//: local 8
//: arg out int[2400] = -1
//: arg most int 99
//: expect out = i % 100 % 3 == (i / 100 & 1) ? i : -1
__kernel void thirds(__global int *out, int most)
{
    int y = get_global_id(0), w = most + 1;
    for (int x = y & 1; x <= most; x += 3)
        out[y * w + x] = y * w + x;
}

// In place, each second one: what the others hold stays what it was. Then with the test inside, by a continue.
//: test checkers
//: global 20
//: local 5
//: arg a int[1280] = i * 7 % 100
//: arg w int 64
//: arg colour int 1
//: expect a = i % 64 == 0 || i % 64 == 63 || (i % 64 + i / 64) % 2 != 1 ? i * 7 % 100 : (i - 1) * 7 % 100 - (i + 1) * 7 % 100
//: test checkers_0
//: kernel checkers
//: global 20
//: local 5
//: arg a int[1300] = i * 7 % 100
//: arg w int 65
//: arg colour int 0
//: expect a = i % 65 == 0 || i % 65 == 64 || (i % 65 + i / 65) % 2 ? i * 7 % 100 : (i - 1) * 7 % 100 - (i + 1) * 7 % 100
__kernel void checkers(__global int *a, int w, int colour)
{
    int y = get_global_id(0);
    for (int x = 1 + (y + colour + 1 & 1); x < w - 1; x += 2)
        a[y * w + x] = a[y * w + x - 1] - a[y * w + x + 1];
}
//: test continued
//: global 20
//: local 5
//: arg a int[1280] = i * 7 % 100
//: arg w uint 64
//: arg colour uint 1
//: expect a = i % 64 == 0 || i % 64 == 63 || (i % 64 + i / 64) % 2 != 1 ? i * 7 % 100 : (i - 1) * 7 % 100 - (i + 1) * 7 % 100
__kernel void continued(__global int *a, uint w, uint colour)
{
    uint y = get_global_id(0);
    for (uint x = 1; x < w - 1; x++) {
        if ((x + y) % 2 != colour)
            continue;
        a[y * w + x] = a[y * w + x - 1] - a[y * w + x + 1];
    }
}

// These stay what they are: a line that may begin below 0, one that hands something on, and one whose counter goes on in the middle.
//: test below
//: global 24
//: local 8
//: arg out int[1632] = -1
//: arg w int 64
//: expect out = i % 68 < 66 ? (i % 68 - 2) * 2 : -1
__kernel void below(__global int *out, int w)
{
    int y = get_global_id(0);
    for (int x = -2; x < w; x++)
        out[y * (w + 4) + x + 2] = x * 2;
}
//: test handed
//: global 24
//: local 8
//: arg out int[768] = -1
//: arg w int 32
//: expect out = i % 32 == 0 ? -1 : i % 32 * (i % 32 + 1) / 2
__kernel void handed(__global int *out, int w)
{
    int y = get_global_id(0), sum = 0;
    for (int x = 1; x < w; x++)
        out[y * w + x] = sum += x;
}
//: test middle
//: global 24
//: local 8
//: arg out int[768] = -1
//: arg w int 31
//: expect out = i / 31 < 24 && i % 31 ? i % 31 * 5 : -1
__kernel void middle(__global int *out, int w)
{
    int y = get_global_id(0);
    for (int x = 1; x < w;) {
        int five = x * 5;
        x++;
        out[y * w + x - 1] = five;
    }
}
