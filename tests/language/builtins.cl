// Atomics under contention, copies of groups, half in memory, shuffles.
//: versions 1.0 1.1 1.2

//: test contended
//: global 256
//: local 64
//: arg out int[8] = 0
//: expect out = {256, -256, 255, 0, 64, 64, -1, 255}
kernel void contended(volatile global int *out) {
    local volatile int n;
    int i = get_global_id(0);
    if (get_local_id(0) == 0) n = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&out[0]);
    atomic_sub(&out[1], 1);
    atomic_max(&out[2], i);
    atomic_min(&out[3], i);
    atom_add(&n, 1);
    atomic_or(&out[6], -1);
    atomic_or(&out[7], i);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && get_group_id(0) == 3) {
        out[4] = n;
        out[5] = atomic_xchg(&n, 0);
    }
}

//: test tickets
//: global 128
//: arg next int[1] = 0
//: arg out int[128] = -1
//: expect out = 1
//: expect next = 128
kernel void tickets(global int *next, global int *out) {
    int mine = atomic_add(next, 1);
    out[mine] = 1;
}

//: test exchanged
//: global 1
//: arg f float[1] = 1.5
//: arg out float[1] = 0
//: expect out = 1.5
//: expect f = 2.5
kernel void exchanged(volatile global float *f, global float *out) { out[0] = atomic_xchg(f, 2.5f); }

//: test copies
//: global 32
//: local 16
//: arg in int[32] = i * i
//: arg out int[32] = 0
//: expect out = (i / 16 * 16 + 15 - i % 16) * (i / 16 * 16 + 15 - i % 16)
kernel void copies(global const int *in, global int *out) {
    local int a[16], b[16];
    size_t g = get_group_id(0), i = get_local_id(0);
    event_t e[2];
    e[0] = async_work_group_copy(a, in + 16 * g, 16, 0);
    e[1] = e[0];
    wait_group_events(2, e);
    b[i] = a[15 - i];
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t done = async_work_group_copy(out + 16 * g, b, 16, 0);
    wait_group_events(1, &done);
}

//: test halves
//: global 4
//: arg io half[16] = 0x3c00 + i
//: arg out float[16] = 0
//: expect out = 1 + i / 1024.0
//: expect io = 2 + i / 512.0
kernel void halves(global half *io, global float *out) {
    int i = get_global_id(0);
    float4 v = vload_half4(i, io);
    vstore4(v, i, out);
    vstorea_half4_rtz(v * 2, i, io);
}

//: test half_pointers
//: global 1
//: arg in half[2] = 0x3c00
//: arg out float[1] = 0
//: expect out = 1
float first(global const half *restrict p) { return vload_half(1, p); }
kernel void half_pointers(global const half *in, global float *out) { out[0] = first(in); }

//: test shuffled
//: global 1
//: arg out int[8] = 0
//: expect out = {4, 4, 1, 2, 8, 1, 7, 2}
kernel void shuffled(global int *out) {
    int4 a = (int4)(1, 2, 3, 4), b = (int4)(5, 6, 7, 8);
    vstore4(shuffle(a, (uint4)(3, 7, 0, 1)), 0, out);
    vstore4(shuffle2(a, b, (uint4)(7, 0, 6, 9)), 1, out);
}

//: test many_groups
//: global 12 6 4
//: local 4 3 2
//: offset 1 2 3
//: arg out int[288] = -1
//: expect out = i
kernel void many_groups(global int *out) {
    size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1),
           z = get_global_id(2) - get_global_offset(2);
    size_t again = get_group_id(0) * get_local_size(0) + get_local_id(0);
    out[(z * get_global_size(1) + y) * get_global_size(0) + x] =
        (z * get_global_size(1) + y) * get_global_size(0) + again;
}
