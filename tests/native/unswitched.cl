// Guards that loops ask for in each iteration and do not change: the loops are there without them, for lanes that pass.

//: test left_at_once
//: global 64 24
//: local 32 8
//: arg out int[1200] = -1
//: arg in int[1200] = i % 7
//: arg w int 50
//: arg h int 21
//: expect out = i < 1050 ? 7 * (i / 50 * 2 + i % 50) + 21 : -1
__kernel void left_at_once(__global int *out, __global const int *in, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0;
    bool is_in = x < w && y < h;
    for (int k = 0; is_in && k < 7; k++)
        sum += in[k] + y * 2 + x;
    if (is_in)
        out[y * w + x] = sum;
}

// Conditions by themselves, and what the loop has counted is wanted of all lanes.
//: test counted
//: global 64 24
//: local 32 8
//: arg out int[1536] = -1
//: arg in int[32] = i % 7
//: arg w int 50
//: arg h int 21
//: arg n int 9
//: expect out = i % 64 < 50 && i / 64 < 21 ? 9 * 1000 + 22 : i % 64 < 60 ? 0 : 7
__kernel void counted(__global int *out, __global const int *in, int w, int h, int n)
{
    int x = get_global_id(0), y = get_global_id(1), k = 0, sum = 0;
    while (k < n && x < w && y < h) {
        sum += in[k];
        k++;
    }
    out[y * 64 + x] = x >= w && x >= 60 ? 7 : k * 1000 + sum;
}

// The loop does something before it is left, and is entered by all lanes.
//: test first_part
//: global 96
//: local 32
//: arg out int[96] = -1
//: arg in int[128] = i
//: arg n int 77
//: arg m int 5
//: expect out = i < 77 ? 5 * i + 10 : i * 100
__kernel void first_part(__global int *out, __global const int *in, int n, int m)
{
    int i = get_global_id(0), sum = 0;
    bool off = i >= n;
    for (int k = 0; k < m; k++) {
        out[i] = in[i] * 100;
        if (off)
            break;
        sum += in[i + k];
    }
    if (!off)
        out[i] = sum;
}

// Loads by what is known of both dimensions, each for itself; other lanes go round as well.
//: test loads
//: global 64 24
//: local 32 8
//: arg out int[1536] = -1
//: arg in int[2000] = i % 5
//: arg w int 50
//: arg h int 21
//: arg n int 10
//: expect out = (i / 64 < 21 ? 20 : -10) * 100 + (i % 64 < 50 ? 20 : 30)
__kernel void loads(__global int *out, __global const int *in, int w, int h, int n)
{
    int x = get_global_id(0), y = get_global_id(1), a = 0, b = 0;
    for (int k = 0; k < n; k++) {
        a += y < h ? in[y * 50 + k] : -1;
        b += x < w ? in[k * 51 + x] : 3;
    }
    out[y * 64 + x] = a * 100 + b;
}

// Bounds and places that are selected by a guard, which are wanted behind the loop, too, in a loop around it.
//: test selected
//: global 64 4
//: local 32 4
//: arg out int[256] = -1
//: arg in int[256] = i % 64
//: arg w int 50
//: arg n int 6
//: expect out = i % 64 < 50 ? 3 * 6 * (i % 64) + 6 + i % 64 + (i % 64 < 48 ? 5 : 3) : 9
__kernel void selected(__global int *out, __global const int *in, int w, int n)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0, at = 0, m = 0;
    for (int j = 0; j < 3; j++) {
        bool on = x < w;
        at = on ? x : 3;
        m = on ? n : 0;
        int from = at;
        for (int k = 0; k < m; k++) {
            sum += in[from];
            from += 64 * (k % 2 ? -1 : 1);
        }
    }
    if (x >= w)
        sum = 6;
    out[y * 64 + x] = sum + m + at + (x < w ? x < w - 2 ? 5 : 3 : 0);
}

// Iterations that a guard leaves out, with its opposite behind them, and a counter that goes on.
//: test left_out
//: global 96
//: local 32
//: arg out int[96] = -1
//: arg in int[128] = i
//: arg n int 77
//: arg m uint 8
//: expect out = i < 77 ? 8 * i + 28 + 8 : 8
__kernel void left_out(__global int *out, __global const int *in, int n, uint m)
{
    int i = get_global_id(0), sum = 0;
    uint k;
    for (k = 0; k < m; k++) {
        if (i >= n)
            continue;
        sum += in[i + k];
    }
    out[i] = k;
    if (i < n)
        out[i] = sum + k;
}

// A guard by what changes in a loop around it.
//: test padded
//: global 64 16
//: local 32 8
//: arg out int[1024] = -1
//: arg in int[1024] = 1
//: arg w int 60
//: arg h int 13
//: expect out = (i % 64 < 60 ? (i % 64 == 0 ? 3 : 4) - (i % 64 == 59 ? 2 : i % 64 == 58 ? 1 : 0) : i % 64 == 60 ? 1 : 0) * (i / 64 < 13 ? (i / 64 == 0 ? 2 : 3) - (i / 64 == 12 ? 1 : 0) : i / 64 == 13 ? 1 : 0)
__kernel void padded(__global int *out, __global const int *in, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0, last = w / 60 + 1;
    for (int j = -1; j <= 1; j++) {
        int row = y + j;
        for (int k = -1; k <= last; k++) {
            int at = x + k;
            if (row >= 0 && row < h && at >= 0 && at < w)
                sum += in[row * 64 + at];
        }
    }
    out[y * 64 + x] = sum;
}

// A flag that is a number.
//: test number
//: global 64 24
//: local 32 8
//: arg out int[1200] = -1
//: arg in int[1200] = i % 7
//: arg w int 50
//: arg h int 21
//: arg n int 7
//: expect out = i < 1050 ? 7 * (i / 50 * 2 + i % 50) + 21 : -1
__kernel void number(__global int *out, __global const int *in, int w, int h, int n)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0, is_in = (x < w) * (y < h);
    for (int k = 0; is_in && k < n; k++)
        sum += in[k] + y * 2 + x;
    if (is_in)
        out[y * w + x] = sum;
}

// One guard is made of what another one chooses.
//: test chosen_bound
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[64] = 1000
//: arg n int 0
//: arg k int 3
//: expect out = i
__kernel void chosen_bound(__global int *out, __global const int *in, int n, int k)
{
    int id = get_global_id(0), x = id % 10, sum = id;
    for (int i = 0; i < (x < k ? n : 2); i++) {
        if (x < k)
            sum += in[i];
        break;
    }
    out[id] = sum;
}
