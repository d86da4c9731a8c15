// No races: none may be told of.

//: test own_words
//: global 200 3
//: local 10 3
//: arg out int[600] = 0
//: expect out = i
kernel void own_words(global int *out) {
    int i = get_global_id(1) * 200 + get_global_id(0);
    out[i] = i;
}

//: test sum
//: global 256
//: local 32
//: arg sum int[1] = 0
//: expect sum = 255 * 128
kernel void sum(global int *sum) { atomic_add(sum, (int)get_global_id(0)); }

// Within a warp instructions are in order.
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

// All store the same.
//: test flag
//: global 256
//: local 64
//: arg in int[256] = i > 100
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

// The last group adds up what all have written.
//: test last_group
//: global 256
//: local 64
//: arg parts int[4] = 0
//: arg count int[1] = 0
//: arg sum int[1] = 0
//: expect sum = 255 * 128
kernel void last_group(global int *parts, global int *count, global int *sum) {
    local int t[64];
    local int is_last;
    int i = get_local_id(0);
    t[i] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == 0) {
        int own = 0;
        for (int n = 0; n < 64; n++) own += t[n];
        parts[get_group_id(0)] = own;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        is_last = atomic_inc(count) == 3;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (is_last && i == 0)
        sum[0] = parts[0] + parts[1] + parts[2] + parts[3];
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

// Padded rows, and lanes beyond the end.
//: test transpose
//: global 48 48
//: local 16 16
//: arg in int[1600] = i
//: arg out int[1600] = 0
//: arg n int 40
//: expect out = i % 40 * 40 + i / 40
kernel void transpose(global const int *in, global int *out, int n) {
    local int t[16][17];
    int x = get_global_id(0), y = get_global_id(1), i = get_local_id(0), j = get_local_id(1);
    if (x < n && y < n) t[j][i] = in[y * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * 16 + i;
    y = get_group_id(0) * 16 + j;
    if (x < n && y < n) out[y * n + x] = t[i][j];
}

// A stencil with a halo, which two work-items load.
//: test stencil
//: global 128
//: local 64
//: arg in int[130] = i
//: arg out int[128] = 0
//: expect out = 3 * i + 3
kernel void stencil(global const int *in, global int *out) {
    local int t[66];
    int i = get_local_id(0), g = get_global_id(0);
    t[i] = in[g];
    if (i < 2) t[64 + i] = in[g + 64];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = t[i] + t[i + 1] + t[i + 2];
}

// Neighbouring bytes are different objects.
//: test bytes
//: global 64
//: local 32
//: arg out uchar[64] = 0
//: expect out = i
kernel void bytes(global uchar *out) { out[63 - get_global_id(0)] = 63 - get_global_id(0); }

// Those that have returned come to no barrier.
//: test returned
//: global 128
//: local 128
//: arg out int[128] = 0
//: expect out = i < 64 ? 63 - i : 0
kernel void returned(global int *out) {
    local int t[64];
    int i = get_local_id(0);
    if (i >= 64) return;
    t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = t[63 - i];
}

// Counts of a group by atomic operations on local memory, read behind a barrier.
//: test histogram
//: global 128
//: local 64
//: arg bins int[8] = 0
//: expect bins = 16
kernel void histogram(global int *bins) {
    local int own[8];
    int i = get_local_id(0);
    if (i < 8) own[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&own[i % 8]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 8) atomic_add(&bins[i], own[i]);
}

// Global memory in a group, with the right fence.
//: test through_global
//: global 64
//: local 64
//: arg x int[64] = 0
//: arg out int[64] = 0
//: expect out = 63 - i
kernel void through_global(global int *x, global int *out) {
    int i = get_local_id(0);
    x[i] = i;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = x[63 - i];
}

// Two halves of local memory in turn: one barrier each time is enough.
//: test two_halves
//: global 128
//: local 128
//: arg out int[128] = 0
//: expect out = i + 1
kernel void two_halves(global int *out) {
    local int t[2][128];
    int l = get_local_id(0), from = 0;
    t[0][l] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int by = 1; by < 128; by *= 2) {
        t[1 - from][l] = t[from][l] + (l >= by ? t[from][l - by] : 0);
        from = 1 - from;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[l] = t[from][l];
}

// A padded tile, by rows and then by columns.
//: test padded
//: global 32 32
//: local 32 8
//: arg in int[1024] = i
//: arg out int[1024] = 0
//: expect out = i % 32 * 32 + i / 32
kernel void padded(global const int *in, global int *out) {
    local int t[8][33];
    int x = get_local_id(0), y = get_local_id(1), g = get_group_id(1) * 8;
    t[y][x] = in[(g + y) * 32 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    int i = y * 32 + x;
    out[i / 8 * 32 + g + i % 8] = t[i % 8][i / 8];
}

// Who is first in a word of bits clears its bit for all others.
//: test mask
//: global 256
//: local 64
//: arg bits uint[8] = 0
//: arg first uint[256] = 0
//: expect first = 1
kernel void mask(global uint *bits, global uint *first) {
    int i = get_global_id(0);
    uint old = atomic_or(&bits[i / 32], 1u << i % 32);
    first[i] = !(old >> i % 32 & 1);
}

// All say the same: that something was found.
//: test found
//: global 256
//: local 64
//: arg in int[256] = i
//: arg any int[1] = 0
//: expect any = 1
kernel void found(global const int *in, global int *any) {
    if (in[get_global_id(0)] % 100 == 7) *any = 1;
}

// Places are given out by an atomic operation, so each is one work-item's.
//: test compact
//: global 256
//: local 64
//: arg in int[256] = i
//: arg count int[1] = 0
//: arg seen int[256] = 0
//: expect count = 64
kernel void compact(global const int *in, global int *count, global int *seen) {
    int i = get_global_id(0);
    if (in[i] % 4 == 0) seen[atomic_inc(count)] = 1;
}

// A stencil with its halo, loaded by the first work-items.
//: test halo
//: global 128
//: local 64
//: arg in int[130] = i
//: arg out int[128] = 0
//: expect out = 3 * i + 3
kernel void halo(global const int *in, global int *out) {
    local int t[66];
    int l = get_local_id(0), g = get_global_id(0);
    t[l] = in[g];
    if (l < 2) t[64 + l] = in[g + 64];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = t[l] + t[l + 1] + t[l + 2];
}

// Columns of a matrix in a loop: strides that keep work-items apart.
//: test columns
//: global 64
//: local 32
//: arg a int[1024] = i
//: expect a = i < 64 ? i : i + i - 64
kernel void columns(global int *a) {
    int x = get_global_id(0);
    for (int y = 15; y > 0; y--) a[y * 64 + x] += a[(y - 1) * 64 + x];
}
