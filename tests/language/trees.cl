// Trees, networks and exchanges in local memory: distances that halve or double, with what the
// group's size tells of them and with what it does not.

//: test sum
//: global 512
//: local 256
//: arg out int[2] = 0
//: expect out = 256 * 255 / 2 + 65536 * i

// More warps than go in lockstep.
//: test sum_of_512
//: kernel sum
//: global 512
//: local 512
//: arg out int[1] = 0
//: expect out = 512 * 511 / 2
kernel void sum(global int *out) {
    local int part[512];
    int t = get_local_id(0);
    part[t] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (t < s) part[t] += part[t + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) out[get_group_id(0)] = part[0];
}

// Three warps; the distances are no powers of two.
//: test sum_of_96
//: kernel sum_odd
//: global 96
//: local 96
//: arg out int[1] = 0
//: expect out = 96 * 95 / 2

// Seven, so that they do not run in lockstep by twos, and one that is not whole.
//: test sum_of_201
//: kernel sum_odd
//: global 201
//: local 201
//: arg out int[1] = 0
//: expect out = 201 * 200 / 2

//: test sum_of_500
//: kernel sum_odd
//: global 500
//: local 500
//: arg out int[1] = 0
//: expect out = 500 * 499 / 2
kernel void sum_odd(global int *out) {
    local int part[512];
    int t = get_local_id(0), n = get_local_size(0);
    part[t] = t;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int rest = n; rest > 1; rest = (rest + 1) / 2) {
        int s = (rest + 1) / 2;
        if (t < rest / 2) part[t] += part[t + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) out[0] = part[0];
}

//: test scan
//: global 64 2
//: local 64 2
//: arg out int[128] = 0
//: expect out = i * (i + 1) / 2
kernel void scan(global int *out) {
    local int tree[128];
    int t = get_local_id(1) * 64 + get_local_id(0);
    tree[t] = t;
    int offset = 1;
    for (int d = 64; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < d) tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];
        offset <<= 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int all = tree[127];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0) tree[127] = 0;
    for (int d = 1; d < 128; d <<= 1) {
        offset >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < d) {
            int low = offset * (2 * t + 1) - 1, high = offset * (2 * t + 2) - 1, x = tree[low];
            tree[low] = tree[high];
            tree[high] += x;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[t] = tree[t] + t + (all == 127 * 64 ? 0 : 1);
}

// The argument tells the distances: powers of two ...
//: test sort
//: kernel bitonic
//: global 256
//: local 64
//: arg keys uint[512] = (i * 37 + 11) % 128
//: arg first int 2
//: expect keys = i / 128 % 2 ? 127 - i % 128 : i % 128

// ... a part of the network, on what is that far already ...
//: test merge
//: kernel bitonic
//: global 128
//: local 64
//: arg keys uint[256] = i % 128 < 64 ? 2 * (i % 128) : 255 - 2 * (i % 128)
//: arg first int 128
//: expect keys = i / 128 % 2 ? 127 - i % 128 : i % 128
kernel void bitonic(global uint *keys, int first) {
    local uint part[128];
    int t = get_local_id(0), base = get_group_id(0) * 128;
    part[t] = keys[base + t];
    part[t + 64] = keys[base + t + 64];
    for (int size = first; size <= 128; size <<= 1)
        for (int stride = size / 2; stride > 0; stride >>= 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            int low = 2 * t - (t & (stride - 1));
            bool up = ((base + low) & size) == 0;
            uint x = part[low], y = part[low + stride];
            if ((x > y) == up) {
                part[low] = y;
                part[low + stride] = x;
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    keys[base + t] = part[t];
    keys[base + t + 64] = part[t + 64];
}

// ... and others.
//: test distances
//: global 64
//: local 64
//: arg out int[64] = 0
//: arg first int 12
//: expect out = i < 32 ? 16 * i + 8 * (12 + 6 + 3 + 1) : 0
kernel void distances(global int *out, int first) {
    local int part[64];
    int t = get_local_id(0);
    part[t] = t;
    for (int s = first; s > 0; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int next = part[(t + s) & 63];
        barrier(CLK_LOCAL_MEM_FENCE);
        part[t] += next;
    }
    if (t < 32) out[t] = part[t];
}

// Pairs, reals, and an array whose last row is not whole.
//: test pairs
//: global 32
//: local 32
//: arg out float[64] = 0
//: expect out = i < 32 ? 2 * (i ^ 5) + 0.5 : 2 * ((i - 32) ^ 5) + 1.5
kernel void pairs(global float *out) {
    local float part[2 * 35];
    int t = get_local_id(0);
    vstore2((float2)(2 * t + 0.5f, 2 * t + 1.5f), t, part);
    barrier(CLK_LOCAL_MEM_FENCE);
    float2 v = vload2(t ^ 5, part);
    out[t] = v.x;
    out[t + 32] = v.y;
}

// Lanes whose words decide, in all warps but one.
//: test some
//: global 128
//: local 128
//: arg in int[128] = i % 3 ? i : -i
//: arg out int[128] = 0
//: expect out = (127 - i) % 3 || 127 - i >= 96 ? 127 - i : i - 127 + 1000
kernel void some(global int *in, global int *out) {
    local int part[128];
    int t = get_local_id(0);
    int v = in[t];
    part[127 - t] = t;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 96 && v <= 0) part[127 - t] = v + 1000;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[t] = part[t];
}

// A group of three warps that writes columns.
//: test columns
//: global 32 3
//: local 32 3
//: arg out int[96] = 0
//: expect out = i
kernel void columns(global int *out) {
    local int part[32 * 35];
    int x = get_local_id(0), y = get_local_id(1);
    part[x * (x + 3) + y] = y * 32 + x;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * 32 + x] = part[x * (x + 3) + y];
}
