// Loops in strides of the ND-range: a work-item for each iteration does the same, where none accesses what another one stores.
//: test line
//: global 64
//: local 32
//: offset 3
//: arg out int[300] = -1
//: arg in int[300] = i * i
//: arg n int 271
//: expect out = i >= 3 && i < 271 ? i * i + 1 : -1
//: test short_line
//: kernel line
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[64] = i
//: arg n int 20
//: expect out = i < 20 ? i + 1 : -1
//: test no_line
//: kernel line
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[64] = i
//: arg n int -5
//: expect out = -1
//: test in_place
//: kernel line
//: global 32
//: local 32
//: arg out int[300] = i
//: arg in same out
//: arg n int 300
//: expect out = i + 1
__kernel void line(__global int *out, __global const int *in, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = in[i] + 1;
}

// Of 64 bits, to a bound that is computed and reached, as a while loop with a load that another loop makes.
//: test wide
//: global 32
//: local 32
//: arg out int[202] = -1
//: arg in int[202] = i
//: arg n uint 100
//: expect out = i <= 200 ? 3 * i + 3 : -1
__kernel void wide(__global int *out, __global const int *in, uint n)
{
    size_t i = get_global_id(0);
    while (i <= n * 2ul) {
        int sum = 0;
        for (int k = 0; k < 3; k++)
            sum += in[i] + k;
        out[i] = sum;
        i += get_global_size(0);
    }
}

//: test plane
//: global 16 4
//: local 16 2
//: arg out int[1147] = -1
//: arg in int[1147] = i
//: arg rows int[31] = 1000 * i
//: arg w int 37
//: arg h int 31
//: expect out = i + 1000 * (i / 37)
__kernel void plane(__global int *out, __global const int *in, __global const int *rows, int w, int h)
{
    for (int y = get_global_id(1); y < h; y += get_global_size(1)) {
        int row = rows[y];
        for (int x = get_global_id(0); x < w; x += get_global_size(0)) {
            if (row < 0)
                continue;
            out[y * w + x] = in[y * w + x] + row;
        }
    }
}

// The other way round, and one dimension that has no loop.
//: test columns
//: global 8 16
//: local 8 2
//: arg out int[640] = -1
//: arg in int[640] = i
//: arg w int 40
//: expect out = (i % 16 * 40 + i / 16) * 2
__kernel void columns(__global int *out, __global const int *in, int w)
{
    int y = get_global_id(1), h = get_global_size(1);
    for (int x = get_global_id(0); x < w; x += get_global_size(0))
        out[x * h + y] = in[y * w + x] * 2;
}

// Iterations that are not apart, or hand something on.
//: test reads_stored
//: global 32
//: local 32
//: arg out int[320] = i < 32 ? i : -1
//: arg n int 320
//: expect out = i % 32 + i / 32
__kernel void reads_stored(__global int *out, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        if (i >= 32)
            out[i] = out[i - 32] + 1;
}

//: test stored_over
//: global 32
//: local 32
//: arg out int[32] = -1
//: arg n int 320
//: expect out = i + 288
__kernel void stored_over(__global int *out, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        out[i % 32] = i;
}

//: test overlapping
//: global 32
//: local 32
//: arg out int[320] = i
//: arg in same out
//: arg n int 288
//: expect out = i % 32
__kernel void overlapping(__global int *out, __global const int *in, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        out[i + 32] = in[i];
}

//: test sums
//: global 32
//: local 32
//: arg out int[320] = -1
//: arg in int[320] = 1
//: arg n int 320
//: expect out = i / 32 + 1
__kernel void sums(__global int *out, __global const int *in, int n)
{
    int sum = 0;
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        sum += in[i];
        out[i] = sum;
    }
}

//: test last
//: global 32
//: local 32
//: arg out int[320] = -1
//: arg n int 320
//: expect out = i / 96 * 96 + i % 32
__kernel void last(__global int *out, int n)
{
    int which = 7;
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        if (i / 32 % 3 == 0)
            which = i;
        out[i] = which;
    }
}

//: test both_ways
//: global 32
//: local 32
//: arg out int[320] = -1
//: arg n int 320
//: expect out = i / 32 % 3 == 0 ? i : -i
__kernel void both_ways(__global int *out, int n)
{
    int which;
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        if (i / 32 % 3 == 0)
            which = i;
        else
            which = -i;
        out[i] = which;
    }
}

//: test ends_early
//: global 32
//: local 32
//: arg out int[320] = -1
//: arg n int 320
//: expect out = i < 100 || (i < 128 && i % 32 < 4) ? i : -1
__kernel void ends_early(__global int *out, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        if (i >= 100)
            break;
        out[i] = i;
    }
}

// What tells iterations from work-items.
//: test told
//: global 32
//: local 32
//: arg out int[320] = -1
//: arg n int 320
//: expect out = i / 32 * 32 + 32 + i / 32
__kernel void told(__global int *out, int n)
{
    int first = get_global_id(0), t = 0;
    for (int i = first; i < n; i += get_global_size(0)) {
        out[i] = i - first + get_global_size(0) + t;
        t++;
    }
}

//: test steps
//: global 32
//: local 32
//: arg out int[320] = -1
//: arg n int 320
//: expect out = i / 32 * 37 + 32
__kernel void steps(__global int *out, int n)
{
    int step = get_global_size(0), at = 32;
    for (int i = get_global_id(0); i < n; i += step) {
        out[i] = at;
        at += step + 5;
    }
}

//: test behind_step
//: global 32
//: local 32
//: arg out int[352] = -1
//: arg n int 320
//: expect out = i < 32 ? -1 : i
__kernel void behind_step(__global int *out, int n)
{
    int i = get_global_id(0);
    while (i < n) {
        i += get_global_size(0);
        out[i] = i;
    }
}

//: test counts
//: global 32
//: local 32
//: arg out int[4] = 0
//: arg n int 323
//: expect out = i < 3 ? 81 : 80
__kernel void counts(__global int *out, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&out[i % 4]);
}

// Who went astray is told as it was launched.
//: test astray
//: global 32
//: local 16
//: arg out int[320] = -1
//: arg n int 320
//: fault line 268, work-item global (19,0,0) local (3,0,0) of group (1,0,0)
__kernel void astray(__global int *out, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        out[i == 32 * 7 + 19 ? 0x10000000 : i] = i;
}

// A work-item's place by its group's; with an offset that is another one.
//: test by_groups
//: global 64
//: local 16
//: arg out int[300] = -1
//: arg n int 271
//: expect out = i < 271 ? i * 16 + i % 16 : -1
//: test by_groups_from
//: kernel by_groups
//: global 64
//: local 16
//: offset 5
//: arg out int[300] = -1
//: arg n int 271
//: expect out = i < 271 ? i * 16 + i % 16 : -1
__kernel void by_groups(__global int *out, int n)
{
    for (int i = get_group_id(0) * get_local_size(0) + get_local_id(0); i < n;
         i += get_num_groups(0) * get_local_size(0))
        out[i] = i * get_local_size(0) + get_local_id(0);
}

//: test groups_told
//: global 64
//: local 16
//: arg out int[300] = -1
//: arg n int 271
//: expect out = i < 271 ? i / 16 % 4 * 10 + 4 : -1
__kernel void groups_told(__global int *out, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = get_group_id(0) * 10 + get_num_groups(0);
}

// A start, and a step, that wrap around in 32 bits before they are extended.
//: test extended
//: global 64
//: local 32
//: arg out ulong[256] = 1
//: arg n int 256
//: expect out = (i % 64 * 100000000) % 4294967296 + i / 64 * (6400000000 % 4294967296)
__kernel void extended(__global ulong *out, int n)
{
    ulong at = (uint)get_global_id(0) * 100000000u, step = (uint)get_global_size(0) * 100000000u;
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        out[i] = at;
        at += step;
    }
}

// A row for each work-item, and a count of what has been seen.
//: test line_counts
//: global 40
//: local 8
//: arg out int[4040] = -1
//: arg in int[4040] = i % 9
//: arg seen int[1] = 0
//: arg w int 101
//: expect out = i % 9 + 1
//: expect seen = 449
__kernel void line_counts(__global int *out, __global const int *in, __global int *seen, int w)
{
    int y = get_global_id(0);
    for (int x = 0; x < w; x++) {
        int v = in[y * w + x];
        out[y * w + x] = v + 1;
        if (v == 4) atomic_inc(seen);
    }
}

// The order in which work-items come is asked for.
//: test line_tickets
//: global 1
//: local 1
//: arg out int[101] = -1
//: arg ticket int[1] = 0
//: arg w int 101
//: expect out = i
//: expect ticket = 101
__kernel void line_tickets(__global int *out, __global int *ticket, int w)
{
    for (int x = 0; x < w; x++) out[x] = atomic_inc(ticket);
}

// By what is as much as the ND-range in a launch, or is not.
//: test halves
//: global 64
//: local 32
//: arg out int[128] = -1
//: arg in int[128] = i * 3
//: arg n int 128
//: expect out = i * 3 + i / 2
//: test no_halves
//: kernel halves
//: global 32
//: local 32
//: arg out int[128] = -1
//: arg in int[128] = i * 3
//: arg n int 128
//: expect out = i % 64 < 32 ? i * 3 + i / 2 : -1
__kernel void halves(__global int *out, __global const int *in, int n)
{
    for (int i = get_global_id(0); i < n; i += n / 2) {
        int sum = 0;
        for (int k = 0; k < 3; k++) sum += in[i];
        out[i] = sum / 3 + i / 2;
    }
}

//: test stepped
//: global 64 4
//: local 32 2
//: arg out float[1000] = -1
//: arg in float[1000] = i
//: arg n long 1000
//: arg columns long 64
//: arg rows int 4
//: expect out = i / 100 * 100 + i % 100 + 1
//: test stepped_otherwise
//: kernel stepped
//: global 32 4
//: local 32 2
//: arg out float[1000] = -1
//: arg in float[1000] = i
//: arg n long 1000
//: arg columns long 64
//: arg rows int 4
//: expect out = i % 100 % 64 < 32 ? i + 1 : -1
__kernel void stepped(__global float *out, __global const float *in, long n, long columns, int rows)
{
    for (int y = get_global_id(1); y < 10; y += rows)
        for (long x = get_global_id(0); x < 100; x += columns)
            if (y * 100 + x < n) out[y * 100 + x] = in[y * 100 + x] + 1;
}

//: test by_constant
//: global 64
//: local 32
//: arg out int[300] = -1
//: arg n int 300
//: expect out = i * 2
//: test by_another
//: kernel by_constant
//: global 96
//: local 32
//: arg out int[300] = -1
//: arg n int 300
//: expect out = i * 2
__kernel void by_constant(__global int *out, int n)
{
    for (int i = get_global_id(0); i < n; i += 64) out[i] = i * 2;
}
