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
