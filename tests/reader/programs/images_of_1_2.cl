// options: -cl-std=CL1.1
kernel void k(image2d_t a, image1d_t b) {}
