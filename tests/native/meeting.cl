// Loops that two counters go through from both ends, until they meet.

//: test even
//: kernel indices
//: global 96
//: local 32
//: arg out int[96] = -1
//: arg in int[4096] = i % 11
//: arg n int 2
//: expect out = (i * 2 % 11) * ((i * 2 + 1) % 11) + 1000

//: test odd
//: kernel indices
//: global 96
//: local 32
//: arg out int[96] = -1
//: arg in int[4096] = i % 11
//: arg n int 5
//: expect out = (i * 5 % 11) * ((i * 5 + 4) % 11) + ((i * 5 + 1) % 11) * ((i * 5 + 3) % 11) + 2000

//: test one
//: kernel indices
//: global 96
//: local 32
//: arg out int[96] = -1
//: arg in int[4096] = i % 11
//: arg n int 1
//: expect out = 0

//: test none
//: kernel indices
//: global 96
//: local 32
//: arg out int[96] = -1
//: arg in int[4096] = i % 11
//: arg n int 0
//: expect out = 0

//: test many
//: kernel indices
//: global 96
//: local 32
//: arg out int[96] = -1
//: arg in int[4096] = 3
//: arg n int 41
//: expect out = 20 * 1009
__kernel void indices(__global int *out, __global const int *in, int n)
{
    int x = get_global_id(0), sum = 0;
    for (int i = 0, j = n - 1; i < j; i++, j--)
        sum += in[x * n + i] * in[x * n + j] + 1000;
    out[x] = sum;
}

//: test pointers
//: kernel pointers
//: global 96
//: local 32
//: arg out int[96] = -1
//: arg in int[4096] = i
//: arg n int 36
//: expect out = 18 * (2 * 36 * i + 35)

//: test no_pointers
//: kernel pointers
//: global 96
//: local 32
//: arg out int[96] = -1
//: arg in int[4096] = i
//: arg n int 0
//: expect out = 0
__kernel void pointers(__global int *out, __global const int *in, int n)
{
    int x = get_global_id(0), sum = 0;
    __global const int *p = in + x * n, *q = p + n;
    while (p < q)
        sum += *p++ + *--q;
    out[x] = sum;
}

// Tested at the end, with steps of 3 and 2, and with the same number.
//: test steps
//: global 96
//: local 32
//: arg out int[96] = -1
//: arg n int 33
//: expect out = (i + 33 - 1) / 5 * 0 + 7
__kernel void steps(__global int *out, int n)
{
    int x = get_global_id(0), i = x, j = x + n, count = 0;
    do {
        i += 3;
        j -= 2;
        count++;
    } while (i <= j);
    out[x] = count;
}

// A counter wraps around before they meet.
//: test wraps
//: global 96
//: local 32
//: arg out int[96] = -1
//: arg first uint 4294967280
//: arg last uint 4294967290
//: expect out = 4
__kernel void wraps(__global int *out, uint first, uint last)
{
    int count = 0;
    for (uint i = first, j = last; i < j; i += 0x40000000, j -= 8)
        count++;
    out[get_global_id(0)] = count;
}

// Far apart, as signed numbers; each work-item has its own begin, some go nowhere.
//: test far_apart
//: global 96
//: local 32
//: arg out int[96] = -1
//: arg n int 2000000000
//: expect out = i < 64 ? 4 : 0
__kernel void far_apart(__global int *out, int n)
{
    int x = get_global_id(0), count = 0;
    int i = x < 64 ? -n : n;
    for (int j = n - x; i < j; i += 500000000, j -= 500000000)
        count++;
    out[x] = count;
}

// From the least number to the greatest one there are more iterations than a number with a sign can
// be.

//: test all_numbers
//: kernel all_numbers
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg step int 1073741824
//: expect out = i % 4 == 2 ? 20 : 0
__kernel void all_numbers(__global int *out, int step)
{
    int x = get_global_id(0), first = x * step, last = first - 1, sum = 0;
    while (first < last) {
        if (++sum == 20) break;
        first++;
        last--;
    }
    out[x] = sum;
}
