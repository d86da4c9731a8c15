// Groups whose last warp has lanes off: the others run without masks.

//: test hundred
//: kernel sums
//: global 300
//: local 100
//: arg out int[400] = -1
//: arg in int[400] = i * 7 % 31
//: arg n int 250
//: expect out = i < 250 ? i * 7 % 31 + i * 3 : i < 300 ? i : -1

//: test seventy
//: kernel sums
//: global 210
//: local 70
//: arg out int[400] = -1
//: arg in int[400] = i * 7 % 31
//: arg n int 210
//: expect out = i < 210 ? i * 7 % 31 + i * 3 : -1

//: test little
//: kernel sums
//: global 60
//: local 20
//: arg out int[400] = -1
//: arg in int[400] = i * 7 % 31
//: arg n int 30
//: expect out = i < 30 ? i * 7 % 31 + i * 3 : i < 60 ? i : -1

//: test planes
//: kernel sums
//: global 330
//: local 330
//: arg out int[400] = -1
//: arg in int[400] = i * 7 % 31
//: arg n int 329
//: expect out = i < 329 ? i * 7 % 31 + i * 3 : i < 330 ? i : -1
__kernel void sums(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0), sum = i;
    if (i < n) {
        sum = in[i];
        for (int k = 0; k < 3; k++)
            sum += i;
    }
    out[i] = sum;
}

// Lanes return one by one, and columns are written.
//: test columns
//: global 48 30
//: local 16 15
//: arg out int[1440] = -1
//: arg in int[1440] = i
//: arg w int 48
//: arg h int 30
//: expect out = i % 30 * 48 + i / 30
__kernel void columns(__global int *out, __global const int *in, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[x * h + y] = in[y * w + x];
}

//: test early
//: global 200
//: local 100
//: arg out int[200] = -1
//: arg many int[200] = i * 5 % 13
//: expect out = i % 3 == 0 ? -1 : many[i] * (many[i] + 1) / 2
__kernel void early(__global int *out, __global const int *many)
{
    int i = get_global_id(0), sum = 0;
    if (i % 3 == 0)
        return;
    for (int k = 1; k <= many[i]; k++)
        sum += k;
    out[i] = sum;
}

// What no lane that is there has set is 0, and what lanes that are not there would read is nowhere.
//: test beyond
//: global 200
//: local 50
//: arg out int[200] = -1
//: arg total int[1] = 0
//: arg in int[200] = 1
//: expect out = i / 50 * 50 + 49 - i % 50
//: expect total = 200
__kernel void beyond(__global int *out, volatile __global int *total, __global const int *in)
{
    int i = get_global_id(0), own = get_local_id(0);
    atomic_add(total, in[i]);
    out[i - own + 49 - own] = i;
}
