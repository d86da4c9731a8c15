// Every operator on every integer and floating point type, in vectors of every length: each component
// is what the scalar operator gives, converted back to the type; comparisons give -1.
//: options -cl-std=CL1.0
// The kernels with all lengths are too large for the native engine, those with one are not.
#define SAME(r, e) wrong += (r) != (e)
#define EACH(N, check) _Pragma("unroll 1") for (int c = 0; c < N; c++) { check; }

#define COMMON(T, S, N)                                                     \
    private T *x = (private T *)&a, *y = (private T *)&b, *z;               \
    private S *t;                                                           \
    T##N r;                                                                 \
    S##N s;                                                                 \
    z = (private T *)&r;                                                    \
    t = (private S *)&s;                                                    \
    r = a + b; EACH(N, SAME(z[c], (T)(x[c] + y[c])))                        \
    r = a - b; EACH(N, SAME(z[c], (T)(x[c] - y[c])))                        \
    r = a * b; EACH(N, SAME(z[c], (T)(x[c] * y[c])))                        \
    r = a / b; EACH(N, SAME(z[c], (T)(x[c] / y[c])))                        \
    r = -a; EACH(N, SAME(z[c], (T)-x[c]))                                   \
    r = +a; EACH(N, SAME(z[c], x[c]))                                       \
    r = a + x[0]; EACH(N, SAME(z[c], (T)(x[c] + x[0])))                     \
    r = x[0] - a; EACH(N, SAME(z[c], (T)(x[0] - x[c])))                     \
    r = a; r += b; EACH(N, SAME(z[c], (T)(x[c] + y[c])))                    \
    r = a; r -= x[0]; EACH(N, SAME(z[c], (T)(x[c] - x[0])))                 \
    r = a; r *= b; EACH(N, SAME(z[c], (T)(x[c] * y[c])))                    \
    r = a; r /= b; EACH(N, SAME(z[c], (T)(x[c] / y[c])))                    \
    s = a < b; EACH(N, SAME(t[c], x[c] < y[c] ? -1 : 0))                    \
    s = a <= b; EACH(N, SAME(t[c], x[c] <= y[c] ? -1 : 0))                  \
    s = a > b; EACH(N, SAME(t[c], x[c] > y[c] ? -1 : 0))                    \
    s = a >= x[0]; EACH(N, SAME(t[c], x[c] >= x[0] ? -1 : 0))               \
    s = a == b; EACH(N, SAME(t[c], x[c] == y[c] ? -1 : 0))                  \
    s = a != b; EACH(N, SAME(t[c], x[c] != y[c] ? -1 : 0))                  \
    s = a < b; r = s ? a : b; EACH(N, SAME(z[c], t[c] < 0 ? x[c] : y[c]))   \
    r = (T##N)(x[1]); EACH(N, SAME(z[c], x[1]))

#define WHOLE(T, S, N)                                                      \
    int T##N##_wrong(T##N a, T##N b) {                                      \
        int wrong = 0;                                                      \
        COMMON(T, S, N)                                                     \
        r = a % b; EACH(N, SAME(z[c], (T)(x[c] % y[c])))                    \
        r = a & b; EACH(N, SAME(z[c], (T)(x[c] & y[c])))                    \
        r = a | b; EACH(N, SAME(z[c], (T)(x[c] | y[c])))                    \
        r = a ^ b; EACH(N, SAME(z[c], (T)(x[c] ^ y[c])))                    \
        r = ~a; EACH(N, SAME(z[c], (T)~x[c]))                               \
        T##N n = b & (T)(8 * sizeof(T) - 1);                                \
        private T *by = (private T *)&n;                                    \
        r = a << n; EACH(N, SAME(z[c], (T)(x[c] << by[c])))                 \
        r = a >> n; EACH(N, SAME(z[c], (T)(x[c] >> by[c])))                 \
        r = a << (n + (T)(8 * sizeof(T))); EACH(N, SAME(z[c], (T)(x[c] << by[c]))) \
        r = a; r %= b; EACH(N, SAME(z[c], (T)(x[c] % y[c])))                \
        r = a; r &= b; EACH(N, SAME(z[c], (T)(x[c] & y[c])))                \
        r = a; r |= x[0]; EACH(N, SAME(z[c], (T)(x[c] | x[0])))             \
        r = a; r ^= b; EACH(N, SAME(z[c], (T)(x[c] ^ y[c])))                \
        r = a; r <<= n; EACH(N, SAME(z[c], (T)(x[c] << by[c])))             \
        r = a; r >>= n; EACH(N, SAME(z[c], (T)(x[c] >> by[c])))             \
        s = !a; EACH(N, SAME(t[c], x[c] ? 0 : -1))                          \
        s = a && b; EACH(N, SAME(t[c], x[c] && y[c] ? -1 : 0))              \
        s = a || b; EACH(N, SAME(t[c], x[c] || y[c] ? -1 : 0))              \
        r = a; s = r++ == a; EACH(N, SAME(t[c], -1))                        \
        EACH(N, SAME(z[c], (T)(x[c] + 1)))                                  \
        --r; EACH(N, SAME(z[c], x[c]))                                      \
        return wrong;                                                       \
    }
#define REAL(T, S, N)                                                       \
    int T##N##_wrong(T##N a, T##N b) {                                      \
        int wrong = 0;                                                      \
        COMMON(T, S, N)                                                     \
        return wrong;                                                       \
    }
#define LENGTHS(KIND, T, S) KIND(T, S, 2) KIND(T, S, 3) KIND(T, S, 4) KIND(T, S, 8) KIND(T, S, 16)
#define KERNEL(T, N)                                                        \
    kernel void T##N##s(global const T *in, global int *out) {              \
        int i = get_global_id(0);                                           \
        out[i] = T##N##_wrong(vload##N(0, in + i), vload##N(0, in + 16 + i)); \
    }
#define KERNELS(T)                                                          \
    kernel void T##s(global const T *in, global int *out) {                 \
        int i = get_global_id(0);                                           \
        global const T *a = in + i, *b = in + 16 + i;                       \
        out[5 * i] = T##2_wrong(vload2(0, a), vload2(0, b));                \
        out[5 * i + 1] = T##3_wrong(vload3(0, a), vload3(0, b));            \
        out[5 * i + 2] = T##4_wrong(vload4(0, a), vload4(0, b));            \
        out[5 * i + 3] = T##8_wrong(vload8(0, a), vload8(0, b));            \
        out[5 * i + 4] = T##16_wrong(vload16(0, a), vload16(0, b));         \
    }

LENGTHS(WHOLE, char, char)
KERNELS(char) KERNEL(char, 3)
//: test chars
//: global 32
//: arg in char[64] = (i * 37 ^ i << 3) % 255 - 127 | 1
//: arg out int[160] = -1
//: expect out = 0
//: test char3s
//: global 32
//: arg in char[64] = (i * 37 ^ i << 3) % 255 - 127 | 1
//: arg out int[32] = -1
//: expect out = 0

LENGTHS(WHOLE, uchar, char)
KERNELS(uchar) KERNEL(uchar, 16)
//: test uchars
//: global 32
//: arg in uchar[64] = i * 37 ^ i << 3 | 1
//: arg out int[160] = -1
//: expect out = 0
//: test uchar16s
//: global 32
//: arg in uchar[64] = i * 37 ^ i << 3 | 1
//: arg out int[32] = -1
//: expect out = 0

LENGTHS(WHOLE, short, short)
KERNELS(short) KERNEL(short, 8)
//: test shorts
//: global 32
//: arg in short[64] = (i * 7919 ^ i << 9) % 65535 - 32767 | 1
//: arg out int[160] = -1
//: expect out = 0
//: test short8s
//: global 32
//: arg in short[64] = (i * 7919 ^ i << 9) % 65535 - 32767 | 1
//: arg out int[32] = -1
//: expect out = 0

LENGTHS(WHOLE, ushort, short)
KERNELS(ushort) KERNEL(ushort, 3)
//: test ushorts
//: global 32
//: arg in ushort[64] = i * 7919 ^ i << 9 | 1
//: arg out int[160] = -1
//: expect out = 0
//: test ushort3s
//: global 32
//: arg in ushort[64] = i * 7919 ^ i << 9 | 1
//: arg out int[32] = -1
//: expect out = 0

LENGTHS(WHOLE, int, int)
KERNELS(int) KERNEL(int, 2) KERNEL(int, 3) KERNEL(int, 4) KERNEL(int, 8) KERNEL(int, 16)
//: test ints
//: global 32
//: arg in int[64] = i * 1103515245 ^ i << 27 | 1
//: arg out int[160] = -1
//: expect out = 0
//: test int2s
//: global 32
//: arg in int[64] = i * 1103515245 ^ i << 27 | 1
//: arg out int[32] = -1
//: expect out = 0
//: test int3s
//: global 32
//: arg in int[64] = i * 1103515245 ^ i << 27 | 1
//: arg out int[32] = -1
//: expect out = 0
//: test int4s
//: global 32
//: arg in int[64] = i * 1103515245 ^ i << 27 | 1
//: arg out int[32] = -1
//: expect out = 0
//: test int8s
//: global 32
//: arg in int[64] = i * 1103515245 ^ i << 27 | 1
//: arg out int[32] = -1
//: expect out = 0
//: test int16s
//: global 32
//: arg in int[64] = i * 1103515245 ^ i << 27 | 1
//: arg out int[32] = -1
//: expect out = 0

LENGTHS(WHOLE, uint, int)
KERNELS(uint) KERNEL(uint, 3)
//: test uints
//: global 32
//: arg in uint[64] = i * 1103515245 ^ i << 27 | 1
//: arg out int[160] = -1
//: expect out = 0
//: test uint3s
//: global 32
//: arg in uint[64] = i * 1103515245 ^ i << 27 | 1
//: arg out int[32] = -1
//: expect out = 0

LENGTHS(WHOLE, long, long)
KERNELS(long) KERNEL(long, 4)
//: test longs
//: global 32
//: arg in long[64] = i * 6364136223846793005 ^ i << 57 | 1
//: arg out int[160] = -1
//: expect out = 0
//: test long4s
//: global 32
//: arg in long[64] = i * 6364136223846793005 ^ i << 57 | 1
//: arg out int[32] = -1
//: expect out = 0

LENGTHS(WHOLE, ulong, long)
KERNELS(ulong) KERNEL(ulong, 3)
//: test ulongs
//: global 32
//: arg in ulong[64] = i * 6364136223846793005 ^ i << 57 | 1
//: arg out int[160] = -1
//: expect out = 0
//: test ulong3s
//: global 32
//: arg in ulong[64] = i * 6364136223846793005 ^ i << 57 | 1
//: arg out int[32] = -1
//: expect out = 0

LENGTHS(REAL, float, int)
KERNELS(float) KERNEL(float, 3) KERNEL(float, 8)
//: test floats
//: global 32
//: arg in float[64] = (i - 31.5) * (i % 5 + 0.3)
//: arg out int[160] = -1
//: expect out = 0
//: test float3s
//: global 32
//: arg in float[64] = (i - 31.5) * (i % 5 + 0.3)
//: arg out int[32] = -1
//: expect out = 0
//: test float8s
//: global 32
//: arg in float[64] = (i - 31.5) * (i % 5 + 0.3)
//: arg out int[32] = -1
//: expect out = 0
