// Guards round barriers, and early returns ahead of them: groups whose work-items all pass them are run without, the others
// as they are. Work-items that have returned are not waited for; that all others come to a barrier is for the kernel to see
// to.

//: test returned
//: global 512
//: local 128
//: arg out int[512] = -1
//: arg in int[512] = 3 * i
//: arg n int 330
//: expect out = i >= 330 ? -1 : 3 * (i ^ 1)
kernel void returned(global int *out, global const int *in, int n) {
    local int part[128];
    int g = get_global_id(0), l = get_local_id(0);
    if (g >= n) return;
    part[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = part[l ^ 1];
}

// None passes, and all but a part of each group's last warp, with ids that have an offset.
//: test none
//: kernel returned
//: global 256
//: local 128
//: arg out int[256] = -1
//: arg in int[256] = i
//: arg n int -1
//: expect out = -1
//: test offset
//: kernel returned
//: global 300
//: local 100
//: offset 100
//: arg out int[400] = -1
//: arg in int[400] = i
//: arg n int 310
//: expect out = i < 100 || i >= 310 ? -1 : i ^ 1

//: test guarded
//: global 512
//: local 64
//: arg out uint[512] = 7
//: arg n uint 320
//: expect out = i < 320 ? i / 64 * 64 + 63 - i % 64 : 7
//: test large_bound
//: kernel guarded
//: global 128
//: local 64
//: arg out uint[128] = 7
//: arg n uint 4000000000
//: expect out = i / 64 * 64 + 63 - i % 64
kernel void guarded(global uint *out, uint n) {
    local uint part[64];
    if (get_global_id(0) < n) {
        part[get_local_id(0)] = get_global_id(0);
        barrier(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] = part[63 - get_local_id(0)];
    }
}

// Two dimensions, a stencil's border, and a barrier in the part for those that are not outside.
//: test inside
//: global 64 32
//: local 16 8
//: arg out int[2048] = -1
//: arg w int 60
//: arg h int 32
//: expect out = i % 64 < 16 || i % 64 >= 48 || i / 64 < 8 ? 0 - 2 : i % 64 / 16 * 16 + 15 - i % 64 % 16 + i / 64 * 64
//: test wider
//: kernel inside
//: global 64 32
//: local 16 8
//: arg out int[2048] = -1
//: arg w int 65
//: arg h int 33
//: expect out = i % 64 < 16 || i / 64 < 8 ? 0 - 2 : i % 64 / 16 * 16 + 15 - i % 64 % 16 + i / 64 * 64
kernel void inside(global int *out, int w, int h) {
    local int part[8][16];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    if ((uint)x / 16 * 16 + 15 >= (uint)(w - 1) || y - ly <= 0 || (x >> 4) < 1 || y >= h) {
        out[y * 64 + x] = -2;
    } else {
        part[ly][lx] = y * 64 + x;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[y * 64 + x] = part[ly][15 - lx];
    }
}

// What is compared wraps around within a group.
//: test around
//: global 256
//: local 64
//: arg out int[256] = -1
//: arg base int 2147483547
//: arg n int 2147483647
//: expect out = i < 100 ? i ^ 1 : i == 100 ? -1 : i == 101 ? 101 : i ^ 1
kernel void around(global int *out, int base, int n) {
    local int part[64];
    int g = get_global_id(0), l = get_local_id(0), x = (int)((uint)base + (uint)g);
    part[l] = g;
    if (x >= n) return;
    part[l] = g;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = g == 101 ? g : part[l ^ 1];
}

// A loop is left from within a guard that is in it, after as many iterations as an argument says.
//: test broken_out
//: global 256
//: local 64
//: arg out int[256] = 0
//: arg n int 192
//: arg last int 3
//: expect out = i < 192 ? 6 + 4 * (i / 64 * 64 + (i + 32) % 64) : 6
kernel void broken_out(global int *out, int n, int last) {
    local int part[64];
    int g = get_global_id(0), l = get_local_id(0), sum = 0;
    for (int t = 0; t < 8; t++) {
        if (g < n) {
            part[l] = g + t;
            barrier(CLK_LOCAL_MEM_FENCE);
            sum += part[(l + 32) % 64];
            barrier(CLK_LOCAL_MEM_FENCE);
            if (t == last) break;
        } else {
            sum += t;
            if (t == last) break;
        }
    }
    out[g] = sum;
}

// One condition within the other, and of what each work-item has read, of which nobody knows before.
//: test nested
//: global 256
//: local 64
//: arg out int[256] = -1
//: arg in int[256] = i < 128 ? 1 : 0
//: arg n int 192
//: expect out = i < 128 ? i ^ 3 : i < 192 ? -2 : -1
kernel void nested(global int *out, global const int *in, int n) {
    local int part[64];
    int g = get_global_id(0), l = get_local_id(0);
    if (g < n) {
        if (in[g]) {
            part[l] = g;
            barrier(CLK_LOCAL_MEM_FENCE);
            out[g] = part[l ^ 3];
        } else {
            out[g] = -2;
        }
    }
}

// A value that only some of those who come to the guard have computed.
//: test some_have
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg n int 1000
//: arg which int 1
//: expect out = i < 64 ? i ^ 1 : -1
kernel void some_have(global int *out, int n, int which) {
    local int part[64];
    int g = get_global_id(0), l = get_local_id(0);
    bool in = false;
    if (get_group_id(0) < which) in = g < n;
    part[l] = g;
    if (in) {
        barrier(CLK_LOCAL_MEM_FENCE);
        out[g] = part[l ^ 1];
    }
}

// Loops with barriers by the range's stride, which all work-items of a group leave together, or some warps before others.
//: test strides
//: global 256
//: local 128
//: arg out int[2048] = -1
//: arg in int[2048] = i
//: arg n int 2048
//: expect out = i / 128 * 128 + 127 - i % 128
//: test some_warps_more
//: kernel strides
//: global 256
//: local 128
//: arg out int[2048] = -1
//: arg in int[2048] = i
//: arg n int 1856
//: expect out = i < 1792 ? i / 128 * 128 + 127 - i % 128 : i < 1856 ? i / 128 * 128 + (127 - i % 128) % 64 + (127 - i % 128) / 64 * 64 - 256 * ((127 - i % 128) / 64) : -1
//: test not_once
//: kernel strides
//: global 256
//: local 128
//: offset 2048
//: arg out int[2048] = -1
//: arg in int[2048] = i
//: arg n int 2048
//: expect out = -1
kernel void strides(global int *out, global const int *in, int n) {
    local int part[128];
    int l = get_local_id(0);
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        part[l] = in[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = part[127 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

//: test to_the_last
//: global 128
//: local 64
//: arg out uint[1024] = 0
//: arg last uint 1023
//: expect out = i / 64 * 64 + (i ^ 5) % 64
kernel void to_the_last(global uint *out, uint last) {
    local uint part[64];
    uint l = get_local_id(0), i = get_global_id(0);
    do {
        part[l] = i;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = part[l ^ 5];
        barrier(CLK_LOCAL_MEM_FENCE);
        i += 128;
    } while (i <= last);
}

// The counter would wrap around before the last work-items' come to the end.
//: test around_the_end
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg from int 2147483584
//: arg n int 2147483647
//: expect out = i == 63 ? -1 : i
kernel void around_the_end(global int *out, int from, int n) {
    local int part[64];
    int l = get_local_id(0);
    part[l] = l;
    for (int i = from + l; i < n; i += 40) {
        mem_fence(CLK_LOCAL_MEM_FENCE);
        out[l] = part[l];
        if (i > n - 40) break;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// In a loop within a loop, and a block that is left early.
//: test inner
//: global 128
//: local 64
//: arg out int[512] = 0
//: arg n int 512
//: arg rounds int 3
//: expect out = 3 * (i / 64 * 64 + 63 - i % 64)
kernel void inner(global int *out, int n, int rounds) {
    local int part[64];
    int l = get_local_id(0), g = get_global_id(0);
    for (int r = 0; r < rounds; r++)
        for (int i = g; i < n; i += 128) {
            part[l] = i;
            barrier(CLK_LOCAL_MEM_FENCE);
            out[i] += part[63 - l];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
}
