/* Stores that go past the caches. What a launch writes in rows, once, and does not read, is worth
 * no place there when it is more than the caches hold: the lines need not be fetched first. Which
 * stores those are device/analysis/rowstores.h knows; how much a launch writes, when it starts
 * (tier.c). */
#include "device/isa/compare.h"
#include "device/native/mem/accesses.h"
#include "device/native/value.h"

enum { LINE = 64 }; /* bytes of a line of the cache */

bool stream_plan(struct plan *plan) {
    struct plan_streams *s = &plan->streams;
    struct rowstores_finder f = {.k = plan->k,
                                 .shape = plan_shape(plan),
                                 .columns = plan_get(plan, columns)->of,
                                 .regions = &plan_get(plan, regions)->of,
                                 .loops = &plan_get(plan, row_loops)->of,
                                 .provenance = plan_get(plan, provenance)->of};
    const char **about = plan_of_instructions(plan, sizeof *about);
    s->of = plan_of_instructions(plan, 1);
    if (plan_off(plan, PLAN_streams)) return true;
    if (!rowstores_find(&f, s->of, about, &s->bytes)) return false;
    for (uint32_t n = 0; n < plan->k->ninsts; n++)
        if (about[n]) plan_tell(plan, PLAN_streams, n, "%s%s", s->of[n] ? "" : "no: ", about[n]);
    return true;
}

/* ---- how registers grow ---- */

/* What the first warp's first lane has. */
static LLVMValueRef first_of(struct emitter *e, isa_operand o) {
    struct warp_value v = value_read(e, o, e->from);
    return value_piece(e, &v, 0);
}

/* By how much an i32 that instruction `at` reads is greater in the next iteration, as the code
 * before the loop has it; or NULL. */
static LLVMValueRef growth(struct emitter *e, uint32_t loop, isa_operand o, uint32_t at) {
    const struct loops *l = plan_loops(e->plan);
    struct loop_counter c;
    uint32_t by, n = loops_writer(l, o, loop);
    bool behind;
    if (loops_grows(l, e->k, o, loop, at, &by, &behind)) return emit_word(e, by);
    if (n < LOOPS_NONE && loops_step(l, e->k, n, &c) && !loops_varies(l, c.step, loop)) {
        LLVMValueRef step = first_of(e, c.step);
        return c.down ? LLVMBuildNeg(e->b, step, "") : step;
    }
    if ((n = loops_written(l, o, loop, at)) == LOOPS_NONE) return NULL;
    const struct isa_inst *i = &e->k->insts[n];
    const isa_operand *s = isa_srcs(e->k, i);
    bool sum = i->op == ISA_add || i->op == ISA_sub, product = i->op == ISA_shl || i->op == ISA_mul;
    if (i->type != ISA_I32 || !(sum || product) || (product && loops_varies(l, s[1], loop)))
        return NULL;
    LLVMValueRef x = growth(e, loop, s[0], n),
                 y = product ? first_of(e, s[1]) : growth(e, loop, s[1], n);
    if (!x || !y) return NULL;
    if (sum) return LLVMBuildBinOp(e->b, i->op == ISA_add ? LLVMAdd : LLVMSub, x, y, "");
    if (i->op == ISA_mul) return LLVMBuildMul(e->b, x, y, "");
    return LLVMBuildShl(e->b, x, LLVMBuildAnd(e->b, y, emit_word(e, 31), ""), "");
}

/* The iterations that are to come, about, as an f64, where a counter goes to a limit; or NULL. */
static LLVMValueRef iterations_ahead(struct emitter *e, uint32_t loop, uint32_t test) {
    const struct isa_kernel *k = e->k;
    uint32_t n = loops_compare(plan_loops(e->plan), k, test);
    if (n == LOOPS_NONE || k->insts[n].type2 != ISA_I32) return NULL;
    const struct isa_inst *i = &k->insts[n];
    bool is_signed = compare_is_signed(i->op);
    LLVMTypeRef real = e->c->scalar[ISA_F64];
    LLVMValueRef v[2], by[2];
    for (unsigned s = 0; s < 2; s++) {
        isa_operand o = isa_srcs(k, i)[s];
        /* it has another value before the loop */
        if (loops_writer(plan_loops(e->plan), o, loop) < test) return NULL;
        by[s] = growth(e, loop, o, n);
        if (!by[s]) return NULL;
        v[s] = first_of(e, o);
        v[s] = is_signed ? LLVMBuildSIToFP(e->b, v[s], real, "")
                         : LLVMBuildUIToFP(e->b, v[s], real, "");
    }
    LLVMValueRef way = LLVMBuildFSub(e->b, v[1], v[0], "");
    LLVMValueRef step = LLVMBuildSub(e->b, by[0], by[1], "");
    return LLVMBuildFDiv(e->b, way, LLVMBuildSIToFP(e->b, step, real, ""), "");
}

/* ---- stores past the caches ---- */

static LLVMValueRef bytes(struct emitter *e, double n) {
    return LLVMConstReal(e->c->scalar[ISA_F64], n);
}

/* Whether what the loop stores in rows is to go past the caches, as an i1: the launch's work-items
 * write much in it, and no iteration the lines of the iteration before. NULL: it stores nothing so.
 */
static LLVMValueRef past(struct emitter *e, uint32_t begin, uint32_t test) {
    const struct isa_kernel *k = e->k;
    LLVMValueRef all = NULL, written;
    uint32_t each = 0, loop = loops_at(plan_loops(e->plan), begin);
    for (uint32_t n = begin + 1; n < k->insts[begin].match; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (i->op == ISA_loop) n = i->match; /* which iterations of its own store in */
        if (!plan_get(e->plan, streams)->of[n]) continue;
        uint32_t size = isa_bytes(i);
        LLVMValueRef by = growth(e, loop, isa_srcs(k, i)[0], n);
        if (!by) return NULL;
        by = emit_intrinsic(e, "llvm.abs", by, LLVMConstInt(e->c->scalar[ISA_PRED], 0, false));
        by = emit_compare(e, LLVMIntUGE, by, size * ISA_WARP);
        all = all ? LLVMBuildAnd(e->b, all, by, "") : by;
        each += size;
    }
    if (!all) return NULL;
    written = iterations_ahead(e, loop, test);
    if (!written) return NULL;
    written = LLVMBuildFMul(e->b, written, bytes(e, each), "");
    for (unsigned d = 0; d < 3; d++) {
        size_t field = offsetof(struct native_run, special) + 4 * (ISA_SPECIAL_global_size_x + d);
        LLVMValueRef size = emit_field(e, field, e->c->word, "global_size");
        size = LLVMBuildUIToFP(e->b, size, e->c->scalar[ISA_F64], "");
        written = LLVMBuildFMul(e->b, written, size, "");
    }
    LLVMValueRef much =
        LLVMBuildFCmp(e->b, LLVMRealOGE, written, bytes(e, NATIVE_STREAM_BYTES), "");
    return LLVMBuildAnd(e->b, all, much, "");
}

LLVMValueRef stream_loop(struct emitter *e, uint32_t begin, uint32_t test) {
    LLVMValueRef does = past(e, begin, test);
    if (!does) return NULL;
    LLVMValueRef field = emit_inside(e, e->c->run, offsetof(struct native_run, passed));
    LLVMValueRef before = LLVMBuildLoad2(e->b, e->c->word, field, "");
    LLVMValueRef now = LLVMBuildOr(e->b, before, LLVMBuildZExt(e->b, does, e->c->word, ""), "");
    LLVMBuildStore(e->b, now, field);
    return LLVMBuildSExt(e->b, LLVMBuildNot(e->b, does, ""), e->c->word, "");
}

/* ---- the stores ---- */

/* The row begins a line, all its lanes are on, and the launch is large. on: lanes, or NULL: all. */
static LLVMValueRef fits(struct emitter *e, LLVMValueRef at, LLVMValueRef on) {
    LLVMValueRef cached = e->cached;
    if (plan_get(e->plan, streams)->of[e->i] == ROWSTORE_ONCE)
        cached = emit_of_run(e, cached, e->c->word);
    LLVMValueRef low =
        LLVMBuildTrunc(e->b, LLVMBuildPtrToInt(e->b, at, e->c->wide, ""), e->c->word, "");
    low = LLVMBuildAnd(e->b, LLVMBuildOr(e->b, low, cached, ""), emit_word(e, LINE - 1), "");
    LLVMValueRef begins = emit_compare(e, LLVMIntEQ, low, 0);
    if (!on) return begins;
    LLVMTypeRef bits = LLVMIntTypeInContext(e->c->context, LLVMGetVectorSize(LLVMTypeOf(on)));
    LLVMValueRef all = LLVMBuildICmp(e->b, LLVMIntEQ, LLVMBuildBitCast(e->b, on, bits, ""),
                                     LLVMConstAllOnes(bits), "");
    return LLVMBuildAnd(e->b, begins, all, "");
}

void stream_put(struct emitter *e, struct ways *y, LLVMValueRef v, LLVMValueRef at,
                LLVMValueRef on) {
    if (!plan_get(e->plan, streams)->of[e->i]) return;
    if (plan_get(e->plan, streams)->of[e->i] == ROWSTORE_LOOP && !e->cached) return;
    ways_if(e, y, fits(e, at, on), "past");
    LLVMValueRef store = LLVMBuildStore(e->b, v, at);
    LLVMSetAlignment(store, LINE);
    LLVMMetadataRef one = LLVMValueAsMetadata(emit_word(e, 1));
    emit_metadata(e, store, "nontemporal", &one, 1);
    ways_else(e, y, NULL, 0);
}
