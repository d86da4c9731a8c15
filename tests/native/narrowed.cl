// Integers of 64 bits that may be kept as 32: indices that only addresses are made of, counters up to an int, and what
// only looks as if it were one of them.

//: test indices
//: global 64 4
//: local 16 4
//: arg out int[256] = -1
//: arg in int[320] = i * 3 + 1
//: arg w int 64
//: arg h int 4
//: expect out = i % 64 > 0 && i < 192 ? in[i > 0 ? i - 1 : 0] + in[i < 192 ? i + 64 : 0] : in[i]
kernel void indices(global int *out, global const int *in, int w, int h)
{
    long x = get_global_id(0), y = get_global_id(1), i = y * w + x;
    out[i] = x > 0 && y < h - 1 ? in[i - 1] + in[(y + 1) * w + x] : in[i];
}

// Up, down, from below zero, and with a step that passes the end.
//: test counters
//: global 64
//: local 64
//: arg out long[256] = -1
//: arg in int[64] = i * 7
//: arg n int 9
//: arg none int -3
//: expect out = i % 4 == 0 ? 9 * 8 / 2 * 7 + i / 4 : i % 4 == 1 ? (8 + 5 + 2) * 7 + 8 : i % 4 == 2 ? -1000 - 3 : 2147483648
kernel void counters(global long *out, global const int *in, int n, int none)
{
    long id = get_global_id(0), sum = 0, last = 0;
    for (long k = 0; k < n; k++) sum += in[k];
    out[4 * id] = sum + id;
    sum = 0;
    for (long k = n; k-- > 0; k -= 2) {
        sum += in[k];
        last = k > last ? k : last;
    }
    out[4 * id + 1] = sum + last;
    sum = 0;
    for (long k = none; k < 0; k++) sum--;
    for (long k = 0; k < none; k++) sum += 1000000;
    out[4 * id + 2] = sum - 1000;
    long far = 2147483646;
    do far++;
    while (far < 2147483648L);
    out[4 * id + 3] = far;
}

// A comparison of an id, which has no sign, with an int below zero; quotients by zero; what does not fit.
//: test compared
//: global 64
//: local 64
//: arg out long[512] = -1
//: arg w int[64] = i - 32
//: expect out = i % 8 == 0 ? (i / 8 < w[i / 8]) + 2 * (i / 8 <= w[i / 8]) + 4 * (w[i / 8] < i / 8) + 8 * (w[i / 8] <= i / 8) : i % 8 == 1 ? (w[i / 8] == 0 ? -1 : (i / 8 - 9) / (w[i / 8] == 0 ? 1 : w[i / 8])) : i % 8 == 2 ? (w[i / 8] == 0 ? i / 8 - 9 : (i / 8 - 9) % (w[i / 8] == 0 ? 1 : w[i / 8])) : i % 8 == 3 ? (w[i / 8] + 4294967295) * 3 : i % 8 == 4 ? (i / 8 + 4294967295) / 2 : i % 8 == 5 ? (w[i / 8] < 0 ? 0 : 1) : i % 8 == 6 ? w[i / 8] * 65536 * 65536 : (w[i / 8] < 0 ? 1 : 0)
kernel void compared(global long *out, global const int *w)
{
    long id = get_global_id(0), v = w[id], near = id - 9;
    out[8 * id] = (id < v) + 2 * (id <= v) + 4 * (v < id) + 8 * (v <= id);
    out[8 * id + 1] = near / v;
    out[8 * id + 2] = near % v;
    out[8 * id + 3] = (v + 4294967295L) * 3;
    out[8 * id + 4] = (id + 4294967295L) >> 1;
    out[8 * id + 5] = (ulong)v < 4294967296UL;
    out[8 * id + 6] = v << 32;
    out[8 * id + 7] = (v >> 40) & 1;
}

// The next counter is made before it is one.
//: test ahead
//: global 32
//: local 32
//: arg out long[64] = -1
//: arg in int[80] = i * 3
//: arg n int 40
//: expect out = i % 2 ? 2 * (40 - i / 2) : (39 * 40 / 2 * 2 + 40) * 3 + i / 2
kernel void ahead(global long *out, global const int *in, int n)
{
    long id = get_global_id(0), sum = 0, count = 0;
    for (long k = 0; k < n; k++) sum += in[k] + in[k + 1];
    for (long k = id; k < n; k++) count += (k < n) + (k + 1 > k);
    out[2 * id] = sum + id;
    out[2 * id + 1] = count;
}

// Addresses under an if of a loop, made of long indices: copies are gone, and they are stepped; in both parts of it.
//: test history
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[64] = i
//: arg old int[16] = 100 + i
//: arg by int[16] = i + 1
//: arg n int 10
//: expect out = i >= 9 ? 55 * i - 330 : i * (i + 1) * (i + 2) / 6 + (100 + 10 + i) * (55 - (i + 1) * (i + 2) / 2) - (385 - (i + 1) * (i + 2) * (2 * i + 3) / 6 - (55 - (i + 1) * (i + 2) / 2))
kernel void history(global int *out, global const int *in, global const int *old, global const int *by, int n)
{
    long i = get_global_id(0);
    int sum = 0;
    for (long k = 0; k < n; k++)
        if (i >= k)
            sum += by[k] * in[i - k];
        else
            sum += by[k] * old[n - (k - i)];
    out[i] = sum;
}

// A copy of what changes before the copy is read is kept; also where a loop reads it once more.
//: test fibonacci
//: global 32
//: local 32
//: arg out int[64] = -1
//: arg n int[32] = i % 12
//: expect out = i % 2 ? (i / 2 % 12) * (i / 2 % 12 - 1) / 2 + (i / 2 % 12) * 7 : i / 2 % 12 == 0 ? 0 : i / 2 % 12 < 3 ? 1 : i / 2 % 12 == 3 ? 2 : i / 2 % 12 == 4 ? 3 : i / 2 % 12 == 5 ? 5 : i / 2 % 12 == 6 ? 8 : i / 2 % 12 == 7 ? 13 : i / 2 % 12 == 8 ? 21 : i / 2 % 12 == 9 ? 34 : i / 2 % 12 == 10 ? 55 : 89
kernel void fibonacci(global int *out, global const int *n)
{
    long id = get_global_id(0), a = 0, b = 1, first = n[id], most = first, sum = 0;
    for (long k = 0; k < most; k++) {
        long was = a;
        a = b;
        b = was + b;
        long left = first;
        for (long j = 0; j < 2; j++) sum += j ? left - k : 7 - left;
    }
    out[2 * id] = a;
    out[2 * id + 1] = -sum + most * 14 - most * 0;
}
