// Bounds in memory that a loop loads in each iteration: they stay the same where nothing is stored there, and may not where
// the loop stores, or others do.

//: test rows
//: kernel rows
//: global 64
//: local 64
//: arg from int[65] = i * (i - 1) / 2
//: arg in int[2080] = i % 10
//: arg to int[130] = 1000
//: arg n int 64
//: expect to = i >= 64 ? 1000 : i == 0 ? 0 : (i * (i - 1) / 2 % 10 + (i * (i - 1) / 2 + i - 1) % 10) + 100 * i

//: test rows_of_themselves
//: kernel rows
//: global 64
//: local 64
//: arg from int[130] = i
//: arg in int[2080] = 3
//: arg to same from
//: arg n int 1
//: expect from = i ? i : 103
kernel void rows(global const int *from, global const int *in, global int *to, int n)
{
    int i = get_global_id(0);
    if (i >= n) return;
    to[i] = 0;
    for (int k = from[i]; k < from[i + 1]; k++) {
        to[i] += 100;
        if (k == from[i]) to[i] += in[k];
        if (k == from[i + 1] - 1) to[i] += in[k];
    }
}

// A bound that its own loop lowers, one that lies where it stores, and one that another work-item has raised before.
//: test lowered
//: global 64
//: local 64
//: arg bound int[128] = 20
//: arg to int[64] = 0
//: expect to = 10
kernel void lowered(global int *bound, global int *to)
{
    int i = get_global_id(0), s = 0;
    for (int k = 0; k < bound[2 * i]; k++) {
        bound[2 * i]--;
        s++;
    }
    to[i] = s;
}

//: test same_memory
//: global 64
//: local 64
//: arg a int[64] = 20
//: arg b same a
//: arg to int[64] = 0
//: expect to = 10
kernel void same_memory(global int *a, global const int *b, global int *to)
{
    int i = get_global_id(0), s = 0;
    for (int k = 0; k < b[i]; k++) {
        a[i]--;
        s++;
    }
    to[i] = s;
}

//: test raised
//: global 64
//: local 64
//: arg to int[64] = 0
//: expect to = 7
kernel void raised(global int *to)
{
    local int bound[2], sum[64];
    int l = get_local_id(0), s = 0;
    if (l == 0) bound[0] = 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < bound[0]; k++) {
        s++;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0 && k == 1) bound[0] = 7;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    sum[l] = 0;
    for (int k = 0; k < bound[0]; k++) sum[l]++;
    to[l] = s == sum[l] ? s : -1;
}
