// Loops with several conditions, of which the second is looked at where the first one holds: each is an exit of its own,
// and lanes that read until they find something go one after the other.

//: test length
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg a uchar[8192] = i % 64 == i / 64 % 70 ? 0 : 7
//: expect out = min(i % 70, 64)
kernel void length(global int *out, global const uchar *a)
{
    int i = get_global_id(0), n = 0;
    while (n < 64 && a[i * 64 + n]) n++;
    out[i] = n;
}

// The first condition is each lane's own, a comparison of floats, or the other way round; the last one in the buffer may
// not be passed by.
//: test guarded
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg a float[8192] = i % 64 == 40 ? -1 : i % 64
//: expect out = i < 64 ? min(i, 40) : i < 127 ? 40 : 0
kernel void guarded(global int *out, global const float *a)
{
    int i = get_global_id(0), n = 0;
    float most = i < 64 ? i : i < 127 ? 1000.0f : NAN;
    while (n < most && a[i * 64 + n] >= 0) n++;
    out[i] = n;
}

//: test either
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg a int[8192] = i % 64 < i / 64 ? 1 : -1
//: expect out = min(i, 50) * 1000 + min(i, 50)
kernel void either(global int *out, global const int *a)
{
    int i = get_global_id(0), n = 0, sum = 0;
    for (;;) {
        if (n >= 50 || a[i * 64 + n] < 0) break;
        sum += a[i * 64 + n++];
    }
    out[i] = sum * 1000 + n;
}

// Three of them, where the second one counts, and what it counts is wanted behind.
//: test three
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg a int[8192] = i % 64
//: arg b int[8192] = i % 64 == i / 64 % 60 ? -1 : i % 64
//: expect out = min(i % 60, 48) * 10000 + (i % 60 < 48 ? min(i % 60 + 1, 49) : 48) * 100 + (i % 60 < 48 ? i % 60 : 47)
kernel void three(global int *out, global const int *a, global const int *b)
{
    int i = get_global_id(0), n = 0, seen = 0, last = 0;
    while (n < 48 && seen++ < 49 && (last = a[i * 64 + n]) == b[i * 64 + n]) n++;
    out[i] = n * 10000 + seen * 100 + last;
}

// What the second condition needs has a loop of its own, and stores.
//: test inner
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg a int[8192] = i % 64 < 8 ? i % 8 : 100
//: arg calls int[128] = 0
//: expect out = i % 5 * 2
//: expect calls = i % 5 * 2
int below(global const int *a, int n, int limit, global int *calls)
{
    int sum = 0;
    for (int j = 0; j <= n; j++) sum += a[j] >= limit;
    *calls = n + (sum == 0);
    return sum == 0;
}
kernel void inner(global int *out, global const int *a, global int *calls)
{
    int i = get_global_id(0), n = 0;
    while (n < 20 && below(a + i * 64, n, i % 5 * 2, calls + i)) n++;
    out[i] = n;
}

// The condition is known, or it is asked for behind the loop.
//: test kept
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg a int[8192] = i % 64 - i / 64
//: expect out = i < 30 ? i : 30 + 100
kernel void kept(global int *out, global const int *a)
{
    int i = get_global_id(0), n = 0;
    bool more = true, first;
    while (more) {
        first = n < 30;
        more = first && a[i * 64 + n] < 0;
        if (more) n++;
    }
    out[i] = n + (first ? 0 : 100);
}
