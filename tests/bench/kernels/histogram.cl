#define BINS 256

__kernel void histogram_global(__global uint *bins, __global const uint *data, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        uint four = data[i];
        atomic_inc(&bins[four & 255]);
        atomic_inc(&bins[four >> 8 & 255]);
        atomic_inc(&bins[four >> 16 & 255]);
        atomic_inc(&bins[four >> 24]);
    }
}

__kernel void histogram_local(__global uint *bins, __global const uint *data, int n)
{
    __local uint mine[BINS];
    for (int i = get_local_id(0); i < BINS; i += get_local_size(0))
        mine[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        uint four = data[i];
        atomic_inc(&mine[four & 255]);
        atomic_inc(&mine[four >> 8 & 255]);
        atomic_inc(&mine[four >> 16 & 255]);
        atomic_inc(&mine[four >> 24]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_local_id(0); i < BINS; i += get_local_size(0))
        atomic_add(&bins[i], mine[i]);
}
