/* Atomic operations, lane by lane from the lowest on. Memory other groups can see takes the host's
 * atomic instructions; local memory belongs to one thread. */
#include "handler.h"

#define MIN(a, b) ((b) < (a) ? (b) : (a))
#define MAX(a, b) ((b) > (a) ? (b) : (a))

#define ADDRESS(T, lane) ((T *)(void *)(w->base + (int32_t)a[lane] + op->imm))

/* A word across two cache lines cannot be changed at once without stopping the whole machine. */
#define CHECK(T, lane)                                                                             \
    if ((a[lane] + (uint32_t)op->imm) % sizeof(T))                                                 \
    misaligned(op, w, lane, a[lane] + (uint32_t)op->imm)
static _Noreturn void misaligned(const struct lanes_op *op, struct warp *w, uint32_t lane,
                                 uint32_t at) {
    w->group->inst = op->inst;
    w->group->mask = w->mask;
    group_fault(w->group, FAULT_MISALIGNED, (int)lane, at);
}

#define ATOMIC(name, T, fetch, plain)                                                              \
    GUEST HANDLER(name##_##T##_global) {                                                           \
        T *d = LANES_AT(T, op->d);                                                                 \
        const uint32_t *a = LANES_AT(uint32_t, op->a);                                             \
        const T *b = LANES_AT(T, op->b), *c = LANES_AT(T, op->c);                                  \
        (void)c;                                                                                   \
        w->memory_op = op;                                                                         \
        EACH_ACTIVE(i, w->mask) {                                                                  \
            CHECK(T, i);                                                                           \
            T *p = ADDRESS(T, i);                                                                  \
            d[i] = fetch;                                                                          \
        }                                                                                          \
        GO_BACK(op + 1);                                                                           \
    }                                                                                              \
    GUEST HANDLER(name##_##T##_local) {                                                            \
        T *d = LANES_AT(T, op->d);                                                                 \
        const uint32_t *a = LANES_AT(uint32_t, op->a);                                             \
        const T *b = LANES_AT(T, op->b), *c = LANES_AT(T, op->c);                                  \
        (void)c;                                                                                   \
        w->memory_op = op;                                                                         \
        EACH_ACTIVE(i, w->mask) {                                                                  \
            CHECK(T, i);                                                                           \
            T *p = ADDRESS(T, i), old = *p;                                                        \
            *p = plain;                                                                            \
            d[i] = old;                                                                            \
        }                                                                                          \
        GO_BACK(op + 1);                                                                           \
    }

/* The host has no fetching minimum: try until nobody came between. */
#define LIMIT(name, T, pick)                                                                       \
    ALWAYS GUEST T until_##name##_##T(T *p, T b) {                                                 \
        T old = __atomic_load_n(p, __ATOMIC_RELAXED);                                              \
        while (!__atomic_compare_exchange_n(p, &old, pick(old, b), true, __ATOMIC_SEQ_CST,         \
                                            __ATOMIC_RELAXED)) {                                   \
        }                                                                                          \
        return old;                                                                                \
    }                                                                                              \
    ATOMIC(name, T, until_##name##_##T(p, b[i]), pick(old, b[i]))

#define EXCHANGE_IF(T)                                                                             \
    ALWAYS GUEST T if_equal_##T(T *p, T expected, T value) {                                       \
        __atomic_compare_exchange_n(p, &expected, value, false, __ATOMIC_SEQ_CST,                  \
                                    __ATOMIC_SEQ_CST);                                             \
        return expected;                                                                           \
    }                                                                                              \
    ATOMIC(cas, T, if_equal_##T(p, b[i], c[i]), old == b[i] ? c[i] : old)

#define FETCH(what) __atomic_##what(p, b[i], __ATOMIC_SEQ_CST)
#define ALL(S, U)                                                                                  \
    ATOMIC(add, U, FETCH(fetch_add), old + b[i])                                                   \
    ATOMIC(sub, U, FETCH(fetch_sub), old - b[i])                                                   \
    ATOMIC(xchg, U, FETCH(exchange_n), b[i])                                                       \
    ATOMIC(and, U, FETCH(fetch_and), old &b[i])                                                    \
    ATOMIC(or, U, FETCH(fetch_or), old | b[i])                                                     \
    ATOMIC(xor, U, FETCH(fetch_xor), old ^ b[i])                                                   \
    LIMIT(min_s, S, MIN)                                                                           \
    LIMIT(min_u, U, MIN)                                                                           \
    LIMIT(max_s, S, MAX)                                                                           \
    LIMIT(max_u, U, MAX)                                                                           \
    EXCHANGE_IF(U)
ALL(int32_t, uint32_t)
ALL(int64_t, uint64_t)

PART(atomics) {
#define ROW(name, T, wide)                                                                         \
    t->atomic[ISA_atom_##name - ISA_atom_add][wide][0] = name##_##T##_global;                      \
    t->atomic[ISA_atom_##name - ISA_atom_add][wide][1] = name##_##T##_local;
#define ROWS(S, U, wide)                                                                           \
    ROW(add, U, wide)                                                                              \
    ROW(sub, U, wide)                                                                              \
    ROW(xchg, U, wide)                                                                             \
    ROW(and, U, wide)                                                                              \
    ROW(or, U, wide)                                                                               \
    ROW(xor, U, wide)                                                                              \
    ROW(min_s, S, wide)                                                                            \
    ROW(min_u, U, wide)                                                                            \
    ROW(max_s, S, wide)                                                                            \
    ROW(max_u, U, wide)                                                                            \
    ROW(cas, U, wide)
    ROWS(int32_t, uint32_t, 0)
    ROWS(int64_t, uint64_t, 1)
}
