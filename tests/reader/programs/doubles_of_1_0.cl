// options: -cl-std=CL1.0
// Without the extension enabled a double literal is a float; && of floats and static functions are as in 1.2.
static int both(float a, float b) { return a && b; }
kernel void k(global float *f, global double *d) { f[0] = f[1] * 0.1; d[0] = 0.1; f[2] = 1.0f + both(1, 2); }
