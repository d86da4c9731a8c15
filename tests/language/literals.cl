// Literals, typedefs and enums.
//: versions 1.0 1.1 1.2
typedef int number;
typedef number numbers[3];
typedef float4 quad;
enum shape { ROUND, SQUARE = 4, OVAL };

//: test integers
//: global 1
//: arg out long[12] = 0
//: expect out = {255, 8, 4294967295, -1, 97, 10, 92, 4, 8, 4, 9223372036854775807, 4}
kernel void integers(global long *out) {
    int n = 0;
    out[n++] = 0xff;
    out[n++] = 010;
    out[n++] = 0xffffffffu;
    out[n++] = (int)0xffffffffu;
    out[n++] = 'a';
    out[n++] = '\n';
    out[n++] = '\\';
    out[n++] = sizeof(1);
    out[n++] = sizeof(1L);
    out[n++] = sizeof(1u);
    out[n++] = 0x7fffffffffffffffL;
    out[n++] = sizeof(1.0f);
}

// From 2^63 on a decimal number is a ulong; 2^63 behind a minus is the least long.
#define LEAST -9223372036854775808
//: test large
//: global 1
//: arg out ulong[10] = 0
//: arg f float = 1.5
//: arg u ulong = 5
//: expect out = {18446744073709551615, 0, 1, 6148914691236517205, 1, 4611686018427387904, 0x8000000000000000, 0, 1, 0x8000000000000005}
kernel void large(global ulong *out, float f, ulong u) {
    int n = 0;
    out[n++] = 18446744073709551615;
    out[n++] = f > 18446744073709551615;
    out[n++] = u < 18446744073709551615L;
    out[n++] = 18446744073709551615 / 3;
    out[n++] = (float)9223372036854775808 > f;
    out[n++] = 9223372036854775808 >> 1;
    out[n++] = LEAST;
    out[n++] = f < - 9223372036854775808;
    out[n++] = (long)u > LEAST;
    out[n++] = u -9223372036854775808;
}

//: test reals
//: global 1
//: arg out float[6] = 0
//: expect out = {1.5, 1000, 0.125, 2, 0.1f, 3}
kernel void reals(global float *out) {
    out[0] = 1.5f;
    out[1] = 1e3f;
    out[2] = 0x1p-3f;
    out[3] = 2.F;
    out[4] = .1f;
    out[5] = 3;
}

//: test named
//: global 1
//: arg out int[5] = 0
//: expect out = {6, 4, 5, 12, 3}
kernel void named(global int *out) {
    numbers a = {1, 2, 3};
    quad q = (quad)(1, 2, 3, 4);
    enum shape s = SQUARE;
    out[0] = a[0] + a[1] + a[2];
    out[1] = s;
    s++;
    out[2] = s;
    out[3] = sizeof(numbers);
    out[4] = q.z;
}
