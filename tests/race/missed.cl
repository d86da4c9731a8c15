// Barriers that not all work-items come to, one in each kernel. missed.txt has the reports.

//: test odd
//: global 64
//: local 64
//: arg out int[64] = 0
//: fault
kernel void odd(global int *out) {
    int i = get_local_id(0);
    if (i & 1) barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = i;
}

// The same word in both parts of a branch makes two barriers.
//: test two_sides
//: global 64
//: local 64
//: arg out int[64] = 0
//: fault
kernel void two_sides(global int *out) {
    int i = get_local_id(0);
    if (i < 32) {
        out[i] = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    } else {
        out[i] = 2;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

//: test two_sides_of_a_warp
//: global 32
//: local 32
//: arg out int[32] = 0
//: fault
kernel void two_sides_of_a_warp(global int *out) {
    int i = get_local_id(0);
    if (i < 16) {
        out[i] = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    } else {
        out[i] = 2;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

// So many barriers as the work-item's number.
//: test turns
//: global 64
//: local 64
//: arg out int[64] = 0
//: fault
kernel void turns(global int *out) {
    int i = get_local_id(0);
    for (int n = 0; n < (i & 3); n++) barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = i;
}

// The loop of a reduction, with the barrier inside of the condition.
//: test tree
//: global 128
//: local 128
//: arg out int[1] = 0
//: fault
kernel void tree(global int *out) {
    local int t[128];
    int i = get_local_id(0);
    t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 64; d > 16; d /= 2)
        if (i < d - 16) {
            t[i] += t[i + d];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    out[0] = 1;
}

// A warp has ended: the device does not wait for it, OpenCL does not allow it.
//: test guard
//: global 128
//: local 64
//: arg out int[128] = 0
//: arg n int 96
kernel void guard(global int *out, int n) {
    local int t[64];
    int i = get_local_id(0), g = get_global_id(0);
    if (g >= n) return;
    t[i] = g;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = t[i];
}

//: test guard_in_a_warp
//: global 32
//: local 32
//: arg out int[32] = 0
kernel void guard_in_a_warp(global int *out) {
    int i = get_local_id(0);
    if (i > 20) return;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = i;
}

void wait_for_all(void) { barrier(CLK_LOCAL_MEM_FENCE); }
//: test called
//: global 64
//: local 64
//: arg out int[64] = 0
//: fault
kernel void called(global int *out) {
    int i = get_local_id(0);
    if (i == 5) wait_for_all();
    out[i] = i;
}

// Only the second group.
//: test second_group
//: global 128
//: local 64
//: arg out int[128] = 0
//: fault
kernel void second_group(global int *out) {
    int g = get_global_id(0);
    if (g < 96) barrier(CLK_LOCAL_MEM_FENCE);
    else
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    out[g] = g;
}
