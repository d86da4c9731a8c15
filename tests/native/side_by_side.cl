// Iterations that each go through a loop of their own: several go side by side through it.

// Columns, one for each work-item.
//: test columns
//: global 64
//: local 64
//: arg c int[4096] = -1
//: arg a int[4096] = (i / 64 + 1) * (i % 64)
//: arg b int[4096] = i % 64
//: arg n int 64
//: expect c = (i / 64 + 1) * 2016 * (i % 64)
//: test columns_odd
//: kernel columns
//: global 64
//: local 16
//: arg c int[1369] = -1
//: arg a int[1369] = (i / 37 + 1) * (i % 37)
//: arg b int[1369] = i % 37
//: arg n int 37
//: expect c = (i / 37 + 1) * 666 * (i % 37)
//: test columns_few
//: kernel columns
//: global 64
//: local 64
//: arg c int[9] = -1
//: arg a int[9] = (i / 3 + 1) * (i % 3)
//: arg b int[9] = i % 3
//: arg n int 3
//: expect c = (i / 3 + 1) * 3 * (i % 3)
__kernel void columns(__global int *c, __global const int *a, __global const int *b, int n)
{
    int x = get_global_id(0);
    if (x >= n)
        return;
    for (int y = 0; y < n; y++) {
        int sum = 0;
        for (int k = 0; k < n; k++)
            sum += a[y * n + k] * b[k * n + x];
        c[y * n + x] = sum;
    }
}

// What is stored is what is loaded: each row of c is made of those before. 1 1 2 4 8 ...
//: test of_those_before
//: global 64
//: local 64
//: arg c uint[640] = 1
//: arg a same c
//: arg n int 10
//: arg w int 64
//: expect c = i / 64 ? 1 << i / 64 - 1 : 1
__kernel void of_those_before(__global uint *c, __global const uint *a, int n, int w)
{
    int x = get_global_id(0);
    for (int y = 1; y < n; y++) {
        uint sum = 0;
        for (int k = 0; k < y; k++)
            sum += a[k * w + x];
        c[y * w + x] = sum;
    }
}
//: test of_others
//: kernel of_those_before
//: global 64
//: local 64
//: arg c uint[640] = 1
//: arg a uint[640] = i / 64
//: arg n int 10
//: arg w int 64
//: expect c = i / 64 ? (i / 64) * (i / 64 - 1) / 2 : 1

// The same with loops of one length: each row that is made is in the next sum.
//: test in_the_next
//: global 64
//: local 64
//: arg c uint[640] = 1
//: arg a same c
//: arg n int 10
//: arg w int 64
//: expect c = 9 * (1 << i / 64) + 1
//: test in_no_other
//: kernel in_the_next
//: global 64
//: local 64
//: arg c uint[640] = 1
//: arg a uint[640] = 1
//: arg n int 10
//: arg w int 64
//: expect c = 10
__kernel void in_the_next(__global uint *c, __global const uint *a, int n, int w)
{
    int x = get_global_id(0);
    for (int y = 0; y < n; y++) {
        uint sum = 0;
        for (int k = 0; k < n; k++)
            sum += a[k * w + x];
        c[y * w + x] = sum;
    }
}

// The nearest one of several points: the first of those that are as near.
//: test nearest
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg far int[64] = -1
//: arg points int[256] = i / 4 % 11
//: arg means int[44] = i / 4 - i / 4 % 2
//: arg count int 11
//: arg dims int 4
//: expect out = i % 11 - i % 11 % 2
//: expect far = i % 11 % 2 * 4
//: test nearest_few
//: kernel nearest
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg far int[64] = -1
//: arg points int[256] = i / 4 % 3
//: arg means int[12] = i / 4
//: arg count int 3
//: arg dims int 4
//: expect out = i % 3
//: expect far = 0
__kernel void nearest(__global int *out, __global int *far, __global const int *points, __global const int *means,
                      int count, int dims)
{
    int i = get_global_id(0), least = 1 << 30, which = -1;
    for (int m = 0; m < count; m++) {
        int sum = 0;
        for (int d = 0; d < dims; d++) {
            int t = points[i * dims + d] - means[m * dims + d];
            sum += t * t;
        }
        if (sum < least) {
            least = sum;
            which = m;
        }
    }
    out[i] = which;
    far[i] = least;
}

// Two counters, one of which goes down, and what they are afterwards; the row is in private memory.
//: test afterwards
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg c int[640] = -1
//: arg a int[1280] = i % 20
//: arg b int[200] = 1
//: arg n int 10
//: arg w int 20
//: expect c = 190 + i / 64
//: expect out = 10 * 100 - 7
__kernel void afterwards(__global int *out, __global int *c, __global const int *a, __global const int *b, int n, int w)
{
    int row[20], x = get_global_id(0), y = 0, down = 3, last = 0;
    for (int k = 0; k < w; k++)
        row[k] = a[x * w + k];
    for (; y < n; y++, down--) {
        int sum = y;
        for (int k = 0; k < w; k++)
            sum += row[k] * b[y * w + k];
        c[y * 64 + x] = sum;
        last = down;
    }
    out[x] = y * 100 + down + (last - down) - 1;
}

// Left by the first one that is large enough: one iteration after the other.
//: test first_one
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg a int[1024] = 1
//: arg n int 12
//: arg w int 16
//: expect out = i % 12
__kernel void first_one(__global int *out, __global const int *a, int n, int w)
{
    int x = get_global_id(0), y;
    for (y = 0; y < n; y++) {
        int sum = 0;
        for (int k = 0; k < w; k++)
            sum += a[k * 64 + x] * y;
        if (sum >= x % 12 * w)
            break;
    }
    out[x] = y;
}

// In steps of two, downwards, of bytes.
//: test strides
//: global 128
//: local 32
//: arg out uchar[4096] = 255
//: arg in uchar[2048] = i / 128
//: arg w int 128
//: arg h int 32
//: arg n int 16
//: expect out = i / 128 % 2 ? 120 + i / 128 : 255
__kernel void strides(__global uchar *out, __global const uchar *in, int w, int h, int n)
{
    int x = get_global_id(0);
    for (int y = h - 1; y >= 0; y -= 2) {
        uchar sum = y;
        for (int k = 0; k < n; k++)
            sum += in[k * w + x];
        out[y * w + x] = sum;
    }
}

// What some iterations write is read behind the loop.
//: test seldom
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg c int[768] = -1
//: arg a int[1024] = i / 64
//: arg b int[768] = i
//: arg n int 12
//: arg w int 16
//: expect c = 120 + i / 64
//: expect out = i + 64 * 7
__kernel void seldom(__global int *out, __global int *c, __global const int *a, __global const int *b, int n, int w)
{
    int x = get_global_id(0), last = 0, other = 0, more = 0;
    for (int y = 0; y < n; y++) {
        int sum = y;
        for (int k = 0; k < w; k++)
            sum += a[k * 64 + x];
        if (sum % 5 == 2) {
            last = b[y * 64 + x];
            other = last * 3 + sum / 7;
            more = other / 5 + last / 9 + sum / 11;
        }
        c[y * 64 + x] = sum;
    }
    out[x] = last + (other == last * 3 + 127 / 7 ? 0 : 1) + (more == (last * 3 + 127 / 7) / 5 + last / 9 + 127 / 11 ? 0 : 2);
}
