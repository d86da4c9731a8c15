/* Accesses of several warps whose lanes lie far apart, while what one lane moves in one row of the
 * work-group lies beside what it moves in the next, as where a matrix is transposed. That is tested
 * at run time; then columns are stored, or loaded, each at once. */
#include <stdlib.h>

#include "device/analysis/tiles.h"
#include "device/native/instructions.h"
#include "device/native/masks.h"
#include "device/native/mem/accesses.h"
#include "device/native/value.h"

enum { HALF = ISA_WARP / 2, WORD = 4, MOST_STEP = 1 << 26 /* 32 of them do not wrap */ };

/* ---- which accesses ---- */

static bool is_word(const struct isa_inst *i) {
    return i->count == 1 && isa_type_size[i->type] == WORD && i->space != ISA_PRIVATE &&
           i->space != ISA_PARAM;
}

/* Rows are half-warps. */
static bool in_halves(const struct plan *plan) { return plan->request->local_size[0] == HALF; }

/* Lanes lie apart, by ids alone: at any distance, or at one that is known. */
static bool may_be_column(const struct plan *plan, isa_operand at) {
    if (!isa_is_reg(at)) return false;
    if (plan_kind(plan, at) == KIND_VARYING) return !plan_get(plan, loaded)->of.loaded[at];
    int32_t stride = plan_stride(plan, at);
    return plan_kind(plan, at) == KIND_HALVES && in_halves(plan) &&
           stride >= (int32_t)(WORD * HALF) && stride <= MOST_STEP;
}

/* Rows of the work-group are half-warps or warps. */
static bool may_store(const struct plan *plan, const struct isa_inst *i) {
    const uint32_t *size = plan->request->local_size;
    return i->op == ISA_st && is_word(i) && (size[0] == HALF || size[0] == ISA_WARP) &&
           size[1] > 1 && may_be_column(plan, isa_srcs(plan->k, i)[0]);
}

/* Half-warps are rows, of which there may be as many in a bundle as lanes. */
static bool may_load(const struct plan *plan, const struct isa_inst *i) {
    return i->op == ISA_ld && is_word(i) && in_halves(plan) &&
           plan->request->local_size[1] >= HALF && may_be_column(plan, isa_srcs(plan->k, i)[0]) &&
           plan_kind(plan, isa_dsts(plan->k, i)[0]) == KIND_VARYING;
}

/* For the log: lanes access words that do not lie beside each other. */
static bool lies_apart(const struct plan *plan, const struct isa_inst *i) {
    if ((i->op != ISA_ld && i->op != ISA_st) || i->space != ISA_GLOBAL) return false;
    isa_operand at = isa_srcs(plan->k, i)[0];
    return isa_is_reg(at) && plan_kind(plan, at) == KIND_VARYING;
}

static const char *why_not(const struct plan *plan, const struct isa_inst *i) {
    uint32_t row = plan->request->local_size[0];
    if (!is_word(i)) return "it is no access to one word";
    if (plan_get(plan, loaded)->of.loaded[isa_srcs(plan->k, i)[0]])
        return "the address comes from memory";
    if (row != HALF && row != ISA_WARP) return "rows of the work-group are no half-warps or warps";
    if (plan_get(plan, addresses)->known.of[i - plan->k->insts]) return "its rows are known";
    return "the bundle has not as many rows as lanes";
}

/* Each lane accesses the word before or behind, too, which in a column is another row's. */
static bool has_neighbour(const struct isa_kernel *k, uint32_t n) {
    enum { NEAR = 32 }; /* instructions between the two */
    const struct isa_inst *i = &k->insts[n];
    for (uint32_t m = n < NEAR ? 0 : n - NEAR; m < k->ninsts && m <= n + NEAR; m++) {
        const struct isa_inst *other = &k->insts[m];
        if (other->op != i->op || other->space != i->space || !is_word(other)) continue;
        int64_t far = (int64_t)other->imm - i->imm;
        if (isa_srcs(k, other)[0] == isa_srcs(k, i)[0] && (far == WORD || far == -WORD))
            return true;
    }
    return false;
}

/* A load that is none would have its address tested in vain, so that it has to look like one. */
bool transposed_find(struct plan *plan) {
    uint8_t *of = plan->columns.of = plan_of_instructions(plan, 1);
    uint8_t *scaled = of ? tiles_columns(plan->k) : NULL;
    for (uint32_t n = 0; scaled && n < plan->k->ninsts && !plan_off(plan, PLAN_transposed); n++) {
        const struct isa_inst *i = &plan->k->insts[n];
        of[n] =
            (may_store(plan, i) || (scaled[n] && may_load(plan, i))) && !has_neighbour(plan->k, n);
    }
    free(scaled);
    return scaled;
}

bool transposed_plan(struct plan *plan) {
    unsigned bundle = plan_bundle(plan);
    uint8_t *of = plan->transposed.of = plan_of_instructions(plan, 1);
    if (!of || plan_off(plan, PLAN_transposed)) return of;
    unsigned rows = plan->request->local_size[0] == HALF ? 2 * bundle : bundle;
    if (bundle == 1 || bundle & (bundle - 1) || rows > HALF) {
        plan_tell(plan, PLAN_transposed, UINT32_MAX, "no: %u warps run in lockstep", bundle);
        return true;
    }
    for (uint32_t n = 0; n < plan->k->ninsts; n++) {
        const struct isa_inst *i = &plan->k->insts[n];
        bool fits = i->op == ISA_st || 2 * bundle == HALF;
        of[n] = plan_get(plan, columns)->of[n] && !plan_get(plan, addresses)->known.of[n] && fits;
        if (of[n])
            plan_tell(plan, PLAN_transposed, n, "%u warps at once", bundle);
        else if (lies_apart(plan, i))
            plan_tell(plan, PLAN_transposed, n, "no: %s", why_not(plan, i));
    }
    return true;
}

/* The cursor's instruction is one, and all lanes of all warps are here. */
static bool applies(const struct emitter *e) {
    return plan_get(e->plan, transposed)->of[e->i] && e->to - e->from == plan_bundle(e->plan) &&
           emit_full(e);
}

/* ---- stores ---- */

/* The columns of `rows` rows of 16; at: where each begins, from lane `first` on. */
static void put_columns(struct emitter *e, LLVMValueRef *row, unsigned rows, LLVMValueRef at,
                        unsigned first) {
    riffle_rows(e, row, rows);
    for (unsigned c = 0; c < HALF; c++) {
        LLVMValueRef from = row[c * rows / HALF];
        LLVMValueRef column = value_part(e, from, rows, c % (HALF / rows));
        LLVMValueRef to = LLVMBuildExtractElement(e->b, at, emit_word(e, first + c), "");
        to = access_host(e, to, e->inst->imm);
        if (rows == HALF) /* a line of the cache */
            access_put_row(e, column, to, NULL);
        else
            access_mark(e, LLVMBuildStore(e->b, column, to));
    }
}

static void put_all(struct emitter *e, LLVMValueRef at) {
    bool halves = in_halves(e->plan);
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
    LLVMValueRef step = LLVMBuildSub(e->b, value_shuffled(e, at, NULL, pick, ISA_WARP),
                                     value_shuffled(e, at, NULL, from, ISA_WARP), "");
    step = LLVMBuildSub(e->b, step, emit_splat(e, emit_word(e, WORD * rows)), "");
    return LLVMBuildICmp(e->b, LLVMIntUGT, step, emit_splat(e, emit_word(e, MOST_STEP)), "");
}

/* Whether rows follow one another word by word, as an i1. Of addresses that are at a known
 * distance one lane tells of all. */
static LLVMValueRef straight(struct emitter *e, isa_operand reg, bool halves) {
    struct warp_value first = value_read(e, reg, 0);
    bool known = first.kind == KIND_HALVES;
    LLVMValueRef at = first.v[0], misfits = NULL, pick[ISA_WARP], by[ISA_WARP];
    for (unsigned i = 0; i < ISA_WARP; i++) pick[i] = emit_word(e, i % HALF);
    if (halves && !known) at = value_shuffled(e, at, NULL, pick, ISA_WARP);
    for (unsigned n = 0; n < (known ? 2 : 1) * plan_bundle(e->plan); n++) {
        unsigned w = known ? n / 2 : n;
        LLVMValueRef own = value_read(e, reg, w).v[known ? n % 2 : 0], follows;
        for (unsigned i = 0; i < ISA_WARP; i++)
            by[i] = emit_word(e, WORD * (halves ? 2 * w + i / HALF : w));
        follows = known ? emit_word(e, WORD * n) : LLVMConstVector(by, ISA_WARP);
        LLVMValueRef off = LLVMBuildXor(e->b, LLVMBuildSub(e->b, own, at, ""), follows, "");
        misfits = misfits ? LLVMBuildOr(e->b, misfits, off, "") : off;
    }
    misfits = LLVMBuildICmp(e->b, LLVMIntNE, misfits, LLVMConstNull(LLVMTypeOf(misfits)), "");
    return known ? LLVMBuildNot(e->b, misfits, "") : masks_none(e, misfits);
}

/* ---- loads ---- */

/* The columns, one for each lane, and from them what each warp's lanes read. */
static void get_all(struct emitter *e, LLVMValueRef at) {
    const struct isa_inst *i = e->inst;
    LLVMTypeRef type = LLVMVectorType(e->c->scalar[i->type], HALF);
    LLVMValueRef row[2 * PLAN_WARPS];
    for (unsigned lane = 0; lane < HALF; lane++) {
        LLVMValueRef from = LLVMBuildExtractElement(e->b, at, emit_word(e, lane), "");
        row[lane] = access_plain(e, type, access_host(e, from, i->imm));
    }
    riffle_rows(e, row, HALF);
    for (unsigned w = 0; w < plan_bundle(e->plan); w++)
        value_write(e, isa_dsts(e->k, i)[0], w,
                    value_of(KIND_VARYING, (enum isa_type)i->type,
                             value_joined(e, row[2 * w], row[2 * w + 1])));
}

/* ---- both ---- */

void transposed_emit(struct emitter *e, struct ways *y) {
    if (!applies(e)) return;
    bool load = e->inst->op == ISA_ld, halves = in_halves(e->plan);
    isa_operand reg = isa_srcs(e->k, e->inst)[0];
    struct warp_value first = value_read(e, reg, 0);
    LLVMValueRef at = value_vector(e, &first), good = straight(e, reg, halves);
    if (!load && first.kind == KIND_VARYING)
        good = LLVMBuildAnd(e->b, good, masks_none(e, entangled(e, at, halves)), "");
    ways_if(e, y, good, "columns");
    if (load)
        get_all(e, at);
    else
        put_all(e, at);
    ways_else(e, y, NULL, 0);
}
