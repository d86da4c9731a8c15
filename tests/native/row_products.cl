// Rows, one for each work-item, each of whose elements a loop makes: several rows are gone along at a time.

// Each row of a is i / 40 + 1 times 0 1 2 ..., each column of b is i % 40 times 1 1 1 ...
//: test product
//: global 40
//: local 8
//: arg c int[1600] = -1
//: arg a int[1600] = (i / 40 + 1) * (i % 40)
//: arg b int[1600] = i % 40
//: arg n int 40
//: expect c = (i / 40 + 1) * 780 * (i % 40)
//: test product_warps
//: kernel product
//: global 96
//: local 32
//: arg c int[9216] = -1
//: arg a int[9216] = (i / 96 + 1) * (i % 96)
//: arg b int[9216] = i % 96
//: arg n int 96
//: expect c = (i / 96 + 1) * 4560 * (i % 96)
//: test product_odd
//: kernel product
//: global 64
//: local 64
//: arg c int[1369] = -1
//: arg a int[1369] = (i / 37 + 1) * (i % 37)
//: arg b int[1369] = i % 37
//: arg n int 37
//: expect c = (i / 37 + 1) * 666 * (i % 37)
__kernel void product(__global int *c, __global const int *a, __global const int *b, int n)
{
    int y = get_global_id(0);
    if (y >= n)
        return;
    for (int x = 0; x < n; x++) {
        int sum = 0;
        for (int k = 0; k < n; k++)
            sum += a[y * n + k] * b[k * n + x];
        c[y * n + x] = sum;
    }
}

// Rows are of different lengths; below the diagonal nothing is stored.
//: test triangle
//: global 64
//: local 64
//: arg c float[4096] = -1
//: arg a float[4096] = i / 64
//: arg b float[4096] = 2
//: arg n int 64
//: expect c = i % 64 <= i / 64 ? i / 64 * 128 : -1
__kernel void triangle(__global float *c, __global const float *a, __global const float *b, int n)
{
    int y = get_global_id(0);
    for (int x = 0; x <= y; x++) {
        float sum = 0;
        for (int k = 0; k < n; k++)
            sum += a[y * n + k] * b[k * n + x];
        c[y * n + x] = sum;
    }
}

// The inner loop is of each row's own length.
//: test lower
//: global 64
//: local 32
//: arg c int[4096] = -1
//: arg a int[4096] = i % 64
//: arg b int[4096] = i % 64
//: arg n int 64
//: expect c = (i / 64) * (i / 64 + 1) / 2 * (i % 64)
__kernel void lower(__global int *c, __global const int *a, __global const int *b, int n)
{
    int y = get_global_id(0);
    for (int x = 0; x < n; x++) {
        int sum = 0;
        for (int k = 0; k <= y; k++)
            sum += a[y * n + k] * b[k * n + x];
        c[y * n + x] = sum;
    }
}

// Each row has an `if` of its own, in the inner loop and behind it.
//: test own_ifs
//: global 64
//: local 64
//: arg c int[4096] = -1
//: arg a int[4096] = i / 64
//: arg b int[4096] = 1
//: arg n int 64
//: expect c = i / 64 % 3 ? i / 64 > 9 ? (i / 64) * 64 : 64 : -1
__kernel void own_ifs(__global int *c, __global const int *a, __global const int *b, int n)
{
    int y = get_global_id(0);
    for (int x = 0; x < n; x++) {
        int sum = 0;
        for (int k = 0; k < n; k++) {
            int by = 1;
            if (a[y * n + k] > 9)
                by = a[y * n + k] * b[k * n + x];
            sum += by;
        }
        if (y % 3)
            c[y * n + x] = sum;
    }
}

// What is stored is loaded again, and what all rows load may be what they store.
//: test added
//: global 64
//: local 64
//: arg c int[4096] = i
//: arg a int[4096] = 1
//: arg b int[4096] = 1
//: arg n int 64
//: expect c = i + 64
//: test added_same
//: kernel added
//: global 64
//: local 64
//: arg c int[4096] = 1
//: arg a same c
//: arg b int[4096] = 0
//: arg n int 64
//: expect c = 1
__kernel void added(__global int *c, __global const int *a, __global const int *b, int n)
{
    int y = get_global_id(0);
    for (int x = 0; x < n; x++)
        for (int k = 0; k < n; k++)
            c[y * n + x] += a[y * n + k] * b[k * n + x];
}
