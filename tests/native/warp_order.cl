// Volatile local memory: work-items of a warp see what others of it have stored before, with no barrier, in the order of
// their instructions.

//: test summed
//: global 256
//: local 128
//: arg out int[8] = -1
//: arg in int[256] = i
//: expect out = i * 1024 + 496
kernel void summed(global int *out, global const int *in) {
    volatile local int part[128];
    int l = get_local_id(0), lane = l & 31;
    part[l] = in[get_global_id(0)];
    if (lane < 16) {
        part[l] += part[l + 16];
        part[l] += part[l + 8];
        part[l] += part[l + 4];
        part[l] += part[l + 2];
        part[l] += part[l + 1];
    }
    if (lane == 0) out[get_global_id(0) / 32] = part[l];
}

// Sums of all lanes before, in a loop, in groups of more warps than are run together.
//: test before
//: global 1024
//: local 512
//: arg out int[1024] = -1
//: arg in int[1024] = i % 7
//: arg size int 32
//: expect out = i % 32 / 7 * 21 + (i % 32 % 7) * (i % 32 % 7 + 1) / 2
kernel void before(global int *out, global const int *in, int size) {
    volatile local int part[512];
    int g = get_global_id(0), l = get_local_id(0), lane = l & 31;
    part[l] = lane % 7;
    for (int d = 1; d < size; d *= 2) {
        int other = lane >= d ? part[l - d] : 0;
        part[l] += other;
    }
    out[g] = part[l];
}

// A word that one lane after the other changes, and all read in between.
//: test in_turn
//: global 64
//: local 64
//: arg out int[64] = -1
//: expect out = 10 * (32 * (i / 32)) + 1 + 10 * (32 * (i / 32) + 1) + 2 + i
kernel void in_turn(global int *out) {
    volatile local int word[2];
    int l = get_local_id(0), w = l >> 5, sum = 0;
    if ((l & 31) == 0) word[w] = 10 * l + 1;
    sum += word[w];
    if ((l & 31) == 1) word[w] = 10 * l + 2;
    sum += word[w];
    out[l] = sum + l;
}

// Lanes store to one another's words in a loop that they leave one by one.
//: test passed_on
//: global 64
//: local 32
//: arg out int[64] = -1
//: expect out = 31 - i % 32 + 1
kernel void passed_on(global int *out) {
    volatile local int part[64];
    int l = get_local_id(0);
    part[l] = 1;
    part[l + 32] = 0;
    for (int n = l; n < 31; n++) part[l] = part[l + 1] + 1;
    out[get_global_id(0)] = l == 31 ? 1 : part[l] - part[l + 1] + 31 - l;
}

// With no barrier at all, and a last warp of which lanes are not there.
//: test no_barrier
//: global 200
//: local 100
//: arg out int[200] = -1
//: expect out = i % 100 / 32 == 3 ? i % 100 * 100 + 99 - (i % 100 - 96) : i % 100 * 100 + i % 100 / 32 * 32 + 31 - i % 100 % 32
kernel void no_barrier(global int *out) {
    volatile local int part[100];
    int l = get_local_id(0), first = l & ~31, last = min(first + 31, 99);
    part[l] = l;
    out[get_global_id(0)] = part[last - (l - first)] + 100 * l;
}
