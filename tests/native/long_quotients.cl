// Quotients of 64 bits: warps whose numbers are all small, some of which are negative, zero or just
// small enough, beside warps with one that is large.
//: test each
//: global 256
//: local 64
//: arg x long[256] = (i % 7 == 3 ? -1 : 1) * (i % 64 == 0 ? (1 << 50) - 1 : i % 64 == 1 ? -(1 << 50) : (i * 2654435761 % 1000003) * (i / 64 == 3 && i % 32 == 9 ? 1 << 42 : i % 5 == 0 ? 1 : 1 << 29))
//: arg y long[256] = i % 11 == 5 ? 0 : i % 64 == 2 ? (1 << 50) - 1 : i % 9 == 4 ? -1 - i % 13 : 1 + i * 40503 % 1009
//: arg q long[256]
//: arg r long[256]
//: expect q = y[i] == 0 ? -1 : x[i] / (y[i] == 0 ? 1 : y[i])
//: expect r = y[i] == 0 ? x[i] : x[i] - x[i] / (y[i] == 0 ? 1 : y[i]) * y[i]
kernel void each(global const long *x, global const long *y, global long *q, global long *r) {
    size_t i = get_global_id(0);
    q[i] = x[i] / y[i];
    r[i] = x[i] % y[i];
}

// A divisor for all, not known and known; lanes that are off.
//: test shared_divisor
//: global 256
//: local 64
//: arg x long[256] = (i % 7 == 3 ? -1 : 1) * (i * 2654435761 % 1000003) * (i / 64 == 3 && i % 32 == 9 ? 1 << 42 : i % 5 == 0 ? 1 : 1 << 29)
//: arg y long = -1009
//: arg q long[256]
//: arg r long[256]
//: arg s long[256]
//: expect q = x[i] / -1009
//: expect r = i % 5 == 1 ? 0 : x[i] - x[i] / 1009 * 1009
//: expect s = x[i] / 10
kernel void shared_divisor(global const long *x, long y, global long *q, global long *r,
                           global long *s) {
    size_t i = get_global_id(0);
    q[i] = x[i] / y;
    if (i % 5 != 1) r[i] = x[i] % y;
    s[i] = x[i] / 10;
}

// Whole multiples of a divisor, and what lies one below them, of as many bits as are small.
//: test multiples
//: global 1024
//: local 64
//: arg z ulong = 0
//: arg q ulong[1024]
//: arg r ulong[1024]
//: expect q = (1 << 50) / (3 + i / 64) - 40 - i % 2
//: expect r = i % 2 ? 2 + i / 64 : 0
kernel void multiples(ulong z, global ulong *q, global ulong *r) {
    size_t i = get_global_id(0);
    ulong y = 3 + get_group_id(0) + z, whole = ((1ul << 50) / y - 40) * y - i % 2;
    q[i] = whole / y;
    r[i] = whole % y;
}

// Unsigned numbers of which the first bit is set are not small.
//: test not_signed
//: global 128
//: local 64
//: arg x ulong[128] = i / 64 == 1 && i % 8 == 3 ? -i : i * 1000
//: arg y ulong[128] = i % 16 == 3 ? -1 - i : 7
//: arg q ulong[128]
//: expect q = i / 64 == 1 && i % 8 == 3 ? (i % 16 == 3 ? 1 : 2635249153387078802 - (i + 4) / 7) : i % 16 == 3 ? 0 : i * 1000 / 7
kernel void not_signed(global const ulong *x, global const ulong *y, global ulong *q) {
    size_t i = get_global_id(0);
    q[i] = x[i] / y[i];
}
