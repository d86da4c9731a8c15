kernel void k(global int *o) { __asm__("nop"); }
