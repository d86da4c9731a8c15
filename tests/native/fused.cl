// Products and sums of one rounding, where the exact result lies just beside the middle of two floats, in it, or below all normal ones.
//: test middles
//: global 192
//: local 96
//: arg out int[192] = -5
//: expect out = 0
__kernel void middles(__global int *out)
{
    int i = get_global_id(0), far = 26 + i % 60, kind = i % 3 - 1;
    float x = 1 + 0x1p-12f, rest = kind * ldexp(1.0f, -far), even = 1 + 0x1p-11f, odd = even + 0x1p-23f;
    float low = fma(x, x, rest), high = fma(-x, x, -0x1p-23f + rest);
    float up = kind > 0 && far < 48 ? odd : odd + 0x1p-23f; /* the sum of the two is 2^-23 beyond */
    int wrong = (low != (kind > 0 ? odd : even)) + 2 * (high != -up);
    out[i] = wrong + 4 * (fma(x, x, -even) != 0x1p-24f) + 8 * (fma(0x1p-100f, 0x1p-100f, 0.0f) != 0);
}

// Lanes of their own, and one for all of them, in a loop that lanes leave one by one.
//: test sums
//: global 100
//: local 50
//: arg out float[100] = -5
//: arg n int 40
//: expect out = (i % 40) * (i % 40 - 1) / 2 * 0.25
__kernel void sums(__global float *out, int n)
{
    int i = get_global_id(0);
    float sum = 0, all = 0;
    for (int k = 0; k < n; k++) all = fma(0.5f, (float)k, all);
    for (int k = 0; k < i % n; k++) sum = fma((float)k, 0.25f, sum);
    out[i] = sum + (all - n * (n - 1) / 4);
}
