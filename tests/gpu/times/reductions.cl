// A sum in seven steps from slow to fast; SIZE work-items a group.
kernel void reduce1(global const int *from, global int *to, uint n, local int *s) {
    uint t = get_local_id(0), i = get_global_id(0);
    s[t] = i < n ? from[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 1; step < get_local_size(0); step *= 2) {
        if (t % (2 * step) == 0) s[t] += s[t + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) to[get_group_id(0)] = s[0];
}

kernel void reduce2(global const int *from, global int *to, uint n, local int *s) {
    uint t = get_local_id(0), i = get_global_id(0);
    s[t] = i < n ? from[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 1; step < get_local_size(0); step *= 2) {
        uint at = 2 * step * t;
        if (at < get_local_size(0)) s[at] += s[at + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) to[get_group_id(0)] = s[0];
}

kernel void reduce3(global const int *from, global int *to, uint n, local int *s) {
    uint t = get_local_id(0), i = get_global_id(0);
    s[t] = i < n ? from[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = get_local_size(0) / 2; step > 0; step >>= 1) {
        if (t < step) s[t] += s[t + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) to[get_group_id(0)] = s[0];
}

kernel void reduce4(global const int *from, global int *to, uint n, local int *s) {
    uint t = get_local_id(0), i = get_group_id(0) * (get_local_size(0) * 2) + t;
    s[t] = i < n ? from[i] : 0;
    if (i + get_local_size(0) < n) s[t] += from[i + get_local_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = get_local_size(0) / 2; step > 0; step >>= 1) {
        if (t < step) s[t] += s[t + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) to[get_group_id(0)] = s[0];
}

// The last warp needs no barrier.
void last_warp(volatile local int *s, uint t) {
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
}

kernel void reduce5(global const int *from, global int *to, uint n, local int *s) {
    uint t = get_local_id(0), i = get_group_id(0) * (get_local_size(0) * 2) + t;
    s[t] = i < n ? from[i] : 0;
    if (i + get_local_size(0) < n) s[t] += from[i + get_local_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = get_local_size(0) / 2; step > 32; step >>= 1) {
        if (t < step) s[t] += s[t + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t < 32) last_warp(s, t);
    if (t == 0) to[get_group_id(0)] = s[0];
}

kernel void reduce6(global const int *from, global int *to, uint n, local int *s) {
    uint t = get_local_id(0), i = get_group_id(0) * (SIZE * 2) + t;
    s[t] = i < n ? from[i] : 0;
    if (i + SIZE < n) s[t] += from[i + SIZE];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (SIZE >= 256) {
        if (t < 128) s[t] += s[t + 128];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (SIZE >= 128) {
        if (t < 64) s[t] += s[t + 64];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t < 32) last_warp(s, t);
    if (t == 0) to[get_group_id(0)] = s[0];
}

kernel void reduce7(global const int *from, global int *to, uint n, local int *s) {
    uint t = get_local_id(0), i = get_group_id(0) * (SIZE * 2) + t;
    uint step = SIZE * 2 * get_num_groups(0);
    int sum = 0;
    while (i < n) {
        sum += from[i];
        if (i + SIZE < n) sum += from[i + SIZE];
        i += step;
    }
    s[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (SIZE >= 256) {
        if (t < 128) s[t] += s[t + 128];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (SIZE >= 128) {
        if (t < 64) s[t] += s[t + 64];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t < 32) last_warp(s, t);
    if (t == 0) to[get_group_id(0)] = s[0];
}
