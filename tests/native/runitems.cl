// Runs of elements for each work-item, as many as an argument says, or more than are written out: a work-item for each element does the same.
//: test run
//: global 24
//: local 8
//: arg out int[600] = -1
//: arg in int[600] = i * i % 1000
//: arg n int 25
//: expect out = i * i % 1000 * 3 + i
//: test run_of_one
//: kernel run
//: global 24
//: local 8
//: arg out int[24] = -1
//: arg in int[24] = i * i % 1000
//: arg n int 1
//: expect out = i * i % 1000 * 3 + i
//: test run_of_none
//: kernel run
//: global 24
//: local 8
//: arg out int[24] = -1
//: arg in int[24] = 1
//: arg n int -3
//: expect out = -1
//: test run_in_place
//: kernel run
//: global 24
//: local 8
//: arg out int[600] = i
//: arg in same out
//: arg n int 25
//: expect out = i * 4
//: test run_with_offset
//: kernel run
//: global 20
//: local 5
//: offset 4
//: arg out int[600] = -1
//: arg in int[600] = i
//: arg n int 25
//: expect out = i < 100 ? -1 : i * 4
__kernel void run(__global int *out, __global const int *in, int n)
{
    int first = get_global_id(0) * n;
    for (int j = 0; j < n; j++) {
        int x = first + j;
        out[x] = in[x] * 3 + x;
    }
}

// Down the second dimension, by pointers that go on by an argument, with a guard.
//: test run_down
//: global 16 6
//: local 8 2
//: arg out int[480] = -1
//: arg in int[480] = i % 77
//: arg w int 16
//: arg h int 28
//: arg n int 5
//: expect out = i / 16 < 28 ? i % 77 + i / 16 * 1000 : -1
__kernel void run_down(__global int *out, __global const int *in, int w, int h, int n)
{
    int x = get_group_id(0) * get_local_size(0) + get_local_id(0), first = get_global_id(1) * n;
    for (int j = 0; j < n; j++) {
        int y = first + j;
        if (y < h)
            out[y * w + x] = in[y * w + x] + y * 1000;
    }
}

// As many work-items apart as there are, and pointers so, too.
//: test run_apart
//: global 32
//: local 8
//: arg out int[224] = -1
//: arg in int[224] = i * 5
//: arg n int 7
//: expect out = i * 5 + i
__kernel void run_apart(__global int *out, __global const int *in, int n)
{
    int x = get_global_id(0);
    __global const int *p = in + x;
    for (int j = 0; j < n; j++) {
        out[x] = *p + x;
        x += get_global_size(0);
        p += get_global_size(0);
    }
}

// The work-item's place, or how many elements it has done, tells: what is made of the other one only is not the same.
//: test tells_place
//: global 24
//: local 8
//: arg out int[240] = -1
//: arg n int 10
//: expect out = i / 10 * 100 + i
__kernel void tells_place(__global int *out, int n)
{
    int y = get_global_id(0);
    for (int j = 0; j < n; j++)
        out[y * n + j] = y * 100 + y * n + j;
}
//: test tells_turn
//: global 24
//: local 8
//: arg out int[240] = -1
//: arg n int 10
//: expect out = i % 10 * 100 + i
__kernel void tells_turn(__global int *out, int n)
{
    int first = get_global_id(0) * n;
    for (int j = 0; j < n; j++)
        out[first + j] = j * 100 + first + j;
}
//: test tells_size
//: global 24
//: local 8
//: arg out int[240] = -1
//: arg n int 10
//: expect out = i + 24
__kernel void tells_size(__global int *out, int n)
{
    int first = get_global_id(0) * n, all = get_global_size(0);
    for (int j = 0; j < n; j++)
        out[first + j] = first + j + all;
}
//: test tells_group
//: global 24
//: local 8
//: arg out int[240] = -1
//: arg n int 10
//: expect out = i + i / 80 * 1000
__kernel void tells_group(__global int *out, int n)
{
    int first = get_global_id(0) * n, group = get_group_id(0);
    for (int j = 0; j < n; j++)
        out[first + j] = first + j + group * 1000;
}
// Runs that are longer than they are apart: the last one to store wins, and sums go on.
//: test overlap
//: global 1
//: arg out int[100] = 0
//: arg n int 60
//: expect out = i >= 60 ? 0 : i
__kernel void overlap(__global int *out, int n)
{
    int first = get_global_id(0) * 8;
    for (int j = 0; j < n; j++)
        out[first + j] = first + j;
}
//: test chain
//: global 24
//: local 8
//: arg out int[241] = 1
//: arg n int 10
//: expect out = i % 10 == 0 && i > 0 && 0 ? 0 : i == 0 ? 1 : (i - 1) % 10 + 2
__kernel void chain(__global int *out, int n)
{
    int first = get_global_id(0) * n;
    int sum = 1;
    for (int j = 0; j < n; j++) {
        sum += out[first + j] ? 1 : 0;
        out[first + j + 1] = sum;
    }
}
// What a run begins with is asked before the loop, too.
//: test asked_before
//: global 24
//: local 8
//: arg out int[240] = -1
//: arg in int[240] = i
//: arg n int 10
//: expect out = i * 2 + i / 10 * 10
__kernel void asked_before(__global int *out, __global const int *in, int n)
{
    int x = get_global_id(0) * n, first = in[x];
    for (int j = 0; j < n; j++, x++)
        out[x] = in[x] * 2 + first;
}
