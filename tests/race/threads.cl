// Launches whose groups run at once, though what they do with global memory is looked at: reports are those of groups that
// run one after the other.

//: test scatter
//: global 16384
//: local 64
//: arg at int[16384] = i * 7919 % 16384
//: arg out int[16384] = 0
kernel void scatter(global const int *at, global int *out)
{
    out[at[get_global_id(0)]] = get_global_id(0);
}

//: test scatter_twice
//: global 16384
//: local 64
//: arg at int[16384] = i * 7919 % 16383
//: arg out int[16384] = 0
kernel void scatter_twice(global const int *at, global int *out)
{
    out[at[get_global_id(0)]] = get_global_id(0);
}

//: test late_first
//: global 262144
//: local 32
//: arg at int[8196] = i * 37 % 8192
//: arg out int[8192] = 0
kernel void late_first(global const int *at, global int *out)
{
    int n = get_group_id(0) ? 1 : 3000;
    for (int j = 0; j < n; j++) out[at[get_group_id(0) + 4 * (j % 3 == 2)]] = get_group_id(0);
}

//: test much
//: global 512
//: local 64
//: arg at int[1024] = i * 5 % 1024
//: arg out int[2064] = 0
kernel void much(global const int *at, global int *out)
{
    int i = get_global_id(0), g = get_group_id(0);
    for (int j = 0; j < 12000; j++) out[at[i] * 2 + (g == 3 && j == 11999 ? 10 : 0)] = i;
}

//: test counted_and_read
//: global 4096
//: local 128
//: arg at int[4096] = i % 100
//: arg bins int[100] = 0
//: arg out int[4096] = 0
kernel void counted_and_read(global const int *at, global int *bins, global int *out)
{
    int i = get_global_id(0);
    atomic_inc(&bins[at[i]]);
    if (get_group_id(0) == 20) out[i] = bins[at[i] / 2];
}

//: test in_the_group
//: global 8192
//: local 128
//: arg at int[8192] = (i % 128 * 5 + i / 128) % 128
//: arg out int[8192] = 0
kernel void in_the_group(global const int *at, global int *out)
{
    local int part[128];
    int i = get_global_id(0), l = get_local_id(0);
    part[at[i]] = l;
    if (get_group_id(0) != 40) barrier(CLK_LOCAL_MEM_FENCE);
    out[at[i] + i / 128 * 128] = part[l];
}

//: test led_by_others
//: global 4096
//: local 64
//: arg next int[4096] = i
//: arg out int[4096] = 0
kernel void led_by_others(global int *next, global int *out)
{
    int i = get_global_id(0);
    next[next[i]] = i;
}
