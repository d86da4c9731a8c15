extern kernel void k(global int *o);
