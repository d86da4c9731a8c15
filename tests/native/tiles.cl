// Groups that nobody can tell from one another, in shapes that are not the engine's: it runs them in
// tiles of the ND-range. What each work-item knows of itself stays the same.

//: test ids_squares
//: kernel ids
//: global 256 128
//: local 8 8
//: arg out int[32768] = -1
//: expect out = (i % 256) % 8 + (i / 256) % 8 * 100 + (i % 256) / 8 * 7 + (i / 256) / 8 * 7000 + ((i % 256) % 8 + (i / 256) % 8 * 8) * 3 + 16000000

//: test ids_small
//: kernel ids
//: global 256 128
//: local 4 2
//: arg out int[32768] = -1
//: expect out = (i % 256) % 4 + (i / 256) % 2 * 100 + (i % 256) / 4 * 7 + (i / 256) / 2 * 7000 + ((i % 256) % 4 + (i / 256) % 2 * 4) * 3 + 6000000

//: test ids_single
//: kernel ids
//: global 256 128
//: local 1 1
//: arg out int[32768] = -1
//: expect out = (i % 256) % 1 + (i / 256) % 1 * 100 + (i % 256) / 1 * 7 + (i / 256) / 1 * 7000 + ((i % 256) % 1 + (i / 256) % 1 * 1) * 3 + 2000000

//: test ids_lines
//: kernel ids
//: global 512 64
//: local 256 1
//: arg out int[32768] = -1
//: expect out = (i % 512) % 256 + (i / 512) % 1 * 100 + (i % 512) / 256 * 7 + (i / 512) / 1 * 7000 + ((i % 512) % 256 + (i / 512) % 1 * 256) * 3 + 257000000

//: test ids_flat
//: kernel ids
//: global 256 128
//: local 64 4
//: arg out int[32768] = -1
//: expect out = (i % 256) % 64 + (i / 256) % 4 * 100 + (i % 256) / 64 * 7 + (i / 256) / 4 * 7000 + ((i % 256) % 64 + (i / 256) % 4 * 64) * 3 + 68000000

//: test ids_tall
//: kernel ids
//: global 128 256
//: local 1 64
//: arg out int[32768] = -1
//: expect out = (i % 128) % 1 + (i / 128) % 64 * 100 + (i % 128) / 1 * 7 + (i / 128) / 64 * 7000 + ((i % 128) % 1 + (i / 128) % 64 * 1) * 3 + 65000000

//: test ids_odd
//: kernel ids
//: global 1000 300
//: local 5 3
//: arg out int[300000] = -1
//: expect out = (i % 1000) % 5 + (i / 1000) % 3 * 100 + (i % 1000) / 5 * 7 + (i / 1000) / 3 * 7000 + ((i % 1000) % 5 + (i / 1000) % 3 * 5) * 3 + 8000000

//: test ids_tens
//: kernel ids
//: global 800 640
//: local 10 10
//: arg out int[512000] = -1
//: expect out = (i % 800) % 10 + (i / 800) % 10 * 100 + (i % 800) / 10 * 7 + (i / 800) / 10 * 7000 + ((i % 800) % 10 + (i / 800) % 10 * 10) * 3 + 20000000

//: test ids_halves
//: kernel ids
//: global 256 128
//: local 16 16
//: arg out int[32768] = -1
//: expect out = (i % 256) % 16 + (i / 256) % 16 * 100 + (i % 256) / 16 * 7 + (i / 256) / 16 * 7000 + ((i % 256) % 16 + (i / 256) % 16 * 16) * 3 + 32000000

//: test ids_long
//: kernel ids
//: global 240 128
//: local 48 4
//: arg out int[30720] = -1
//: expect out = (i % 240) % 48 + (i / 240) % 4 * 100 + (i % 240) / 48 * 7 + (i / 240) / 4 * 7000 + ((i % 240) % 48 + (i / 240) % 4 * 48) * 3 + 52000000

__kernel void ids(__global int *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    int thread = get_local_id(0) + get_local_id(1) * get_local_size(0);
    out[y * get_global_size(0) + x] = get_local_id(0) + get_local_id(1) * 100 + get_group_id(0) * 7 +
                                      get_group_id(1) * 7000 + thread * 3 +
                                      get_local_size(0) * 1000000 + get_local_size(1) * 1000000;
}

// The index in the ND-range, put together from what is known of the group.
//: test sums_squares
//: kernel sums
//: global 256 128
//: local 8 8
//: arg out int[32768] = -1
//: expect out = i

//: test sums_small
//: kernel sums
//: global 256 128
//: local 4 2
//: arg out int[32768] = -1
//: expect out = i

//: test sums_single
//: kernel sums
//: global 256 128
//: local 1 1
//: arg out int[32768] = -1
//: expect out = i

//: test sums_lines
//: kernel sums
//: global 512 64
//: local 256 1
//: arg out int[32768] = -1
//: expect out = i

//: test sums_flat
//: kernel sums
//: global 256 128
//: local 64 4
//: arg out int[32768] = -1
//: expect out = i

//: test sums_tall
//: kernel sums
//: global 128 256
//: local 1 64
//: arg out int[32768] = -1
//: expect out = i

//: test sums_odd
//: kernel sums
//: global 1000 300
//: local 5 3
//: arg out int[300000] = -1
//: expect out = i

//: test sums_tens
//: kernel sums
//: global 800 640
//: local 10 10
//: arg out int[512000] = -1
//: expect out = i

//: test sums_halves
//: kernel sums
//: global 256 128
//: local 16 16
//: arg out int[32768] = -1
//: expect out = i

//: test sums_long
//: kernel sums
//: global 240 128
//: local 48 4
//: arg out int[30720] = -1
//: expect out = i

__kernel void sums(__global int *out)
{
    int x = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int y = get_group_id(1) * get_local_size(1) + get_local_id(1);
    out[y * get_num_groups(0) * get_local_size(0) + x] = y * get_global_size(0) + x;
}

// The same of 64 bits.
//: test wide_sums_squares
//: kernel wide_sums
//: global 256 128
//: local 8 8
//: arg out long[32768] = -1
//: expect out = i % 256 * 5000000000 + i / 256

//: test wide_sums_small
//: kernel wide_sums
//: global 256 128
//: local 4 2
//: arg out long[32768] = -1
//: expect out = i % 256 * 5000000000 + i / 256

__kernel void wide_sums(__global long *out)
{
    ulong x = (ulong)get_group_id(0) * get_local_size(0) + get_local_id(0);
    long y = get_local_id(1) + (long)get_group_id(1) * (long)get_local_size(1);
    out[y * get_global_size(0) + x] = x * 5000000000 + y;
}

//: test space
//: global 64 32 32
//: local 4 4 4
//: arg out int[65536] = -1
//: expect out = i % 64 % 4 + i / 64 % 32 % 4 * 10 + i / 2048 % 4 * 100 + i % 64 / 4 * 1000 + i / 64 % 32 / 4 * 100000 + i / 2048 / 4 * 10000000

//: test line
//: kernel space
//: global 8192
//: local 16
//: arg out int[8192] = -1
//: expect out = i % 16 + i / 16 * 1000

//: test uneven_line
//: kernel space
//: global 8100
//: local 36
//: arg out int[8100] = -1
//: expect out = i % 36 + i / 36 * 1000

__kernel void space(__global int *out)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    out[(z * get_global_size(1) + y) * get_global_size(0) + x] =
        get_local_id(0) + get_local_id(1) * 10 + get_local_id(2) * 100 + get_group_id(0) * 1000 +
        get_group_id(1) * 100000 + get_group_id(2) * 10000000;
}

// The offset is not the group's.
//: test offset
//: global 128 128
//: local 8 8
//: offset 3 5
//: arg out int[20000] = -1
//: expect out = i % 140 > 2 && i % 140 < 131 && i / 140 > 4 && i / 140 < 133 ? i % 140 * 1000 + i / 140 + (i % 140 - 3) / 8 : -1

__kernel void offset(__global int *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[y * 140 + x] = x * 1000 + y + get_group_id(0);
}

// Columns, written and read, by rows of a length that is known or not.
//: test put_squares
//: kernel put
//: global 256 128
//: local 8 8
//: arg out float[32768] = -1
//: arg in float[32768] = i
//: arg w int 256
//: arg h int 128
//: expect out = i % 128 * 256 + i / 128

//: test get_squares
//: kernel get
//: global 256 128
//: local 8 8
//: arg out float[32768] = -1
//: arg in float[32768] = i
//: arg w int 256
//: arg h int 128
//: expect out = i % 256 * 128 + i / 256

//: test put_known_squares
//: kernel put_known
//: global 256 128
//: local 8 8
//: arg out float[32768] = -1
//: arg in float[32768] = i
//: expect out = i % 128 * 256 + i / 128

//: test get_known_squares
//: kernel get_known
//: global 256 128
//: local 8 8
//: arg out float[32768] = -1
//: arg in float[32768] = i
//: expect out = i % 256 * 128 + i / 256

//: test put_volatile_squares
//: kernel put_volatile
//: global 256 128
//: local 8 8
//: arg out float[32768] = -1
//: arg in float[32768] = i
//: arg w int 256
//: arg h int 128
//: expect out = i % 128 * 256 + i / 128

//: test put_single
//: kernel put
//: global 256 128
//: local 1 1
//: arg out float[32768] = -1
//: arg in float[32768] = i
//: arg w int 256
//: arg h int 128
//: expect out = i % 128 * 256 + i / 128

//: test get_single
//: kernel get
//: global 256 128
//: local 1 1
//: arg out float[32768] = -1
//: arg in float[32768] = i
//: arg w int 256
//: arg h int 128
//: expect out = i % 256 * 128 + i / 256

//: test put_volatile_single
//: kernel put_volatile
//: global 256 128
//: local 1 1
//: arg out float[32768] = -1
//: arg in float[32768] = i
//: arg w int 256
//: arg h int 128
//: expect out = i % 128 * 256 + i / 128

//: test put_lines
//: kernel put
//: global 512 64
//: local 256 1
//: arg out float[32768] = -1
//: arg in float[32768] = i
//: arg w int 512
//: arg h int 64
//: expect out = i % 64 * 512 + i / 64

//: test get_lines
//: kernel get
//: global 512 64
//: local 256 1
//: arg out float[32768] = -1
//: arg in float[32768] = i
//: arg w int 512
//: arg h int 64
//: expect out = i % 512 * 64 + i / 512

//: test put_volatile_lines
//: kernel put_volatile
//: global 512 64
//: local 256 1
//: arg out float[32768] = -1
//: arg in float[32768] = i
//: arg w int 512
//: arg h int 64
//: expect out = i % 64 * 512 + i / 64

//: test put_flat
//: kernel put
//: global 256 128
//: local 64 4
//: arg out float[32768] = -1
//: arg in float[32768] = i
//: arg w int 256
//: arg h int 128
//: expect out = i % 128 * 256 + i / 128

//: test get_flat
//: kernel get
//: global 256 128
//: local 64 4
//: arg out float[32768] = -1
//: arg in float[32768] = i
//: arg w int 256
//: arg h int 128
//: expect out = i % 256 * 128 + i / 256

//: test put_volatile_flat
//: kernel put_volatile
//: global 256 128
//: local 64 4
//: arg out float[32768] = -1
//: arg in float[32768] = i
//: arg w int 256
//: arg h int 128
//: expect out = i % 128 * 256 + i / 128

//: test put_tens
//: kernel put
//: global 800 640
//: local 10 10
//: arg out float[512000] = -1
//: arg in float[512000] = i
//: arg w int 800
//: arg h int 640
//: expect out = i % 640 * 800 + i / 640

//: test get_tens
//: kernel get
//: global 800 640
//: local 10 10
//: arg out float[512000] = -1
//: arg in float[512000] = i
//: arg w int 800
//: arg h int 640
//: expect out = i % 800 * 640 + i / 800

//: test put_volatile_tens
//: kernel put_volatile
//: global 800 640
//: local 10 10
//: arg out float[512000] = -1
//: arg in float[512000] = i
//: arg w int 800
//: arg h int 640
//: expect out = i % 640 * 800 + i / 640

//: test put_halves
//: kernel put
//: global 256 128
//: local 16 16
//: arg out float[32768] = -1
//: arg in float[32768] = i
//: arg w int 256
//: arg h int 128
//: expect out = i % 128 * 256 + i / 128

//: test get_halves
//: kernel get
//: global 256 128
//: local 16 16
//: arg out float[32768] = -1
//: arg in float[32768] = i
//: arg w int 256
//: arg h int 128
//: expect out = i % 256 * 128 + i / 256

//: test put_volatile_halves
//: kernel put_volatile
//: global 256 128
//: local 16 16
//: arg out float[32768] = -1
//: arg in float[32768] = i
//: arg w int 256
//: arg h int 128
//: expect out = i % 128 * 256 + i / 128

__kernel void put(__global float *out, __global const float *in, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[x * h + y] = in[y * w + x];
}
__kernel void get(__global float *out, __global const float *in, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[y * w + x] = in[x * h + y];
}
__kernel void put_volatile(volatile __global float *out, __global const float *in, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[x * h + y] = in[y * w + x];
}
__kernel void put_known(__global float *out, __global const float *in)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[x * 128 + y] = in[y * 256 + x];
}
__kernel void get_known(__global float *out, __global const float *in)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[y * 256 + x] = in[x * 128 + y];
}

// Columns that do not follow one another: every other place; and places of which the last row's
// differ.
//: test gaps
//: global 128 128
//: local 8 8
//: arg out int[16384] = -1
//: arg in int[32768] = i
//: arg h int 128
//: expect out = (i % 128 * 128 + i / 128) * 2

//: test bent
//: global 128 128
//: local 8 8
//: arg out int[16384] = -1
//: arg in int[32768] = i
//: arg h int 128
//: expect out = i / 128 == 127 ? 16384 + i % 128 : i % 128 * 128 + i / 128

__kernel void gaps(__global int *out, __global const int *in, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[y * 128 + x] = in[(x * h + y) * 2];
}
__kernel void bent(__global int *out, __global const int *in, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[y * 128 + x] = in[y == 127 ? 16384 + x : x * h + y];
}

// Private memory of a tile, which has more warps than a group; lanes that leave early.
//: test own_squares
//: kernel own
//: global 128 64
//: local 8 8
//: arg out int[8192] = -1
//: arg n int 7
//: expect out = i % 128 < 100 ? i * 2 + 21 : -1

//: test own_single
//: kernel own
//: global 128 64
//: local 1 1
//: arg out int[8192] = -1
//: arg n int 7
//: expect out = i % 128 < 100 ? i * 2 + 21 : -1

//: test own_tens
//: kernel own
//: global 640 480
//: local 10 10
//: arg out int[307200] = -1
//: arg n int 7
//: expect out = i % 640 < 100 ? i * 2 + 21 : -1

__kernel void own(__global int *out, int n)
{
    int x = get_global_id(0), i = get_global_id(1) * get_global_size(0) + x, a[8];
    if (x >= 100)
        return;
    for (int k = 0; k < 8; k++)
        a[(k + x) % 8] = k * 3 + i;
    out[i] = a[(n + x) % 8] + a[x % 8];
}

// Each work-item once.
//: test once
//: global 640 490
//: local 10 10
//: arg out int[313600] = 0
//: arg sum int[1] = 0
//: expect out = 1
//: expect sum = 313600

__kernel void once(__global int *out, __global int *sum)
{
    atomic_inc(&out[get_global_id(1) * get_global_size(0) + get_global_id(0)]);
    atomic_inc(sum);
}

// Who does what is forbidden is told, in the group that it is in.
//: test wild
//: global 128 128
//: local 8 8
//: arg out int[16384] = -1
//: fault global (77,50,0) local (5,2,0) of group (9,6,0)

__kernel void wild(__global int *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[x == 77 && y == 50 ? 1 << 28 : y * 128 + x] = x;
}

// A work-item stores in one of two places of the kernel.
//: test border
//: global 256 256
//: local 8 8
//: arg out int[65536] = -1
//: arg in int[65536] = i
//: expect out = i % 256 > 0 && i % 256 < 255 && i / 256 > 0 && i / 256 < 255 ? i * 2 + 1 : -i
__kernel void border(__global int *out, __global const int *in)
{
    int x = get_global_id(0), y = get_global_id(1), i = y * 256 + x;
    if (x > 0 && y > 0 && x < 255 && y < 255)
        out[i] = in[i - 1] + in[i + 1] + in[i - 256] - in[i - 255] + 2;
    else
        out[i] = -in[i];
}

// Or in one place again and again.
//: test again
//: global 256 256
//: local 8 8
//: arg out int[65536] = -1
//: arg in int[65536] = i
//: arg n int 3
//: expect out = i * 3 + 3
__kernel void again(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(1) * 256 + get_global_id(0);
    out[i] = 0;
    for (int k = 0; k < n; k++)
        out[i] += in[i] + k;
}

// Lanes of a warp are not parted, where one loads what another one stores: each instruction is done
// before the next one, and a warp of 8 x 4 turns round in its place.
//: test turned_in_place
//: global 256 256
//: local 8 8
//: arg a int[65536] = i
//: expect a = (i % 256 / 8 * 8 + 7 - i % 8) + (i / 256 / 4 * 4 + 3 - i / 256 % 4) * 256
__kernel void turned_in_place(__global int *a)
{
    int x = get_global_id(0), y = get_global_id(1);
    int other = (x ^ 7) + (y ^ 3) * 256;
    a[x + y * 256] = a[other];
}

// A table of the module's own: nothing stores to it, so that work-items are apart.
//: test own_table
//: global 48 6
//: local 16 2
//: arg out int[288] = -1
//: arg in int[288] = i
//: arg w int 48
//: expect out = (i / 48 * 48 + (i % 48 > 0 ? i % 48 - 1 : 0)) * 3 + i * 5 + (i / 48 * 48 + (i % 48 < 47 ? i % 48 + 1 : 47)) * 7
__constant int own_weights[3] = {3, 5, 7};
__kernel void own_table(__global int *out, __global const int *in, int w)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0, k = 0;
    while (k < 3) {
        sum += own_weights[k] * in[y * w + clamp(x + k - 1, 0, w - 1)];
        k++;
    }
    out[y * w + x] = sum;
}

// A stencil that says in a flag, by what it adds and by a maximum whether it still changes.
//: test told
//: global 96 60
//: local 4 4
//: arg out int[5760] = -1
//: arg in int[5760] = i % 7
//: arg told int[3] = 0
//: expect out = i % 7
//: expect told = i == 0 ? 1 : i == 1 ? 822 : 95
__kernel void told(__global int *out, __global const int *in, __global int *told)
{
    int x = get_global_id(0), y = get_global_id(1), v = in[y * 96 + x];
    out[y * 96 + x] = v;
    if (v == 6) {
        atomic_or(&told[0], 1);
        atomic_inc(&told[1]);
        atomic_max(&told[2], x);
    }
}

//: test told_apart
//: global 96 60
//: local 4 4
//: arg out int[5760] = -1
//: arg in int[5760] = i % 7
//: arg flag int[1] = 0
//: arg count int[1] = 0
//: arg most int[1] = 0
//: expect out = i % 7
//: expect flag = 1
//: expect count = 822
//: expect most = 95
__kernel void told_apart(__global int *out, __global const int *in, __global int *flag,
                         __global int *count, __global int *most)
{
    int x = get_global_id(0), y = get_global_id(1), v = in[y * 96 + x];
    out[y * 96 + x] = v;
    if (v == 6) {
        atomic_or(flag, 1);
        atomic_inc(count);
        atomic_max(most, x);
    }
}

// A step of an elimination in place: what all read is no one's that is stored.
//: test eliminated
//: global 48 40
//: local 4 8
//: arg a int[1920] = i % 48 + i / 48
//: arg k int 5
//: expect a = i % 48 > 5 && i / 48 > 5 ? i % 48 + i / 48 - (i / 48 + 5) * (i % 48 + 5) : i % 48 + i / 48
//: test eliminated_uneven
//: global 52 42
//: local 13 6
//: kernel eliminated_within
//: arg a int[1920] = i % 48 + i / 48
//: arg k int 7
//: arg w int 48
//: arg h int 40
//: expect a = i % 48 > 7 && i / 48 > 7 ? i % 48 + i / 48 - (i / 48 + 7) * (i % 48 + 7) : i % 48 + i / 48
__kernel void eliminated(__global int *a, int k)
{
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
    if (x > k && y > k) a[y * w + x] -= a[y * w + k] * a[k * w + x];
}

__kernel void eliminated_within(__global int *a, int k, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < w && y < h && x > k && y > k) a[y * w + x] -= a[y * w + k] * a[k * w + x];
}

//: test eliminated_rows
//: global 40
//: local 8
//: arg a int[1920] = i % 48 + i / 48
//: arg k int 5
//: arg w int 48
//: expect a = i % 48 > 5 && i / 48 > 5 ? i % 48 + i / 48 - (i / 48 + 5) * (i % 48 + 5) : i % 48 + i / 48
__kernel void eliminated_rows(__global int *a, int k, int w)
{
    int y = get_global_id(0);
    if (y > k)
        for (int x = k + 1; x < w; x++) a[y * w + x] -= a[y * w + k] * a[k * w + x];
}

// The same, as what is left of the matrix; the factors are elsewhere.
//: test eliminated_left
//: global 42 34
//: local 6 2
//: arg a int[1920] = i % 48 + i / 48
//: arg m int[40] = i
//: arg k int 5
//: arg w int 48
//: expect a = i % 48 > 5 && i / 48 > 5 ? i % 48 + i / 48 - i / 48 * (i % 48 + 5) : i % 48 + i / 48
__kernel void eliminated_left(__global int *a, __global const int *m, int k, int w)
{
    int x = get_global_id(0) + k + 1, y = get_global_id(1) + k + 1;
    a[y * w + x] -= m[y] * a[k * w + x];
}

// More accesses than a few, in groups with a part of a warp.
//: test four_by_four
//: global 200
//: local 50
//: arg out int[3200] = -1
//: arg a int[3200] = i
//: arg b int[3200] = 1
//: expect out = i / 4 * 16 + 6
__kernel void four_by_four(__global int *out, __global const int *a, __global const int *b)
{
    int i = get_global_id(0);
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++) {
            int s = 0;
            for (int k = 0; k < 4; k++) s += a[16 * i + 4 * r + k] * b[16 * i + 4 * k + c];
            out[16 * i + 4 * r + c] = s;
        }
}

// Groups of no size that was asked for, of a range that only one work-item divides: in place, where only memory says who is apart.
//: test anywhere
//: global 4093
//: arg a int[4093] = i
//: arg p int[4093] = i * 1000 % 4093
//: expect a = 2 * i + 1
__kernel void anywhere(__global int *a, __global const int *p)
{
    int i = p[get_global_id(0)];
    a[i] += i + 1;
}
