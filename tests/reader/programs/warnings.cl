#pragma OPENCL EXTENSION cl_nv_unheard_of : disable
#define USELESS(x) x
kernel void k(global int *o) {
    int n = 3;
    USELESS(n == 4);
    o[0] = n;
}
