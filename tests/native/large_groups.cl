// Groups of many warps that wait for each other: in lockstep, all of them or, where that is too much
// code, some at a time, which stop at barriers. Some groups' last warp has lanes off.

//: test all
//: kernel turned
//: global 1024
//: local 512
//: arg out uint[1024] = 0
//: arg part local 2048
//: arg rounds int 3
//: expect out = i / 512 * 512 + (i + 6) % 512 + 3

//: test twelve
//: kernel turned
//: global 768
//: local 384
//: arg out uint[768] = 0
//: arg part local 1536
//: arg rounds int 3
//: expect out = i / 384 * 384 + (i % 384 + 6) % 384 + 3

//: test odd
//: kernel turned
//: global 1000
//: local 500
//: arg out uint[1000] = 0
//: arg part local 2000
//: arg rounds int 3
//: expect out = i / 500 * 500 + (i % 500 + 6) % 500 + 3

//: test three
//: kernel turned
//: global 192
//: local 96
//: arg out uint[192] = 0
//: arg part local 384
//: arg rounds int 40
//: expect out = i / 96 * 96 + (i % 96 + 80) % 96 + 40
__kernel void turned(__global uint *out, __local uint *part, int rounds)
{
    uint own = get_local_id(0), n = get_local_size(0), v = get_global_id(0);
    for (int k = 0; k < rounds; k++) {
        part[own] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
        v = part[(own + 2) % n] + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = v;
}

// Much code between barriers; what is uniform, halves of warps and predicates live across them.
//: test some_at_a_time
//: kernel long_way
//: global 32 32
//: local 16 32
//: arg out uint[1024] = 0
//: arg rounds int 2
//: expect out = i / 16 % 2 * 16 + i / 32 * 32 + (i % 16 + 4 * 2 * 5) % 16 + 2184 + (i % 16 + i / 32 > 20 ? 100 : 0)

//: test five
//: kernel long_way
//: global 16 20
//: local 16 10
//: arg out uint[320] = 0
//: arg rounds int 2
//: expect out = i / 16 * 16 + (i % 16 + 4 * 2 * 5) % 16 + 2184 + (i % 16 + i / 16 % 10 > 20 ? 100 : 0)

//: test partial
//: kernel long_way
//: global 16 30
//: local 16 15
//: arg out uint[480] = 0
//: arg rounds int 2
//: expect out = i / 16 * 16 + (i % 16 + 4 * 2 * 5) % 16 + 2184 + (i % 16 + i / 16 % 15 > 20 ? 100 : 0)
#define TURN                                                                                       \
    part[y][x] = v;                                                                                \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
    v = part[y][(x + 5) % 16] + step;                                                              \
    barrier(CLK_LOCAL_MEM_FENCE);
#define WORK(k) v += (step + k) ^ v >> 31;
#define FOUR(k) WORK(k) WORK(k + 1) WORK(k + 2) WORK(k + 3)
#define ALL     FOUR(0) FOUR(4) FOUR(8) FOUR(12)
#define MUCH    ALL ALL
__kernel void long_way(__global uint *out, int rounds)
{
    __local uint part[32][16];
    uint x = get_local_id(0), y = get_local_id(1);
    uint at = get_global_id(1) * get_global_size(0) + get_global_id(0), v = at, step = 1;
    bool far = x + y > 20;
    for (int k = 0; k < rounds; k++) {
        TURN MUCH TURN MUCH TURN MUCH TURN MUCH
        step = rounds > 0 ? 1 : 2;
    }
    if (far)
        v += 100;
    out[at] = v;
}

// Warps leave an inner loop at different times, and meet.
//: test uneven_work
//: global 1024
//: local 512
//: arg out uint[1024] = 0
//: arg many uint[1024] = i * 7 % 23
//: expect out = many[i / 512 * 512 + 511 - i % 512] * (many[i / 512 * 512 + 511 - i % 512] - 1) / 2 + many[i]
__kernel void uneven_work(__global uint *out, __global const uint *many)
{
    __local uint part[512];
    uint own = get_local_id(0), i = get_global_id(0), sum = 0;
    for (uint k = 0; k < many[i]; k++)
        sum += k;
    part[own] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = part[511 - own] + many[i];
}

// Halving, with all of a large group.
//: test halved
//: global 1024
//: local 512
//: arg out uint[2] = 0
//: arg from uint[1024] = i
//: expect out = i * 262144 + 130816
__kernel void halved(__global uint *out, __global const uint *from)
{
    __local uint part[512];
    uint own = get_local_id(0);
    part[own] = from[get_global_id(0)];
    for (uint span = get_local_size(0) / 2; span > 0; span >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (own < span)
            part[own] += part[own + span];
    }
    if (own == 0)
        out[get_group_id(0)] = part[0];
}

// An address is there behind the barrier, and what it was made of is not.
//: test kept_address
//: global 16 32
//: local 16 32
//: arg out uint[512] = 0
//: arg from uint[512] = i
//: expect out = 2 * min(i % 37 * 5, 170) + 7 * (511 - i) + 8 * 272
__kernel void kept_address(__global uint *out, __global const uint *from)
{
    __local uint part[512];
    uint own = get_local_id(0) + 16 * get_local_id(1), v = 0, step = from[0] + 1;
    MUCH MUCH MUCH MUCH MUCH MUCH MUCH MUCH
    __global const uint *at = from + min(own % 37 * 5, 170u);
    part[own] = own * 7;
    v += *at;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    v += part[511 - own];
    out[own] = own;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    out[own] = v + *at;
}
