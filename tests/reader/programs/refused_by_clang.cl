#define TWICE(x) ((x) + undefined_##x)
int global_variable;
kernel int returns(void) { return 1; }
kernel void size(size_t n, bool b, event_t e, ptrdiff_t d, global int *global *p, int *q) {}
struct with_pointer { global int *p; }; kernel void structs(struct with_pointer s) {}
void vla(int n) { int a[n]; local int x; }
struct bits { int b : 3; };
void variadic(int n, ...);
kernel void pointers(global int *o) { void (*f)(int) = vla; local int l = 1; o[0] = TWICE(o); { local int inner; } }
struct holds { image2d_t i; sampler_t s; };
kernel void opaque(image2d_t i, sampler_t s) { image2d_t j = i; image2d_t a[2]; sampler_t t[2]; s = s; }
kernel void jump(global int *o) { goto inside; o[0] = ({ inside: 1; }); generic int *p; }
