/* Accesses of several warps whose lanes lie far apart, while what one lane moves in one row of the
 * work-group lies beside what it moves in the next, as where a matrix is transposed. That is tested
 * at run time; then columns are stored, or loaded, each at once. */
#include "device/analysis/columns.h"
#include "device/native/mem/accesses.h"
#include "device/native/value.h"

enum { HALF = ISA_WARP / 2, WORD = 4 };

/* ---- which accesses ---- */

/* Rows are half-warps. */
static bool in_halves(const struct plan *plan) { return plan->request->local_size[0] == HALF; }

bool transposed_plan(struct plan *plan) {
    unsigned bundle = plan_bundle(plan);
    uint8_t *of = plan->transposed.of = plan_of_instructions(plan, 1);
    if (plan_off(plan, PLAN_transposed)) return true;
    unsigned rows = plan->request->local_size[0] == HALF ? 2 * bundle : bundle;
    if (bundle == 1 || bundle & (bundle - 1) || rows > HALF) {
        plan_tell(plan, PLAN_transposed, UINT32_MAX, "no: %u warps run in lockstep", bundle);
        return true;
    }
    for (uint32_t n = 0; n < plan->k->ninsts; n++) {
        const struct isa_inst *i = &plan->k->insts[n];
        const struct localwords *known = &plan_get(plan, addresses)->known;
        const char *why =
            columns_refused(plan->k, n, plan_shape(plan), &plan_get(plan, neighbours)->of,
                            plan->request->local_size);
        bool fits = i->op == ISA_st || 2 * bundle == HALF;
        of[n] = (plan_get(plan, columns)->of[n] && !known->of[n] && fits) || known->columns[n];
        if (of[n])
            plan_tell(plan, PLAN_transposed, n, "%u warps at once", bundle);
        else if (why)
            plan_tell(plan, PLAN_transposed, n, "no: %s", why);
    }
    return true;
}

/* The cursor's instruction is one, and all lanes of all warps are here. */
static bool applies(const struct emitter *e) {
    return plan_get(e->plan, transposed)->of[e->i] && e->to - e->from == plan_bundle(e->plan) &&
           emit_full(e);
}

/* ---- moving columns ---- */

/* Lane l of half-warps `step` apart has a column, of `rows` words; `beside` of them are 16 words.
 */
struct column_set {
    unsigned step, rows, beside;
    LLVMValueRef at; /* where that of each lane begins; NULL: it is known, in local memory */
};

static LLVMValueRef place(struct emitter *e, const struct column_set *x, unsigned lane) {
    if (!x->at) return localrows_place(e, lane);
    LLVMValueRef at = LLVMBuildExtractElement(e->b, x->at, emit_word(e, lane), "");
    return access_host(e, at, e->inst->imm);
}

/* What half-warp `half` of the bundle stores. */
static LLVMValueRef stored_half(struct emitter *e, unsigned half) {
    struct warp_value v = value_stored(e, isa_srcs(e->k, e->inst)[1], half / 2);
    return value_half(e, value_vector(e, &v), half % 2);
}

static void put(struct emitter *e, const struct column_set *x) {
    for (unsigned first = 0; first < x->step; first++) {
        LLVMValueRef row[HALF];
        for (unsigned r = 0; r < x->rows; r++) row[r] = stored_half(e, first + r * x->step);
        riffle(e, row, x->rows, false);
        for (unsigned c = 0; c < HALF; c++) {
            LLVMValueRef column = value_part(e->b, row[c / x->beside], x->rows, c % x->beside);
            LLVMValueRef to = place(e, x, first * HALF + c);
            if (x->rows == HALF) { /* a line of the cache */
                access_put_row(e, column, to, NULL);
                continue;
            }
            access_ahead(e, LLVMTypeOf(column), to);
            access_mark(e, LLVMBuildStore(e->b, column, to));
        }
    }
}

/* The columns, and from them what each warp's lanes read. */
static void get(struct emitter *e, const struct column_set *x) {
    LLVMTypeRef column = LLVMVectorType(e->c->scalar[e->inst->type], x->rows);
    LLVMValueRef half[2 * PLAN_WARPS];
    for (unsigned first = 0; first < x->step; first++) {
        LLVMValueRef row[HALF], part[HALF];
        for (unsigned r = 0; r < x->rows; r++) {
            for (unsigned c = 0; c < x->beside; c++)
                part[c] = access_plain(e, column, place(e, x, first * HALF + r * x->beside + c));
            row[r] = value_chain(e->b, part, x->beside, x->rows);
        }
        /* With addresses there are as many rows as columns, of which both make the same: with AVX2
         * the one is faster there, the other in local memory. */
        riffle(e, row, x->rows, !x->at);
        for (unsigned r = 0; r < x->rows; r++) half[first + r * x->step] = row[r];
    }
    for (unsigned w = 0; w < plan_bundle(e->plan); w++)
        value_result(e, 0, w, value_joined(e, half[2 * w], half[2 * w + 1]));
}

static void move(struct emitter *e, unsigned step, LLVMValueRef at) {
    unsigned rows = 2 * plan_bundle(e->plan) / step;
    struct column_set x = {step, rows, HALF / rows, at};
    (e->inst->op == ISA_ld ? get : put)(e, &x);
}

/* ---- at run time ---- */

/* Whether rows follow one another word by word, as an i1. Of addresses that are at a known
 * distance one lane tells of all. */
static LLVMValueRef straight(struct emitter *e, isa_operand reg, bool halves) {
    struct warp_value first = value_read(e, reg, 0);
    bool known = first.kind == KIND_HALVES;
    LLVMValueRef at = first.v[0], misfits = NULL, by[ISA_WARP];
    uint32_t from[ISA_WARP];
    for (unsigned i = 0; i < ISA_WARP; i++) from[i] = i % HALF;
    if (halves && !known) at = value_shuffled(e->b, at, NULL, from, ISA_WARP);
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

bool transposed_emit(struct emitter *e, struct ways *y) {
    if (!applies(e)) return false;
    unsigned known = plan_get(e->plan, addresses)->known.columns[e->i];
    if (known && e->rows_off) return false;
    if (known) {
        move(e, known, NULL);
        return true;
    }
    bool halves = in_halves(e->plan);
    unsigned step = halves ? 1 : 2;
    isa_operand reg = isa_srcs(e->k, e->inst)[0];
    struct warp_value first = value_read(e, reg, 0);
    LLVMValueRef at = value_vector(e, &first), good = straight(e, reg, halves);
    /* Columns that lie in one another are written in any order. */
    if (e->inst->op == ISA_st && first.kind == KIND_VARYING)
        good = LLVMBuildAnd(e->b, good,
                            access_in_order(e, at, halves ? HALF : ISA_WARP,
                                            WORD * 2 * plan_bundle(e->plan) / step),
                            "");
    ways_if(e, y, good, "columns");
    move(e, step, at);
    ways_else(e, y, NULL, 0);
    return false;
}
