// FP_CONTRACT decides whether a product and a sum become one operation.

//: test apart
//: global 1
//: arg a float 1.00024414
//: arg out float[2] = 7
//: expect out = {0, 0}
kernel void apart(float a, global float *out) {
#pragma OPENCL FP_CONTRACT OFF
    float p = a * a;
    out[0] = a * a - p;
    out[1] = -p + a * a;
}
