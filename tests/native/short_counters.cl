// Counters of 8 and 16 bits, up to bounds that they can hold and such that they cannot: they wrap, and the loop is left elsewhere.

//: test sums_char
//: kernel sums_char
//: global 256
//: local 64
//: arg out int[256] = -1
//: arg in int[512] = i
//: arg d int 100
//: expect out = 100004950 + 100 * i

//: test sums_char_most
//: kernel sums_char
//: global 256
//: local 64
//: arg out int[256] = -1
//: arg in int[512] = i
//: arg d int 127
//: expect out = 127008001 + 127 * i

//: test sums_char_none
//: kernel sums_char
//: global 256
//: local 64
//: arg out int[256] = -1
//: arg in int[512] = i
//: arg d int -3
//: expect out = 0

//: test wraps
//: kernel wraps
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg in int[512] = i
//: arg d int 200
//: expect out = 450300 + i

//: test by_threes
//: kernel by_threes
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg w uint 250
//: arg n int 4
//: expect out = 33684252

//: test by_threes_few
//: kernel by_threes
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg w uint 2
//: arg n int 0
//: expect out = 1003

//: test own_bounds
//: kernel own_bounds
//: global 256
//: local 64
//: arg out int[256] = -1
//: arg in int[256] = i % 7
//: expect out = i % 7 * (i % 7 + 1) / 2

__kernel void sums_char(__global int *out, __global const int *in, int d) {
    int x = get_global_id(0), s = 0;
    char k;
    for (k = 0; k < d; k++) s += in[x + k];
    out[x] = s + 1000000 * k;
}

__kernel void wraps(__global int *out, __global const int *in, int d) {
    int x = get_global_id(0), n = 0, s = 0;
    char k;
    for (k = 0; k < d; k++) {
        s += in[k + 128] - 128 - k;
        if (++n == 300) break;
    }
    out[x] = n + 10000 * (k + 2) + s + x;
}

__kernel void by_threes(__global int *out, uint w, int n) {
    int x = get_global_id(0), s = 0, m = 0;
    uchar j;
    for (j = 0; j < w; j += 3) {
        s++;
        for (short k = 1; k <= n; k++) m++;
    }
    out[x] = s * 1000 + j + 100000 * m;
}

__kernel void own_bounds(__global int *out, __global const int *in) {
    int x = get_global_id(0), s = 0;
    for (short k = 0; k <= in[x]; k++) s += k;
    out[x] = s;
}

// A counter that is stepped before it is compared for the first time wraps, whatever the bound is.
//: test stepped_first
//: global 128
//: local 64
//: arg out int[256] = -1
//: arg bound int 100
//: expect out = i < 128 ? (i + 5 < 100 ? (104 - i) / 5 : i + 5 > 127 ? (360 - i) / 5 : 1) : i - 128 < 100 ? 101 - (i - 128) : 1
kernel void stepped_first(global int *out, int bound)
{
    int i = get_global_id(0), n = 0, m = 0, last = 0;
    char at = i, next = i;
    do {
        n++;
        at += 5;
    } while (at < bound);
    for (;;) {
        bool on = next < bound;
        next++;
        m++;
        last = next;
        if (!on) break;
    }
    out[i] = n;
    out[i + 128] = last == (char)(i + m) ? m : -m;
}
