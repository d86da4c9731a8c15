// Rows, one for each work-item, whose elements are made one of the other: running sums and filters. Several elements are
// made at a time, and what is handed on by way of memory is in registers.

//: test sums
//: global 64
//: local 64
//: arg out int[1920] = -1
//: arg in int[1920] = i
//: arg w int 30
//: expect out = (i % 30 + 1) * (i / 30 * 30) + (i % 30) * (i % 30 + 1) / 2
//: test sums_long
//: kernel sums
//: global 96
//: local 32
//: arg out int[3840] = -1
//: arg in int[3840] = i
//: arg w int 40
//: expect out = (i % 40 + 1) * (i / 40 * 40) + (i % 40) * (i % 40 + 1) / 2
__kernel void sums(__global int *out, __global const int *in, int w)
{
    int y = get_global_id(0), sum = 0;
    for (int x = 0; x < w; x++) {
        sum += in[y * w + x];
        out[y * w + x] = sum;
    }
}

// A sum of what has no end that is a step: of a counter, of 64 bits, and down.
//: test sums_of_counters
//: global 64
//: local 64
//: arg out int[1920] = -1
//: arg far long[1920] = -1
//: arg in int[1920] = i
//: arg w int 30
//: expect out = i % 30 * (i % 30 - 1) / 2
//: expect far = 5000000000 - ((i % 30 + 1) * (i / 30 * 30) + (i % 30) * (i % 30 + 1) / 2)
__kernel void sums_of_counters(__global int *out, __global long *far, __global const int *in, int w)
{
    int y = get_global_id(0), sum = 0;
    long left = 5000000000L;
    for (int x = 0; x < w; x++) {
        left -= in[y * w + x];
        out[y * w + x] = sum;
        far[y * w + x] = left;
        sum += x;
    }
}

// The buffer is the other argument's, too.
//: test sums_in_place
//: kernel sums
//: global 64
//: local 64
//: arg out int[1920] = i
//: arg in same out
//: arg w int 30
//: expect out = (i % 30 + 1) * (i / 30 * 30) + (i % 30) * (i % 30 + 1) / 2

//: test before
//: global 64
//: local 64
//: arg out float[1920] = -1
//: arg in float[1920] = 2
//: arg w int 30
//: expect out = i % 30 * 2
//: test before_short
//: kernel before
//: global 64
//: local 64
//: arg out float[448] = -1
//: arg in float[448] = 2
//: arg w int 7
//: expect out = i % 7 * 2
//: test before_same
//: kernel before
//: global 64
//: local 64
//: arg out float[1920] = 2
//: arg in same out
//: arg w int 30
//: expect out = 0
__kernel void before(__global float *out, __global const float *in, int w)
{
    int y = get_global_id(0);
    float sum = 0;
    for (int x = 0; x < w; x++) {
        out[y * w + x] = sum;
        sum += in[y * w + x];
    }
}

//: test by_memory
//: global 64
//: local 64
//: arg out int[1920] = i % 30 ? -1 : i
//: arg in int[1920] = i
//: arg w int 30
//: expect out = (i % 30 + 1) * (i / 30 * 30) + (i % 30) * (i % 30 + 1) / 2
__kernel void by_memory(__global int *out, __global const int *in, int w)
{
    int y = get_global_id(0);
    for (int x = 1; x < w; x++)
        out[y * w + x] = out[y * w + x - 1] + in[y * w + x];
}

// Where there is no iteration nothing is loaded: it would be outside every buffer.
//: test none
//: kernel lengths
//: global 64
//: local 64
//: arg a int[64] = i
//: arg ends int[64] = 0
//: arg far int 500000000
//: expect a = i
//: test some
//: kernel lengths
//: global 64
//: local 32
//: arg a int[1920] = 1
//: arg ends int[64] = i % 31
//: arg far int 30
//: expect a = i % 30 < ends[i / 30] ? i % 30 + 1 : 1
__kernel void lengths(__global int *a, __global const int *ends, int far)
{
    int y = get_global_id(0), end = ends[y];
    for (int x = 1; x < end; x++)
        a[y * far + x] += a[y * far + x - 1];
}

// Two before: a straight line, as long as both are the right ones.
//: test lines
//: global 32
//: local 32
//: arg a int[640] = i % 20 < 2 ? i / 20 + 2 * (i % 20) : -1
//: arg w int 20
//: expect a = i / 20 + 2 * (i % 20)
//: test lines_short
//: kernel lines
//: global 32
//: local 32
//: arg a int[96] = i % 3 < 2 ? i / 3 + 2 * (i % 3) : -1
//: arg w int 3
//: expect a = i / 3 + 2 * (i % 3)
__kernel void lines(__global int *a, int w)
{
    __global int *row = a + get_global_id(0) * w;
    for (int x = 2; x < w; x++)
        row[x] = 2 * row[x - 1] - row[x - 2];
}

// Two before alone: the one between is another work.
//: test odd_even
//: global 32
//: local 32
//: arg a int[640] = 1
//: arg w int 20
//: expect a = i % 20 / 2 + 1
__kernel void odd_even(__global int *a, int w)
{
    __global int *row = a + get_global_id(0) * w;
    for (int x = 2; x < w; x++)
        row[x] += row[x - 2];
}

// From the end to the begin, left in the middle, too.
//: test backwards
//: global 32
//: local 32
//: arg a int[640] = 1
//: arg w int 20
//: arg most int 12
//: expect a = i % 20 < 8 ? 1 : 20 - i % 20
__kernel void backwards(__global int *a, int w, int most)
{
    __global int *row = a + get_global_id(0) * w;
    for (int x = w - 2; x >= 0; x--) {
        int next = row[x] + row[x + 1];
        if (next > most)
            break;
        row[x] = next;
    }
}

// Another store in between may be to what is loaded.
//: test two_stores
//: global 32
//: local 32
//: arg a int[640] = 1
//: arg b same a
//: arg w int 20
//: expect a = i % 20 == 0 ? 7 : i % 20 == 19 ? 8 : 7
__kernel void two_stores(__global int *a, __global int *b, int w)
{
    int y = get_global_id(0);
    for (int x = 1; x < w; x++) {
        a[y * w + x] += a[y * w + x - 1];
        b[y * w + x - 1] = 7;
        if (x == w - 1)
            b[y * w + x] = 8;
    }
}

// A function in the loop, and what it gives is stored.
//: test exponents
//: global 64
//: local 64
//: arg out float[1280] = -1
//: arg in float[1280] = 0
//: arg total float[64] = 0
//: arg w int 20
//: expect out = 1
//: expect total = 20
__kernel void exponents(__global float *out, __global const float *in, __global float *total, int w)
{
    int y = get_global_id(0);
    float sum = 0;
    for (int x = 0; x < w; x++) {
        float e = exp(in[y * w + x]);
        sum += e;
        out[y * w + x] = e;
    }
    total[y] = sum;
}

// Two arrays that iterations hand on, each by a store of its own; loaded several times, and made of each other.
//: test two
//: global 64
//: local 64
//: arg x int[4096] = i % 64
//: arg b int[4096] = 1
//: arg a int[4096] = i % 3
//: arg w int 64
//: expect x = i % 64 * (i % 64 + 1) / 2
//: expect b = i % 64 + 1
kernel void two(global int *x, global int *b, global const int *a, int w)
{
    int row = get_global_id(0) * w;
    for (int c = 1; c < w; c++) {
        x[row + c] = x[row + c] + x[row + c - 1] + a[row + c] - a[row + c] * b[row + c - 1] / b[row + c - 1];
        b[row + c] = b[row + c] + b[row + c - 1];
    }
}

// The same where both are one buffer: each element is doubled before it is handed on.
//: test two_shared
//: kernel two
//: global 64
//: local 32
//: arg x int[640] = 1
//: arg b same x
//: arg a int[640] = i % 3
//: arg w int 10
//: expect x = (2 << i % 10) - 1
