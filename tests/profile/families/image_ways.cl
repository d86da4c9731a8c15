/* Ways to read an image: along its rows, along its columns, and between four texels. */
__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

__kernel void image_rows(__global float *to, __read_only image2d_t from, int n) {
    int x = get_global_id(0);
    for (int y = 0; y < n; y++) to[y * n + x] = read_imagef(from, nearest, (int2)(x, y)).x;
}

__kernel void image_columns(__global float *to, __read_only image2d_t from, int n) {
    int x = get_global_id(0);
    for (int y = 0; y < n; y++) to[y * n + x] = read_imagef(from, nearest, (int2)(y, x)).x;
}

__kernel void image_between(__global float *to, __read_only image2d_t from, int n) {
    int x = get_global_id(0);
    for (int y = 0; y < n; y++) to[y * n + x] = read_imagef(from, linear, (float2)(x + 1, y + 1)).x;
}
