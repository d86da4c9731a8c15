// Memory that a kernel only adds to: threads of the native engine add up on their own.
//: test counts
//: global 4096
//: local 128
//: arg bins uint[64] = 7
//: expect bins = 71
__kernel void counts(__global uint *bins)
{
    atomic_inc(&bins[get_global_id(0) % 64]);
}

//: test weighed
//: global 4080
//: local 48
//: arg up int[40] = i
//: arg down int[40] = -i
//: arg weight int[4080] = i / 40 + 1
//: expect up = i + (i % 3 == 1 ? 0 : 5253)
//: expect down = -i - (i % 3 == 1 ? 0 : 5253)
__kernel void weighed(__global int *up, __global int *down, __global const int *weight)
{
    int i = get_global_id(0);
    if (i % 40 % 3 == 1)
        return;
    atomic_add(up + i % 40, weight[i]);
    atomic_sub(down + i % 40, weight[i]);
}

//: test one_place
//: global 8192
//: local 64
//: arg sum int[4] = 1
//: expect sum = {1, 8193, -8191, 1}
__kernel void one_place(__global int *sum)
{
    int two = get_global_id(0) > 0 ? 2 : get_local_size(0) > 1000;
    atomic_add(&sum[1 + (get_global_size(0) == 3)], 1);
    if (two == 2)
        atomic_sub(&sum[two], 1);
    else
        atomic_dec(sum + 2);
}

// Too large for a table.
//: test many
//: global 16384
//: local 256
//: arg bins uint[20000] = 3
//: expect bins = i < 16384 ? 4 : 3
__kernel void many(__global uint *bins)
{
    atomic_inc(&bins[get_global_id(0)]);
}

// What is read is not only added to.
//: test looks
//: global 4096
//: local 64
//: arg out int[4096] = -1
//: arg sums int[4096] = i
//: expect out = i + 2
__kernel void looks(__global int *out, __global int *sums)
{
    int i = get_global_id(0);
    atomic_add(&sums[i], 2);
    out[i] = sums[i];
}

//: test overwrites
//: global 1024
//: local 64
//: arg sums int[64] = 5
//: expect sums = 0
__kernel void overwrites(__global int *sums)
{
    int i = get_global_id(0);
    atomic_add(&sums[i % 64], 2);
    sums[i % 64] = 0;
}

//: test beyond
//: global 4096
//: local 64
//: arg bins uint[16] = 0
//: fault
__kernel void beyond(__global uint *bins)
{
    uint i = get_global_id(0);
    atomic_inc(&bins[i == 4000 ? 0x2000000 : i % 16]);
}

// An address that may come from memory may lead to the sums.
//: test led_to
//: global 16384
//: local 64
//: arg seen int[16384] = i % 5
//: arg sums int[64] = 5
//: arg other int[64] = 100
//: expect seen = 1
//: expect sums = 517
__kernel void led_to(__global int *seen, __global int *sums, __global int *other)
{
    int i = get_global_id(0);
    __global int *all[4] = {sums, other, sums, other};
    __global int *from = other;
    if (seen[i] > 1)
        from = all[seen[i] % 4];
    atomic_add(&sums[i % 64], 2);
    seen[i] = from[i % 64] >= 7;
}
