/* Groups that do not fit on one multiprocessor of a C1060, and the largest that do. */

//: test few
//: global 512
//: local 512
//: arg x float[512] = i
//: expect x = i
kernel void few(global float *x) { x[get_global_id(0)] = get_global_id(0); }

/* more than 32 registers: 16384 are not enough for 512 work-items */
//: test registers
//: kernel many
//: global 512
//: local 512
//: arg x float[20480] = i
//: launch-error -5

//: test fits
//: kernel many
//: global 512
//: arg x float[20480] = i % 5
//: expect x = i % 5
kernel void many(global float *x) {
    float v[40];
    int at = get_global_id(0) * 40;
#pragma unroll
    for (int i = 0; i < 40; i++) v[i] = x[at + i];
    barrier(CLK_GLOBAL_MEM_FENCE);
#pragma unroll
    for (int i = 0; i < 40; i++) x[at + i] = v[i];
}

//: test required
//: global 512
//: local 512
//: arg x float[20480] = i % 5
//: expect x = i % 5
kernel void __attribute__((reqd_work_group_size(512, 1, 1))) required(global float *x) {
    float v[40];
    int at = get_global_id(0) * 40;
#pragma unroll
    for (int i = 0; i < 40; i++) v[i] = x[at + i];
    barrier(CLK_GLOBAL_MEM_FENCE);
#pragma unroll
    for (int i = 0; i < 40; i++) x[at + i] = v[i];
}

/* 16 KB less system words and two arguments of 4 bytes */
//: test shared
//: kernel local_argument
//: global 32
//: local 32
//: arg x int[32] = 0
//: arg t local 16360
//: expect x = i

//: test no_room
//: kernel local_argument
//: global 32
//: local 32
//: arg x int[32] = 0
//: arg t local 16364
//: launch-error -5
kernel void local_argument(global int *x, local int *t) {
    t[get_local_id(0)] = get_local_id(0);
    x[get_global_id(0)] = t[get_local_id(0)];
}
