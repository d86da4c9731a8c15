// 3 x 3 tent by four linear samples between the pixels.
__kernel void image_blur(__write_only image2d_t out, __read_only image2d_t in, sampler_t sampler)
{
    int x = get_global_id(0), y = get_global_id(1);
    float4 sum = read_imagef(in, sampler, (float2)(x, y)) +
                 read_imagef(in, sampler, (float2)(x + 1, y)) +
                 read_imagef(in, sampler, (float2)(x, y + 1)) +
                 read_imagef(in, sampler, (float2)(x + 1, y + 1));
    write_imagef(out, (int2)(x, y), sum * 0.25f);
}

// Whole pixels by integer coordinates, mirrored left to right.
__kernel void image_mirror(__write_only image2d_t out, __read_only image2d_t in, sampler_t sampler)
{
    int x = get_global_id(0), y = get_global_id(1);
    uint4 pixel = read_imageui(in, sampler, (int2)(get_image_width(in) - 1 - x, y));
    write_imageui(out, (int2)(x, y), pixel);
}
