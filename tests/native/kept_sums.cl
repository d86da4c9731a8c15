// Sums that are kept in memory: in a register meanwhile, and stored once where nobody else can be in that memory.

//: test product
//: global 64 8
//: local 16 8
//: arg out int[512] = -1
//: arg a int[80] = i
//: arg b int[640] = i * 3
//: arg n int 10
//: expect out = 3 * (10 * (i / 64) * (64 * 45 + 10 * (i % 64)) + 64 * 285 + 45 * (i % 64))
__kernel void product(__global int *out, __global const int *a, __global const int *b, int n)
{
    int x = get_global_id(0), y = get_global_id(1), at = y * 64 + x;
    out[at] = 0;
    for (int k = 0; k < n; k++)
        out[at] += a[y * n + k] * b[k * 64 + x];
}

// Added to twice: what both load is loaded once while the sum is in a register.
//: test both
//: global 64 8
//: local 16 8
//: arg out int[512] = 5
//: arg a int[640] = i
//: arg n int 10
//: expect out = 10 + 3 * (1000 * (i / 64) * (i % 64) + 450 * (i / 64 + i % 64) + 285)
__kernel void both(__global int *out, __global const int *a, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[y * 64 + x] *= 2;
    for (int k = 0; k < n; k++) {
        out[y * 64 + x] += a[y * n + k] * a[x * n + k];
        out[y * 64 + x] += 2 * a[x * n + k] * a[y * n + k];
    }
}

// Without a loop.
//: test taps
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg in int[130] = i
//: expect out = 3 * i + 3
__kernel void taps(__global int *out, __global const int *in)
{
    int i = get_global_id(0);
    out[i] = in[i];
    out[i] += in[i + 1];
    out[i] += in[i + 2];
}

// What has been stored is read by another way.
//: test looked_at
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg seen int[256] = -1
//: arg at int[64] = i
//: expect out = i + 6
//: expect seen = i % 4 * (i % 4 + 1) / 2 + i / 4
__kernel void looked_at(__global int *out, __global int *seen, __global const int *at)
{
    int i = get_global_id(0), same = at[i];
    out[i] = i;
    for (int k = 0; k < 4; k++) {
        out[i] += k;
        seen[i * 4 + k] = out[same];
    }
}

// Loops in loops, which lanes leave at different places, and sums that not all add to.
//: test nested
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg in int[128] = i % 7
//: expect out = i % 3 == 1 ? 1000 : 1000 + 2 * (i % 7 < 4 ? i % 7 : 4) * (i % 7) + 2 * 100 * (i % 7 < 5)
__kernel void nested(__global int *out, __global const int *in)
{
    int i = get_global_id(0), steps = in[i];
    out[i] = 1000;
    for (int k = 0; k < 2; k++) {
        if (i % 3 == 1)
            break;
        for (int n = 0; n < steps; n++) {
            if (n == 4)
                break;
            out[i] += in[i];
        }
        if (steps >= 5)
            continue;
        out[i] += 100;
    }
}

// A store behind a jump does not follow for those that have jumped; nor does one of another part.
//: test parted
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg in int[128] = i % 5
//: expect out = i % 5 == 0 ? 1 : i % 5 == 1 ? 2 : i % 5 == 2 ? 4 : 5
__kernel void parted(__global int *out, __global const int *in)
{
    int i = get_global_id(0), v = in[i];
    out[i] = 1;
    do {
        if (v == 0)
            break;
        out[i] = 2;
        if (v == 1)
            break;
        if (v == 2)
            out[i] = 4;
        else
            out[i] = 5;
    } while (in[i] < 0);
}

// Neighbours read the sums behind a barrier.
//: test met
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg in int[64] = i
//: expect out = 63
__kernel void met(__global int *out, __global const int *in)
{
    int i = get_global_id(0);
    out[i] = in[i];
    barrier(CLK_GLOBAL_MEM_FENCE);
    int other = out[63 - i];
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = in[i];
    out[i] += other;
}

// Several sums of one loop: in buffers of their own, beside each other, and with one that cannot be told apart.
//: test several
//: global 96
//: local 48
//: arg a int[96] = -1
//: arg b int[192] = -1
//: arg in int[96] = i % 11
//: arg n int 9
//: expect a = 5 + 9 * (i % 11)
//: expect b = i % 2 ? 36 - (i / 2 % 11) * 9 : 36 * (i / 2 % 11)
__kernel void several(__global int *a, __global int *b, __global const int *in, int n)
{
    int i = get_global_id(0);
    a[i] = 5;
    b[2 * i] = 0;
    b[2 * i + 1] = 0;
    for (int k = 0; k < n; k++) {
        a[i] += in[i];
        b[2 * i] += k * in[i];
        b[2 * i + 1] += k - in[i];
    }
}

//: test neighbours
//: global 64
//: local 64
//: arg a int[65] = 1
//: arg out int[64] = -1
//: arg n int 6
//: expect out = i < 63 ? 6 * (1 + i) : 6
__kernel void neighbours(__global int *a, __global int *out, int n)
{
    int i = get_global_id(0), from = i == 63 ? 64 : 0;
    out[i] = 0;
    for (int k = 0; k < n; k++) {
        out[i] += a[from] + i % 63;
        if (i == 63) a[64] = out[i] * 0 + 1;
    }
}

// What has been loaded is wanted behind the next sum; what is stored, besides.
//: test wanted
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg other int[64] = -1
//: arg in int[64] = i
//: arg n int 4
//: expect out = 16 + 15 * i
//: expect other = 16 + 16 * i
__kernel void wanted(__global int *out, __global int *other, __global const int *in, int n)
{
    int i = get_global_id(0), last = 0, step = in[i];
    out[i] = 1;
    for (int k = 0; k < n; k++) {
        int was = out[i], sum = was + was + step;
        out[i] = sum;
        last = sum + was * (k == 3) + (k == 3 ? step : 0);
    }
    other[i] = last - out[i] + 8 * (1 + i);
}

// A counter that has begun before, and one that is wanted behind the loop.
//: test counted
//: global 64 4
//: local 16 4
//: arg out int[256] = -1
//: arg ends int[256] = -1
//: arg in int[2048] = i % 5
//: arg n int 8
//: expect out = (8 * i) % 5 + (8 * i + 1) % 5 + (8 * i + 2) % 5 + (8 * i + 3) % 5 + (8 * i + 4) % 5 + (8 * i + 5) % 5 + (8 * i + 6) % 5 + (8 * i + 7) % 5
//: expect ends = 8
__kernel void counted(__global int *out, __global int *ends, __global const int *in, int n)
{
    int x = get_global_id(0), y = get_global_id(1), i = y * 64 + x, k = 0;
    __global const int *p = in + i * n;
    out[i] = 0;
    while (k < n) {
        out[i] += *p++;
        k++;
    }
    ends[i] = k;
}

// In one of two buffers: whether another argument is in it is not known.
//: test chosen
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg other int[64] = -2
//: arg in int[64] = i
//: arg n int 5
//: expect out = n * i
//: expect other = -2
__kernel void chosen(__global int *out, __global int *other, __global const int *in, int n)
{
    int i = get_global_id(0);
    __global int *to = n > 0 ? out : other;
    to[i] = 0;
    for (int k = 0; k < n; k++)
        to[i] += in[i];
}

// Beside what is read by a pointer to constant memory.
//: test weighted
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg in int[64] = i
//: arg weights int[5] = i + 1
//: expect out = 15 * i
__kernel void weighted(__global int *out, __global const int *in, __constant int *weights)
{
    int i = get_global_id(0);
    out[i] = 0;
    for (int k = 0; k < 5; k++)
        out[i] += in[i] * weights[k];
}

// The greatest number so far, by one if after the other and in a loop: of another buffer, and of the same, where what is
// stored is what others of the same work-item read.
//: test greatest
//: global 64
//: local 64
//: arg out uchar[320] = 9
//: arg in uchar[320] = i * 37
//: arg n int 5
//: expect out = i >= 64 ? 9 : (max(max(max(i * 37 % 256, (i + 64) * 37 % 256), max((i + 128) * 37 % 256, (i + 192) * 37 % 256)), (i + 256) * 37 % 256))
//: test greatest_same
//: kernel greatest
//: global 64
//: local 64
//: arg out uchar[320] = i + 1
//: arg in same out
//: arg n int 5
//: expect out = i == 63 ? 192 : i < 64 ? i + 193 : (i + 1) % 256
__kernel void greatest(__global uchar *out, __global const uchar *in, int n)
{
    int i = get_global_id(0);
    out[i] = 0;
    if (in[i] > out[i])
        out[i] = in[i];
    if (in[i + 64] > out[i])
        out[i] = in[i + 64];
    if (in[i + 128] > out[i])
        out[i] = in[i + 128];
    for (int k = 3; k < n; k++)
        if (in[i + 64 * k] > out[i])
            out[i] = in[i + 64 * k];
}

// Ifs one after the other, and no loop.
//: test largest
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg in int[66] = i * 37 % 23
//: expect out = i * 37 % 23 > (i + 1) * 37 % 23 ? (i * 37 % 23 > (i + 2) * 37 % 23 ? i * 37 % 23 : (i + 2) * 37 % 23) : (i + 1) * 37 % 23 > (i + 2) * 37 % 23 ? (i + 1) * 37 % 23 : (i + 2) * 37 % 23
__kernel void largest(__global int *out, __global const int *in)
{
    int i = get_global_id(0);
    out[i] = in[i];
    if (in[i + 1] > out[i]) out[i] = in[i + 1];
    if (in[i + 2] > out[i]) out[i] = in[i + 2];
}

// Stored twice before the loop that adds to it.
//: test begun_twice
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg in int[74] = i
//: arg n int 10
//: expect out = 11 * i + 45
__kernel void begun_twice(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0);
    out[i] = 0;
    out[i] = in[i];
    for (int k = 0; k < n; k++)
        out[i] += in[i + k];
}
