// Sums in memory that a loop adds to what was there: loaded before it, where its first iteration would, and stored behind it.

//: test product
//: global 100
//: local 20
//: arg a int[1000] = i % 10
//: arg x int[10] = i + 1
//: arg sum int[100] = i
//: arg rows int 97
//: arg n int 10
//: expect sum = i < 97 ? i + 330 : i
__kernel void product(__global int *a, __global int *x, __global int *sum, int rows, int n)
{
    int i = get_global_id(0);
    if (i < rows)
        for (int k = 0; k < n; k++)
            sum[i] += a[i * n + k] * x[k];
}

// A loop that is not gone round accesses nothing: not even what is in no buffer.
//: test nowhere
//: global 64
//: local 64
//: arg sum int[64] = 5
//: arg steps int[64] = i % 3
//: expect sum = 5 + i * (i % 3)
__kernel void nowhere(__global int *sum, __global const int *steps)
{
    int i = get_global_id(0), n = steps[i], at = n ? i : 300000000;
    for (int k = 0; k < n; k++)
        sum[at] += i;
}

// Two ways out before the first load, and one behind the store.
//: test left
//: global 128
//: local 64
//: arg sum int[128] = 7
//: arg in int[128] = i % 9
//: arg n int 6
//: expect sum = i % 9 == 3 ? 7 : i % 9 < 6 ? 7 + 2 * (i % 9 ? 6 - i % 9 : 1) : 7
__kernel void left(__global int *sum, __global const int *in, int n)
{
    int i = get_global_id(0), stop = in[i], k = stop;
    while (k < n && stop != 3) {
        sum[i] += 2;
        if (stop == 0)
            break;
        k++;
    }
}

// Two sums, one of which begins before the loop, and one that only some iterations add to.
//: test three
//: global 96
//: local 48
//: arg a int[96] = 3
//: arg b int[96] = 4
//: arg c int[96] = 5
//: arg n int 6
//: expect a = i + 15
//: expect b = 4 + 6 * i
//: expect c = i % 2 ? 5 + 3 * i : 5
__kernel void three(__global int *a, __global int *b, __global int *c, int n)
{
    int i = get_global_id(0);
    a[i] = i;
    for (int k = 0; k < n; k++) {
        a[i] += k;
        b[i] += i;
        if (k & i & 1)
            c[i] += i;
    }
}

// What is added is the sum itself: the buffer is another argument's, too.
//: test itself
//: global 64
//: local 64
//: arg sum int[128] = 1
//: arg other same sum
//: arg n int 5
//: expect sum = i < 64 ? 32 : 1
__kernel void itself(__global int *sum, __global const int *other, int n)
{
    int i = get_global_id(0);
    for (int k = 0; k < n; k++)
        sum[i] += other[i];
}

// Loops in a loop, and one that is left at its end.
//: test nested
//: global 64
//: local 32
//: arg sum int[64] = i
//: arg all int[64] = 1
//: arg n int 4
//: expect sum = i + 4 * (6 + 4 * (i % 4))
//: expect all = 1 + 4 * (i % 4 + 1)
__kernel void nested(__global int *sum, __global int *all, int n)
{
    int i = get_global_id(0);
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < n; k++)
            sum[i] += k + i % 4;
        int k = 0;
        do
            all[i] += 1;
        while (k++ < i % 4);
    }
}
