// Program-scope __constant data with every kind of initialiser (6.5.3), read by index and by name.
//: versions 1.0 1.1 1.2
typedef struct { char c; short s; int i; long l; float f; } mixed;
typedef struct { mixed m[2]; struct { uchar4 v; int n[2][2]; } in; float3 three; } nested;
typedef union { int i; float f; uchar b[4]; } either;
typedef struct __attribute__((packed)) { char c; int i; short s; } tight;
enum { FIRST = 5, SECOND, LAST = -1 };

constant mixed one = {'a', -300, 1 << 20, 0x123456789abcdefL, 1.5f};
constant nested many[2] = {{{{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}}, {(uchar4)(1, 2, 3, 4), {{1, 2}, {3, 4}}}, (float3)(7, 8, 9)},
                           {.in.n[1] = {5, 6}, .m[1].l = -1, .three = (float3)(4)}};
constant int grid[3][4] = {{1, 2, 3}, {4, 5}, {[3] = 6}};
constant int flat[2][2] = {1, 2, 3};
constant int cube[2][2][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
constant char hello[] = "hello", room[10] = "ab", listed[] = {'x', 'y', 0};
constant char lines[2][4] = {"abc", "de"};
constant char *constant words[] = {"zero", "one", hello, &hello[1], "tw" "o"};
constant either unions[3] = {{1065353216}, {.f = 2.0f}, {.b = {1, 2, 3, 4}}};
constant tight packed_ones[2] = {{1, 0x01020304, 5}, {.s = -2}};
constant int *constant to_grid = &grid[1][1];
constant int *constant ends[] = {grid[2] + 3, &many[1].in.n[1][0], 0, &cube[1][0][1]};
constant int *constant *constant chain = &ends[1];
constant struct link { int value; constant struct link *next; } list[3] = {{10, &list[1]}, {20, list + 2}, {30, 0}};
constant float reals[] = {1, -2.5f, 1e10f, 0x1p-3f, 1.0f / 3, INFINITY, (float)(1 << 24) + 1, M_PI_F};
constant int whole[] = {FIRST + SECOND, LAST, sizeof(mixed), (int)3.99f, -7 / 2, -7 % 3, 1 ? 2 : 3, ~0, !5, 'a' + 1, (uchar)300, (char)200, 7 > 3, 0x80000000 >> 31, -1 >> 1};
constant long8 eight = (long8)(1, 2, (long2)(3, 4), (long4)(5));
constant int4 splat = 9, splats[2] = {3, (int4)(1, 2, 3, 4)};
constant ulong big = ULONG_MAX, shifted = 1UL << 40;
constant uchar small = 255, bytes[5] = {1, 2};
constant bool yes = 3 > 2;
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
constant int unused[1000] = {1};

//: test structures
//: global 1
//: arg zero int 0
//: arg out long[24] = 99
//: expect out = {97, -300, 1048576, 81985529216486895, 1, 1, 5, 9, 10, 3, 4, 8, 0, -1, 5, 6, 4, 0, 48, 1, 0x01020304, 5, 0, -2}
kernel void structures(int zero, global long *out) {
    int n = 0;
    out[n++] = one.c;
    out[n++] = one.s;
    out[n++] = one.i;
    out[n++] = one.l;
    out[n++] = (int)one.f;
    out[n++] = many[zero].m[0].c;
    out[n++] = (int)many[0].m[zero].f;
    out[n++] = many[zero].m[1].l;
    out[n++] = (int)many[zero].m[zero + 1].f;
    out[n++] = many[zero].in.v.z;
    out[n++] = many[0].in.n[1][1];
    out[n++] = (int)many[0].three.y;
    out[n++] = many[1].m[0].i;
    out[n++] = many[1 + zero].m[1].l;
    out[n++] = many[1].in.n[1 + zero][0];
    out[n++] = many[1].in.n[1][1 + zero];
    out[n++] = (int)many[1].three.z;
    out[n++] = many[1].in.v.x;
    out[n++] = sizeof many[0].m;
    out[n++] = packed_ones[0].c;
    out[n++] = packed_ones[zero].i;
    out[n++] = packed_ones[0].s;
    out[n++] = packed_ones[1].i;
    out[n++] = packed_ones[1 + zero].s;
}

//: test arrays
//: global 12
//: arg out int[36] = 99
//: expect out = {1, 1, 104, 2, 2, 101, 3, 3, 108, 0, 0, 108, 4, 1, 111, 5, 2, 0, 0, 3, 97, 0, 4, 98, 0, 5, 0, 0, 6, 0, 0, 7, 0, 6, 8, 0}
kernel void arrays(global int *out) {
    int i = get_global_id(0);
    out[3 * i] = grid[i / 4][i % 4];
    out[3 * i + 1] = i < 4 ? flat[i / 2][i % 2] : cube[(i - 4) / 4][(i - 4) / 2 % 2][i % 2];
    out[3 * i + 2] = i < 6 ? hello[i] : room[i - 6];
}

//: test strings
//: global 8
//: arg out int[40] = 99
//: expect out = {122, 111, 104, 101, 116, 101, 110, 101, 108, 119, 114, 101, 108, 108, 111, 111, 0, 108, 111, 0, 97, 98, 99, 0, 100, 101, 0, 0, 120, 121, 0, 3, 6, 10, 8, 4, 99, 97, 120, 0}
kernel void strings(global int *out) {
    int i = get_global_id(0);
    if (i < 4)
        for (int w = 0; w < 5; w++) out[5 * i + w] = words[w][i];
    else if (i == 4)
        for (int k = 0; k < 8; k++) out[20 + k] = lines[k / 4][k % 4];
    else if (i == 5)
        for (int k = 0; k < 3; k++) out[28 + k] = listed[k];
    else if (i == 6) {
        out[31] = sizeof listed;
        out[32] = sizeof hello;
        out[33] = sizeof room;
        out[34] = sizeof lines;
        out[35] = sizeof "abc";
    } else {
        constant char *s = "cat", *t = "ax";
        out[36] = *s;
        out[37] = s[1];
        out[38] = *++t;
        out[39] = t[1];
    }
}

//: test pointers
//: global 4
//: arg out int[16] = 99
//: expect out = {5, 6, 10, 60, 0, 5, 20, 5, 6, 1, 30, 6, 4, 6, 2, 0}
kernel void pointers(global int *out) {
    int i = get_global_id(0), sum = 0;
    constant struct link *l = list + (i < 2 ? i : 2);
    out[4 * i] = i == 0 ? *to_grid : i == 1 ? to_grid[-1] - 4 : i == 2 ? *ends[0] : (int)(&grid[2][1] - to_grid) - 0;
    if (i == 2) out[8] = *ends[0];
    out[4 * i + 1] = i == 2 ? ends[2] == 0 : *ends[i == 3 ? 0 : i];
    if (i == 3) out[13] = *ends[3];
    out[4 * i + 2] = i == 3 ? (int)(chain - ends) + 1 : l->value;
    for (constant struct link *p = l; p; p = p->next) sum += p->value;
    out[4 * i + 3] = i == 0 ? sum : i == 1 ? **chain : i == 2 ? chain[-1][0] : list[2].next != 0;
}

//: test numbers
//: global 1
//: arg zero int 0
//: arg f float[8] = 99
//: arg w int[15] = 99
//: arg l long[12] = 99
//: expect f = {1, -2.5, 1e10, 0.125, 0.333333343, 1 / 0.0, 16777216, 3.14159274}
//: expect w = {11, -1, 24, 3, -3, -1, 2, -1, 0, 98, 44, -56, 1, 1, -1}
//: expect l = {1, 4, 5, 9, 3, 4, -1, 1099511627776, 255, 2, 1, 2}
kernel void numbers(int zero, global float *f, global int *w, global long *l) {
    for (int i = 0; i < 8; i++) f[i] = reals[i + zero];
    for (int i = 0; i < 15; i++) w[i] = whole[i + zero];
    l[0] = eight.s0;
    l[1] = eight.s3;
    l[2] = eight.s7;
    l[3] = splat.w;
    l[4] = splats[zero].y;
    l[5] = splats[1 + zero].w;
    l[6] = big;
    l[7] = shifted;
    l[8] = small;
    l[9] = bytes[1] + bytes[zero + 4];
    l[10] = yes;
    l[11] = unions[1].f;
}

//: test unions
//: kernel unions_
//: global 1
//: arg zero int 0
//: arg out int[4] = 99
//: expect out = {1, 1073741824, 0x04030201, 63}
kernel void unions_(int zero, global int *out) {
    out[0] = (int)unions[zero].f;
    out[1] = unions[1 + zero].i;
    out[2] = unions[zero + 2].i;
    out[3] = unions[zero].b[3];
}

// A quotient by zero, as INFINITY is written: a constant.
//: test infinite
//: arg out uint[6] = 7
//: expect out = {0x7f800000, 0xff800000, 0xff800000, 0x7f800000, 0, 1}
kernel void infinite(global uint *out)
{
    global float *to = (global float *)out;
    to[0] = INFINITY;
    to[1] = (float)(-INFINITY);
    to[2] = 3.0f / -0.0f;
    to[3] = -0x1p-126f / -0.0f;
    to[4] = 5.0f / INFINITY;
    out[5] = isnan(0.0f / 0.0f);
}
