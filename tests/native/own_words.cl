// Local memory in which each work-item has words of its own is private memory in launches that show it: elements by the
// index in the group, rows of elements, of arguments, too. What another work-item may look at stays where it is.

//: test element
//: kernel element
//: global 8192
//: local 64
//: arg out int[8192] = -1
//: expect out = i * 2 + 1

//: test element_odd
//: kernel element
//: global 8100
//: local 50
//: arg out int[8100] = -1
//: expect out = i * 2 + 1

//: test element_square
//: kernel flat
//: global 128 64
//: local 16 8
//: arg out int[8192] = -1
//: expect out = i * 2 + 1

//: test row_shared
//: kernel row
//: global 128 64
//: local 16 8
//: arg out int[8192] = -1
//: expect out = i % 16 * 3

//: test row_alone
//: kernel row
//: global 8192
//: local 64
//: arg out int[8192] = -1
//: expect out = i % 64 * 3

//: test elements
//: kernel elements
//: global 8192
//: local 64
//: arg out int[8192] = -1
//: expect out = i * 6 + 14

//: test elements_of_argument
//: kernel elements_arg
//: global 8192
//: local 64
//: arg out int[8192] = -1
//: arg part local 1280
//: expect out = i * 6 + 14

//: test columns
//: kernel columns
//: global 8192
//: local 64
//: arg out int[8192] = -1
//: expect out = i * 6 + 14

//: test next
//: kernel next
//: global 8192
//: local 64
//: arg out int[8192] = -1
//: expect out = i % 64 == 63 ? i - 63 : i + 1

//: test next_and_own
//: kernel both
//: global 8192
//: local 64
//: arg out int[8192] = -1
//: expect out = (i % 64 == 63 ? i - 63 : i + 1) + i * 5

//: test members
//: kernel members
//: global 8192
//: local 64
//: arg out int[8192] = -1
//: expect out = i * 3 + 7

//: test bytes
//: kernel bytes
//: global 8192
//: local 64
//: arg out int[8192] = -1
//: expect out = i % 64 * 3 % 256

//: test volatile_element
//: kernel by_volatile
//: global 8192
//: local 64
//: arg out int[8192] = -1
//: expect out = i * 2 + 1

//: test chosen
//: kernel chosen
//: global 8192
//: local 64
//: arg out int[8192] = -1
//: arg n int 5000
//: expect out = i < 5000 ? i * 2 : i + 7

//: test reached_by_index
//: kernel index
//: global 8192
//: local 64
//: arg out int[8192] = -1
//: arg zero int[1] = 0
//: expect out = i * 2 + 1

__kernel void element(__global int *out) {
    __local int t[64];
    int l = get_local_id(0), i = get_global_id(0);
    t[l] = i;
    t[l] = t[l] * 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] += 1;
    out[i] = t[l];
}

__kernel void flat(__global int *out) {
    __local int t[128];
    int l = get_local_id(1) * get_local_size(0) + get_local_id(0), i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    t[l] = 0;
    for (int k = 0; k < i % 5; k++) t[l] += i;
    t[l] -= i % 5 * i;
    t[l] += i * 2 + 1;
    out[i] = t[l];
}

// In groups of several rows the first row's work-items write what all read.
__kernel void row(__global int *out) {
    __local int t[64];
    int x = get_local_id(0);
    if (get_local_id(1) == 0) t[x] = x * 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = t[x];
}

// Five elements for each, three of which are used by an index.
__kernel void elements(__global int *out) {
    __local int t[64 * 5];
    int l = get_local_id(0), i = get_global_id(0), sum = 0;
    for (int k = 0; k < 4; k++) t[l * 5 + k] = i + k;
    for (int k = 0; k < 4; k++) sum += t[l * 5 + 3 - k] * k;
    out[i] = sum + 10;
}

__kernel void elements_arg(__global int *out, __local int *t) {
    int l = get_local_id(0), i = get_global_id(0), sum = 0;
    for (int k = 0; k < 4; k++) t[l * 5 + k] = i + k;
    for (int k = 0; k < 4; k++) sum += t[l * 5 + 3 - k] * k;
    out[i] = sum + 10;
}

__kernel void columns(__global int *out) {
    __local int t[64 * 4];
    int l = get_local_id(0), i = get_global_id(0), sum = 0;
    for (int k = 0; k < 4; k++) t[k * 64 + l] = i + k;
    for (int k = 0; k < 4; k++) sum += t[(3 - k) * 64 + l] * k;
    out[i] = sum + 10;
}

__kernel void next(__global int *out) {
    __local int t[64];
    int l = get_local_id(0), i = get_global_id(0);
    t[l] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = t[(l + 1) % 64];
}

__kernel void both(__global int *out) {
    __local int t[64], own[64];
    int l = get_local_id(0), i = get_global_id(0);
    t[l] = i;
    own[l] = i * 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    own[l] += t[(l + 1) % 64];
    out[i] = own[l];
}

struct member {
    int a;
    short b, c;
    float d;
};
__kernel void members(__global int *out) {
    __local struct member t[64];
    int l = get_local_id(0), i = get_global_id(0);
    t[l].a = i;
    t[l].b = 3;
    t[l].c = 7;
    t[l].d = 2.0f;
    if (i % 3 == 0) t[l].d = t[l].b - 1;
    out[i] = t[l].a * t[l].b + t[l].c + (int)t[l].d - 2;
}

__kernel void bytes(__global int *out) {
    __local uchar t[64];
    int l = get_local_id(0), i = get_global_id(0);
    t[l] = l;
    t[l] += t[l] * 2;
    out[i] = t[l];
}

__kernel void by_volatile(__global int *out) {
    volatile __local int t[64];
    int l = get_local_id(0), i = get_global_id(0);
    t[l] = i;
    t[l] *= 2;
    t[l]++;
    out[i] = t[l];
}

__kernel void chosen(__global int *out, int n) {
    __local int t[64];
    int l = get_local_id(0), i = get_global_id(0);
    t[l] = i;
    if (i < n)
        t[l] *= 2;
    else
        t[l] += 7;
    out[i] = t[l];
}

// An index from memory: nothing is known of it.
__kernel void index(__global int *out, __global const int *zero) {
    __local int t[64];
    int l = get_local_id(0) + zero[0], i = get_global_id(0);
    t[l] = i;
    t[l] = t[l] * 2 + 1;
    out[i] = t[l];
}
