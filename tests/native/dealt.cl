// Runs of elements that each work-item goes through: what lanes may take in turn, and what they may not.

//: test scaled
//: global 64
//: local 64
//: arg out int[256] = -1
//: arg in int[256] = i * i
//: expect out = in[i] * 3 + i
kernel void scaled(global int *out, global const int *in)
{
    for (int x = get_global_id(0) * 4, end = x + 4; x < end; x++) out[x] = in[x] * 3 + x;
}

// In place, where one parameter alone is in that memory; and one element on, where its order matters.
//: test same
//: global 64
//: local 32
//: arg a int[512] = i
//: expect a = i * 2 + 1
kernel void same(global int *a)
{
    for (int x = get_global_id(0) * 8, end = x + 8; x < end; x++) {
        a[x] *= 2;
        a[x] += 1;
    }
}

//: test shifted
//: global 32
//: local 32
//: arg a int[160] = i * 10
//: expect a = i / 5 * 50
kernel void shifted(global int *a)
{
    for (int x = get_global_id(0) * 5, end = x + 4; x < end; x++) a[x + 1] = a[x];
}

// The last of two stores to one place stays, in each way to come to that.
//: test last
//: global 64
//: local 64
//: arg out int[128] = -1
//: arg twice int[320] = -1
//: arg inner int[448] = -1
//: expect out = i * 2 + 1
//: expect twice = i % 5 < 4 ? i / 5 * 4 + i % 5 : i / 5 * 4 + 3 + 1000
//: expect inner = i % 7 < 4 ? i / 7 * 4 + i % 7 : i / 7 * 4 + 3 + 1000 * (i % 7 - 3)
kernel void last(global int *out, global int *twice, global int *inner)
{
    int id = get_global_id(0);
    for (int x = id * 4, end = x + 4; x < end; x++) out[x / 2] = x;
    for (int x = id * 4, end = x + 4; x < end; x++) {
        twice[x + id] = x;
        twice[x + id + 1] = x + 1000;
    }
    for (int x = id * 4, end = x + 4; x < end; x++)
        for (int k = 3; k >= 0; k--) inner[x + id * 3 + k] = x + 1000 * k;
}

// Uneven steps, a bound that is included, and what goes on in an if; a counter that is read behind the loop.
//: test steps
//: global 32 2
//: local 16 2
//: arg out uint[1024] = 7
//: arg in uint[1024] = i * 5 + 3
//: expect out = i % 2 ? 7 : i % 16 == 6 ? 9 : i % 4 ? in[i] + 1 : in[i] * 2
kernel void steps(global uint *out, global const uint *in)
{
    int row = get_global_id(1) * 512, x = get_global_id(0) * 16;
    for (int end = x + 14; x <= end; x += 2) {
        uint v = in[row + x];
        if (x % 4) {
            v++;
        } else {
            v *= 2;
        }
        out[row + x] = x % 16 == 6 ? 9 : v;
    }
}

//: test behind
//: global 64
//: local 64
//: arg out int[256] = -1
//: arg ends int[64] = 0
//: expect out = i + i % 4
//: expect ends = i * 4 + 4
kernel void behind(global int *out, global int *ends)
{
    int x = get_global_id(0) * 4, k = 0;
    for (int end = x + 4; x < end; x++) out[x] = x + k++;
    ends[get_global_id(0)] = x;
}

// By columns, in loops, with sums in memory.
//: test columns
//: global 8 32
//: local 8 16
//: arg out float[1024] = -1
//: arg in float[1024] = i
//: arg w int 32
//: arg h int 32
//: arg d int 3
//: expect out = (i / 32 + i % 32 * 32) * 3 + 3
kernel void columns(global float *out, global const float *in, int w, int h, int d)
{
    int y = get_global_id(1);
    for (int x = get_global_id(0) * 4, end = x + 4; x < end; x++) {
        out[x * h + y] = 0;
        for (int k = 0; k < d; k++) out[x * h + y] += in[y * w + x] + k;
    }
}

// What goes from one element to the next, and what lanes have each for itself.
//: test carried
//: global 64
//: local 64
//: arg out int[256] = -1
//: arg in int[256] = i % 7
//: expect out = (i % 4 >= 0 ? in[i / 4 * 4] : 0) + (i % 4 >= 1 ? in[i / 4 * 4 + 1] : 0) + (i % 4 >= 2 ? in[i / 4 * 4 + 2] : 0) + (i % 4 >= 3 ? in[i / 4 * 4 + 3] : 0) + i / 4
kernel void carried(global int *out, global const int *in)
{
    int sum = 0, own = get_local_id(0);
    for (int x = get_global_id(0) * 4, end = x + 4; x < end; x++) {
        sum += in[x];
        out[x] = sum + own;
    }
}

// Counters that wrap around: the last work-item's run is none.
//: test wrapped
//: global 64
//: local 64
//: arg out int[256] = -1
//: arg from uint 4294967040
//: expect out = i < 252 ? i : -1
kernel void wrapped(global int *out, uint from)
{
    for (uint x = from + get_global_id(0) * 4, end = x + 4; x < end; x++) out[x - from] = x - from;
}

// A switch sets what is read behind it, in each of its parts; and in some, so that others have it of the element before.
//: test chosen
//: global 64
//: local 64
//: arg out int[256] = -1
//: arg in int[256] = i * 7 % 5
//: expect out = i * 7 % 5 == 0 ? i : i * 7 % 5 == 1 ? 2 * i : i * 7 % 5 == 2 ? 100 : 3 * i
__kernel void chosen(__global int *out, __global const int *in)
{
    int first = get_global_id(0) * 4;
    for (int i = first; i < first + 4; i++) {
        int v;
        switch (in[i]) {
        case 0: v = i; break;
        case 1: v = 2 * i; break;
        case 2: v = 100; break;
        default: v = 3 * i;
        }
        out[i] = v;
    }
}

//: test kept_on
//: global 64
//: local 64
//: arg out int[256] = -1
//: arg in int[256] = i % 4
//: expect out = i % 4 < 2 ? i : i - i % 4 + 1
__kernel void kept_on(__global int *out, __global const int *in)
{
    int first = get_global_id(0) * 4, v = -5;
    for (int i = first; i < first + 4; i++) {
        switch (in[i]) {
        case 0: v = i; break;
        case 1: v = i; break;
        default: break;
        }
        out[i] = v;
    }
}

// Two addresses in one buffer, as planes are: far apart, where that is known when it runs; one next to the other, where a
// work-item's elements wait for each other.
//: test planes
//: global 64
//: local 64
//: arg out int[768] = -1
//: arg in int[256] = i * 7
//: arg far int 256
//: expect out = i < 256 ? i * 7 : i < 512 ? (i - 256) * 7 + 1 : (i - 512) * 7 + 2
kernel void planes(global int *out, global const int *in, int far)
{
    for (int x = get_global_id(0) * 4, end = x + 4; x < end; x++) {
        out[x] = in[x];
        out[x + far] = in[x] + 1;
        out[x + 2 * far] = in[x] + 2;
    }
}

//: test moved_far
//: kernel moved
//: global 64
//: local 64
//: arg a int[768] = i * 10
//: arg far int 300
//: expect a = i < 300 || i >= 556 || (i - 300) % 4 == 3 ? i * 10 : (i - 300) * 10
//: test moved_next
//: kernel moved
//: global 64
//: local 64
//: arg a int[768] = i * 10
//: arg far int 1
//: expect a = i < 256 ? i / 4 * 40 : i * 10
kernel void moved(global int *a, int far)
{
    for (int x = get_global_id(0) * 4, end = x + 4; x < end; x++)
        if (x % 4 != 3) a[x + far] = a[x];
}

// Bytes and what is stepped by more: not as far apart in each element.
//: test mixed_far
//: kernel mixed
//: global 64
//: local 32
//: arg a uchar[1024] = i
//: arg far int 512
//: expect a = i < 256 ? (512 + 2 * i) % 256 : i
//: test mixed_next
//: kernel mixed
//: global 64
//: local 32
//: arg a uchar[1024] = i
//: arg far int 1
//: expect a = i < 256 ? i % 4 == 0 ? 2 * i - i + 1 : i : i
kernel void mixed(global uchar *a, int far)
{
    for (int x = get_global_id(0) * 4, end = x + 4; x < end; x++)
        if (far > 1) a[x] = a[far + 2 * x];
        else if (x % 4 == 0) a[x] = a[x + far];
}

// One element for all: outside of what lanes store to, and in it.
//: test pivot_before
//: kernel pivot
//: global 128
//: local 64
//: arg a int[512] = i
//: arg at int 3
//: expect a = i > 3 ? i + 3 : i
//: test pivot_inside
//: kernel pivot
//: global 128
//: local 64
//: arg a int[512] = i
//: arg at int 301
//: expect a = i > 301 ? i + 301 : i
kernel void pivot(global int *a, int at)
{
    for (int x = get_global_id(0) * 4, end = x + 4; x < end; x++)
        if (x > at) a[x] += a[at];
}

//: test pivot_changed
//: global 64
//: local 64
//: arg a int[256] = i * 10
//: arg at int 101
//: expect a = i / 4 != 25 ? i * 10 : i < 102 ? 1011 : 1012
kernel void pivot_changed(global int *a, int at)
{
    for (int x = get_global_id(0) * 4, end = x + 4; x < end; x++)
        if (x / 4 == at / 4) a[x] = a[at] + 1;
}

// Operations whose order nobody sees, and those of several kinds, which have one.
//: test joined
//: global 64
//: local 64
//: arg out int[256] = -1
//: arg most int[8] = -1
//: arg in int[256] = i * 37 % 256
//: expect out = i * 37 % 256 + 1
//: expect most = 248 + i
kernel void joined(global int *out, global int *most, global const int *in)
{
    for (int x = get_global_id(0) * 4, end = x + 4; x < end; x++) {
        out[x] = in[x] + 1;
        atomic_max(most + in[x] % 8, in[x]);
    }
}

//: test joined_in_turn
//: global 64
//: local 64
//: arg out int[256] = -1
//: arg sums int[64] = i
//: expect out = i
//: expect sums = max(i + 4, 23)
kernel void joined_in_turn(global int *out, global int *sums)
{
    for (int x = get_global_id(0) * 4, end = x + 4; x < end; x++) {
        out[x] = x;
        atomic_add(sums + x / 4, 1);
        atomic_max(sums + x / 4, 20);
    }
}

// Columns of blocks of 8 x 8: what is one element for all lanes would be others with gaps between where a column is dealt.
//: test block_columns
//: global 128
//: local 64
//: arg in int[1024] = i * 37 % 101
//: arg factors int[64] = i * 13 % 29 - 14
//: arg out int[1024] = -1
//: arg n int 8
//: expect out = 0
kernel void block_columns(global const int *in, constant int *factors, global int *out, int n)
{
    int i = get_global_id(0), b = i / 8 * 64, x = i % 8, wrong[8];
    for (int j = 0; j < n; j++) {
        int s = 0;
        for (int k = 0; k < 8; k++) s += factors[j * 8 + k] * in[b + k * 8 + x];
        out[b + j * 8 + x] = s;
    }
    for (int j = 0; j < 8; j++) {
        wrong[j] = -out[b + j * 8 + x];
        for (int k = 8; k-- > 0;) wrong[j] += factors[j * 8 + k] * in[b + k * 8 + x];
    }
    for (int j = 0; j < 8; j++) out[b + j * 8 + x] = wrong[j];
}

// The same of rows, by a counter of another type: written out, though an iteration is long.
//: test block_rows
//: global 64
//: local 64
//: arg in float[512] = i % 11
//: arg factors float[64] = i % 7 - 3
//: arg out float[512] = -1
//: expect out = in[i / 8 * 8] * ((i % 8 * 8) % 7 - 3) + in[i / 8 * 8 + 1] * ((i % 8 * 8 + 1) % 7 - 3) + in[i / 8 * 8 + 2] * ((i % 8 * 8 + 2) % 7 - 3) + in[i / 8 * 8 + 3] * ((i % 8 * 8 + 3) % 7 - 3) + in[i / 8 * 8 + 4] * ((i % 8 * 8 + 4) % 7 - 3) + in[i / 8 * 8 + 5] * ((i % 8 * 8 + 5) % 7 - 3) + in[i / 8 * 8 + 6] * ((i % 8 * 8 + 6) % 7 - 3) + in[i / 8 * 8 + 7] * ((i % 8 * 8 + 7) % 7 - 3)
kernel void block_rows(global const float *in, constant float *factors, global float *out)
{
    int b = get_global_id(0) * 8;
    for (char j = 0; j < 8; j++) {
        float s = 0;
        for (char k = 0; k < 8; k++) s += factors[j * 8 + k] * in[b + k];
        out[b + j] = s;
    }
}
