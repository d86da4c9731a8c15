// So many functions that LLVM is not to keep their constants in registers give what the same few give in a loop.
//: test written_out
//: global 192
//: local 96
//: arg out int[192] = -5
//: arg n int 64
//: expect out = 0
#define STEP(j)  a = pow(fabs(a), 0.9f) + (j); b = sin(a + b) * exp2(-fabs(b));
#define STEPS(j) STEP(j) STEP(j + 1) STEP(j + 2) STEP(j + 3)
#define MORE(j)  STEPS(j) STEPS(j + 4) STEPS(j + 8) STEPS(j + 12)
__kernel void written_out(__global int *out, int n)
{
    int i = get_global_id(0);
    float a = i * 0.25f - 9, b = i % 7, x = a, y = b;
    MORE(0) MORE(16) MORE(32) MORE(48)
    for (int j = 0; j < n; j++) {
        x = pow(fabs(x), 0.9f) + j;
        y = sin(x + y) * exp2(-fabs(y));
    }
    out[i] = (a != x) + 2 * (b != y);
}
