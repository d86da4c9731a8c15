// Pointers, arrays, structures, unions and program-scope data in every address space (6.5).
//: versions 1.0 1.1 1.2

typedef struct { float x; int n[3]; struct { char c; short s; } in; } record;
typedef union { int i; float f; uchar b[4]; } either;
typedef enum { RED = 3, GREEN, BLUE = 10 } colour;

constant int table[5] = {10, 20, 30, 40, 50};
constant int *constant middle = &table[2];
constant int *constant both[2] = {table + 1, &table[4]};
constant record constants[2] = {{1.5f, {1, 2, 3}, {'a', 300}}, {.n = {[1] = 5}, .in.s = -1}};
constant float4 vector = (float4)(1, 2, 3, 4);
constant char text[] = "hello";
constant float computed = 2.0f * 3 + 1;
constant colour favourite = BLUE;
constant int size = sizeof(table) / sizeof(table[0]);

//: test constants
//: kernel constants_
//: global 4
//: arg out int[20] = 0
//: expect out = i < 5 ? 10 * (i + 1) : i == 5 ? 30 : i == 6 ? 20 : i == 7 ? 50 : i == 8 ? 300 : i == 9 ? 5 : i == 10 ? -1 : i == 11 ? 3 : i == 12 ? 108 : i == 13 ? 7 : i == 14 ? 10 : i == 15 ? 5 : i == 16 ? 6 : i == 17 ? 0 : i == 18 ? 4 : 40
kernel void constants_(global int *out) {
    int i = get_global_id(0);
    for (int k = i; k < 5; k += 4) out[k] = table[k];
    out[5] = *middle;
    out[6] = *both[0];
    out[7] = *both[i & 0 | 1];
    out[8] = constants[0].in.s;
    out[9] = constants[1].n[1];
    out[10] = constants[1].in.s;
    out[11] = vector.z;
    out[12] = text[2];
    out[13] = computed;
    out[14] = favourite;
    out[15] = size;
    out[16] = sizeof(text);
    out[17] = constants[1].x + text[5];
    out[18] = GREEN;
    out[19] = middle[1];
}

//: test structures
//: global 32
//: arg out float[32] = 0
//: expect out = i + 0.5 + 2 * i + 7
float total(record r) { return r.x + r.n[0] + r.n[2] + r.in.s; }
record make(int i) {
    record r = {i + 0.5f, {i, 0, i}, {'x', 7}};
    return r;
}
kernel void structures(global float *out) {
    record r = make(get_global_id(0)), copy;
    copy = r;
    r.n[0] = 1000;
    out[get_global_id(0)] = total(copy);
}

//: test unions
//: global 1
//: arg out int[3] = 0
//: expect out = {1065353216, 63, 128}
kernel void unions(global int *out) {
    either e;
    e.f = 1;
    out[0] = e.i;
    out[1] = e.b[3];
    out[2] = e.b[2];
}

//: test indexed_private
//: global 64
//: arg index int[64] = (i * 7) % 16
//: arg out int[64] = 0
//: expect out = ((i * 7) % 16) * ((i * 7) % 16) + 3 * (15 - (i * 7) % 16)
kernel void indexed_private(global int *index, global int *out) {
    int squares[16];
    struct { int pad, v[16]; } threes;
    for (int i = 0; i < 16; i++) {
        squares[i] = i * i;
        threes.v[15 - i] = 3 * i;
    }
    int i = get_global_id(0);
    out[i] = squares[index[i]] + threes.v[index[i]];
}

//: test pointers
//: global 32
//: local 32
//: arg out int[32] = 0
//: expect out = 110 + i + 31 - i
void bump(private int *p, int by) { *p += by; }
int read(local int *p, int i) { return p[i]; }
kernel void pointers(global int *out) {
    local int shared[32];
    int i = get_local_id(0), a = 10, b = 100;
    private int *p[2] = {&a, &b};
    private int **q = p;
    bump(q[1], i);
    shared[i] = **q + *p[1];
    barrier(CLK_LOCAL_MEM_FENCE);
    local int *end = shared + 32, *mine = end - (32 - i);
    out[i] = read(mine, 0) + (int)(end - mine) - 1;
    if (!(mine < end) || mine == end || &a == &b) out[i] = -1;
}

//: test pointer_conversions
//: global 1
//: arg out int[4] = 0
//: expect out = {513, 4, 8, 1}
kernel void pointer_conversions(global int *out) {
    uchar bytes[8] __attribute__((aligned(8))) = {1, 2, 0, 0, 4};
    private int *p = (private int *)bytes;
    out[0] = p[0];
    out[1] = *(private int *)(bytes + 4);
    global int *g = out;
    g += 2;
    *g = (int)((uintptr_t)g - (uintptr_t)out);
    out[3] = (global int *)(uintptr_t)g == g;
}

//: test matrices
//: global 6
//: arg out int[6] = 0
//: expect out = i / 3 * 10 + i % 3
kernel void matrices(global int *out) {
    int m[2][3], i = get_global_id(0);
    for (int r = 0; r < 2; r++)
        for (int c = 0; c < 3; c++) m[r][c] = 10 * r + c;
    int(*row)[3] = m + i / 3;
    out[i] = (*row)[i % 3];
}

//: test initialisers
//: global 1
//: arg out int[8] = 9
//: expect out = {1, 0, 0, 4, 0, 7, 8, 0}
kernel void initialisers(global int *out) {
    int a[4] = {1, [3] = 4}, b[] = {0, 7, 8};
    record r = {0};
    for (int i = 0; i < 4; i++) out[i] = a[i];
    for (int i = 0; i < 3; i++) out[4 + i] = b[i];
    out[7] = r.n[2];
}

//: test vector_elements
//: global 16
//: arg out int[16] = 0
//: expect out = i
kernel void vector_elements(global int *out) {
    int i = get_global_id(0);
    int4 v[4];
    for (int k = 0; k < 4; k++) v[k] = (int4)(4 * k, 4 * k + 1, 4 * k + 2, 4 * k + 3);
    private int *flat = (private int *)v;
    out[i] = flat[i];
}

// Places in a grid that are kept within it: rows of lanes in the middle, lanes by themselves at the
// edges, and in a row that is turned round.
//: test within
//: global 64 8
//: local 64 2
//: arg out int[512] = -1
//: arg in int[512] = i * 3
//: arg right int 5
//: arg down int -2
//: expect out = 3 * ((i / 64 < 2 ? 0 : i / 64 - 2) * 64 + (i % 64 > 58 ? 63 : i % 64 + 5))
kernel void within(global int *out, global const int *in, int right, int down) {
    int x = get_global_id(0), y = get_global_id(1);
    int sx = clamp(x + right, 0, 63), sy = clamp(y + down, 0, 7);
    out[y * 64 + x] = in[sy * 64 + sx];
}

//: test turned
//: global 128
//: local 64
//: arg out int[130] = -1
//: arg in int[128] = i * 3
//: arg middle int 64
//: expect out = i < 2 ? -1 : i - 2 < 64 ? 3 * (i - 2 + 1) : 3 * (63 - (i - 2 - 64))
kernel void turned(global int *out, global const int *in, int middle) {
    int x = get_global_id(0);
    int sx = x < middle ? x : 63 - (x - middle);
    int place = sx + (x < middle ? 1 : 0);
    out[(x | 0) + 2] = in[place];
}

// The part of an address that is the same for all changes between its sum and its use.
//: test changed
//: global 64
//: local 64
//: arg out int[64] = 0
//: arg in int[256] = i
//: arg n int 3
//: expect out = (i < 50 ? i : 50) * 3 + 0 + 10 + 30
kernel void changed(global int *out, global const int *in, int n) {
    int x = get_global_id(0), from = min(x, 50), at = from, sum = 0, base = 0;
    for (int k = 0; k < n; k++) {
        at = from + base;
        base = k == 0 ? 10 : 30;
        sum += in[at];
    }
    out[x] = sum;
}
