// What both parts of an if compute, load or store alike is done once, and what is left becomes selects.

//: test leaky
//: global 200
//: local 40
//: arg out float[200] = 9
//: arg in float[200] = i % 7 - 3
//: arg by float 0.5
//: expect out = in[i] > 0 ? in[i] : in[i] * 0.5
kernel void leaky(global float *out, global const float *in, float by) {
    int i = get_global_id(0);
    float x = in[i];
    if (x > 0)
        out[i] = x;
    else
        out[i] = x * by;
}

//: test threshold
//: global 256
//: local 64
//: arg out float[256] = 9
//: arg in float[256] = i % 7 - 3
//: arg n int 230
//: expect out = i >= 230 ? 9 : in[i] > 1 ? 1 : in[i] < -1 ? -1 : 0
kernel void threshold(global float *out, global const float *in, int n) {
    int i = get_global_id(0);
    if (i < n) {
        if (in[i] > 1)
            out[i] = 1;
        else if (in[i] < -1)
            out[i] = -1;
        else
            out[i] = 0;
    }
}

//: test order
//: global 64
//: local 64
//: arg keys uint[128] = i * 2654435761 >> 8
//: arg stride uint 4
//: arg up uint 16
//: expect keys = i & 4 ? (i & 16 ? min(i * 2654435761 >> 8, (i - 4) * 2654435761 >> 8) : max(i * 2654435761 >> 8, (i - 4) * 2654435761 >> 8)) : i & 16 ? max(i * 2654435761 >> 8, (i + 4) * 2654435761 >> 8) : min(i * 2654435761 >> 8, (i + 4) * 2654435761 >> 8)
kernel void order(global uint *keys, uint stride, uint up) {
    uint i = get_global_id(0), low = (i & ~(stride - 1)) * 2 + (i & (stride - 1)), high = low + stride;
    uint a = keys[low], b = keys[high];
    if (low & up) {
        keys[low] = max(a, b);
        keys[high] = min(a, b);
    } else {
        keys[low] = min(a, b);
        keys[high] = max(a, b);
    }
}

// Not all: what is loaded stays where it is, and so do stores with a load behind them.
//: test partly
//: global 128
//: local 64
//: arg out int[256] = 9
//: arg a int[256] = i * 3
//: arg b int[128] = i * 5
//: expect out = i >= 128 ? (i - 128 & 1 ? 9 : a[i]) : i & 1 ? b[i / 2] + 1 : i * 3 + 7
kernel void partly(global int *out, global const int *a, global const int *b) {
    int i = get_global_id(0);
    if (i & 1) {
        out[i] = b[i / 2] + 1;
    } else {
        out[i + 128] = a[i + 128];
        out[i] = a[i] + 7;
    }
}

//: test components
//: global 64
//: local 32
//: arg out int[256] = 9
//: arg in int[256] = i
//: expect out = i / 4 % 3 ? in[i] * 2 : -in[i]
kernel void components(global int4 *out, global const int4 *in) {
    int i = get_global_id(0);
    if (i % 3)
        out[i] = in[i] * 2;
    else
        out[i] = -in[i];
}

// A part that is left early loads nothing.
//: test left
//: global 64
//: local 64
//: arg out int[64] = 9
//: arg in int[32] = i
//: expect out = i >= 32 ? 9 : i & 1 ? i : i + 1
kernel void left(global int *out, global const int *in) {
    int i = get_global_id(0);
    if (i & 1) {
        if (i >= 32) return;
        out[i] = in[i];
    } else {
        if (i >= 32) return;
        out[i] = in[i] + 1;
    }
}

// Both store there, but not at the same address.
//: test elsewhere
//: global 64
//: local 64
//: arg out int[128] = 9
//: expect out = i & 1 ? 9 : i / 2 & 1 ? 1 : 2
kernel void elsewhere(global int *out) {
    int i = get_global_id(0), at = i;
    if (i & 1) {
        at += i;
        out[at] = 1;
    } else {
        at = i * 2;
        out[at] = 2;
    }
}

// Both store the same, but for one of two words.
//: test the_same
//: global 64
//: local 64
//: arg out int[128] = 9
//: expect out = i & 1 ? i / 2 : i & 2 ? 5 : 6
kernel void the_same(global int *out) {
    int i = get_global_id(0);
    if (i & 1) {
        out[2 * i] = 5;
        out[2 * i + 1] = i;
    } else {
        out[2 * i] = 6;
        out[2 * i + 1] = i;
    }
}

// A fault is told as if each part had stored on its own: by the lane and line that come first.
//: test wild
//: global 64
//: local 64
//: arg out int[64] = 0
//: arg far int 100000000
//: fault line 151, work-item global (8,0,0)
kernel void wild(global int *out, int far) {
    int i = get_global_id(0), at = i == 3 || i == 8 ? far : i;
    if (i > 5)
        out[at] = 1;
    else
        out[at] = 2;
}
