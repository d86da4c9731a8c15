// Small groups with barriers and local memory, several of which go together: in boxes whose rows are longer, or one after the
// other in a row; where there are not as many as would be, the last ones are cut.

// A sum of each group in an argument.
//: test sums_1
//: kernel sums
//: global 16384
//: local 64
//: arg out int[256] = -1
//: arg from int[16384] = i
//: arg part local 256
//: expect out = 4096 * i + 2016
//: test sums_2
//: kernel sums
//: global 33344
//: local 64
//: arg out int[521] = -1
//: arg from int[33344] = i
//: arg part local 256
//: expect out = 4096 * i + 2016
//: test sums_3
//: kernel sums
//: global 33312
//: local 32
//: arg out int[1041] = -1
//: arg from int[33312] = i
//: arg part local 128
//: expect out = 1024 * i + 496
//: test sums_4
//: kernel sums
//: global 16464
//: local 16
//: offset 5
//: arg out int[1029] = -1
//: arg from int[16464] = i
//: arg part local 64
//: expect out = 256 * i + 120
__kernel void sums(__global int *out, __global const int *from, __local int *part)
{
    int own = get_local_id(0);
    part[own] = from[get_global_id(0) - get_global_offset(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (own < s)
            part[own] += part[own + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (own == 0)
        out[get_group_id(0)] = part[0];
}

// Two arguments and an array, an index of 64 bits, ids and sizes.
//: test ids
//: global 8320
//: local 64
//: arg out int[8320] = -1
//: arg a local 256
//: arg b local 260
//: expect out = i / 64 + 1000 * (63 - i % 64) + 100000 * (i % 64 ? i % 64 - 1 : 63) + 10000000 * (i / 64 % 100)
__kernel void ids(__global int *out, __local int *a, __local int *b)
{
    __local int group[3];
    size_t own = get_local_id(0), size = get_local_size(0);
    a[own] = own;
    b[own + 1] = own;
    if (own == 0)
        b[0] = size - 1;
    if (own == size - 1)
        group[1] = get_group_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_group_id(0) * size + own] =
        group[1] + 1000 * a[size - 1 - own] + 100000 * b[own] + 10000000 * (get_global_id(0) / 64 % 100);
}

// In boxes: neighbours in tiles of 8 x 8, in whole boxes and in such as are cut.
//: test neighbours
//: global 128 64
//: local 8 8
//: arg out int[8192] = -1
//: arg from int[8192] = i
//: expect out = (i % 8 < 7 ? i + 1 : i) - (i / 128 % 8 ? i - 128 : i)
//: test neighbours_cut
//: kernel neighbours
//: global 2056 72
//: local 8 8
//: arg out int[148032] = -1
//: arg from int[148032] = i
//: expect out = (i % 2056 % 8 < 7 ? i + 1 : i) - (i / 2056 % 8 ? i - 2056 : i)
__kernel void neighbours(__global int *out, __global const int *from)
{
    __local int tile[8][8];
    int x = get_local_id(0), y = get_local_id(1), at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    tile[y][x] = from[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[at] = tile[y][min(x + 1, 7)] - tile[max(y - 1, 0)][x];
}

// One after the other: rows become columns; work-items of a warp that count on its order.
//: test turned
//: global 128 64
//: local 8 8
//: arg out int[8192] = -1
//: arg from int[8192] = i
//: expect out = i % 64 * 128 + i / 64
//: test turned_cut
//: kernel turned
//: global 2056 16
//: local 8 8
//: arg out int[32896] = -1
//: arg from int[32896] = i
//: expect out = i % 16 * 2056 + i / 16
__kernel void turned(__global int *out, __global const int *from)
{
    __local int tile[8][9];
    int x = get_local_id(0), y = get_local_id(1);
    tile[y][x] = from[get_global_id(1) * get_global_size(0) + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(get_group_id(0) * 8 + y) * get_global_size(1) + get_group_id(1) * 8 + x] = tile[x][y];
}
//: test warp_sums
//: global 128 64
//: local 8 8
//: offset 3 2
//: arg out int[128] = -1
//: expect out = 64 * (i % 16 * 8 + 3) + 64 * 100 * (i / 16 * 8 + 2) + 64 * 7 / 2 * 101
__kernel void warp_sums(__global int *out)
{
    volatile __local int part[96];
    int own = get_local_id(1) * 8 + get_local_id(0);
    part[own] = get_global_id(0) + 100 * get_global_id(1);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own < 32) {
        for (int s = 32; s > 0; s /= 2)
            part[own] += part[own + s];
        if (own == 0)
            out[get_group_id(1) * get_num_groups(0) + get_group_id(0)] = part[0];
    }
}

// Counts of a group, and of all.
//: test counts
//: global 16384
//: local 64
//: arg out int[2048] = -1
//: arg all int[8] = 1
//: expect out = 8
//: expect all = 2049
__kernel void counts(__global int *out, __global int *all)
{
    __local int count[8];
    int own = get_local_id(0);
    if (own < 8)
        count[own] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&count[get_global_id(0) * 3 % 8]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own < 8) {
        out[get_group_id(0) * 8 + own] = count[own];
        atomic_add(&all[own], count[own]);
    }
}

// Groups that do not come to as many barriers, or not to the same; which ask what others have added. They go alone.
//: test rounds
//: global 16384
//: local 64
//: arg out int[16384] = -1
//: arg most int[256] = i % 5
//: expect out = (i % 64 + i / 64 % 5) % 64 + 100 * (i / 64 % 3)
__kernel void rounds(__global int *out, __global const int *most)
{
    __local int ring[64], other[64];
    int own = get_local_id(0), group = get_group_id(0), x = own, n = most[group], k = 0;
    for (int r = 0; r < n; r++) {
        ring[own] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = ring[(own + 1) % 64];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    while (k < group % 3) {
        other[own] = k;
        barrier(CLK_LOCAL_MEM_FENCE);
        k = other[63 - own] + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (group % 2) {
        other[own] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = other[own];
    }
    out[get_global_id(0)] = x + 100 * k;
}
//: test ended
//: global 16384
//: local 64
//: arg out int[16384] = -1
//: arg n int 100
//: expect out = i / 64 % 4 == 1 ? -1 : i / 64 < 100 ? i / 64 * 64 + 63 - i % 64 : 2 * (i / 64 * 64 + 63 - i % 64)
__kernel void ended(__global int *out, int n)
{
    __local int part[64];
    int own = get_local_id(0), group = get_group_id(0), by = 1;
    if (group % 4 == 1)
        return;
    if (group >= n) {
        part[own] = 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        by = part[63 - own];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    part[own] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = by * part[63 - own];
}
//: test as_many
//: global 16384
//: local 64
//: arg out int[16384] = -1
//: arg n int 3
//: expect out = (i % 64 + 3) % 64
__kernel void as_many(__global int *out, int n)
{
    __local int ring[64];
    int own = get_local_id(0), x = own;
    for (int r = 0; r < n; r++) {
        ring[own] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = ring[(own + 1) % 64];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = x;
}

// A guard, which the last groups do not all pass.
//: test guarded
//: global 33280
//: local 64
//: arg out int[33280] = -1
//: arg n int 33100
//: expect out = i < 33088 ? i / 64 * 64 + (i + 3) % 64 : -1
__kernel void guarded(__global int *out, int n)
{
    __local int ring[64];
    int own = get_local_id(0), i = get_global_id(0);
    if (i / 64 * 64 + 63 < n) {
        ring[own] = i;
        for (int r = 0; r < 3; r++) {
            barrier(CLK_LOCAL_MEM_FENCE);
            int x = ring[(own + 1) % 64];
            barrier(CLK_LOCAL_MEM_FENCE);
            ring[own] = x;
        }
        out[i] = ring[own];
    }
}
//: test returned
//: global 33280
//: local 64
//: arg out int[33280] = -1
//: arg n int 16384
//: expect out = i < 16384 ? i / 64 * 64 + 63 - i % 64 : -1
__kernel void returned(__global int *out, int n)
{
    __local int part[64];
    int own = get_local_id(0), i = get_global_id(0);
    if (i >= n)
        return;
    part[own] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = part[63 - own];
}
// Two guards, and a loop as long as one of them says: groups go alone.
//: test two_guards
//: global 16384
//: local 64
//: arg out int[16384] = -1
//: arg n int 8192
//: expect out = i < 8192 ? i / 64 * 64 + 63 - i % 64 : 2 * i
__kernel void two_guards(__global int *out, int n)
{
    __local int part[64], other[64];
    int own = get_local_id(0), i = get_global_id(0);
    if (i < n) {
        part[own] = i;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = part[63 - own];
    }
    if (i >= n) {
        other[own] = 2 * i;
        barrier(CLK_LOCAL_MEM_FENCE);
        part[own] = other[63 - own];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = part[63 - own];
    }
}
//: test guarded_count
//: global 16384
//: local 64
//: arg out int[16384] = -1
//: arg n int 8192
//: expect out = (i % 64 + (i < 8192 ? 5 : 2)) % 64
__kernel void guarded_count(__global int *out, int n)
{
    __local int ring[64];
    int own = get_local_id(0), x = own, i = get_global_id(0), rounds = 2;
    if (i < n)
        rounds = 5;
    for (int r = 0; r < rounds; r++) {
        ring[own] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = ring[(own + 1) % 64];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = x;
}

// A group that faults, and which.
//: test astray
//: global 16384
//: local 64
//: arg out int[16384] = -1
//: fault store of 4 bytes outside every buffer
__kernel void astray(__global int *out)
{
    __local int part[64];
    int own = get_local_id(0);
    part[own] = get_group_id(0) == 33 && own == 5 ? 0x7000000 : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0) + part[own]] = 1;
}

// Some groups pass a guard round a barrier as a whole, others do not, by where their work-items are.
//: test some_inside
//: global 256 64
//: local 16 8
//: arg out int[16384] = -1
//: arg w int 240
//: expect out = i % 256 < 16 || i % 256 >= 240 || i / 256 < 8 ? 0 - 2 : i - i % 16 + 15 - i % 16
kernel void some_inside(global int *out, int w)
{
    local int part[8][16];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    int at = y * get_global_size(0) + x;
    if (x / 16 * 16 >= w || y - ly <= 0 || x >> 4 < 1) {
        out[at] = -2;
    } else {
        part[ly][lx] = at;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[at] = part[ly][15 - lx];
    }
}

//: test every_other
//: global 8192
//: local 32
//: arg out int[8192] = -1
//: expect out = i / 32 % 2 ? i - i % 32 + 31 - i % 32 : i
kernel void every_other(global int *out)
{
    local int part[32];
    int i = get_global_id(0), own = get_local_id(0);
    part[own] = i;
    if ((i >> 5) & 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        i = part[31 - own];
    }
    out[get_global_id(0)] = i;
}

//: test every_third_ends
//: global 8160
//: local 32
//: arg out int[8160] = -1
//: expect out = i / 32 % 3 == 2 ? 0 - 1 : i - i % 32 + 31 - i % 32
kernel void every_third_ends(global int *out)
{
    local int part[32];
    int i = get_global_id(0), own = get_local_id(0);
    if (i / 32 % 3 == 2)
        return;
    part[own] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = part[31 - own];
}

//: test every_other_of_eight
//: global 4096 16
//: local 8 8
//: arg out int[65536] = -1
//: expect out = i % 4096 / 8 % 2 ? 0 - 1 : i - i % 8 + 7 - i % 8
kernel void every_other_of_eight(global int *out)
{
    local int part[8][8];
    int x = get_global_id(0), lx = get_local_id(0), ly = get_local_id(1);
    int at = get_global_id(1) * get_global_size(0) + x;
    if ((x >> 3) & 1)
        return;
    part[ly][lx] = at;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[at] = part[ly][7 - lx];
}
