// The less and the greater one of two numbers, zeros, denormals and NaNs among them, by the CPU's
// instructions: bit for bit what integers say that they are.

constant uint kinds[16] = {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x3f800000, 0xbf800000,
                           0x7f800000, 0xff800000, 0x7fc00001, 0xffc00002, 0x7f800003, 0x3f000000,
                           0x42280000, 0x00800000, 0x807fffff, 0xc2280000};

bool none(uint x) { return (x & 0x7fffffff) > 0x7f800000; }
uint flushed(uint x)
{
    if (none(x)) return x | 0x400000;
    return x & 0x7f800000 ? x : x & 0x80000000;
}
int place(uint x)
{
    uint y = flushed(x);
    return y & 0x80000000 ? -(int)(y & 0x7fffffff) : (int)y;
}
uint less(uint a, uint b) { return flushed(none(a) || (!none(b) && place(b) < place(a)) ? b : a); }
uint greater(uint a, uint b) { return flushed(none(a) || (!none(b) && place(b) > place(a)) ? b : a); }

//: test pairs
//: global 256
//: local 64
//: arg in uint[256] = 0
//: arg wrong uint[256] = -1
//: arg one float 1
//: expect wrong = 0
kernel void pairs(global uint *in, global uint *wrong, float one)
{
    int i = get_global_id(0);
    uint p = kinds[i / 16], q = kinds[i % 16], bad = 0;
    in[i] = p;
    in[255 - i] = in[255 - i];
    float a = as_float(in[i]), b = as_float(q), x = a * one, y = b * one;
    bad |= (as_uint(fmin(a, b)) != less(p, q)) << 0;
    bad |= (as_uint(fmax(a, b)) != greater(p, q)) << 1;
    bad |= (as_uint(fmin(x, y)) != less(p, q)) << 2;
    bad |= (as_uint(fmax(x, y)) != greater(p, q)) << 3;
    bad |= (as_uint(fmin(x, b)) != less(p, q)) << 4;
    bad |= (as_uint(fmax(a, y)) != greater(p, q)) << 5;
    bad |= (as_uint(fmin(a, 1.0f)) != less(p, as_uint(1.0f))) << 6;
    bad |= (as_uint(fmax(x, 0.5f)) != greater(p, as_uint(0.5f))) << 7;
    bad |= (as_uint(fmax(1.0f, a)) != greater(as_uint(1.0f), p)) << 8;
    bad |= (as_uint(fmax(x, 0.0f)) != greater(p, 0)) << 9;
    bad |= (as_uint(fmin(a, -0.0f)) != less(p, 0x80000000)) << 10;
    bad |= (as_uint(fmax(0.0f, x)) != greater(0, p)) << 11;
    bad |= (as_uint(fmin(fmax(a, -1.0f), 1.0f)) != less(greater(p, as_uint(-1.0f)), as_uint(1.0f))) << 12;
    bad |= (as_uint(fmin(fmax(x, y), fmin(y, one))) != less(greater(p, q), less(q, as_uint(one)))) << 13;
    bad |= (as_uint(fabs(fmin(x, y))) != (less(p, q) & 0x7fffffff)) << 14;
    bad |= (as_uint(-fmax(x, y)) != (greater(p, q) ^ 0x80000000)) << 15;
    wrong[i] = bad;
}

// A choice of bits keeps denormals, and NaNs as they are.
//: test choices
//: global 256
//: local 64
//: arg a uint[256] = 0
//: arg b uint[256] = 0
//: arg wrong uint[256] = -1
//: expect wrong = 0
kernel void choices(global uint *a, global uint *b, global uint *wrong)
{
    int i = get_global_id(0);
    uint p = kinds[i / 16], q = kinds[i % 16], bad = 0;
    a[i] = p;
    b[i] = q;
    float x = ((global float *)a)[i], y = ((global float *)b)[i];
    float chosen = isnan(x) || y < x ? y : x, other = y > x || isnan(x) ? y : x;
    bad |= as_uint(chosen) != (none(p) || (!none(q) && place(q) < place(p)) ? q : p);
    bad |= (as_uint(other) != (none(p) || (!none(q) && place(q) > place(p)) ? q : p)) << 1;
    wrong[i] = bad;
}

// Nothing is flushed again in a network, and none of its choices asks two things at once.
//: test network
//: global 96
//: local 32
//: arg in float[104] = (i * 37 % 101) - 50
//: arg out float[96] = 0
//: arg beyond int[96] = -1
//: expect beyond = 0
kernel void network(global const float *in, global float *out, global int *beyond)
{
    int i = get_global_id(0);
    float v[5];
    for (int k = 0; k < 5; k++) v[k] = in[i + 2 * k];
    for (int k = 4; k > 0; k--)
        for (int j = 0; j < k; j++) {
            float t = v[j];
            v[j] = fmin(v[j], v[j + 1]);
            v[j + 1] = fmax(t, v[j + 1]);
        }
    out[i] = v[2];
    int below = 0, above = 0;
    for (int k = 0; k < 5; k++) below += in[i + 2 * k] < v[2], above += in[i + 2 * k] > v[2];
    beyond[i] = max(below, above) > 2;
}
