// Loops that look again and again at what other work-items store, and wait for none of them: they run native.
// What must stay in the interpreter is in tests/engine/spin.cl.

//: test row_of_a_warp
//: global 128
//: local 64
//: arg n uint 40
//: arg row int[41] = i * 37 + (i & 3)
//: arg y int[40] = 0
//: expect y = ((i + 1) * 37 + (i + 1 & 3) - i * 37 - (i & 3)) * ((i + 1) * 37 + (i + 1 & 3) + i * 37 + (i & 3) - 1) / 2
kernel void row_of_a_warp(uint n, global const int *row, global int *y) {
    volatile local int sums[96], ends[2][2];
    uint t = get_local_id(0), lane = t & 31;
    for (uint r = get_global_id(0) >> 5; r < n; r += get_global_size(0) >> 5) {
        if (lane < 2) ends[t >> 5][lane] = row[r + lane];
        int end = ends[t >> 5][1], sum = 0;
        for (int j = ends[t >> 5][0] + lane; j < end; j += 32) sum += j;
        sums[t] = sum;
        if (lane < 16) {
            sums[t] = sum = sum + sums[t + 16];
            sums[t] = sum = sum + sums[t + 8];
            sums[t] = sum = sum + sums[t + 4];
            sums[t] = sum = sum + sums[t + 2];
            sums[t] = sum = sum + sums[t + 1];
        }
        if (lane == 0) y[r] = sum;
    }
}

//: test add_float
//: global 192
//: local 64
//: arg sums float[4] = 0
//: expect sums = 4512 + 48 * i
kernel void add_float(global volatile float *sums) {
    uint i = get_global_id(0);
    global volatile uint *at = (global volatile uint *)&sums[i & 3];
    uint old = *at, seen;
    do {
        seen = old;
        old = atomic_cmpxchg(at, seen, as_uint(as_float(seen) + i));
    } while (seen != old);
}

//: test queue
//: global 64
//: local 32
//: arg head int[1] = 0
//: arg out int[500] = 0
//: expect out = 3 * i
kernel void queue(global int *head, global int *out) {
    int i;
    while ((i = atomic_inc(head)) < 500) out[i] = 3 * i;
}

//: test queue_of_groups
//: global 128
//: local 64
//: arg head int[1] = 0
//: arg out int[640] = 0
//: expect out = 3 * i
kernel void queue_of_groups(global int *head, global int *out) {
    local int first;
    for (;;) {
        if (get_local_id(0) == 0) first = atomic_add(head, get_local_size(0));
        barrier(CLK_LOCAL_MEM_FENCE);
        int i = first + get_local_id(0);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i - (int)get_local_id(0) >= 640) break;
        out[i] = 3 * i;
    }
}

//: test roots
//: global 64
//: local 64
//: arg parent int[64] = i < 8 ? i : i / 2
//: arg out int[64] = 0
//: expect out = i < 8 ? i : i < 16 ? i / 2 : i < 32 ? i / 4 : i / 8
kernel void roots(volatile global int *parent, global int *out) {
    int x = get_global_id(0), p;
    while ((p = parent[x]) != x) x = p;
    out[get_global_id(0)] = x;
}
