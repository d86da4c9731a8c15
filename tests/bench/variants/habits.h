/* The ways of writing a kernel, as macros: the kernels in this folder are written in these words,
 * and build options choose what the words stand for (variants.def). On the host they stand for
 * plain loops over all work-items, which compute what is expected.
 *
 *   KERNEL_TYPE(t)         first: functions for elements of type t
 *   PARAMS(t)              a, b: elements that are read; out: that are written; w, h, d: sizes
 *   LINE ... END           for x in [0, w)
 *   GRID ... END           for x in [0, w), y in [0, h)
 *   AT(p, i)               p[i], which is read
 *   LOOP(k, n) ... LOOPED(k, n)     for k in [0, n), n > 0, in any order
 *   SUM(t, place) ADD(place, v) SUMMED(place)      place = the sum of what is added
 *   WALK(t, p, from)       a pointer from there on; WALKED(p, q, i) is q[i], where it has come to
 * by PASS(p, n)             going on by n CLAMP(v, n)            v, or what is next to it in [0, n)
 *   SHARED(t, name, n)     local memory, in a kernel with SHARED_PARAMS(t) after its PARAMS */
#ifdef HOST

#define KERNEL_TYPE(t)
#define __kernel   static
#define __constant static const
#define INDEX      int
#define PARAMS(t)  const t *a, const t *b, t *out, int w, int h, int d
#define LINE       for (int x = 0; x < w; x++) {
#define GRID                                                                                       \
    for (int y = 0; y < h; y++)                                                                    \
        for (int x = 0; x < w; x++) {
#define END           }
#define AT(p, i)      (p)[i]
#define LOOP(k, n)    for (int k = 0; k < (n); k++) {
#define LOOPED(k, n)  }
#define SUM(t, place) t sum = 0;
#define ADD(place, v) sum += (v);
#define SUMMED(place) place = sum;
#define WALK(t, p, from)
#define WALKED(p, q, i) (q)[i]
#define PASS(p, n)
#define CLAMP(v, n) ((v) < 0 ? 0 : (v) >= (n) ? (n)-1 : (v))

#else

#ifndef INDEX
#define INDEX int
#endif
#ifndef SIZE
#define SIZE int
#endif
#ifdef BY_RESTRICT
#define RESTRICT restrict
#else
#define RESTRICT
#endif
#ifdef BY_VOLATILE
#define VOLATILE volatile
#else
#define VOLATILE
#endif

#ifdef BY_DEFINE
enum { w = W, h = H, d = D };
#define SIZES
#else
#define SIZES , SIZE w, SIZE h, SIZE d
#endif
#define PARAMS(t)                                                                                  \
    __global const t *RESTRICT a, __global const t *RESTRICT b,                                    \
        __global VOLATILE t *RESTRICT out SIZES

#ifdef BY_HELPER
#define KERNEL_TYPE(t)                                                                             \
    t element(__global const t *from, INDEX i) { return from[i]; }
#define AT(p, i) element(p, i)
#else
#define KERNEL_TYPE(t)
#define AT(p, i) (p)[i]
#endif

#ifdef BY_GROUP_ID
#define ID(n) (get_group_id(n) * get_local_size(n) + get_local_id(n))
#else
#define ID(n) get_global_id(n)
#endif
#ifdef BY_REMAINDER
#define ID_X (ID(0) % w)
#define ID_Y (ID(0) / w)
#elif defined BY_SOLID
#define ID_X ((ID(2) * get_global_size(1) + ID(1)) * get_global_size(0) + ID(0))
#define ID_Y 0
#else
#define ID_X ID(0)
#define ID_Y ID(1)
#endif

#if defined BY_STRIDE
#define LINE for (INDEX x = ID_X; x < w; x += get_global_size(0)) {
#define GRID                                                                                       \
    for (INDEX y = ID_Y; y < h; y += get_global_size(1))                                           \
        for (INDEX x = ID_X; x < w; x += get_global_size(0)) {
#define END }
#elif defined BY_RUN
#define LINE for (INDEX x = ID_X * RUN, end = x + RUN; x < end; x++) {
#define GRID                                                                                       \
    INDEX y = ID_Y;                                                                                \
    for (INDEX x = ID_X * RUN, end = x + RUN; x < end; x++) {
#define END }
#elif defined BY_GUARD
#define LINE                                                                                       \
    INDEX x = ID_X;                                                                                \
    if (x < w) {
#define GRID                                                                                       \
    INDEX x = ID_X, y = ID_Y;                                                                      \
    if (x < w && y < h) {
#define END }
#elif defined BY_RETURN
#define LINE                                                                                       \
    INDEX x = ID_X;                                                                                \
    if (x >= w) return;
#define GRID                                                                                       \
    INDEX x = ID_X, y = ID_Y;                                                                      \
    if (x >= w || y >= h) return;
#define END
#else
#define LINE INDEX x = ID_X;
#define GRID INDEX x = ID_X, y = ID_Y;
#define END
#endif

#if defined BY_WHILE
#define LOOP(k, n)                                                                                 \
    {                                                                                              \
        INDEX k = 0;                                                                               \
        while (k < (n)) {
#define LOOPED(k, n)                                                                               \
    k++;                                                                                           \
    }                                                                                              \
    }
#elif defined BY_DO
#define LOOP(k, n)                                                                                 \
    {                                                                                              \
        INDEX k = 0;                                                                               \
        do {
#define LOOPED(k, n)                                                                               \
    }                                                                                              \
    while (++k < (n))                                                                              \
        ;                                                                                          \
    }
#elif defined BY_COUNTING_DOWN
#define LOOP(k, n)   for (INDEX k = (n); k-- > 0;) {
#define LOOPED(k, n) }
#else
#define LOOP(k, n)   for (INDEX k = 0; k < (n); k++) {
#define LOOPED(k, n) }
#endif

#ifdef BY_MEMORY
#define SUM(t, place) place = 0;
#define ADD(place, v) place += (v);
#define SUMMED(place)
#else
#define SUM(t, place) t sum = 0;
#define ADD(place, v) sum += (v);
#define SUMMED(place) place = sum;
#endif

#ifdef BY_POINTER
#define WALK(t, p, from) __global const t *p = (from);
#define WALKED(p, q, i)  (*(p))
#define PASS(p, n)       p += (n);
#else
#define WALK(t, p, from)
#define WALKED(p, q, i) AT(q, i)
#define PASS(p, n)
#endif

#ifdef BY_TERNARY
#define CLAMP(v, n) ((v) < 0 ? 0 : (v) >= (int)(n) ? (int)(n)-1 : (v))
#else
#define CLAMP(v, n) min(max((v), 0), (int)(n)-1)
#endif

#ifdef BY_ARGUMENT
#define SHARED_PARAMS(t)   , __local t *shared
#define SHARED(t, name, n) __local t *name = shared
#else
#define SHARED_PARAMS(t)
#define SHARED(t, name, n) __local t name[n]
#endif

#endif
