// Copies that the work-items of a group make together, all waited for.

// Two buffers in turn: the next tile is on its way while this one is used.
//: test double_buffer
//: global 128
//: local 64
//: arg in int[512] = i
//: arg out int[128] = 0
//: expect out = 4 * (i % 64) + (i / 64) * 1024 + 384
kernel void double_buffer(global const int *in, global int *out) {
    local int t[2][64];
    event_t e[2];
    int l = get_local_id(0), sum = 0;
    in += get_group_id(0) * 256;
    e[0] = async_work_group_copy(t[0], in, 64, 0);
    for (int n = 0; n < 4; n++) {
        if (n < 3) e[(n + 1) % 2] = async_work_group_copy(t[(n + 1) % 2], in + (n + 1) * 64, 64, 0);
        wait_group_events(1, &e[n % 2]);
        sum += t[n % 2][l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}

// One event for all rows.
//: test chained
//: global 64
//: local 64
//: arg in int[64] = i
//: arg out int[64] = 0
//: expect out = 63 - i
kernel void chained(global const int *in, global int *out) {
    local int t[64];
    event_t e = 0;
    int l = get_local_id(0);
    for (int row = 0; row < 4; row++) e = async_work_group_copy(t + 16 * row, in + 16 * row, 16, e);
    wait_group_events(1, &e);
    out[l] = t[63 - l];
}

// The columns between those that are copied are free to use, and so is the source, to read.
//: test columns
//: global 32
//: local 32
//: arg in int[32] = i
//: arg out int[64] = 0
//: expect out = i % 2 ? -(i / 2) : i / 2
kernel void columns(global const int *in, global int *out) {
    local int t[32];
    int l = get_local_id(0);
    t[l] = in[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_strided_copy(out, t, 32, 2, 0);
    out[2 * l + 1] = -t[l];
    wait_group_events(1, &e);
}

// Of nothing; by a group that is less than a warp; waited for with others, and twice.
//: test odd
//: global 24
//: local 12
//: arg in int[24] = i
//: arg out int[24] = 0
//: arg n int 0
//: expect out = i
kernel void odd(global const int *in, global int *out, int n) {
    local int t[12], s[12];
    int g = get_group_id(0) * 12;
    event_t e[3];
    e[0] = async_work_group_copy(t, in + g, 12, 0);
    e[1] = async_work_group_copy(s, in, n, 0);
    e[2] = e[0];
    wait_group_events(3, e);
    event_t back = async_work_group_copy(out + g, t, 12, 0);
    wait_group_events(1, &back);
}

// In a function, and where the group as a whole decides.
void fetch(local int *t, global const int *in, int n) {
    event_t e = async_work_group_copy(t, in, n, 0);
    wait_group_events(1, &e);
}
//: test some_groups
//: global 128
//: local 32
//: arg in int[128] = i
//: arg out int[128] = 0
//: expect out = i / 32 % 2 ? i : -1
kernel void some_groups(global const int *in, global int *out) {
    local int t[32];
    int l = get_local_id(0), g = get_global_id(0);
    if (get_group_id(0) % 2) fetch(t, in + g - l, 32);
    out[g] = get_group_id(0) % 2 ? t[l] : -1;
}

// Each copy by one call is waited for by its own event, in another order.
//: test by_one_call
//: global 32
//: local 32
//: arg in int[128] = i
//: arg out int[32] = 0
//: expect out = i + i + 32 + i + 64 + i + 96
kernel void by_one_call(global const int *in, global int *out) {
    local int t[4][32];
    event_t e[4];
    int l = get_local_id(0), sum = 0;
    for (int row = 0; row < 4; row++) e[row] = async_work_group_copy(t[row], in + row * 32, 32, 0);
    for (int row = 3; row >= 0; row--) {
        wait_group_events(1, &e[row]);
        sum += t[row][l];
    }
    out[l] = sum;
}
