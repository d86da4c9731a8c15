// Attributes whose arguments are computed, and what they do to layout.
//: versions 1.0 1.1 1.2
typedef struct { int a; char b; } pair;
enum { WIDE = 64 };
struct __attribute__((packed)) tight { char c; int i; short s; };
typedef struct { char c; int i __attribute__((aligned(16))); } spaced;

//: test aligned_sizeof
//: global 32
//: local 32
//: arg out int[128] = -1
//: expect out = i % 4 == 3 ? i / 4 : 0
kernel void aligned_sizeof(global int *out) {
    local uchar data[4 * sizeof(int) * 32] __attribute__((aligned(sizeof(int4))));
    local char other[3] __attribute__((aligned(2 * sizeof(pair))));
    local char third[5] __attribute__((aligned(WIDE)));
    size_t i = get_local_id(0);
    *(local int *)&data[i * sizeof(int)] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[4 * i] = (uint)data & 15;
    out[4 * i + 1] = (uint)other & 15;
    out[4 * i + 2] = (uint)third & 63;
    out[4 * i + 3] = *(local int *)&data[i * 4];
}

//: test layout
//: global 1
//: arg out int[8] = -1
//: expect out = {7, 1, 5, 32, 16, 12, 2, 9}
kernel void layout(global int *out) {
    struct tight t = {1, 12, 2};
    spaced s;
    out[0] = sizeof(struct tight);
    out[1] = (int)((private char *)&t.i - (private char *)&t);
    out[2] = (int)((private char *)&t.s - (private char *)&t);
    out[3] = sizeof(spaced);
    out[4] = (int)((private char *)&s.i - (private char *)&s);
    out[5] = t.i;
    out[6] = t.s;
    s.i = 9;
    out[7] = s.i;
}

//: test required
//: global 32
//: local 8 1 1
//: arg out int[32] = 0
//: expect out = 8
__attribute__((reqd_work_group_size(2 * 4, 1, 1))) __attribute__((vec_type_hint(float4)))
kernel void required(global int *out) {
    out[get_global_id(0)] = get_local_size(0);
}

//: test refused_size
//: kernel required
//: global 32
//: local 16
//: arg out int[32] = 0
//: launch-error -54
