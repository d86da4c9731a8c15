/* Guards (device/analysis/evenguards.h) and loops that lanes mostly pass together: then all warps
 * of a bundle run the body, or an iteration, in lockstep under full masks, so that what they touch
 * lies side by side; otherwise, and with what is left of a loop, each does it for itself. */
#include <string.h>

#include "device/isa/compare.h"
#include "device/native/instructions.h"
#include "device/native/mem/accesses.h"
#include "device/costs/opcosts.h"
#include "device/native/opt/rewrites.h"
#include "device/native/value.h"

enum {
    MOST_CODE = 320 /* of a loop without regions: instructions times warps */
};

/* ---- which ---- */

bool guarded_plan(struct plan *plan) {
    struct plan_guards *g = &plan->guards;
    struct evenguard_finder f = {.k = plan->k,
                                 .shape = plan_shape(plan),
                                 .regions = &plan_get(plan, regions)->of,
                                 .loops = &plan_get(plan, row_loops)->of,
                                 .versions = sized_versions(&plan_get(plan, sized)->made),
                                 .whole = !plan->partial || plan->tail,
                                 .may_be_if = !plan_off(plan, PLAN_guards),
                                 .may_be_loop = !plan_off(plan, PLAN_full_mask),
                                 .longest = LIMIT_GUARDED};
    g->of = plan_of_instructions(plan, 1);
    g->full = plan_of_instructions(plan, 1);
    evenguards_find(&f, g->of, g->full);
    for (uint32_t n = 0; n < plan->k->ninsts; n++)
        if (g->of[n] == GUARD_THEN || g->of[n] == GUARD_ELSE)
            plan_tell(plan, PLAN_guards, n, "once more, for warps that all pass");
    return true;
}

void guarded_drop(struct plan *plan) {
    memset(plan->guards.of, GUARD_NONE, plan->k->ninsts);
    memset(plan->guards.full, 0, plan->k->ninsts);
}

bool guarded_plan_loops(struct plan *plan) {
    const struct isa_kernel *k = plan->k;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        if (plan_get(plan, guards)->of[n] != GUARD_LOOP) continue;
        uint32_t code = (k->insts[n].match - n) * plan_bundle(plan);
        bool much = plan_get(plan, row_loops)->of.leaf[n] && code > MOST_CODE;
        much |=
            !plan_get(plan, regions)->of.divergent[n] && plan_bundle(plan) == 1; /* for nothing */
        plan_tell(plan, PLAN_full_mask, n, much ? "no: %u instructions" : "%u instructions", code);
        if (!much) continue;
        plan_get(plan, guards)->of[n] = GUARD_NONE;
        memset(plan_get(plan, guards)->full + n, 0, k->insts[n].match + 1 - n);
    }
    return true;
}

bool guarded_plan_together(struct plan *plan) {
    const struct isa_kernel *k = plan->k;
    const struct elementrows *rows = &plan_get(plan, lanerows)->of;
    uint8_t *of = plan->together.of = plan_of_instructions(plan, 1),
            *taken = plan_of_instructions(plan, 1);
    struct evenguard_lockstep g = {.k = k,
                                   .shape = plan_shape(plan),
                                   .regions = &plan_get(plan, regions)->of,
                                   .shared = plan_get(plan, shared)->of,
                                   .taken = taken,
                                   .masks = plan->request->level >= NATIVE_AVX2};
    for (uint32_t n = 0; n < k->ninsts; n++)
        taken[n] = plan_get(plan, segments)->end[n] || plan_get(plan, strips)->of[n] ||
                   (rows->of[n] && !rows->list[rows->of[n] - 1].paired);
    for (uint32_t n = 0; n < k->ninsts; n++)
        of[n] = plan_get(plan, guards)->of[n] && evenguards_together(&g, n);
    return true;
}

/* ---- the code ---- */

/* Whether all lanes of all warps are here, as an i1; NULL: they are. */
static LLVMValueRef all_here(struct emitter *e) {
    if (emit_full(e)) return NULL;
    LLVMValueRef all = emit_mask(e, e->from);
    for (unsigned w = e->from + 1; w < e->to; w++)
        all = LLVMBuildAnd(e->b, all, emit_mask(e, w), "");
    return emit_compare(e, LLVMIntEQ, emit_bits(e, all), ~0u);
}

/* Do all lanes of evenly spaced values compare so with one, or, `on` being false, none? As an i1 by
 * the first and the last lane, where what lies between does not wrap around; NULL: it is another
 * comparison. */
static LLVMValueRef all_compare(struct emitter *e, unsigned w, const struct isa_inst *i, bool on) {
    const isa_operand *src = isa_srcs(e->k, i);
    bool is_signed = compare_is_signed(i->op), even[2];
    if (!compare_is_order(i->op) || i->type2 != ISA_I32) return NULL;
    for (unsigned s = 0; s < 2; s++) {
        enum kind kind = isa_is_const(src[s]) ? KIND_UNIFORM : emit_kind(e, src[s]);
        even[s] = kind == KIND_LINEAR;
        if (!even[s] && kind != KIND_UNIFORM) return NULL;
        if (isa_is_reg(src[s]) && !loops_definition(plan_loops(e->plan), e->k, src[s])) return NULL;
    }
    if (even[0] == even[1]) return NULL;
    struct warp_value v = value_read(e, src[even[1]], w), to = value_read(e, src[even[0]], w);
    int64_t most = is_signed ? INT32_MAX : UINT32_MAX, least = is_signed ? INT32_MIN : 0;
    bool upper = even[0] == on, rises = v.stride > 0, strict = compare_is_strict(i->op) == on;
    LLVMTypeRef wide = e->c->wide; /* in which none can wrap */
    LLVMValueRef first = LLVMBuildIntCast2(e->b, v.v[0], wide, is_signed, ""),
                 bound = LLVMBuildIntCast2(e->b, to.v[0], wide, is_signed, ""),
                 far = LLVMConstInt(wide, (uint64_t)(v.stride * (int64_t)(ISA_WARP - 1)), true),
                 last = LLVMBuildAdd(e->b, first, far, "");
    LLVMIntPredicate is = upper    ? strict ? LLVMIntSLT : LLVMIntSLE
                          : strict ? LLVMIntSGT
                                   : LLVMIntSGE;
    LLVMValueRef good = LLVMBuildICmp(e->b, is, upper == rises ? last : first, bound, "");
    if (upper == rises) return good;
    LLVMValueRef end = LLVMConstInt(wide, (uint64_t)(rises ? most : least), true);
    LLVMValueRef inside = LLVMBuildICmp(e->b, rises ? LLVMIntSLE : LLVMIntSGE, last, end, "");
    return LLVMBuildAnd(e->b, good, inside, "");
}

/* Is a predicate so for all lanes of a warp, which are on? As an i1 made of scalars; false where
 * that is not sure; NULL: they do not tell. */
static LLVMValueRef all_are(struct emitter *e, unsigned w, isa_operand p, bool on, unsigned left) {
    const struct isa_inst *i = loops_definition(plan_loops(e->plan), e->k, p);
    if (!i || !left) return NULL;
    const isa_operand *src = isa_srcs(e->k, i);
    if (emit_kind(e, p) == KIND_UNIFORM) {
        struct warp_value v = value_read(e, p, w);
        return on ? v.v[0] : LLVMBuildNot(e->b, v.v[0], "");
    }
    if (i->op == ISA_not) return all_are(e, w, src[0], !on, left - 1);
    if (i->op != (on ? ISA_and : ISA_or)) return all_compare(e, w, i, on);
    LLVMValueRef a = all_are(e, w, src[0], on, left - 1);
    LLVMValueRef b = a ? all_are(e, w, src[1], on, left - 1) : NULL;
    return b ? LLVMBuildAnd(e->b, a, b, "") : NULL;
}

/* The same for all warps. */
static LLVMValueRef all_warps_are(struct emitter *e, isa_operand p, bool on) {
    enum { DEEP = 6 };
    LLVMValueRef all = NULL;
    for (unsigned w = e->from; w < e->to; w++) {
        LLVMValueRef lanes = all_are(e, w, p, on, DEEP);
        if (!lanes) return NULL;
        all = all ? LLVMBuildAnd(e->b, all, lanes, "") : lanes;
    }
    return all;
}

/* Whether all lanes of all warps take that part after the test of instruction n, as an i1. */
static LLVMValueRef all_pass(struct emitter *e, uint32_t n, enum guard part) {
    isa_operand p = isa_srcs(e->k, &e->k->insts[n])[0];
    LLVMValueRef told = emit_full(e) ? all_warps_are(e, p, part == GUARD_THEN) : NULL, all = NULL;
    if (told) return told;
    for (unsigned w = e->from; w < e->to; w++) {
        LLVMValueRef lanes = value_read_vector(e, p, w);
        LLVMOpcode both = part == GUARD_THEN ? LLVMAnd : LLVMOr;
        all = all ? LLVMBuildBinOp(e->b, both, all, emit_bits(e, lanes), "") : emit_bits(e, lanes);
    }
    return emit_compare(e, LLVMIntEQ, all, part == GUARD_THEN ? ~0u : 0);
}

/* Registers of which the iteration needs what they are at its beginning are that again in a block,
 * from which an iteration that a lane leaves is begun again. */
static void put_back(struct emitter *e, uint32_t last, LLVMBasicBlockRef again) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    for (uint32_t r = 0; r < e->k->nregs; r++) {
        if (!isa_changes_between(e->k, r, e->i + 1, last)) continue;
        for (unsigned w = e->from; w < (e->regs.shared[r] ? e->from + 1 : e->to); w++) {
            LLVMValueRef was[2] = {NULL};
            value_make(e, r, was);
            value_copy(e, r, value_slot(e, r, w), was);
            LLVMPositionBuilderAtEnd(e->b, again);
            value_copy(e, r, was, value_slot(e, r, w));
            LLVMPositionBuilderAtEnd(e->b, here);
        }
    }
}

static void emit_loop(struct emitter *e) {
    const struct evenloops *loops = &plan_get(e->plan, row_loops)->of;
    uint32_t begin = e->i, test = loops->test[begin], last = loops->last[begin],
             end = e->inst->match;
    /* Warps that go one by one, as in a loop around it, do the same for themselves; not those that
     * are left behind others. */
    bool all = e->to - e->from == plan_bundle(e->plan);
    if (all ? e->refused && !emit_full(e) : e->refused != 0) return;
    LLVMBasicBlockRef enter = emit_block(e, "full"), iteration = emit_block(e, "iteration"),
                      again = emit_block(e, "again"), after = emit_block(e, "partial");
    LLVMValueRef here = all_here(e);
    if (here)
        emit_branch(e, here, enter, after);
    else
        emit_goto(e, enter, enter);
    struct emitter full = emit_at(e, begin);
    full.guarded = true;
    full.cached = stream_loop(&full, begin, test);
    emit_goto(e, iteration, iteration);
    put_back(e, last, again);
    full.probes_later = true; /* an iteration that a lane leaves is made again, otherwise */
    for (uint32_t from = begin + 1; from <= last; from = test + 1) {
        for (test = from; e->k->insts[test].op != ISA_breakif;) test++;
        emit_range(&full, from, test);
        emit_branch(e, all_pass(&full, test, GUARD_ELSE), NULL, again);
    }
    full.probes_later = false;
    probes_emit_later(&full, begin + 1, last);
    emit_range(&full, last + 1, end);
    emit_goto(e, iteration, again);
    emit_goto(e, after, after);
}

/* The region that begins here, as it is where some lanes do not pass. */
static void emit_rest(struct emitter *e, uint32_t end) {
    struct emitter rest = emit_at(e, e->i);
    rest.guarded = false;
    rest.cached = NULL;
    rest.refused = e->i + 1;
    emit_range(&rest, e->i, end + 1);
    e->i = end;
}

/* The region is a version for whole warps, and lanes may be off: only what is for the others. */
static bool is_for_others(const struct emitter *e) {
    const uint8_t *versions = sized_versions(&plan_get(e->plan, sized)->made);
    return versions && versions[e->i] == SIZED_VERSION_WHOLE && !emit_full(e);
}

bool guarded_emit(struct emitter *e) {
    enum guard part = (enum guard)plan_get(e->plan, guards)->of[e->i];
    uint32_t begin = e->i, middle = e->inst->match, end = warpregions_end(e->k, begin);
    if (is_for_others(e)) {
        emit_range(e, middle + 1, end);
        e->i = end;
        return true;
    }
    if (part == GUARD_NONE || e->one_lane) return false;
    bool uniform = part != GUARD_LOOP && shape_branch(plan_shape(e->plan), begin) >= SHAPE_WARP;
    if (uniform && e->to - e->from == 1) return false;
    if (part == GUARD_LOOP) {
        emit_loop(e);
        emit_rest(e, end);
        return true;
    }
    if (!emit_full(e)) return false;
    LLVMBasicBlockRef pass = emit_block(e, "pass"), some = emit_block(e, "some"),
                      after = emit_block(e, "");
    emit_branch(e, all_pass(e, begin, part), pass, some);
    struct emitter all = emit_at(e, begin);
    all.guarded = true;
    emit_range(&all, part == GUARD_THEN ? begin + 1 : middle + 1,
               part == GUARD_THEN ? middle : end);
    if (!LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(e->b))) LLVMBuildBr(e->b, after);
    LLVMPositionBuilderAtEnd(e->b, some);
    *e = emit_at(e, begin);
    emit_rest(e, end);
    emit_goto(e, after, after);
    return true;
}
