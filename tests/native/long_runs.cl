// Runs that are counted by a long from the work-item's id on: in ND-ranges whose ids are low 32 bits do, in others with an
// offset the same has to come.

//: test products
//: kernel products
//: global 16 16
//: local 16 16
//: arg out int[1024] = -1
//: arg in int[1024] = i % 64 + i / 64 * 5
//: arg w int 64
//: expect out = (i % 64 + i / 64 * 5) * 8 + 28

//: test products_behind
//: kernel products
//: global 16 16
//: offset 0 16
//: local 16 16
//: arg out int[2048] = -1
//: arg in int[2048] = i % 64 + i / 64 * 5
//: arg w int 64
//: expect out = i < 1024 ? -1 : (i % 64 + i / 64 * 5) * 8 + 28

//: test guarded
//: kernel guarded
//: global 16 16
//: local 16 16
//: arg out int[1024] = -1
//: arg in int[1024] = i % 64 + i / 64 * 5
//: arg w int 64
//: arg h int 13
//: expect out = i / 64 < 13 ? i % 64 * 2 + i / 64 * 10 : -1

//: test guarded_all
//: kernel guarded
//: global 16 16
//: local 16 16
//: arg out int[1024] = -1
//: arg in int[1024] = i % 64 + i / 64 * 5
//: arg w int 64
//: arg h int 16
//: expect out = i % 64 * 2 + i / 64 * 10

__kernel void products(__global int *out, __global const int *in, int w) {
    long first = get_global_id(0) * 4, y = get_global_id(1);
    for (long x = first; x < first + 4; x++) {
        int sum = 0;
        for (long k = 0; k < 8; k++) sum += in[y * w + x] + (int)k;
        out[y * w + x] = sum;
    }
}

// A guard in the run that asks the same of all its elements.
__kernel void guarded(__global int *out, __global const int *in, int w, int h) {
    int first = get_global_id(0) * 4, y = get_global_id(1);
    for (int x = first; x < first + 4; x++)
        if (y < h) {
            int sum = 0;
            for (int k = 0; k < w; k++) sum += k < 2 ? in[y * w + x] : 0;
            out[y * w + x] = sum;
        }
}
