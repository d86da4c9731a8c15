// Runs of elements of a known length that something may end before: bounds, returns, lanes that are off.

// The last run is cut off in the middle, and some have no element at all.
//: test conditions
//: global 128
//: local 64
//: arg out int[512] = -1
//: arg in int[512] = i * 5
//: arg n int = 398
//: expect out = i < n ? in[i] + i : -1
kernel void conditions(global int *out, global const int *in, int n)
{
    int first = get_global_id(0) * 4;
    for (int x = first; x < first + 4 && x < n; x++) out[x] = in[x] + x;
}

//: test nearer
//: global 128
//: local 128
//: arg out int[640] = -1
//: arg in uchar[640] = i * 7
//: arg n int = 501
//: expect out = i < n ? in[i] * 3 : -1
kernel void nearer(global int *out, global const uchar *in, int n)
{
    int first = get_global_id(0) * 5, end = min(first + 5, n);
    for (int x = first; x < end; x++) out[x] = in[x] * 3;
}

//: test broken
//: global 64
//: local 64
//: arg out char[1024] = -1
//: arg in int[1024] = i
//: arg n uint = 777
//: expect out = i < n ? in[i] % 100 : -1
kernel void broken(global char *out, global const int *in, uint n)
{
    uint x = get_global_id(0) * 16, end = x + 16;
    while (x < end) {
        if (x >= n) break;
        out[x] = in[x] % 100;
        x++;
    }
}

// At the end of iterations: the first one is made in any case.
//: test later
//: global 64
//: local 64
//: arg out int[256] = -1
//: arg n int = 150
//: expect out = i < n || i % 4 == 0 ? i * 2 : -1
kernel void later(global int *out, int n)
{
    int first = get_global_id(0) * 4, x = first;
    do {
        out[x] = x * 2;
        x++;
    } while (x < first + 4 && x < n);
}

//: test returned
//: global 96
//: local 32
//: arg out float[288] = -1
//: arg n int = 200
//: expect out = i < n ? i * 0.5 : -1
kernel void returned(global float *out, int n)
{
    int first = get_global_id(0) * 3;
    for (int x = first; x < first + 3; x++) {
        if (x >= n) return;
        out[x] = x * 0.5f;
    }
}

// What is behind the loop is not done by who has returned.
//: test and_more
//: global 64
//: local 64
//: arg out int[256] = -1
//: arg all int[64] = -1
//: arg n int = 130
//: expect out = i < n ? i : -1
//: expect all = i * 4 + 3 < n ? i : -1
kernel void and_more(global int *out, global int *all, int n)
{
    int id = get_global_id(0), first = id * 4;
    for (int x = first; x < first + 4; x++) {
        if (x >= n) return;
        out[x] = x;
    }
    all[id] = id;
}

// Returns in a loop within a loop, and where an `else` follows.
//: test returned_within
//: global 64
//: local 64
//: arg out int[256] = 0
//: arg n int = 100
//: expect out = i / 4 % 2 ? -1 : i < n ? 6 : i % 4 == 0 && i - n < 4 ? 3 : 0
kernel void returned_within(global int *out, int n)
{
    int id = get_global_id(0), first = id * 4;
    if (id % 2 == 0) {
        for (int x = first; x < first + 4; x++)
            for (int k = 0; k < 4; k++) {
                if (x >= n && k == 3) return;
                if (x < n + 4) out[x] += k;
            }
    } else {
        for (int x = first; x < first + 4; x++) out[x] = -1;
    }
}

// Each lane has a bound of its own.
//: test own_bounds
//: global 64
//: local 64
//: arg out int[256] = -1
//: arg ends int[64] = i % 8 == 5 ? i * 4 + i % 5 : 1000
//: expect out = i / 4 % 8 != 5 || i % 4 < i / 4 % 5 ? i + 1 : -1
kernel void own_bounds(global int *out, global const int *ends)
{
    int id = get_global_id(0), first = id * 4, n = ends[id];
    for (int x = first; x < first + 4 && x < n; x++) out[x] = x + 1;
}

// Lanes that are off: odd ones, and behind a guard.
//: test odd
//: global 64
//: local 64
//: arg out int[256] = -1
//: expect out = i / 4 % 2 ? i : -1
kernel void odd(global int *out)
{
    int id = get_global_id(0);
    if (id % 2)
        for (int x = id * 4; x < id * 4 + 4; x++) out[x] = x;
}

//: test guarded
//: global 96
//: local 96
//: arg out short[480] = -1
//: arg in int[480] = i
//: arg n int = 77
//: expect out = i < n * 5 ? in[i] * 2 : -1
kernel void guarded(global short *out, global const int *in, int n)
{
    int id = get_global_id(0);
    if (id >= n) return;
    for (int x = id * 5; x < id * 5 + 5; x++) out[x] = in[x] * 2;
}

// From the last element of each run to the first one; the order matters where that is the next one's.
//: test down
//: global 64
//: local 64
//: arg out int[512] = -1
//: arg in float[512] = i
//: expect out = i * 2
kernel void down(global int *out, global const float *in)
{
    int first = get_global_id(0) * 8;
    for (int x = first + 7; x >= first; x--) out[x] = (int)in[x] * 2;
}

//: test down_to_bound
//: global 64
//: local 64
//: arg out int[256] = -1
//: arg n int = 77
//: expect out = i >= n ? i : -1
kernel void down_to_bound(global int *out, int n)
{
    int first = get_global_id(0) * 4;
    for (int x = first + 3; x >= first && x >= n; x--) out[x] = x;
}

//: test down_over
//: global 64
//: local 64
//: arg out int[257] = -1
//: expect out = i == 0 ? 0 : i % 4 ? i : i < 256 ? i : 256
kernel void down_over(global int *out)
{
    int first = get_global_id(0) * 4;
    for (int x = first + 3; x >= first; x--) {
        out[x] = x;
        out[x + 1] = x + 1;
    }
}

// Counters that are read behind their loop, of lanes that leave it at different places.
//: test read_later
//: global 64
//: local 64
//: arg out int[256] = -1
//: arg ends int[64] = -1
//: arg n int = 201
//: expect out = i < n ? i : -1
//: expect ends = i * 4 + 4 < n ? i * 4 + 4 : i * 4 < n ? n : i * 4
kernel void read_later(global int *out, global int *ends, int n)
{
    int id = get_global_id(0), first = id * 4, x = first;
    for (; x < first + 4 && x < n; x++) out[x] = x;
    ends[id] = x;
}

// In rows, of which the last run is shorter, and along columns.
//: test rows
//: global 16 20
//: local 16 4
//: arg out int[500] = -1
//: arg a float[25] = i
//: arg b float[20] = i * 100
//: arg w int = 25
//: arg h int = 20
//: expect out = i % 25 + i / 25 * 100
kernel void rows(global int *out, global const float *a, global const float *b, int w, int h)
{
    int first = get_global_id(0) * 3, y = get_global_id(1);
    if (y < h)
        for (int x = first; x < first + 3 && x < w; x++) out[y * w + x] = (int)(a[x] + b[y]);
}

//: test wrapped
//: global 32 16
//: local 16 16
//: arg out int[2048] = -1
//: arg in int[2048] = i * 3
//: arg w int = 128
//: expect out = in[i / 128 * 128 + (i + 1) % 128] - in[i / 128 * 128 + (i + 127) % 128]
kernel void wrapped(global int *out, global const int *in, int w)
{
    int first = get_global_id(0) * 4, y = get_global_id(1);
    for (int x = first; x < first + 4; x++)
        out[y * w + x] = in[y * w + (x + 1) % w] - in[y * w + (x + w - 1) % w];
}

// It is stepped before the element is done.
//: test before
//: global 64
//: local 64
//: arg out int[256] = -1
//: arg in int[256] = i * 3
//: expect out = in[i] + 1
kernel void before(global int *out, global const int *in)
{
    int first = get_global_id(0) * 4;
    for (int x = first + 4; x-- > first;) out[x] = in[x] + 1;
}

//: test later_down
//: global 64
//: local 64
//: arg out int[320] = -1
//: arg n int = 100
//: expect out = i % 5 == 4 || i > n ? i : -1
kernel void later_down(global int *out, int n)
{
    int first = get_global_id(0) * 5, x = first + 4;
    do {
        out[x] = x;
    } while (--x >= first && x > n);
}

// Every second one, up to a bound that is included.
//: test stepped
//: global 64
//: local 64
//: arg out int[512] = -1
//: arg n int = 431
//: expect out = i % 2 == 0 && i <= n ? i : -1
kernel void stepped(global int *out, int n)
{
    int first = get_global_id(0) * 8;
    for (int x = first; x < first + 8 && x <= n; x += 2) out[x] = x;
}

// Two bounds.
//: test nothing
//: global 64
//: local 64
//: arg out int[256] = -1
//: arg n int = 250
//: arg m int = 203
//: expect out = i < n && i < m ? i : -1
kernel void nothing(global int *out, int n, int m)
{
    int first = get_global_id(0) * 4, e = first + 4;
    for (int x = first; x < e && x < n && x < m; x++) out[x] = x;
}

// In place.
//: test inplace
//: global 64
//: local 64
//: arg a int[260] = i
//: arg n int = 201
//: expect a = i < n ? i * 2 : i
kernel void inplace(global int *a, int n)
{
    int first = get_global_id(0) * 4;
    for (int x = first; x < first + 4; x++) {
        if (x >= n) return;
        a[x] = a[x] + a[x];
    }
}

// With regions in an iteration, and elements of two sizes.
//: test parts
//: global 64
//: local 64
//: arg out float[256] = -1
//: arg m uchar[256] = i * 37
//: arg a float[256] = i
//: expect out = m[i] > 128 ? i * 2 : i
kernel void parts(global float *out, global const uchar *m, global const float *a)
{
    int first = get_global_id(0) * 4;
    for (int x = first; x < first + 4; x++) {
        float r = a[x];
        if (m[x] > 128) {
            float t = a[x > 0 ? x - 1 : 0] + a[x < 255 ? x + 1 : 255];
            r = t == 2 * a[x] || x == 0 || x == 255 ? 2 * a[x] : 0;
        }
        out[x] = r;
    }
}
