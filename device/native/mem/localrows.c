/* Accesses to local memory whose addresses device/analysis/localwords.h knows: whole rows of 32
 * words are loaded and stored, and the lanes shuffled. No other thread sees the group's local
 * memory, so a row may be read, changed and written; and what one access stores LLVM can hand to
 * the next. */
#include "device/native/mem/accesses.h"
#include "device/costs/opcosts.h"
#include "device/native/value.h"

enum { WORD = LOCALWORDS_WORD, ROW = LOCALWORDS_ROW };

static struct localwords_lanes component(const struct emitter *e, unsigned w, unsigned c) {
    return localwords_lanes(&plan_get(e->plan, addresses)->known, e->i, w, c);
}

/* The argument for parameter p, which is local memory, as the function's beginning reads it. */
static LLVMValueRef argument(struct emitter *e, uint32_t p) {
    LLVMValueRef v = emit_early(e, e->c->word, e->c->params, e->k->params[p].offset, "argument");
    LLVMSetAlignment(v, 1);
    return emit_within_half(e, v);
}

/* Where rows are counted from, by localwords.param: one pointer, so LLVM sees that rows lie apart.
 */
static LLVMValueRef rows_of(struct emitter *e, uint32_t param) {
    LLVMValueRef *rows = &e->c->local_rows[param], at;
    if (*rows) return *rows;
    at = param ? argument(e, param - 1) : emit_of_run(e, local_base, e->c->word);
    at = LLVMBuildSExt(e->c->entry_end, at, e->c->wide, "");
    *rows = LLVMBuildGEP2(e->c->entry_end, e->c->scalar[ISA_I8], e->base, &at, 1, "rows");
    return *rows;
}

static LLVMValueRef address(struct emitter *e, int32_t row) {
    return emit_inside(e, rows_of(e, plan_get(e->plan, addresses)->known.param[e->i]),
                       (int64_t)row * ROW);
}

/* Local memory begins at a multiple of a row, and has whole ones: a row may reach beyond what is
 * used of it. */
LLVMValueRef localrows_fit(struct emitter *e) {
    LLVMValueRef all = NULL, base = emit_of_run(e, local_base, e->c->word);
    LLVMValueRef bytes = emit_of_run(e, local_bytes, e->c->word);
    bytes = LLVMBuildAdd(e->b, bytes, emit_word(e, ROW - 1), "");
    bytes = LLVMBuildAnd(e->b, bytes, emit_word(e, ~(uint32_t)(ROW - 1)), "");
    for (uint32_t p = 0; p < e->k->nparams; p++) {
        uint32_t end = plan_get(e->plan, addresses)->known.ends[p];
        if (!end) continue;
        LLVMValueRef last = LLVMBuildSub(e->b, argument(e, p), base, "");
        last = LLVMBuildAdd(e->b, last, emit_word(e, end), "");
        LLVMValueRef fits = LLVMBuildICmp(e->b, LLVMIntULE, last, bytes, "");
        all = all ? LLVMBuildAnd(e->b, all, fits, "") : fits;
    }
    return all;
}

void localrows_forget(struct emitter *e) {
    const uint32_t *used = plan_get(e->plan, addresses)->known.used;
    LLVMValueRef row = LLVMConstInt(e->c->wide, ROW, false);
    if (plan_bundle(e->plan) < e->plan->warps || e->k->probed || e->plan->plain) return;
    for (uint32_t p = 0; p <= e->k->nparams; p++)
        for (uint32_t at = 0; at < used[p]; at += ROW)
            LLVMBuildMemSet(e->b, emit_inside(e, rows_of(e, p), at),
                            LLVMConstNull(e->c->scalar[ISA_I8]), row, 1);
}

bool localrows_known(const struct emitter *e) {
    const struct localwords *known = &plan_get(e->plan, addresses)->known;
    return !e->rows_off && known->of[e->i] && !known->columns[e->i];
}

LLVMValueRef localrows_place(struct emitter *e, uint32_t item) {
    const struct localwords *known = &plan_get(e->plan, addresses)->known;
    return emit_inside(e, rows_of(e, known->param[e->i]), known->of[e->i][item]);
}

static LLVMValueRef row_load(struct emitter *e, int32_t row) {
    return value_get(e, e->c->vector[ISA_I32], address(e, row), WORD);
}

/* ---- loads ---- */

static LLVMValueRef load_component(struct emitter *e, const struct localwords_lanes *l) {
    LLVMValueRef all = NULL;
    for (int32_t row = localwords_next_row(l, -1); row >= 0; row = localwords_next_row(l, row)) {
        LLVMValueRef here = row_load(e, row);
        uint32_t from[ISA_WARP];
        localwords_read(l, row, all, from);
        all = value_shuffled(e->b, all ? all : here, here, from, ISA_WARP);
    }
    return all ? all : LLVMConstNull(e->c->vector[ISA_I32]);
}

/* ---- stores ---- */

/* What `row` becomes. */
static LLVMValueRef changed(struct emitter *e, const struct localwords_lanes *l, int32_t row,
                            LLVMValueRef v) {
    uint32_t from[ISA_WARP];
    bool whole = localwords_written(l, row, from);
    return value_shuffled(e->b, whole ? v : row_load(e, row), v, from, ISA_WARP);
}

static void store_component(struct emitter *e, const struct localwords_lanes *l, unsigned w,
                            LLVMValueRef v) {
    v = LLVMBuildBitCast(e->b, v, e->c->vector[ISA_I32], "");
    if (!emit_full(e)) /* of lanes that are off what is there; often it was just read */
        v = LLVMBuildSelect(e->b, emit_mask(e, w), v, load_component(e, l), "");
    for (int32_t row = localwords_next_row(l, -1); row >= 0; row = localwords_next_row(l, row))
        value_put(e, changed(e, l, row, v), address(e, row), WORD);
}

/* ---- half-warps whose lanes lie side by side ---- */

static void move_halves(struct emitter *e, unsigned w) {
    bool load = e->inst->op == ISA_ld;
    struct access_rows r = {.lanes = ISA_WARP / 2};
    LLVMValueRef v;
    if (!load) access_read_sources(e, w, &v);
    for (unsigned h = 0; h < 2; h++) {
        uint32_t item = w * ISA_WARP + h * ISA_WARP / 2;
        if (plan_get(e->plan, addresses)->known.of[e->i][item] < 0) continue;
        r.at[h] = localrows_place(e, item);
        if (!emit_full(e)) r.on[h] = value_half(e, emit_mask(e, w), h);
    }
    pieces_rows(e, &r, &v);
    if (load) access_write_results(e, w, &v);
}

/* One word for the warp, taken from its row: it is often there, as it was just stored. */
static void load_word(struct emitter *e, unsigned w) {
    struct localwords_lanes l = component(e, w, 0);
    uint32_t at = 0;
    for (unsigned lane = 0; lane < ISA_WARP; lane++)
        if (l.at[lane] >= 0) at = (uint32_t)l.at[lane];
    LLVMValueRef v = row_load(e, (int32_t)(at / ROW)), word = emit_word(e, at % ROW / WORD);
    v = LLVMBuildExtractElement(e->b, v, word, "");
    value_result(e, 0, w, LLVMBuildBitCast(e->b, v, e->c->scalar[e->inst->type], ""));
}

void localrows_emit(struct emitter *e, unsigned w) {
    bool load = e->inst->op == ISA_ld;
    LLVMValueRef v[16];
    if (load && plan_operand_kind(e->plan, isa_srcs(e->k, e->inst)[0]) == KIND_UNIFORM) {
        load_word(e, w);
        return;
    }
    if (plan_get(e->plan, addresses)->known.halves[e->i]) {
        move_halves(e, w);
        return;
    }
    if (!load) access_read_sources(e, w, v);
    for (unsigned c = 0; c < e->inst->count; c++) {
        struct localwords_lanes l = component(e, w, c);
        if (load)
            v[c] = LLVMBuildBitCast(e->b, load_component(e, &l), e->c->vector[e->inst->type], "");
        else
            store_component(e, &l, w, v[c]);
    }
    if (load) access_write_results(e, w, v);
}

/* ---- plan ---- */

/* Plain rows are as good the other way; and what is written in rows is read slowly otherwise. */
bool localrows_plan(struct plan *plan) {
    enum { FEW = 4 };
    const struct isa_kernel *k = plan->k;
    struct localwords *known = &plan->addresses.known;
    if (!localwords_begin(known, k)) return false;
    if (plan->request->level == NATIVE_BASELINE || plan->tail || plan_bundle(plan) != plan->warps ||
        !plan->local || plan_off(plan, PLAN_addresses))
        return true;
    bool twice = 2 * plan_get(plan, effort)->time <= LIMIT_ENLARGED; /* the code would be there */
    if (!localwords_find(known, k, plan_shape(plan), plan->request->local_size, twice))
        return false;
    const char *why = known->mixed ? NULL : "the lanes of no access are shuffled";
    if (known->other > known->found / FEW) why = "too few addresses are known";
    if (why)
        plan_tell(plan, PLAN_addresses, UINT32_MAX, "no: %s", why);
    else
        plan_tell(plan, PLAN_addresses, UINT32_MAX, "%u accesses", known->found);
    if (why) localwords_forget(known);
    return true;
}
