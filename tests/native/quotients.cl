// Quotients of which LLVM comes to know every lane only after it has seen that none is by zero,
// which some are.
//: test known
//: global 64
//: local 32
//: arg table char[64] = 1
//: arg rows long[2048] = 1
//: arg divisors int[2048] = (i / 32) & (i / 32 % 32 + 23) / 2
//: expect rows = i % 32 == 11 ? 0 : i % 32 != 10 ? 1 : divisors[i] == 0 ? -7 : -7 - (-7 / (divisors[i] == 0 ? 1 : divisors[i])) * divisors[i]
kernel void known(global const char *table, global char *rows, global const int *divisors) {
    uint lane = get_local_id(0) +
                get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
    uint items = get_local_size(0) * get_local_size(1) * get_local_size(2);
    uint id = get_group_id(0) * items + lane;
    global char *row = rows + id * 256;
    ulong all = add_sat((ulong)lane, (ulong)-1);
    long x = -7;
    ushort none = 0;
    if ((uint)all) {
    } else {
        none = (ushort)(table[5] << (ushort)table[7]);
    }
    x %= (int)((none < 13275 ? (int)id : 6) & hadd((int)lane, 23));
    ((global long *)row)[10] = x;
    ((global long *)row)[11] = none;
}

// By powers of two, with a sign, as the compiler takes them apart: of negative numbers and others, of one and both kinds,
// of 32 and 64 bits, where the number changes between the steps, and where what looks like one is none.
//: test powers
//: global 256
//: local 64
//: arg out int[2048] = 0
//: arg wide long[512] = 0
//: arg from int -100
//: expect out = i % 8 == 0 ? (i / 8 - 100) / 4 : i % 8 == 1 ? (i / 8 - 100) - (i / 8 - 100) / 4 * 4 : i % 8 == 2 ? (i / 8 - 100) / 2 : i % 8 == 3 ? (i / 8 - 100) - (i / 8 - 100) / 64 * 64 : i % 8 == 4 ? (i / 8 - 100) / 1073741824 : i % 8 == 5 ? ((i / 8 - 100) * 3 + (i / 8 >= 100 ? 0 : 3)) / 4 : i % 8 == 6 ? (i / 8 - 100 + (i / 8 >= 100 ? 0 : 7)) / 8 + (i / 8 - 90) / 8 + (i / 8 - 80) / 8 + (i / 8 - 70) / 8 : 0
//: expect wide = i % 2 ? (i / 2 - 100) - (i / 2 - 100) / 32 * 32 : (i / 2 - 100) * 8589934592 / 4294967296
__kernel void powers(__global int *out, __global long *wide, int from)
{
    int i = get_global_id(0), x = i + from, sum = 0;
    out[8 * i] = x / 4;
    out[8 * i + 1] = x % 4;
    out[8 * i + 2] = x / 2;
    out[8 * i + 3] = x % 64;
    out[8 * i + 4] = x / 1073741824;
    out[8 * i + 5] = (3 * x + (int)((uint)(x >> 31) >> 30)) / 4;
    int bias = (uint)(x >> 31) >> 29;
    for (int k = 0, v = x; k < 4; k++, v += 10)
        sum += k ? v / 8 : (v + bias) / 8;
    out[8 * i + 6] = sum;
    long y = x;
    wide[2 * i] = y * 8589934592 / 4294967296;
    wide[2 * i + 1] = y % 32;
}

// What a loop asks for before it is stepped may wrap around then, and has a sign.
//: test stepped
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg high int[64] = -1
//: expect out = (i + 1610612736 >> 1) / 4 + (i - 1073741824 >> 1) / 4
//: expect high = -1
__kernel void stepped(__global int *out, __global int *high)
{
    uint i = get_global_id(0);
    ulong j = i;
    int sum = 0;
    while ((int)i >= 0) {
        i += 0x60000000;
        sum += ((int)i >> 1) / 4;
    }
    while ((long)j >= 0) j += 0x6000000000000000;
    out[get_global_id(0)] = sum;
    high[get_global_id(0)] = (long)j < 50 ? -1 : 1;
}
