// Lanes that go different ways, through shapes that flow.cl and jumps.cl do not hold.
//: versions 1.0 1.1 1.2

//: test everything
//: global 96
//: arg out int[96] = -1
//: expect out = i % 6 == 0 ? -1 : i % 6 == 1 ? 12 : i % 6 == 2 ? 6 : i % 6 == 3 ? 53 : i % 6 == 4 ? 8 : 15
int walk(int kind) {
    int n = 0;
    for (int a = 0; a < 3; a++) {
        int b = 0;
        do {
            if (kind == 0) return -1;
            int c = 5;
            while (c-- > 0) {
                if (kind == 1 && c == 3) break;
                if (kind == 2 && c != 2) continue;
                if (kind == 3 && a + b == 3) return n + 3;
                if (kind == 4 && c < 4) { b = 9; break; }
                n += kind == 5 ? b < 1 : kind == 4 ? 2 : kind == 1 ? 2 : kind == 2 ? 1 : 2;
            }
            if (kind == 4 && a == 2) goto out;
            b++;
        } while (b < 2);
    }
out:
    return kind == 4 ? n + 2 : n;
}
kernel void everything(global int *out) { out[get_global_id(0)] = walk(get_global_id(0) % 6); }

//: test side_effects
//: global 64
//: arg out int[128] = -1
//: expect out = i % 2 ? (i / 2 % 4 == 0 ? 1 : i / 2 % 4 == 1 ? 11 : i / 2 % 4 == 2 ? 101 : 111) : (i / 2 % 2 && i / 2 % 4 > 1 ? 5 : i / 2 % 4 > 1 ? 6 : 7)
int count(private int *n, int by, int result) {
    *n += by;
    return result;
}
kernel void side_effects(global int *out) {
    int i = get_global_id(0), n = 1;
    int a = i & 1 ? count(&n, 10, 1) : 0, b = i & 2 ? count(&n, 100, 2) : 0;
    int m = 0;
    out[2 * i] = a && count(&m, 1, b) ? 5 : !a && b || count(&m, 1, 0) ? 6 : 7;
    if (a == 0 && b && m != 0) out[2 * i] = -2;
    out[2 * i + 1] = n;
}

//: test barriers_in_loops
//: global 128
//: local 64
//: arg iterations int 5
//: arg out int[128] = -1
//: expect out = 64 * 63 / 2 * 5 + i % 64
int group_sum(local int *s, int v) {
    int i = get_local_id(0);
    s[i] = v;
    for (int step = get_local_size(0) / 2; step; step >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i >= step) continue;
        s[i] += s[i + step];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    v = s[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return v;
}
kernel void barriers_in_loops(int iterations, global int *out) {
    local int s[64];
    int i = get_local_id(0), sum = i, t = 0;
    while (true) {
        if (t == iterations) break;
        if (iterations > 3)
            sum += group_sum(s, i);
        else
            barrier(CLK_LOCAL_MEM_FENCE);
        t++;
    }
    out[get_global_id(0)] = sum;
}

// What a work-item keeps over a barrier: arrays, structures, pointers, counters of loops.
//: test kept
//: global 96
//: local 96
//: arg out int[96] = -1
//: expect out = (95 - i) * 2 + i % 5 + 3 + i % 3
kernel void kept(global int *out) {
    local int s[96];
    int i = get_local_id(0), a[5] = {0, 1, 2, 3, 4};
    struct { int x; private int *p; } r = {i % 3, &a[i % 5]};
    for (int iteration = 0; iteration < 3; iteration++) {
        s[i] = i + iteration;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (iteration) r.x++;
        a[(i + 1) % 5] += s[95 - i] * 0;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = 2 * (s[95 - i] - 2) + *r.p + r.x + 1;
}

// Warps in step without barriers, two to a group, and a halves' exchange through volatile memory.
//: test scan
//: global 128
//: local 64
//: arg out int[128] = -1
//: expect out = (i % 32 + 1) * (i % 32) / 2
kernel void scan(global int *out) {
    local volatile int s[128];
    int i = get_local_id(0), lane = i & 31;
    local volatile int *w = s + (i >> 5) * 64 + 32;
    w[lane - 32] = 0;
    w[lane] = lane;
    for (int step = 1; step < 32; step *= 2) w[lane] += w[lane - step];
    out[get_global_id(0)] = w[lane];
}

//: test returns
//: global 64
//: local 64
//: arg out int[64] = -1
//: expect out = i < 16 ? 1 : i < 32 ? 2 : i % 2 ? 4 : 3
kernel void returns(global int *out) {
    int i = get_global_id(0);
    out[i] = 1;
    if (i < 16) return;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = 2;
    if (i < 32) return;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0;; k++) {
        out[i] = 3 + k;
        if (k == (i & 1)) return;
    }
}
