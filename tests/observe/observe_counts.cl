/* What each site of these kernels comes to, by hand: executions of warps, lanes in all of them, for
 * branches lanes taken and warps that diverged. 3 work-groups of 40 work-items: 2 warps each, of 32
 * and of 8 lanes. A loop's exit is taken by the lanes that leave. */

//: test straight
//: global 120
//: local 40
//: arg out int[120] = 0
//= straight 1 store 6 120 0 0
kernel void straight(global int *out) { out[get_global_id(0)] = 1; }

/* An odd half of each warp. */
//: test halves
//: global 120
//: local 40
//: arg out int[121] = 0
//= halves 1 branch 6 120 60 6
//= halves 2 store 6 60 0 0
//= halves 3 store 6 60 0 0
kernel void halves(global int *out) {
    int i = get_global_id(0);
    if (get_local_id(0) & 1) out[i] = 1; else out[i + 1] = 2;
}

/* Lane l makes l % 4 iterations: 1.5 each, 3 of a warp, whose test comes 4 times. */
//: test trips
//: global 120
//: local 40
//: arg out int[4] = 0
//= trips 1 loop_exit 24 300 120 18
//= trips 2 atomic 18 180 0 0
kernel void trips(global int *out) {
    int n = get_local_id(0) & 3;
    for (int j = 0; j < n; j++) atomic_add(&out[j], 1);
}

/* All make three; the lanes past the end return first. */
//: test guard
//: global 120
//: local 40
//: arg out int[128] = 0
//: arg n int 100
//= guard 1 branch 6 120 20 1
//= guard 2 loop_exit 20 400 100 0
//= guard 3 store 15 300 0 0
kernel void guard(global int *out, int n) {
    int i = get_global_id(0);
    if (i >= n) return;
    #pragma unroll 1
    for (int j = 0; j < 3; j++) out[i + j] = j;
}

/* Barriers in a loop; what lies between them is done by 8 work-items, all of the first
 * warp. */
//: test waits
//: global 120
//: local 40
//: arg out int[120] = 0
//: arg n int 5
//= waits 1 store 6 120 0 0
//= waits 2 loop_exit 36 720 120 0
//= waits 3 barrier 30 600 0 0
//= waits 4 branch 30 600 120 15
//= waits 5 load 15 120 0 0
//= waits 6 load 15 120 0 0
//= waits 7 store 15 120 0 0
//= waits 8 barrier 30 600 0 0
//= waits 9 load 6 120 0 0
//= waits 10 store 6 120 0 0
kernel void waits(global int *out, int n) {
    local int t[40];
    int l = get_local_id(0);
    t[l] = l;
    for (int j = 0; j < n; j++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < 8) t[l] += t[l + 8];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = t[l];
}

/* break and continue: lane l (of 4) leaves at iteration l; those of odd j store nothing. */
//: test leaves
//: global 120
//: local 40
//: arg out int[8] = 0
//= leaves 1 loop_exit 24 300 0 0
//= leaves 2 branch 24 300 120 18
//= leaves 3 branch 18 180 60 0
//= leaves 4 atomic 12 120 0 0
kernel void leaves(global int *out) {
    int l = get_local_id(0) & 3;
    for (int j = 0; j < 100; j++) {
        if (j == l) break;
        if (j & 1) continue;
        atomic_add(&out[j], 1);
    }
}

int helper(global int *p, int i) { return i & 1 ? p[i] : -1; }

/* One function in two places: sites of their own. */
//: test twice
//: global 120
//: local 40
//: arg out int[130] = 0
//= twice 1 branch 6 120 60 6
//= twice 2 load 6 60 0 0
//= twice 3 branch 6 120 60 6
//= twice 4 load 6 60 0 0
//= twice 5 store 6 120 0 0
kernel void twice(global int *out) {
    int i = get_global_id(0);
    out[i] = helper(out, i) + helper(out, i + 1);
}

/* Four ways of a switch, one of them shared. */
//: test chooses
//: global 120
//: local 40
//: arg out int[8] = 0
//= chooses 1 branch 6 120 15 6
//= chooses 2 branch 6 105 15 6
//= chooses 3 branch 6 90 15 6
//= chooses 4 branch 6 75 15 6
//= chooses 5 atomic 6 15 0 0
//= chooses 6 atomic 6 30 0 0
//= chooses 7 atomic 6 15 0 0
//= chooses 8 atomic 6 75 0 0
kernel void chooses(global int *out) {
    switch (get_local_id(0) & 7) {
    case 0: atomic_add(&out[0], 1); break;
    case 1:
    case 2: atomic_add(&out[1], 1); break;
    case 5: atomic_add(&out[2], 1);
    default: atomic_add(&out[3], 1);
    }
}

/* Loops within loops: uniform around divergent. */
//: test nests
//: global 120
//: local 40
//: arg out int[8] = 0
//: arg n int 3
//= nests 1 loop_exit 24 480 120 0
//= nests 2 loop_exit 48 720 360 30
//= nests 3 atomic 30 360 0 0
kernel void nests(global int *out, int n) {
    int l = get_local_id(0) & 3;
    for (int j = 0; j < n; j++)
        for (int i = l; i < 3; i += 1 + j * 4) atomic_add(&out[i], 1);
}

/* Written out by the source's wish: one site, four instructions. */
//: test unrolls
//: global 120
//: local 40
//: arg out int[480] = 0
//= unrolls 1 loop_exit removed: unrolled
//= unrolls 2 store 24 480 0 0
kernel void unrolls(global int *out) {
    int i = get_global_id(0);
    #pragma unroll
    for (int j = 0; j < 4; j++) out[i * 4 + j] = j;
}

/* `||` goes on where its left side does not hold: what the table says is how often it holds, for the
 * 4 first work-items of each group. */
//: test either
//: global 120
//: local 40
//: arg out int[120] = 0
//: arg in int[120] = 0
//= either 1 branch 6 120 12 3
//= either 2 load 6 108 0 0
//= either 3 branch 6 120 12 3
//= either 4 store 3 12 0 0
kernel void either(global int *out, global const int *in) {
    int i = get_global_id(0);
    if (get_local_id(0) < 4 || in[i] > 0) out[i] = 1;
}
