/* Accesses of several warps whose lanes lie far apart, while what one lane moves in one row of the
 * work-group lies beside what it moves in the next, as where a matrix is transposed. That is tested
 * at run time; then columns are stored, or loaded, each at once. */
#include "device/native/emit.h"

enum { HALF = ISA_WARP / 2, WORD = 4, MOST_STEP = 1 << 26 /* 32 of them do not wrap */ };

/* Rows of the work-group are half-warps or warps, and the addresses come from ids alone. */
bool transposed_may(const struct emitter *e, const struct isa_inst *i) {
    const uint32_t *size = e->request->local_size;
    if (i->op != ISA_st || i->space == ISA_PRIVATE || i->count != 1) return false;
    if (isa_type_size[i->type] != WORD || i->flags & ISA_VOLATILE) return false;
    if (e->addresses && e->addresses[i - e->k->insts]) return false;
    isa_operand at = isa_srcs(e->k, i)[0];
    return (size[0] == HALF || size[0] == ISA_WARP) && size[1] > 1 && isa_is_reg(at) &&
           e->kinds[at] == KIND_VARYING && !e->scattered[at];
}

bool transposed_plan(const struct emitter *e) {
    bool any = false;
    for (uint32_t n = 0; n < e->k->ninsts; n++)
        any |= transposed_may(e, &e->k->insts[n]) && shape_full(e->shape, n) >= SHAPE_WARP;
    return any && !e->partial;
}

static LLVMValueRef shuffled(struct emitter *e, LLVMValueRef x, LLVMValueRef y, LLVMValueRef *pick,
                             unsigned n) {
    return LLVMBuildShuffleVector(e->b, x, y, LLVMConstVector(pick, n), "");
}

/* Riffles 2^n rows of 16 n times: what lay row by row then lies column by column. */
static void transpose(struct emitter *e, LLVMValueRef *row, unsigned rows) {
    LLVMValueRef low[HALF], high[HALF], next[2 * EMIT_WARPS];
    for (unsigned i = 0; i < HALF; i++) {
        low[i] = emit_word(e, i / 2 + i % 2 * HALF);
        high[i] = emit_word(e, i / 2 + i % 2 * HALF + HALF / 2);
    }
    for (unsigned n = 1; n < rows; n *= 2) {
        for (unsigned r = 0; r < rows / 2; r++) {
            next[2 * r] = shuffled(e, row[r], row[r + rows / 2], low, HALF);
            next[2 * r + 1] = shuffled(e, row[r], row[r + rows / 2], high, HALF);
        }
        for (unsigned r = 0; r < rows; r++) row[r] = next[r];
    }
}

/* The columns of `rows` rows of 16; at: where each begins, from lane `first` on. */
static void put_columns(struct emitter *e, LLVMValueRef *row, unsigned rows, LLVMValueRef at,
                        unsigned first) {
    LLVMValueRef pick[HALF];
    transpose(e, row, rows);
    for (unsigned c = 0; c < HALF; c++) {
        for (unsigned i = 0; i < rows; i++) pick[i] = emit_word(e, c * rows % HALF + i);
        LLVMValueRef from = row[c * rows / HALF];
        LLVMValueRef column = shuffled(e, from, LLVMGetPoison(LLVMTypeOf(from)), pick, rows);
        LLVMValueRef to = LLVMBuildExtractElement(e->b, at, emit_word(e, first + c), "");
        to = access_host(e, to, e->inst->imm);
        if (rows == HALF) /* a line of the cache */
            access_put_row(e, column, to, NULL);
        else
            access_mark(e, LLVMBuildStore(e->b, column, to));
    }
}

static void put_all(struct emitter *e, LLVMValueRef at) {
    bool halves = e->request->local_size[0] == HALF;
    unsigned rows = halves ? 2 * e->bundle : e->bundle;
    for (unsigned first = 0; first < (halves ? HALF : ISA_WARP); first += HALF) {
        LLVMValueRef row[2 * EMIT_WARPS];
        for (unsigned r = 0; r < rows; r++) {
            struct warp_value v = value_stored(e, isa_srcs(e->k, e->inst)[1], halves ? r / 2 : r);
            row[r] = access_half(e, value_vector(e, &v), halves ? r % 2 : first / HALF);
        }
        put_columns(e, row, rows, at, first);
    }
}

/* In each lane that the first row has: whether its column lies in that of the next lane, or behind
 * it. Otherwise they are written in any order. */
static LLVMValueRef entangled(struct emitter *e, LLVMValueRef at, bool halves) {
    unsigned columns = halves ? HALF : ISA_WARP, rows = halves ? 2 * e->bundle : e->bundle;
    LLVMValueRef pick[ISA_WARP], from[ISA_WARP];
    for (unsigned i = 0; i < ISA_WARP; i++) {
        bool last = (i + 1) % columns == 0 || i >= columns;
        from[i] = emit_word(e, last ? 0 : i);
        pick[i] = emit_word(e, last ? 1 : i + 1);
    }
    LLVMValueRef none = LLVMGetPoison(LLVMTypeOf(at));
    LLVMValueRef step = LLVMBuildSub(e->b, shuffled(e, at, none, pick, ISA_WARP),
                                     shuffled(e, at, none, from, ISA_WARP), "");
    step = LLVMBuildSub(e->b, step, emit_splat(e, emit_word(e, WORD * rows)), "");
    return LLVMBuildICmp(e->b, LLVMIntUGT, step, emit_splat(e, emit_word(e, MOST_STEP)), "");
}

/* The whole bundle's store. The builder is left where it has to be done warp by warp; returns where
 * it goes on when it was not, or NULL. */
LLVMBasicBlockRef transposed_store(struct emitter *e) {
    bool riffles = !(e->bundle & (e->bundle - 1));
    if (e->bundle < 2 || !riffles || e->to - e->from != e->bundle || !transposed_may(e, e->inst) ||
        !emit_full(e))
        return NULL;
    bool halves = e->request->local_size[0] == HALF;
    isa_operand reg = isa_srcs(e->k, e->inst)[0];
    LLVMValueRef at = value_read(e, reg, 0).v[0], above = at, misfits = NULL;
    LLVMValueRef pick[ISA_WARP], by[ISA_WARP];
    for (unsigned i = 0; i < ISA_WARP; i++) pick[i] = emit_word(e, i % HALF);
    if (halves) above = shuffled(e, at, LLVMGetPoison(LLVMTypeOf(at)), pick, ISA_WARP);
    for (unsigned w = 0; w < e->bundle; w++) {
        for (unsigned i = 0; i < ISA_WARP; i++)
            by[i] = emit_word(e, WORD * (halves ? 2 * w + i / HALF : w));
        LLVMValueRef off = LLVMBuildSub(e->b, value_read(e, reg, w).v[0], above, "");
        off = LLVMBuildXor(e->b, off, LLVMConstVector(by, ISA_WARP), "");
        misfits = misfits ? LLVMBuildOr(e->b, misfits, off, "") : off;
    }
    misfits = LLVMBuildICmp(e->b, LLVMIntNE, misfits, LLVMConstNull(LLVMTypeOf(misfits)), "");
    misfits = LLVMBuildOr(e->b, misfits, entangled(e, at, halves), "");
    LLVMBasicBlockRef columns = emit_block(e, "columns"), rows = emit_block(e, ""),
                      after = emit_block(e, "");
    LLVMValueRef good = LLVMBuildICmp(e->b, LLVMIntEQ, emit_bits(e, misfits), emit_word(e, 0), "");
    LLVMBuildCondBr(e->b, good, columns, rows);
    LLVMPositionBuilderAtEnd(e->b, columns);
    put_all(e, at);
    LLVMBuildBr(e->b, after);
    LLVMPositionBuilderAtEnd(e->b, rows);
    return after;
}

/* ---- loads ---- */

/* Half-warps are rows, of which there are as many as lanes, and these an even distance apart, known
 * here, that is no shorter than a column. */
static bool may_load(struct emitter *e) {
    const struct isa_inst *i = e->inst;
    const uint32_t *size = e->request->local_size;
    if (i->op != ISA_ld || i->space == ISA_PRIVATE || i->space == ISA_PARAM || i->count != 1 ||
        isa_type_size[i->type] != WORD || i->flags & ISA_VOLATILE || size[0] != HALF ||
        2 * e->bundle != HALF || e->to - e->from != e->bundle || !emit_full(e))
        return false;
    isa_operand at = isa_srcs(e->k, i)[0];
    return isa_is_reg(at) && e->kinds[at] == KIND_HALVES &&
           e->kinds[isa_dsts(e->k, i)[0]] == KIND_VARYING &&
           e->shape->regs[at].stride >= (int32_t)(WORD * HALF);
}

/* The columns, one for each lane, and from them what each warp's lanes read. */
static void get_all(struct emitter *e, LLVMValueRef first, int32_t stride) {
    const struct isa_inst *i = e->inst;
    LLVMTypeRef type = LLVMVectorType(e->scalar[i->type], HALF);
    LLVMValueRef row[2 * EMIT_WARPS];
    for (unsigned lane = 0; lane < HALF; lane++) {
        LLVMValueRef at = LLVMBuildAdd(e->b, first, emit_word(e, lane * (uint32_t)stride), "");
        row[lane] = access_plain(e, type, access_host(e, at, i->imm));
    }
    transpose(e, row, HALF);
    for (unsigned w = 0; w < e->bundle; w++)
        value_write(e, isa_dsts(e->k, i)[0], w,
                    value_of(KIND_VARYING, (enum isa_type)i->type,
                             access_joined(e, row[2 * w], row[2 * w + 1])));
}

/* The whole bundle's load, likewise. */
LLVMBasicBlockRef transposed_load(struct emitter *e) {
    if (!may_load(e)) return NULL;
    isa_operand reg = isa_srcs(e->k, e->inst)[0];
    LLVMValueRef first = value_read(e, reg, 0).v[0], misfits = emit_word(e, 0);
    for (unsigned n = 1; n < 2 * e->bundle; n++) {
        struct warp_value v = value_read(e, reg, n / 2);
        LLVMValueRef off = LLVMBuildSub(e->b, v.v[n % 2], first, "");
        off = LLVMBuildXor(e->b, off, emit_word(e, WORD * n), "");
        misfits = LLVMBuildOr(e->b, misfits, off, "");
    }
    LLVMBasicBlockRef columns = emit_block(e, "columns"), rows = emit_block(e, ""),
                      after = emit_block(e, "");
    LLVMValueRef good = LLVMBuildICmp(e->b, LLVMIntEQ, misfits, emit_word(e, 0), "");
    LLVMBuildCondBr(e->b, good, columns, rows);
    LLVMPositionBuilderAtEnd(e->b, columns);
    get_all(e, first, e->shape->regs[reg].stride);
    LLVMBuildBr(e->b, after);
    LLVMPositionBuilderAtEnd(e->b, rows);
    return after;
}
