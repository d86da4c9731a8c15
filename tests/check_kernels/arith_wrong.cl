//: test average
//: global 8
//: local 8
//: arg sum int[8] = 10 * i
//: arg count int[8] = i % 4
//: arg out int[8] = 0
kernel void average(global const int *sum, global const int *count, global int *out) {
    int i = get_global_id(0);
    out[i] = sum[i] / count[i];
}

//: test wrapped_index
//: global 8
//: local 8
//: arg out uint[8] = 0
//: arg n uint 0
kernel void wrapped_index(global uint *out, uint n) {
    uint i = get_global_id(0);
    out[i] = (i + 1) % n;
}

//: test least_by_minus_one
//: global 4
//: local 4
//: arg in int[4] = i == 2 ? -2147483648 : i
//: arg out int[4] = 0
kernel void least_by_minus_one(global const int *in, global int *out) {
    int i = get_global_id(0), sign = i < 2 ? 1 : -1;
    out[i] = in[i] / sign;
}

//: test bytes_divided
//: global 4
//: local 4
//: arg in char[16] = i
//: arg out char[16] = 0
kernel void bytes_divided(global const char4 *in, global char4 *out) {
    int i = get_global_id(0);
    out[i] = in[i] / (in[i] - (char4)(5));
}

//: test too_large
//: global 4
//: local 4
//: arg in float[4] = 1000000000 * i
//: arg out int[4] = 0
kernel void too_large(global const float *in, global int *out) {
    int i = get_global_id(0);
    out[i] = (int)in[i];
}

//: test negative_byte
//: global 4
//: local 4
//: arg in float[4] = i - 2
//: arg out uchar[4] = 0
kernel void negative_byte(global const float *in, global uchar *out) {
    int i = get_global_id(0);
    out[i] = convert_uchar(in[i]);
}

//: test no_number
//: global 4
//: local 4
//: arg in float[4] = i - 2
//: arg out int[4] = 0
kernel void no_number(global const float *in, global int *out) {
    int i = get_global_id(0);
    int root = sqrt(in[i]);
    out[i] = root;
}

//: test in_place
//: global 4
//: local 4
//: arg x int[4] = 100
//: arg y int[4] = i
kernel void in_place(global int *x, global const int *y) {
    int i = get_global_id(0);
    x[i] /= y[i];
    x[i] %= y[i] - 1;
}

//: test in_a_function
//: global 4
//: local 4
//: arg out int[4] = 0
int share(int all, int parts) {
    return all / parts;
}
kernel void in_a_function(global int *out) {
    int i = get_global_id(0);
    out[i] = share(i, 2) + share(10, i);
}

//: test shifted_out
//: global 4
//: local 4
//: arg out int[4] = 0
kernel void shifted_out(global int *out) {
    int i = get_global_id(0);
    out[i] = 1 << (i + 30);
}
//= simtcl: <program source>:9:14: error: division by zero [arith]
//=     9 |     out[i] = sum[i] / count[i];
//=       |              ^
//=   kernel "average", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   2 times
//= simtcl: <program source>:19:14: error: remainder by zero [arith]
//=    19 |     out[i] = (i + 1) % n;
//=       |              ^
//=   kernel "wrapped_index", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   8 times
//= simtcl: <program source>:29:14: error: division of the least integer by -1 [arith]
//=    29 |     out[i] = in[i] / sign;
//=       |              ^
//=   kernel "least_by_minus_one", work-item global (2,0,0) local (2,0,0) of group (0,0,0)
//= simtcl: <program source>:39:14: error: division by zero [arith]
//=    39 |     out[i] = in[i] / (in[i] - (char4)(5));
//=       |              ^
//=   kernel "bytes_divided", work-item global (1,0,0) local (1,0,0) of group (0,0,0)
//= simtcl: <program source>:49:19: error: conversion to an integer that cannot hold it [arith]
//=    49 |     out[i] = (int)in[i];
//=       |                   ^~~~~
//=   kernel "too_large", work-item global (3,0,0) local (3,0,0) of group (0,0,0)
//= simtcl: <program source>:59:14: error: conversion to an integer that cannot hold it [arith]
//=    59 |     out[i] = convert_uchar(in[i]);
//=       |              ^~~~~~~~~~~~~~~~~~~~
//=   kernel "negative_byte", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   2 times
//= simtcl: <program source>:69:16: error: conversion to an integer that cannot hold it [arith]
//=    69 |     int root = sqrt(in[i]);
//=       |                ^~~~~~~~~~~
//=   kernel "no_number", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   2 times
//= simtcl: <program source>:80:5: error: division by zero [arith]
//=    80 |     x[i] /= y[i];
//=       |     ^
//=   kernel "in_place", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//= simtcl: <program source>:81:5: error: remainder by zero [arith]
//=    81 |     x[i] %= y[i] - 1;
//=       |     ^
//=   kernel "in_place", work-item global (1,0,0) local (1,0,0) of group (0,0,0)
//= simtcl: <program source>:89:12: error: division by zero [arith]
//=    89 |     return all / parts;
//=       |            ^
//=   in "share", called at <program source>:93:28
//=   kernel "in_a_function", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
