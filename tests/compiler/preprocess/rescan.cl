#define NAME other
#define other NAME
NAME other
#define f(x) x * (f)(x) + f (x)
f(1) f(f(2)) f
#define g f
g(3) g (4)
g
#define id(x) x
id(f)(5) id(id)(6) id(id(id))(7)
#define first id(
first 8 )
id( a
    b /* comment */
    c ) after
#define ping(x) pong(x) ping
#define pong(x) x ping
ping(1)(2)
#define EMPTY
#define wait(x) x EMPTY (9)
id(wait(id)) id(wait(f))
#define comma ,
#define two(x, y) [x|y]
#define apply(m, arguments) m(arguments)
two((1, 2), 3) two(1 comma 2, 3)
