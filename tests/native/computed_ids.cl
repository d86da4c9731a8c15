// Indices that are computed of the group's index, its size and the index in it: they are those of
// the special registers where the range has no offset, and do not have it where it has one.

//: test each
//: global 1024
//: local 64
//: arg in int[1024] = i * 7 % 1000
//: arg out int[1024]
//: arg wide int[1024]
//: arg group int[1024]
//: arg first int[1024]
//: expect out = in[i]
//: expect wide = i * 3
//: expect group = i / 64 + i % 64 * 1000
//: expect first = i / 64 * 64

//: test each_offset
//: kernel each
//: global 1024
//: local 64
//: offset 37
//: arg in int[1024] = i * 7 % 1000
//: arg out int[1024]
//: arg wide int[1024]
//: arg group int[1024]
//: arg first int[1024]
//: expect out = in[i]
//: expect wide = i * 3
//: expect group = i / 64 + i % 64 * 1000
//: expect first = i / 64 * 64
kernel void each(global const int *in, global int *out, global int *wide, global int *group,
                 global int *first) {
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    size_t w = get_local_id(0) + (size_t)get_local_size(0) * get_group_id(0);
    out[i] = in[i];
    wide[w] = (int)w * 3;
    group[i] = (int)get_group_id(0) + (int)get_local_id(0) * 1000;
    first[i] = i - (int)get_local_id(0);
}

//: test rows
//: global 2048
//: local 128
//: arg a float[64] = i
//: arg b float[64] = i % 7
//: arg out float[2048]
//: arg w int 64
//: expect out = i % 64 + i / 64 % 7 + (i / 64 + i % 64) % 5

//: test rows_offset
//: kernel rows
//: global 2048
//: local 128
//: offset 1000
//: arg a float[64] = i
//: arg b float[64] = i % 7
//: arg out float[2048]
//: arg w int 64
//: expect out = i % 64 + i / 64 % 7 + (i / 64 + i % 64) % 5
kernel void rows(global const float *a, global const float *b, global float *out, int w) {
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0), x = i % 64, y = i / w;
    out[i] = a[x] + b[y] + (x + y) % 5;
}

//: test plane
//: global 96 40
//: local 8 4
//: arg out int[3840]
//: expect out = i % 96 * 100 + i / 96
kernel void plane(global int *out) {
    uint x = get_group_id(0) * get_local_size(0) + get_local_id(0);
    uint y = get_local_id(1) + get_local_size(1) * get_group_id(1);
    out[y * 96 + x] = x * 100 + y;
}

// Another dimension's size, or its index, makes no index.
//: test mixed
//: global 16 16
//: local 8 2
//: arg out int[256]
//: expect out = (i % 16 / 8 * 2 + i % 8) * 100 + i / 16 / 2 * 2 + i % 8
kernel void mixed(global int *out) {
    int a = get_group_id(0) * get_local_size(1) + get_local_id(0);
    int b = get_group_id(1) * get_local_size(1) + get_local_id(0);
    out[get_global_id(1) * 16 + get_global_id(0)] = a * 100 + b;
}
