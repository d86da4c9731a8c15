/* Loops that lanes may leave one by one and mostly end together, as where a work-item goes through
 * an array with the stride of the whole range: as long as no lane leaves them all warps of a bundle
 * run each iteration in lockstep under full masks, so that what they touch lies side by side. What
 * is left each warp does for itself. */
#include "device/native/opcosts.h"
#include "device/native/assisted.h"
#include "device/native/masks.h"
#include "device/native/mem/accesses.h"
#include "device/native/opt/rewrites.h"
#include "device/native/probes.h"
#include "device/native/value.h"

#include <string.h>

enum {
    MOST_LEAF = 64,  /* instructions of a loop without regions; */
    MOST_CODE = 320, /* times warps */
    MOST_SUM = 8
};

/* ---- which loops ---- */

static bool plain(const struct isa_inst *i) {
    uint32_t flags = isa_op_info[i->op].flags;
    if (i->op == ISA_ld || i->op == ISA_st) return !(i->flags & ISA_VOLATILE);
    if (probes_is(i)) return true;
    return flags & ISA_OP_PURE && !(flags & ISA_OP_MATH);
}

/* Global memory in which a warp's lanes lie at even distances; side by side. */
static bool in_step(const struct plan *plan, const struct isa_inst *i) {
    if ((i->op != ISA_ld && i->op != ISA_st) || i->space != ISA_GLOBAL) return false;
    isa_operand at = isa_srcs(plan->k, i)[0];
    return isa_is_reg(at) && plan_kind(plan, at) != KIND_UNIFORM &&
           plan_shape(plan)->regs[at].span != SHAPE_VARYING;
}
static bool in_row(const struct plan *plan, const struct isa_inst *i) {
    return in_step(plan, i) &&
           plan_shape(plan)->regs[isa_srcs(plan->k, i)[0]].span >= SHAPE_HALF_WARP &&
           plan_stride(plan, isa_srcs(plan->k, i)[0]) ==
               (int32_t)(isa_type_size[i->type] * i->count);
}

/* What is done before lanes may leave can be done again: it stores nothing, and nothing of it reads
 * what it changes. */
static bool repeatable(const struct isa_kernel *k, uint32_t begin, uint32_t test) {
    for (uint32_t n = begin; n < test; n++) {
        if (!plain(&k->insts[n]) || k->insts[n].op == ISA_st) return false;
        for (uint32_t before = begin; before <= n; before++)
            for (unsigned s = 0; s < k->insts[before].nsrc; s++)
                for (unsigned d = 0; d < k->insts[n].ndst; d++)
                    if (isa_srcs(k, &k->insts[before])[s] == isa_dsts(k, &k->insts[n])[d])
                        return false;
    }
    return true;
}

/* Lanes leave the loop by a comparison of what lies at even distances from lane to lane: they make
 * the same number of iterations, or nearly so. */
static bool even(const struct plan *plan, uint32_t begin, uint32_t test) {
    isa_operand condition = isa_srcs(plan->k, &plan->k->insts[test])[0];
    uint32_t n =
        loops_written(plan_loops(plan), condition, loops_at(plan_loops(plan), begin), test);
    if (n == LOOPS_NONE) return false;
    const struct isa_inst *i = &plan->k->insts[n];
    for (unsigned s = 0; s < i->nsrc; s++)
        if (shape_operand(plan_shape(plan), plan->k, isa_srcs(plan->k, i)[s]).span == SHAPE_VARYING)
            return false;
    return true;
}

/* What follows the test stays in the loop, and warps need not wait for each other in it. */
static bool stays(const struct isa_kernel *k, uint32_t test, uint32_t end) {
    uint32_t depth = 0;
    for (uint32_t n = test + 1; n < end; n++) {
        uint32_t flags = isa_op_info[k->insts[n].op].flags;
        depth += (flags & ISA_OP_REGION_BEGIN) != 0;
        depth -= (flags & ISA_OP_REGION_END) != 0;
        if (k->insts[n].op == ISA_ret || k->insts[n].op == ISA_bar) return false;
        if (flags & ISA_OP_JUMP && (uint32_t)k->insts[n].imm >= depth) return false;
    }
    return true;
}

/* Where lanes leave the loop, if that is one place; 0: they do not, or the loop does not fit. */
static uint32_t test_of(struct plan *plan, uint32_t begin) {
    const struct isa_kernel *k = plan->k;
    uint32_t test = begin + 1, end = k->insts[begin].match;
    bool rows = false, steps = false, leaf = end - begin <= MOST_LEAF;
    if (end - begin > LIMIT_FULL_LOOP) return 0;
    while (test < end && k->insts[test].op != ISA_breakif) test++;
    if (test == end || k->insts[test].imm || !repeatable(k, begin + 1, test) ||
        !stays(k, test, end))
        return 0;
    for (uint32_t n = begin + 1; n < end; n++) {
        rows |= in_row(plan, &k->insts[n]);
        steps |= in_step(plan, &k->insts[n]);
        leaf &= n == test || plain(&k->insts[n]);
    }
    plan->row_loops.leaf[begin] = leaf;
    return (leaf && rows) || (steps && even(plan, begin, test)) ? test : 0;
}

bool fullmask_find(struct plan *plan) {
    uint32_t *test = plan->row_loops.test = plan_of_instructions(plan, sizeof *test);
    plan->row_loops.leaf = plan_of_instructions(plan, 1);
    if (!test || !plan->row_loops.leaf) return false;
    for (uint32_t n = 0; n < plan->k->ninsts; n++)
        if (plan->k->insts[n].op == ISA_loop && plan_get(plan, regions)->per_warp[n])
            test[n] = test_of(plan, n);
    return true;
}

bool fullmask_plan(struct plan *plan) {
    const struct isa_kernel *k = plan->k;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        if (plan_get(plan, guards)->of[n] != GUARD_LOOP) continue;
        uint32_t code = (k->insts[n].match - n) * plan_bundle(plan);
        bool much = plan_get(plan, row_loops)->leaf[n] && code > MOST_CODE;
        much |= !plan_get(plan, regions)->divergent[n] && plan_bundle(plan) == 1; /* for nothing */
        plan_tell(plan, PLAN_full_mask, n, much ? "no: %u instructions" : "%u instructions", code);
        plan->full_mask.loops += !much;
        if (!much) continue;
        plan_get(plan, guards)->of[n] = GUARD_NONE;
        memset(plan_get(plan, guards)->full + n, 0, k->insts[n].match + 1 - n);
    }
    return true;
}

/* ---- how registers grow ---- */

/* What the first warp's first lane has. */
static LLVMValueRef first_of(struct emitter *e, isa_operand o) {
    struct warp_value v = value_read(e, o, e->from);
    return v.kind == KIND_VARYING ? LLVMBuildExtractElement(e->b, v.v[0], emit_word(e, 0), "")
                                  : v.v[0];
}

/* By how much an i32 is greater in the next iteration, as the code before the loop has it; or NULL.
 */
static LLVMValueRef growth(struct emitter *e, uint32_t loop, isa_operand o, unsigned deep) {
    const struct loops *l = plan_loops(e->plan);
    struct loop_counter c;
    uint32_t n = loops_writer(l, o, loop);
    if (n == LOOPS_NONE) return emit_word(e, 0);
    if (n == LOOPS_SEVERAL || e->k->insts[n].type != ISA_I32 || deep > MOST_SUM) return NULL;
    if (loops_step(l, e->k, n, &c)) {
        if (loops_varies(l, c.step, loop)) return NULL;
        return c.down ? LLVMBuildNeg(e->b, first_of(e, c.step), "") : first_of(e, c.step);
    }
    const struct isa_inst *i = &e->k->insts[n];
    const isa_operand *s = isa_srcs(e->k, i);
    if (i->op == ISA_mov) return growth(e, loop, s[0], deep + 1);
    if (i->op != ISA_add && i->op != ISA_sub && i->op != ISA_shl && i->op != ISA_mul) return NULL;
    LLVMValueRef x = growth(e, loop, s[0], deep + 1), y = NULL;
    if (i->op == ISA_add || i->op == ISA_sub) {
        y = growth(e, loop, s[1], deep + 1);
        if (!x || !y) return NULL;
        return i->op == ISA_add ? LLVMBuildAdd(e->b, x, y, "") : LLVMBuildSub(e->b, x, y, "");
    }
    if (!x || loops_varies(l, s[1], loop)) return NULL;
    y = first_of(e, s[1]);
    if (i->op == ISA_mul) return LLVMBuildMul(e->b, x, y, "");
    return LLVMBuildShl(e->b, x, LLVMBuildAnd(e->b, y, emit_word(e, 31), ""), "");
}

/* The iterations that are to come, about, as an f64, where a counter goes to a limit; or NULL. */
static LLVMValueRef iterations_ahead(struct emitter *e, uint32_t loop, uint32_t test) {
    const struct isa_kernel *k = e->k;
    uint32_t n = loops_compare(plan_loops(e->plan), k, test);
    if (n == LOOPS_NONE || k->insts[n].type2 != ISA_I32) return NULL;
    const struct isa_inst *i = &k->insts[n];
    bool is_signed = i->op == ISA_lt_s || i->op == ISA_le_s;
    LLVMTypeRef real = e->c->scalar[ISA_F64];
    LLVMValueRef v[2], by[2];
    for (unsigned s = 0; s < 2; s++) {
        isa_operand o = isa_srcs(k, i)[s];
        /* it has another value before the loop */
        if (loops_writer(plan_loops(e->plan), o, loop) < test) return NULL;
        by[s] = growth(e, loop, o, 0);
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
        uint32_t size = isa_type_size[i->type] * i->count;
        LLVMValueRef by = growth(e, loop, isa_srcs(k, i)[0], 0);
        if (!by) return NULL;
        LLVMValueRef args[] = {by, LLVMConstInt(e->c->scalar[ISA_PRED], 0, false)};
        by = emit_intrinsic(e, "llvm.abs", &e->c->word, 1, args, 2);
        by = LLVMBuildICmp(e->b, LLVMIntUGE, by, emit_word(e, size * ISA_WARP), "");
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

/* The cursor's `cached` for the loop. That some was stored so is left in native_run. */
static LLVMValueRef cached(struct emitter *e, uint32_t begin, uint32_t test) {
    LLVMValueRef does = past(e, begin, test);
    if (!does) return NULL;
    LLVMValueRef field = LLVMConstInt(e->c->wide, offsetof(struct native_run, passed), false);
    field = LLVMBuildGEP2(e->b, LLVMInt8TypeInContext(e->c->context), e->c->run, &field, 1, "");
    LLVMValueRef before = LLVMBuildLoad2(e->b, e->c->word, field, "");
    LLVMValueRef now = LLVMBuildOr(e->b, before, LLVMBuildZExt(e->b, does, e->c->word, ""), "");
    LLVMBuildStore(e->b, now, field);
    return LLVMBuildSExt(e->b, LLVMBuildNot(e->b, does, ""), e->c->word, "");
}

/* ---- the code ---- */

/* Whether all lanes of all warps are here, as an i1; NULL: they are. */
static LLVMValueRef all_here(struct emitter *e) {
    if (emit_full(e)) return NULL;
    LLVMValueRef all = emit_mask(e, e->from);
    for (unsigned w = e->from + 1; w < e->to; w++)
        all = LLVMBuildAnd(e->b, all, emit_mask(e, w), "");
    return LLVMBuildICmp(e->b, LLVMIntEQ, emit_bits(e, all), emit_word(e, ~0u), "");
}

/* Whether a lane of any warp leaves, as an i1. */
static LLVMValueRef one_leaves(struct emitter *e, uint32_t test) {
    LLVMValueRef any = NULL;
    for (unsigned w = e->from; w < e->to; w++) {
        struct warp_value p = value_read(e, isa_srcs(e->k, &e->k->insts[test])[0], w);
        LLVMValueRef lanes = value_vector(e, &p);
        any = any ? LLVMBuildOr(e->b, any, lanes, "") : lanes;
    }
    return LLVMBuildICmp(e->b, LLVMIntNE, emit_bits(e, any), emit_word(e, 0), "");
}

void fullmask_emit(struct emitter *e) {
    uint32_t begin = e->i, test = plan_get(e->plan, row_loops)->test[begin], end = e->inst->match;
    /* Warps that go one by one, as in a loop around it, do the same for themselves; not those that
     * are left behind others. */
    bool all = e->to - e->from == plan_bundle(e->plan);
    if (all ? e->refused && !emit_full(e) : e->refused != 0) return;
    LLVMBasicBlockRef enter = emit_block(e, "full"), iteration = emit_block(e, "iteration"),
                      stay = emit_block(e, ""), after = emit_block(e, "partial");
    LLVMValueRef here = all_here(e);
    if (here)
        LLVMBuildCondBr(e->b, here, enter, after);
    else
        LLVMBuildBr(e->b, enter);
    LLVMPositionBuilderAtEnd(e->b, enter);
    struct emitter full = emit_at(e, begin);
    full.guarded = true;
    full.cached = cached(&full, begin, test);
    LLVMBuildBr(e->b, iteration);
    LLVMPositionBuilderAtEnd(e->b, iteration);
    full.probes_later = true; /* an iteration that a lane leaves is made again, otherwise */
    emit_range(&full, begin + 1, test);
    full.probes_later = false;
    LLVMBuildCondBr(e->b, one_leaves(&full, test), after, stay);
    LLVMPositionBuilderAtEnd(e->b, stay);
    probes_emit_later(&full, begin + 1, test);
    emit_range(&full, test + 1, end);
    LLVMBuildBr(e->b, iteration);
    LLVMPositionBuilderAtEnd(e->b, after);
}
