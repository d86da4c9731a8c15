/* Makes handlers from one function on elements: with both shapes of each source, and as a scalar.
 *
 * fn is `R fn(T...)`; for a source that is uniform its one value is used for all lanes. The rows of
 * a table say which shapes exist: ALL2 for the common types, BOTH2 (all varying, or scalar)
 * elsewhere. */
#ifndef SIMTCL_LANES_ALU_H
#define SIMTCL_LANES_ALU_H

#include "handler.h"

#define ALU_UNARY(h, fn, R, T)                                                                     \
    HANDLER(h##_v) {                                                                               \
        R *d = LANES_AT(R, op->d);                                                                 \
        const T *a = LANES_AT(T, op->a);                                                           \
        EACH_LANE d[i] = fn(a[i]);                                                                 \
        GO(op + 1);                                                                                \
    }                                                                                              \
    HANDLER(h##_u) {                                                                               \
        *AT(R, op->d) = fn(*AT(T, op->a));                                                         \
        GO(op + 1);                                                                                \
    }

#define ALU_BINARY(h, fn, T)                                                                       \
    HANDLER(h##_vv) {                                                                              \
        T *d = LANES_AT(T, op->d);                                                                 \
        const T *a = LANES_AT(T, op->a), *b = LANES_AT(T, op->b);                                  \
        EACH_LANE d[i] = fn(a[i], b[i]);                                                           \
        GO(op + 1);                                                                                \
    }                                                                                              \
    HANDLER(h##_uu) {                                                                              \
        *AT(T, op->d) = fn(*AT(T, op->a), *AT(T, op->b));                                          \
        GO(op + 1);                                                                                \
    }

#define ALU_MIXED(h, fn, T)                                                                        \
    HANDLER(h##_vu) {                                                                              \
        T *d = LANES_AT(T, op->d);                                                                 \
        const T *a = LANES_AT(T, op->a), b = *AT(T, op->b);                                        \
        EACH_LANE d[i] = fn(a[i], b);                                                              \
        GO(op + 1);                                                                                \
    }                                                                                              \
    HANDLER(h##_uv) {                                                                              \
        T *d = LANES_AT(T, op->d);                                                                 \
        const T a = *AT(T, op->a), *b = LANES_AT(T, op->b);                                        \
        EACH_LANE d[i] = fn(a, b[i]);                                                              \
        GO(op + 1);                                                                                \
    }

#define ALU_TERNARY(h, fn, T)                                                                      \
    HANDLER(h##_vvv) {                                                                             \
        T *d = LANES_AT(T, op->d);                                                                 \
        const T *a = LANES_AT(T, op->a), *b = LANES_AT(T, op->b), *c = LANES_AT(T, op->c);         \
        EACH_LANE d[i] = fn(a[i], b[i], c[i]);                                                     \
        GO(op + 1);                                                                                \
    }                                                                                              \
    HANDLER(h##_vuv) {                                                                             \
        T *d = LANES_AT(T, op->d);                                                                 \
        const T *a = LANES_AT(T, op->a), b = *AT(T, op->b), *c = LANES_AT(T, op->c);               \
        EACH_LANE d[i] = fn(a[i], b, c[i]);                                                        \
        GO(op + 1);                                                                                \
    }                                                                                              \
    HANDLER(h##_uvv) {                                                                             \
        T *d = LANES_AT(T, op->d);                                                                 \
        const T a = *AT(T, op->a), *b = LANES_AT(T, op->b), *c = LANES_AT(T, op->c);               \
        EACH_LANE d[i] = fn(a, b[i], c[i]);                                                        \
        GO(op + 1);                                                                                \
    }                                                                                              \
    HANDLER(h##_vvu) {                                                                             \
        T *d = LANES_AT(T, op->d);                                                                 \
        const T *a = LANES_AT(T, op->a), *b = LANES_AT(T, op->b), c = *AT(T, op->c);               \
        EACH_LANE d[i] = fn(a[i], b[i], c);                                                        \
        GO(op + 1);                                                                                \
    }                                                                                              \
    HANDLER(h##_vuu) {                                                                             \
        T *d = LANES_AT(T, op->d);                                                                 \
        const T *a = LANES_AT(T, op->a), b = *AT(T, op->b), c = *AT(T, op->c);                     \
        EACH_LANE d[i] = fn(a[i], b, c);                                                           \
        GO(op + 1);                                                                                \
    }                                                                                              \
    HANDLER(h##_uuu) {                                                                             \
        *AT(T, op->d) = fn(*AT(T, op->a), *AT(T, op->b), *AT(T, op->c));                           \
        GO(op + 1);                                                                                \
    }

/* Rows of the level's table. Bit n of the index: source n is uniform. */
#define ROW_UNARY(o, type, h)                                                                      \
    t->alu[o][type][0] = h##_v;                                                                    \
    t->alu[o][type][LANES_SCALAR] = h##_u;
#define ROW_BINARY(o, type, h)                                                                     \
    t->alu[o][type][0] = h##_vv;                                                                   \
    t->alu[o][type][LANES_SCALAR] = h##_uu;
#define ROW_MIXED(o, type, h)                                                                      \
    ROW_BINARY(o, type, h)                                                                         \
    t->alu[o][type][1] = h##_uv;                                                                   \
    t->alu[o][type][2] = h##_vu;
#define ROW_TERNARY(o, type, h)                                                                    \
    t->alu[o][type][0] = h##_vvv;                                                                  \
    t->alu[o][type][1] = h##_uvv;                                                                  \
    t->alu[o][type][2] = h##_vuv;                                                                  \
    t->alu[o][type][4] = h##_vvu;                                                                  \
    t->alu[o][type][6] = h##_vuu;                                                                  \
    t->alu[o][type][LANES_SCALAR] = h##_uuu;

#endif
