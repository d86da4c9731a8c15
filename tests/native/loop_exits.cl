// Loops that lanes leave at several places: some lanes before others, one in a group, none; what an iteration has changed before it is left is as it was when the iteration is made again.
//: test until
//: global 192
//: local 96
//: arg out int[192] = -5
//: arg in int[6144] = i % 7 + (i % 192 == 50 && i / 192 == 9 ? 1000 : 0)
//: arg n int 31
//: expect out = 0
__kernel void until(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0), s = i % 3, k, same = i % 3, on = 1, at = n;
    float t = 1, u = 1;
    for (k = 0; k < n; k++) {
        int v = in[k * 192 + i];
        s += v;
        t = t * 0.5f + s;
        if (s > 500)
            break;
        s -= v / 4;
    }
    for (int m = 0; m < n; m++) {
        int v = in[m * 192 + i];
        same += on ? v : 0;
        u = on ? u * 0.5f + same : u;
        at = on && same > 500 ? m : at;
        on = on && same <= 500;
        same -= on ? v / 4 : 0;
    }
    out[i] = (s != same) + (k != at) * 2 + (t != u) * 4;
}

// A limit of each work-item's own, and what follows it stores.
//: test valid
//: global 192
//: local 64
//: arg out int[6144] = -5
//: arg in int[6144] = i * 7 % 1000
//: arg most int[192] = i % 64 == 63 ? 998 : 999
//: arg n int 31
//: expect out = 0
__kernel void valid(__global int *out, __global const int *in, __global const int *most, int n)
{
    int i = get_global_id(0), last = -1, on = 1;
    for (int k = 0; k < n; k++) {
        int v = in[k * 192 + i];
        if (v < 0)
            return;
        if (v > most[i])
            break;
        last = k;
        out[k * 192 + i] = v;
    }
    for (int k = 0; k < 32; k++) {
        int v = k < n ? in[k * 192 + i] : -5;
        on = on && k < n && v <= most[i];
        int want = on ? v : -5;
        if (on && k > last)
            want = -7;
        out[k * 192 + i] -= want;
    }
}

// Left at the end of an iteration, and by one work-item alone in the first one.
//: test ends
//: global 128
//: local 128
//: arg out int[128] = -5
//: arg in int[1280] = i == 77 || i / 128 == 8 ? 9 : i % 5
//: arg n int 10
//: expect out = i == 77 ? 9 : 208
__kernel void ends(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0), k = 0, s = 0, v;
    do {
        v = in[k * 128 + i];
        s = k ? s + 25 : v;
        k++;
    } while (v != 9 && k < n);
    out[i] = i == 77 ? s : s - in[i] + 8;
}
