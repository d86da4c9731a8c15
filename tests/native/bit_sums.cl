// Bits of a value that are added up one after the other, however each is looked at, are counted.

//: test counted
//: global 128
//: local 64
//: arg in uint[128] = i * 2654435761 + i
//: arg out int[1152] = -1
//: arg n int 128
//: expect out = i / 128 == 6 ? popcount(in[i % 128] & 16777080) + 7 : i / 128 == 7 ? 32 - popcount(in[i % 128]) : i / 128 == 8 ? popcount(in[i % 128] & 1023) : popcount(in[i % 128])
kernel void counted(global const uint *in, global int *out, int n)
{
    int i = get_global_id(0), s[9] = {0}, w = in[i];
    uint v = in[i], u = in[i];
    for (int k = 0; k < 32; k++) s[0] += v >> k & 1;
    for (int k = 31; k >= 0; k--)
        if (v & (1u << k)) s[1]++;
    for (uint m = 1; m; m <<= 1) s[2] += (v & m) != 0;
    for (int k = 0; k < 32; k++) {
        if (w < 0) s[3] += 1;
        w <<= 1;
    }
    for (int k = 0; k < 32; k++, u >>= 1) s[4] = u & 1 ? s[4] + 1 : s[4];
    w = in[i];
    for (int k = 0; k < 32; k++) s[5] += w >> k & 1;
    s[6] = 7;
    for (int k = 3; k < 24; k++)
        if (k != 7) s[6] += v >> k & 1;
    for (int k = 0; k < 32; k++)
        if (!(v >> k & 1)) s[7]++;
    for (int k = 0; k < 10; k++) s[8] += (v & 1 << k) == 1 << k;
    for (int k = 0; k < 9; k++) out[k * n + i] = s[k];
}

// Some of one value and some of another one, in a loop that goes on with the sum; the same bit twice; the sign, shifted.
//: test mixed
//: global 64
//: local 32
//: arg in uint[512] = i * 2654435761
//: arg out uint[64] = -1
//: arg odd uint[64] = -1
//: arg twice int[64] = -1
//: arg signs int[64] = 1
//: arg n int 4
//: expect out = 1
//: expect odd = 1
//: expect twice = popcount(in[i] & 255) + popcount(in[i] & 15)
//: expect signs = -8 * ((in[i] >> 31) & 1)
kernel void mixed(global const uint *in, global uint *out, global uint *odd, global int *twice, global int *signs, int n)
{
    int i = get_global_id(0), b = 0, t = in[i];
    uint sum = 0, want = 0, x = 5, y = 5;
    for (int k = 0; k < n; k++) {
        uint p = in[8 * i + 2 * k], q = in[8 * i + 2 * k + 1];
        for (int j = 0; j < 16; j++) sum += p >> j & 1;
        for (int j = 8; j < 32; j++) sum += q >> j & 1;
        want += popcount(p & 0xffff) + popcount(q >> 8);
        for (int j = 0; j < 32; j++) x ^= p >> j & 1;
        y ^= popcount(p) & 1;
        for (int j = 0; j < 12; j++)
            if (q & 1u << j) x ^= 1;
        y ^= popcount(q & 0xfff) & 1;
    }
    out[i] = sum == want;
    odd[i] = x == y;
    for (int j = 0; j < 8; j++) b += in[i] >> j & 1;
    for (int j = 0; j < 4; j++) b += in[i] >> j & 1;
    twice[i] = b;
    for (int j = 0, s = 0; j < 8; j++) s += t >> 31, signs[i] = s;
}
