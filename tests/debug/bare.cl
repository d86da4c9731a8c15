//: test bare
//: global 1
//: local 1
//: arg out int[1] = 0
//: expect out = 3
kernel void bare(global int *out) {
    int three = 3;
    out[0] = three;
}
