// A condition is added to numbers of 64 bits where a group has fewer work-items than a half-warp.
//: test sums
//: global 14
//: local 7
//: arg at int[14] = (i * 5) % 14
//: arg in int[14] = i
//: arg out long[14] = 100
//: expect out = 100 + (i * 3 % 14) * 7 + (i * 3 % 14 > 4)
kernel void sums(global const int *at, global const int *in, global long *out)
{
    int i = get_global_id(0);
    long x = out[at[i]] + in[i] * 7L;
    if (in[i] > 4) x += 1;
    if (in[i] >= 0) out[at[i]] = x;
}

// A condition is added to numbers of 32 bits where what it is of is a constant in each lane: a 1 shifted by the work-item.
//: test known_lanes
//: global 512
//: local 64
//: arg out int[2048] = -1
//: expect out = i % 4 == 1 ? 32 : i % 4 == 2 ? 0 : i % 4 == 3 ? (i / 4 % 67 != 5 && i / 4 % 32 < 10 ? -1 : 1) : i / 4 % 67 == 5 ? 0 : i / 4 % 32 > 9 ? i / 4 % 32 % 3 : i / 4 % 32 == 0 ? -1 : (i / 4 % 32 - 1) % 3
kernel void known_lanes(global int *out)
{
    uint id = get_group_id(0) * get_local_size(0) + get_local_id(0), x = 1u << id % 32;
    int n = 0, at = 32;
    bool f = false;
    long l = 1;
    uchar c = 2;
    if (id % 67 == 5) x = 0;
    for (int i = 9; i >= 0; i--) {
        bool bit = (x & 1u << i) > 0;
        if (bit && n < 5) { n -= 1; l = -l; }
    }
    for (uint v = x; v;) {
        bool bit = v % 2;
        v /= 2;
        if (!(f || bit)) { n = (n + 1) % 3; c++; }
    }
    out[4 * id] = n;
    out[4 * id + 1] = at;
    out[4 * id + 2] = f;
    out[4 * id + 3] = (int)l;
}
