// options: -DSIZE=4 -DTYPE=float
#define SWIZZLE(v) v.wzyx
#define LOOP(i, n) for (int i = 0; i < n; i++)
#define EMPTY
#define GROUP __attribute__((reqd_work_group_size(SIZE, 1, 1)))
#define ATTR __kernel GROUP
#define AS(x) as_int(x)
#define FOREVER for (;;)
ATTR void k(global TYPE *o, TYPE v) {
    LOOP(i, SIZE) o[i] = SWIZZLE(((float4)(v))).x;
    FOREVER { if (AS(o[0])) break; }
    o[__LINE__] = v EMPTY;
}
