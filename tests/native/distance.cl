// Loops from where each work-item begins a row of its own to where that ends: all go on as often.

//: test whole
//: kernel rows
//: global 16 16
//: local 16 4
//: arg out int[256] = -1
//: arg in int[4096] = i
//: arg n int 20
//: expect out = i / 16 * 20 * 20 + 190

//: test one
//: kernel rows
//: global 16 16
//: local 16 4
//: arg out int[256] = -1
//: arg in int[4096] = i
//: arg n int 1
//: expect out = i / 16

//: test none
//: kernel rows
//: global 16 16
//: local 16 4
//: arg out int[256] = -1
//: arg in int[4096] = i
//: arg n int 0
//: expect out = 0

//: test steps_that_do_not_fit
//: kernel pairs
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[4096] = i
//: arg n int 15
//: expect out = 11 * (i * 15) + 110

//: test steps_that_fit
//: kernel pairs
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[4096] = i
//: arg n int 16
//: expect out = 8 * (i * 16) + 56

//: test some_only
//: kernel some
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[4096] = i
//: arg n int 9
//: expect out = (9 - i % 4) * (i * 9) + 36 - (i % 4 == 0 ? 0 : i % 4 == 1 ? 0 : i % 4 == 2 ? 1 : 3)

//: test once_at_least
//: kernel once
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[4096] = i
//: arg n int 3
//: expect out = 3 * (i * 3) + 3

//: test left_behind
//: kernel behind
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[4096] = i % 13
//: arg n int 12
//: expect out = (13 - i * 12 % 13) % 13 < 12 ? (13 - i * 12 % 13) % 13 : 12

__kernel void rows(__global int *out, __global const int *in, int n)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0;
    for (__global const int *p = in + y * n, *end = p + n; p != end; p++)
        sum += *p;
    out[y * 16 + x] = sum;
}

// Where n is odd the end is passed by.
__kernel void pairs(__global int *out, __global const int *in, int n)
{
    __global const int *row = in + get_global_id(0) * n, *end = row + n;
    int sum = 0;
    for (__global const int *p = row; p != end; p += 2) {
        if (p - row > 20) break;
        sum += *p;
    }
    out[get_global_id(0)] = sum;
}

__kernel void some(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0), left = i % 4, sum = 0;
    __global const int *p = in + i * n, *end = p + n;
    while (p != end) {
        int v = *p++;
        if (left) {
            left--;
            continue;
        }
        sum += v;
    }
    out[i] = sum;
}

__kernel void once(__global int *out, __global const int *in, int n)
{
    __global const int *p = in + get_global_id(0) * n, *end = p + n;
    int sum = 0;
    do
        sum += *p++;
    while (p != end);
    out[get_global_id(0)] = sum;
}

__kernel void behind(__global int *out, __global const int *in, int n)
{
    __global const int *row = in + get_global_id(0) * n, *p = row, *end = row + n;
    while (p != end && *p) p++;
    out[get_global_id(0)] = p - row;
}

// The same by other comparisons, ways and steps.

//: test below
//: kernel below
//: global 16 16
//: local 16 4
//: arg out int[256] = -1
//: arg in int[4096] = i
//: arg n int 13
//: expect out = i / 16 * 13 * 13 + 78

//: test below_none
//: kernel below
//: global 16 16
//: local 16 4
//: arg out int[256] = -1
//: arg in int[4096] = i
//: arg n int -3
//: expect out = 0

//: test up_to
//: kernel up_to
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg in int[4096] = i
//: arg n int 11
//: expect out = i * 11 * 11 + 55

//: test up_to_none
//: kernel up_to
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg in int[4096] = i
//: arg n int 0
//: expect out = 0

//: test down
//: kernel down
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[4096] = i
//: arg n int 7
//: expect out = i * 7 + (((((0 * 2 + 6) * 2 + 5) * 2 + 4) * 2 + 3) * 2 + 2) * 4 + 2 + 126 * (i * 7)

//: test indices
//: kernel indices
//: global 16 16
//: local 16 4
//: arg out int[256] = -1
//: arg in int[4096] = i
//: arg n int 9
//: expect out = 3 * (i / 16 * 9 * 9 + 36) - i / 16 * 9

//: test indices_none
//: kernel indices
//: global 16 16
//: local 16 4
//: arg out int[256] = -1
//: arg in int[4096] = i
//: arg n int 0
//: expect out = 0

//: test threes
//: kernel threes
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg in int[4096] = i
//: arg n int 5
//: expect out = 2 * (5 * (i * 15) + 30) + (i * 15 + 13) + 5 * (i * 15 + 1) + 30

//: test pitch
//: kernel pitch
//: global 16 4
//: local 16 2
//: arg out int[64] = -1
//: arg in int[4096] = i
//: arg n int 16
//: expect out = 6 * (i % 16) + (0 + 1 + 2 + 3 + 4 + 5) * 16

//: test pitch_cut
//: kernel pitch
//: global 16 4
//: local 16 2
//: arg out int[64] = -1
//: arg in int[4096] = i
//: arg n int 12
//: expect out = i % 16 < 12 ? 8 * (i % 16) + 28 * 12 : 7 * (i % 16) + 21 * 12

//: test pitch_one
//: kernel pitch
//: global 16 4
//: local 16 2
//: arg out int[64] = -1
//: arg in int[4096] = i
//: arg n int 1
//: expect out = (96 - i % 16) * (95 + i % 16) / 2

//: test chunks
//: kernel chunks
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg in int[4096] = i
//: arg n int 600
//: arg each int 10
//: expect out = i < 60 ? 100 * i + 45 : 0

//: test chunks_cut
//: kernel chunks
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg in int[4096] = 1
//: arg n int 333
//: arg each int 10
//: expect out = i < 33 ? 10 : i == 33 ? 3 : 0

//: test differences
//: kernel differences
//: global 16 16
//: local 16 4
//: arg out int[256] = -1
//: arg in int[4096] = i
//: arg n int 6
//: expect out = i / 16 * 6 * 15 + 55 + 15 + (i / 16 * 6 + 5) * 7

//: test rows_of_rows
//: kernel rows_of_rows
//: global 16 4
//: local 16 2
//: arg out int[64] = -1
//: arg in int[4096] = i
//: arg by int[64] = i
//: arg n int 40
//: arg w int 3
//: expect out = 36 * (i % 16 + i / 16 * 40) + (0 * 0 + 1 * 1 + 2 * 2 + 40 * 3 + 41 * 4 + 42 * 5 + 80 * 6 + 81 * 7 + 82 * 8)

//: test wrapping
//: kernel wrapping
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg first uint 4294967280
//: arg n uint 5
//: expect out = i < 11 ? 5 : i < 16 ? 0 : 5

//: test wrapping_signed
//: kernel wrapping_signed
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg first int 2147483632
//: arg n int 5
//: expect out = i < 11 ? 5 : i < 16 ? 0 : 5

//: test once_more
//: kernel once_more
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg in int[4096] = i
//: arg n int 0
//: expect out = i * 3

//: test left_in_between
//: kernel left_in_between
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg in int[4096] = i % 9
//: arg n int 20
//: expect out = i * 20 % 9 < 8 ? 7 - i * 20 % 9 + (i * 20 % 9 > 7) * 9 : 8

//: test others
//: kernel others
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg step int 3
//: arg n int 12
//: expect out = 4

//: test others_none
//: kernel others
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg step int 3
//: arg n int 0
//: expect out = 0

__kernel void below(__global int *out, __global const int *in, int n)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0;
    for (__global const int *p = in + y * n, *end = p + n; p < end; p++)
        sum += *p;
    out[y * 16 + x] = sum;
}

__kernel void up_to(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0), sum = 0;
    for (__global const int *p = in + i * n, *last = p + n - 1; p <= last; p++)
        sum += *p;
    out[i] = sum;
}

__kernel void down(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0), sum = 0;
    __global const int *row = in + i * n, *p = row + n;
    while (p-- > row)
        sum = sum * 2 + *p;
    out[i] = sum;
}

__kernel void indices(__global int *out, __global const int *in, int n)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0;
    for (int k = y * n; k < (y + 1) * n; k++)
        sum += in[k];
    for (int k = y * n + n - 1; k >= y * n; k--)
        sum += in[k];
    for (uint k = y * n + 1; k < (y + 1) * n; k++)
        sum += in[k];
    out[y * 16 + x] = sum;
}

struct three { int a, b, c; };
__kernel void threes(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0), sum = 0;
    __global const struct three *first = (__global const struct three *)in + i * n, *p = first;
    for (__global const struct three *end = p + n; p != end; p++)
        sum += p->a + p->b;
    for (p = first; p - first < n; p++)
        sum += p->a;
    out[i] = sum + p[-1].b;
}

__kernel void pitch(__global int *out, __global const int *in, int n)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0;
    for (__global const int *p = in + x, *end = in + 96; p < end; p += n)
        sum += *p;
    out[y * 16 + x] = sum;
}

__kernel void chunks(__global int *out, __global const int *in, int n, int each)
{
    int i = get_global_id(0), sum = 0;
    for (__global const int *p = in + i * each, *end = in + min(i * each + each, n); p < end; p++)
        sum += *p;
    out[i] = sum;
}

__kernel void differences(__global int *out, __global const int *in, int n)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0, far = 7;
    __global const int *row = in + y * n, *p;
    for (p = row; p - row < n; p++)
        sum += *p * (p - row) + (row - p + 2 * (p - row));
    out[y * 16 + x] = sum + p[-1] * far;
}

// What both loops go on with stays the same for all.
__kernel void rows_of_rows(__global int *out, __global const int *in, __global const int *by, int n, int w)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0;
    for (__global const int *row = in + y * n + x, *end = row + 3 * n; row < end; row += n)
        for (__global const int *p = row; p < row + w; p++)
            sum += *p * *by++;
    out[y * 16 + x] = sum;
}

// Numbers, which have no object that they stay in.
__kernel void wrapping(__global int *out, uint first, uint n)
{
    int i = get_global_id(0), count = 0;
    for (uint k = first + i; k < first + i + n; k++)
        count++;
    out[i] = count;
}

__kernel void wrapping_signed(__global int *out, int first, int n)
{
    int i = get_global_id(0), count = 0;
    uint k = (uint)first + i, end = k + n;
    for (; (int)k < (int)end; k++)
        count++;
    out[i] = count;
}

__kernel void once_more(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0), sum = 0;
    __global const int *p = in + i * 3, *end = p + n;
    do
        sum += *p++;
    while (p < end);
    out[i] = sum;
}

__kernel void left_in_between(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0);
    __global const int *row = in + i * n, *p = row;
    for (; p < row + n; p++)
        if (*p == 7) break;
    out[i] = p - row;
}

__kernel void others(__global int *out, int step, int n)
{
    int i = get_global_id(0), count = 0;
    for (int k = i * 5; k != i * 5 + n; k += step)
        count++;
    out[i] = count;
}

// What an inner loop counts is not counted by the outer one, however far that goes.

//: test runs
//: kernel runs
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[4096] = i / 3
//: arg n int 12
//: expect out = 4

//: test runs_of_one
//: kernel runs
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[4096] = i
//: arg n int 12
//: expect out = 12
__kernel void runs(__global int *out, __global const int *in, int n)
{
    int x = get_global_id(0), i = x * n, end = i + n, sum = 0;
    while (i < end) {
        int v = in[i];
        do
            i++;
        while (i < end && in[i] == v);
        sum++;
    }
    out[x] = sum;
}
