// Functions and kernels that call kernels (6.8), by value, through pointers, with local memory.
//: versions 1.0 1.1 1.2
typedef struct { int n[4]; float4 v; } big;

// A kernel that is called has its local variables in the caller's group, and takes its local arguments.
//: test with_local
//: global 64
//: local 16
//: arg scratch local 64
//: arg out int[64] = 0
//: expect out = (15 - i % 16) * 3 + 16 * 15 / 2
kernel void reversed(local int *s, global int *out, int by) {
    local int own[16];
    int i = get_local_id(0);
    s[i] = i * by;
    own[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int k = 0; k < 16; k++) sum += own[k];
    out[get_global_id(0)] = s[15 - i] + sum;
    barrier(CLK_LOCAL_MEM_FENCE);
}
__attribute__((reqd_work_group_size(16, 1, 1))) kernel void with_local(local int *scratch, global int *out) {
    reversed(scratch, out, 2);
    local int more[16];
    reversed(more, out, 3);
}
//: test called_itself
//: kernel reversed
//: global 32
//: local 16
//: arg s local 64
//: arg out int[32] = 0
//: arg by int 1
//: expect out = 15 - i % 16 + 120

//: test one_after_another
//: global 8
//: arg out int[8] = 0
//: expect out = 1 + 10 + 100
kernel void first(global int *o, int by) { o[get_global_id(0)] += by; }
kernel void second(global int *o, int by) {
    first(o, by);
    if (by < 100) first(o, by * 10);
}
kernel void one_after_another(global int *out) {
    second(out, 100);
    second(out, 1);
}

//: test by_value
//: global 32
//: arg out float[32] = 0
//: expect out = i + 2 * i + 3 + 7
big changed(big b, int i) {
    b.n[i % 4] += 7;
    b.v.y *= 2;
    return b;
}
float total(const big b) { return b.n[0] + b.n[1] + b.n[2] + b.n[3] + b.v.x + b.v.y; }
kernel void by_value(global float *out) {
    int i = get_global_id(0);
    big b = {{0, 1, 2, 0}, (float4)(i, i, 0, 0)}, c = changed(b, i);
    out[i] = total(b) == 3 + 2 * i ? total(c) : -1;
}

//: test declared_later
//: global 8
//: arg out int[8] = 0
//: expect out = i * 2 + 1
int later(int);
inline int twice(int x) { return 2 * x; }
static int once(const int x) { return x; }
kernel void declared_later(global int *out) { out[get_global_id(0)] = later(get_global_id(0)); }
int later(int x) { return once(twice(x)) + 1; }

// Arguments are evaluated once, and before the call changes anything.
//: test evaluated_once
//: global 8
//: arg out int[8] = 0
//: expect out = i * 100 + i + 1
int combine(int a, private int *p) {
    *p += 1;
    return a * 100 + *p;
}
kernel void evaluated_once(global int *out) {
    int i = get_global_id(0), n = i;
    out[i] = combine(n, &n);
}

// Vectors and structures of every size as arguments of kernels lie where the host put them.
//: test arguments
//: arg a char 1
//: arg b char3 2 3 4
//: arg c short 5
//: arg d long 6
//: arg e float3 7 8 9
//: arg f uchar2 10 11
//: arg g int16 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
//: arg h ushort4 1 2 3 4
//: arg out int[12] = 0
//: expect out = {1, 2, 4, 5, 6, 7, 9, 11, 15, 4, 8, 3}
kernel void arguments(char a, char3 b, short c, long d, float3 e, uchar2 f, int16 g, ushort4 h, global int *out) {
    out[0] = a;
    out[1] = b.x;
    out[2] = b.z;
    out[3] = c;
    out[4] = d;
    out[5] = e.x;
    out[6] = e.z;
    out[7] = f.y;
    out[8] = g.sf;
    out[9] = h.w;
    out[10] = g.s8;
    out[11] = h.z;
}

// A parameter is a variable of the work-item.
//: test assigned
//: global 8
//: arg n int 5
//: arg p int[16] = i
//: arg out int[8] = 0
//: expect out = i % 2 ? 6 + i : 4 + i + 3
kernel void assigned(int n, global const int *p, global int *out) {
    int i = get_global_id(0);
    if (i & 1)
        n++;
    else
        n--, p += 3;
    out[i] = n + p[i];
}
