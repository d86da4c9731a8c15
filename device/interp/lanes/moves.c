/* Moves between registers of both shapes, select, predicates, special registers. */
#include "handler.h"

#define MOVES(size, T)                                                                             \
    HANDLER(move_##size) {                                                                         \
        T *d = LANES_AT(T, op->d);                                                                 \
        const T *a = LANES_AT(T, op->a);                                                           \
        EACH_LANE d[i] = a[i];                                                                     \
        GO(op + 1);                                                                                \
    }                                                                                              \
    HANDLER(move_masked_##size) {                                                                  \
        T *d = LANES_AT(T, op->d);                                                                 \
        blend_##size(d, LANES_AT(T, op->a), d, w->mask);                                           \
        GO(op + 1);                                                                                \
    }                                                                                              \
    HANDLER(splat_##size) {                                                                        \
        T *d = LANES_AT(T, op->d), a = *AT(T, op->a);                                              \
        EACH_LANE d[i] = a;                                                                        \
        GO(op + 1);                                                                                \
    }                                                                                              \
    HANDLER(splat_masked_##size) {                                                                 \
        T *d = LANES_AT(T, op->d), a = *AT(T, op->a);                                              \
        T all[ISA_WARP] __attribute__((aligned(128)));                                             \
        EACH_LANE all[i] = a;                                                                      \
        blend_##size(d, all, d, w->mask);                                                          \
        GO_BACK(op + 1);                                                                           \
    }                                                                                              \
    HANDLER(scalar_move_##size) {                                                                  \
        *AT(T, op->d) = *AT(T, op->a);                                                             \
        GO(op + 1);                                                                                \
    }                                                                                              \
    HANDLER(pick_first_##size) {                                                                   \
        *AT(T, op->d) = LANES_AT(T, op->a)[__builtin_ctz(w->mask)];                                \
        GO(op + 1);                                                                                \
    }                                                                                              \
    HANDLER(pick_last_##size) {                                                                    \
        *AT(T, op->d) = LANES_AT(T, op->a)[31 - __builtin_clz(w->mask)];                           \
        GO(op + 1);                                                                                \
    }                                                                                              \
    HANDLER(select_##size) {                                                                       \
        blend_##size(LANES_AT(T, op->d), LANES_AT(T, op->b), LANES_AT(T, op->c),                   \
                     *AT(uint32_t, op->a));                                                        \
        GO(op + 1);                                                                                \
    }                                                                                              \
    HANDLER(select_scalar_##size) {                                                                \
        *AT(T, op->d) = *AT(T, *AT(uint32_t, op->a) ? op->b : op->c);                              \
        GO(op + 1);                                                                                \
    }
MOVES(1, uint8_t)
MOVES(2, uint16_t)
MOVES(4, uint32_t)
MOVES(8, uint64_t)
#undef MOVES

/* Predicates: the word of a uniform one and of a varying one are computed alike. */
#define PRED(name, value)                                                                          \
    HANDLER(name) {                                                                                \
        uint32_t a = *AT(uint32_t, op->a), b = *AT(uint32_t, op->b), c = *AT(uint32_t, op->c);     \
        (void)b, (void)c;                                                                          \
        *AT(uint32_t, op->d) = value;                                                              \
        GO(op + 1);                                                                                \
    }
PRED(pred_move, a)
PRED(pred_not, ~a)
PRED(pred_and, a &b)
PRED(pred_or, a | b)
PRED(pred_xor, a ^ b)
PRED(pred_eq, ~(a ^ b))
PRED(pred_select, (a & b) | (~a & c))
#undef PRED

HANDLER(pred_masked) {
    uint32_t *d = AT(uint32_t, op->d);
    *d = (*d & ~w->mask) | (*AT(uint32_t, op->a) & w->mask);
    GO(op + 1);
}

HANDLER(pred_pick) {
    *AT(uint32_t, op->d) = -(*AT(uint32_t, op->a) >> __builtin_ctz(w->mask) & 1);
    GO(op + 1);
}

/* ---- special registers ---- */
#define DIMS(EACH) EACH(0, x) EACH(1, y) EACH(2, z)
#define OF_GROUP(name, value)                                                                      \
    HANDLER(name) {                                                                                \
        const struct group *g = w->group;                                                          \
        const struct launch *l = g->launch;                                                        \
        (void)l;                                                                                   \
        *AT(uint32_t, op->d) = value;                                                              \
        GO(op + 1);                                                                                \
    }
#define DIM(n, x)                                                                                  \
    HANDLER(local_id_##x) {                                                                        \
        int32_t *d = LANES_AT(int32_t, op->d);                                                     \
        EACH_LANE d[i] = w->id[n][i];                                                              \
        GO(op + 1);                                                                                \
    }                                                                                              \
    HANDLER(global_id_##x) {                                                                       \
        int32_t *d = LANES_AT(int32_t, op->d);                                                     \
        const struct group *g = w->group;                                                          \
        uint32_t first = g->group_id[n] * g->launch->local_size[n] + g->launch->offset[n];         \
        EACH_LANE d[i] = (int32_t)((uint32_t)w->id[n][i] + first);                                 \
        GO(op + 1);                                                                                \
    }                                                                                              \
    OF_GROUP(group_id_##x, g->group_id[n])                                                         \
    OF_GROUP(local_size_##x, l->local_size[n])                                                     \
    OF_GROUP(global_size_##x, l->global_size[n])                                                   \
    OF_GROUP(num_groups_##x, l->global_size[n] / l->local_size[n])                                 \
    OF_GROUP(global_offset_##x, l->offset[n])
DIMS(DIM)
OF_GROUP(work_dim, l->work_dim)
OF_GROUP(undefined, 0)
OF_GROUP(alone, 0)
#define OBJECT(n)                                                                                  \
    OF_GROUP(object_##n, 0)                                                                        \
    OF_GROUP(object_bytes_##n, 0)
OBJECT(0)
OBJECT(1)
OBJECT(2)
OBJECT(3)
OBJECT(4)
OBJECT(5)
OBJECT(6)
OBJECT(7)
#undef OBJECT
OF_GROUP(localaddr, g->local_base + (uint32_t)op->imm)
OF_GROUP(constaddr, g->constant_base + (uint32_t)op->imm)

HANDLER(thread_id) {
    int32_t *d = LANES_AT(int32_t, op->d);
    EACH_LANE d[i] = w->id[3][i];
    GO(op + 1);
}

/* Quotients by a reciprocal are off by one at most, ids being below 2^22. */
ALWAYS int32_t quotient(int32_t t, float reciprocal, int32_t n) {
    int32_t q = (int32_t)((float)t * reciprocal);
    q -= q * n > t;
    return q + (t - q * n >= n);
}
static void ids(struct warp *w, const uint32_t size[3]) {
    int32_t first = (int32_t)(w->index * ISA_WARP), nx = (int32_t)size[0], ny = (int32_t)size[1];
    float rx = 1.0f / (float)nx, ry = 1.0f / (float)ny;
    EACH_LANE w->id[3][i] = first + i;
    if (size[1] == 1 && size[2] == 1) {
        EACH_LANE w->id[0][i] = first + i;
        EACH_LANE w->id[1][i] = w->id[2][i] = 0;
        return;
    }
    EACH_LANE {
        int32_t row = quotient(first + i, rx, nx), z = quotient(row, ry, ny);
        w->id[0][i] = first + i - row * nx;
        w->id[1][i] = row - z * ny;
        w->id[2][i] = z;
    }
}

static const enum isa_type types_of[LANES_SIZES][2] = {
    {ISA_I8, ISA_I8}, {ISA_I16, ISA_I16}, {ISA_I32, ISA_F32}, {ISA_I64, ISA_F64}};

PART(moves) {
#define FILL(log, size)                                                                            \
    t->move[log] = move_##size;                                                                    \
    t->move_masked[log] = move_masked_##size;                                                      \
    t->splat[log] = splat_##size;                                                                  \
    t->splat_masked[log] = splat_masked_##size;                                                    \
    t->scalar_move[log] = scalar_move_##size;                                                      \
    t->pick_first[log] = pick_first_##size;                                                        \
    t->pick_last[log] = pick_last_##size;                                                          \
    for (int k = 0; k < 2; k++) {                                                                  \
        t->alu[ISA_select][types_of[log][k]][0] = select_##size;                                   \
        t->alu[ISA_select][types_of[log][k]][LANES_SCALAR] = select_scalar_##size;                 \
    }
    FILL(0, 1)
    FILL(1, 2)
    FILL(2, 4)
    FILL(3, 8)
#undef FILL
    t->pred_move = pred_move;
    t->pred_masked = pred_masked;
    t->pred_pick = pred_pick;
    static const struct {
        enum isa_op op;
        op_fn run;
    } preds[] = {{ISA_not, pred_not},      {ISA_and, pred_and}, {ISA_or, pred_or},
                 {ISA_xor, pred_xor},      {ISA_eq, pred_eq},   {ISA_ne, pred_xor},
                 {ISA_select, pred_select}};
    for (size_t k = 0; k < sizeof preds / sizeof *preds; k++)
        for (int s = 0; s < LANES_SHAPES; s++) t->alu[preds[k].op][ISA_PRED][s] = preds[k].run;
#define ISA_SPECIAL(name, uniform, what) t->special[ISA_SPECIAL_##name] = name;
#include "device/isa/special.def"
#undef ISA_SPECIAL
    t->ids = ids;
    t->localaddr = localaddr;
    t->constaddr = constaddr;
}
