// switch (6.8, as C99 6.8.4.2) on every integer type, nested, without match, with the default anywhere.
//: versions 1.0 1.1 1.2
#define OF(T)                                                               \
    int of_##T(T v) {                                                       \
        int n = 0;                                                          \
        switch (v) {                                                        \
        default: n += 1000;                                                 \
        case 1: n++;                                                        \
        case 2: n += 10; break;                                             \
        case (T)-1: n = 7;                                                  \
        case 100: return n + 5;                                             \
        case 3: ;                                                           \
        }                                                                   \
        return n;                                                           \
    }
OF(char) OF(uchar) OF(short) OF(ushort) OF(int) OF(uint) OF(long) OF(ulong)

//: test types
//: global 64
//: arg in int[8] = {1, 2, 3, -1, 100, 99, 5, 0}
//: arg out int[512] = -1
//: expect out = i % 8 == 0 ? 11 : i % 8 == 1 ? 10 : i % 8 == 2 ? 0 : i % 8 == 3 ? 12 : i % 8 == 4 ? 5 : 1011
kernel void types(global const int *in, global int *out) {
    int i = get_global_id(0), v = in[i % 8];
    out[i] = of_char(v);
    out[64 + i] = of_uchar(v);
    out[128 + i] = of_short(v);
    out[192 + i] = of_ushort(v);
    out[256 + i] = of_int(v);
    out[320 + i] = of_uint(v);
    out[384 + i] = of_long(v);
    out[448 + i] = of_ulong(v);
}

//: test wide
//: global 32
//: arg out int[32] = -1
//: expect out = i % 4 == 0 ? 1 : i % 4 == 1 ? 2 : i % 4 == 2 ? 3 : 0
kernel void wide(global int *out) {
    int i = get_global_id(0), n = 0;
    long v = ((long)(i % 4) << 32) + 5;
    switch (v) {
    case 5: n = 1; break;
    case 0x100000005L: n = 2; break;
    case 0x200000005L: n = 3;
    }
    out[i] = n;
}

//: test nested
//: global 64
//: arg out int[64] = -1
//: expect out = i % 4 == 0 ? (i / 4 % 4 == 0 ? 11 : i / 4 % 4 == 1 ? 110 : 100) : i % 4 == 1 ? 5 : i % 4 == 2 ? i / 4 * 2 : 0
kernel void nested(global int *out) {
    int i = get_global_id(0), n = 0;
    switch (i % 4) {
    case 0:
        switch (i / 4 % 4) {
        case 0: n = 1; break;
        case 1: n = 10;
        default: n += 100;
        }
        if (n == 1) n += 10;
        break;
    case 2:
        for (int k = 0; k < 100; k++) {
            switch (k - i / 4) {
            case 0: break;
            default: n += 2; continue;
            }
            break;
        }
        break;
    case 1: n = 5;
    }
    out[i] = n;
}

//: test odd
//: global 32
//: arg out int[32] = -1
//: expect out = i < 3 ? i + 100 : i == 7 ? 49 : i
int empty(int v) {
    switch (v) {}
    switch (v) default: return v;
}
kernel void odd(global int *out) {
    int i = get_global_id(0), n = empty(i);
    switch (i) {
        int kept; /* not initialised: nothing comes here */
    case 0 ... 2: kept = 100; n += kept; break;
    case 7: {
        int square = i * i;
        n = square;
    }
    }
    out[i] = n;
}
