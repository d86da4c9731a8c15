// Accesses that go astray end the launch with a reason that says what, where in the source, and who.
//: versions 1.1 1.2

//: test far_store
//: global 64
//: local 32
//: arg out int[64] = 0
//: fault kernel "far_store" stopped: store of 4 bytes outside every buffer at address 0x
//: fault line 12, work-item global (37,0,0) local (5,0,0) of group (1,0,0)
kernel void far_store(global int *out) {
    int i = get_global_id(0);
    out[i == 37 ? 0x10000000 : i] = 1;
}

//: test far_load
//: global 8 4
//: local 4 4
//: arg out int[32] = 0
//: fault load of 16 bytes outside every buffer
//: fault line 23, work-item global (6,3,0) local (2,3,0) of group (1,0,0)
kernel void far_load(global int *out) {
    int x = get_global_id(0), y = get_global_id(1);
    int4 v = ((global int4 *)out)[x == 6 && y == 3 ? 0x4000000 : 0];
    out[y * 8 + x] = v.x + v.w;
}

//: test far_atomic
//: global 32
//: arg out int[32] = 0
//: fault of 4 bytes outside every buffer
//: fault line 34, work-item global (9,0,0)
kernel void far_atomic(global int *out) {
    int i = get_global_id(0);
    atomic_add(out + (i == 9 ? 0x10000000 : 0), 1);
}

//: test own_memory
//: global 32
//: arg out int[32] = 0
//: fault outside the work-item's private memory at offset 0x
//: fault line 44, work-item global (3,0,0)
kernel void own_memory(global int *out) {
    int i = get_global_id(0), a[4] = {1, 2, 3, 4};
    a[i == 3 ? 1000000 + out[0] : i & 3] = i;
    out[i] = a[out[0] & 3];
}

//: test local_memory
//: global 32
//: arg out int[32] = 0
//: fault store of 4 bytes outside every buffer
//: fault line 56, work-item global (7,0,0)
kernel void local_memory(global int *out) {
    local int shared[16];
    int i = get_local_id(0);
    shared[i == 7 ? 1000000 + out[0] : i & 15] = i;
    out[i] = shared[out[0] & 15];
}

//: test constants
//: global 32
//: arg out int[32] = 0
//: arg table int[32] = i
//: fault load of 4 bytes outside every buffer
//: fault line 68, work-item global (4,0,0)
kernel void constants(global int *out, constant int *table) {
    int i = get_global_id(0);
    out[i] = table[i == 4 ? 0x10000000 : 0];
}

//: test first_page
//: global 32
//: arg out int[32] = 0
//: fault load of 4 bytes outside every buffer at address 0x0000000
//: fault line 77, work-item global (0,0,0)
kernel void first_page(global int *out) {
    out[get_global_id(0)] = *(global int *)(size_t)(out[0] * 4);
}

//: test uneven_barrier
//: global 64
//: local 64
//: arg out int[64] = 0
//: fault barrier that not every work-item of the group reaches
//: fault line 88
kernel void uneven_barrier(global int *out) {
    int i = get_local_id(0);
    if (i & 1) barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = i;
}

// And all is well afterwards.
//: test afterwards
//: global 32
//: arg out int[32] = 0
//: expect out = i
kernel void afterwards(global int *out) { out[get_global_id(0)] = get_global_id(0); }

// The end of a buffer, rounded up to 256 bytes, meets its guard.
//: test just_past
//: global 64
//: arg out int[4] = 0
//: fault store of 4 bytes outside every buffer
//: fault work-item global (63,0,0)
kernel void just_past(global int *out) {
    int i = get_global_id(0);
    out[i == 63 ? 64 : i & 3] = 1;
}

//: test past_the_row
//: global 64
//: arg in int[64] = 0
//: arg out int[64] = 0
//: fault load of 4 bytes outside every buffer
kernel void past_the_row(global const int *in, global int *out) {
    int i = get_global_id(0);
    out[i] = in[i == 63 ? 64 : i];
}
