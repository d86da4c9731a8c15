typedef struct { int x; } pair; typedef float4 vec; typedef unsigned int my_uint;
__kernel void plain(__global const float *a, __local uint4 *b, __constant unsigned char *c, int n, my_uint m, vec v, pair p, global vec *q) {}
__attribute__((reqd_work_group_size(8, 4 * 2, 1))) __attribute__((vec_type_hint(float4))) kernel void sized(global volatile const int *restrict a) {}
kernel __attribute__((work_group_size_hint(64, 1, 1), vec_type_hint(uint))) void hinted(unsigned long a, global struct { int y; } *s, signed char b) {}
kernel void images(image2d_t a, read_only image3d_t b, write_only image2d_t c, sampler_t s, __read_only image1d_buffer_t d) {
    int2 size = get_image_dim(a); float4 x = read_imagef(a, s, size); write_imagef(c, size, x); x = read_imagef(d, 3);
}
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST; const sampler_t linear = CLK_FILTER_LINEAR;
kernel void samplers(image2d_t a, global float4 *o, global int *src, local int *dst) {
    const sampler_t s = CLK_ADDRESS_REPEAT | CLK_FILTER_NEAREST; int2 at = (int2)(1, 2);
    o[0] = read_imagef(a, nearest, at) + read_imagef(a, linear, (float2)(1, 2)) + read_imagef(a, s, at) + read_imagef(a, CLK_FILTER_NEAREST, at);
    event_t e = async_work_group_copy(dst, src, 4, 0), list[2]; list[0] = e; wait_group_events(2, list); wait_group_events(1, &e); printf("%d %f\n", at.x, o[0].x);
    plain(0, 0, 0, 1, 2, 3, (pair){4}, o);
}
inline float twice(float x) { return x + x; } float declared(float); kernel void calls(global float *o) { o[0] = twice(declared(1)); }
