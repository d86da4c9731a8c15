// Images in kernels whose work-items are dealt out anew: in tiles, in rows along another dimension, in runs of texels.

//: requires images

const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

float sum(read_only image2d_t from, int x, int y) {
    return read_imagef(from, nearest, (int2)(x, y)).x - read_imagef(from, nearest, (int2)(x + 1, y)).x / 2;
}

//: test squares
//: global 256 128
//: local 8 8
//: arg out float[32768] = -1
//: arg from image2d 256 128 = i
//: expect out = i - (i % 256 == 255 ? i : i + 1) / 2.0
kernel void squares(global float *out, read_only image2d_t from) {
    int x = get_global_id(0), y = get_global_id(1);
    out[y * 256 + x] = sum(from, x, y);
}

//: test turned
//: global 48 64
//: local 16 16
//: arg out float[3072] = -1
//: arg from image2d 64 48 = i
//: expect out = i - (i % 64 == 63 ? i : i + 1) / 2.0
kernel void turned(global float *out, read_only image2d_t from) {
    int x = get_global_id(1), y = get_global_id(0);
    out[y * 64 + x] = sum(from, x, y);
}

//: test rows
//: global 64
//: local 32
//: arg out float[4096] = -1
//: arg from image2d 64 64 = i
//: arg width int 64
//: expect out = i - (i % 64 == 63 ? i : i + 1) / 2.0
kernel void rows(global float *out, read_only image2d_t from, int width) {
    int y = get_global_id(0);
    for (int x = 0; x < width; x++) out[y * width + x] = sum(from, x, y);
}

// Components that nobody reads, copies of one texel's work.
//: test four
//: global 16 32
//: local 16 8
//: arg out float[2048] = -1
//: arg from image2d 64 32 = i
//: expect out = i - (i % 64 == 63 ? i : i + 1) / 2.0
kernel void four(global float *out, read_only image2d_t from) {
    int first = 4 * get_global_id(0), y = get_global_id(1);
    for (int q = 0; q < 4; q++) out[y * 64 + first + q] = sum(from, first + q, y);
}
