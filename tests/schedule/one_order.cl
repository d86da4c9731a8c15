// Each gives other results in one of 20 orders. Nothing is expected of the usual one.
//! sum_without_atomics
//: test sum_without_atomics
//: global 256
//: local 32
//: arg sum int[1] = 0
kernel void sum_without_atomics(global int *sum) {
    if (get_local_id(0) == 0) sum[0] += (int)get_group_id(0) + 1;
}

//! maximum_without_atomics
//: test maximum_without_atomics
//: global 256
//: local 32
//: arg most int[1] = 0
kernel void maximum_without_atomics(global int *most) {
    int i = (int)(get_global_id(0) * 37 % 101);
    if (get_local_id(0) == 0 && i > most[0]) most[0] = i;
}

//! reverse_without_barrier
//: test reverse_without_barrier
//: global 256
//: local 64
//: arg out int[256] = 0
kernel void reverse_without_barrier(global int *out) {
    local int t[64];
    int i = get_local_id(0);
    t[i] = get_global_id(0);
    out[get_global_id(0)] = t[63 - i];
}

//! tree_without_barrier
//: test tree_without_barrier
//: global 256
//: local 128
//: arg out int[2] = 0
kernel void tree_without_barrier(global int *out) {
    local int t[128];
    int i = get_local_id(0);
    t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 64; d; d /= 2)
        if (i < d) t[i] += t[i + d];
    if (i == 0) out[get_group_id(0)] = t[0];
}

// The second tile is written while others still read the first.
//! tile_without_second_barrier
//: test tile_without_second_barrier
//: global 128
//: local 64
//: arg out int[128] = 0
kernel void tile_without_second_barrier(global int *out) {
    local int t[64];
    int i = get_local_id(0), sum = 0;
    for (int n = 0; n < 4; n++) {
        t[i] = n * 64 + i;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[63 - i] * (n + 1);
    }
    out[get_global_id(0)] = sum;
}

// A group reads what another one writes.
//! smooth_in_place
//: test smooth_in_place
//: global 256
//: local 32
//: arg x int[257] = i * i
kernel void smooth_in_place(global int *x) {
    int i = get_global_id(0);
    x[i] = (x[i] + x[i + 1]) / 2;
}

// Who is last must not matter.
//! last_writer
//: test last_writer
//: global 256
//: local 32
//: arg out int[1] = 0
kernel void last_writer(global int *out) { out[0] = get_group_id(0); }

//! counter_without_atomics
//: test counter_without_atomics
//: global 128
//: local 128
//: arg out int[1] = 0
kernel void counter_without_atomics(global int *out) {
    local int count;
    int i = get_local_id(0);
    if (i == 0) count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i % 32 == 0) count = count + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == 0) out[0] = count;
}

// Takes numbers in the order in which groups come.
//! tickets
//: test tickets
//: global 256
//: local 32
//: arg next int[1] = 0
//: arg out int[8] = 0
kernel void tickets(global int *next, global int *out) {
    if (get_local_id(0) == 0) out[get_group_id(0)] = atomic_inc(next);
}
