// Registers that loops move by the same, however that is written: a step of its own, a copy of a sum, a difference;
// read before it and behind it, and skipped by what goes on to the next iteration.

// A sum that is compared, and then the counter.
//: test copied
//: global 64
//: local 32
//: arg out int[128] = 0
//: arg in int[128] = i * i
//: arg n int 40
//: expect out = i % 2 ? 40 * 39 * 79 / 6 + 39 * 39 : 40 * 39 * 79 / 6
__kernel void copied(__global int *out, __global const int *in, int n)
{
    int g = get_global_id(0), sum = 0, last = 0, i = 0;
    for (;;) {
        int next = i + 1;
        sum += in[i];
        if (next >= n)
            break;
        last = in[next];
        i = next;
    }
    out[2 * g] = sum;
    out[2 * g + 1] = sum + last;
}

// Down by an argument, which may be negative: a difference.
//: test taken
//: global 64
//: local 32
//: arg out int[64] = 0
//: arg in int[4096] = i
//: arg by int 3
//: expect out = (i / 3 + 1) * i - 3 * (i / 3) * (i / 3 + 1) / 2 + 100 * (i / 3 + 1)
__kernel void taken(__global int *out, __global const int *in, int by)
{
    int g = get_global_id(0), sum = 0;
    for (int i = g; i >= 0; i -= by)
        sum += in[i + 100];
    out[g] = sum;
}

// The same of 64 bits, read when it has been taken and before.
//: test wide
//: global 64
//: local 32
//: arg out long[128] = 0
//: arg in int[256] = i
//: arg by int 3
//: arg n int 21
//: expect out = i % 2 ? -3 : 84 + i / 2
__kernel void wide(__global long *out, __global const int *in, int by, int n)
{
    long g = get_global_id(0), sum = 0, i = n;
    do {
        long now = i;
        i -= by;
        sum += in[now];
        if (now < by)
            break;
    } while (1);
    out[2 * g] = sum + g;
    out[2 * g + 1] = i;
}

// Going on to the next iteration before the step, which is then made less often than iterations are.
//: test skipped
//: global 64
//: local 32
//: arg out int[64] = 0
//: arg in int[256] = i
//: expect out = 10 * 9 / 2 + 10 * 20 + i
__kernel void skipped(__global int *out, __global const int *in)
{
    int g = get_global_id(0), sum = 0, i = 0, turns = 0;
    while (i < 10) {
        turns++;
        if (turns % 3)
            continue;
        sum += in[i + 20];
        i++;
    }
    out[g] = sum + g + turns - 30;
}

// Lanes that gather: how many iterations they have before them is known by a counter that is copied.
//: test gathers
//: global 64
//: local 32
//: arg out int[64] = 0
//: arg many int[64] = i * 7 % 50 + 1
//: arg column int[6400] = i * 61 % 6400
//: arg x int[6400] = 1
//: expect out = many[i] * 2
__kernel void gathers(__global int *out, __global const int *many, __global const int *column, __global const int *x)
{
    int g = get_global_id(0), i = g * 100, end = i + many[g], sum = 0;
    for (;;) {
        if (i >= end)
            break;
        int next = i + 1;
        sum += x[column[i]] + x[column[next]];
        i = next;
    }
    out[g] = sum;
}

// A counter that is a copy of what is made of it for an address, and is wanted behind its loop, which lanes leave one by
// one: the row is in private memory, or in the work-item's own.
//: test inserted
//: global 96
//: local 32
//: arg out int[1152] = -1
//: arg in int[1152] = (i * 5 + i / 12) % 12
//: expect out = i % 12
__kernel void inserted(__global int *out, __global const int *in)
{
    int x = get_global_id(0), row[12];
    for (int k = 0; k < 12; k++) row[k] = in[12 * x + k];
    for (int i = 1; i < 12; i++) {
        int v = row[i], j;
        for (j = i; j > 0 && row[j - 1] > v; j--) row[j] = row[j - 1];
        row[j] = v;
    }
    for (int k = 0; k < 12; k++) out[12 * x + k] = row[k];
}

//: test inserted_in_place
//: global 96
//: local 32
//: arg out int[1152] = (i * 5 + i / 12) % 12
//: arg n int 12
//: expect out = i % 12
__kernel void inserted_in_place(__global int *out, int n)
{
    __global int *row = out + 12 * get_global_id(0);
    for (int i = 1; i < n; i++) {
        int v = row[i], j;
        for (j = i; j > 0 && row[j - 1] > v; j--) row[j] = row[j - 1];
        row[j] = v;
    }
}
