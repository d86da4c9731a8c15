// Counters that are compared, then stepped, before an iteration does anything else: what they are in it, and behind the
// loop, however that is left.

//: test words
//: global 64
//: local 32
//: arg in int[1280] = i
//: arg out int[192] = -1
//: arg m int 19
//: expect out = i % 3 == 0 ? i / 3 * 19 * 19 + 171 : i % 3 == 1 ? -1 : (i / 3 % 20) * (i / 3 % 20 - 1) / 2 + 100 * (i / 3 % 20)
kernel void words(global const int *in, global int *out, int m)
{
    int i = get_global_id(0), s = 0, t = 0, c = m, n = i % 20;
    while (c--) s += in[i * m + c];
    out[3 * i] = s;
    out[3 * i + 1] = c;
    for (int k = n; k-- > 0;) t += k;
    for (uint k = n; k--;) t += 100;
    out[3 * i + 2] = t;
}

// Left in the middle of an iteration, by `break` and `return`, or gone on with by `continue`.
//: test left
//: global 64
//: local 64
//: arg in int[1280] = i % 20 == i / 20 % 20 ? 1 : 0
//: arg out int[128] = -1
//: expect out = i % 2 ? i / 2 % 20 * 3 + 1 : i / 2 % 20
kernel void left(global const int *in, global int *out)
{
    int i = get_global_id(0), c = 20, n = i % 20, s = 0;
    while (c-- > 0) {
        if (in[i * 20 + c]) break;
        if (in[i * 20 + c] < 0) return;
    }
    out[2 * i] = c;
    while (n-- > 0) {
        s += 2;
        if (n & 1) continue;
        s++;
    }
    for (int k = i % 20; k-- > 0;) s += k & 1;
    out[2 * i + 1] = s + 1;
}

// In a loop that goes on with the counter; a long one; two at once; steps of more.
//: test nested
//: global 40
//: local 20
//: arg in int[400] = i % 7
//: arg out long[160] = -1
//: expect out = 1
kernel void nested(global const int *in, global long *out)
{
    int i = get_global_id(0), c = 10, s = 0, t = 0, left = 10;
    for (int round = 0; round < 3; round++) {
        while (c-- > 0) {
            s += in[i * 10 + c];
            if (c % 4 == 0) break;
        }
        t += c;
    }
    for (int k = 0; k < 10; k++) s -= in[i * 10 + k];
    out[4 * i] = s == 0 && t == 8 + 4 + 0 ? 1 : 1000 * s + t;
    long sum = 0, long_left = 10;
    while (long_left-- > 0) sum += in[i * 10 + (int)long_left];
    for (int k = 0; k < 10; k++) sum -= in[i * 10 + k];
    out[4 * i + 1] = sum == 0 && long_left == -1;
    uint up = 0;
    int both = 0;
    while (left-- > 0 && up++ < 7) both += (int)up * 16 + left;
    out[4 * i + 2] = both == 28 * 16 + 9 + 8 + 7 + 6 + 5 + 4 + 3 && left == 2 && up == 8 ? 1 : both;
    int by = 10, seen = 0;
    while ((by -= 3) + 3 > 0) seen = seen * 10 + by + 3;
    out[4 * i + 3] = seen == 10741 && by == -5 ? 1 : seen;
}

// Counted at the end of an iteration: rows of work-items, which are transposed.
//: test bottom
//: global 256
//: local 64
//: arg in int[16384] = i % 5
//: arg n int 64
//: arg out int[256] = -1
//: expect out = (i * 64 % 5 + (i * 64 + 1) % 5 + (i * 64 + 2) % 5 + (i * 64 + 3) % 5) + 120
kernel void bottom(global const int *in, int n, global int *out)
{
    int i = get_global_id(0), k = 0, s = 0;
    if (n > 0) {
        do {
            s += in[i * n + k];
            k++;
        } while (k < n);
    }
    out[i] = s;
}
