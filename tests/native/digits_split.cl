// Indices that are taken apart and are sums of which one part is a multiple of the length, in launches whose sizes and
// arguments say so: only the other part is. In others they are taken apart as they are.

//: test rows
//: kernel rows
//: global 256 32
//: local 16 16
//: arg out int[8192] = -1
//: expect out = i / 8 * 100 + i % 8 * 3

//: test rows_odd
//: kernel rows
//: global 252 32
//: local 12 16
//: arg out int[8064] = -1
//: expect out = i / 8 * 100 + i % 8 * 3

//: test halves
//: kernel apart
//: global 4096
//: local 64
//: arg out int[8192] = -1
//: arg n int 4096
//: expect out = i / 8 * 100 + i % 8 * 3

//: test halves_odd
//: kernel apart
//: global 4091
//: local 1
//: arg out int[8182] = -1
//: arg n int 4091
//: expect out = i / 8 * 100 + i % 8 * 3

//: test by_twelve
//: kernel twelve
//: global 4096
//: local 64
//: arg out int[8192] = -1
//: arg n int 4096
//: expect out = i / 12 * 100 + i % 12 * 3

//: test by_twelve_even
//: kernel twelve
//: global 3840
//: local 64
//: arg out int[7680] = -1
//: arg n int 3840
//: expect out = i / 12 * 100 + i % 12 * 3

//: test unsigned
//: kernel masks
//: global 4096
//: local 64
//: arg out int[8192] = -1
//: arg n int 4096
//: expect out = i / 16 * 100 + i % 16 * 3 + i / 16 * 16

//: test unsigned_odd
//: kernel masks
//: global 4100
//: local 50
//: arg out int[8200] = -1
//: arg n int 4100
//: expect out = i / 16 * 100 + i % 16 * 3 + i / 16 * 16

//: test below_zero
//: kernel below
//: global 4096
//: local 64
//: arg out int[4096] = -1
//: arg n int 4096
//: expect out = (i - 2048) / 8 * 100 + (i - 2048) % 8 * 3

//: test many
//: kernel many
//: global 2048
//: local 64
//: arg out int[8192] = -1
//: arg n int 8192
//: expect out = i / 8 * 100 + i % 8 * 3

__kernel void rows(__global int *out) {
    int i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    out[i] = i / 8 * 100 + i % 8 * 3;
}

__kernel void apart(__global int *out, int n) {
    int i = get_global_id(0);
    out[i] = i / 8 * 100 + i % 8 * 3;
    i += n;
    out[i] = i / 8 * 100 + i % 8 * 3;
}

__kernel void twelve(__global int *out, int n) {
    int i = get_global_id(0);
    out[i] = i / 12 * 100 + i % 12 * 3;
    i += n;
    out[i] = i / 12 * 100 + i % 12 * 3;
}

__kernel void masks(__global int *out, int n) {
    uint i = get_global_id(0);
    out[i] = (i >> 4) * 100 + (i & 15) * 3 + (i & ~15u);
    i += n;
    out[i] = (i >> 4) * 100 + (i & 15) * 3 + (i & ~15u);
}

__kernel void below(__global int *out, int n) {
    int i = get_global_id(0) - n / 2;
    out[get_global_id(0)] = i / 8 * 100 + i % 8 * 3;
}

__kernel void many(__global int *out, int n) {
    for (int z = 0; z < 4; z++) {
        int i = get_global_id(0) + z * (n / 4);
        out[i] = i / 8 * 100 + i % 8 * 3;
    }
}
