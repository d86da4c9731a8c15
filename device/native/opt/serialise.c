/* Loops that lanes leave one by one and that do little but read memory at addresses far apart: a
 * host takes the elements of a gather one after the other anyhow, and spends most of it on lanes
 * that have left. Where many iterations are to come they are done by scalar code, lane after lane;
 * of loads of which none waits for another the host keeps as many in flight as a gather has, and
 * what a lane goes through in order is fetched before it is asked for. */
#include <stdlib.h>
#include <string.h>

#include "device/analysis/chases.h"
#include "device/native/instructions.h"
#include "lanecode.h"

enum {
    LEAST_ITERATIONS = 8, /* before it is worth the branch that each lane will guess wrong */
    INSTS_A_GATHER = 5    /* at most: what a vector of lanes is good at weighs no more */
};

/* ---- which loops ---- */

static bool allowed(const struct plan *plan, const struct isa_inst *i) {
    if (i->op == ISA_breakif) return i->imm == 0;
    bool probe = i->op == ISA_probe_count || i->op == ISA_probe_note || i->op == ISA_probe_bins;
    return probe || chases_load(i) || lanecode_plain(plan, i);
}

/* Neither one address nor elements close together. */
static bool is_gather(const struct plan *plan, const struct isa_inst *i) {
    if (!chases_load(i) || i->space == ISA_PARAM) return false;
    isa_operand at = isa_srcs(plan->k, i)[0];
    int32_t near = 4 * (int32_t)isa_bytes(i);
    return isa_is_reg(at) &&
           (plan_kind(plan, at) == KIND_VARYING || abs(plan_stride(plan, at)) > near);
}

/* A register that the iterations of a loop write and what follows reads. */
static bool is_result(const struct plan *plan, isa_operand reg, uint32_t end) {
    return plan_get(plan, liveness)->of.last[reg] > end;
}

/* What the loop reads of the code before it, or writes for the code after it. Returns how many,
 * or more than LANECODE_VALUES. */
static unsigned find_moved(const struct plan *plan, uint32_t begin, struct lane_register *m) {
    const struct isa_kernel *k = plan->k;
    unsigned count = 0;
    for (uint32_t n = begin + 1; n < k->insts[begin].match; n++) {
        const struct isa_inst *i = &k->insts[n];
        for (unsigned o = 0; o < i->ndst + (unsigned)i->nsrc; o++) {
            isa_operand reg = k->operands[i->operands + o];
            if (!isa_is_reg(reg)) continue;
            bool result = o < i->ndst && is_result(plan, reg, k->insts[begin].match);
            unsigned at = 0;
            while (at < count && m[at].reg != reg) at++;
            if (at == count && !result && plan_get(plan, liveness)->of.first[reg] > begin) continue;
            if (at == LANECODE_VALUES) return LANECODE_VALUES + 1;
            if (at == count) m[count++] = (struct lane_register){.reg = reg};
            m[at].result |= result;
            m[at].written |= o < i->ndst;
        }
    }
    return count;
}

static struct lanecode loop_at(const struct plan *plan, uint32_t begin) {
    const struct isa_kernel *k = plan->k;
    const struct loops *l = plan_loops(plan);
    struct lanecode p = {.loops = l,
                         .loop = loops_at(l, begin),
                         .begin = begin,
                         .test = begin,
                         .end = k->insts[begin].match};
    while (p.test < p.end && k->insts[p.test].op != ISA_breakif) p.test++;
    for (uint32_t n = begin + 1; n < p.end; n++) p.noted |= probes_is(&k->insts[n]);
    return p;
}

/* The comparison that ends the loop, of what grows from iteration to iteration by so much; NULL: it
 * does not end like that. */
static const struct isa_inst *compared(const struct isa_kernel *k, const struct lanecode *p,
                                       uint32_t by[2]) {
    uint32_t test = loops_compare(p->loops, k, p->test);
    if (test == LOOPS_NONE) return NULL;
    const struct isa_inst *i = &k->insts[test];
    if (i->op < ISA_lt_s || i->type2 != ISA_I32) return NULL;
    for (unsigned s = 0; s < 2; s++) {
        isa_operand o = isa_srcs(k, i)[s];
        if (!lanecode_grows(k, p, o, test, &by[s])) return NULL;
        if (loops_writer(p->loops, o, p->loop) < test) return NULL;
    }
    return i;
}

/* The same where nothing else ends the loop and the counter comes to its limit in steps of one. */
static const struct isa_inst *compared_exactly(const struct isa_kernel *k,
                                               const struct lanecode *p) {
    uint32_t by[2];
    for (uint32_t n = p->test + 1; n < p->end; n++)
        if (k->insts[n].op == ISA_breakif) return NULL;
    const struct isa_inst *i = compared(k, p, by);
    if (!i || (i->op != ISA_le_s && i->op != ISA_le_u)) return NULL;
    bool falls = by[0] == UINT32_MAX && !by[1], rises = !by[0] && by[1] == 1;
    return falls || rises ? i : NULL;
}

/* Why what probes of the loop tell is not known when its lanes have run; NULL: it is. */
static const char *untold(const struct plan *plan, uint32_t begin) {
    const struct isa_kernel *k = plan->k;
    struct lanecode p = loop_at(plan, begin);
    uint32_t by, probes = 0;
    for (uint32_t n = begin + 1; n < p.end; n++) {
        if (!probes_is(&k->insts[n])) continue;
        probes++;
        if (lanenotes_find(k, &p, n, &by) == LANENOTES_UNKNOWN)
            return "observers look at more than addresses";
    }
    if (probes > LANECODE_PROBES) return "observers look at too much of it";
    if (probes && !compared_exactly(k, &p))
        return "observers look on, and how many iterations are to come is not known";
    return NULL;
}

/* Why not; NULL: it is such a loop. */
static const char *refused(const struct plan *plan, uint32_t begin) {
    const struct isa_kernel *k = plan->k;
    uint32_t end = k->insts[begin].match, gathers = 0, count = 0;
    struct lane_register m[LANECODE_VALUES];
    bool left = false;
    for (uint32_t n = begin + 1; n < end; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (!allowed(plan, i)) return "it does more than compute and load";
        count += !probes_is(i);
        if (is_gather(plan, i)) gathers += i->count;
        left |= isa_op_info[i->op].flags & ISA_OP_JUMP;
        for (unsigned d = 0; d < i->ndst; d++) {
            isa_operand dst = isa_dsts(k, i)[d];
            if (is_result(plan, dst, end) && plan_kind(plan, dst) != KIND_VARYING)
                return "the warp as a whole has a result of it";
        }
    }
    if (count > LANECODE_INSTS) return "it is too long";
    if (!left) return "nothing leaves it";
    if (!gathers || count > INSTS_A_GATHER * gathers) return "it has too few gathers";
    if (find_moved(plan, begin, m) > LANECODE_VALUES) return "lanes bring too many values";
    if (chases_loads(k, begin)) return "an iteration waits for what the one before has read";
    return untold(plan, begin);
}

bool serialise_plan(struct plan *plan) {
    struct plan_serialised *s = &plan->serialised;
    s->of = plan_of_instructions(plan, 1);
    if (!s->of) return false;
    for (uint32_t n = 0; n < plan->k->ninsts && !plan_off(plan, PLAN_serialised); n++) {
        if (plan->k->insts[n].op != ISA_loop || !plan_get(plan, regions)->of.divergent[n]) continue;
        const char *why = refused(plan, n);
        plan_tell(plan, PLAN_serialised, n, why ? "no: %s" : "after %s iterations",
                  why ? why : "enough");
        if (why) continue;
        s->of[n] = 1;
        s->any = true;
        warpregions_leave_lockstep(&plan->regions.of, plan->k, n);
    }
    return true;
}

/* ---- when ---- */

static void read_both(struct emitter *e, const struct isa_inst *i, LLVMValueRef v[2]) {
    for (unsigned s = 0; s < 2; s++) {
        v[s] = value_read_vector(e, isa_srcs(e->k, i)[s], e->from);
    }
}

/* The iterations that each lane has before it, about, where the loop ends when a counter has come
 * to a limit; or NULL. */
static LLVMValueRef iterations_ahead(struct emitter *e, const struct lanecode *p) {
    LLVMValueRef v[2];
    uint32_t by[2];
    const struct isa_inst *i = compared(e->k, p, by);
    if (!i) return NULL;
    int32_t step = (int32_t)(by[0] - by[1]);
    if (!step) return NULL;
    read_both(e, i, v);
    LLVMTypeRef type = e->c->vector[ISA_I32];
    LLVMValueRef way =
        step > 0 ? LLVMBuildSub(e->b, v[1], v[0], "") : LLVMBuildSub(e->b, v[0], v[1], "");
    if (step < 0) step = -step;
    LLVMValueRef args[] = {way, emit_splat(e, emit_word(e, 0))};
    way = emit_intrinsic(e, "llvm.smax", &type, 1, args, 2);
    return LLVMBuildUDiv(e->b, way, emit_splat(e, emit_word(e, (uint32_t)step)), "");
}

/* Exactly so many; or NULL. */
static LLVMValueRef exact_iterations(struct emitter *e, const struct lanecode *p) {
    LLVMValueRef v[2];
    const struct isa_inst *i = compared_exactly(e->k, p);
    if (!i) return NULL;
    read_both(e, i, v);
    LLVMIntPredicate greater = i->op == ISA_le_s ? LLVMIntSGT : LLVMIntUGT;
    LLVMValueRef some = LLVMBuildICmp(e->b, greater, v[0], v[1], "");
    LLVMValueRef way = LLVMBuildSub(e->b, v[0], v[1], "");
    return LLVMBuildSelect(e->b, some, way, LLVMConstNull(e->c->vector[ISA_I32]), "");
}

/* Before the loop begins: at which iteration the count of iterations begins. Where it is known that
 * enough are to come there is nothing to wait for. */
LLVMValueRef serialise_begin(struct emitter *e) {
    struct lanecode p = loop_at(e->plan, e->i);
    LLVMValueRef iterations = emit_alloca(e, e->c->word, "iterations"),
                 ahead = iterations_ahead(e, &p);
    LLVMValueRef first = emit_word(e, 0);
    if (ahead) {
        LLVMTypeRef type = LLVMTypeOf(ahead);
        LLVMValueRef most[] = {ahead, emit_splat(e, emit_word(e, 1 << 16))};
        ahead = emit_intrinsic(e, "llvm.umin", &type, 1, most, 2);
        LLVMValueRef none = LLVMConstNull(type);
        if (!emit_full(e)) ahead = LLVMBuildSelect(e->b, emit_mask(e, e->from), ahead, none, "");
        LLVMValueRef sum = emit_intrinsic(e, "llvm.vector.reduce.add", &type, 1, &ahead, 1);
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
    struct lanecode p = loop_at(e->plan, e->i);
    p.count = find_moved(e->plan, p.begin, p.m);
    LLVMBasicBlockRef lanes = emit_block(e, "lanes"), next = emit_block(e, "");
    LLVMValueRef at = LLVMBuildLoad2(e->b, e->c->word, iterations, "");
    LLVMBuildStore(e->b, LLVMBuildAdd(e->b, at, emit_word(e, 1), ""), iterations);
    LLVMValueRef enough = LLVMBuildICmp(e->b, LLVMIntEQ, at, emit_word(e, LEAST_ITERATIONS), "");
    emit_branch(e, enough, lanes, next);
    LLVMValueRef on = masks_get(e, e->mask[e->from]);
    lanecode_emit(e, &p, emit_bits(e, on), exact_iterations(e, &p));
    return next;
}
