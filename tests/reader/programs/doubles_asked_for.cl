// options: -cl-std=CL1.0
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
kernel void k(global float *f, global double *d) { f[0] = f[1] * 0.1; d[0] = 0.1; }
