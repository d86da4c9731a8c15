// No order changes a result.
//: test own_words
//: global 1000 3
//: local 10 3
//: arg out int[3000] = 0
//: expect out = i
kernel void own_words(global int *out) {
    int i = get_global_id(1) * 1000 + get_global_id(0);
    out[i] = i;
}

//: test sum
//: global 256
//: local 32
//: arg sum int[1] = 0
//: expect sum = 255 * 128
kernel void sum(global int *sum) { atomic_add(sum, (int)get_global_id(0)); }

//: test tree
//: global 512
//: local 128
//: arg in int[512] = i
//: arg out int[4] = 0
//: arg t local 512
//: expect out = 128 * 128 * i + 127 * 64
kernel void tree(global const int *in, global int *out, local int *t) {
    int i = get_local_id(0);
    t[i] = in[get_global_id(0)];
    for (int d = 64; d; d /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < d) t[i] += t[i + d];
    }
    if (i == 0) out[get_group_id(0)] = t[0];
}

// Within a warp nobody has to wait.
//: test warp_tree
//: global 256
//: local 64
//: arg out int[4] = 0
//: expect out = 63 * 32
kernel void warp_tree(global int *out) {
    volatile local int t[64];
    int i = get_local_id(0);
    t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 32) {
        t[i] += t[i + 32];
        t[i] += t[i + 16];
        t[i] += t[i + 8];
        t[i] += t[i + 4];
        t[i] += t[i + 2];
        t[i] += t[i + 1];
    }
    if (i == 0) out[get_group_id(0)] = t[0];
}

// All write the same.
//: test flag
//: global 256
//: local 32
//: arg in int[256] = i == 200
//: arg found int[1] = 0
//: expect found = 1
kernel void flag(global const int *in, global int *found) {
    if (in[get_global_id(0)]) found[0] = 1;
}

//: test spin_lock
//: global 256
//: local 32
//: arg lock int[1] = 0
//: arg sum int[1] = 0
//: expect sum = 36
kernel void spin_lock(global int *lock, volatile global int *sum) {
    if (get_local_id(0)) return;
    while (atomic_cmpxchg(lock, 0, 1));
    sum[0] += (int)get_group_id(0) + 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(lock, 0);
}

//: test two_tiles
//: global 128
//: local 64
//: arg out int[128] = 0
//: expect out = 63 - i % 64 + (64 + 63 - i % 64) * 2 + (128 + 63 - i % 64) * 3 + (192 + 63 - i % 64) * 4
kernel void two_tiles(global int *out) {
    local int t[2][64];
    int i = get_local_id(0), sum = 0;
    for (int n = 0; n < 4; n++) {
        t[n & 1][i] = n * 64 + i;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[n & 1][63 - i] * (n + 1);
    }
    out[get_global_id(0)] = sum;
}

// What is printed comes in the order of work-items.
//: test lines
//: global 4
//: local 1
//: output 0
//: output 1
//: output 2
//: output 3
kernel void lines(void) { printf("%d\n", (int)get_global_id(0)); }
