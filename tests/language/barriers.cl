// A barrier that only some of the work-items come to that are still there ends the launch.
//: versions 1.0 1.1 1.2
//: test odd_only
//: global 64
//: local 64
//: arg out int[64] = 0
//: fault
kernel void odd_only(global int *out) {
    int i = get_local_id(0);
    if (i & 1) barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = i;
}

// Nor of one warp, which has nobody to wait for.
//: test odd_only_of_a_warp
//: kernel odd_only
//: global 32
//: local 32
//: arg out int[32] = 0
//: fault

// Those that have ended are not waited for, as on the device.
//: test ended
//: global 64
//: local 64
//: arg out int[64] = 0
//: expect out = i < 32 ? i : 0
kernel void ended(global int *out) {
    int i = get_local_id(0);
    if (i >= 32) return;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = i;
}

//: test turns_apart
//: global 64
//: local 64
//: arg out int[64] = 0
//: fault
kernel void turns_apart(global int *out) {
    int i = get_local_id(0);
    for (int n = 0; n < (i & 3); n++) barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = i;
}

//: test turns_apart_in_a_warp
//: kernel turns_apart
//: global 24
//: local 8
//: arg out int[24] = 0
//: fault

//: test ended_in_a_warp
//: kernel ended_in_a_warp
//: global 64
//: local 32
//: arg out int[64] = 0
//: expect out = i % 32 < 8 ? 7 - i % 32 : 0
kernel void ended_in_a_warp(global int *out) {
    local int at[8];
    int i = get_local_id(0);
    if (i >= 8) return;
    at[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = at[7 - i];
}

//: test together
//: global 64
//: local 64
//: arg out int[64] = 0
//: expect out = 63 - i + 3
kernel void together(global int *out) {
    local int at[64];
    int i = get_local_id(0), iterations = 0;
    for (int n = 0; n < 3; n++) {
        if (get_group_id(0) == 0) {
            barrier(CLK_LOCAL_MEM_FENCE);
            at[i] = i;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        iterations++;
    }
    out[i] = at[63 - i] + iterations;
}
