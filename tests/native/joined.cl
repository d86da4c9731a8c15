// An if in an if, and nothing else but what its condition needs, is one of both conditions.
//: test nested
//: global 40 24
//: local 8 8
//: arg out int[800] = -1
//: arg w int 37
//: arg h int 20
//: expect out = i % 40 < 37 ? i * 2 : -1
__kernel void nested(__global int *out, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (y < h) {
        if (x < w)
            out[y * 40 + x] = (y * 40 + x) * 2;
    }
}

//: test returns
//: global 40 24
//: local 8 8
//: arg out int[800] = -1
//: arg w int 37
//: arg h int 20
//: expect out = i % 40 < 37 && i / 40 >= 2 ? i * 2 : -1
__kernel void returns(__global int *out, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w)
        return;
    if (y >= h)
        return;
    if (y < 2)
        return;
    out[y * 40 + x] = (y * 40 + x) * 2;
}

// Of one then what is not of the other; a condition that is computed between; four of them.
//: test both_ways
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg n int 50
//: arg by int 3
//: expect out = i < 50 && i * 5 % 3 != 1 ? i + 1 : -1
//: test both_ways_back
//: kernel back
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg n int 50
//: arg by int 3
//: expect out = i >= 50 && i * 5 % 3 == 1 ? i + 1 : -1
__kernel void both_ways(__global int *out, int n, int by)
{
    int i = get_global_id(0);
    if (i < n) {
        int j = i * 5 % by;
        if (j == 1) {
        } else {
            out[i] = i + 1;
        }
    }
}

__kernel void back(__global int *out, int n, int by)
{
    int i = get_global_id(0);
    if (i < n)
        return;
    int j = i * 5 % by;
    if (j == 1)
        out[i] = i + 1;
}

//: test four
//: global 64
//: local 32
//: arg out int[64] = -1
//: expect out = i > 3 && i < 60 && i % 3 && i % 7 ? i : -1
__kernel void four(__global int *out)
{
    int i = get_global_id(0);
    if (i > 3)
        if (i < 60)
            if (i % 3)
                if (i % 7)
                    out[i] = i;
}

// What stands between is seen behind, before it is written, or in the next iteration; or it loads.
//: test seen
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg n int 50
//: expect out = i < 50 ? i * 3 : 7
__kernel void seen(__global int *out, int n)
{
    int i = get_global_id(0), v = 7;
    if (i < n) {
        v = i * 3;
        if (v > 20)
            out[i] = 1;
    }
    out[i] = v;
}

//: test carried
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg n int 50
//: expect out = i < 50 ? 10 : 2
__kernel void carried(__global int *out, int n)
{
    int i = get_global_id(0), v = 0, w = 2;
    for (int k = 0; k < 10; k++) {
        if (i < n || k < 2) {
            v = v + 1;
            if (v > k)
                w = v;
        }
    }
    out[i] = w;
}

//: test loads
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[50] = i * i
//: arg n int 50
//: expect out = i < 50 && i * i > 100 ? i : -1
__kernel void loads(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        int v = in[i];
        if (v > 100)
            out[i] = i;
    }
}

// Two ifs side by side, an else, something behind.
//: test beside
//: global 64
//: local 32
//: arg out int[64] = 0
//: arg n int 50
//: expect out = (i < 50 ? (i % 2 ? 1 : 0) + (i % 3 ? 10 : 0) : 0) + (i < 20 ? (i % 5 ? 100 : 200) : 0) + (i > 30 ? 1000 + (i % 7 ? 3000 : 0) : 0)
__kernel void beside(__global int *out, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        if (i % 2)
            out[i] += 1;
        if (i % 3)
            out[i] += 10;
    }
    if (i < 20) {
        if (i % 5)
            out[i] += 100;
        else
            out[i] += 200;
    }
    if (i > 30) {
        if (i % 7)
            out[i] += 3000;
        out[i] += 1000;
    }
}

// Jumps that lead out of both.
//: test out
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[96] = i * 3 % 11
//: arg n int 20
//: expect out = 0
__kernel void out(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0), sum = 0, same = 0;
    bool on = true;
    for (int k = 0; k < n; k++) {
        int v = in[i + k], w = in[i + k + 1];
        if (v > 2)
            if (w < 9) {
                sum += v;
                if (v == 5)
                    continue;
                if (v == 7 && k > 8)
                    break;
                sum += 10;
            }
        sum++;
    }
    for (int k = 0; k < n; k++) {
        int v = in[i + k], w = in[i + k + 1], both = v > 2 && w < 9;
        if (on) {
            same += both ? v : 0;
            on = !(both && v == 7 && k > 8);
            same += !on || (both && v == 5) ? 0 : both ? 11 : 1;
        }
    }
    out[i] = sum - same;
}
