// Barriers that all come to: none may be told of.

//: test plain
//: global 128
//: local 64
//: arg out int[128] = 0
//: expect out = i
kernel void plain(global int *out) {
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = get_global_id(0);
}

// The last warp is not whole.
//: test part
//: global 80
//: local 40
//: arg out int[80] = 0
//: expect out = i
kernel void part(global int *out) {
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = get_global_id(0);
}

// The branch is the group's.
//: test by_group
//: global 128
//: local 64
//: arg out int[128] = 0
//: expect out = i
kernel void by_group(global int *out) {
    if (get_group_id(0) == 1) barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = get_global_id(0);
}

//: test loop
//: global 64
//: local 64
//: arg n int 5
//: arg out int[64] = 0
//: expect out = n
kernel void loop(int n, global int *out) {
    int sum = 0;
    for (int k = 0; k < n; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        sum++;
    }
    out[get_global_id(0)] = sum;
}

// All leave the loop at once, by what they read.
//: test until
//: global 64
//: local 64
//: arg out int[64] = 0
//: expect out = 3
kernel void until(global int *out) {
    local int stop;
    int i = get_local_id(0), turns = 0;
    if (i == 0) stop = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (;;) {
        turns++;
        if (i == 0 && turns == 3) stop = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (stop) break;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = turns;
}

// Work in a branch, the barrier behind it.
//: test branch
//: global 64
//: local 64
//: arg out int[64] = 0
//: expect out = i < 20
kernel void branch(global int *out) {
    int i = get_local_id(0), v = 0;
    if (i < 20) v = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = v;
}

// All end before the barrier.
//: test none
//: global 64
//: local 64
//: arg out int[64] = 0
//: expect out = i
kernel void none(global int *out) {
    out[get_global_id(0)] = get_global_id(0);
    if (get_local_size(0) == 64) return;
    barrier(CLK_LOCAL_MEM_FENCE);
}

// End after the last one.
//: test ended
//: global 64
//: local 64
//: arg out int[64] = 0
//: expect out = i < 40 ? i : 0
kernel void ended(global int *out) {
    int i = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i >= 40) return;
    out[i] = i;
}

// Copies wait at a barrier of their own.
//: test copies
//: global 64
//: local 32
//: arg in int[64] = i
//: arg out int[64] = 0
//: expect out = i / 32 * 32 + 31 - i % 32
kernel void copies(global const int *in, global int *out) {
    local int t[32];
    event_t e = async_work_group_copy(t, in + get_group_id(0) * 32, 32, 0);
    wait_group_events(1, &e);
    out[get_global_id(0)] = t[31 - get_local_id(0)];
}
