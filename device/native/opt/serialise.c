/* Loops of gathers that lanes leave one by one (device/analysis/gatherloops.h): a host takes the
 * elements of a gather one after the other anyhow, and spends most of it on lanes that have left.
 * Where many iterations are to come they are done by scalar code, lane after lane; of loads of
 * which none waits for another the host keeps as many in flight as a gather has, and what a lane
 * goes through in order is fetched before it is asked for. */
#include "device/native/instructions.h"
#include "lanecode.h"

enum {
    LEAST_ITERATIONS = 8, /* before it is worth the branch that each lane will guess wrong; */
    LEAST_TESTS = 2       /* where what is read tells who leaves, of which many do so soon */
};

/* ---- which loops ---- */

bool serialise_plan(struct plan *plan) {
    struct plan_serialised *s = &plan->serialised;
    s->of = plan_of_instructions(plan, 1);
    if (!s->of) return false;
    for (uint32_t n = 0; n < plan->k->ninsts && !plan_off(plan, PLAN_serialised); n++) {
        if (plan->k->insts[n].op != ISA_loop || !plan_get(plan, regions)->of.divergent[n]) continue;
        const char *why = gatherloops_refused(plan->k, plan_loops(plan), plan_shape(plan),
                                              &plan_get(plan, liveness)->of, n,
                                              plan->request->level != NATIVE_BASELINE);
        plan_tell(plan, PLAN_serialised, n, why ? "no: %s" : "after %s iterations",
                  why ? why : "enough");
        if (why) continue;
        s->of[n] = 1;
        warpregions_leave_lockstep(&plan->regions.of, plan->k, n);
    }
    return true;
}

/* ---- when ---- */

/* The iterations that each lane has before it, where nothing ends the loop but a counter that comes
 * to its limit in steps of one; or NULL. */
static LLVMValueRef exact_iterations(struct emitter *e, const struct gatherloop *l) {
    const struct isa_inst *i = gatherloops_exact(e->k, l);
    if (!i) return NULL;
    LLVMValueRef v[2];
    for (unsigned s = 0; s < 2; s++) v[s] = value_read_vector(e, isa_srcs(e->k, i)[s], e->from);
    LLVMIntPredicate greater = i->op == ISA_le_s ? LLVMIntSGT : LLVMIntUGT;
    LLVMValueRef some = LLVMBuildICmp(e->b, greater, v[0], v[1], "");
    LLVMValueRef way = LLVMBuildSub(e->b, v[0], v[1], "");
    return LLVMBuildSelect(e->b, some, way, LLVMConstNull(e->c->vector[ISA_I32]), "");
}

/* Before the loop begins: at which iteration the count of iterations begins. Where it is known that
 * enough are to come there is nothing to wait for. */
LLVMValueRef serialise_begin(struct emitter *e) {
    struct gatherloop l = gatherloops_at(e->k, plan_loops(e->plan), e->i);
    LLVMValueRef iterations = emit_alloca(e, e->c->word, "iterations"),
                 ahead = exact_iterations(e, &l);
    LLVMValueRef first = emit_word(e, 0);
    if (ahead) {
        LLVMValueRef none = LLVMConstNull(LLVMTypeOf(ahead)), most = emit_word(e, 1 << 16);
        ahead = emit_intrinsic(e, "llvm.umin", ahead, emit_splat(e, most));
        if (!emit_full(e)) ahead = LLVMBuildSelect(e->b, emit_mask(e, e->from), ahead, none, "");
        LLVMValueRef sum = emit_intrinsic(e, "llvm.vector.reduce.add", ahead);
        LLVMValueRef many =
            LLVMBuildICmp(e->b, LLVMIntUGE, sum, emit_word(e, LEAST_ITERATIONS * ISA_WARP), "");
        first = LLVMBuildSelect(e->b, many, emit_word(e, LEAST_ITERATIONS), first, "");
    }
    LLVMBuildStore(e->b, first, iterations);
    return iterations;
}

/* At the beginning of an iteration, counted in `iterations`: after some of them does all that is
 * left of the loop. The builder is then left where that has been done; returns the place where it
 * has not. */
LLVMBasicBlockRef serialise_emit(struct emitter *e, LLVMValueRef iterations) {
    struct lanecode p = {.of = gatherloops_at(e->k, plan_loops(e->plan), e->i)};
    struct gatherloop_register moved[GATHERLOOPS_VALUES];
    p.count = gatherloops_moved(e->k, &plan_get(e->plan, liveness)->of, e->i, moved);
    for (unsigned n = 0; n < p.count; n++) p.m[n].of = moved[n];
    for (uint32_t n = e->i; n < p.of.end; n++) p.noted |= probes_is(&e->k->insts[n]);
    LLVMBasicBlockRef lanes = emit_block(e, "lanes"), next = emit_block(e, "");
    LLVMValueRef at = LLVMBuildLoad2(e->b, e->c->word, iterations, "");
    LLVMBuildStore(e->b, LLVMBuildAdd(e->b, at, emit_word(e, 1), ""), iterations);
    uint32_t least = gatherloops_tests(e->k, e->i) ? LEAST_TESTS : LEAST_ITERATIONS;
    LLVMValueRef enough = LLVMBuildICmp(e->b, LLVMIntEQ, at, emit_word(e, least), "");
    emit_branch(e, enough, lanes, next);
    LLVMValueRef on = masks_get(e, e->mask[e->from]);
    lanecode_emit(e, &p, emit_bits(e, on), exact_iterations(e, &p.of));
    return next;
}
