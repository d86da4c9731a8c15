// Transforms of 512 complex numbers, one for each group of 64 work-items: three passes of radix 8
// would be the fast way; these are nine of radix 2 in local memory, with barriers (Stockham).
#define N 512
#define GROUP 64

__kernel void fft(__global float2 *out, __global const float2 *in)
{
    __local float2 a[N], b[N];
    __local float2 *from = a, *to = b;
    int t = get_local_id(0);
    int base = get_group_id(0) * N;
    for (int i = t; i < N; i += GROUP)
        a[i] = in[base + i];
    for (int half_size = 1; half_size < N; half_size <<= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = t; i < N / 2; i += GROUP) {
            int k = i & (half_size - 1);
            float angle = -3.14159265358979f * k / half_size;
            float2 w = (float2)(native_cos(angle), native_sin(angle));
            float2 x = from[i], y = from[i + N / 2];
            float2 z = (float2)(w.x * y.x - w.y * y.y, w.x * y.y + w.y * y.x);
            int j = ((i - k) << 1) + k;
            to[j] = x + z;
            to[j + half_size] = x - z;
        }
        __local float2 *other = from;
        from = to;
        to = other;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = t; i < N; i += GROUP)
        out[base + i] = from[i];
}
