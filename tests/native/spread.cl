// Runs of elements whose length is known at run time only: where they adjoin, and where they do not.

// From begin to end of each work-item's own; those that are empty, or the wrong way round, in the middle and at the end.
//: test anywhere
//: global 160
//: local 160
//: arg out int[4096] = -1
//: arg in int[4096] = i * i
//: arg begin int[160] = i * 25
//: arg end int[160] = i * 25 + (i % 7 == 3 ? -2 : i % 7 == 4 ? 0 : i % 26)
//: expect out = i < 4000 && i % 25 < (i / 25 % 7 == 3 ? -2 : i / 25 % 7 == 4 ? 0 : i / 25 % 26) ? in[i] * 3 + i : -1
kernel void anywhere(global int *out, global const int *in, global const int *begin, global const int *end)
{
    int id = get_global_id(0);
    for (int x = begin[id], to = end[id]; x < to; x++) out[x] = in[x] * 3 + x;
}

// The same of long runs, which adjoin in the first warp, but for one element in the second, and but for an order in the third.
//: test anywhere_adjoining
//: kernel anywhere
//: global 96
//: local 96
//: arg out int[4096] = -1
//: arg in int[4096] = i * i
//: arg begin int[96] = (i < 64 ? i : 95 - i + 64) * 40
//: arg end int[96] = (i < 64 ? i : 95 - i + 64) * 40 + (i == 40 ? 39 : 40)
//: expect out = i < 3840 && i != 40 * 40 + 39 ? in[i] * 3 + i : -1

//: test anywhere_overlapping
//: kernel anywhere
//: global 64
//: local 64
//: arg out int[4096] = -1
//: arg in int[4096] = i * i
//: arg begin int[64] = i % 32 * 60
//: arg end int[64] = i % 32 * 60 + 100
//: expect out = i < 31 * 60 + 100 ? in[i] * 3 + i : -1

// Side by side, the last ones cut off, with an uneven length and a work-group that ends within a warp.
//: test cut
//: global 150
//: local 50
//: arg out int[4096] = -1
//: arg in int[4096] = i * 7
//: arg n int 3777
//: arg per int 26
//: expect out = i < 3777 ? in[i] + i : -1
kernel void cut(global int *out, global const int *in, int n, int per)
{
    int from = get_global_id(0) * per, to = min(from + per, n);
    for (int x = from; x < to; x++) out[x] = in[x] + x;
}

//: test cut_long
//: kernel cut
//: global 96
//: local 96
//: arg out int[12288] = -1
//: arg in int[12288] = i * 7
//: arg n int 12200
//: arg per int 127
//: expect out = i < 12192 ? in[i] + i : -1

//: test cut_none
//: kernel cut
//: global 96
//: local 96
//: arg out int[96] = -1
//: arg in int[96] = i
//: arg n int 96
//: arg per int -3
//: expect out = -1

//: test cut_zero
//: kernel cut
//: global 96
//: local 96
//: arg out int[96] = -1
//: arg in int[96] = i
//: arg n int 96
//: arg per int 0
//: expect out = -1

// Balanced: lengths differ by one; and with what is left for the last one.
//: test balanced
//: global 64
//: local 64
//: arg out int[2048] = -1
//: arg last int[2048] = -1
//: arg n int 2047
//: expect out = i < 2047 ? i : -1
//: expect last = i < 2047 ? i * 2 : -1
kernel void balanced(global int *out, global int *last, int n)
{
    int id = get_global_id(0), size = get_global_size(0), each = n / size;
    int from = (int)((long)n * id / size), to = (int)((long)n * (id + 1) / size);
    for (int x = from; x < to; x++) out[x] = x;
    int end = id == size - 1 ? n : id * each + each;
    for (int x = id * each; x < end; x++) last[x] = x * 2;
}

// Rows, by counters of several types, with other exits; of rows with a border the border stays.
//: test rows
//: global 70
//: local 35
//: arg out float[4480] = -1
//: arg in float[4480] = i
//: arg w int 64
//: arg h int 66
//: expect out = i < 66 * 64 && i % 64 > 0 && i % 64 < 63 ? in[max(i - 1, 0)] + in[min(i + 1, 4479)] * 2 : -1
kernel void rows(global float *out, global const float *in, int w, int h)
{
    int y = get_global_id(0);
    if (y >= h) return;
    for (int x = 1; x < w - 1; x++) out[y * w + x] = in[y * w + x - 1] + in[y * w + x + 1] * 2;
}

//: test types
//: global 64
//: local 32
//: arg a int[3072] = -1
//: arg b int[3072] = -1
//: arg c int[3072] = -1
//: arg d int[3072] = -1
//: arg e int[3072] = -1
//: arg f int[3072] = -1
//: arg in int[3072] = i * 11
//: arg per int 40
//: arg n int 2530
//: expect a = i < 2530 ? in[i] : -1
//: expect b = i < 2530 ? in[i] + 1 : -1
//: expect c = i < 2560 ? in[i] + 2 : -1
//: expect d = i < 2560 ? in[i] + 3 : -1
//: expect e = i < 2560 ? in[i] + 4 : -1
//: expect f = i < 2560 && i % 40 % 3 == 0 ? in[i] + 5 : -1
kernel void types(global int *a, global int *b, global int *c, global int *d, global int *e, global int *f,
                  global const int *in, int per, int n)
{
    size_t id = get_global_id(0);
    for (size_t x = id * per, end = min(x + per, (size_t)n); x < end; x++) a[x] = in[x];
    for (long x = (long)id * per; x < (long)(id + 1) * per && x < n; x++) b[x] = in[x] + 1;
    for (short x = 0; x < per; x++) c[id * per + x] = in[id * per + x] + 2;
    global const int *from = in + id * per, *end = from + per;
    global int *to = d + id * per;
    while (from != end) *to++ = *from++ + 3;
    int left = per;
    from = in + id * per;
    to = e + id * per;
    while (left--) *to++ = *from++ + 4;
    for (int x = id * per; x <= (int)(id * per + per - 1); x += 3) f[x] = in[x] + 5;
}

// Downwards, and what is read behind the loop.
//: test behind
//: global 64
//: local 64
//: arg out int[2560] = -1
//: arg ends int[64] = 0
//: arg lefts int[64] = 0
//: arg per int 37
//: expect out = i < 2368 ? i : -1
//: expect ends = i * 37 - 1
//: expect lefts = -1
kernel void behind(global int *out, global int *ends, global int *lefts, int per)
{
    int id = get_global_id(0), x = id * per + per - 1, left = per;
    for (; x >= id * per; x--) out[x] = x;
    while (left--) out[id * per + left] += 0;
    ends[id] = x;
    lefts[id] = left;
}

// Counters that wrap around, where that ends a run or none does; what is widened.
//: test wrapped
//: global 64
//: local 64
//: arg out int[4096] = -1
//: arg bytes int[4096] = -1
//: arg from uint 4294965248
//: arg per int 64
//: expect out = i < 1984 ? i : i >= 2048 ? i : -1
//: expect bytes = i % 64 < 20 ? i : -1
kernel void wrapped(global int *out, global int *bytes, uint from, int per)
{
    int id = get_global_id(0);
    for (uint x = from + id * per, end = x + per; x < end; x++) out[x - from] = x - from;
    char k = 0;
    for (; k < 20; k++) bytes[id * per + k] = id * per + k;
}

// In place, by one address; one element on, where the order matters; twice to one place.
//: test places
//: global 64
//: local 64
//: arg a int[2560] = i
//: arg b int[2560] = i
//: arg c int[2560] = -1
//: arg d int[2560] = 0
//: arg per int 40
//: expect a = i * 2 + 1
//: expect b = i / 40 * 40
//: expect c = i < 1280 ? i * 2 + 1 : -1
//: expect d = i % 40 == 0 ? 39 : 0
kernel void places(global int *a, global int *b, global int *c, global int *d, int per)
{
    int from = get_global_id(0) * per;
    for (int x = from; x < from + per; x++) {
        a[x] *= 2;
        a[x] += 1;
    }
    for (int x = from; x < from + per - 1; x++) b[x + 1] = b[x];
    for (int x = from; x < from + per; x++) c[x / 2] = x;
    for (int x = 0; x < per; x++) d[from] = x;
}

// Elements that later ones store to, loaded before; such as were stored to, loaded behind; and loaded before, which goes one by one.
//: test in_place
//: global 64
//: local 64
//: arg a int[4096] = i
//: arg b int[4096] = i
//: arg c int[4096] = -1
//: arg d int[4096] = -1
//: arg e int[4096] = i
//: arg in int[4096] = i * 3
//: arg w int 64
//: expect a = i % 64 < 61 ? 2 * i + 3 : i
//: expect b = i % 64 > 0 ? 2 * i - 1 : i
//: expect c = i % 64 > 0 ? i * 3 - 3 : -1
//: expect d = i % 64 > 1 && i % 64 < 63 ? i * 3 - 3 : -1
//: expect e = i / 64 * 64 + i % 64 % 5
kernel void in_place(global int *a, global int *b, global int *c, global int *d, global int *e, global const int *in, int w)
{
    int row = get_global_id(0) * w;
    for (int x = row; x < row + w - 3; x++) a[x] = a[x] + a[x + 3];
    for (int x = row + w - 1; x > row; x--) b[x] += b[x - 1];
    for (int x = row; x < row + w - 1; x++) {
        c[x + 1] = in[x];
        if (x > row + 1) d[x] = c[x];
    }
    for (int x = row; x < row + w - 5; x++) e[x + 5] = e[x];
}

// What each lane has of its own, and what goes from one element to the next.
//: test own
//: global 64
//: local 64
//: arg out float[4096] = 0
//: arg sums float[4096] = 0
//: arg in float[4096] = i % 64
//: arg w int 64
//: expect out = (i % 64) * 2016 + i / 64
//: expect sums = (i % 64) * (i % 64 + 1) / 2
kernel void own(global float *out, global float *sums, global const float *in, int w)
{
    int y = get_global_id(0);
    float sum = 0, far = y;
    for (int x = 0; x < w; x++) sum += in[y * w + x];
    for (int x = 0; x < w; x++) out[y * w + x] = in[y * w + x] * sum + far;
    sum = 0;
    for (int x = 0; x < w; x++) {
        sum += in[y * w + x];
        sums[y * w + x] = sum;
    }
}

// One parameter by several addresses: far apart, one element on, and an element that is stored to twice.
//: test several
//: global 64
//: local 64
//: arg a int[5120] = i
//: arg b int[5120] = i
//: arg c int[5120] = -1
//: arg per int 40
//: arg far int 2560
//: arg near int 1
//: expect a = i < 2560 ? i * 2 : i - 2560 + 1
//: expect b = i < 2560 ? i / 40 * 40 : i
//: expect c = i % 40 < 39 && i < 2560 ? i : i % 40 == 39 && i < 2560 ? i + 1000 - 1 : -1
kernel void several(global int *a, global int *b, global int *c, int per, int far, int near)
{
    int from = get_global_id(0) * per;
    for (int x = from; x < from + per; x++) {
        a[x + far] = a[x] + 1;
        a[x] *= 2;
    }
    for (int x = from; x < from + per - near; x++) b[x + near] = b[x];
    for (int x = from; x < from + per - near; x++) {
        c[x] = x;
        c[x + near] = x + 1000;
    }
}

// At least once, and several words at a time.
//: test bottom
//: global 64
//: local 64
//: arg out int[2560] = -1
//: arg words int[2560] = -1
//: arg in int[2560] = i * 3
//: arg lens int[64] = i % 5 == 2 ? 0 : i % 41
//: arg per int 40
//: expect out = i % 40 < max(i / 40 % 5 == 2 ? 0 : i / 40 % 41, 1) ? in[i] : -1
//: expect words = in[i] + 1
kernel void bottom(global int *out, global int *words, global const int *in, global const int *lens, int per)
{
    int id = get_global_id(0), x = id * per, end = x + lens[id];
    do out[x] = in[x]; while (++x < end);
    for (x = id * per; x < id * per + per; x += 4) vstore4(vload4(0, in + x) + 1, 0, words + x);
}

// Ifs and loops within, rows in rows, and a loop in which lanes leave one by one.
//: test nested
//: global 32 4
//: local 32 2
//: arg out int[16384] = -1
//: arg in int[16384] = i % 100
//: arg n int 33
//: arg d int 4
//: expect out = i % 128 < 33 * 3 ? (in[i] % 3 ? in[i] * 6 + i : 0) : -1
kernel void nested(global int *out, global const int *in, int n, int d)
{
    int id = get_global_id(1) * 32 + get_global_id(0);
    for (int row = 0; row < 3; row++)
        for (int x = 0; x < n; x++) {
            int at = id * 128 + row * n + x, v = 0;
            if (in[at] % 3) {
                for (int k = 0; k < d; k++) v += in[at] * k;
                v += at;
            }
            out[at] = v;
        }
}

// Columns stay as they are: lanes lie side by side.
//: test columns
//: global 64
//: local 64
//: arg out int[4096] = -1
//: arg n int 60
//: expect out = i < 3840 ? i : -1
kernel void columns(global int *out, int n)
{
    int id = get_global_id(0);
    for (int y = 0; y < n; y++) out[y * 64 + id] = y * 64 + id;
}

// Several rows of one buffer, stored from elements of another size; two versions of each iteration.
//: test members
//: global 128
//: local 64
//: arg out int[6144] = -1
//: arg in int4[2048] = i
//: arg n int 2048
//: expect out = i < 2048 ? 4 * i : i < 4096 ? 4 * (i - 2048) + 1 : 4 * (i - 4096) + 2
kernel void members(global int *out, global const int4 *in, int n)
{
    int first = get_global_id(0) * 16;
    for (int i = first; i < first + 16; i++) {
        out[i] = in[i].x;
        out[n + i] = in[i].y;
        out[2 * n + i] = in[i].z;
    }
}

// Rows that overlap: each work-item's stores stay in their order.
//: test overlapping
//: global 64
//: local 64
//: arg out int[2048] = -1
//: arg in int4[2048] = i
//: arg n int 4
//: expect out = i % 32 < 16 ? 4 * i : i % 32 < 20 ? 4 * (i - 4) + 1 : i % 32 < 24 ? 4 * (i - 8) + 2 : -1
kernel void overlapping(global int *out, global const int4 *in, int n)
{
    int first = get_global_id(0) * 32;
    for (int i = first; i < first + 16; i++) {
        out[i] = in[i].x;
        out[n + i] = in[i].y;
        out[2 * n + i] = in[i].z;
    }
}

// Each part of an if makes its own address, which is the same; lanes come to the ends of their rows.
//: test both_parts
//: global 64
//: local 64
//: arg out short[4096] = -1
//: arg in short[4096] = i
//: arg w int 64
//: arg h int 64
//: expect out = i % 64 < 1 || i % 64 > 62 || i < 64 || i >= 4032 ? 0 : i * 2
kernel void both_parts(global short *out, global const short *in, int w, int h)
{
    int y = get_global_id(0);
    for (int x = 0; x < w; x++) {
        if (x < 1 || x >= w - 1 || y < 1 || y >= h - 1)
            out[y * w + x] = 0;
        else {
            int v = 0;
            for (int k = -1; k < 2; k += 2) v += in[y * w + x + k];
            out[y * w + x] = v;
        }
    }
}

// Parts of an if that store to places apart.
//: test parts_apart
//: global 64
//: local 64
//: arg out int[8192] = -1
//: arg w int 64
//: arg d int 32
//: expect out = i % 128 < 32 ? i / 128 * 64 + i % 128 : i % 128 >= 64 && i % 128 < 96 ? i / 128 * 64 + i % 128 - 32 : -1
kernel void parts_apart(global int *out, int w, int d)
{
    int y = get_global_id(0);
    for (int x = 0; x < w; x++)
        if (x < 32)
            out[y * 128 + x] = y * w + x;
        else
            out[y * 128 + x + d] = y * w + x;
}

// In each element a table is gone through, which all lanes have the same of, up to where it is found.
//: test rungs
//: global 64
//: local 64
//: arg out uchar[6400] = 99
//: arg in uchar[6400] = i * 7 % 256
//: arg table uchar[16] = i * 16 + 8
//: arg n int 100
//: expect out = (i * 7 % 256 + 7) / 16 < 15 ? (i * 7 % 256 + 7) / 16 : 15
__kernel void rungs(__global uchar *out, __global const uchar *in, __global const uchar *table, int n)
{
    int row = get_global_id(0) * n;
    for (int x = 0; x < n; x++) {
        int q = 0;
        while (q < 15 && in[row + x] > table[q]) q++;
        out[row + x] = q;
    }
}
