// Ids of work-items begin at 0 where the range has no offset: what groups of lanes have of them is
// known, and they are not negative. With an offset they are neither.

//: test cells
//: kernel cells
//: global 256 64
//: local 16 16
//: arg out uchar[16384] = 9
//: arg table uchar[16] = i * 3
//: arg w int 256
//: expect out = i / 256 % 4 * 12 + i % 4 * 3

//: test cells_offset
//: kernel cells
//: global 256 32
//: offset 0 17
//: local 16 16
//: arg out uchar[16384] = 9
//: arg table uchar[16] = i * 3
//: arg w int 256
//: expect out = i / 256 < 17 || i / 256 >= 49 ? 9 : i / 256 % 4 * 12 + i % 4 * 3

//: test cells_offset_x
//: kernel cells
//: global 128 64
//: offset 3 0
//: local 16 16
//: arg out uchar[16384] = 9
//: arg table uchar[16] = i * 3
//: arg w int 256
//: expect out = i % 256 < 3 || i % 256 >= 131 ? 9 : i / 256 % 4 * 12 + i % 4 * 3

//: test blocks
//: kernel blocks
//: global 4096
//: local 64
//: arg out int[4096] = -1
//: arg in int[4096] = i * 3
//: expect out = (i / 16 * 16 + i / 4 % 4) * 3 + i % 4

//: test blocks_offset
//: kernel blocks
//: global 2048
//: offset 5
//: local 64
//: arg out int[4096] = -1
//: arg in int[4096] = i * 3
//: expect out = i < 5 || i >= 2053 ? -1 : (i / 16 * 16 + i / 4 % 4) * 3 + i % 4

//: test rows
//: kernel rows
//: global 64 32
//: local 32 2
//: arg out int[2048] = -1
//: arg in int[2048] = i * 3
//: expect out = i / 8 * 24

//: test runs
//: kernel runs
//: global 64 64
//: local 16 16
//: arg out uchar[16384] = 9
//: arg table uchar[16] = i * 3
//: arg w int 256
//: expect out = i / 256 % 4 * 12 + i % 4 * 3

__kernel void cells(__global uchar *out, __constant uchar *table, int w) {
    int x = get_global_id(0), y = get_global_id(1);
    out[y * w + x] = table[(y & 3) * 4 + (x & 3)];
}

__kernel void blocks(__global int *out, __global const int *in) {
    int i = get_global_id(0);
    out[i] = in[i / 16 * 16 + i / 4 % 4] + i % 4;
}

__kernel void rows(__global int *out, __global const int *in) {
    uint i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    out[i] = in[i / 8 * 8];
}

__kernel void runs(__global uchar *out, __constant uchar *table, int w) {
    int first = get_global_id(0) * 4, y = get_global_id(1);
    for (int x = first; x < first + 4; x++)
        out[y * w + x] = table[(y & 3) * 4 + (x & 3)];
}
