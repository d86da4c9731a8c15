// Loops that the native engine ends lane by lane, with observers: what these are told is made when the lanes have
// run. observe_equal compares it with the interpreter's.

// A gather, two accesses that go in steps, empty rows, a size that is no power of two.
//: test rows
//: global 132
//: local 44
//: arg out float[132] = -1
//: arg row int[132] = i * 96
//: arg many int[132] = i % 7 == 3 ? 0 : i * 29 % 96
//: arg column int[12672] = i * 61 % 12672
//: arg value float[12672] = i % 4
//: arg x float[12672] = 2
//: expect out = many[i] / 4 * 12 + (many[i] % 4) * (many[i] % 4 - 1)
//: expect gld_request == 1608
__kernel void rows(__global float *out, __global const int *row, __global const int *many, __global const int *column,
                   __global const float *value, __global const float *x)
{
    int r = get_global_id(0), end = row[r] + many[r];
    float sum = 0;
    for (int i = row[r]; i < end; i++)
        sum += value[i] * x[column[i]];
    out[r] = sum;
}

// More iterations than there is room for notes, of one gather and of three; lanes end before, at and behind it.
//: test full
//: global 96
//: local 32, 1, 1
//: arg out int[96] = -1
//: arg many int[96] = i % 32 < 8 ? 250 + i % 32 : i * 97 % 800
//: arg column int[1600] = i * 5 % 1024
//: arg x int[1024] = 1
//: expect out = many[i]
__kernel void full(__global int *out, __global const int *many, __global const int *column, __global const int *x)
{
    int r = get_global_id(0), sum = 0;
    for (int i = r * 8; i < r * 8 + many[r]; i++)
        sum += x[column[i]];
    out[r] = sum;
}

//: test three
//: global 64
//: arg out int[64] = -1
//: arg many int[64] = i < 32 ? 60 + i : i * 11 % 300
//: arg a int[1024] = i * 3 % 1024
//: arg b int[1024] = i * 7 % 1024
//: arg x int[1024] = 1
//: expect out = many[i] * 3
__kernel void three(__global int *out, __global const int *many, __global const int *a, __global const int *b,
                    __global const int *x)
{
    int r = get_global_id(0), sum = 0;
    for (int i = 0; i < many[r]; i++) {
        int at = r * 16 + i & 1023;
        sum += x[a[at]] + x[b[at]] + x[1023 - a[b[at]]];
    }
    out[r] = sum;
}

// The step of lanes is not one element; the counter falls; the first lanes of each half-warp are off.
//: test falls
//: global 96
//: arg out int[96] = 0
//: arg many int[96] = i % 45
//: arg column short[8192] = i * 3 % 8192
//: arg x uchar[8192] = 1
//: expect out = i % 16 < 3 ? 0 : many[i]
__kernel void falls(__global int *out, __global const int *many, __global const short *column, __global const uchar *x)
{
    int r = get_global_id(0), sum = 0;
    if (r % 16 < 3)
        return;
    for (int i = r * 80 + many[r]; i > r * 80; i--)
        sum += x[column[i]];
    out[r] = sum;
}

// Behind a guard that some lanes do not pass, two loops, one in another.
//: test nested
//: global 8, 8
//: local 8, 4
//: arg out int[64] = 0
//: arg many int[64] = i * 5 % 39
//: arg column int[4096] = i * 11 % 4096
//: arg x int[4096] = 1
//: expect out = i % 8 < 7 && i / 8 < 7 ? 3 * many[i] + many[63 - i] : 0
__kernel void nested(__global int *out, __global const int *many, __global const int *column, __global const int *x)
{
    int c = get_global_id(0), d = get_global_id(1), r = d * 8 + c, sum = 0;
    if (c < 7 && d < 7) {
        for (int n = 0; n < 3; n++) {
            for (int i = r * 60; i < r * 60 + many[r]; i++)
                sum += x[column[i + n]];
            sum += many[r] & 0;
        }
        for (int i = r * 60; i < r * 60 + many[63 - r]; i++)
            sum += x[column[i]];
        out[r] = sum;
    }
}

// An index of 64 bits.
//: test wide
//: global 64
//: arg out int[64] = -1
//: arg many int[64] = i * 7 % 50
//: arg column int[4096] = i * 13 % 4096
//: arg x int[4096] = 1
//: expect out = many[i]
__kernel void wide(__global int *out, __global const int *many, __global const int *column, __global const int *x)
{
    long r = get_global_id(0);
    int sum = 0;
    for (long i = r * 50; i < r * 50 + many[r]; i++)
        sum += x[column[i]] * x[column[i + 1]] + x[column[i + 2]] - x[column[i + 3]];
    out[r] = sum;
}

// It reads before it knows whether it goes on, and leaves what it has computed; some make no iteration.
//: test before
//: global 64
//: arg out int[128] = -1
//: arg many int[64] = i % 3 ? i * 7 % 60 : 0
//: arg column int[8192] = i
//: arg x int[8192] = i
//: expect out = i % 2 ? (many[i / 2] ? (i / 2 * 64 + many[i / 2] - 1) * 4 : -7) : many[i / 2] + 1
__kernel void before(__global int *out, __global const int *many, __global const int *column, __global const int *x)
{
    int r = get_global_id(0), i = r * 64, end = i + many[r], sum = 0, last = -7;
    for (;;) {
        sum += x[column[i]] - 2 * x[column[i + 1]] + x[column[i + 2]] + 1;
        if (i >= end)
            break;
        last = i * 4;
        i++;
    }
    out[2 * r] = sum;
    out[2 * r + 1] = last;
}

// What it computes ahead of its iterations is not there where it makes none.
//: test last
//: global 64
//: arg out int[128] = -1
//: arg many int[64] = i % 3 ? i * 7 % 60 + 20 : 0
//: arg column int[8192] = i
//: arg x int[8192] = i
//: expect out = i % 2 ? (many[i / 2] ? (i / 2 * 64 + many[i / 2] - 1) * 4 + 3 : -7) : many[i / 2]
__kernel void last(__global int *out, __global const int *many, __global const int *column, __global const int *x)
{
    int r = get_global_id(0), sum = 0, last = -7;
    for (int i = r * 64; i < r * 64 + many[r]; i++) {
        sum += x[column[i]] - 2 * x[column[i + 1]] + x[column[i + 2]] + 1;
        last = i * 4 + 3;
    }
    out[2 * r] = sum;
    out[2 * r + 1] = last;
}
