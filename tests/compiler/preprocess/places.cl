#define LONGER a + b + c
#define S 1
#define LINES(x, y) x __LINE__ y
    int x = S;  int y = LONGER; int z; // columns
	int tab = S; /* a comment
   of two lines */ int after;
a \
  b
c LINES(__LINE__,
        __LINE__) __LINE__
S




















far __LINE__
#line 100
__LINE__
#line 200 "renamed.cl"
__LINE__ __FILE__
# 300 "again.cl" 1
__LINE__ __FILE__
for (;;) _Pragma("unroll 4") x;
#define UNROLL _Pragma("unroll S")
UNROLL for (;;) y;
#pragma unroll S
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma STDC FP_CONTRACT OFF
#define M first
#pragma push_macro("M")
#undef M
#define M second
M
#pragma pop_macro("M")
M __COUNTER__ __COUNTER__
