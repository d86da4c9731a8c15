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

// Vectors of 64 bits, of which also the registers of AVX-512 hold few.
#define WIDE(what) EACH(what) what(12) what(13) what(14) what(15) what(16) what(17) what(18) what(19) what(20) what(21)
#define WORD(n)    ulong v##n = i * (n + 3) + n;
#define TURN(n)    v##n = rotate(v##n ^ s, (ulong)(n + 1));
#define BACK(n)    v##n = rotate(v##n, (ulong)(64 - n - 1)) ^ s;

// A turn and its way back, which some lanes go twice; some were never there.
//: test wide
//: kernel wide
//: global 128
//: local 128
//: arg out ulong[128] = 0
//: arg in ulong[128] = i * 11
//: arg n int 5
//: expect out = 11 * i * 297 + 231
//: test wide_partial
//: kernel wide
//: global 45
//: local 45
//: arg out ulong[128] = 0
//: arg in ulong[128] = i * 11
//: arg n int 40
//: expect out = i < 45 ? 11 * i * 297 + 231 : 0
__kernel void wide(__global ulong *out, __global const ulong *in, int n)
{
    ulong i = in[get_global_id(0)], sum = 0;
    WIDE(WORD)
    for (int t = 0; t < n; t++) {
        ulong s = i * t;
        int more = (i + t) % 3 == 0;
        WIDE(TURN)
        WIDE(BACK)
        while (more--) {
            WIDE(TURN)
            WIDE(BACK)
        }
    }
    WIDE(SUM)
    out[get_global_id(0)] = sum;
}

// Of lanes that others left before.
//: test wide_sums
//: kernel wide_sums
//: global 100
//: local 100
//: arg out double[128] = -1
//: arg in double[128] = i * 7 % 23
//: arg n int 9
//: expect out = i % 7 == 3 || i >= 100 ? -1 : 231 + 22 * 9 * (i * 7 % 23) + 9 * 231
#define HALF(n) double v##n = n;
#define MORE(n) v##n += fma(1.0, s, n);
__kernel void wide_sums(__global double *out, __global const double *in, int n)
{
    int i = get_global_id(0);
    double sum = 0, s = in[i];
    WIDE(HALF)
    if (i % 7 == 3)
        return;
    for (int t = 0; t < n; t++) {
        WIDE(MORE)
    }
    WIDE(SUM)
    out[i] = sum;
}
