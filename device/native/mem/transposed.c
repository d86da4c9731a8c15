/* Accesses of several warps whose lanes lie far apart, while what one lane moves in one row of the
 * work-group lies beside what it moves in the next, as where a matrix is transposed. That is tested
 * at run time; then columns are stored, or loaded, each at once. */
#include "device/native/assisted.h"
#include "device/native/masks.h"
#include "device/native/mem/accesses.h"
#include "device/native/value.h"

enum { HALF = ISA_WARP / 2, WORD = 4, MOST_STEP = 1 << 26 /* 32 of them do not wrap */ };

/* ---- which accesses ---- */

static bool is_word(const struct isa_inst *i) {
    return i->count == 1 && isa_type_size[i->type] == WORD && !(i->flags & ISA_VOLATILE);
}

/* Rows of the work-group are half-warps or warps, and the addresses come from ids alone. */
static bool may_store(const struct plan *plan, const struct isa_inst *i) {
    const uint32_t *size = plan->request->local_size;
    if (i->op != ISA_st || i->space == ISA_PRIVATE || !is_word(i)) return false;
    isa_operand at = isa_srcs(plan->k, i)[0];
    return (size[0] == HALF || size[0] == ISA_WARP) && size[1] > 1 && isa_is_reg(at) &&
           plan_kind(plan, at) == KIND_VARYING && !plan_get(plan, loaded)->of[at];
}

/* Half-warps are rows, of which there are as many as lanes, and these an even distance apart, known
 * here, that is no shorter than a column. */
static bool may_load(const struct plan *plan, const struct isa_inst *i) {
    if (i->op != ISA_ld || i->space == ISA_PRIVATE || i->space == ISA_PARAM || !is_word(i) ||
        plan->request->local_size[0] != HALF || 2 * plan_bundle(plan) != HALF)
        return false;
    isa_operand at = isa_srcs(plan->k, i)[0];
    return isa_is_reg(at) && plan_kind(plan, at) == KIND_HALVES &&
           plan_kind(plan, isa_dsts(plan->k, i)[0]) == KIND_VARYING &&
           plan_stride(plan, at) >= (int32_t)(WORD * HALF);
}

/* For the log: lanes access words that do not lie beside each other. */
static bool lies_apart(const struct plan *plan, const struct isa_inst *i) {
    if ((i->op != ISA_ld && i->op != ISA_st) || i->space != ISA_GLOBAL) return false;
    isa_operand at = isa_srcs(plan->k, i)[0];
    return isa_is_reg(at) && plan_kind(plan, at) == KIND_VARYING;
}

static const char *why_not(const struct plan *plan, const struct isa_inst *i) {
    uint32_t row = plan->request->local_size[0];
    if (!is_word(i)) return "it is no access to one word, or volatile";
    if (plan_get(plan, loaded)->of[isa_srcs(plan->k, i)[0]]) return "the address comes from memory";
    if (row != HALF && row != ISA_WARP) return "rows of the work-group are no half-warps or warps";
    if (plan_get(plan, addresses)->of[i - plan->k->insts]) return "its rows are known";
    return "the distance of rows is not known";
}

bool transposed_find(struct plan *plan) {
    uint8_t *of = plan->columns.of = plan_of_instructions(plan, 1);
    for (uint32_t n = 0; of && n < plan->k->ninsts && !plan_off(plan, PLAN_transposed); n++)
        of[n] = may_store(plan, &plan->k->insts[n]);
    return of;
}

bool transposed_plan(struct plan *plan) {
    unsigned bundle = plan_bundle(plan);
    uint8_t *of = plan->transposed.of = plan_of_instructions(plan, 1);
    if (!of || plan_off(plan, PLAN_transposed)) return of;
    if (bundle == 1 || bundle & (bundle - 1)) {
        plan_tell(plan, PLAN_transposed, UINT32_MAX, "no: %u warps run in lockstep", bundle);
        return true;
    }
    for (uint32_t n = 0; n < plan->k->ninsts; n++) {
        bool in_rows = plan_get(plan, addresses)->of[n];
        of[n] = (plan_get(plan, columns)->of[n] && !in_rows) || may_load(plan, &plan->k->insts[n]);
        if (of[n])
            plan_tell(plan, PLAN_transposed, n, "%u warps at once", bundle);
        else if (lies_apart(plan, &plan->k->insts[n]))
            plan_tell(plan, PLAN_transposed, n, "no: %s", why_not(plan, &plan->k->insts[n]));
    }
    return true;
}

/* The cursor's instruction is one, and all lanes of all warps are here. */
static bool applies(const struct emitter *e, enum isa_op op) {
    return e->inst->op == op && plan_get(e->plan, transposed)->of[e->i] &&
           e->to - e->from == plan_bundle(e->plan) && emit_full(e);
}

/* ---- stores ---- */

static LLVMValueRef shuffled(struct emitter *e, LLVMValueRef x, LLVMValueRef y, LLVMValueRef *pick,
                             unsigned n) {
    return LLVMBuildShuffleVector(e->b, x, y, LLVMConstVector(pick, n), "");
}

/* Riffles 2^n rows of 16 n times: what lay row by row then lies column by column. */
static void transpose(struct emitter *e, LLVMValueRef *row, unsigned rows) {
    LLVMValueRef low[HALF], high[HALF], next[2 * PLAN_WARPS];
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
    unsigned rows = halves ? 2 * plan_bundle(e->plan) : plan_bundle(e->plan);
    for (unsigned first = 0; first < (halves ? HALF : ISA_WARP); first += HALF) {
        LLVMValueRef row[2 * PLAN_WARPS];
        for (unsigned r = 0; r < rows; r++) {
            struct warp_value v = value_stored(e, isa_srcs(e->k, e->inst)[1], halves ? r / 2 : r);
            row[r] = value_half(e, value_vector(e, &v), halves ? r % 2 : first / HALF);
        }
        put_columns(e, row, rows, at, first);
    }
}

/* In each lane that the first row has: whether its column lies in that of the next lane, or behind
 * it. Otherwise they are written in any order. */
static LLVMValueRef entangled(struct emitter *e, LLVMValueRef at, bool halves) {
    unsigned columns = halves ? HALF : ISA_WARP,
             rows = halves ? 2 * plan_bundle(e->plan) : plan_bundle(e->plan);
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
    if (!applies(e, ISA_st)) return NULL;
    bool halves = e->request->local_size[0] == HALF;
    isa_operand reg = isa_srcs(e->k, e->inst)[0];
    LLVMValueRef at = value_read(e, reg, 0).v[0], above = at, misfits = NULL;
    LLVMValueRef pick[ISA_WARP], by[ISA_WARP];
    for (unsigned i = 0; i < ISA_WARP; i++) pick[i] = emit_word(e, i % HALF);
    if (halves) above = shuffled(e, at, LLVMGetPoison(LLVMTypeOf(at)), pick, ISA_WARP);
    for (unsigned w = 0; w < plan_bundle(e->plan); w++) {
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

/* The columns, one for each lane, and from them what each warp's lanes read. */
static void get_all(struct emitter *e, LLVMValueRef first, int32_t stride) {
    const struct isa_inst *i = e->inst;
    LLVMTypeRef type = LLVMVectorType(e->c->scalar[i->type], HALF);
    LLVMValueRef row[2 * PLAN_WARPS];
    for (unsigned lane = 0; lane < HALF; lane++) {
        LLVMValueRef at = LLVMBuildAdd(e->b, first, emit_word(e, lane * (uint32_t)stride), "");
        row[lane] = access_plain(e, type, access_host(e, at, i->imm));
    }
    transpose(e, row, HALF);
    for (unsigned w = 0; w < plan_bundle(e->plan); w++)
        value_write(e, isa_dsts(e->k, i)[0], w,
                    value_of(KIND_VARYING, (enum isa_type)i->type,
                             value_joined(e, row[2 * w], row[2 * w + 1])));
}

/* The whole bundle's load, likewise. */
LLVMBasicBlockRef transposed_load(struct emitter *e) {
    if (!applies(e, ISA_ld)) return NULL;
    isa_operand reg = isa_srcs(e->k, e->inst)[0];
    LLVMValueRef first = value_read(e, reg, 0).v[0], misfits = emit_word(e, 0);
    for (unsigned n = 1; n < 2 * plan_bundle(e->plan); n++) {
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
    get_all(e, first, plan_stride(e->plan, reg));
    LLVMBuildBr(e->b, after);
    LLVMPositionBuilderAtEnd(e->b, rows);
    return after;
}
