// Loops in an `if`, with counters that start before it: rows are gone along, several elements at a time.

//: test guarded
//: kernel rows
//: global 100
//: local 20
//: arg out int[100] = -1
//: arg in int[4000] = i
//: arg n int 37
//: arg w int 90
//: expect out = i < 90 ? 37 * (i * 37) + 666 : 0

//: test once
//: kernel rows
//: global 100
//: local 20
//: arg out int[100] = -1
//: arg in int[4000] = i
//: arg n int 1
//: arg w int 100
//: expect out = i

//: test never
//: kernel rows
//: global 100
//: local 20
//: arg out int[100] = -1
//: arg in int[4000] = i
//: arg n int 0
//: arg w int 100
//: expect out = 0
__kernel void rows(__global int *out, __global const int *in, int n, int w)
{
    int x = get_global_id(0), k = 0, sum = 0;
    if (n > 0 && x < w)
        do {
            sum += in[x * n + k];
        } while (++k < n);
    out[x] = sum;
}

// Not all start alike.
//: test apart
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[2048] = i
//: arg n int 30
//: expect out = (30 - i % 3) * (i * 30) + 435 - (i % 3 == 2 ? 1 : 0) + (i % 2 ? 1000 : 0)
__kernel void apart(__global int *out, __global const int *in, int n)
{
    int x = get_global_id(0), k = x % 3, sum = 0;
    if (k < n) {
        if (x & 1)
            sum = 1000;
        for (; k < n; k++)
            sum += in[x * n + k];
    }
    out[x] = sum;
}

// The other part begins with what the first one has not changed.
//: test other_part
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[2048] = i
//: arg n int 30
//: expect out = i < 20 ? 5 : 30 * (i * 30) + 435
__kernel void other_part(__global int *out, __global const int *in, int n)
{
    int x = get_global_id(0), k = 0, sum = 0;
    if (x < 20) {
        k = 5;
    } else {
        while (k < n) {
            sum += in[x * n + k];
            k++;
        }
    }
    out[x] = k < n ? k : sum;
}
