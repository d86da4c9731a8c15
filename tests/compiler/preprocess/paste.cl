#define cat(a, b) a ## b
#define xcat(a, b) cat(a, b)
#define str(x) #x
#define xstr(x) str(x)
#define three(a, b, c) <a##b##c>
#define ONE 1
cat(ON, E) xcat(ON, E) cat(c, at) xcat(cat, ENATE)
three(,,) three(a,,) three(,b,) three(,,c) three(a,,c) three(a,b,c)
str() str( a   +  b ) str("s\n" '\'' \n) str(ONE) xstr(ONE)
xstr(str(ONE)) str(/* gone */ x/**/y)
cat(1, e3) cat(., 5) cat(+, +) cat(<<, =) cat(%:, %:)
#define spaced(x) [ x ## 1] [x ## 1 ] [ #x]
spaced(a) spaced( b ) spaced()
#define nothing
xstr(a nothing b) xstr(a nothing+b) xstr(nothing) xstr(id nothing)
#define hash # not a parameter
hash xstr(hash)
#define object_like a ## b ## c
object_like
- cat(-, ) - ONE-ONE -cat(ON,E) +ONE
x ONE.ONE ONE"s" L cat(,'c')
