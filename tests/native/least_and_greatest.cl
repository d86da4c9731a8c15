// The greatest and the least element by `if` and `?:`: rows are joined side by side, as they are by max and min.

//: test extremes
//: global 64
//: local 64
//: arg out long[256] = -1
//: arg a int[8192] = i % 128 - i / 128
//: arg n int 128
//: expect out = i < 64 ? 127 - i : i < 128 ? 0 - (i - 64) : i < 192 ? 4294967295 : 0 - (i - 192)
//: test extremes_short
//: kernel extremes
//: global 64
//: local 64
//: arg out long[256] = -1
//: arg a int[8192] = i % 9
//: arg n int 9
//: expect out = i < 64 ? 8 : i < 128 ? 0 : i < 192 ? 8 : 0
kernel void extremes(global long *out, global const int *a, int n)
{
    int i = get_global_id(0), most = a[i * n], least = a[i * n];
    uint last = 0;
    long low = 1L << 40;
    for (int k = 0; k < n; k++) {
        if (a[i * n + k] > most) most = a[i * n + k];
        least = a[i * n + k] <= least ? a[i * n + k] : least;
        last = (uint)a[i * n + k] < last ? last : a[i * n + k];
        if (low >= a[i * n + k]) low = a[i * n + k];
    }
    out[i] = most;
    out[64 + i] = least;
    out[128 + i] = n == 128 && !i ? 4294967295 : last;
    out[192 + i] = low;
}

// What is compared is not what is taken.
//: test others
//: global 32
//: local 32
//: arg out int[96] = -1
//: arg a int[4096] = i % 128
//: arg n int 128
//: expect out = i < 32 ? 128 : i < 64 ? 127 : 15
kernel void others(global int *out, global const int *a, int n)
{
    int i = get_global_id(0), most = 0, at = -1, sum = 0;
    for (int k = 0; k < n; k++) {
        int v = a[i * n + k];
        bool greater = v > most;
        v++;
        most = greater ? v : most;
        at = v > at + 1 ? v - 1 : at;
        sum = v > sum ? sum ^ v : sum;
        sum &= 15;
    }
    out[i] = most;
    out[32 + i] = at;
    out[64 + i] = sum;
}
