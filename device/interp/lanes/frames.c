/* Private memory. A warp's frames are interleaved by words: byte o of lane l lies at
 * o / 4 * 128 + l * 4 + o % 4, so that lanes using the same offset touch one row. */
#include "handler.h"

enum { ROW = 4 * ISA_WARP };

/* Offset of lane `lane`'s access, checked to lie in its frame. */
ALWAYS uint32_t checked(const struct lanes_op *op, struct warp *w, uint32_t a, uint32_t size,
                        uint32_t lane) {
    uint32_t o = a + (uint32_t)op->imm, frame = w->group->frame_bytes;
    if (__builtin_expect(size > frame || o > frame - size, 0)) {
        w->group->inst = op->inst;
        w->group->mask = w->mask;
        group_fault(w->group, FAULT_PRIVATE, (int)lane, o);
    }
    return o;
}

ALWAYS char *place(struct warp *w, uint32_t o, uint32_t lane) {
    return w->own + (size_t)(o / 4) * ROW + lane * 4 + o % 4;
}

/* An element that is aligned lies in one word, or in two whole ones. */
#define ACCESS(size, T)                                                                            \
    ALWAYS GUEST T read_##size(struct warp *w, uint32_t o, uint32_t lane) {                        \
        T v;                                                                                       \
        if (o % (size < 4 ? size : 4) == 0) {                                                      \
            for (uint32_t k = 0; k < size; k += 4)                                                 \
                memcpy((char *)&v + k, place(w, o + k, lane), size < 4 ? size : 4);                \
        } else {                                                                                   \
            for (uint32_t k = 0; k < size; k++) ((char *)&v)[k] = *place(w, o + k, lane);          \
        }                                                                                          \
        return v;                                                                                  \
    }                                                                                              \
    ALWAYS GUEST void write_##size(struct warp *w, uint32_t o, uint32_t lane, T v) {               \
        if (o % (size < 4 ? size : 4) == 0) {                                                      \
            for (uint32_t k = 0; k < size; k += 4)                                                 \
                memcpy(place(w, o + k, lane), (char *)&v + k, size < 4 ? size : 4);                \
        } else {                                                                                   \
            for (uint32_t k = 0; k < size; k++) *place(w, o + k, lane) = ((char *)&v)[k];          \
        }                                                                                          \
    }
ACCESS(1, uint8_t)
ACCESS(2, uint16_t)
ACCESS(4, uint32_t)
ACCESS(8, uint64_t)

#define OFFSET(n) (w->lists[op->extra + (n)])

/* `count` components in the registers of a list. row: the address is uniform. */
#define OWN(size, T)                                                                               \
    GUEST HANDLER(load_own_##size) {                                                               \
        uint32_t at[ISA_WARP], count = op->b;                                                      \
        memcpy(at, LANES_AT(uint32_t, op->a), sizeof at);                                          \
        EACH_ACTIVE(i, w->mask) {                                                                  \
            uint32_t o = checked(op, w, at[i], size * count, i);                                   \
            for (uint32_t c = 0; c < count; c++)                                                   \
                LANES_AT(T, OFFSET(c))[i] = read_##size(w, o + c * size, i);                       \
        }                                                                                          \
        GO_BACK(op + 1);                                                                           \
    }                                                                                              \
    GUEST HANDLER(store_own_##size) {                                                              \
        const uint32_t *at = LANES_AT(uint32_t, op->a), count = op->b;                             \
        EACH_ACTIVE(i, w->mask) {                                                                  \
            uint32_t o = checked(op, w, at[i], size * count, i);                                   \
            for (uint32_t c = 0; c < count; c++)                                                   \
                write_##size(w, o + c * size, i, LANES_AT(T, OFFSET(c))[i]);                       \
        }                                                                                          \
        GO_BACK(op + 1);                                                                           \
    }                                                                                              \
    GUEST HANDLER(load_own_row_##size) {                                                           \
        uint32_t count = op->b, lane = (uint32_t)__builtin_ctz(w->mask);                           \
        uint32_t o = checked(op, w, *AT(uint32_t, op->a), size * count, lane);                     \
        for (uint32_t c = 0; c < count; c++, o += size) {                                          \
            T *d = LANES_AT(T, OFFSET(c));                                                         \
            if (size == 4 && o % 4 == 0)                                                           \
                blend_4((uint32_t *)d, (const uint32_t *)place(w, o, 0), (uint32_t *)d, w->mask);  \
            else                                                                                   \
                EACH_ACTIVE(i, w->mask) d[i] = read_##size(w, o, i);                               \
        }                                                                                          \
        GO_BACK(op + 1);                                                                           \
    }                                                                                              \
    GUEST HANDLER(store_own_row_##size) {                                                          \
        uint32_t count = op->b, lane = (uint32_t)__builtin_ctz(w->mask);                           \
        uint32_t o = checked(op, w, *AT(uint32_t, op->a), size * count, lane);                     \
        for (uint32_t c = 0; c < count; c++, o += size) {                                          \
            const T *b = LANES_AT(T, OFFSET(c));                                                   \
            uint32_t *row = (uint32_t *)place(w, o, 0);                                            \
            if (size == 4 && o % 4 == 0)                                                           \
                blend_4(row, (const uint32_t *)b, row, w->mask);                                   \
            else                                                                                   \
                EACH_ACTIVE(i, w->mask) write_##size(w, o, i, b[i]);                               \
        }                                                                                          \
        GO_BACK(op + 1);                                                                           \
    }
OWN(1, uint8_t)
OWN(2, uint16_t)
OWN(4, uint32_t)
OWN(8, uint64_t)

PART(own) {
#define FILL(log, size)                                                                            \
    t->load_own[log] = load_own_##size;                                                            \
    t->store_own[log] = store_own_##size;                                                          \
    t->load_own_row[log] = load_own_row_##size;                                                    \
    t->store_own_row[log] = store_own_row_##size;
    FILL(0, 1)
    FILL(1, 2)
    FILL(2, 4)
    FILL(3, 8)
}
