/* Guards round a body, as at the edge of what a launch works on, that mostly all lanes pass; and
 * loops that lanes may leave one by one and mostly end together, as where a work-item goes through
 * an array with the stride of the whole range. Then all warps of a bundle run the body, or an
 * iteration, in lockstep under full masks, so that what they touch lies side by side; otherwise,
 * and with what is left of a loop, each does it for itself. */
#include <string.h>

#include "device/native/instructions.h"
#include "device/native/masks.h"
#include "device/native/mem/accesses.h"
#include "device/native/opcosts.h"
#include "device/native/opt/rewrites.h"
#include "device/native/value.h"

enum {
    MOST_CODE = 320 /* of a loop without regions: instructions times warps */
};

/* ---- which ---- */

/* Lanes at different addresses of a buffer, so that it matters whether all of them are on. */
static bool moves_lanes(const struct plan *plan, const struct isa_inst *i) {
    if ((i->op != ISA_ld && i->op != ISA_st) || i->space != ISA_GLOBAL) return false;
    isa_operand at = isa_srcs(plan->k, i)[0];
    return isa_is_reg(at) && plan_kind(plan, at) != KIND_UNIFORM;
}

/* The instructions (from, to) stay among themselves, and are worth being there twice. */
static bool may_be_body(const struct plan *plan, uint32_t from, uint32_t to) {
    bool moves = false;
    if (to - from > LIMIT_GUARDED || !warpregions_closed(plan->k, from + 1, to)) return false;
    for (uint32_t n = from + 1; n < to; n++) moves |= moves_lanes(plan, &plan->k->insts[n]);
    return moves;
}

static enum plan_guard part_of(const struct plan *plan, uint32_t begin) {
    uint32_t middle = plan->k->insts[begin].match, end = warpregions_end(plan->k, begin);
    bool otherwise = end - middle > middle - begin;
    if (otherwise ? !may_be_body(plan, middle, end) : !may_be_body(plan, begin, middle))
        return GUARD_NONE;
    return otherwise ? GUARD_ELSE : GUARD_THEN;
}

/* What is known of the lanes in a region. */
enum guard_lanes { SOME_LANES, ALL_LANES, ALL_THAT_PASS /* the guards round it */ };

/* What guards the region that begins at n. */
static enum plan_guard guard_of(const struct plan *plan, uint32_t n, enum guard_lanes around) {
    if (plan_get(plan, row_loops)->of.test[n])
        return plan_off(plan, PLAN_full_mask) ? GUARD_NONE : GUARD_LOOP;
    if (plan->k->insts[n].op != ISA_if || plan_off(plan, PLAN_guards)) return GUARD_NONE;
    if (around == SOME_LANES || plan_get(plan, regions)->of.divergent[n]) return GUARD_NONE;
    const uint8_t *versions = sized_versions(&plan_get(plan, sized)->made);
    if (versions && versions[n])
        return may_be_body(plan, n, plan->k->insts[n].match) ? GUARD_THEN : GUARD_NONE;
    return shape_branch(plan_shape(plan), n) < SHAPE_WARP ? part_of(plan, n) : GUARD_NONE;
}

/* Those in the region that begins at n. Whether all lanes come to a loop is seen there. */
static enum guard_lanes lanes_in(struct plan *plan, uint32_t n, enum guard_lanes around) {
    bool is_if = plan->k->insts[n].op == ISA_if;
    if (around == ALL_LANES && shape_full(plan_shape(plan), n) < SHAPE_WARP) around = SOME_LANES;
    enum plan_guard guard = guard_of(plan, n, around);
    plan->guards.of[n] = (uint8_t)guard;
    if (guard != GUARD_NONE) return guard == GUARD_ELSE ? SOME_LANES : ALL_THAT_PASS;
    if (plan_get(plan, regions)->of.divergent[n]) return SOME_LANES;
    return is_if && shape_branch(plan_shape(plan), n) < SHAPE_WARP ? SOME_LANES : around;
}

bool guarded_plan(struct plan *plan) {
    const struct isa_kernel *k = plan->k;
    struct plan_guards *g = &plan->guards;
    enum guard_lanes lanes[ISA_MAX_NESTING + 1] = {plan->partial && !plan->tail ? SOME_LANES
                                                                                : ALL_LANES};
    uint32_t begins[ISA_MAX_NESTING + 1] = {0}, depth = 0;
    g->of = plan_of_instructions(plan, 1);
    g->full = plan_of_instructions(plan, 1);
    if (!g->of || !g->full) return false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        uint32_t flags = isa_op_info[k->insts[n].op].flags;
        g->full[n] = lanes[depth] == ALL_THAT_PASS;
        if (flags & ISA_OP_REGION_BEGIN) {
            lanes[depth + 1] = lanes_in(plan, n, lanes[depth]);
            begins[++depth] = n;
            if (g->of[n] == GUARD_THEN || g->of[n] == GUARD_ELSE)
                plan_tell(plan, PLAN_guards, n, "once more, for warps that all pass");
        } else if (flags & ISA_OP_REGION_ELSE && g->of[begins[depth]]) {
            bool body = g->of[begins[depth]] == GUARD_ELSE;
            lanes[depth] = body ? ALL_THAT_PASS : SOME_LANES;
        } else if (flags & ISA_OP_REGION_END) {
            depth--;
        }
    }
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
        plan->full_mask.loops += !much;
        if (!much) continue;
        plan_get(plan, guards)->of[n] = GUARD_NONE;
        memset(plan_get(plan, guards)->full + n, 0, k->insts[n].match + 1 - n);
    }
    return true;
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
        LLVMValueRef lanes = value_read_vector(e, isa_srcs(e->k, &e->k->insts[test])[0], w);
        any = any ? LLVMBuildOr(e->b, any, lanes, "") : lanes;
    }
    return LLVMBuildICmp(e->b, LLVMIntNE, emit_bits(e, any), emit_word(e, 0), "");
}

static void emit_loop(struct emitter *e) {
    uint32_t begin = e->i, test = plan_get(e->plan, row_loops)->of.test[begin],
             end = e->inst->match;
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
    full.cached = stream_loop(&full, begin, test);
    emit_goto(e, iteration, iteration);
    full.probes_later = true; /* an iteration that a lane leaves is made again, otherwise */
    emit_range(&full, begin + 1, test);
    full.probes_later = false;
    LLVMBuildCondBr(e->b, one_leaves(&full, test), after, stay);
    LLVMPositionBuilderAtEnd(e->b, stay);
    probes_emit_later(&full, begin + 1, test);
    emit_range(&full, test + 1, end);
    emit_goto(e, iteration, after);
}

/* ---- the code ---- */

/* Whether all lanes of all warps take that part, as an i1. */
static LLVMValueRef all_pass(struct emitter *e, enum plan_guard part) {
    LLVMValueRef all = NULL;
    for (unsigned w = e->from; w < e->to; w++) {
        LLVMValueRef lanes = emit_bits(e, value_read_vector(e, isa_srcs(e->k, e->inst)[0], w));
        if (!all)
            all = lanes;
        else if (part == GUARD_THEN)
            all = LLVMBuildAnd(e->b, all, lanes, "");
        else
            all = LLVMBuildOr(e->b, all, lanes, "");
    }
    return LLVMBuildICmp(e->b, LLVMIntEQ, all, emit_word(e, part == GUARD_THEN ? ~0u : 0), "");
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

/* The region is a version for whole warps, and some lanes may be off: only what is for the others.
 */
static bool is_for_others(const struct emitter *e) {
    const uint8_t *versions = sized_versions(&plan_get(e->plan, sized)->made);
    return versions && versions[e->i] == SIZED_VERSION_WHOLE && !emit_full(e);
}

bool guarded_emit(struct emitter *e) {
    enum plan_guard part = (enum plan_guard)plan_get(e->plan, guards)->of[e->i];
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
    emit_branch(e, all_pass(e, part), pass, some);
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
