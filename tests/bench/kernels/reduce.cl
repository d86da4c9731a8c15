// Sums. Every group adds up two elements an item while it loads, then halves in local memory.
__kernel void reduce(__global float *out, __global const float *in, __local float *part)
{
    int t = get_local_id(0), size = get_local_size(0);
    int i = get_group_id(0) * size * 2 + t;
    part[t] = in[i] + in[i + size];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = size / 2; s > 0; s >>= 1) {
        if (t < s)
            part[t] += part[t + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        out[get_group_id(0)] = part[0];
}

// The same with the last warp on its own: its lanes go together, so no barrier stands between
// them. Right only where a warp is 32 work-items (OpenCL for CUDA 2.3, section 3.4).
__kernel void reduce_warp(__global float *out, __global const float *in,
                          __local volatile float *part)
{
    int t = get_local_id(0), size = get_local_size(0);
    int i = get_group_id(0) * size * 2 + t;
    part[t] = in[i] + in[i + size];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = size / 2; s > 32; s >>= 1) {
        if (t < s)
            part[t] += part[t + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t < 32) {
        part[t] += part[t + 32];
        part[t] += part[t + 16];
        part[t] += part[t + 8];
        part[t] += part[t + 4];
        part[t] += part[t + 2];
        part[t] += part[t + 1];
    }
    if (t == 0)
        out[get_group_id(0)] = part[0];
}
