// Rows, one for each work-item, that are passed several elements at a time: unrolled by hand, and as vectors.

//: test unrolled
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg in int[3840] = i
//: arg by int[60] = i
//: arg w int 60
//: arg n int 60
//: expect out = i * w * 1770 + 70210
//: test unrolled_rest
//: kernel unrolled
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[3840] = i
//: arg by int[60] = i
//: arg w int 60
//: arg n int 20
//: expect out = i * w * 190 + 2470
__kernel void unrolled(__global int *out, __global const int *in, __global const int *by, int w, int n)
{
    int i = get_global_id(0), a = 0, b = 0, c = 0, d = 0;
    for (int k = 0; k < n; k += 4) {
        a += in[i * w + k] * by[k];
        b += in[i * w + k + 1] * by[k + 1];
        c += in[i * w + k + 2] * by[k + 2];
        d += in[i * w + k + 3] * by[k + 3];
    }
    out[i] = a + b + c + d;
}

// By two, down, each from a register of its own; the second address is written, too.
//: test down
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg in int[1920] = i
//: arg w int 30
//: expect out = i * w * 435 + 8555
//: expect in = i % 30 == 0 ? -7 : i
__kernel void down(__global int *out, __global int *in, int w)
{
    int i = get_global_id(0), sum = 0;
    __global int *first = in + i * w + w - 2, *second = in + w * i + (w - 1);
    for (int k = w - 2; k >= 0; k -= 2, first -= 2, second -= 2) {
        sum += *second * (k + 1);
        sum += *first * k;
        if (k == 0)
            second[-1] = -7;
    }
    out[i] = sum;
}

//: test vectors
//: global 96
//: local 96
//: arg out int[96] = -1
//: arg in int[3840] = i
//: arg by int[40] = i
//: arg w int 40
//: arg n int 10
//: expect out = i * w * 780 + 20540
//: test vectors_rest
//: kernel vectors
//: global 96
//: local 48
//: arg out int[96] = -1
//: arg in int[3840] = i
//: arg by int[40] = i
//: arg w int 40
//: arg n int 7
//: expect out = i * w * 378 + 6930
__kernel void vectors(__global int *out, __global const int *in, __global const int4 *by, int w, int n)
{
    int i = get_global_id(0);
    int4 sum = 0;
    for (int k = 0; k < n; k++)
        sum += vload4(k, in + i * w) * by[k];
    out[i] = sum.x + sum.y + sum.z + sum.w;
}

// A pointer that goes on between accesses; some leave in between, some go on to the next element earlier.
//: test goes_on
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg in int[1024] = i
//: arg n int 5
//: expect out = i * 16 * 15 + 105
__kernel void goes_on(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0), sum = 0;
    __global const int *p = in + i * 16;
    for (int k = 0; k < n; k++) {
        sum += *p++;
        sum += *p++;
        sum += p[0];
        p++;
    }
    out[i] = sum;
}

//: test leaves_early
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg in int[1024] = i % 16
//: arg n int 4
//: expect out = i % 4 == 0 ? 28 : i % 4 == 1 ? 36 : i % 4 == 2 ? 45 : 120
__kernel void leaves_early(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0), sum = 0;
    __global const int *p = in + i * 16;
    for (int row = 0; row < 1; row++)
        for (int k = 0; k < n; k++) {
            sum += *p++;
            if (i % 4 == 1 && k == 2)
                break;
            if (i % 4 == 2) {
                if (k % 2)
                    continue;
            }
            sum += *p++;
            if (i % 4 == 0)
                continue;
            sum += p[0] + p[1];
            p += 2;
        }
    out[i] = sum;
}

// Long iterations, most of which is done once for several: steps of four addresses.
//: test four_rows
//: global 64
//: local 32
//: arg a float[1280] = i % 7
//: arg b float[1280] = i % 5
//: arg c float[64] = 1
//: arg m int 19
//: expect c = 2
kernel void four_rows(global const float *a, global const float *b, global float *c, int m)
{
    int i = get_global_id(0), j = 63 - i;
    float s = 0, t = 0;
    for (int k = 0; k < m; k++)
        s += 2.0f * a[i * m + k] * b[j * m + k] + 2.0f * b[i * m + k] * a[j * m + k];
    for (int k = m - 1; k >= 0; k--) t += a[i * m + k] * b[j * m + k] + b[i * m + k] * a[j * m + k];
    c[i] = s == 2.0f * t ? 2.0f : 0.0f;
}

// Rows that are counted in memory of the work-item's own, or of its group's, at what they say: private words, halves and
// words that lie among those of others, which one iteration stores and the next one loads.
//: test counted
//: global 64
//: local 64
//: arg in uchar[3776] = (i * 37 + i / 59 * 11) % 251
//: arg w uint[3776] = (i * 1000003) % 4294967291
//: arg out uint[192] = 99
//: arg m int 59
//: expect out = 0
kernel void counted(global const uchar *in, global const uint *w, global uint *out, int m)
{
    int i = get_global_id(0), l = get_local_id(0);
    uint words[16], again[16];
    ushort halves[8];
    local uint ours[8 * 64];
    for (int b = 0; b < 16; b++) words[b] = again[b] = 0;
    for (int b = 0; b < 8; b++) halves[b] = 0, ours[b * 64 + l] = 0;
    for (int k = 0; k < m; k++) words[in[i * m + k] >> 4]++;
    for (int k = 0; k < m; k++) halves[w[i * m + k] >> 29]++;
    for (int k = 0; k < m; k++) ours[(w[i * m + k] >> 29) * 64 + l]++;
    uint wrong = 0, other = 0, shared = 0;
    for (int b = 0; b < 16; b++) {
        for (int k = m - 1; k >= 0; k--) again[b] += in[i * m + k] >> 4 == b;
        wrong += words[b] != again[b];
    }
    for (int b = 0; b < 8; b++) {
        uint n = 0;
        for (int k = m - 1; k >= 0; k--) n += w[i * m + k] >> 29 == b;
        other += halves[b] != n;
        shared += ours[b * 64 + l] != n;
    }
    out[3 * i] = wrong;
    out[3 * i + 1] = other;
    out[3 * i + 2] = shared;
}

// The last place of each value so far, in a loop that reads it before it stores.
//: test last_places
//: global 100
//: local 20
//: arg in uchar[2300] = (i * 7 + i / 23) % 5
//: arg out int[100] = -1
//: arg m int 23
//: expect out = 105
kernel void last_places(global const uchar *in, global int *out, int m)
{
    int i = get_global_id(0), last[8], s = 0;
    for (int b = 0; b < 8; b++) last[b] = -1;
    for (int k = 0; k < m; k++) {
        int v = in[i * m + k] & 7;
        s += k - last[v];
        last[v] = k;
    }
    out[i] = s;
}
