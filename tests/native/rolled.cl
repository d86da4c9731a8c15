// What iterations of runs do, written out by hand or by the compiler, and runs of which a loop counts the turns: they
// are dealt out to lanes.

//: test conditions
//: global 100
//: local 50
//: arg out float[400] = -1
//: arg in float[401] = i
//: arg n int 400
//: expect out = i > 0 && i < 399 ? 2 * i : i
kernel void conditions(global float *out, global const float *in, int n) {
    int first = 4 * get_global_id(0);
    for (int q = 0; q < 4; q++) {
        int i = first + q;
        if (i > 0 && i < n - 1)
            out[i] = in[i - 1] + in[i + 1];
        else
            out[i] = in[i];
    }
}

// Some lanes are off in some copies.
//: test by_hand
//: global 64
//: local 32
//: arg out int[200] = -1
//: arg in int[200] = 3 * i
//: arg n int 190
//: expect out = i < 190 ? i % 5 == 0 ? 0 - 3 * i : 3 * i : -1
kernel void by_hand(global int *out, global const int *in, int n) {
    int i = 3 * get_global_id(0);
    if (i < n) out[i] = i % 5 == 0 ? -in[i] : in[i];
    if (i + 1 < n) out[i + 1] = (i + 1) % 5 == 0 ? -in[i + 1] : in[i + 1];
    if (i + 2 < n) out[i + 2] = (i + 2) % 5 == 0 ? -in[i + 2] : in[i + 2];
}

// Five copies, of which the last one is another: four are a loop.
//: test one_differs
//: global 64
//: local 64
//: arg out int[320] = -1
//: arg in int[320] = i
//: expect out = i % 5 == 4 ? 3 * i : 2 * i
kernel void one_differs(global int *out, global const int *in) {
    int i = 5 * get_global_id(0);
    out[i] = 2 * in[i];
    out[i + 1] = 2 * in[i + 1];
    out[i + 2] = 2 * in[i + 2];
    out[i + 3] = 2 * in[i + 3];
    out[i + 4] = 3 * in[i + 4];
}

// Several stores of each element, at odd distances.
//: test turned
//: global 64
//: local 64
//: arg out uchar[768] = 255
//: arg in uchar[768] = i & 127
//: expect out = (i - i % 3 + 2 - i % 3) & 127
kernel void turned(global uchar *out, global const uchar *in) {
    for (int q = 0; q < 4; q++) {
        int i = 4 * get_global_id(0) + q;
        out[3 * i] = in[3 * i + 2];
        out[3 * i + 1] = in[3 * i + 1];
        out[3 * i + 2] = in[3 * i];
    }
}

// Each copy reads what the one before has stored: the buffers are one.
//: test shared
//: kernel running
//: global 64
//: local 32
//: arg out int[260] = 1
//: arg in same out
//: arg off int 1
//: expect out = i < 257 ? i == 0 ? 1 : (i - 1) % 4 + 2 : 1
kernel void running(global int *out, global const int *in, int off) {
    int i = 4 * get_global_id(0);
    barrier(CLK_GLOBAL_MEM_FENCE);
    int first = i % 4 == 0 ? 1 : in[i];
    out[i + 1] = first + off;
    out[i + 2] = in[i + 1] + off;
    out[i + 3] = in[i + 2] + off;
    out[i + 4] = in[i + 3] + off;
}

// Copies with two values of their own, in regions of regions.
//: test sums
//: global 32
//: local 32
//: arg out int[128] = -1
//: arg in int[1024] = i & 15
//: arg n int 8
//: expect out = i % 2 ? 8 * i : 8 * (i * 8 & 15) + 28
kernel void sums(global int *out, global const int *in, int n) {
    int first = 4 * get_global_id(0);
#pragma unroll
    for (int q = 0; q < 4; q++) {
        int i = first + q, s = 0;
        if (i & 1)
            for (int j = 0; j < n; j++) s += i;
        else
            for (int j = 0; j < n; j++) s += in[i * 8 + j];
        out[i] = s;
    }
}

// Copies that read values of each lane's own: they stay copies, but for many of which some are off.
//: test own_values
//: global 64
//: local 64
//: arg out int[512] = -1
//: arg in int[512] = 5 * i
//: arg w int[64] = i
//: expect out = i % 2 ? 5 * i - (i / 8) : 5 * i + (i / 8)
kernel void own_values(global int *out, global const int *in, global const int *w) {
    int g = get_global_id(0);
    for (int q = 0; q < 8; q++) out[8 * g + q] = q & 1 ? in[8 * g + q] - w[g] : in[8 * g + q] + w[g];
}

//: test own_bounds
//: global 96
//: local 32
//: arg out int[384] = -1
//: arg in int[384] = i
//: arg w int[96] = i % 5
//: expect out = i % 4 < i / 4 % 5 ? i : -1
kernel void own_bounds(global int *out, global const int *in, global const int *w) {
    int g = get_global_id(0);
    for (int q = 0; q < 4; q++)
        if (q < w[g]) out[4 * g + q] = in[4 * g + q];
}

//: test many_own_bounds
//: global 64
//: local 64
//: arg out int[1024] = -1
//: arg in int[1024] = i
//: arg w int[64] = i % 17
//: expect out = i % 16 < i / 16 % 17 ? i : -1
kernel void many_own_bounds(global int *out, global const int *in, global const int *w) {
    int g = get_global_id(0);
    for (int q = 0; q < 16; q++)
        if (q < w[g]) out[16 * g + q] = in[16 * g + q];
}

// The last copy's value is wanted behind them.
//: test left_over
//: global 32
//: local 32
//: arg out int[160] = -1
//: arg in int[128] = i
//: expect out = i < 128 ? 5 * i : 5 * (4 * (i - 128) + 3)
kernel void left_over(global int *out, global const int *in) {
    int g = get_global_id(0), v = 0;
    for (int q = 0; q < 4; q++) {
        v = in[4 * g + q] * 5;
        if (v >= 0) out[4 * g + q] = v;
    }
    out[128 + g] = v;
}

// Running sums: each copy takes up what the one before has left.
//: test carried
//: global 32
//: local 32
//: arg out int[128] = -1
//: arg in int[128] = 2
//: expect out = 2 * (i % 4 + 1)
kernel void carried(global int *out, global const int *in) {
    int g = get_global_id(0), s = 0;
    for (int q = 0; q < 4; q++) {
        s += in[4 * g + q];
        out[4 * g + q] = s;
    }
}

// Constants that step with the copies, and one that does not step alike.
//: test constants
//: global 32
//: local 32
//: arg out int[128] = -1
//: expect out = i % 4 * 7 + 3 + i
kernel void constants(global int *out) {
    int i = 4 * get_global_id(0);
    if (i >= 0) out[i] = i + 3;
    if (i >= 0) out[i + 1] = i + 11;
    if (i >= 0) out[i + 2] = i + 19;
    if (i >= 0) out[i + 3] = i + 27;
}

//: test uneven_constants
//: global 32
//: local 32
//: arg out int[128] = -1
//: expect out = i % 4 == 3 ? 99 : i % 4 * 8 + 3
kernel void uneven_constants(global int *out) {
    int i = 4 * get_global_id(0);
    if (i >= 0) out[i] = 3;
    if (i >= 0) out[i + 1] = 11;
    if (i >= 0) out[i + 2] = 19;
    if (i >= 0) out[i + 3] = 99;
}

// Indices of 64 bits, and such as wrap around.
//: test wide
//: global 64
//: local 64
//: arg out float[256] = -1
//: arg in float[256] = i
//: expect out = i % 2 ? i : 0 - i
kernel void wide(global float *out, global const float *in) {
    size_t first = get_global_id(0) * 4;
    for (size_t q = 0; q < 4; q++) {
        size_t i = first + q;
        if (i & 1)
            out[i] = in[i];
        else
            out[i] = -in[i];
    }
}

//: test wrapping
//: global 64
//: local 64
//: arg out uint[256] = 0
//: expect out = i + 1
kernel void wrapping(global uint *out) {
    uint first = 4 * get_global_id(0) - 130;
    for (uint q = 0; q < 4; q++) {
        uint i = first + q;
        if (i + 130 < 256) out[i + 130] = i + 131;
    }
}

// Groups of rows of eight, each work-item four elements of a row.
//: test rows
//: global 8 30
//: local 8 6
//: arg out float[960] = -1
//: arg in float[960] = i
//: arg w int 32
//: arg h int 30
//: expect out = i % 32 > 0 && i % 32 < 31 && i / 32 > 0 && i / 32 < 29 ? 4 * i : i
kernel void rows(global float *out, global const float *in, int w, int h) {
    int first = get_global_id(0) * 4, y = get_global_id(1);
    for (int q = 0; q < 4; q++) {
        int x = first + q;
        if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
            out[y * w + x] = in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x];
        else
            out[y * w + x] = in[y * w + x];
    }
}

// Copies in a loop that all work-items stride through together.
//: test strided
//: global 64
//: local 64
//: arg out int[1000] = -1
//: arg in int[1000] = i
//: arg n int 1000
//: expect out = i % 3 ? i : 7
kernel void strided(global int *out, global const int *in, int n) {
    for (int i = 4 * get_global_id(0); i < n; i += 4 * get_global_size(0)) {
        if (i % 3) out[i] = in[i]; else out[i] = 7;
        if ((i + 1) % 3) out[i + 1] = in[i + 1]; else out[i + 1] = 7;
        if ((i + 2) % 3) out[i + 2] = in[i + 2]; else out[i + 2] = 7;
        if ((i + 3) % 3) out[i + 3] = in[i + 3]; else out[i + 3] = 7;
    }
}

// Loads of vectors, of which two results are wanted.
//: test products
//: global 64
//: local 64
//: arg out int[512] = -1
//: arg a int[512] = i
//: arg b int[512] = 1
//: expect out = i % 2 ? 2 * i - 1 : 0 - 1
kernel void products(global int2 *out, global const int2 *a, global const int2 *b) {
    for (int q = 0; q < 4; q++) {
        int i = 4 * get_global_id(0) + q;
        int2 u = a[i], v = b[i];
        out[i] = (int2)(u.x * v.x - u.y * v.y, u.x * v.y + u.y * v.x);
    }
}

// Volatile accesses stay as they are written.
//: test kept
//: global 32
//: local 32
//: arg out int[128] = -1
//: arg in int[128] = i
//: expect out = 2 * i
kernel void kept(global volatile int *out, global const int *in) {
    for (int q = 0; q < 4; q++) out[4 * get_global_id(0) + q] = 2 * in[4 * get_global_id(0) + q];
}

// Long bodies with a loop of their own, which no compiler writes out: the turns are counted.
//: test turns
//: global 64
//: local 64
//: arg out int[1024] = -1
//: arg in int[1100] = i
//: expect out = i > 1000 ? 0 : 64 * i + 2016
kernel void turns(global int *out, global const int *in) {
    int first = 16 * get_global_id(0);
    for (int q = 0; q < 16; q++) {
        int i = first + q, s = 0;
        if (i <= 1000)
            for (int j = 0; j < 64; j++) s += in[i + j];
        out[i] = s;
    }
}

// The turn itself is wanted, too.
//: test turn_wanted
//: global 64
//: local 64
//: arg out int[1024] = -1
//: arg in int[1024] = i
//: expect out = i + i % 16
kernel void turn_wanted(global int *out, global const int *in) {
    int first = 16 * get_global_id(0);
    for (int q = 0; q < 16; q++) out[first + q] = in[first + q] + q;
}

// Constants of each copy's own.
constant int factors[4] = {3, 5, 9, 17};

//: test tables
//: global 64
//: local 64
//: arg out int[256] = -1
//: arg in int[256] = i
//: expect out = i * (1 + (2 << i % 4))
kernel void tables(global int *out, global const int *in) {
    int first = 4 * get_global_id(0);
#pragma unroll
    for (int q = 0; q < 4; q++) out[first + q] = in[first + q] * factors[q];
}

constant char *constant letters[5] = {"abcdefgh", "bcdefghi", "cdefghij", "defghijk", "efghijkl"};

//: test words
//: global 8
//: local 8
//: arg out int[40] = 99
//: expect out = 97 + i / 5 + i % 5
kernel void words(global int *out) {
    int i = get_global_id(0);
    if (i < 8)
        for (int w = 0; w < 5; w++) out[5 * i + w] = letters[w][i];
}

// Conditions that keep what addresses are made of in each copy.
//: test each_guarded
//: global 64
//: local 32
//: arg out uchar[256] = 9
//: arg a uchar[256] = i
//: arg b uchar[256] = 200 - i / 2
//: arg n int 250
//: expect out = i < 250 ? i + 200 - i / 2 > 255 ? 255 : i + 200 - i / 2 : 9
kernel void each_guarded(global uchar *out, global const uchar *a, global const uchar *b, int n) {
    int first = get_global_id(0) * 4;
    for (int q = 0; q < 4; q++) {
        int i = first + q;
        if (i < n) out[i] = add_sat(a[i], b[i]);
    }
}

// Runs that go down, in loops that end, or begin, with their conditions.
//: test down_at_end
//: global 128
//: local 64
//: arg out int[512] = -1
//: arg in int[512] = i
//: expect out = 3 * i
kernel void down_at_end(global int *out, global const int *in)
{
    int q = 3;
    do {
        int i = get_global_id(0) * 4 + q;
        out[i] = 3 * in[i];
    } while (q-- > 0);
}

//: test down_at_begin
//: global 128
//: local 64
//: arg out int[513] = -1
//: arg in int[512] = i
//: arg left int[128] = 7
//: expect out = i < 512 ? 3 * i : -1
//: expect left = -1
kernel void down_at_begin(global int *out, global const int *in, global int *left)
{
    int q = 4;
    while (q-- > 0) {
        int i = get_global_id(0) * 4 + q;
        out[i] = 3 * in[i];
    }
    left[get_global_id(0)] = q;
}

//: test up_at_end
//: global 128
//: local 64
//: arg out int[512] = -1
//: arg in int[512] = i
//: arg left int[128] = 7
//: expect out = 3 * i
//: expect left = 4
kernel void up_at_end(global int *out, global const int *in, global int *left)
{
    int q = 0;
    do {
        int i = get_global_id(0) * 4 + q;
        out[i] = 3 * in[i];
    } while (++q < 4);
    left[get_global_id(0)] = q;
}

// Elements of a run that are stored to one place: the last of them stays.
//: test down_to_one
//: global 128
//: local 64
//: arg out int[256] = -1
//: arg in int[512] = i
//: expect out = 6 * i
kernel void down_to_one(global int *out, global const int *in)
{
    int q = 3;
    do {
        int i = get_global_id(0) * 4 + q;
        out[i / 2] = 3 * in[i];
    } while (q-- > 0);
}

// Elements with a loop each: sums whose addresses begin a constant apart, however they are computed, with loads in between.
#define CORRELATED(name, INDEX, GUARD)                                                             \
    __kernel void name(__global int *out, __global const int *a, __global const int *by, int n)    \
    {                                                                                              \
        INDEX i = get_global_id(0);                                                                \
        if (GUARD) {                                                                               \
            int s = 0, t = 0;                                                                      \
            for (INDEX k = 0; k < n; k++)                                                          \
                s += a[2 * i + k] * by[k];                                                         \
            out[2 * i] = s;                                                                        \
            for (INDEX k = 0; k < n; k++)                                                          \
                t += a[2 * i + 1 + k] * by[k];                                                     \
            out[2 * i + 1] = t;                                                                    \
        }                                                                                          \
    }
//: test correlated
//: global 512
//: local 64
//: arg out int[1024] = -1
//: arg a int[1124] = i
//: arg by int[11] = 1
//: arg n int 11
//: expect out = 11 * i + 55
CORRELATED(correlated, int, true)
//: test correlated_guarded
//: global 512
//: local 64
//: arg out int[1024] = -1
//: arg a int[1124] = i
//: arg by int[11] = 1
//: arg n int 11
//: expect out = i < 906 ? 11 * i + 55 : -1
CORRELATED(correlated_guarded, uint, 2 * i + 1 < 907)
//: test correlated_long
//: global 512
//: local 64
//: arg out int[1024] = -1
//: arg a int[1124] = i
//: arg by int[11] = 1
//: arg n int 11
//: expect out = 11 * i + 55
CORRELATED(correlated_long, long, true)

// Loops that step through rows, from addresses that only displacements tell apart; the last one steps another way.
//: test columns_of_two
//: global 32 16
//: local 32 4
//: arg out int[1024] = -1
//: arg a int[256] = i / 16 == i % 16 ? 3 : 0
//: arg b int[1024] = i
//: arg n int 16
//: expect out = 3 * i
__kernel void columns_of_two(__global int *out, __global const int *a, __global const int *b, int n)
{
    int x = get_global_id(0), y = get_global_id(1), w = 2 * get_global_size(0), s = 0, t = 0;
    for (int k = 0; k < n; k++)
        s += a[y * n + k] * b[k * w + 2 * x];
    out[y * w + 2 * x] = s;
    for (int k = 0; k < n; k++)
        t += a[y * n + k] * b[k * w + 2 * x + 1];
    out[y * w + 2 * x + 1] = t;
}
//: test columns_differ
//: global 32 16
//: local 32 4
//: arg out int[1024] = -1
//: arg a int[256] = i / 16 == i % 16 ? 3 : 0
//: arg b int[1024] = i
//: arg n int 16
//: expect out = i % 2 ? 3 * (i / 64 * 64 + i % 64 - 1) + i / 64 : 3 * i
__kernel void columns_differ(__global int *out, __global const int *a, __global const int *b, int n)
{
    int x = get_global_id(0), y = get_global_id(1), w = 2 * get_global_size(0), s = 0, t = 0;
    __global const int *at = b + 2 * x;
    for (int k = 0; k < n; k++, at += w)
        s += a[y * n + k] * at[0];
    out[y * w + 2 * x] = s;
    at = b + 2 * x;
    for (int k = 0; k < n; k++, at += w)
        t += a[y * n + k] * at[0];
    out[y * w + 2 * x + 1] = t + y;
}

// Two elements each, by a function that returns early, with a loop, or by ifs in ifs: what each part computes for itself is seen to be
// two copies; the last element of a row of odd length, and what lies behind it.
//: test guarded_pairs
//: global 384 3
//: local 64 1
//: arg out int[2103] = -1
//: arg in int[1402] = i
//: arg w int 701
//: arg n int 5
//: expect out = i < 2103 ? 5 * (i % 701) + 10 : 0
int guarded_pair(__global const int *in, int w, int n, int x) {
    int s = 0;
    for (int k = 0; k < n; k++) s += in[x + k];
    return s;
}
void guarded_element(__global int *out, __global const int *in, int w, int n, int x, int y) {
    if (!(x < w)) return;
    out[y * w + x] = guarded_pair(in, w, n, x);
}
__kernel void guarded_pairs(__global int *out, __global const int *in, int w, int n) {
    int x = get_global_id(0), y = get_global_id(1);
    guarded_element(out, in, w, n, 2 * x, y);
    guarded_element(out, in, w, n, 2 * x + 1, y);
}

//: test nested_pairs
//: global 128 2
//: local 32 2
//: arg out int[394] = -1
//: arg in int[400] = i
//: arg w int 197
//: expect out = i % 197 == 0 ? 1 : (i % 197 - 1) * 3
__kernel void nested_pairs(__global int *out, __global const int *in, int w) {
    int x = get_global_id(0), y = get_global_id(1), a = 2 * x, b = 2 * x + 1;
    if (a < w) {
        if (a > 0) out[y * w + a] = in[a - 1] * 3;
        else out[y * w + a] = 1;
    }
    if (b < w) {
        if (b > 0) out[y * w + b] = in[b - 1] * 3;
        else out[y * w + b] = 1;
    }
}
