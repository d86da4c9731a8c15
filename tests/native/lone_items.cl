// A work-item for each group: its private tables are the group's, and run as scalar code.

//: test counted
//: global 4
//: local 1
//: arg out uint[32] = 9
//: arg a uint[64] = i * 7 + i / 16
//: expect out = 2
__kernel void counted(__global uint *out, __global const uint *a)
{
    uint count[8];
    int g = get_global_id(0);
    for (int i = 0; i < 8; i++)
        count[i] = 0;
    for (int i = 0; i < 16; i++)
        count[a[g * 16 + i] & 7]++;
    for (int i = 0; i < 8; i++)
        out[g * 8 + i] = count[i];
}

// Elements of all sizes, branches by what they hold, and an element that lanes' values choose.
//: test sizes
//: global 3
//: local 1
//: arg out long[3] = 0
//: arg a int[48] = i % 16 * 5 % 16
//: arg n int = 16
//: expect out = 120 + 120 + 120 + 120 * 65536 + i * 16 + (i == 1) * 1000000
__kernel void sizes(__global long *out, __global int *a, int n)
{
    char bytes[16];
    short halves[16];
    int words[16];
    long longs[16];
    int g = get_global_id(0);
    for (int i = 0; i < n; i++) {
        int to = a[g * 16 + i];
        bytes[to] = to;
        halves[to] = bytes[to];
        words[to] = halves[to] + g;
        longs[to] = (long)words[to] - g << 16;
        if (bytes[to] > 7)
            halves[15 - to] = 15 - to;
    }
    long sum = 0;
    for (int i = 0; i < n; i++) {
        int old = atomic_add(&a[g * 16 + i], 0);
        sum += bytes[old] + halves[old] + words[old] + longs[old];
        words[old] = 0;
    }
    for (int i = 0; i < n; i++)
        if (words[i] != 0)
            sum = -1;
    if (halves[g] == 1)
        sum += 1000000;
    out[g] = sum;
}

// Sorted by insertion, of which the first is added up.
//: test sorted
//: global 5 1
//: local 1 1
//: arg out int[40] = 0
//: arg a int[40] = (i * 5 + 3) % 8 + i / 8
//: expect out = i % 8 + i / 8
__kernel void sorted(__global int *out, __global const int *a)
{
    int key[8], g = get_group_id(0);
    for (int i = 0; i < 8; i++) {
        int v = a[g * 8 + i], j = i;
        while (j > 0 && key[j - 1] > v) {
            key[j] = key[j - 1];
            j--;
        }
        key[j] = v;
    }
    for (int i = 0; i < 8; i++)
        out[g * 8 + i] = key[i];
}
