// Loops with branches and stores that lanes leave one by one: few lanes go through them one after the other.

// A stack of each work-item's own: the nodes of a tree.
//: test trees
//: global 100
//: local 50
//: arg out int[100] = -1
//: arg depth int[100] = i % 5
//: expect out = i % 5 == 0 ? 1 : i % 5 == 1 ? 3 : i % 5 == 2 ? 7 : i % 5 == 3 ? 15 : 31
__kernel void trees(__global int *out, __global const int *depth)
{
    int stack[8], top = 0, n = 0;
    stack[0] = depth[get_global_id(0)];
    while (top >= 0) {
        int d = stack[top--];
        n++;
        if (!d) continue;
        stack[++top] = d - 1;
        stack[++top] = d - 1;
    }
    out[get_global_id(0)] = n;
}

// Lists that differ in length, of places to store to.
//: test marked
//: global 128
//: local 64
//: arg out uchar[512] = 0
//: arg first int[129] = i * i / 32
//: arg to int[512] = i * 7 % 512
//: arg level int[512] = i % 3
//: expect out = i % 3 == 1
__kernel void marked(__global uchar *out, __global const int *first, __global const int *to,
                     __global const int *level)
{
    int i = get_global_id(0);
    for (int k = first[i]; k < first[i + 1]; k++) {
        int at = to[k];
        if (level[at] == 1) out[at] = 1;
    }
}

// Bytes of private memory, and loops in the loop.
//: test words
//: global 70
//: local 35
//: arg out int[70] = -1
//: arg text uchar[1024] = i % 11 == 10 ? 0 : i % 11 + 1
//: arg length int[70] = i % 40
//: expect out = i % 40 / 11 * 55 + (i % 40 % 11) * (i % 40 % 11 + 1) / 2
__kernel void words(__global int *out, __global const uchar *text, __global const int *length)
{
    int i = get_global_id(0), at = 0, sum = 0, n = length[i];
    uchar word[12];
    while (at < n) {
        int l = 0;
        for (;;) {
            uchar c = text[at++];
            if (!c) break;
            word[l++] = c;
            if (at >= n) break;
        }
        while (l) sum += word[--l];
    }
    out[i] = sum;
}

// An access astray ends the launch as it does for a warp.
//: test beyond
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg n int[64] = i == 37 ? 2000000 : i % 5
//: fault work-item global (37,0,0)
__kernel void beyond(__global int *out, __global const int *n)
{
    int i = get_global_id(0), stack[4], top = 0, at = 0, sum = 0;
    for (int k = 0; k < n[i]; k++) {
        stack[top] = k;
        if (k & 1) top++;
        at = (at * 5 + i) & 3;
        sum += stack[at];
        stack[at ^ 1] = sum;
    }
    out[i] = sum;
}

// Words of local memory that lanes leave one another are stored in step.
//: test in_step
//: global 64
//: local 64
//: arg out int[64] = -1
//: expect out = i % 32 + 1
__kernel void in_step(__global int *out)
{
    __local int sums[64];
    int l = get_local_id(0), lane = l % 32;
    sums[l] = 1;
    for (int s = 1; s <= lane; s *= 2) {
        int more = sums[l - s];
        sums[l] += more;
    }
    out[l] = sums[l];
}

// Not where all lanes leave after about as many iterations.
//: test together
//: global 64
//: local 64
//: arg out int[640] = -1
//: arg place int[640] = i * 7 % 640
//: arg n int 601
//: expect out = i * 183 % 640 < 601 ? i * 183 % 640 : -1
__kernel void together(__global int *out, __global const int *place, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        int at = place[i];
        if (at >= 0) out[at] = i;
    }
}

// Where an iteration waits for what one before has read, lanes wait at one time in a warp: fewer are to be left then.
//: test chains
//: global 64
//: local 64
//: arg out int[640] = -1
//: arg next int[640] = i / 64 < i % 64 % 9 ? i + 64 : -1
//: expect out = i / 64 <= i % 64 % 9 ? i % 64 : -1
__kernel void chains(__global int *out, __global const int *next)
{
    int i = get_global_id(0);
    for (int at = i; at >= 0; at = next[at]) out[at] = i;
}

// So none are where that is all there is to do.
//: test lengths
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg next int[640] = i / 64 < i % 64 % 9 ? i + 64 : -1
//: expect out = i % 9 + 1
__kernel void lengths(__global int *out, __global const int *next)
{
    int i = get_global_id(0), length = 0;
    for (int at = i; at >= 0; at = next[at]) length++;
    out[i] = length;
}
