// A group for each row, whose work-items go along it in strides: a work-item for each element does the same.

//: test rotated_rows
//: global 1280
//: local 32
//: arg out int[4000] = -1
//: arg in int[4000] = i
//: arg w int 40
//: arg h int 100
//: expect out = i % 100 * 40 + i / 100
//: test rotated_rows_short
//: kernel rotated_rows
//: global 320
//: local 64
//: arg out int[55] = -1
//: arg in int[55] = i
//: arg w int 5
//: arg h int 11
//: expect out = i % 11 * 5 + i / 11
//: test rotated_rows_none
//: kernel rotated_rows
//: global 320
//: local 64
//: arg out int[55] = -1
//: arg in int[55] = i
//: arg w int 5
//: arg h int 0
//: expect out = -1
//: test rotated_rows_offset
//: kernel rotated_rows
//: global 1280
//: local 32
//: offset 7
//: arg out int[4000] = -1
//: arg in int[4000] = i
//: arg w int 40
//: arg h int 100
//: expect out = i % 100 * 40 + i / 100
__kernel void rotated_rows(__global int *out, __global const int *in, int w, int h)
{
    int row = get_group_id(0);
    for (int i = get_local_id(0); i < h; i += get_local_size(0))
        out[row * h + i] = in[i * w + row];
}

// In place, and to the bound, of 64 bits.
//: test raised
//: global 1600
//: local 16
//: arg a float[7000] = i
//: arg last ulong 69
//: arg by float 2
//: expect a = i * 2 + i / 70
__kernel void raised(__global float *a, ulong last, float by)
{
    size_t row = get_group_id(0);
    for (size_t i = get_local_id(0); i <= last; i += get_local_size(0))
        a[row * (last + 1) + i] = a[row * (last + 1) + i] * by + row;
}

// What one iteration stores another one loads.
//: test shifted
//: global 96
//: local 32
//: arg a int[768] = i % 256 < 32 ? i % 32 : -1
//: arg w int 256
//: expect a = i % 32
__kernel void shifted(__global int *a, int w)
{
    int row = get_group_id(0);
    for (int i = get_local_id(0) + 32; i < w; i += get_local_size(0))
        a[row * w + i] = a[row * w + i - 32];
}
//: test shifted_back
//: global 96
//: local 32
//: arg a int[864] = i % 288 < 32 ? i % 32 : -1
//: arg w int 256
//: expect a = i % 32
__kernel void shifted_back(__global int *a, int w)
{
    int row = get_group_id(0);
    for (int i = get_local_id(0); i < w; i += get_local_size(0))
        a[row * (w + 32) + i + 32] = a[row * (w + 32) + i];
}

// Rows in strides of the groups, too.
//: test both
//: global 128
//: local 32
//: arg out int[2100] = -1
//: arg in int[2100] = i
//: arg w int 70
//: arg h int 30
//: expect out = i % 30 * 70 + i / 30
__kernel void both(__global int *out, __global const int *in, int w, int h)
{
    for (int y = get_group_id(0); y < h; y += get_num_groups(0))
        for (int x = get_local_id(0); x < w; x += get_local_size(0))
            out[x * h + y] = in[y * w + x];
}

// Which work-item it is, and of how many, is asked for besides.
//: test places
//: global 320
//: local 32
//: arg out int[1000] = -1
//: arg w int 100
//: expect out = i % 100 % 32 + 1000 * 32
__kernel void places(__global int *out, int w)
{
    int row = get_group_id(0), lid = get_local_id(0);
    for (int i = lid; i < w; i += get_local_size(0))
        out[row * w + i] = lid + 1000 * get_local_size(0);
}
//: test first_of_row
//: global 320
//: local 32
//: arg out int[1000] = -1
//: arg first int[10] = -1
//: arg w int 100
//: expect out = i % 100
//: expect first = i * 7
__kernel void first_of_row(__global int *out, __global int *first, int w)
{
    int row = get_group_id(0), lid = get_local_id(0);
    for (int i = lid; i < w; i += get_local_size(0))
        out[row * w + i] = i;
    if (lid == 0)
        first[row] = row * 7;
}

// Groups of two dimensions.
//: test of_two
//: global 64 6
//: local 32 2
//: arg out int[600] = 0
//: arg w int 100
//: expect out = i / 100 % 2 * 1000 + i / 200
__kernel void of_two(__global int *out, int w)
{
    int row = get_group_id(1) * 2 + get_local_id(1);
    if (get_group_id(0))
        return;
    for (int i = get_local_id(0); i < w; i += get_local_size(0))
        out[row * w + i] = get_local_id(1) * 1000 + get_group_id(1);
}
