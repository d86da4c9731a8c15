/* Loads and stores in the sandbox: global, local and constant memory; kernel arguments.
 *
 * Each half-warp's addresses are looked at: following one another they are one vector access, all
 * the same one scalar access, and otherwise one access a lane. Lanes that are off never touch
 * memory, and of a destination only active lanes are written. Accesses need no alignment. */
#include "handler.h"

enum { HALF = ISA_WARP / 2 };

typedef uint8_t any_1 __attribute__((may_alias));
typedef uint16_t any_2 __attribute__((aligned(1), may_alias));
typedef uint32_t any_4 __attribute__((aligned(1), may_alias));
typedef uint64_t any_8 __attribute__((aligned(1), may_alias));

enum pattern { SCATTERED, CONSECUTIVE, SAME };

/* What the 16 addresses of `a` are, of lanes that are all active. */
ALWAYS enum pattern pattern(const uint32_t *a, uint32_t size) {
    uint32_t first = a[0], other = 0;
    if (a[1] == first) {
        for (int i = 0; i < HALF; i++) other |= a[i] ^ first;
        return other ? SCATTERED : SAME;
    }
    for (uint32_t i = 0; i < HALF; i++) other |= (a[i] - first) ^ i * size;
    return other ? SCATTERED : CONSECUTIVE;
}

#if defined(__AVX512F__)
/* Four-byte lanes have masked loads, stores, gathers and scatters: any mask takes the fast way. The
 * addresses are (at << shift) + add. `cover`: where lane 0 would be if the active ones follow one
 * another. */
struct half {
    enum pattern pattern;
    __m512i addresses;
    uint32_t cover, first;
};
ALWAYS GUEST struct half half_of(const uint32_t *at, uint32_t m, uint32_t shift, uint32_t add) {
    const __m512i row =
        _mm512_set_epi32(60, 56, 52, 48, 44, 40, 36, 32, 28, 24, 20, 16, 12, 8, 4, 0);
    __mmask16 k = (__mmask16)m;
    uint32_t lane = (uint32_t)__builtin_ctz(m), first = (at[lane] << shift) + add;
    struct half h = {.addresses = _mm512_load_si512(at), .cover = first - 4 * lane, .first = first};
    h.addresses = _mm512_sll_epi32(h.addresses, _mm_cvtsi32_si128((int)shift));
    h.addresses = _mm512_add_epi32(h.addresses, _mm512_set1_epi32((int)add));
    __m512i follow = _mm512_add_epi32(row, _mm512_set1_epi32((int)h.cover));
    __m512i same = _mm512_set1_epi32((int)first);
    if (!(k & _mm512_cmpneq_epi32_mask(h.addresses, follow)))
        h.pattern = CONSECUTIVE;
    else
        h.pattern = k & _mm512_cmpneq_epi32_mask(h.addresses, same) ? SCATTERED : SAME;
    return h;
}
/* A constant m of all ones leaves no masks: a masked store is slow to load from again. */
ALWAYS GUEST void load_half_4(uint32_t *d, const uint32_t *at, uint32_t m, const char *base,
                              uint32_t shift, uint32_t add) {
    struct half h = half_of(at, m, shift, add);
    __mmask16 k = (__mmask16)m;
    const char *row = base + (int32_t)h.cover;
    __m512i v;
    if (h.pattern == CONSECUTIVE)
        v = m == 0xffff ? _mm512_loadu_si512(row) : _mm512_maskz_loadu_epi32(k, row);
    else if (h.pattern == SAME)
        v = _mm512_set1_epi32((int)*(const any_4 *)(base + (int32_t)h.first));
    else
        v = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), k, h.addresses, base, 1);
    if (m == 0xffff)
        _mm512_store_si512(d, v);
    else
        _mm512_mask_store_epi32(d, k, v);
}
ALWAYS GUEST void store_half_4(const uint32_t *b, const uint32_t *at, uint32_t m, char *base,
                               uint32_t shift, uint32_t add) {
    struct half h = half_of(at, m, shift, add);
    __mmask16 k = (__mmask16)m;
    char *row = base + (int32_t)h.cover;
    __m512i v = _mm512_load_si512(b);
    if (h.pattern == CONSECUTIVE && m == 0xffff)
        _mm512_storeu_si512(row, v);
    else if (h.pattern == CONSECUTIVE)
        _mm512_mask_storeu_epi32(row, k, v);
    else if (h.pattern == SAME)
        *(any_4 *)(base + (int32_t)h.first) = b[31 - __builtin_clz(m)];
    else
        _mm512_mask_i32scatter_epi32(base, k, h.addresses, v, 1);
}
#endif

#define ANY_HALF(size, T)                                                                          \
    ALWAYS GUEST void load_half_##size(T *d, const uint32_t *part, uint32_t m, const char *base,   \
                                       uint32_t shift, uint32_t add) {                             \
        uint32_t at[HALF];                                                                         \
        for (int i = 0; i < HALF; i++) at[i] = (part[i] << shift) + add;                           \
        enum pattern p = m == 0xffff ? pattern(at, size) : SCATTERED;                              \
        const char *first = base + (int32_t)at[0];                                                 \
        if (p == CONSECUTIVE) {                                                                    \
            __builtin_memcpy(d, first, HALF *size);                                                \
        } else if (p == SAME) {                                                                    \
            T v = *(const any_##size *)first;                                                      \
            for (int i = 0; i < HALF; i++) d[i] = v;                                               \
        } else {                                                                                   \
            EACH_ACTIVE(i, m) d[i] = *(const any_##size *)(base + (int32_t)at[i]);                 \
        }                                                                                          \
    }                                                                                              \
    ALWAYS GUEST void store_half_##size(const T *b, const uint32_t *part, uint32_t m, char *base,  \
                                        uint32_t shift, uint32_t add) {                            \
        uint32_t at[HALF];                                                                         \
        for (int i = 0; i < HALF; i++) at[i] = (part[i] << shift) + add;                           \
        enum pattern p = m == 0xffff ? pattern(at, size) : SCATTERED;                              \
        char *first = base + (int32_t)at[0];                                                       \
        if (p == CONSECUTIVE) {                                                                    \
            __builtin_memcpy(first, b, HALF *size);                                                \
        } else if (p == SAME) {                                                                    \
            *(any_##size *)first = b[HALF - 1];                                                    \
        } else {                                                                                   \
            EACH_ACTIVE(i, m) * (any_##size *)(base + (int32_t)at[i]) = b[i];                      \
        }                                                                                          \
    }
ANY_HALF(1, uint8_t)
ANY_HALF(2, uint16_t)
#if !defined(__AVX512F__)
ANY_HALF(4, uint32_t)
#endif
ANY_HALF(8, uint64_t)

/* Lanes that are looked at one by one may need memory of their own. */
#define GO_1(next) GO_BACK(next)
#define GO_2(next) GO_BACK(next)
#if defined(__AVX512F__)
#define GO_4(next) GO(next)
#else
#define GO_4(next) GO_BACK(next)
#endif
#define GO_8(next) GO_BACK(next)

#define OFFSET(n) (w->lists[op->extra + (n)])

/* A component by the lanes' own addresses, (a << by) + plus. */
#define SPREAD(moves, name, size, element, operand, host, by, plus)                                \
    GUEST HANDLER(moves##_##name##_##size) {                                                       \
        element *v = LANES_AT(element, operand);                                                   \
        const uint32_t *a = LANES_AT(uint32_t, op->a), shift = by, add = plus;                     \
        host *base = w->base + op->imm;                                                            \
        uint32_t m = w->mask;                                                                      \
        w->memory_op = op;                                                                         \
        if (m == ~0u) {                                                                            \
            moves##_half_##size(v, a, 0xffff, base, shift, add);                                   \
            moves##_half_##size(v + HALF, a + HALF, 0xffff, base, shift, add);                     \
            GO_##size(op + 1);                                                                     \
        }                                                                                          \
        if (m & 0xffff) moves##_half_##size(v, a, m & 0xffff, base, shift, add);                   \
        if (m >> 16) moves##_half_##size(v + HALF, a + HALF, m >> 16, base, shift, add);           \
        GO_##size(op + 1);                                                                         \
    }

/* Vectors: `count` components, one after the other in memory, each in its own register. The
 * addresses are copied, because a component may be loaded into their register. */
#define MEMORY(size, T)                                                                            \
    GUEST HANDLER(load_one_##size) {                                                               \
        w->memory_op = op;                                                                         \
        *AT(T, op->d) = *(const any_##size *)(w->base + *AT(int32_t, op->a) + (int64_t)op->imm);   \
        GO(op + 1);                                                                                \
    }                                                                                              \
    GUEST HANDLER(store_one_##size) {                                                              \
        w->memory_op = op;                                                                         \
        *(any_##size *)(w->base + *AT(int32_t, op->a) + (int64_t)op->imm) = *AT(T, op->b);         \
        GO(op + 1);                                                                                \
    }                                                                                              \
    SPREAD(load, all, size, T, op->d, const char, 0, 0)                                            \
    SPREAD(store, all, size, const T, op->b, char, 0, 0)                                           \
    SPREAD(load, at, size, T, op->d, const char, op->extra, *AT(uint32_t, op->c))                  \
    SPREAD(store, at, size, const T, op->b, char, op->extra, *AT(uint32_t, op->c))                 \
    GUEST HANDLER(load_many_##size) {                                                              \
        uint32_t at[ISA_WARP], count = op->b;                                                      \
        const char *base = w->base + op->imm;                                                      \
        memcpy(at, LANES_AT(uint32_t, op->a), sizeof at);                                          \
        w->memory_op = op;                                                                         \
        EACH_ACTIVE(i, w->mask) {                                                                  \
            const any_##size *p = (const any_##size *)(base + (int32_t)at[i]);                     \
            for (uint32_t c = 0; c < count; c++) LANES_AT(T, OFFSET(c))[i] = p[c];                 \
        }                                                                                          \
        GO_BACK(op + 1);                                                                           \
    }                                                                                              \
    GUEST HANDLER(store_many_##size) {                                                             \
        const uint32_t *a = LANES_AT(uint32_t, op->a), count = op->b;                              \
        char *base = w->base + op->imm;                                                            \
        w->memory_op = op;                                                                         \
        EACH_ACTIVE(i, w->mask) {                                                                  \
            any_##size *p = (any_##size *)(base + (int32_t)a[i]);                                  \
            for (uint32_t c = 0; c < count; c++) p[c] = LANES_AT(T, OFFSET(c))[i];                 \
        }                                                                                          \
        GO_BACK(op + 1);                                                                           \
    }                                                                                              \
    HANDLER(param_##size) {                                                                        \
        *AT(T, op->d) = *(const any_##size *)(w->group->params + op->imm);                         \
        GO(op + 1);                                                                                \
    }
MEMORY(1, uint8_t)
MEMORY(2, uint16_t)
MEMORY(4, uint32_t)
MEMORY(8, uint64_t)

PART(memory) {
#define FILL(log, size)                                                                            \
    t->load_one[log] = load_one_##size;                                                            \
    t->load_all[log] = load_all_##size;                                                            \
    t->load_at[log] = load_at_##size;                                                              \
    t->store_at[log] = store_at_##size;                                                            \
    t->load_many[log] = load_many_##size;                                                          \
    t->store_one[log] = store_one_##size;                                                          \
    t->store_all[log] = store_all_##size;                                                          \
    t->store_many[log] = store_many_##size;                                                        \
    t->param[log] = param_##size;
    FILL(0, 1)
    FILL(1, 2)
    FILL(2, 4)
    FILL(3, 8)
}
