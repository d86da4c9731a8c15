//: test words
//: global 1
//: local 1
//: arg out int[1] = 0
//: expect out = 7
kernel void words(global int *out) {
    int seven = 7;
    out[0] = seven;
}
