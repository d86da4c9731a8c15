kernel void k(global int *o) { long double x = 1; o[0] = x; }
