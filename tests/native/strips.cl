// Loops that hold more vectors than there are registers, which go by strips where there are sixteen: some lanes
// of a warp at a time through all iterations.
#define EACH(what) what(0) what(1) what(2) what(3) what(4) what(5) what(6) what(7) what(8) what(9) what(10) what(11)
#define DECLARE(n) uint v##n = i * (n + 3) + n;
#define MIX(n)     v##n += s * (n + 1);
#define SUM(n)     sum += v##n;

// Scalars that the loop changes begin each strip anew, and are wanted after it.
//: test scalars
//: kernel scalars
//: global 160
//: local 32
//: arg out uint[160] = 0
//: arg ends uint[160] = 0
//: arg table uint[40] = i * i + 7
//: arg numbers uint[160] = i
//: arg n int 37
//: expect out = 102 * i + 66 + 78 * 55648
//: expect ends = 37 * 3 + 1005
//: test scalars_partial
//: kernel scalars
//: global 45
//: local 45
//: arg out uint[64] = 0
//: arg ends uint[64] = 0
//: arg table uint[40] = i * i + 7
//: arg numbers uint[160] = i
//: arg n int 37
//: expect out = i < 45 ? 102 * i + 66 + 78 * 55648 : 0
//: expect ends = i < 45 ? 37 * 3 + 1005 : 0
__kernel void scalars(__global uint *out, __global uint *ends, __global const uint *table,
                      __global const uint *numbers, int n)
{
    uint i = numbers[get_global_id(0)], sum = 0;
    int end = 1005;
    EACH(DECLARE)
    for (int t = 0; t < n; t++) {
        uint s = table[t] + end;
        EACH(MIX)
        end += 3;
    }
    EACH(SUM)
    out[get_global_id(0)] = sum;
    ends[get_global_id(0)] = end;
}

// Rows that are loaded, of a warp and of half-warps.
//: test rows
//: global 32 6
//: local 32 2
//: arg out uint[192] = 0
//: arg in uint[1024] = i * 3
//: arg n int 29
//: expect out = 102 * i + 66 + 78 * 3 * (29 * i + 16 * 406)
//: test half_rows
//: kernel rows
//: global 32 6
//: local 16 2
//: arg out uint[192] = 0
//: arg in uint[1024] = i * 3
//: arg n int 29
//: expect out = 102 * i + 66 + 78 * 3 * (29 * i + 16 * 406)
__kernel void rows(__global uint *out, __global const uint *in, int n)
{
    uint i = get_global_id(1) * 32 + get_global_id(0), sum = 0;
    EACH(DECLARE)
    for (int t = 0; t < n; t++) {
        uint s = in[i + t * 16];
        EACH(MIX)
    }
    EACH(SUM)
    out[i] = sum;
}

// Lanes that leave one by one, some of which were never there; a loop in the loop.
//: test leave
//: kernel leave
//: global 96
//: local 96
//: arg out int[96] = -1
//: arg most int 50
//: expect out = i % 3 == 1 ? -7 : i * 7 % 61 < 50 ? i * 7 % 61 * 1001 + 39 * (i * 7 % 61) * (i * 7 % 61 - 1) : 50 * 1001 + 39 * 50 * 49
//: test leave_soon
//: kernel leave
//: global 77
//: local 77
//: arg out int[96] = -1
//: arg most int 1
//: expect out = i >= 77 ? -1 : i % 3 == 1 ? -7 : i * 7 % 61 < 1 ? 0 : 1001
__kernel void leave(__global int *out, int most)
{
    uint i = get_global_id(0), sum = 0;
    int n = 0, inner = 0;
    EACH(DECLARE)
    if (i % 3 == 1) {
        out[i] = -7;
        return;
    }
    while (n < most) {
        uint s = n;
        if (n == i * 7 % 61)
            break;
        for (int t = 0; t < 4; t++) {
            EACH(MIX)
            inner += 1000;
            if (t == most / 100)
                break;
        }
        n++;
    }
    EACH(SUM)
    out[i] = n + inner + (int)(sum - 102 * i - 66);
}

// Between barriers, for all warps of a group.
//: test barriers
//: global 256
//: local 128
//: arg out float[256] = -1
//: arg in float[256] = i % 8
//: arg n int 256
//: expect out = 448 * (12 * (i % 8) + 66) + i % 8
__kernel void barriers(__global float *out, __global const float *in, int n)
{
    __local float part[128];
    int l = get_local_id(0), i = get_global_id(0);
    float me = in[i];
#define ZERO(n)   float s##n = 0;
#define ADD(n)    s##n += part[t] * (me + n);
#define TOTAL(n)  + s##n
    EACH(ZERO)
    for (int from = 0; from < n / 2; from += 128) {
        part[l] = in[from + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int t = 0; t < 128; t++) {
            EACH(ADD)
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = me EACH(TOTAL);
}
