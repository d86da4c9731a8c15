/* Comparisons: a bit for each lane. */
#include "handler.h"

/* Vectors of a type: at most what the level has, at most what a warp needs. */
#define BYTES_OF(T)   (sizeof(T) * ISA_WARP < LEVEL_BYTES ? sizeof(T) * ISA_WARP : LEVEL_BYTES)
#define PER_VECTOR(T) (BYTES_OF(T) / sizeof(T))

#define SIZE_int8_t    1
#define SIZE_uint8_t   1
#define SIZE_int16_t   2
#define SIZE_uint16_t  2
#define SIZE_int32_t   4
#define SIZE_uint32_t  4
#define SIZE_int64_t   8
#define SIZE_uint64_t  8
#define SIZE_float     4
#define SIZE_double    8
#define BITS_OF_(size) bits_##size
#define BITS_OF(size)  BITS_OF_(size)
#if defined(__AVX512F__) || defined(__AVX2__)
#define RAW_1 __m256i
#else
#define RAW_1 __m128i
#endif
#if defined(__AVX512F__)
#define RAW __m512i
#elif defined(__AVX2__)
#define RAW __m256i
#else
#define RAW __m128i
#endif
#define RAW_2         RAW
#define RAW_4         RAW
#define RAW_8         RAW
#define RAW_OF_(size) RAW_##size
#define RAW_OF(size)  RAW_OF_(size)

#define TYPES(EACH)                                                                                \
    EACH(int8_t)                                                                                   \
    EACH(uint8_t)                                                                                  \
    EACH(int16_t)                                                                                  \
    EACH(uint16_t)                                                                                 \
    EACH(int32_t)                                                                                  \
    EACH(uint32_t)                                                                                 \
    EACH(int64_t)                                                                                  \
    EACH(uint64_t)                                                                                 \
    EACH(float)                                                                                    \
    EACH(double)

#define VECTOR(T)                                                                                  \
    typedef T vector_##T __attribute__((vector_size(BYTES_OF(T))));                                \
    ALWAYS vector_##T all_##T(T x) {                                                               \
        vector_##T v;                                                                              \
        for (size_t k = 0; k < PER_VECTOR(T); k++) v[k] = x;                                       \
        return v;                                                                                  \
    }
TYPES(VECTOR)

#define VECTORS(T, offset) ((const vector_##T *)LANES_AT(T, offset))
#define EACH_VECTOR(T)     for (size_t j = 0; j < ISA_WARP / PER_VECTOR(T); j++)
#define GATHER_BITS(T, test)                                                                       \
    (uint32_t)(BITS_OF(SIZE_##T)((RAW_OF(SIZE_##T))(test)) << (j * PER_VECTOR(T)))

/* op: an operator of C on vectors A and B and, for a scalar, on elements. */
#define COMPARISON(name, T, test)                                                                  \
    HANDLER(name##_##T##_vv) {                                                                     \
        const vector_##T *a = VECTORS(T, op->a), *b = VECTORS(T, op->b);                           \
        uint32_t bits = 0;                                                                         \
        EACH_VECTOR(T) {                                                                           \
            vector_##T A = a[j], B = b[j];                                                         \
            bits |= GATHER_BITS(T, test);                                                          \
        }                                                                                          \
        *AT(uint32_t, op->d) = bits;                                                               \
        GO(op + 1);                                                                                \
    }                                                                                              \
    HANDLER(name##_##T##_vu) {                                                                     \
        const vector_##T *a = VECTORS(T, op->a), B = all_##T(*AT(T, op->b));                       \
        uint32_t bits = 0;                                                                         \
        EACH_VECTOR(T) {                                                                           \
            vector_##T A = a[j];                                                                   \
            bits |= GATHER_BITS(T, test);                                                          \
        }                                                                                          \
        *AT(uint32_t, op->d) = bits;                                                               \
        GO(op + 1);                                                                                \
    }                                                                                              \
    HANDLER(name##_##T##_uv) {                                                                     \
        const vector_##T A = all_##T(*AT(T, op->a)), *b = VECTORS(T, op->b);                       \
        uint32_t bits = 0;                                                                         \
        EACH_VECTOR(T) {                                                                           \
            vector_##T B = b[j];                                                                   \
            bits |= GATHER_BITS(T, test);                                                          \
        }                                                                                          \
        *AT(uint32_t, op->d) = bits;                                                               \
        GO(op + 1);                                                                                \
    }                                                                                              \
    HANDLER(name##_##T##_uu) {                                                                     \
        T A = *AT(T, op->a), B = *AT(T, op->b);                                                    \
        *AT(uint32_t, op->d) = (test) ? ~0u : 0;                                                   \
        GO(op + 1);                                                                                \
    }

#define INTEGER(S, U)                                                                              \
    COMPARISON(eq, S, A == B)                                                                      \
    COMPARISON(ne, S, A != B)                                                                      \
    COMPARISON(lt_s, S, A < B)                                                                     \
    COMPARISON(le_s, S, A <= B)                                                                    \
    COMPARISON(lt_u, U, A < B)                                                                     \
    COMPARISON(le_u, U, A <= B)
INTEGER(int8_t, uint8_t)
INTEGER(int16_t, uint16_t)
INTEGER(int32_t, uint32_t)
INTEGER(int64_t, uint64_t)
#define FLOAT(T)                                                                                   \
    COMPARISON(feq, T, A == B)                                                                     \
    COMPARISON(fne, T, A != B)                                                                     \
    COMPARISON(flt, T, A < B)                                                                      \
    COMPARISON(fle, T, A <= B)                                                                     \
    COMPARISON(funo, T, (A != A) | (B != B))
FLOAT(float)
FLOAT(double)

PART(comparisons) {
#define ROW(o, type, T)                                                                            \
    t->alu[ISA_##o][type][0] = o##_##T##_vv;                                                       \
    t->alu[ISA_##o][type][1] = o##_##T##_uv;                                                       \
    t->alu[ISA_##o][type][2] = o##_##T##_vu;                                                       \
    t->alu[ISA_##o][type][LANES_SCALAR] = o##_##T##_uu;
#define FILL_INTEGER(type, S, U)                                                                   \
    ROW(eq, type, S)                                                                               \
    ROW(ne, type, S)                                                                               \
    ROW(lt_s, type, S)                                                                             \
    ROW(le_s, type, S)                                                                             \
    ROW(lt_u, type, U)                                                                             \
    ROW(le_u, type, U)
    FILL_INTEGER(ISA_I8, int8_t, uint8_t)
    FILL_INTEGER(ISA_I16, int16_t, uint16_t)
    FILL_INTEGER(ISA_I32, int32_t, uint32_t)
    FILL_INTEGER(ISA_I64, int64_t, uint64_t)
#define FILL_FLOAT(type, T)                                                                        \
    ROW(feq, type, T)                                                                              \
    ROW(fne, type, T)                                                                              \
    ROW(flt, type, T)                                                                              \
    ROW(fle, type, T)                                                                              \
    ROW(funo, type, T)
    FILL_FLOAT(ISA_F32, float)
    FILL_FLOAT(ISA_F64, double)
}
