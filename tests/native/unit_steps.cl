// Elements an argument apart, as linear algebra has them: where that is 1 in a launch the kernel is the one without it.

//: test apart_one
//: kernel apart
//: global 4096
//: local 64
//: arg y int[16384] = i
//: arg x int[65552] = i * 3
//: arg ix int 1
//: arg iy int 1
//: expect y = i < 4096 && i % 1 == 0 ? i + i / 1 * 1 * 3 * 2 : i

//: test apart_two
//: kernel apart
//: global 4096
//: local 64
//: arg y int[16384] = i
//: arg x int[65552] = i * 3
//: arg ix int 2
//: arg iy int 1
//: expect y = i < 4096 && i % 1 == 0 ? i + i / 1 * 2 * 3 * 2 : i

//: test apart_both
//: kernel apart
//: global 4096
//: local 64
//: arg y int[16384] = i
//: arg x int[65552] = i * 3
//: arg ix int 2
//: arg iy int 3
//: expect y = i < 12288 && i % 3 == 0 ? i + i / 3 * 2 * 3 * 2 : i

//: test apart_none
//: kernel apart
//: global 4096
//: local 64
//: arg y int[16384] = i
//: arg x int[65552] = i * 3
//: arg ix int 0
//: arg iy int 1
//: expect y = i < 4096 && i % 1 == 0 ? i + i / 1 * 0 * 3 * 2 : i

//: test apart_back
//: kernel back
//: global 4096
//: local 64
//: arg y int[16384] = i
//: arg x int[65552] = i * 3
//: arg ix int 1
//: arg n int 4096
//: expect y = i < 4096 ? i * 2 + (4095 - i) * 3 : i

//: test row_one
//: kernel row
//: global 4096
//: local 64
//: arg y int[16384] = i
//: arg x int[65552] = i * 3
//: arg ix int 1
//: expect y = i < 4096 ? (i * 8 + 16) * 24 + 28 * 3 * 1 : i

//: test pointer_one
//: kernel pointer
//: global 4096
//: local 64
//: arg y int[16384] = i
//: arg x int[65552] = i * 3
//: arg ix int 1
//: expect y = i < 4096 ? (i * 8 + 16) * 24 + 28 * 3 * 1 : i

//: test long_one
//: kernel by_long
//: global 4096
//: local 64
//: arg y int[16384] = i
//: arg x int[65552] = i * 3
//: arg ix long 1
//: expect y = i < 4096 ? (i * 8 + 16) * 24 + 28 * 3 * 1 : i

//: test row_two
//: kernel row
//: global 4096
//: local 64
//: arg y int[16384] = i
//: arg x int[65552] = i * 3
//: arg ix int 2
//: expect y = i < 4096 ? (i * 8 + 16) * 24 + 28 * 3 * 2 : i

//: test pointer_two
//: kernel pointer
//: global 4096
//: local 64
//: arg y int[16384] = i
//: arg x int[65552] = i * 3
//: arg ix int 2
//: expect y = i < 4096 ? (i * 8 + 16) * 24 + 28 * 3 * 2 : i

//: test long_two
//: kernel by_long
//: global 4096
//: local 64
//: arg y int[16384] = i
//: arg x int[65552] = i * 3
//: arg ix long 2
//: expect y = i < 4096 ? (i * 8 + 16) * 24 + 28 * 3 * 2 : i

//: test row_back
//: kernel row
//: global 4096
//: local 64
//: arg y int[16384] = i
//: arg x int[65552] = i * 3
//: arg ix int -1
//: expect y = i < 4096 ? (i * 8 + 16) * 24 + 28 * 3 * -1 : i

//: test pointer_back
//: kernel pointer
//: global 4096
//: local 64
//: arg y int[16384] = i
//: arg x int[65552] = i * 3
//: arg ix int -1
//: expect y = i < 4096 ? (i * 8 + 16) * 24 + 28 * 3 * -1 : i

//: test long_back
//: kernel by_long
//: global 4096
//: local 64
//: arg y int[16384] = i
//: arg x int[65552] = i * 3
//: arg ix long -1
//: expect y = i < 4096 ? (i * 8 + 16) * 24 + 28 * 3 * -1 : i

//: test counted_by_1
//: kernel counted
//: global 4096
//: local 64
//: arg y int[16384] = i
//: arg x int[65552] = i * 3
//: arg step int 1
//: expect y = i < 4096 ? (i * 8 + 16) * 3 * (8 / 1) + 84 : i

//: test counted_by_2
//: kernel counted
//: global 4096
//: local 64
//: arg y int[16384] = i
//: arg x int[65552] = i * 3
//: arg step int 2
//: expect y = i < 4096 ? (i * 8 + 16) * 3 * (8 / 2) + 36 : i

//: test counted_by_4
//: kernel counted
//: global 4096
//: local 64
//: arg y int[16384] = i
//: arg x int[65552] = i * 3
//: arg step int 4
//: expect y = i < 4096 ? (i * 8 + 16) * 3 * (8 / 4) + 12 : i

//: test flag
//: kernel flag
//: global 4096
//: local 64
//: arg y int[16384] = i
//: arg x int[65552] = i * 3
//: arg one int 1
//: expect y = i < 4096 ? (i + 1) * 3 : i

__kernel void apart(__global int *y, __global const int *x, int ix, int iy) {
    int i = get_global_id(0);
    y[i * iy] += x[i * ix] * 2;
}

__kernel void back(__global int *y, __global const int *x, int ix, int n) {
    int i = get_global_id(0);
    y[i * ix] = y[i * ix] * 2 + x[(n - 1 - i) * ix];
}

__kernel void row(__global int *y, __global const int *x, int ix) {
    int i = get_global_id(0), sum = 0;
    for (int k = 0; k < 8; k++) sum += x[i * 8 + 16 + k * ix];
    y[i] = sum;
}

__kernel void pointer(__global int *y, __global const int *x, int ix) {
    int i = get_global_id(0), sum = 0;
    __global const int *p = x + i * 8 + 16;
    for (int k = 0; k < 8; k++, p += ix) sum += *p;
    y[i] = sum;
}

__kernel void by_long(__global int *y, __global const int *x, long ix) {
    int i = get_global_id(0), sum = 0;
    for (long k = 0; k < 8; k++) sum += x[i * 8 + 16 + k * ix];
    y[i] = sum;
}

__kernel void counted(__global int *y, __global const int *x, int step) {
    int i = get_global_id(0), sum = 0;
    for (int k = 0; k < 8; k += step) sum += x[i * 8 + 16 + k];
    y[i] = sum;
}

// One that something is only compared with, or that is added.
__kernel void flag(__global int *y, __global const int *x, int one) {
    int i = get_global_id(0);
    if (one) y[i] = x[i + one];
}
