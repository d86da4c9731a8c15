#define T(...) ok
#if 1 + 2 * 3 == 7 && (1 + 2) * 3 == 9 && 7 / 2 == 3 && -7 / 2 == -3 && -7 % 3 == -1
1 ok
#endif
#if -1 < 0u
wrong
#elif -1 > 0u && 0 - 1u > 0 && (1 ? -1 : 0u) > 0
2 ok
#endif
#if 0 && 1 / 0 || 1 || 1 / 0
3 ok
#endif
#if (1 ? 2 : 1 / 0) == 2 && (0 ? 1 / 0 : 3) == 3 && (0 ? 1 : 0 ? 2 : 3) == 3
4 ok
#endif
#if 0x7fffffffffffffff + 1 < 0 && 0xffffffffffffffff == -1 && 1 << 63 < 0 && -1 >> 63 == -1 && ~0 == -1
5 ok
#endif
#if 'a' == 97 && '\n' == 10 && '\x41' == 65 && '\101' == 'A' && 'ab' == 24930 && '\377' < 0 && L'\377' > 0
6 ok
#endif
#if defined X || defined(X) || !defined T || X
wrong
#else
7 ok
#endif
#define IS defined(T)
#if IS && true && !false && !undefined_function_like
8 ok
#endif
#if 010 == 8 && 0b101 == 5 && 10ull == 10LLU && 1 ^ 3 & 2 | 4
9 ok
#endif
#if 0
don't care " about what is here, \
#endif
#elif 0
#error skipped
#if 1
wrong
#else
wrong
#endif
#unknown /* comment
#endif
*/
#elif 1
10 ok
#elif 1 / 0
wrong
#else
wrong
#endif
#ifdef T
#ifndef T
wrong
#else
11 ok
#endif
#endif
#if (2, 3) == 3
12 ok
#endif
#if __has_include("include/one.h") && !__has_include(<none.h>) && __has_attribute(packed) && !__has_builtin(x)
13 ok
#endif
#if defined __has_include && defined(__LINE__) && __LINE__ == 67
14 ok
#endif
#
# /* null directive */
%: define digraph 15 ok
digraph
