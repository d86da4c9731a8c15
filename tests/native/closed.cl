// Loops that only count, or look for bits: what they leave is computed. Beside them the same loops, kept as they are by a
// load in each iteration; out has a bit for each pair that differs.

#define PAIR(n_, loop) \
    { int n = 3; T x = v; T y = w; loop(0); fast = n * 31 + (int)x + (int)y; } \
    { int n = 3; T x = v; T y = w; loop(*zero); slow = n * 31 + (int)x + (int)y; } \
    if (fast != slow) differ |= 1 << n_;

#define SHIFTED(k) while (x > 0) { x >>= 1; n += 1 + k; }
#define BEFORE(k) while ((x /= 2) > 0) n += 1 + k
#define TO_ONE(k) for (; x > 1; x >>= 1) n -= 2 + k
#define BY_THREE(k) while (x >= 16) { n += 4 + k; x >>= 3; }
#define LATE(k) do { x >>= 5; n += 1 + k; } while (x > 3)
#define HALVED(k) for (; x; x /= 2) n += 1 + k
#define HALVED_LATE(k) do { n += 1 + k; x /= 4; } while (x != 0)
#define LOWEST(k) while (x) { x &= x - 1; n += 1 + k; }
#define LOWEST_LATE(k) do { x -= x & -x; n -= 1 + k; } while (x)
#define LOWEST_OTHER(k) for (; x != 0; x ^= x & (~x + 1)) n ^= 5 + k
#define TO_ODD(k) x |= 16; while (!(x & 1)) { x >>= 1; n += 1 + k; }
#define TO_ODD_LATE(k) x |= 64; x &= ~63; do { x /= 2; n += 1 + k; y <<= 3; } while ((x & 1) == 0)
#define TO_BE_ONE(k) x |= 1; if (x > 0) while (x != 1) { x >>= 1; n += 1 + k; }
#define TO_BIT(k) x |= 1; while (!(x & 64)) { x <<= 1; n += 1 + k; }
#define TO_BIT_LATE(k) x |= 1; do { x <<= 1; n -= 1 + k; y >>= 1; } while ((x & 16) == 0)
#define TO_TOP(k) x |= 2; while (!(x & (T)1 << (sizeof(T) * 8 - 1))) { x <<= 1; n += 3 + k; }
#define TO_BIT_IF(k) x &= 127; if (x != 0) while (!(x & 64)) { x <<= 1; n += 1 + k; }
#define TO_BIT_ELSE(k) x &= 63; if (i & 1) { n += x; x = 3; } else if (x != 0) while (!(x & 64)) { x <<= 1; n += 1 + k; }
#define TO_ODD_IF(k) if (x != 0) while (!(x & 1)) { x >>= 1; n += 1 + k; }
#define SUMMED(k) while (x > 0) { n += (x & 1) + k; x >>= 1; }
#define SUMMED_ZEROS(k) while (x > 1) { x >>= 1; if (!(x & 1)) n += 1 + k; }
#define PARITY(k) while (x > 0) { n ^= (x & 1) ^ k; x >>= 1; }
#define OTHERS(k) while (x > 0) { x >>= 1; y >>= 2; n += 1 + k; }
#define OTHERS_HALVED(k) while (x > 0) { x >>= 1; y /= 2; n += 1 + k; }
#define OTHERS_UP(k) while (x > 0) { x >>= 1; y <<= 1; n += 1 + k; }
#define COUNTED(k) for (int j = x & 63; j < 40; j += 7) n += i + k
#define COUNTED_DOWN(k) for (int j = x & 63; j >= 5; j -= 4) { n -= i + k; y >>= 1; }
#define COUNTED_TO(k) for (int j = 9; j != 9 + (int)(x & 15); j++) { n += 3 + k; y /= 2; }
#define COUNTED_LATE(k) { int j = x & 31; do { n += 1 + k; j--; } while (j > 0); y += j; }
#define WRAPPED(k) { uint j = 0xfffffff0u + (x & 7); do { n += 1 + k; j++; } while (j != 3u); }

#define OF_TYPE(name, type) \
    kernel void name(global int *out, global volatile const int *zero) \
    { \
        typedef type T; \
        int i = get_global_id(0); \
        ulong hash = i * 0x9e3779b97f4a7c15UL; \
        ulong value = i < 64 ? 1UL << i : i < 128 ? (1UL << (i - 64)) - 1 : hash >> (i & 63); \
        T v = i < 512 ? value : ~value; \
        T w = hash; \
        int fast, slow, differ = 0; \
        PAIR(0, SHIFTED) PAIR(1, BEFORE) PAIR(2, TO_ONE) PAIR(3, BY_THREE) PAIR(4, LATE) PAIR(5, HALVED) \
        PAIR(6, HALVED_LATE) PAIR(7, LOWEST) PAIR(8, LOWEST_LATE) PAIR(9, LOWEST_OTHER) PAIR(10, TO_ODD) \
        PAIR(11, TO_ODD_LATE) PAIR(12, TO_BE_ONE) PAIR(13, SUMMED) PAIR(14, SUMMED_ZEROS) PAIR(15, PARITY) \
        PAIR(16, OTHERS) PAIR(17, OTHERS_HALVED) PAIR(18, OTHERS_UP) PAIR(19, COUNTED) PAIR(20, COUNTED_DOWN) \
        PAIR(21, COUNTED_TO) PAIR(22, COUNTED_LATE) PAIR(23, WRAPPED) \
        PAIR(24, TO_BIT) PAIR(25, TO_BIT_LATE) PAIR(26, TO_TOP) PAIR(27, TO_BIT_IF) PAIR(28, TO_ODD_IF) \
        PAIR(29, TO_BIT_ELSE) \
        out[i] = differ; \
    }

//: test of_uint
//: global 1024
//: local 64
//: arg out int[1024] = -1
//: arg zero int[1] = 0
//: expect out = 0
OF_TYPE(of_uint, uint)

//: test of_int
//: global 1024
//: local 64
//: arg out int[1024] = -1
//: arg zero int[1] = 0
//: expect out = 0
OF_TYPE(of_int, int)

//: test of_ulong
//: global 1024
//: local 64
//: arg out int[1024] = -1
//: arg zero int[1] = 0
//: expect out = 0
OF_TYPE(of_ulong, ulong)

//: test of_long
//: global 1024
//: local 64
//: arg out int[1024] = -1
//: arg zero int[1] = 0
//: expect out = 0
OF_TYPE(of_long, long)

//: test of_uchar
//: global 1024
//: local 64
//: arg out int[1024] = -1
//: arg zero int[1] = 0
//: expect out = 0
OF_TYPE(of_uchar, uchar)

//: test of_char
//: global 1024
//: local 64
//: arg out int[1024] = -1
//: arg zero int[1] = 0
//: expect out = 0
OF_TYPE(of_char, char)

//: test of_ushort
//: global 1024
//: local 64
//: arg out int[1024] = -1
//: arg zero int[1] = 0
//: expect out = 0
OF_TYPE(of_ushort, ushort)

//: test of_short
//: global 1024
//: local 64
//: arg out int[1024] = -1
//: arg zero int[1] = 0
//: expect out = 0
OF_TYPE(of_short, short)

// By themselves: the values that are known beside.
//: test logarithm
//: global 256
//: local 64
//: arg out int[256] = 0
//: arg a uint[256] = i * i * 977
//: expect out = a[i] ? 31 - clz(a[i]) : 0
int log_of(uint x)
{
    int n = 0;
    while (x >>= 1) n++;
    return n;
}
kernel void logarithm(global int *out, global const uint *a)
{
    int i = get_global_id(0);
    out[i] = log_of(a[i]);
}

//: test bits_of
//: global 256
//: local 64
//: arg out int[256] = 0
//: arg a uint[256] = i * 2654435761
//: expect out = popcount(a[i])
kernel void bits_of(global int *out, global const uint *a)
{
    int i = get_global_id(0), n = 0;
    for (uint x = a[i]; x; x &= x - 1) n++;
    out[i] = n;
}

// What has no end for some numbers is a loop still.
//: test first_bit
//: global 256
//: local 64
//: arg out int[256] = 0
//: arg a int[256] = i << 7
//: expect out = a[i] ? popcount((a[i] & -a[i]) - 1) : 99
kernel void first_bit(global int *out, global const int *a)
{
    int i = get_global_id(0), n = 0, x = a[i];
    if (x)
        while (!(x & 1)) {
            x >>= 1;
            n++;
        }
    else
        n = 99;
    out[i] = n;
}

// What is every other time what it was: signs, flags, differences from a number, by constants and by what the loop does not
// change, of all that are set, of those that are not up to the highest one, of 8 and of 64 bits.
//: test every_other
//: global 128
//: local 64
//: arg in uint[128] = i < 32 ? 1 << i : i == 32 ? 0 : i * 2654435761 + i
//: arg good int[128] = -1
//: arg m int 11
//: expect good = 127
kernel void every_other(global const uint *in, global int *good, int m)
{
    int i = get_global_id(0), sign = 1, flag = 0, less = i, mixed = 9, each = 5, ok = 0;
    uint v = in[i];
    char small = 100;
    long wide = -i, far = in[5];
    bool odd = popcount(v) & 1, even_zeros = (popcount(v) + clz(v)) % 2 == 0, turns = (32 - clz(v)) & 1;
    while (v) { if (v & 1) sign = -sign; v >>= 1; }
    for (v = in[i]; v; v /= 2) flag = (v & 1) ? !flag : flag;
    for (v = in[i]; v > 0; v >>= 1) { if (!(v & 1)) less = m - less; }
    for (v = in[i]; v; v &= v - 1) mixed ^= m;
    for (v = in[i]; v; v >>= 1) each = 7 - each;
    for (v = in[i]; v; v &= v - 1) small = 50 - small;
    for (v = in[i]; v; v >>= 1) { if (v & 1) wide = far - wide; }
    ok |= (sign == (odd ? -1 : 1)) << 0;
    ok |= (flag == odd) << 1;
    ok |= (less == (even_zeros ? i : m - i)) << 2;
    ok |= (mixed == (odd ? 9 ^ m : 9)) << 3;
    ok |= (each == (turns ? 2 : 5)) << 4;
    ok |= (small == (odd ? -50 : 100)) << 5;
    ok |= (wide == (odd ? far + i : -i)) << 6;
    good[i] = ok;
}

// The sign of a part of a number that is shifted up: only that part's bits come there.
//: test parts
//: global 128
//: local 64
//: arg in ulong[128] = i < 64 ? 1 << i : i * 11400714819323198485 + i
//: arg good int[128] = -1
//: expect good = 31
kernel void parts(global const ulong *in, global int *good)
{
    int i = get_global_id(0), set = 0, top = 0, seven = 3, flips = 9, masked = 0, ok = 0;
    ulong v;
    for (v = in[i]; v; v <<= 1) if ((int)v < 0) set++;
    for (v = in[i]; v; v <<= 1) top += (uint)v >> 31;
    for (v = in[i]; v; v <<= 1) if ((int)v < 0) seven = 7 - seven;
    for (v = in[i]; v; v <<= 1) if ((uint)v & 0x80000000u) flips ^= 5;
    for (v = in[i]; v; v <<= 1) if ((long)v < 0) masked++;
    int low = popcount((uint)in[i]);
    ok |= (set == low) << 0;
    ok |= (top == low) << 1;
    ok |= (seven == (low & 1 ? 4 : 3)) << 2;
    ok |= (flips == (low & 1 ? 12 : 9)) << 3;
    ok |= (masked == popcount(in[i])) << 4;
    good[i] = ok;
}

// Loops that ask for a bit of what they count, and do not shift.
//: test counted_bits
//: global 128
//: local 64
//: arg good int[128] = -1
//: arg n int 21
//: expect good = 7
kernel void counted_bits(global int *good, int n)
{
    int i = get_global_id(0), odd = i & 31, by = i & 15, turned = i & 7, ok = 0;
    for (; odd < n; odd++) if (odd & 1) break;
    while (!(by & 1) && by < 100) by += 3;
    for (int k = 0; k < n; k++) { if (turned & 1) break; turned = 8 - turned; }
    ok |= (odd == ((i & 31) < n ? (i & 31) | 1 : (i & 31))) << 0;
    ok |= (by == ((i & 15) & 1 ? i & 15 : (i & 15) + 3)) << 1;
    ok |= (turned == ((i & 7) & 1 ? i & 7 : 8 - (i & 7))) << 2;
    good[i] = ok;
}
