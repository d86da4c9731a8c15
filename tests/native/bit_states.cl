// What loops over bits make of them by signs, flags, counts that end and places is computed of how many are set, or of which is the first.

//: test counted
//: global 128
//: local 64
//: arg in uint[128] = i < 32 ? 1 << i : i == 32 ? 0 : i * 2654435761 + i
//: arg good int[128] = -1
//: expect good = 127
kernel void counted(global const uint *in, global int *good)
{
    int i = get_global_id(0), sign = 1, turned = 3, two = 0, most = 0, ok = 0;
    uint v = in[i];
    float real = 1;
    long wide = -5;
    uchar small = 0x7f;
    bool even = true;
    for (int k = 0; k < 32; k++) if (v & (1u << k)) sign = -sign;
    for (int k = 31; k >= 0; k--) turned *= (v >> k & 1) ? -1 : 1;
    for (int k = 0; k < 32; k++) if (v >> k & 1) real = -real;
    for (int k = 0; k < 32; k++) if (v >> k & 1) wide = -wide;
    for (int k = 0; k < 12; k++) if (v >> k & 1) small ^= 0xff;
    for (int k = 0; k < 32; k++) even = even != (bool)(v >> k & 1);
    for (int k = 0; k < 32; k++) {
        two = (v >> k & 1) ? max(two, 2) : two;
        if (v >> k & 1) most = min(most + 1, 5);
    }
    bool odd = popcount(v) & 1;
    ok |= (sign == (odd ? -1 : 1)) << 0;
    ok |= (turned == (odd ? -3 : 3)) << 1;
    ok |= (real == (odd ? -1.0f : 1.0f)) << 2;
    ok |= (wide == (odd ? 5 : -5)) << 3;
    ok |= (small == (popcount(v & 0xfff) & 1 ? 0x80 : 0x7f)) << 4;
    ok |= (even == !odd && two == (v ? 2 : 0)) << 5;
    ok |= (most == min(popcount(v), 5u)) << 6;
    good[i] = ok;
}

// From either end, of those that are set or not, in part of a word, in words of 8 and 64 bits, of two words; what is there if none is may be another number.
//: test found
//: global 128
//: local 64
//: arg in uint[128] = i < 32 ? 1 << i : i == 32 ? 0 : i < 64 ? -1 << i : i * 2654435761 + i
//: arg good int[128] = -1
//: expect good = 511
kernel void found(global const uint *in, global int *good)
{
    int i = get_global_id(0), at = 32, last = -1, above = 0, below = 0, seen = 0, part = i, ok = 0;
    int byte = 8, wide = 64, zero = 0, apart = 32;
    uint v = in[i], u = in[i ^ 5];
    ulong w = (ulong)u << 32 | v;
    uchar c = v;
    bool flag = false, other = false, go = true;
    for (int k = 0; k < 32; k++) if (!flag && (v >> k & 1)) { flag = true; at = k; }
    for (int k = 31; k >= 0; k--) if (last < 0 && (v >> k & 1)) last = k;
    for (int k = 31; k >= 0; k--) { other = other || (v >> k & 1); above += !other; }
    for (int k = 0; k < 32; k++) { seen |= v >> k & 1; below += 1 - seen; }
    for (int k = 20; k > 3; k--) if (part == i && (v >> k & 1)) part = 1000 + k;
    for (int k = 0; k < 8; k++) if (byte == 8 && (c & 1 << k)) byte = k;
    for (int k = 0; k < 64; k++) if (wide == 64 && (w >> k & 1)) wide = k;
    for (int k = 0; k < 32; k++) { if (!(v & 1u << k)) go = false; if (go) zero++; }
    for (int k = 0; k < 32; k++) if (apart == 32 && ((u ^ v) >> k & 1)) apart = k;
    int lowest = v ? 31 - (int)clz(v & -v) : 32, kept = v & 0x1ffff0;
    ok |= (at == lowest) << 0;
    ok |= (last == 31 - (int)clz(v)) << 1;
    ok |= (above == (int)clz(v)) << 2;
    ok |= (below == lowest) << 3;
    ok |= (part == (kept ? 1031 - (int)clz(kept) : i)) << 4;
    ok |= (byte == (c ? 31 - (int)clz((uint)c & -(uint)c) : 8)) << 5;
    ok |= (wide == (w ? 63 - (int)clz(w & -w) : 64)) << 6;
    ok |= (zero == (~v ? 31 - (int)clz(~v & -~v) : 32)) << 7;
    ok |= (apart == (u != v ? 31 - (int)clz((u ^ v) & -(u ^ v)) : 32)) << 8;
    good[i] = ok;
}

// A loop that goes on with the place, and takes what is there if none is from a register that changes in it.
//: test in_a_loop
//: global 64
//: local 32
//: arg in uint[64] = i * 2654435761
//: arg good int[64] = -1
//: arg n int 5
//: expect good = 1
kernel void in_a_loop(global const uint *in, global int *good, int n)
{
    int i = get_global_id(0), at = 77, want = 77, sum = 0, wanted = 0;
    uint v = in[i];
    for (int j = 0; j < n; j++) {
        uint part = (v >> j) & 0x3c0;
        bool flag = false;
        int none = at + j;
        at = none;
        for (int k = 0; k < 32; k++) if (!flag && (part >> k & 1)) { flag = true; at = k; }
        sum = sum * 7 + at;
        want = part ? 31 - (int)clz(part & -part) : want + j;
        wanted = wanted * 7 + want;
    }
    good[i] = sum == wanted && at == want;
}
