// Work-items whose first dimension is not that of memory's rows: tiles' rows go along the one that is.
// What each work-item knows of itself stays the same.

//: test ids_squares
//: kernel ids
//: global 128 256
//: local 8 8
//: arg out int[32768] = -1
//: expect out = i / 256 % 8 + i % 256 % 8 * 100 + i / 256 / 8 * 7 + i % 256 / 8 * 7000 + (i / 256 + 0) * 3 + (i % 256 + 0) * 11 + 128 + 8 * 5 + 16 * 13 + 0 * 17

//: test ids_lines
//: kernel ids
//: global 64 512
//: local 1 256
//: arg out int[32768] = -1
//: expect out = i / 512 % 1 + i % 512 % 256 * 100 + i / 512 / 1 * 7 + i % 512 / 256 * 7000 + (i / 512 + 0) * 3 + (i % 512 + 0) * 11 + 64 + 1 * 5 + 64 * 13 + 0 * 17

//: test ids_wide
//: kernel ids
//: global 256 128
//: local 64 4
//: arg out int[32768] = -1
//: expect out = i / 128 % 64 + i % 128 % 4 * 100 + i / 128 / 64 * 7 + i % 128 / 4 * 7000 + (i / 128 + 0) * 3 + (i % 128 + 0) * 11 + 256 + 64 * 5 + 4 * 13 + 0 * 17

//: test ids_odd
//: kernel ids
//: global 300 1000
//: local 3 5
//: arg out int[300000] = -1
//: expect out = i / 1000 % 3 + i % 1000 % 5 * 100 + i / 1000 / 3 * 7 + i % 1000 / 5 * 7000 + (i / 1000 + 0) * 3 + (i % 1000 + 0) * 11 + 300 + 3 * 5 + 100 * 13 + 0 * 17

//: test ids_offset
//: kernel ids
//: global 300 700
//: local 10 10
//: offset 3 1000
//: arg out int[210000] = -1
//: expect out = i / 700 % 10 + i % 700 % 10 * 100 + i / 700 / 10 * 7 + i % 700 / 10 * 7000 + (i / 700 + 3) * 3 + (i % 700 + 1000) * 11 + 300 + 10 * 5 + 30 * 13 + 3 * 17

//: test ids_short_rows
//: kernel ids
//: global 2000 16
//: local 16 16
//: arg out int[32000] = -1
//: expect out = i / 16 % 16 + i % 16 % 16 * 100 + i / 16 / 16 * 7 + i % 16 / 16 * 7000 + (i / 16 + 0) * 3 + (i % 16 + 0) * 11 + 2000 + 16 * 5 + 125 * 13 + 0 * 17

kernel void ids(global int *out) {
    int x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);
    out[x * get_global_size(1) + y] =
        (int)(get_local_id(0) + get_local_id(1) * 100 + get_group_id(0) * 7 +
              get_group_id(1) * 7000 + get_global_id(0) * 3 + get_global_id(1) * 11 +
              get_global_size(0) + get_local_size(0) * 5 + get_num_groups(0) * 13 +
              get_global_offset(0) * 17);
}

//: test space
//: global 20 30 70
//: local 4 5 7
//: arg out int[42000] = -1
//: expect out = i / 2100 % 4 + i / 70 % 30 % 5 * 10 + i % 70 % 7 * 100 + i / 2100 / 4 * 1000 + i % 70 / 7 * 100000
kernel void space(global int *out) {
    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    out[(x * get_global_size(1) + y) * get_global_size(2) + z] =
        (int)(get_local_id(0) + get_local_id(1) * 10 + get_local_id(2) * 100 +
              get_group_id(0) * 1000 + get_group_id(2) * 100000);
}

//: test guarded
//: global 96 1040
//: local 16 16
//: arg out int[90900] = -1
//: arg w int = 1010
//: arg h int = 90
//: expect out = i % 1010 - i / 1010 * 2
kernel void guarded(global int *out, int w, int h) {
    int x = get_global_id(1), y = get_global_id(0);
    if (x >= w || y >= h) return;
    out[y * w + x] = x - y * 2;
}

//: test beyond
//: global 64 1024
//: local 16 16
//: arg in int[65536] = i
//: arg out int[65536] = -1
//: expect out = i / 1024 * 1024 + (i % 1024 + 1023) % 1024 + i / 1024 * 1024 + (i + 1) % 1024
kernel void beyond(global const int *in, global int *out) {
    int x = get_global_id(1), y = get_global_id(0), w = get_global_size(1);
    out[y * w + x] = in[y * w + (x + w - 1) % w] + in[y * w + (x + 1) % w];
}
