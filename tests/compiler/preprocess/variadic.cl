#define all(...) <__VA_ARGS__>
#define some(first, ...) first: <__VA_ARGS__>
#define named(first, rest...) first: <rest>
#define gnu(format, ...) p(format, ## __VA_ARGS__)
#define gnu_named(format, rest...) p(format , ## rest)
#define alone(...) p(a, ## __VA_ARGS__)
#define str(...) #__VA_ARGS__
all() all(1) all(1, 2) all((1, 2), 3)
some(a) some(a,) some(a, b) some(a, b, c)
named(a) named(a, b, c)
gnu("x") gnu("x",) gnu("x", 1) gnu("x", 1, 2)
gnu_named("x") gnu_named("x", 1)
alone() alone(1)
str() str( a ,  b ) str("q", 'c')
#define opt(f, ...) f(a __VA_OPT__(,) __VA_ARGS__)
#define opt2(x, ...) x ## __VA_OPT__(b c) ## d __VA_OPT__((__VA_ARGS__))
#define NOTHING
opt(f) opt(f, 1) opt(f,) opt(f, NOTHING)
opt2(a) opt2(a, 1, 2)
