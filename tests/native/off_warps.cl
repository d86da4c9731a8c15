// Warps that have no lane on beside one that has, in loops between barriers in which lanes go along rows of their own, and
// lanes at distances that the launch says, in loops and without: what is off touches nothing, wherever it would lie.

//: test rows
//: global 64
//: local 64
//: arg m int 9
//: arg n int 130
//: arg a int[1170] = i % 130 + i / 130
//: arg x int[130] = i % 7
//: arg y int[64] = -1
//: expect y = i < 9 ? 24899 + i * 384 : -1
__kernel void rows(int m, int n, __global const int *a, __global const int *x, __global int *y)
{
    __local int part[64];
    int sum = 0, g = get_global_id(0), whole = n - n % 64;
    for (int first = 0; first < whole; first += 64) {
        part[get_local_id(0)] = x[first + get_local_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (g < m)
            for (int k = 0; k < 64; k++)
                sum += part[k] * a[g * n + first + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (g < m) {
        for (int k = whole; k < n; k++)
            sum += x[k] * a[g * n + k];
        y[g] = sum;
    }
}

//: test far
//: global 128
//: local 128
//: arg m int 5
//: arg step int 40000
//: arg a int[200000] = i
//: arg y int[128] = -1
//: expect y = i < 5 ? i * 40000 * 8 + 28 : -1
__kernel void far(int m, int step, __global const int *a, __global int *y)
{
    __local int any;
    int g = get_global_id(0), sum = 0;
    if (g == 0)
        any = 8;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (g < m)
        for (int k = 0; k < any; k++)
            sum += a[g * step + k];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (g < m)
        y[g] = sum;
}

//: test strides
//: global 128
//: local 64
//: arg n int 300
//: arg alpha int 3
//: arg x int[608] = i
//: arg xstep int 2
//: arg y int[904] = 1000 - i
//: arg ystep int 3
//: expect y = i % 3 == 1 && i < 901 ? 1000 - i + 3 * (i / 3 * 2 + 5) : 1000 - i
__kernel void strides(int n, int alpha, __global const int *restrict x, int xstep, __global int *y, int ystep)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        y[i * ystep + 1] += alpha * x[i * xstep + 5];
}

//: test no_loop
//: global 320
//: local 64
//: arg n int 300
//: arg alpha float 0.5
//: arg x float[608] = i
//: arg xstep int 2
//: arg y float[904] = i
//: arg ystep int 3
//: expect y = i % 3 == 1 && i < 901 ? i + 0.5 * (i / 3 * 2 + 5) : i
__kernel void no_loop(int n, float alpha, __global const float *restrict x, int xstep, __global float *y, int ystep)
{
    int i = get_global_id(0);
    if (i < n)
        y[i * ystep + 1] += alpha * x[i * xstep + 5];
}

// Several lanes store to one element: the last one's value is there.
//: test same
//: global 64
//: local 64
//: arg y ulong[8] = 0
//: arg by int 8
//: expect y = 1000 + 8 * i + 7
__kernel void same(__global ulong *y, int by)
{
    int i = get_global_id(0);
    y[i / by] = 1000 + i;
}
