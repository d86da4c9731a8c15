// Races, one in each kernel. conflicts.txt has the reports. "//!": some of 20 random orders give other results.

// Who is first at the word?
//! sum_of_groups
//: test sum_of_groups
//: global 256
//: local 32
//: arg sum int[1] = 0
kernel void sum_of_groups(global int *sum) {
    if (get_local_id(0) == 0)
        sum[0] += (int)get_group_id(0) + 1;
}

// No barrier between store and load.
//! reverse
//: test reverse
//: global 128
//: local 64
//: arg out int[128] = 0
kernel void reverse(global int *out) {
    local int t[64];
    int i = get_local_id(0);
    t[i] = get_global_id(0);
    out[get_global_id(0)] = t[63 - i];
}

// The barrier is outside of the loop.
//! tree
//: test tree
//: global 128
//: local 128
//: arg out int[1] = 0
kernel void tree(global int *out) {
    local int t[128];
    int i = get_local_id(0);
    t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 64; d; d /= 2)
        if (i < d) t[i] += t[i + d];
    if (i == 0) out[0] = t[0];
}

// The second barrier of the loop is missing.
//! tiles
//: test tiles
//: global 64
//: local 64
//: arg out int[64] = 0
kernel void tiles(global int *out) {
    local int t[64];
    int i = get_local_id(0), sum = 0;
    for (int n = 0; n < 4; n++) {
        t[i] = n * 64 + i;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[63 - i] * (n + 1);
    }
    out[get_global_id(0)] = sum;
}

// A stencil in place: the halo is another group's.
//! smooth
//: test smooth
//: global 256
//: local 32
//: arg x int[257] = i * i
kernel void smooth(global int *x) {
    int i = get_global_id(0);
    x[i] = (x[i] + x[i + 1]) / 2;
}

// All store to one place, and not the same.
//! last
//: test last
//: global 64
//: local 32
//: arg out int[1] = 0
kernel void last(global int *out) {
    if (get_local_id(0) == 0)
        out[0] = get_group_id(0);
}

// Lanes of one warp in one instruction: the device takes one of them, always the same.
//: test lanes
//: global 32
//: local 32
//: arg out int[8] = 0
kernel void lanes(global int *out) { out[get_global_id(0) / 4] = get_global_id(0); }

// Atomic on one side only.
//! half_atomic
//: test half_atomic
//: global 128
//: local 64
//: arg count int[1] = 0
kernel void half_atomic(global int *count) {
    if (get_local_id(0) == 0) atomic_add(count, 3);
    if (get_local_id(0) == 32) count[0] = 1;
}

// A fence is no barrier.
//! fence_only
//: test fence_only
//: global 64
//: local 64
//: arg out int[64] = 0
kernel void fence_only(global int *out) {
    local int t[64];
    int i = get_local_id(0);
    t[i] = i;
    mem_fence(CLK_LOCAL_MEM_FENCE);
    out[i] = t[63 - i];
}

// A barrier for local memory does not order global memory. Here it does, so that no order shows it.
//: test wrong_fence
//: global 64
//: local 64
//: arg x int[64] = 0
//: arg out int[64] = 0
kernel void wrong_fence(global int *x, global int *out) {
    int i = get_local_id(0);
    x[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = x[63 - i];
}

// A lock without a fence orders nothing. Here it does.
//: test lock_without_fence
//: global 64
//: local 32
//: arg lock int[1] = 0
//: arg sum int[1] = 0
kernel void lock_without_fence(global int *lock, volatile global int *sum) {
    if (get_local_id(0)) return;
    while (atomic_cmpxchg(lock, 0, 1));
    sum[0] += 1;
    atomic_xchg(lock, 0);
}

// Bytes of one word, one of them shared.
//! bytes
//: test bytes
//: global 64
//: local 32
//: arg out uchar[64] = 0
kernel void bytes(global uchar *out) {
    int i = get_global_id(0);
    out[i] = i;
    if (get_local_id(0) == 31) out[(i + 1) % 64] = 200;
}

// In a function that is called twice.
void put(local int *t, int at, int value) { t[at] = value; }
//! called
//: test called
//: global 64
//: local 64
//: arg out int[64] = 0
kernel void called(global int *out) {
    local int t[65];
    int i = get_local_id(0);
    put(t, i, i);
    barrier(CLK_LOCAL_MEM_FENCE);
    put(t, i + 1, -i);
    out[i] = t[i];
}

// The first group is right; a later one leaves out the barrier.
//! later_group
//: test later_group
//: global 256
//: local 64
//: arg out int[256] = 0
kernel void later_group(global int *out) {
    local int t[64];
    int i = get_local_id(0);
    t[i] = i;
    if (get_group_id(0) != 2) barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[63 - i];
}

// The same by what is read.
//! by_data
//: test by_data
//: global 256
//: local 64
//: arg out int[256] = 0
//: arg in int[256] = i < 128 ? i % 64 : 63 - i % 64
kernel void by_data(global int *out, global const int *in) {
    local int t[64];
    int i = get_local_id(0);
    t[i] = i;
    out[get_global_id(0)] = t[in[get_global_id(0)]];
}

// One group sets a counter that others add to.
//! set_by_one
//: test set_by_one
//: global 128
//: local 64
//: arg sum int[1] = 0
kernel void set_by_one(global int *sum) {
    if (get_global_id(0) == 0) *sum = 0;
    barrier(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(sum);
}

// A histogram that each group reads when it has added its own part.
//! read_early
//: test read_early
//: global 256
//: local 64
//: arg bins int[4] = 0
//: arg out int[256] = 0
kernel void read_early(global int *bins, global int *out) {
    int i = get_global_id(0);
    atomic_inc(&bins[i % 4]);
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = bins[i % 4];
}

// A matrix product whose next tile is loaded while others still read this one.
//! tiles_in_a_loop
//: test tiles_in_a_loop
//: global 16 16
//: local 16 16
//: arg a int[512] = i % 7
//: arg out int[256] = 0
kernel void tiles_in_a_loop(global const int *a, global int *out) {
    local int t[16][16];
    int x = get_local_id(0), y = get_local_id(1), sum = 0;
    for (int n = 0; n < 2; n++) {
        t[y][x] = a[n * 256 + y * 16 + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++) sum += t[k][x];
    }
    out[y * 16 + x] = sum;
}

// A sum over everything that came before, in place: the barrier between reading and writing is missing.
//! scan_in_place
//: test scan_in_place
//: global 128
//: local 128
//: arg out int[128] = 0
kernel void scan_in_place(global int *out) {
    local int t[128];
    int l = get_local_id(0);
    t[l] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int by = 1; by < 128; by *= 2) {
        if (l >= by) t[l] += t[l - by];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[l] = t[l];
}

// A halo that the last work-items load, and the first ones of the next warp are not waited for.
//! halo
//: test halo
//: global 64
//: local 64
//: arg in int[66] = i
//: arg out int[64] = 0
kernel void halo(global const int *in, global int *out) {
    local int t[66];
    int l = get_local_id(0);
    t[l + 1] = in[l + 1];
    if (l == 0) t[0] = in[0];
    if (l == 63) t[65] = in[65];
    out[l] = t[l] + t[l + 1] + t[l + 2];
}

// Each work-item takes the next place, but not at once with others.
//! next_place
//: test next_place
//: global 128
//: local 64
//: arg count int[1] = 0
//: arg out int[128] = -1
kernel void next_place(global int *count, global int *out) {
    if (get_local_id(0) % 32) return;
    int at = count[0];
    count[0] = at + 1;
    out[at] = get_global_id(0);
}
