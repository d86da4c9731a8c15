// Elements of small arrays at an index that was chosen among others, and what several comparisons of two numbers say.
// Beside them the same, kept as it is by loads in between; out has a bit for what differs.

#define SMALLEST(T, v, zero) \
    for (int k = 0; k < 8; k++) { \
        int m = k; \
        for (int j = k + 1; j < 9; j++) \
            if (v[j] < v[m]) m = j + zero; \
        if (m != k) { \
            T t = v[m]; \
            v[m] = v[k]; \
            v[k] = t; \
        } \
    }

#define OF_TYPE(name, T) \
    kernel void name(global int *out, global const T *a, global volatile const int *zero) \
    { \
        int i = get_global_id(0), differ = 0, s = 0; \
        T v[9], u[9], w[9], last = 0; \
        for (int k = 0; k < 9; k++) w[k] = u[k] = v[k] = a[k * 128 + i]; \
        SMALLEST(T, v, 0) \
        SMALLEST(T, u, *zero) \
        for (int k = 0; k < 8; k++) differ |= v[k] > v[k + 1]; \
        for (int k = 0; k < 9; k++) differ |= (v[k] != u[k]) << 1; \
        for (int k = 0; k < 5; k++) { \
            int m = 0; \
            for (int j = 1; j < 9; j++) m = w[m] > w[j] ? j : m; \
            last = w[m]; \
            w[m] = 100; \
        } \
        differ |= (last != v[4]) << 2; \
        for (int k = 0; k < 9; k++) w[k] = a[k * 128 + i]; \
        for (int k = 0; k < 9; k++) { \
            int at = 0, of = 0, other = 0, more = 0; \
            for (int j = 0; j < 9; j++) { \
                at += w[j] < w[k] || (w[j] == w[k] && j < k); \
                if (w[j] <= w[k] && !(w[j] == w[k])) of++; \
                if (w[j] >= w[k] && w[k] >= w[j]) other += 16; \
                more += w[j] < w[k] ? 0 : w[j] > w[k] ? 1 : w[j] == w[k] ? 0 : 512; \
            } \
            s += at; \
            if (w[k] == w[k]) differ |= (at != 8 && !(v[at] <= v[at + 1])) << 3; \
            of += other + (*zero ? i : 0); \
            differ |= ((of >> 4) < 1 && w[k] == w[k]) << 4; \
            differ |= ((of & 15) + (of >> 4) + more % 512 + more / 512 != 9) << 5; \
        } \
        differ |= (s != 36) << 6; \
        out[i] = differ; \
    }

//: test of_int
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg a int[1152] = i * 7919 % 41 - 20
//: arg zero int[1] = 0
//: expect out = 0
OF_TYPE(of_int, int)

//: test of_uchar
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg a uchar[1152] = i * 7919 % 41
//: arg zero int[1] = 0
//: expect out = 0
OF_TYPE(of_uchar, uchar)

//: test of_float
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg a float[1152] = i * 7919 % 41 * 0.25 - 5
//: arg zero int[1] = 0
//: expect out = 0
OF_TYPE(of_float, float)

// Numbers that are none are in no order.
//: test unordered
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg a float[64] = i % 4 ? i % 3 - 1 : 0.0 / 0
//: arg b float[64] = i % 5 ? i % 2 : 0.0 / 0
//: expect out = (i % 4 && i % 5 ? 0 : 6) + (i % 4 && i % 5 && i % 3 - 1 < i % 2 ? 9 : 0) + (i % 4 && i % 5 && i % 3 - 1 == i % 2 ? 16 : 0) + (i % 4 && i % 5 && i % 3 - 1 > i % 2 ? 8 : 0)
kernel void unordered(global int *out, global const float *a, global const float *b)
{
    int i = get_global_id(0);
    float x = a[i], y = b[i];
    int r = x < y ? 1 : 0;
    r |= !(x < y || y < x || x == y) ? 2 : 0;
    r |= !(x <= y) && !(y <= x) ? 4 : 0;
    r |= x < y || y < x ? 8 : 0;
    r |= x <= y && !(x < y) && y <= x ? 16 : 0;
    out[i] = r;
}
