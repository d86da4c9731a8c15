/* Loops of gathers that lanes leave one by one (device/analysis/gatherloops.h): a host takes the
 * elements of a gather one after the other anyhow, and spends most of it on lanes that have left.
 * Where many iterations are to come they are done by scalar code, lane after lane; of loads of
 * which none waits for another the host keeps as many in flight as a gather has, and what a lane
 * goes through in order is fetched before it is asked for.
 *
 * Each lane's registers are scalars then, and other code the warp's own. Where it is known how many
 * iterations lanes make two are run at a time, so that neither has to wait for the result of its
 * own iteration before, and what goes in steps through memory has an address of its own.
 *
 * So are loops with branches and stores when few lanes are left (device/analysis/fewlanes.h). */
#include "lanecode.h"

#include "device/analysis/chases.h"
#include "device/costs/opcosts.h"
#include "device/isa/compare.h"
#include "device/native/instructions.h"

enum {
    LEAST_ITERATIONS = 8, /* before it is worth the branch that each lane will guess wrong; */
    LEAST_TESTS = 2,      /* where what is read tells who leaves, of which many do so soon */
    MOST_ORDERED = 24     /* of which it matters how many they are */
};

/* ---- the code ---- */

static LLVMValueRef lane_at(struct emitter *e, const struct lane_register *m, LLVMValueRef lane) {
    return emit_element(e, value_word_type(e->c, m->v.type, false), m->lanes, lane);
}

static LLVMValueRef lane_value(struct emitter *e, const struct lane_register *m,
                               LLVMValueRef lane) {
    if (m->v.kind != KIND_VARYING) return value_of_lane(e, &m->v, lane);
    return value_get_words(e, m->v.type, false, lane_at(e, m, lane), 0);
}

/* What lanes bring. Where they may stop on their way and go on later they leave all that they write
 * there, too. */
static void put_lanes(struct emitter *e, struct lanecode *p) {
    struct lane_register *m = p->m;
    for (unsigned n = 0; n < p->count; n++) {
        m[n].v = value_read(e, m[n].of.reg, e->from);
        if (p->noted && m[n].of.written)
            m[n].v = value_of(KIND_VARYING, m[n].v.type, value_vector(e, &m[n].v));
        if (m[n].v.kind != KIND_VARYING) continue;
        m[n].lanes = assisted_buffer(e, LANECODE_BUFFERS + n);
        value_put_words(e, m[n].v.type, m[n].v.v[0], m[n].lanes, 0);
    }
}

static void take_lanes(struct emitter *e, const struct lane_register *m, unsigned count) {
    for (unsigned n = 0; n < count; n++) {
        if (!m[n].of.result) continue;
        LLVMValueRef v = value_get_words(e, m[n].v.type, true, m[n].lanes, 0);
        LLVMBuildStore(e->b, v, value_slot(e, m[n].of.reg, e->from)[0]);
    }
}

void lanecode_make(struct emitter *at, const struct lanecode *p) {
    for (uint32_t n = p->of.begin + 1; n < p->of.end; n++) {
        const struct isa_inst *i = &at->k->insts[n];
        for (unsigned o = 0; o < i->ndst + (unsigned)i->nsrc; o++) {
            isa_operand reg = at->k->operands[i->operands + o];
            if (isa_is_reg(reg)) value_make(at, reg, value_slot(at, reg, at->from));
        }
    }
}

/* A cursor at the loop's beginning for one lane, that of p's side: registers mean its scalars. They
 * need one of the two slots that a register of a warp may have: the other is the second lane's. */
static struct emitter lane_cursor(const struct emitter *e, const struct lanecode *p) {
    struct emitter lane = emit_at(e, p->of.begin);
    lane.one_lane = lane.rows_off = true;
    lane.regs =
        (struct emitter_registers){e->c->lane.kinds, e->c->lane.shared, e->c->lane.slots + p->side};
    return lane;
}

/* ---- where loads read ---- */

static void find_steps(struct emitter *e, struct lanecode *p) {
    for (uint32_t n = p->of.begin + 1; n < p->of.end; n++) {
        uint32_t by = 0;
        if (p->rows[n - p->of.begin]) {
            p->step[n - p->of.begin] = (int32_t)(ISA_WARP * sizeof(uint32_t));
            p->at[p->side][n - p->of.begin] = emit_alloca(e, e->c->pointer, "row");
        }
        if (!gatherloops_steps(e->k, &p->of, n, &by)) continue;
        p->step[n - p->of.begin] = (int32_t)by;
        if (by) p->at[p->side][n - p->of.begin] = emit_alloca(e, e->c->pointer, "at");
    }
}

LLVMValueRef lanecode_stepped(struct emitter *e, const struct lanecode *p, uint32_t n,
                              LLVMValueRef at, LLVMValueRef iterations) {
    LLVMValueRef by = LLVMConstInt(e->c->wide, (uint64_t)(int64_t)p->step[n - p->of.begin], true);
    by = LLVMBuildMul(e->b, iterations, by, "");
    return emit_beyond(e, at, by);
}

void lanecode_ahead(struct emitter *e, const struct lanecode *p, uint32_t n) {
    bool fused = e->request->level != NATIVE_BASELINE;
    if (gatherloops_ahead(e->k, &p->of, n, fused)) emit_range(e, n, n + 1);
}

/* Where the lane's loads begin that go in steps; what they need is computed before all. */
static void find_addresses(struct emitter *e, const struct lanecode *p, LLVMValueRef lane) {
    for (uint32_t n = p->of.begin + 1; n < p->of.end; n++) {
        const struct isa_inst *i = &e->k->insts[n];
        if (p->rows[n - p->of.begin]) {
            LLVMValueRef own = emit_element(e, e->c->word, p->rows[n - p->of.begin], lane);
            LLVMBuildStore(e->b, own, p->at[p->side][n - p->of.begin]);
        } else if (p->step[n - p->of.begin]) {
            struct warp_value at = value_read(e, isa_srcs(e->k, i)[0], e->from);
            LLVMBuildStore(e->b, access_host(e, at.v[0], 0), p->at[p->side][n - p->of.begin]);
        } else {
            lanecode_ahead(e, p, n);
        }
    }
}

/* A load. What goes in steps reads all that it comes to, so that it cannot pass the end of the
 * sandbox without a fault. */
static void load(struct emitter *e, const struct lanecode *p, uint32_t n) {
    const struct isa_inst *i = e->inst = &e->k->insts[e->i = n];
    LLVMValueRef slot = p->at[p->side][n - p->of.begin], v[16], at;
    at = slot ? LLVMBuildLoad2(e->b, e->c->pointer, slot, "")
              : access_host(e, value_read(e, isa_srcs(e->k, i)[0], e->from).v[0], 0);
    if (slot && p->iteration) at = lanecode_stepped(e, p, n, at, p->iteration);
    for (unsigned c = 0; c < i->count; c++) {
        LLVMValueRef from = emit_inside(e, at, (int64_t)i->imm + c * isa_type_size[i->type]);
        v[c] = access_plain(e, e->c->scalar[i->type], from);
    }
    for (unsigned c = 0; c < i->count; c++) value_result(e, c, e->from, v[c]);
    if (!slot || p->iteration) return;
    at = lanecode_stepped(e, p, n, at, LLVMConstInt(e->c->wide, 1, false));
    LLVMBuildStore(e->b, at, slot);
}

/* ---- lanes ---- */

/* written: only what the loop writes. */
static void take(struct emitter *e, const struct lanecode *p, LLVMValueRef lane, bool written) {
    struct emitter one = lane_cursor(e, p);
    for (unsigned n = 0; n < p->count; n++) {
        if (written && !p->m[n].of.written) continue;
        LLVMValueRef v = lane_value(e, &p->m[n], lane);
        LLVMBuildStore(e->b, v, *value_slot(&one, p->m[n].of.reg, e->from));
    }
}

static void put(struct emitter *e, const struct lanecode *p, LLVMValueRef lane) {
    struct emitter one = lane_cursor(e, p);
    for (unsigned n = 0; n < p->count; n++) {
        const struct lane_register *m = &p->m[n];
        if (!(p->noted ? m->of.written : m->of.result)) continue;
        LLVMValueRef v = value_read(&one, m->of.reg, e->from).v[0];
        value_put_words(e, m->v.type, v, lane_at(e, m, lane), 0);
    }
}

/* What has been computed ahead is not what the lane brings, nor what it leaves if it makes no
 * iteration. */
static void start_lane(struct emitter *e, const struct lanecode *p, LLVMValueRef lane) {
    struct emitter one = lane_cursor(e, p);
    take(e, p, lane, false);
    find_addresses(&one, p, lane);
    take(e, p, lane, true);
}

/* Instructions from `from` on up to `to` for the lane. */
static void emit_part(struct emitter *e, const struct lanecode *p, uint32_t from, uint32_t to) {
    for (uint32_t n = from; n < to; n++)
        if (chases_load(&e->k->insts[n]) && e->k->insts[n].space != ISA_PARAM)
            load(e, p, n);
        else if (probes_is(&e->k->insts[n]))
            lanenotes_put(e, p, n);
        else
            emit_range(e, n, n + 1);
}

static void run_lane(struct emitter *e, const struct lanecode *p, LLVMValueRef lane) {
    struct emitter one = lane_cursor(e, p);
    take(e, p, lane, false);
    one.lane = lane;
    emit_range(&one, p->of.begin, p->of.end + 1);
    put(e, p, lane);
}

/* ---- two at a time ---- */

/* The two lanes that are run, each on its side. */
struct lane_pair {
    LLVMValueRef order;      /* where lanes lie in their order, */
    LLVMValueRef left, next; /* variables: how many are to come, below 0; and the first of them */
    LLVMValueRef lane[2];    /* which are run, and how many iterations they have before them; */
    LLVMValueRef iterations[2], each; /* those of all lanes */
};

static LLVMValueRef is_zero(struct emitter *e, LLVMValueRef variable) {
    LLVMTypeRef type = LLVMGetAllocatedType(variable);
    LLVMValueRef v = LLVMBuildLoad2(e->b, type, variable, "");
    return LLVMBuildICmp(e->b, LLVMIntEQ, v, LLVMConstNull(type), "");
}

/* Small numbers in their order. */
static LLVMValueRef sorted(struct emitter *e, LLVMValueRef v) {
    for (unsigned size = 2; size <= ISA_WARP; size *= 2)
        for (unsigned by = size / 2; by; by /= 2) {
            uint32_t other[ISA_WARP], from[ISA_WARP];
            for (unsigned n = 0; n < ISA_WARP; n++) {
                other[n] = n ^ by;
                from[n] = !(n & by) == !(n & size) ? n : n + ISA_WARP;
            }
            LLVMValueRef o = value_shuffled(e->b, v, NULL, other, ISA_WARP);
            LLVMValueRef least = emit_intrinsic(e, "llvm.smin", v, o);
            v = value_shuffled(e->b, least, emit_intrinsic(e, "llvm.smax", v, o), from, ISA_WARP);
        }
    return v;
}

/* Bytes, of which the last ones are the lanes that are on: where lanes make different numbers of
 * iterations, and few, each makes about as many as the one before, so that the host guesses when it
 * leaves. Otherwise they are in their own order, in which the host fetches what they come to. */
static LLVMValueRef in_order(struct emitter *e, LLVMValueRef on, LLVMValueRef iterations) {
    LLVMValueRef most = emit_words(e, MOST_ORDERED), key, own,
                 lanes = value_lanes(e, e->c->scalar[ISA_I16], 1),
                 one = LLVMBuildExtractElement(e->b, iterations, emit_word(e, 0), "");
    one = LLVMBuildICmp(e->b, LLVMIntNE, iterations, emit_splat(e, one), "");
    own = emit_bits(e, LLVMBuildICmp(e->b, LLVMIntUGT, iterations, most, ""));
    own = emit_compare(e, LLVMIntUGT, emit_intrinsic(e, "llvm.ctpop", own), ISA_WARP / 4);
    own = LLVMBuildOr(e->b, own, masks_none(e, one), "");
    own = LLVMBuildAnd(e->b, own, emit_compare(e, LLVMIntEQ, on, ~0u), "");
    struct ways y = {0};
    ways_if(e, &y, own, "own");
    ways_else(e, &y, &lanes, 1);
    key = emit_intrinsic(e, "llvm.umin", iterations, most);
    key = LLVMBuildMul(e->b, LLVMBuildAdd(e->b, key, emit_words(e, 1), ""), emit_words(e, ISA_WARP),
                       "");
    on = LLVMBuildBitCast(e->b, on, e->c->vector[ISA_PRED], "");
    key = LLVMBuildSelect(e->b, on, key, LLVMConstNull(LLVMTypeOf(key)), "");
    key = LLVMBuildTrunc(e->b, key, LLVMTypeOf(lanes), "");
    key = sorted(e, LLVMBuildOr(e->b, key, lanes, ""));
    ways_end(e, &y, &key, 1);
    key = LLVMBuildTrunc(e->b, key, e->c->vector[ISA_I8], "");
    one = LLVMConstInt(e->c->scalar[ISA_I8], ISA_WARP - 1, false);
    return LLVMBuildAnd(e->b, key, emit_splat(e, one), "");
}

/* Which lane the next one is stands there before it is wanted. */
static void take_next(struct emitter *e, const struct lane_pair *t) {
    LLVMValueRef left = value_get(e, e->c->wide, t->left, 0);
    LLVMValueRef next = value_get(e, e->c->scalar[ISA_I8], emit_beyond(e, t->order, left), 0);
    left = LLVMBuildAdd(e->b, left, LLVMConstInt(e->c->wide, 1, false), "");
    LLVMBuildStore(e->b, left, t->left);
    LLVMBuildStore(e->b, LLVMBuildZExt(e->b, next, e->c->wide, ""), t->next);
}

/* The next lane begins on this side. */
static void begin_lane(struct emitter *e, struct lanecode *p, const struct lane_pair *t) {
    LLVMValueRef lane = value_get(e, e->c->wide, t->next, 0);
    LLVMBuildStore(e->b, lane, t->lane[p->side]);
    LLVMValueRef iterations = emit_element(e, e->c->word, t->each, lane);
    LLVMBuildStore(e->b, value_get(e, e->c->word, iterations, 0), t->iterations[p->side]);
    start_lane(e, p, lane);
    take_next(e, t);
}

/* A lane comes to where it leaves the loop, or is to stop before. */
static void end_lane(struct emitter *e, struct lanecode *p, const struct lane_pair *t) {
    struct emitter one = lane_cursor(e, p);
    LLVMBasicBlockRef stop = NULL;
    LLVMValueRef lane = value_get(e, e->c->wide, t->lane[p->side], 0);
    if (p->noted) {
        LLVMBasicBlockRef leave = emit_block(e, "leave");
        LLVMValueRef made = emit_element(e, e->c->word, t->each, lane);
        made = value_get(e, e->c->word, made, 0);
        stop = emit_block(e, "stop");
        made = emit_compare(e, LLVMIntEQ, made, p->room);
        assisted_branch(e, made, stop, leave);
        LLVMPositionBuilderAtEnd(e->b, leave);
    }
    emit_part(&one, p, p->of.begin + 1, p->of.test);
    if (stop) emit_goto(e, stop, stop);
    put(e, p, lane);
}

/* So many iterations of one side or of both in step. They are counted by one counter, and addresses
 * are moved on behind them all. */
static void make_iterations(struct emitter *e, struct lanecode *p, LLVMValueRef iterations,
                            unsigned from, unsigned to) {
    LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b), iteration = emit_block(e, "iteration"),
                      after = emit_block(e, "");
    LLVMValueRef all = LLVMBuildZExt(e->b, iterations, e->c->wide, "");
    LLVMValueRef none = LLVMConstNull(e->c->wide);
    emit_branch(e, LLVMBuildICmp(e->b, LLVMIntNE, all, none, ""), iteration, after);
    p->iteration = LLVMBuildPhi(e->b, e->c->wide, "");
    for (p->side = from; p->side <= to; p->side++) {
        struct emitter one = lane_cursor(e, p);
        emit_part(&one, p, p->of.begin + 1, p->of.test);
        emit_part(&one, p, p->of.test + 1, p->of.end);
    }
    LLVMValueRef next = LLVMBuildAdd(e->b, p->iteration, LLVMConstInt(e->c->wide, 1, false), "");
    LLVMBasicBlockRef ends[] = {before, LLVMGetInsertBlock(e->b)};
    LLVMAddIncoming(p->iteration, (LLVMValueRef[]){none, next}, ends, 2);
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, next, all, ""), iteration, after);
    LLVMPositionBuilderAtEnd(e->b, after);
    p->iteration = NULL;
    for (p->side = from; p->side <= to; p->side++)
        for (uint32_t n = p->of.begin + 1; n < p->of.end; n++) {
            LLVMValueRef slot = p->at[p->side][n - p->of.begin];
            if (!slot) continue;
            LLVMValueRef at = LLVMBuildLoad2(e->b, e->c->pointer, slot, "");
            LLVMBuildStore(e->b, lanecode_stepped(e, p, n, at, all), slot);
        }
}

/* As many iterations as both sides have before them. */
static void make_both(struct emitter *e, struct lanecode *p, const struct lane_pair *t) {
    LLVMValueRef iterations[2];
    for (unsigned s = 0; s < 2; s++) iterations[s] = value_get(e, e->c->word, t->iterations[s], 0);
    LLVMValueRef least = emit_listed(e, "llvm.umin", iterations, 2);
    for (unsigned s = 0; s < 2; s++)
        LLVMBuildStore(e->b, LLVMBuildSub(e->b, iterations[s], least, ""), t->iterations[s]);
    make_iterations(e, p, least, 0, 1);
}

/* Lane follows lane on each side. */
static void run_pairs(struct emitter *e, struct lanecode *p, LLVMValueRef on,
                      LLVMValueRef iterations) {
    struct lane_pair t = {.left = emit_alloca(e, e->c->wide, "left"),
                          .next = emit_alloca(e, e->c->wide, "next"),
                          .each = assisted_buffer(e, LANECODE_BUFFERS + GATHERLOOPS_VALUES),
                          .order = assisted_buffer(e, LANECODE_BUFFERS + GATHERLOOPS_VALUES + 1)};
    LLVMBasicBlockRef both = emit_block(e, "both"), rest[2], end = emit_block(e, "");
    LLVMBuildStore(e->b, iterations, t.each);
    LLVMBuildStore(e->b, in_order(e, on, iterations), t.order);
    t.order = emit_inside(e, t.order, ISA_WARP + 1); /* one is taken before any is to come */
    on = LLVMBuildNot(e->b, emit_intrinsic(e, "llvm.ctpop", on), "");
    LLVMBuildStore(e->b, LLVMBuildSExt(e->b, on, e->c->wide, ""), t.left);
    take_next(e, &t);
    for (p->side = 0; p->side < 2; p->side++) {
        t.lane[p->side] = emit_alloca(e, e->c->wide, "lane");
        t.iterations[p->side] = emit_alloca(e, e->c->word, "iterations");
        rest[!p->side] = emit_block(e, "rest");
    }
    p->side = 0;
    begin_lane(e, p, &t);
    emit_branch(e, is_zero(e, t.left), rest[0], NULL);
    p->side = 1;
    begin_lane(e, p, &t);
    emit_goto(e, both, both);
    make_both(e, p, &t);
    for (p->side = 0; p->side < 2; p->side++) {
        LLVMBasicBlockRef ended = emit_block(e, "ended"), next = emit_block(e, "next"),
                          after = emit_block(e, "");
        emit_branch(e, is_zero(e, t.iterations[p->side]), ended, after);
        end_lane(e, p, &t);
        LLVMBuildCondBr(e->b, is_zero(e, t.left), rest[!p->side], next);
        LLVMPositionBuilderAtEnd(e->b, next);
        begin_lane(e, p, &t);
        emit_goto(e, after, after);
    }
    LLVMBuildBr(e->b, both);
    for (unsigned s = 0; s < 2; s++) { /* no lane is to come for the other side */
        LLVMPositionBuilderAtEnd(e->b, rest[s]);
        make_iterations(e, p, value_get(e, e->c->word, t.iterations[s], 0), s, s);
        p->side = s;
        end_lane(e, p, &t);
        LLVMBuildBr(e->b, end);
    }
    LLVMPositionBuilderAtEnd(e->b, end);
}

/* The same for a loop with probes: so many iterations at a time as there is room for, and then the
 * probes of those. */
static void run_noted(struct emitter *e, struct lanecode *p, LLVMValueRef on,
                      LLVMValueRef iterations) {
    LLVMTypeRef type = e->c->vector[ISA_I32];
    LLVMValueRef none = LLVMConstNull(type), bits = emit_alloca(e, e->c->word, "lanes");
    LLVMValueRef room = emit_words(e, p->room);
    LLVMBasicBlockRef some = emit_block(e, "lanes"), end = emit_block(e, "");
    LLVMValueRef lanes = LLVMBuildBitCast(e->b, on, e->c->vector[ISA_PRED], "");
    LLVMValueRef left = emit_alloca(e, type, "left");
    LLVMBuildStore(e->b, LLVMBuildSelect(e->b, lanes, iterations, none, ""), left);
    LLVMBuildStore(e->b, on, bits);
    emit_goto(e, some, some);
    LLVMValueRef ahead = LLVMBuildLoad2(e->b, type, left, "");
    on = LLVMBuildLoad2(e->b, e->c->word, bits, "");
    LLVMValueRef now = emit_intrinsic(e, "llvm.umin", ahead, room);
    LLVMBuildStore(e->b, LLVMBuildSub(e->b, ahead, now, ""), left);
    run_pairs(e, p, on, now);
    lanenotes_emit(e, p, on, now);
    LLVMValueRef more = emit_bits(e, LLVMBuildICmp(e->b, LLVMIntEQ, now, room, ""));
    LLVMBuildStore(e->b, more, bits);
    emit_branch(e, emit_compare(e, LLVMIntEQ, more, 0), end, some);
}

/* The loop for the lanes of `on`, of which one at least is set; p->m and count are filled.
 * iterations: how many each makes, where that is known and nothing else ends them, or NULL. */
static void run(struct emitter *e, struct lanecode *p, LLVMValueRef on, LLVMValueRef iterations) {
    put_lanes(e, p);
    if (p->noted) lanenotes_begin(e, p);
    for (p->side = 0; p->side < (iterations ? 2 : 1); p->side++) {
        struct emitter lane = lane_cursor(e, p);
        lanecode_make(&lane, p);
        if (iterations) find_steps(e, p);
    }
    p->side = 0;
    if (p->noted) {
        run_noted(e, p, on, iterations);
    } else if (iterations) {
        run_pairs(e, p, on, iterations);
    } else {
        struct lane_loop t;
        scattered_begin(e, &t, on);
        run_lane(e, p, t.lane);
        scattered_end(e, &t);
    }
    take_lanes(e, p->m, p->count);
}

/* ---- which loops ---- */

bool lanecode_plan(struct plan *plan) {
    struct plan_serialised *s = &plan->serialised;
    const struct opcosts *c = opcosts_of(plan->request->level);
    struct fewlanes_host host = {c->gathered, c->scattered, (uint32_t)c->vectors * c->lanes,
                                 plan->request->level != NATIVE_BASELINE};
    s->of = plan_of_instructions(plan, sizeof *s->of);
    for (uint32_t n = 0; n < plan->k->ninsts && !plan_off(plan, PLAN_serialised); n++) {
        if (plan->k->insts[n].op != ISA_loop || !plan_get(plan, regions)->of.divergent[n]) continue;
        s->of[n] =
            fewlanes_of(plan->k, plan_loops(plan), plan_shape(plan), &plan_get(plan, liveness)->of,
                        &plan_get(plan, row_loops)->of, n, &host);
        plan_tell(plan, PLAN_serialised, n, "%s%s", s->of[n].most ? "" : "no: ", s->of[n].why);
        if (s->of[n].most) warpregions_leave_lockstep(&plan->regions.of, plan->k, n);
    }
    return true;
}

/* ---- when ---- */

/* The iterations that each lane has before it, where nothing ends the loop but a counter that comes
 * to its limit in steps of one; or NULL. */
static LLVMValueRef exact_iterations(struct emitter *e, const struct gatherloop *l) {
    unsigned most;
    if (plan_get(e->plan, serialised)->of[l->begin].most < FEWLANES_ANY) return NULL;
    const struct isa_inst *i = gatherloops_exact(e->k, l, &most);
    if (!i) return NULL;
    LLVMValueRef v[2];
    for (unsigned s = 0; s < 2; s++) v[s] = value_read_vector(e, isa_srcs(e->k, i)[s], e->from);
    bool more = compare_is_strict(i->op); /* never without a sign */
    LLVMIntPredicate leaves = compare_is_signed(i->op) ? LLVMIntSLE : LLVMIntULE;
    if (more) leaves = LLVMIntSLT;
    if (i->op == ISA_eq) leaves = LLVMIntEQ;
    LLVMValueRef none = LLVMBuildICmp(e->b, leaves, v[0], v[1], "");
    LLVMValueRef way = LLVMBuildSub(e->b, v[most], v[!most], "");
    if (more) way = LLVMBuildAdd(e->b, way, emit_words(e, 1), "");
    return LLVMBuildSelect(e->b, none, LLVMConstNull(e->c->vector[ISA_I32]), way, "");
}

/* Where it is known how many iterations are to come, it is known whether they are worth it. */
LLVMValueRef lanecode_begin(struct emitter *e) {
    struct gatherloop l = gatherloops_at(e->k, plan_loops(e->plan), e->i);
    LLVMValueRef iterations = emit_alloca(e, e->c->word, "iterations"),
                 ahead = exact_iterations(e, &l), first = emit_word(e, 0);
    if (ahead) {
        const struct fewlanes *f = &plan_get(e->plan, serialised)->of[e->i];
        LLVMValueRef none = LLVMConstNull(LLVMTypeOf(ahead)), most = emit_words(e, 1 << 16);
        ahead = value_active(e, e->from, emit_intrinsic(e, "llvm.umin", ahead, most), none);
        LLVMValueRef sum = emit_intrinsic(e, "llvm.vector.reduce.add", ahead);
        LLVMValueRef all = emit_intrinsic(e, "llvm.vector.reduce.umax", ahead);
        sum = LLVMBuildMul(e->b, sum, emit_word(e, f->lane), "");
        sum = LLVMBuildAdd(e->b, sum, emit_word(e, f->begun), "");
        all = LLVMBuildMul(e->b, all, emit_word(e, f->warp), "");
        LLVMValueRef worth = LLVMBuildICmp(e->b, LLVMIntULE, sum, all, "");
        first = LLVMBuildSelect(e->b, worth, emit_word(e, LEAST_ITERATIONS),
                                emit_word(e, LEAST_ITERATIONS + 1), "");
    }
    LLVMBuildStore(e->b, first, iterations);
    return iterations;
}

LLVMBasicBlockRef lanecode_leave(struct emitter *e, LLVMValueRef iterations) {
    struct lanecode p = {.of = gatherloops_at(e->k, plan_loops(e->plan), e->i)};
    struct gatherloop_register moved[GATHERLOOPS_VALUES];
    uint32_t few = plan_get(e->plan, serialised)->of[e->i].most;
    p.count = gatherloops_moved(e->k, &plan_get(e->plan, liveness)->of, e->i, moved);
    for (unsigned n = 0; n < p.count; n++) p.m[n].of = moved[n];
    for (uint32_t n = e->i; n < p.of.end; n++) p.noted |= probes_is(&e->k->insts[n]);
    LLVMBasicBlockRef lanes = emit_block(e, "lanes"), next = emit_block(e, "");
    LLVMValueRef at = LLVMBuildLoad2(e->b, e->c->word, iterations, "");
    LLVMBuildStore(e->b, LLVMBuildAdd(e->b, at, emit_word(e, 1), ""), iterations);
    uint32_t least = gatherloops_tests(e->k, e->i) ? LEAST_TESTS : LEAST_ITERATIONS;
    LLVMValueRef on = emit_bits(e, masks_get(e, e->mask[e->from]));
    LLVMValueRef enough = emit_compare(e, LLVMIntEQ, at, least);
    if (few < FEWLANES_ANY)
        enough = emit_compare(e, LLVMIntULE, emit_intrinsic(e, "llvm.ctpop", on), few);
    emit_branch(e, enough, lanes, next);
    run(e, &p, on, exact_iterations(e, &p.of));
    return next;
}
