/* Images: the lines of the texture cache that warps touch (guide 3.1.2.4). An image of 64 x 64 floats: tiles of 16 x 4
 * texels, of which a line of 128 bytes holds two rows, one of 32 bytes (from capability 1.2 on) half of one. */
//: model 8800gtx gtx280
//: requires images
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

//: test row
//: model 8800gtx
//: global 64
//: local 64
//: arg out float[64] = 0
//: arg t image2d 64 64 = i
//: expect out = i
//: expect tex_request == 2
//: expect tex_texels == 64
//: expect tex_cache_hit == 0
//: expect tex_cache_miss == 4
//
//: test row_late
//: kernel row
//: model gtx280
//: global 64
//: local 64
//: arg out float[64] = 0
//: arg t image2d 64 64 = i
//: expect out = i
//: expect tex_request == 2
//: expect tex_texels == 64
//: expect tex_cache_hit == 0
//: expect tex_cache_miss == 8
kernel void row(global float *out, read_only image2d_t t) {
    int x = get_global_id(0);
    out[x] = read_imagef(t, nearest, (int2)(x, 0)).x;
}

//: test column
//: model 8800gtx
//: global 64
//: local 64
//: arg out float[64] = 0
//: arg t image2d 64 64 = i
//: expect out = 64 * i
//: expect tex_texels == 64
//: expect tex_cache_hit == 0
//: expect tex_cache_miss == 32
//
//: test column_late
//: kernel column
//: model gtx280
//: global 64
//: local 64
//: arg out float[64] = 0
//: arg t image2d 64 64 = i
//: expect out = 64 * i
//: expect tex_texels == 64
//: expect tex_cache_hit == 0
//: expect tex_cache_miss == 64
kernel void column(global float *out, read_only image2d_t t) {
    int y = get_global_id(0);
    out[y] = read_imagef(t, nearest, (int2)(0, y)).x;
}

/* Four rows of 16: the second row finds the line of the first, if that is so long. */
//: test block
//: model 8800gtx
//: global 16 4
//: local 16 4
//: arg out float[64] = 0
//: arg t image2d 64 64 = i
//: expect out = i / 16 * 64 + i % 16
//: expect tex_request == 2
//: expect tex_texels == 64
//: expect tex_cache_hit == 2
//: expect tex_cache_miss == 2
//
//: test block_late
//: kernel block
//: model gtx280
//: global 16 4
//: local 16 4
//: arg out float[64] = 0
//: arg t image2d 64 64 = i
//: expect out = i / 16 * 64 + i % 16
//: expect tex_request == 2
//: expect tex_texels == 64
//: expect tex_cache_hit == 0
//: expect tex_cache_miss == 8
kernel void block(global float *out, read_only image2d_t t) {
    int x = get_global_id(0), y = get_global_id(1);
    out[y * 16 + x] = read_imagef(t, nearest, (int2)(x, y)).x;
}

/* A column again and again, of which neighbours lie in the same lines: 8 lines, or 16, for the half-warp, then none. */
//: test again
//: model 8800gtx
//: global 16
//: local 16
//: arg out float[16] = 0
//: arg t image2d 64 64 = i
//: expect tex_request == 4
//: expect tex_texels == 64
//: expect tex_cache_hit == 24
//: expect tex_cache_miss == 8
//
//: test again_late
//: kernel again
//: model gtx280
//: global 16
//: local 16
//: arg out float[16] = 0
//: arg t image2d 64 64 = i
//: expect tex_request == 4
//: expect tex_texels == 64
//: expect tex_cache_hit == 48
//: expect tex_cache_miss == 16
kernel void again(global float *out, read_only image2d_t t) {
    int y = get_global_id(0);
    float sum = 0;
    for (int x = 0; x < 4; x++) sum += read_imagef(t, nearest, (int2)(x, y)).x;
    out[y] = sum;
}

/* A linear filter reads four texels, here each with its neighbours of the next row and column: rows 0 and 1, columns 0
 * to 16, which are one line of two tiles, or two rows of three. */
//: test filtered
//: model 8800gtx
//: global 16
//: local 16
//: arg out float[16] = 0
//: arg t image2d 64 64 = i
//: expect out = i + 32.5
//: expect tex_texels == 64
//: expect tex_cache_hit == 0
//: expect tex_cache_miss == 2
//
//: test filtered_late
//: kernel filtered
//: model gtx280
//: global 16
//: local 16
//: arg out float[16] = 0
//: arg t image2d 64 64 = i
//: expect out = i + 32.5
//: expect tex_texels == 64
//: expect tex_cache_hit == 0
//: expect tex_cache_miss == 6
constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
kernel void filtered(global float *out, read_only image2d_t t) {
    int x = get_global_id(0);
    out[x] = read_imagef(t, linear, (float2)(x + 1, 1)).x;
}
