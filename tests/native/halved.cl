// Integers that are made of bytes and halves, and end as such: what they are in between fits 16 bits, or only their low
// half matters; or neither.

//: test blended
//: global 256
//: local 64
//: arg out uchar[256] = 0
//: arg a uchar[256] = i
//: arg b uchar[256] = 255 - i * 3
//: expect out = a[i] * 77 + b[i] * 179 >> 8
kernel void blended(global uchar *out, global const uchar *a, global const uchar *b)
{
    int i = get_global_id(0);
    out[i] = (a[i] * 77 + b[i] * 179) >> 8;
}

// One bit more than there is.
//: test too_large
//: global 256
//: local 64
//: arg out uchar[256] = 0
//: arg a uchar[256] = 255 - i / 64
//: expect out = a[i] * 255 + a[i] * 4 >> 8
kernel void too_large(global uchar *out, global const uchar *a)
{
    int i = get_global_id(0);
    out[i] = (a[i] * 255 + a[i] * 4) >> 8;
}

// With signs: shifts, quotients, what is least and most.
//: test with_signs
//: global 256
//: local 64
//: arg out short[256] = 0
//: arg a char[256] = i - 128
//: arg b char[256] = i * 7
//: expect out = a[i] * b[i] / 100 + (a[i] - b[i] >> 2) + max(a[i] + b[i], -20) + min(a[i] * 3, 40) + (a[i] + 2 * b[i]) % 7
kernel void with_signs(global short *out, global const char *a, global const char *b)
{
    int i = get_global_id(0);
    out[i] = a[i] * b[i] / 100 + ((a[i] - b[i]) >> 2) + max(a[i] + b[i], -20) + min(a[i] * 3, 40) + (a[i] + 2 * b[i]) % 7;
}

// Differences below 0 of which the upper bits are looked at, without a sign, and those of which they are not.
//: test unsigned_bits
//: global 256
//: local 64
//: arg out ushort[256] = 0
//: arg a uchar[256] = i
//: arg b uchar[256] = i * 5
//: expect out = ((uint)(a[i] - b[i]) >> 20) + (a[i] - b[i]) * 300 + ((uint)(a[i] - b[i]) / 3u >> 4)
kernel void unsigned_bits(global ushort *out, global const uchar *a, global const uchar *b)
{
    int i = get_global_id(0);
    uint d = a[i] - b[i];
    out[i] = (d >> 20) + d * 300 + (d / 3u >> 4);
}

// A sum in one variable; what else reads it is as wide as it was.
//: test summed
//: global 256
//: local 64
//: arg out uchar[256] = 0
//: arg wide int[256] = 0
//: arg a uchar[259] = i * 11
//: expect out = (a[i] + a[i + 1] + a[i + 2] + a[i + 3]) / 4
//: expect wide = i % 2 ? (a[i] + a[i + 1] + a[i + 2] + a[i + 3]) * 65537 : 0
kernel void summed(global uchar *out, global int *wide, global const uchar *a)
{
    int i = get_global_id(0), sum = 0;
    for (int k = 0; k < 4; k++) sum += a[i + k];
    out[i] = sum / 4;
    if (i % 2) wide[i] = sum * 65537;
}

// Some lanes have written it, others have not.
//: test by_lanes
//: global 256
//: local 64
//: arg out ushort[256] = 7
//: arg a ushort[256] = i * 259
//: expect out = a[i] % 3 == 0 ? a[i] * 5 : a[i] % 3 == 1 ? a[i] + 9 : 7
kernel void by_lanes(global ushort *out, global const ushort *a)
{
    int i = get_global_id(0), v = out[i], r = a[i] % 3;
    if (r == 0)
        v = a[i] * 5;
    else if (r == 1) {
        v = a[i];
        v += 4;
        v += 5;
    }
    out[i] = v;
}

// Comparisons of bytes and halves: with a sign, without one, and with numbers that no half holds; choices between two.
//: test compared
//: global 256
//: local 64
//: arg out int[256] = -1
//: arg letters uchar[256] = i
//: arg signs short[256] = (i - 128) * 255
//: expect out = (i < 97 ? 0 : i < 123 ? (i - 84) % 26 + 1 : 2) + ((i - 128) * 255 < -5000 ? 100 : (i - 128) * 255 == 255 ? 200 : 300) + 1000 * (i - 128 < 32767) + (i < 200 ? i * 10000 : (i - 128) * 10000)
__kernel void compared(__global int *out, __global const uchar *letters, __global const short *signs)
{
    int i = get_global_id(0);
    uchar c = letters[i], r = 0;
    short s = signs[i];
    if (c >= 'a' && c <= 'z')
        r = (c - 'a' + 13) % 26 + 1;
    else if (c > 'z')
        r = 2;
    ushort more = s < -5000 ? 100 : s == 255 ? 200 : 300;
    uchar low = c < 200 ? c : c - 128;
    out[i] = r + more + 1000 * (s / 255 < 32767) + 10000 * low;
}

// What is counted up to a constant has nothing to do with bytes: how far it goes is known, and so
// that no work-item comes to another one's elements.
//: test parts
//: global 256 32
//: local 16 16
//: arg out uchar[327680] = 0
//: arg in uchar[327680] = i * 7
//: arg w int 10240
//: expect out = (in[i] + 3) / 2
kernel void parts(global uchar *out, global const uchar *in, int w)
{
    int y = get_global_id(1);
    for (int k = 0; k < 40; k++) {
        int x = get_global_id(0) + k * (w / 40);
        out[y * w + x] = (in[y * w + x] + 3) / 2;
    }
}
