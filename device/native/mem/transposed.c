/* Accesses of several warps whose lanes lie far apart, while what one lane moves in one row of the
 * work-group lies beside what it moves in the next, as where a matrix is transposed. That is tested
 * at run time; then columns are stored, or loaded, each at once. */
#include "device/analysis/columns.h"
#include "device/native/instructions.h"
#include "device/native/masks.h"
#include "device/native/mem/accesses.h"
#include "device/native/value.h"

enum { HALF = ISA_WARP / 2, WORD = 4 };

/* ---- which accesses ---- */

/* Rows are half-warps. */
static bool in_halves(const struct plan *plan) { return plan->request->local_size[0] == HALF; }

/* For the log: lanes access words that do not lie beside each other. */
static bool lies_apart(const struct plan *plan, const struct isa_inst *i) {
    if ((i->op != ISA_ld && i->op != ISA_st) || i->space != ISA_GLOBAL) return false;
    isa_operand at = isa_srcs(plan->k, i)[0];
    return isa_is_reg(at) && plan_kind(plan, at) == KIND_VARYING;
}

static const char *why_not(const struct plan *plan, const struct isa_inst *i) {
    uint32_t row = plan->request->local_size[0];
    if (!columns_word(i)) return "it is no access to one word";
    if (plan_get(plan, loaded)->of.loaded[isa_srcs(plan->k, i)[0]])
        return "the address comes from memory";
    if (row != HALF && row != ISA_WARP) return "rows of the work-group are no half-warps or warps";
    if (plan_get(plan, addresses)->known.of[i - plan->k->insts]) return "its rows are known";
    return "the bundle has not as many rows as lanes";
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
        const struct localwords *known = &plan_get(plan, addresses)->known;
        bool fits = i->op == ISA_st || 2 * bundle == HALF;
        of[n] = (plan_get(plan, columns)->of[n] && !known->of[n] && fits) || known->columns[n];
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

/* ---- local memory, of which it is known where columns lie ---- */

struct known_columns {
    unsigned step, rows, beside; /* beside: columns in 16 words */
};

/* What half-warp `half` of the bundle stores. */
static LLVMValueRef stored_half(struct emitter *e, unsigned half) {
    struct warp_value v = value_stored(e, isa_srcs(e->k, e->inst)[1], half / 2);
    return value_half(e, value_vector(e, &v), half % 2);
}

static void put_known(struct emitter *e, const struct known_columns *k) {
    for (unsigned first = 0; first < k->step; first++) {
        LLVMValueRef row[HALF];
        for (unsigned r = 0; r < k->rows; r++) row[r] = stored_half(e, first + r * k->step);
        riffle_rows(e, row, k->rows);
        for (unsigned c = 0; c < HALF; c++) {
            LLVMValueRef column = value_part(e, row[c / k->beside], k->rows, c % k->beside);
            access_mark(e, LLVMBuildStore(e->b, column, localrows_place(e, first * HALF + c)));
        }
    }
}

static void get_known(struct emitter *e, const struct known_columns *k) {
    enum isa_type type = (enum isa_type)e->inst->type;
    LLVMTypeRef column = LLVMVectorType(e->c->scalar[type], k->rows);
    LLVMValueRef half[2 * PLAN_WARPS];
    for (unsigned first = 0; first < k->step; first++) {
        LLVMValueRef row[HALF], part[HALF];
        for (unsigned r = 0; r < k->rows; r++) {
            for (unsigned c = 0; c < k->beside; c++)
                part[c] =
                    access_plain(e, column, localrows_place(e, first * HALF + r * k->beside + c));
            for (unsigned n = k->beside; n > 1; n /= 2)
                for (unsigned c = 0; c < n / 2; c++)
                    part[c] = value_picked(e, part[2 * c], part[2 * c + 1], 0, 1, 2 * HALF / n);
            row[r] = part[0];
        }
        riffle_back(e, row, k->rows);
        for (unsigned r = 0; r < k->rows; r++) half[first + r * k->step] = row[r];
    }
    for (unsigned w = 0; w < plan_bundle(e->plan); w++)
        value_write(e, isa_dsts(e->k, e->inst)[0], w,
                    value_of(KIND_VARYING, type, value_joined(e, half[2 * w], half[2 * w + 1])));
}

static bool emit_known(struct emitter *e) {
    const struct localwords *known = &plan_get(e->plan, addresses)->known;
    if (!known->columns[e->i] || e->rows_off) return false;
    struct known_columns k = {.step = known->columns[e->i]};
    k.rows = localwords_column(known, e->i, e->plan->items);
    k.beside = HALF / k.rows;
    (e->inst->op == ISA_ld ? get_known : put_known)(e, &k);
    return true;
}

/* ---- both ---- */

bool transposed_emit(struct emitter *e, struct ways *y) {
    if (!applies(e)) return false;
    if (plan_get(e->plan, addresses)->known.of[e->i]) return emit_known(e);
    bool load = e->inst->op == ISA_ld, halves = in_halves(e->plan);
    unsigned rows = (halves ? 2 : 1) * plan_bundle(e->plan);
    isa_operand reg = isa_srcs(e->k, e->inst)[0];
    struct warp_value first = value_read(e, reg, 0);
    LLVMValueRef at = value_vector(e, &first), good = straight(e, reg, halves);
    /* Columns that lie in one another are written in any order. */
    if (!load && first.kind == KIND_VARYING)
        good = LLVMBuildAnd(e->b, good,
                            access_in_order(e, at, halves ? HALF : ISA_WARP, WORD * rows), "");
    ways_if(e, y, good, "columns");
    if (load)
        get_all(e, at);
    else
        put_all(e, at);
    ways_else(e, y, NULL, 0);
    return false;
}
