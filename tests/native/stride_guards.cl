// Conditions in front of loops in strides of the ND-range: iterations that work-items are made of are those of the
// work-items that come so far, not of those that would.

//: test fewer
//: global 256
//: local 64
//: arg out int[1000] = -1
//: arg in int[1000] = i * 3
//: arg n int 1000
//: arg m int 100
//: expect out = i % 256 < 100 ? i * 3 + 1 : -1
__kernel void fewer(__global int *out, __global const int *in, int n, int m)
{
    int id = get_global_id(0);
    if (id >= m)
        return;
    for (int i = id; i < n; i += get_global_size(0))
        out[i] = in[i] + 1;
}

// All that the bound lets begin, or one more.
//: test implied
//: global 256
//: local 64
//: arg out int[1000] = -1
//: arg in int[1000] = i * 3
//: arg n uint 990
//: expect out = i < 990 ? i * 3 + 2 : -1
__kernel void implied(__global int *out, __global const int *in, uint n)
{
    uint id = get_global_id(0);
    if (id >= n || id > n)
        return;
    for (size_t i = id; i < n; i += get_global_size(0))
        out[i] = in[i] + 2;
}

// The bound is reached, though no work-item is to begin there.
//: test reached
//: global 256
//: local 64
//: arg out int[1000] = -1
//: arg in int[1000] = i * 3
//: arg n int 200
//: expect out = i < 200 ? i * 3 + 3 : -1
__kernel void reached(__global int *out, __global const int *in, int n)
{
    int id = get_global_id(0);
    if (id < n)
        for (int i = id; i <= n; i += get_global_size(0))
            out[i] = in[i] + 3;
}

// By the range's size; by the group; by what is read.
//: test by_size
//: global 256
//: local 32
//: arg out int[1000] = -1
//: arg in int[1000] = i % 7
//: arg n int 1000
//: expect out = i % 7 + 4
__kernel void by_size(__global int *out, __global const int *in, int n)
{
    if (get_global_size(0) > 300)
        return;
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = in[i] + 4;
}
//: test by_group
//: global 256
//: local 32
//: arg out int[1000] = -1
//: arg in int[1000] = i % 7
//: arg n int 1000
//: expect out = i % 256 / 32 < 5 ? i % 7 + 5 : -1
__kernel void by_group(__global int *out, __global const int *in, int n)
{
    if (get_group_id(0) < 5)
        for (int i = get_global_id(0); i < n; i += get_global_size(0))
            out[i] = in[i] + 5;
}
//: test by_memory
//: global 256
//: local 32
//: arg out int[1000] = -1
//: arg in int[1000] = i % 7
//: arg n int 1000
//: expect out = i % 256 % 7 % 2 ? i % 7 + 6 : -1
__kernel void by_memory(__global int *out, __global const int *in, int n)
{
    int id = get_global_id(0);
    if (in[id] & 1)
        for (int i = id; i < n; i += get_global_size(0))
            out[i] = in[i] + 6;
}

// Rows of groups, by the place in the group.
//: test in_rows
//: global 256
//: local 32
//: arg out int[800] = -1
//: arg in int[800] = i * 5
//: arg n int 100
//: expect out = i % 100 % 32 < 20 ? i * 5 + 7 : -1
__kernel void in_rows(__global int *out, __global const int *in, int n)
{
    int own = get_local_id(0), row = get_group_id(0) * n;
    if (own >= 20)
        return;
    for (int i = own; i < n; i += get_local_size(0))
        out[row + i] = in[row + i] + 7;
}

// Between the loops of a plane, and in front of them.
//: test planes
//: global 16 4
//: local 8 2
//: arg out int[2000] = -1
//: arg in int[2000] = i
//: arg w int 50
//: arg h int 40
//: arg m int 9
//: expect out = i % 50 % 16 < 9 && i / 50 % 4 != 2 ? i + 8 : -1
__kernel void planes(__global int *out, __global const int *in, int w, int h, int m)
{
    int id = get_global_id(0), line = get_global_id(1);
    if (line == 2 || id >= w || line >= h)
        return;
    for (int y = line; y < h; y += get_global_size(1)) {
        if (id >= m)
            continue;
        for (int x = id; x < w; x += get_global_size(0))
            out[y * w + x] = in[y * w + x] + 8;
    }
}
