// Elements of a row of the work-item's own that are loaded under a condition, and by other iterations in any case: rows of
// any length, of which those without an element lie nowhere.

// Up, down, to a bound that is reached, and without a sign; at either end, and in both parts of an if.
//: test peaks
//: global 96
//: local 32
//: arg out int[96] = -1
//: arg a int[4000] = i * i * 7 % 101
//: arg length int[96] = i % 24
//: arg from int[96] = i % 24 ? i * 40 : 2000000000
//: expect out = 0
__kernel void peaks(__global int *out, __global const int *a, __global const int *length, __global const int *from)
{
    int i = get_global_id(0), n = length[i], c[8] = {0};
    __global const int *r = a + from[i];
    volatile __global const int *v = r;
    for (int k = 1; k < n - 1; k++)
        if (r[k] > r[k - 1] && r[k] > r[k + 1])
            c[0] += k;
    for (int k = n - 2; k > 0; k--)
        if (r[k] > 20 && (r[k] > r[k - 1] || r[k] > r[k + 1]))
            c[1] = c[1] * 3 + k;
    for (int k = 2; k <= n - 3; k++) {
        int x = r[k];
        if (x > r[k - 1] && x > r[k + 1] && x > r[k - 2] && x > r[k + 2])
            c[2] += x;
    }
    for (unsigned k = 0; k < n; k++) {
        if (k + 1 < n && r[k] > r[k + 1])
            c[3] += k;
        if (k > 0 && r[k] > r[k - 1])
            c[4] += k;
    }
    for (int k = 2; k < n - 4; k += 2)
        if (r[k] > 50)
            c[5] += r[k + 4];
        else
            c[5] -= r[k - 2];
    int last = 0;
    for (int k = 0; k < n; k++) {
        if (k % 3 == 1 && r[k] > 50)
            last = r[k - 1];
        c[6] = c[6] * 5 + last;
    }
    for (int k = 1; k < n - 1; k++)
        c[0] -= v[k] > v[k - 1] & v[k] > v[k + 1] ? k : 0;
    for (int k = n - 2; k > 0; k--)
        c[7] = v[k] > 20 & (v[k] > v[k - 1] | v[k] > v[k + 1]) ? c[7] * 3 + k : c[7];
    c[1] -= c[7];
    for (int k = 2; k <= n - 3; k++)
        c[2] -= v[k] > v[k - 1] & v[k] > v[k + 1] & v[k] > v[k - 2] & v[k] > v[k + 2] ? v[k] : 0;
    for (int k = 0; k < n; k++) {
        c[3] -= k + 1 < n ? v[k] > v[k + 1] ? k : 0 : 0;
        c[4] -= k > 0 ? v[k] > v[k - 1] ? k : 0 : 0;
    }
    for (int k = 2; k < n - 4; k += 2)
        c[5] += v[k] > 50 ? -v[k + 4] : v[k - 2];
    c[7] = last = 0;
    for (int k = 0; k < n; k++) {
        volatile __global const int *w = v + k - (k % 3 == 1);
        last = k % 3 == 1 & v[k] > 50 ? *w : last;
        c[7] = c[7] * 5 + last;
    }
    c[6] -= c[7];
    out[i] = c[0] | c[1] | c[2] | c[3] | c[4] | c[5] | c[6];
}

// Bounds at the ends of what an integer holds: no iteration more than there are.
//: test ends
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg a int[1024] = i * 37 % 64
//: arg least int -2147483648
//: arg most int 2147483647
//: expect out = 0
__kernel void ends(__global int *out, __global const int *a, int least, int most)
{
    int i = get_global_id(0), few = 0, n = i % 14, m = 0;
    __global const int *r = a + i * 16;
    volatile __global const int *v = r;
    for (int k = least, j = 1; k < least + n; k++, j++)
        if (r[j] > r[j - 1] && r[j] > r[j + 1])
            few += j;
    for (int k = most, j = 1; k > most - n; k--, j++)
        if (r[j] > r[j - 1] && r[j] > r[j + 1])
            few += j;
    for (int k = most - n, j = 1; k <= most - 1; k++, j++)
        if (r[j] > r[j - 1] && r[j] > r[j + 1])
            few += j;
    for (int k = least + n, j = 1; k >= least + 1; k--, j++)
        if (r[j] > r[j - 1] && r[j] > r[j + 1])
            few += j;
    for (unsigned k = n, j = 1; k > 0; k--, j++)
        if (r[j] > 9 && r[j] > r[j - 1] && r[j] > r[j + 1])
            few += j;
    for (int j = 1; j <= n; j++)
        m += v[j] > v[j - 1] & v[j] > v[j + 1] ? (v[j] > 9 ? 5 : 4) * j : 0;
    out[i] = few - m;
}

// What an iteration leaves for the next one, and for what is behind the loop: the counter, a sum, an element that was
// seen before; bytes, floats, a guard.
//: test left
//: global 64
//: local 64
//: arg out float[64] = -1
//: arg a float[1280] = i % 20 * (i % 20) % 7
//: arg bytes uchar[1280] = i % 20 * (i % 20) % 7
//: arg m int 20
//: arg w int 60
//: expect out = i < 60 ? 0 : -1
__kernel void left(__global float *out, __global const float *a, __global const uchar *bytes, int m, int w)
{
    int i = get_global_id(0), k, seen = 0, at = 0, seen_bytes = 0;
    if (i >= w)
        return;
    float sum = 0, prior, expected = 0;
    for (k = 1; k < m - 1; k++) {
        float x = a[i * m + k];
        if (k > 1 && prior > x && x < a[i * m + k + 1])
            sum += prior, at = k;
        prior = x;
        seen += x > 3;
    }
    for (int j = 1; j < m - 1; j++)
        if (bytes[i * m + j] < bytes[i * m + j - 1] && bytes[i * m + j] < bytes[i * m + j + 1])
            seen_bytes += j;
    volatile __global const float *v = a + i * m;
    for (int j = 1; j < m - 1; j++) {
        float l = v[j - 1], x = v[j], r = v[j + 1];
        expected += j > 1 & l > x & x < r ? l : 0;
        at -= j > 1 & l > x & x < r & j == at ? j : 0;
        seen -= x > 3;
        seen_bytes -= l > x & x < r ? j : 0;
    }
    out[i] = fabs(sum - expected) + (k - (m - 1)) + at + abs(seen) + abs(seen_bytes);
}

// A bound for each lane, and halves, in three loops that are one behind the other.
//: test by_halves
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg a short[5000] = i * 37 % 11
//: arg m int 14
//: expect out = 0
__kernel void by_halves(__global int *out, __global const short *a, int m)
{
    int i = get_global_id(0), sum = 0;
    __global const short *row = a + i * m * 4 + 100;
    volatile __global const short *same = row;
    for (int j = 0; j < 3; j++) {
        for (int k = 1; k < (i & 7) + 2; k++)
            if (row[k - 3] == row[k] || row[k] != row[k - 2])
                sum += row[k];
        sum += j;
    }
    for (int j = 0; j < 3; j++)
        for (int k = 1; k < (i & 7) + 2; k++)
            if (same[k - 3] == same[k] || same[k] != same[k - 2])
                sum -= same[k];
    out[i] = sum - 3;
}
