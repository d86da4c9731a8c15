// options: -Iinclude
#error what the program says
#warning a warning
#unknown directive
#if
#endif
#if 1 +
#endif
#if (1
#endif
#if 1)
#endif
#if 1 / 0
#endif
#if 1.5
#endif
#if 99999999999999999999
#endif
#if 1 2
#endif
#if 1 ? 2
#endif
#if 1 : 2
#endif
#if 12abc
#endif
#if defined
#endif
#if "string"
#endif
#define
#define 1
#define defined
#define f(x
#define f(x,
#define f(x, x)
#define f(1)
#define f(..., x)
#define f(x) #y
#define f(x) ## x
#define f(x) x ##
#define f(x, ...) __VA_OPT__(
#undef
#undef __VA_ARGS__
#define two(a, b) a b
two(1)
two(1, 2, 3)
#define paste(a, b) a ## b
paste(+, x)
#define R 1
#define R 2
#define R 2
#define __LINE__ 3
#include
#include <nothing.h>
#include "nothing.h"
#include nothing
#line
#line x
#line 5 6
_Pragma(unroll)
#else
#endif
#elif 1
#elifdef R
#ifdef R more
#else more
#else
#endif more
two(1,
#include "one.h"
2)
"unterminated
'c
__has_include
#if 1
#if 0
two(
