// Operators, conversions, vectors.
//: test swz
//: global 16
//: arg out int[64] = 0
//: expect out = i % 4 == 0 ? i / 4 + 2 : (i % 4 == 1 ? i / 4 + 1 : (i % 4 == 2 ? i / 4 : i / 4 + 30))
__kernel void swz(__global int4 *out) {
    int i = get_global_id(0);
    int4 v = (int4)(i, i + 1, i + 2, i + 3);
    v.xyz = v.zyx;
    v.w += 27;
    out[i].s012 = v.xyz;
    out[i].w = v.w;
}

//: test logic
//: global 32
//: arg out int[32] = 0
//: arg in int[32] = i - 16
//: expect out = (in[i] > 0 && in[i] < 8 ? 1 : 0) + (in[i] == -3 || in[i] == 5 ? 10 : 0) + (in[i] == 0 ? 100 : 0)
__kernel void logic(__global int *out, __global int *in) {
    int i = get_global_id(0);
    int n = 0;
    bool b = in[i] > 0 && in[i] < 8;
    out[i] = b;
    out[i] += (in[i] == -3 || (n++, in[i] == 5)) * 10;
    out[i] += !in[i] ? 100 : 0;
}

//: test vecs
//: global 16
//: arg out int[64] = 0
//: expect out = (i / 4 < i % 4 ? 5 : -5) + ((i / 4 < i % 4) ? -1 : 0)
__kernel void vecs(__global int4 *out) {
    int i = get_global_id(0);
    int4 a = (int4)(i), b = (int4)(0, 1, 2, 3);
    int4 c = a < b;
    out[i] = (c ? (int4)(5) : (int4)(-5)) + c;
}

//: test casts
//: global 16
//: arg out int[16] = 0
//: expect out = ((i * 37) & 255) + ((i * 1000 + 40000 + 32768) & 65535) - 32768 + i / 2
__kernel void casts(__global int *out) {
    int i = get_global_id(0);
    uchar c = i * 37;
    short s = i * 1000 + 40000;
    float f = i * 0.5f;
    out[i] = c + s + (int)f;
}

//: test divs
//: global 64
//: arg out int[64] = 0
//: expect out = (i - 32) / 8 + (i - 32) % 8 * 100 + (i - 32) / 7 * 10000
__kernel void divs(__global int *out) {
    int i = get_global_id(0);
    int x = i - 32;
    out[i] = x / 8 + x % 8 * 100 + x / 7 * 10000;
}

//: test incs
//: global 16
//: arg out int[16] = 0
//: expect out = i + (i + 2) * 10 + 100 * ((i + 255) & 255)
__kernel void incs(__global int *out) {
    int i = get_global_id(0), j = i;
    int a = j++;
    ++j;
    uchar u = i;
    u--;
    __global int *p = out + i;
    *p++ = a + j * 10 + u * 100;
    out[i] = *--p;
}

//: test cond
//: global 16
//: arg out int[16] = 0
//: arg in int[16] = i
//: expect out = (i > 8 ? in[i] : -in[i]) + (i % 3 ? 5 : i)
__kernel void cond(__global int *out, __global int *in) {
    int i = get_global_id(0);
    out[i] = (i > 8 ? in[i] : -in[i]) + (i % 3 ?: i) * 0 + (i % 3 ? 5 : i);
}

//: test long64
//: global 16
//: arg out long[16] = 0
//: expect out = i * 4294967296 + (i - 8) * 3
__kernel void long64(__global long *out) {
    long i = get_global_id(0);
    ulong u = (ulong)i << 32;
    out[i] = (long)u + (i - 8L) * 3;
}

//: test bits
//: global 16
//: arg out int[16] = 0
//: expect out = i * 16843009
__kernel void bits(__global int *out) {
    int i = get_global_id(0);
    uchar4 c = (uchar4)(i);
    float f = as_float(c);
    short2 s = as_short2(f);
    out[i] = as_int(s);
}

//: test order
//: global 16
//: arg out int[48] = 0
//: expect out = i % 3 == 0 ? i / 3 : (i % 3 == 1 ? i / 3 + 1 : i / 3 * 2 + 3)
// Values read before a variable changes keep what they were.
__kernel void order(__global int *out) {
    int i = get_global_id(0), x = i;
    const int old = x;
    x++;
    int y = x++;
    out[i * 3] = old;
    out[i * 3 + 1] = y;
    out[i * 3 + 2] = ({ int r = x; x = 100; r; }) + old + (x - 99);
}

//: test contraction
//: global 8
//: arg out float[8] = 0
//: arg in float[8] = i + 0.5
//: expect out = in[i] * in[i] + 1
__kernel void contraction(__global float *out, __global const float *in) {
    int i = get_global_id(0);
    out[i] = in[i] * in[i] + 1.0f;
}

//: test small_ints
//: global 300
//: arg out int[300] = 0
//: expect out = (i & 255) + ((i + 128 & 255) - 128) * 1000 + ((i * 7 & 255) >> 3) * 1000000
__kernel void small_ints(__global int *out) {
    int i = get_global_id(0);
    uchar u = i;
    char c = i;
    uchar w = u * 7;
    w >>= 3;
    out[i] = u + c * 1000 + w * 1000000;
}

//: test shifts
//: global 64
//: arg out uint[64] = 0
//: expect out = i >= 32 ? 4294967295 << (i - 32) & 4294967295 : 4294967295 << i & 4294967295
__kernel void shifts(__global uint *out) {
    int i = get_global_id(0);
    out[i] = 0xffffffffu << i;
}

// Stores that leave gaps, by all lanes and by some: what lies between stays as it was.
//: test gaps
//: global 64
//: local 64
//: arg c char[256] = 9
//: arg s short[192] = 9
//: arg n int[256] = 9
//: arg l long[128] = 9
//: arg v int[256] = 9
//: arg some int[256] = 9
//: arg t local 520
//: arg copy int[130] = 9
//: expect c = i % 4 == 3 ? i / 4 : 9
//: expect s = i % 3 == 1 ? i / 3 : 9
//: expect n = i % 4 == 0 ? i / 4 : 9
//: expect l = i % 2 == 1 ? i / 2 : 9
//: expect v = i % 4 < 2 ? i / 4 + i % 4 : 9
//: expect some = i % 4 == 0 && i < 160 ? i / 4 : 9
//: expect copy = i % 2 ? i / 2 + 1 : i == 0 ? -1 : -2
__kernel void gaps(__global char *c, __global short *s, __global int *n, __global long *l,
                   __global int2 *v, __global int *some, __local int *t, __global int *copy) {
    int i = get_global_id(0);
    c[4 * i + 3] = i;
    s[3 * i + 1] = i;
    n[4 * i] = i;
    l[2 * i + 1] = i;
    v[2 * i] = (int2)(i, i + 1);
    if (i < 40) some[4 * i] = i;
    t[i] = -2;
    t[i + 64] = -2;
    if (i < 2) t[i + 128] = -2;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[2 * i + 1] = i + 1;
    if (i == 0) {
        t[0] = -1;
        t[129] = 65;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    copy[i] = t[i];
    copy[i + 64] = t[i + 64];
    if (i < 2) copy[i + 128] = t[i + 128];
}

// Quotients by a divisor that is one for all lanes and known when the kernel runs: just below, at and
// just above multiples of it. A rest of the dividend's sign, smaller than the divisor, is right.
//: test one_divisor
//: global 64
//: arg by int[16] = {1, -1, 2, 3, -3, 7, 10, -1000, 65535, 65537, 1000003, 46341, 2147483647, -2147483647, -2147483648, 1073741825}
//: arg wrong int[64] = -1
//: arg ends int[256] = 5
//: expect wrong = 0
//: expect ends = i < 64 ? -1 : i < 128 ? i - 64 : i < 192 ? -2147483648 : 0
__kernel void one_divisor(__global const int *by, __global int *wrong, __global int *ends) {
    int i = get_global_id(0), bad = 0;
    uint seed = i * 747796405u + 2891336453u;
    for (int n = 0; n < 16; n++) {
        int d = by[n];
        uint u = d, size = abs(d);
        for (int t = 0; t < 60; t++) {
            seed = seed * 1664525u + 1013904223u;
            uint x = (seed >> (t & 15) << (t & 3)) / u * u + t % 3 - 1;
            uint rest = x % u;
            if (rest >= u || x / u * u + rest != x || (x - rest) / u != x / u || (rest && (x - 1) / u != x / u)) bad++;
            int y = (int)(seed >> (t & 7)) / (int)size * d + t % 3 - 1, left = y % d;
            if (abs(left) >= size || (left && (left ^ y) < 0) || (d != -1 && (y / d) * d + left != y)) bad++;
        }
    }
    wrong[i] = bad;
    int none = by[0] - 1, minus = by[1];
    ends[i] = i / none;
    ends[i + 64] = i % none;
    ends[i + 128] = (int)(0x80000000 + (uint)(i & none)) / minus;
    ends[i + 192] = (int)(0x80000000 + (uint)(i & none)) % minus;
}
