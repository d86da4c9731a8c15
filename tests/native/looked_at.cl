// Loops and straight code that look at a value bit by bit, until one is found or none is left: what they leave is
// computed. Beside them the same, kept as they are by a load in each iteration; out has a bit for each pair that differs.

#define PAIR(n_, loop) \
    { int n = 3; T x = v; int y = w; loop(0); fast = n * 31 + (int)x + y; } \
    { int n = 3; T x = v; int y = w; loop(*zero); slow = n * 31 + (int)x + y; } \
    if (fast != slow) differ |= 1 << n_;

#define WIDTH ((int)sizeof(T) * 8)
#define BIT(x, k) ((x) >> (k) & 1)

// Several conditions, a mask that is shifted, places that are counted.
#define MASK_AND(k) for (T m = 1; m && !(x & m); m <<= 1) n += 1 + k
#define MASK_DOWN(k) for (T m = (T)1 << (WIDTH - 1); m != 0 && (x & m) == 0; m >>= 1) n -= 2 + k
#define MASK_COUNTS(k) { T m = (T)1 << 5; while (m) { if (x & m) n++; m >>= 1; y += k; } }
#define MASK_TWICE(k) { T m = 4; while (m && (x & m)) { m += m; n += 3 + k; } }
#define PLACE_UP(k) { int j = 0; while (j < WIDTH && !BIT(x, j)) { j++; n += k; } y += j; }
#define PLACE_FROM(k) { int j = 3; while (j < WIDTH - 1 && !(x & (T)1 << j)) { j++; n += k; } y += j; }
#define PLACE_DOWN(k) { int j = WIDTH - 1; while (j >= 0 && !BIT(x, j)) { j--; n += k; } y -= j; }
#define PLACE_LATE(k) { int j = 2; do { j++; n += k; } while (j <= 6 && BIT(x, j)); y += j; }
#define PLACE_ANY(k) { int j = 0; if (x) while (!BIT(x, j)) { j++; n += k; } y += j; }
#define PLACE_ALL(k) { int j = 0; while (j < WIDTH - 1 && (T)(x >> j)) { j++; n += k; } y += j; }
#define TOP_UP(k) { int j = 0; while (j < WIDTH && !((T)(x << j) & (T)1 << (WIDTH - 1))) { j++; n += k; } y += j; }
#define SHIFTED_AND(k) { int j = 0; while (j < 11 && !(x & 1)) { x >>= 1; n += 2 + k; j++; } y ^= j; }
#define SHIFTED_OR(k) { int j = 0; while (!(j >= w % 16 || x & 2)) { x >>= 1; n += 1 + k; j++; } y ^= j; }
#define UP_TO_NONE(k) while (x) { x <<= 1; n += 1 + k; }
#define UP_BY_TWO(k) while (x) { x <<= 2; n += 1 + k; y += 3; }
#define UP_SUMMED(k) while (x) { if (x & (T)1 << (WIDTH - 1)) n += 1 + k; x <<= 1; }
#define COUNT_LOWEST(k) for (int j = 0; j < (w & 7); j++) { x &= x - 1; n += k; }
#define LOWEST_AND(k) for (int j = 0; j < (w & 7) && x; j++) { x &= x - 1; n += 1 + k; }

#define TRAILING_ONES(k) while (x & 1) { x >>= 1; n += 1 + k; }
#define LEADING_ONES(k) { while (x & (T)1 << (WIDTH - 1)) { x <<= 1; n += 1 + k; } y += x & 1; }
#define ONES_FROM(k) { do { x <<= 1; n += 1 + k; } while (x & 16); y += 2; }
#define POWER(k) { T m = 1; if (v >> (WIDTH - 1) == 0) while (m < v) { m <<= 1; n += 1 + k; } y += (int)m; }
#define POWER_SIGNED(k) { int m = 4, z = (int)v >> 2; while (m <= z) { m *= 2; n += 1 + k; } y += m; }
#define POWER_LATE(k) { uint m = 1; do { m += m; n += 1 + k; } while (m < (uint)v >> 1 && n < 40); y += (int)m; }

// 0 and 1
#define NOT(k) { bool b = w & 1; for (int j = 0; j < WIDTH; j++) if (BIT(x, j)) b = !b; n += b + k; }
#define NOT_WHILE(k) { int b = 0; while (x) { x &= x - 1; b = !b; y += k; } n += b; }
#define ONE_LESS(k) { int b = w & 1; while (x) { x &= x - 1; b = 1 - b; y += k; } n += b; }
#define DIFFER(k) { int b = 0; for (int j = 0; j < WIDTH; j++) { b = b != BIT(x, j); y += k; } n += b; }
#define ALIKE(k) { int b = 1; for (int j = 0; j < 7; j++) { b = b == (int)BIT(x, j); y += k; } n += b; }
#define MODULO(k) { uint b = w & 1; for (int j = 0; j < 9; j++) { b = (b + BIT(x, j) + k) % 2; } n += b; }
#define MORE(k) { int b = w & 3; for (int j = 0; j < 9; j++) { b = 1 - b + k; if (BIT(x, j)) b = !b; } n += b; }

#define OF_TYPE(name, type) \
    kernel void name(global int *out, global volatile const int *zero) \
    { \
        typedef type T; \
        int i = get_global_id(0); \
        ulong hash = i * 0x9e3779b97f4a7c15UL; \
        ulong value = i < 64 ? 1UL << i : i < 128 ? (1UL << (i - 64)) - 1 : hash >> (i & 63); \
        T v = i < 512 ? value : ~value; \
        int w = hash >> 40; \
        int fast, slow, differ = 0; \
        PAIR(0, MASK_AND) PAIR(1, MASK_DOWN) PAIR(2, MASK_COUNTS) PAIR(3, MASK_TWICE) PAIR(4, PLACE_UP) \
        PAIR(5, PLACE_FROM) PAIR(6, PLACE_DOWN) PAIR(7, PLACE_LATE) PAIR(8, PLACE_ANY) PAIR(9, PLACE_ALL) \
        PAIR(10, TOP_UP) PAIR(11, SHIFTED_AND) PAIR(12, SHIFTED_OR) PAIR(13, UP_TO_NONE) PAIR(14, UP_BY_TWO) \
        PAIR(15, UP_SUMMED) PAIR(16, COUNT_LOWEST) PAIR(17, LOWEST_AND) PAIR(18, NOT) PAIR(19, NOT_WHILE) \
        PAIR(20, ONE_LESS) PAIR(21, DIFFER) PAIR(22, ALIKE) PAIR(23, MODULO) PAIR(24, MORE) PAIR(25, TRAILING_ONES) \
        PAIR(26, LEADING_ONES) PAIR(27, ONES_FROM) PAIR(28, POWER) PAIR(29, POWER_SIGNED) PAIR(30, POWER_LATE) \
        out[i] = differ; \
    }

//: test of_uint
//: global 1024
//: local 64
//: arg out int[1024] = -1
//: arg zero int[1] = 0
//: expect out = 0
OF_TYPE(of_uint, uint)

//: test of_ulong
//: global 1024
//: local 64
//: arg out int[1024] = -1
//: arg zero int[1] = 0
//: expect out = 0
OF_TYPE(of_ulong, ulong)

//: test of_uchar
//: global 1024
//: local 64
//: arg out int[1024] = -1
//: arg zero int[1] = 0
//: expect out = 0
OF_TYPE(of_uchar, uchar)

//: test of_ushort
//: global 1024
//: local 64
//: arg out int[1024] = -1
//: arg zero int[1] = 0
//: expect out = 0
OF_TYPE(of_ushort, ushort)

// The compiler has written these out.
//: test written_out
//: global 256
//: local 64
//: arg out int[2560] = -1
//: arg a uint[256] = i == 0 ? 0 : i < 33 ? 1 << (i - 1) : i * 2654435761 >> i % 31
//: expect out = i / 256 == 0 ? (a[i % 256] ? popcount((a[i % 256] & -a[i % 256]) - 1) : 32) : i / 256 == 1 ? clz(a[i % 256]) : i / 256 == 2 ? (a[i % 256] >> 20 ? 8 : a[i % 256] >> 12 & 255 ? clz(a[i % 256] << 12 >> 24) - 24 : 8) * (a[i % 256] >> 20 ? 0 : 1) : i / 256 == 3 ? popcount(a[i % 256]) : i / 256 == 4 ? popcount(a[i % 256]) : i / 256 == 5 ? 32 - clz(a[i % 256]) : i / 256 == 6 ? clz(a[i % 256]) : i / 256 == 7 ? (a[i % 256] ? popcount((a[i % 256] & -a[i % 256]) - 1) : -1) : i / 256 == 8 ? min(popcount(a[i % 256]), 7) : popcount(~a[i % 256] & (a[i % 256] + 1)) * 0 + (a[i % 256] == -1 ? 32 : popcount((~a[i % 256] & (a[i % 256] + 1)) - 1))
kernel void written_out(global int *out, global const uint *a)
{
    int i = get_global_id(0), s[10] = {0};
    uint v = a[i], u;
    for (s[0] = 0; s[0] < 32; s[0]++)
        if (v >> s[0] & 1) break;
    for (int k = 31; k >= 0; k--) {
        if (v & (1u << k)) break;
        s[1]++;
    }
    u = v;
    if (!(v >> 20)) for (int k = 19; k >= 12; k--) {
        if (v & (1u << k)) break;
        s[2]++;
    }
    for (int k = 0; k < 32; k++) {
        if (!u) break;
        u &= u - 1;
        s[3]++;
    }
    u = v;
    for (int k = 0; k < 32; k++) {
        s[4] += u & 1;
        u >>= 1;
        if (!u) break;
    }
    for (int k = 0; k < 32; k++) {
        if (v >> k == 0) break;
        s[5] = k + 1;
    }
    s[6] = 32;
    for (int k = 0; k < 32; k++)
        if (v >> k & 1) s[6] = 31 - k;
    s[7] = -1;
    for (int k = 31; k >= 0; k--) s[7] = v & 1u << k ? k : s[7];
    u = v;
    for (int k = 0; k < 7; k++) {
        if (!u) break;
        u = u & (u - 1);
        s[8] = s[8] + 1;
    }
    for (int k = 0; k < 32; k++) {
        if (!(v & 1u << k)) break;
        s[9]++;
    }
    for (int k = 0; k < 10; k++) out[k * 256 + i] = s[k];
}

// What a value has lost some of its bits to is not nothing.
//: test some_lowest
//: global 64
//: local 64
//: arg out int[64] = 0
//: arg a int[64] = 255
//: arg n int = 2
//: expect out = 252
kernel void some_lowest(global int *out, global const int *a, int n)
{
    int i = get_global_id(0), x = a[i];
    for (int j = 0; j < n; j++) x &= x - 1;
    out[i] = x;
}

// The first of several exits asks only for some of the bits.
//: test some_first
//: global 256
//: local 64
//: arg out int[512] = -1
//: arg a uint[256] = i == 0 ? 0 : i < 33 ? 1 << (i - 1) : i * 2654435761 >> i % 31
//: expect out = i / 256 ? (a[i % 256] & 16 ? min(popcount(a[i % 256]), 8) : 0) : a[i % 256] & 255 ? min(popcount(a[i % 256]), 8) : 0
kernel void some_first(global int *out, global const uint *a)
{
    int i = get_global_id(0), s[2] = {0};
    uint u = a[i];
    for (int k = 0; k < 8; k++) {
        if (!(k ? u : u & 255)) break;
        u &= u - 1;
        s[0]++;
    }
    u = a[i];
    for (int k = 0; k < 8; k++) {
        if (!(k ? u : u & 16)) break;
        u &= u - 1;
        s[1]++;
    }
    for (int k = 0; k < 2; k++) out[k * 256 + i] = s[k];
}
