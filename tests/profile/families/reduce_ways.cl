/* Sums of work-groups, each way better than the one before it. */
#define GROUP 128

__kernel void reduce_interleaved(__global float *sums, __global const float *from, int n) {
    __local float s[GROUP];
    int l = get_local_id(0);
    s[l] = from[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < GROUP; d *= 2) {
        if (l % (2 * d) == 0)
            s[l] += s[l + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) sums[get_group_id(0)] = s[0];
}

__kernel void reduce_strided(__global float *sums, __global const float *from, int n) {
    __local float s[GROUP];
    int l = get_local_id(0);
    s[l] = from[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < GROUP; d *= 2) {
        int i = 2 * d * l;
        if (i < GROUP)
            s[i] += s[i + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) sums[get_group_id(0)] = s[0];
}

__kernel void reduce_sequential(__global float *sums, __global const float *from, int n) {
    __local float s[GROUP];
    int l = get_local_id(0);
    s[l] = from[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = GROUP / 2; d > 0; d /= 2) {
        if (l < d)
            s[l] += s[l + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) sums[get_group_id(0)] = s[0];
}

__kernel void reduce_first_add(__global float *sums, __global const float *from, int n) {
    __local float s[GROUP];
    int l = get_local_id(0), i = get_group_id(0) * 2 * GROUP + l;
    s[l] = from[i] + from[i + GROUP];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = GROUP / 2; d > 0; d /= 2) {
        if (l < d)
            s[l] += s[l + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) sums[get_group_id(0)] = s[0];
}

__kernel void reduce_many(__global float *sums, __global const float *from, int n) {
    __local float s[GROUP];
    int l = get_local_id(0);
    float sum = 0;
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        sum += from[i];
    s[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = GROUP / 2; d > 0; d /= 2) {
        if (l < d)
            s[l] += s[l + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) sums[get_group_id(0)] = s[0];
}
