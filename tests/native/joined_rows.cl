// Rows of the work-item's own that it joins into registers: long ones by all lanes side by side, shorter ones by
// several elements at a time.

//: test products_short
//: kernel products
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg a char[8448] = i % 4 - 1
//: arg b char[132] = 2
//: arg n int 16
//: expect out = i < 60 ? 16 : -1
//: test products_rest
//: kernel products
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg a char[8448] = i % 4 - 1
//: arg b char[132] = 2
//: arg n int 20
//: expect out = i < 60 ? 20 : -1
//: test products_long
//: kernel products
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg a char[8448] = i % 4 - 1
//: arg b char[132] = 2
//: arg n int 132
//: expect out = i < 60 ? 132 : -1
//: test products_none
//: kernel products
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg a char[8448] = i % 4 - 1
//: arg b char[132] = 2
//: arg n int -5
//: expect out = i < 60 ? 0 : -1
kernel void products(global int *out, global const char *a, global const char *b, int n)
{
    int i = get_global_id(0), sum = 0;
    if (i >= 60) return;
    for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k];
    out[i] = sum;
}

// Three registers, of rows of uneven lengths, from the last element to the first one.
//: test uneven
//: global 64
//: local 64
//: arg out long[192] = -1
//: arg a int[8192] = i % 128
//: arg n int 128
//: expect out = i < 64 ? i % 5 < 1 ? (128 - i) * (127 - i) / 2 : (40 - i % 5) * (39 - i % 5) / 2 : i < 128 ? (i - 64) % 5 < 1 ? 191 - i : 39 - (i - 64) % 5 : (i - 128) % 5 < 1 ? (256 - i) / 4 : (40 - (i - 128) % 5) / 4
kernel void uneven(global long *out, global const int *a, int n)
{
    int i = get_global_id(0), most = -1, fours = 0;
    long sum = 0;
    for (int k = (i % 5 ? 40 - i % 5 : n - i) - 1; k >= 0; k--) {
        sum += a[i * n + k];
        most = max(most, a[i * n + k]);
        if (a[i * n + k] % 4 == 3) fours++;
    }
    out[i] = sum;
    out[i + 64] = most;
    out[i + 128] = fours;
}

// Every other element, of rows of 10 and of 128 elements.
//: test spaced
//: global 64
//: local 64
//: arg out uint[64] = -1
//: arg a uint[8192] = i
//: arg n int 128
//: expect out = 0
//: test spaced_short
//: kernel spaced
//: global 64
//: local 64
//: arg out uint[64] = -1
//: arg a uint[8192] = i
//: arg n int 10
//: expect out = 8 ^ (i * 10) ^ (i * 10 + 2) ^ (i * 10 + 4) ^ (i * 10 + 6) ^ (i * 10 + 8) ^ 8
kernel void spaced(global uint *out, global const uint *a, int n)
{
    int i = get_global_id(0);
    uint bits = 0;
    for (int k = 0; k < n; k += 2) bits ^= a[i * n + k];
    out[i] = bits;
}

// What has been joined is looked at in the loop: no elements may be passed side by side.
//: test saturated
//: global 32
//: local 32
//: arg out int[32] = -1
//: arg a int[4096] = i % 128 - 3
//: arg n int 128
//: expect out = 99
kernel void saturated(global int *out, global const int *a, int n)
{
    int i = get_global_id(0), sum = 0;
    for (int k = 0; k < n; k++) {
        sum += a[i * n + k];
        sum = sum > 99 ? 99 : sum;
    }
    out[i] = sum;
}
