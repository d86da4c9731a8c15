// Bodies with a guard round them, which warps pass as a whole, in part or not at all.

//: test transposed
//: global 64 48
//: local 16 16
//: arg out int[2400] = -1
//: arg in int[2400] = i * 3
//: arg w int 60
//: arg h int 40
//: expect out = i / 40 < 60 ? (i % 40 * 60 + i / 40) * 3 : -1
__kernel void transposed(__global int *out, __global const int *in, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < w && y < h)
        out[x * h + y] = in[y * w + x];
}

//: test returns
//: global 64 48
//: local 16 16
//: arg out int[2400] = -1
//: arg in int[2400] = i * 3
//: arg w int 60
//: arg h int 40
//: expect out = i / 40 < 60 ? (i % 40 * 60 + i / 40) * 3 : -1
__kernel void returns(__global int *out, __global const int *in, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w)
        return;
    int from = y * w + x;
    if (y >= h) {
        out[0] = in[0];
        return;
    }
    out[x * h + y] = in[from];
}

// A guard in a guard, with another part, and loops that lanes leave one by one.
//: test nested
//: global 256
//: local 128
//: arg out int[256] = -1
//: arg in int[512] = i % 256
//: arg n int 250
//: expect out = i >= 250 ? -1 : i > 0 && i < 249 ? i * 2 + (i % 7 < 5 ? i % 7 : 5) + (i % 3 ? 0 : 100) : 1000 + i
__kernel void nested(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0), steps = 0;
    if (i < n) {
        if (i > 0 && i < n - 1) {
            int sum = in[i - 1] + in[i + 1];
            while (1) {
                if (steps == i % 7)
                    break;
                steps++;
                if (steps == 5)
                    break;
            }
            if (i % 3 == 0)
                sum += 100;
            out[i] = sum + steps;
        } else {
            out[i] = in[i] + 1000;
        }
    }
}

// Loops that count for all warps in the guard, and go on with what they have behind it.
//: test counting
//: global 192
//: local 64
//: arg out int[192] = -1
//: arg in int[1920] = i % 192
//: arg n int 130
//: arg rounds int 10
//: expect out = i < 130 ? i * 10 + 45 + 1000 : i + 1000
__kernel void counting(__global int *out, __global const int *in, int n, int rounds)
{
    int i = get_global_id(0), sum = i, k = 0;
    if (i < n) {
        sum = 0;
        for (k = 0; k < rounds; k++)
            sum += in[k * 192 + i] + k;
    }
    out[i] = sum + 1000;
}

// A guard in a loop that all make, of which each time other lanes pass.
//: test moving
//: global 128
//: local 64
//: arg out int[128] = 0
//: arg in int[128] = i
//: arg n int 4
//: expect out = (i < 32 ? 1 : i < 64 ? 2 : i < 96 ? 3 : 4) * i
__kernel void moving(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0);
    for (int k = 1; k <= n; k++)
        if (i >= (k - 1) * 32)
            out[i] += in[i];
}

// The larger part is the one that is not guarded by what is asked.
//: test otherwise
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg in int[128] = i * 5
//: arg at int 77
//: expect out = i == 77 ? 7 : i * 11
__kernel void otherwise(__global int *out, __global const int *in, int at)
{
    int i = get_global_id(0);
    if (i == at) {
        out[i] = 7;
    } else {
        int v = in[i], u = in[i] + i;
        out[i] = v + u;
    }
}

// Lanes that have returned are not waited for.
//: test barriers
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg in int[128] = i
//: expect out = i % 64 < 60 ? i / 64 * 64 + 63 - i % 64 : -1
__kernel void barriers(__global int *out, __global const int *in)
{
    __local int part[64];
    int own = get_local_id(0), i = get_global_id(0);
    part[own] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own >= 60)
        return;
    out[i] = part[63 - own];
}

// Values that differ behind a guard that only some warps have passed.
//: test behind
//: global 128
//: local 128
//: arg out int[128] = -1
//: arg in int[128] = i
//: arg n int 64
//: expect out = i < 64 ? i + 64 : i + 3
__kernel void behind(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0), add = 3;
    if (i < n) {
        add = n;
        out[i] = in[i];
    }
    out[i] = in[i] + add;
}

// What is guarded is long: a loop that is written out, with accesses at both edges.
//: test long_body
//: global 1008 512
//: local 16 16
//: arg out int[505000] = -1
//: arg in int[505000] = i % 7
//: arg w int 1000
//: arg h int 505
//: expect out = (i % 1000 < 5 || i % 1000 > 993 ? 0 : 1) * ((i + 2) % 7 + (i + 3) % 7 + (i + 4) % 7 + (i + 5) % 7 + (i + 6) % 7 + i % 7 + (i + 1) % 7) + (i % 1000 < 5 || i % 1000 > 993 ? 1 : 0) * -5 + i / 1000
__kernel void long_body(__global int *out, __global const int *in, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < w && y < h) {
        int sum = 0, all = 0;
        for (int k = 0; k < 7; k++) {
            int at = min(max(x + k - 5, 0), w - 1), row = min(max(y + k - 2, 0), h - 1);
            sum += in[y * w + at];
            all += in[row * w + x] < 7 ? 1 : 100;
        }
        out[y * w + x] = (x < 5 || x > w - 7 ? -5 : sum) + y + all - 7;
    }
}

// Some lanes of a bundle do not pass, nor some whole warps, and the body has a loop that all leave together: they go
// through it in lockstep.
//: test together
//: global 256 4
//: local 256 1
//: arg out int[812] = -1
//: arg a int[64] = i
//: arg b int[3248] = 3 * i
//: arg w int 203
//: arg n int 16
//: expect out = 3 * (203 * (1240 + 120 * (i / 203) * 16) + (i % 203) * (120 + 16 * 16 * (i / 203)))
__kernel void together(__global int *out, __global const int *a, __global const int *b, int w, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < w) {
        int sum = 0;
        for (int k = 0; k < n; k++)
            sum += a[y * n + k] * b[k * w + x];
        out[y * w + x] = sum;
    }
}

// A guard that each warp passes as a whole or not at all, what lies between, and a guard that some lanes pass.
//: test rows_and_columns
//: global 64 24
//: local 32 8
//: arg out int[2000] = -1
//: arg in int[2000] = i % 7
//: arg w int 50
//: arg h int 21
//: expect out = i / 50 < 21 && i < 1050 ? i / 50 * 50 % 7 * 2 + 50 * (i % 50 % 7) : -1
__kernel void rows_and_columns(__global int *out, __global const int *in, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (y < h) {
        int first = in[y * w];
        if (x < w) {
            int sum = first * 2;
            for (int k = 0; k < w; k++)
                sum += in[k % 7 * 7 + x];
            out[y * w + x] = sum;
        }
    }
}

// A warp of which no lane passes goes through the loop with the other one; bytes are stored lane by lane.
//: test lone_bytes
//: global 64
//: local 64
//: arg on uchar[64] = i < 21 && i % 2 == 1 ? 9 : 0
//: arg out uchar[6400] = 7
//: arg m int 3
//: expect out = i / 100 < 21 && i / 100 % 2 == 1 ? i % 100 == 0 ? i / 100 : i % 100 == 1 ? 30 : 7 : 7
kernel void lone_bytes(global const uchar *on, global uchar *out, int m)
{
    int i = get_global_id(0);
    if (!on[i]) return;
    uchar sum = 3;
    for (int k = 0; k < m; k++) sum += on[i];
    out[i * 100] = i;
    out[i * 100 + 1] = sum;
}
