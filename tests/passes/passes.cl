// Kernels for what passes tell of themselves: passes_dump.sh knows the lines.

//: test steps
//: global 40
//: arg out int[40] = 0
//: arg in int[40] = i * 3
kernel void steps(global int *out, global const int *in) {
    int sum = 0;
    for (int i = 0; i < get_global_size(0); i++) sum += in[i];
    out[get_global_id(0)] = sum;
}
//: expect out = 2340

//: test other
//: global 8
//: arg out int[40] = 0
kernel void other(global int *out) {
    for (int i = 0; i < 4; i++) out[get_global_id(0) * 5 + i] = i;
}
//: expect out = i % 5 < 4 ? i % 5 : 0
