// Switches whose short cases are done all at once where lanes take different ones.

// Loads and stores of a private array in several cases, some after others of the same case.
//: test machine
//: global 96
//: local 48
//: arg out int[96] = -1
//: arg ops uchar[96] = (i * 7 + i / 5) % 8
//: expect out = ops[i] == 0 ? 104 + i : ops[i] == 1 ? 110 + i : ops[i] == 2 ? 4 * i + 100 : ops[i] == 3 ? 10 * (i % 16) + i + 100 : ops[i] == 4 ? 203 + i : ops[i] == 5 ? 2 * i + 7 : ops[i] == 6 ? 1 + i : 100 + i
kernel void machine(global int *out, global const uchar *ops)
{
    int i = get_global_id(0), x = i, a[16], top = 1;
    for (int j = 0; j < 16; j++)
        a[j] = 10 * j;
    switch (ops[i] & 7) {
    case 0: a[top] = 4; x += a[top & 15]; top = 0; break;
    case 1: x += a[top]; break;
    case 2: x *= 4; break;
    case 3: x += a[i & 15]; break;
    case 4: {
        int y = a[top & 15];
        a[top & 15] = 93;
        x += a[top & 15] + y;
        break;
    }
    case 5:
        if (i & 64)
            x = 2 * x + 7;
        else
            x += x + 7;
        x -= a[15] - 50;
        break;
    case 6: x -= 99; break;
    }
    a[0] = 100;
    out[i] = x + (ops[i] == 5 ? a[10] : a[0]);
}

// Elements of other sizes, and offsets that nothing is known of.
//: test sizes
//: global 128
//: local 64
//: arg out long[128] = -1
//: arg at int[128] = i * 5 % 8
//: expect out = i % 5 == 0 ? i + 9 * at[i] : i % 5 == 1 ? 0 - i + 9 * at[i] : i % 5 == 2 ? 4 * at[i] + i * 4294967296 + 9 * at[i] : i % 5 == 3 ? i + 10 * at[i] : 10 * at[i]
kernel void sizes(global long *out, global const int *at)
{
    int i = get_global_id(0), n = at[i];
    char c[8];
    short s[8];
    long l[8];
    for (int j = 0; j < 8; j++) {
        c[j] = j;
        s[j] = j;
        l[j] = 4 * j;
    }
    long x = 0;
    switch (i % 5) {
    case 0: c[n] = i; x = c[n] - n; break;
    case 1: s[n] = -i; x = s[n] - n; break;
    case 2: l[n] += (long)i << 32; x = l[n]; break;
    case 3: x = c[n] + i; break;
    default: x = s[n];
    }
    out[i] = x + (i % 5 < 2 ? n : 0) + 9 * n;
}

// All cases have a register in common, and each one of its own that others had before.
//: test shared
//: global 256
//: local 64
//: arg out int[256] = -1
//: arg in int[256] = i % 7 == 0 ? 3 : i % 6
//: expect out = (in[i] == 0 ? 2 * i + 5 : in[i] == 1 ? 3 * i : in[i] == 2 ? 100 - i : in[i] == 3 ? i * i : in[i] == 4 ? i : 77) + 10 * i
kernel void shared(global int *out, global const int *in)
{
    int i = get_global_id(0), x = i, t = 10 * i, a[8];
    for (int j = 0; j < 8; j++)
        a[j] = j + i;
    int k = in[i];
    switch (k) {
    case 0: t = a[(i + 1) & 7] - ((i + 1) & 7); x = t + i + 5; t = 10 * i; break;
    case 1: x = a[i & 7] + 2 * i - (i & 7); break;
    case 2: t = x; x = 100 - t; t = 10 * a[0]; break;
    case 3: x = a[0] * a[0]; a[0] = 0; break;
    case 4: break;
    default: x = 77;
    }
    out[i] = x + t;
}

// In loops and branches that not all lanes take, all lanes at one case now and then.
//: test around
//: global 100
//: local 50
//: arg out uint[100] = 7
//: expect out = i % 3 == 2 ? 1 : i % 3 == 1 ? 1 + (6 + i % 10) / 4 : i % 10 * 10 + 8
kernel void around(global uint *out)
{
    uint i = get_global_id(0), x = 1, a[4] = {0, 0, 0, 0};
    if (i % 3 != 2)
        for (uint n = 0; n < 5 + i % 10; n++) {
            uint op = i % 3 == 1 ? n & 3 : 3;
            if (i % 3 == 0)
                op = n < 5 ? 4 : 5;
            switch (op) {
            case 0: a[n & 3] = n; break;
            case 1: a[n & 3] = a[(n - 1) & 3]; break;
            case 2: x += a[(n - 1) & 3] + 3 - n; break;
            case 3: a[i & 1] ^= 255; break;
            case 4: a[3]++; break;
            case 5: a[2] += 10; break;
            }
        }
    out[i] = i % 3 == 2 ? x : i % 3 == 1 ? x : a[2] + a[3] + 3;
}

// What lies outside is found, also if one case of many goes there.
//: test astray
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg at int[64] = i == 37 ? 40000 : i % 8
//: fault private
kernel void astray(global int *out, global const int *at)
{
    int i = get_global_id(0), n = at[i], a[8], x = 0;
    for (int j = 0; j < 8; j++)
        a[j] = j;
    switch (i & 3) {
    case 0: x = a[n]; break;
    case 1: x = a[n] + 1; break;
    case 2: a[n] = 5; break;
    case 3: x = 3;
    }
    out[i] = x + a[1];
}

// Ints at odd places.
//: test odd
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg at int[64] = i % 3
//: expect out = i % 4 == 0 ? 117835012 >> 8 * (i % 3) & 65535 : i % 4 == 1 ? 1 : i % 4 == 2 ? i % 3 : 9
kernel void odd(global int *out, global const int *at)
{
    union { char c[16]; int i[4]; } u;
    int i = get_global_id(0), n = at[i], x = 0;
    for (int j = 0; j < 16; j++)
        u.c[j] = 4 + j;
    switch (i & 3) {
    case 0: x = *(int *)(u.c + n) & 65535; break;
    case 1: *(int *)(u.c + 4 + n) = 1; x = *(int *)(u.c + 4 + n); break;
    case 2: x = n; break;
    case 3: x = 9;
    }
    out[i] = x;
}

// Accesses in ifs of a case, registers that a case writes and reads again, and a choice that a case
// changes; the lanes of one warp all take one case.
//: test deep
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg in int[128] = i / 32 == 2 ? 1 : i * 5 % 7
//: expect out = in[i] == 0 ? (i & 4 ? 7 * i : 3) + 2 : in[i] == 1 ? (i & 2 ? 1 : i & 4 ? 70 : 2) + 3 * i : in[i] == 2 ? (2 * i + 1) * (2 * i + 1) + 2 : in[i] == 3 ? 3 + 12 : in[i]
kernel void deep(global int *out, global const int *in)
{
    int i = get_global_id(0), k = in[i], x = k, a[8];
    for (int j = 0; j < 8; j++)
        a[j] = j;
    switch (k) {
    case 0:
        if (i & 4)
            a[i & 7] = 7 * i, x = a[i & 7];
        else
            x = a[(i & 3) + 3] - (i & 3);
        x += a[2];
        break;
    case 1:
        if (i & 2)
            x = a[1];
        else if (i & 4)
            a[i & 7] = 70, x = a[i & 7];
        else
            x = a[2];
        x += 3 * i;
        break;
    case 2: {
        int y = i + 1, z = y + i;
        y = z * z;
        z = y + 2;
        x = z;
        break;
    }
    case 3: k = 12; x = a[3] + k; break;
    }
    out[i] = x;
}

// Two elements that lie side by side, each with a switch of its own.
//: test neighbours
//: global 2048
//: local 64
//: arg out float[4096] = 0
//: arg in float[4096] = i % 7 + 1
//: arg ops uchar[4096] = i * 5 + i / 64
//: expect out = (i * 5 + i / 64) % 4 == 0 ? i % 7 + 2 : (i * 5 + i / 64) % 4 == 1 ? (i % 7 + 1) * 2 : (i * 5 + i / 64) % 4 == 2 ? i % 7 - 2 : -(i % 7 + 1)
kernel void neighbours(global float *out, global const float *in, global const uchar *ops)
{
    int i = get_global_id(0) * 2;
    float a = in[i], b, r;
    switch (ops[i] & 3) {
    case 0: r = a + 1; break;
    case 1: r = a * 2; break;
    case 2: r = a - 3; break;
    default: r = -a;
    }
    out[i] = r;
    b = in[i + 1];
    switch (ops[i + 1] & 3) {
    case 0: r = b + 1; break;
    case 1: r = b * 2; break;
    case 2: r = b - 3; break;
    default: r = -b;
    }
    out[i + 1] = r;
}
