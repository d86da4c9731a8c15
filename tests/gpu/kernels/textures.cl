/* Images: the lines of the texture cache that warps touch (guide 3.1.2.4). An image of 64 x 64 floats: tiles of 16 x 4
 * texels, of which a line of 128 bytes holds two rows. */
//: model 8800gtx gtx280
//: requires images
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

//: test row
//: global 64
//: local 64
//: arg out float[64] = 0
//: arg t image2d 64 64 = i
//: expect out = i
kernel void row(global float *out, read_only image2d_t t) {
    int x = get_global_id(0);
    out[x] = read_imagef(t, nearest, (int2)(x, 0)).x;
}

//: test column
//: global 64
//: local 64
//: arg out float[64] = 0
//: arg t image2d 64 64 = i
//: expect out = 64 * i
kernel void column(global float *out, read_only image2d_t t) {
    int y = get_global_id(0);
    out[y] = read_imagef(t, nearest, (int2)(0, y)).x;
}
