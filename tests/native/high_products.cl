// High halves of products of 64 bits, against products that are added up bit by bit: with a sign and
// without, of large and small numbers, by one that is the same for all, and where lanes are off.
//: test each
//: global 256
//: local 64
//: arg x ulong[256] = i % 16 == 0 ? -1 : i % 16 == 1 ? 1 << 63 : i % 16 == 2 ? i : (i * 2654435761 + 12345) * (i * 40503 + 7) * 1099511628211
//: arg y ulong[256] = i % 5 == 0 ? -1 : i % 5 == 1 ? 4294967295 : i % 5 == 2 ? 4294967296 : (i * 2246822519 + 1) * 668265263 * (i + 3) * 1000003
//: arg by ulong = 14029467366897019727
//: arg bad ulong[256] = 1
//: expect bad = 0
ulong slowly(ulong x, ulong y) {
    ulong low = 0, high = 0;
    for (int bit = 63; bit >= 0; bit--) {
        high = high << 1 | low >> 63;
        low <<= 1;
        if (y >> bit & 1) {
            low += x;
            high += low < x;
        }
    }
    return high;
}

long slowly_signed(long x, long y) {
    return (long)slowly((ulong)x, (ulong)y) - (x < 0 ? y : 0) - (y < 0 ? x : 0);
}

kernel void each(global const ulong *x, global const ulong *y, ulong by, global ulong *bad) {
    size_t i = get_global_id(0);
    ulong wrong = mul_hi(x[i], y[i]) ^ slowly(x[i], y[i]);
    wrong |= mul_hi((long)x[i], (long)y[i]) ^ slowly_signed((long)x[i], (long)y[i]);
    wrong |= mul_hi(x[i], by) ^ slowly(x[i], by);
    wrong |= mul_hi(by, (ulong)i * by) ^ slowly(by, (ulong)i * by);
    if (i % 3 == 1) wrong |= mad_hi(x[i], x[255 - i], y[i]) ^ (slowly(x[i], x[255 - i]) + y[i]);
    bad[i] = wrong;
}

// With a modulus of 64 bits, by Montgomery.
//: test modulus
//: global 100
//: local 100
//: arg a ulong[100] = i * 1000003 + 5
//: arg b ulong[100] = 99 - i
//: arg r ulong[100]
//: expect r = a[i] * b[i]
kernel void modulus(global const ulong *a, global const ulong *b, global ulong *r) {
    const ulong p = 0xffffffff00000001UL;
    size_t i = get_global_id(0);
    ulong low = a[i] * b[i], high = mul_hi(a[i], b[i]), t = low - (high >> 32);
    if (low < high >> 32) t -= 0xffffffff;
    ulong u = (high & 0xffffffff) * 0xffffffff, v = t + u;
    if (v < u) v += 0xffffffff;
    r[i] = v >= p ? v - p : v;
}
