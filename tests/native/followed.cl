// Elements that an index follows: the largest one so far, and the like.

// Rows, some of which are empty: of those nothing is loaded.
//: test rows
//: global 100
//: local 20
//: arg out int[100] = -1
//: arg in float[900] = i * 7 % 31
//: arg length int[100] = i % 10
//: arg from int[100] = i % 10 ? i * 9 : 2000000000
//: expect out = i % 10 ? 1 : 0
__kernel void rows(__global int *out, __global const float *in, __global const int *length, __global const int *from)
{
    int i = get_global_id(0), n = length[i], at = from[i], most = 0, value = 0;
    for (int k = 0; k < n; k++)
        if (in[at + k] > in[at + most])
            most = k;
    for (int k = 0; k < n; k++)
        value += in[at + k] > in[at + most] || (k < most && in[at + k] == in[at + most]);
    out[i] = n ? value == 0 : most;
}

// Columns, from the last one on, by a guard; of bytes.
//: test columns
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in char[640] = i * 37 % 101 - 50
//: arg n int 10
//: arg w int 60
//: expect out = i < 60 ? 1 : -1
__kernel void columns(__global int *out, __global const char *in, int n, int w)
{
    int x = get_global_id(0);
    if (x >= w)
        return;
    int least = n - 1, wrong = 0;
    for (int k = n - 2; k >= 0; k--)
        if (in[k * w + x] < in[least * w + x])
            least = k;
    for (int k = 0; k < n; k++)
        wrong += in[k * w + x] < in[least * w + x];
    out[x] = wrong == 0;
}

// Sorting by selection, in private and in local memory, and in place.
//: test selection
//: global 64
//: local 32
//: arg out int[640] = i * 41 % 97
//: arg ordered int[64] = -1
//: arg n int 10
//: expect ordered = 1
__kernel void selection(__global int *out, __global int *ordered, int n)
{
    __local int in_local[320];
    int x = get_global_id(0), l = get_local_id(0), own[10], good = 1;
    for (int k = 0; k < n; k++)
        own[k] = in_local[l * 10 + k] = out[x * 10 + k];
    for (int j = 0; j < n; j++) {
        int a = j, b = j, c = j, t;
        for (int k = j + 1; k < n; k++)
            if (out[x * 10 + k] < out[x * 10 + a])
                a = k;
        for (int k = j + 1; k < n; k++)
            if (own[k] < own[b])
                b = k;
        for (int k = j + 1; k < n; k++)
            if (in_local[l * 10 + k] < in_local[l * 10 + c])
                c = k;
        t = out[x * 10 + j];
        out[x * 10 + j] = out[x * 10 + a];
        out[x * 10 + a] = t;
        t = own[j];
        own[j] = own[b];
        own[b] = t;
        t = in_local[l * 10 + j];
        in_local[l * 10 + j] = in_local[l * 10 + c];
        in_local[l * 10 + c] = t;
    }
    for (int k = 0; k < n; k++)
        good &= out[x * 10 + k] == own[k] && own[k] == in_local[l * 10 + k] && (!k || own[k - 1] <= own[k]);
    ordered[x] = good;
}

// Members of structures; an index that starts elsewhere; one that is left behind.
struct body {
    float mass, speed;
};
//: test members
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg in float[1024] = i * 13 % 47
//: arg start int 5
//: expect out = 1
__kernel void members(__global int *out, __global const struct body *in, int start)
{
    int x = get_global_id(0), most = start, last = start, good = 1;
    for (int k = 0; k < 8; k++)
        if (in[x * 8 + k].speed > in[x * 8 + most].speed)
            most = k;
    for (int k = 0; k < 8; k++) {
        float v = in[x * 8 + last].mass;
        if (in[x * 8 + k].mass >= v)
            last = k;
        good &= in[x * 8 + last].mass >= v;
    }
    for (int k = 0; k < 8; k++)
        good &= in[x * 8 + k].speed <= in[x * 8 + most].speed && in[x * 8 + k].mass <= in[x * 8 + last].mass;
    out[x] = good;
}

// Not the element at the index: the one behind it, one of another row, one that the loop stores to.
//: test others
//: global 32
//: local 32
//: arg out int[128] = 0
//: arg in int[400] = i * 29 % 53
//: expect out = {7, 8, 7, 0, 7, 0, 7, 8, 7, 8, 7, 8, 6, 7, 8, 7, 8, 7, 8, 7, 0, 7, 0, 7, 8, 7, 8, 7, 8, 6, 7, 6, 7, 8, 0, 4, 7, 4, 7, 8, 2, 5, 2, 5, 7, 7, 8, 7, 8, 7, 8, 0, 4, 0, 4, 7, 8, 2, 8, 2, 5, 7, 7, 7, 7, 8, 0, 1, 2, 1, 2, 3, 4, 5, 4, 5, 6, 7, 8, 7, 8, 7, 8, 0, 1, 0, 1, 2, 3, 4, 3, 4, 5, 6, 7, 6, 1, 2, 0, 1, 0, 1, 0, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 0, 1, 0, 1, 0, 1, 2, 1, 2, 1, 2, 1, 2}
__kernel void others(__global int *out, __global int *in)
{
    int x = get_global_id(0), a = 0, b = 0, c = 0, d = 0;
    __global int *row = in + x * 10;
    for (int k = 1; k < 9; k++)
        if (row[k] > row[a + 1])
            a = k;
    for (int k = 1; k < 9; k++)
        if (row[k] > in[b * 2 + x * 10])
            b = k;
    for (int k = 1; k < 9; k++) {
        if (row[k] > row[c])
            c = k;
        row[k - 1] += 3;
    }
    for (int k = 1; k * k < 9; k++)
        if (row[k * k] > row[3 * d - 2 < 0 ? 0 : 3 * d - 2])
            d = k;
    out[x] = a;
    out[x + 32] = b;
    out[x + 64] = c;
    out[x + 96] = d;
}
