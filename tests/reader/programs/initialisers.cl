typedef struct { int a; float b[3]; struct { short x, y; } p; union { int i; float f; uchar c[4]; }; } S;
typedef struct { S s[2]; int last; } T;
constant int table[5] = {1, 2, [4] = 5};
constant char text[] = "ab\tc", names[2][4] = {"x", {"yz"}};
constant S fixed = {1, {2, 3}, {4, 5}, {6}}, other = {.p.y = 3, .f = 1.5f, .b[1] = 2, 9};
constant T nested = {{{1, 2, 3, 4, 5, 6, 7}, {8}}, 9}, flat = {1, 2, 3, 4, 5, 6, 7, 8, .s[1].a = 3};
constant float4 vectors[2] = {(float4)(1, 2, 3, 4), {5, 6, 7, 8}};
constant int range[8] = {[1 ... 3] = 7, 8, [0] = 9}, deep[2][2][2] = {{{1}, 2, 3}, {[1][1] = 4}, }, zero[3] = {};
constant int again[3] = {[0] = 1, [1] = 2, [0] = 3};
kernel void k(global int *o, int i, S by_value) {
    S copy = by_value, list = {i, {i, 1}, .i = i}, empty = {};
    S *p = &copy; S more[2] = {by_value, {.a = 1}}; T t = {{by_value, *p}, i}; float2 v = {i, 2}; int scalar = {i};
    int local_array[] = {i, i + 1, 3}; o[0] = ((S){.a = i, .b = {1}}).a + ((int[2][2]){{1, 2}, {3}})[i][1];
    char word[8] = "hi", bytes[] = {"hello"}, wrapped[3] = ("xy"); o[i] = local_array[1] + word[0] + scalar;
}
