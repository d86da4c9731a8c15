/* Regions, jumps, barriers: the same masks as device/interp/lanes/regions.c has, and
 * branches where shape says that all lanes agree. */
#include <string.h>

#include "device/native/instructions.h"

#include "device/native/mem/accesses.h"
#include "device/costs/opcosts.h"
#include "device/native/opt/rewrites.h"
#include "device/native/value.h"

static bool is_open(const struct emitter *e) {
    return !LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(e->b));
}

static LLVMBasicBlockRef *target(struct emitter *e, LLVMBasicBlockRef *block) {
    if (!*block) *block = emit_block(e, "");
    return block;
}

/* Goes on at the block, from here and from all jumps to it. */
static void arrive(struct emitter *e, LLVMBasicBlockRef *block) {
    if (!*block) {
        if (is_open(e)) return;
        *block = emit_block(e, "dead");
    }
    if (is_open(e)) LLVMBuildBr(e->b, *block);
    LLVMPositionBuilderAtEnd(e->b, *block);
    *block = NULL;
}

/* Where a warp with an empty mask goes on: the next reconvergence point of a divergent region. */
static LLVMBasicBlockRef empty(struct emitter *e) {
    uint32_t n = e->depth;
    while (n && !e->open[n].divergent) n--;
    struct open_region *r = &e->open[n];
    return n ? *target(e, r->no_continue ? &r->over : &r->end) : e->c->finish;
}

/* The masks of the warps being emitted, or what is made of them. */
struct warp_masks {
    LLVMValueRef of[PLAN_WARPS];
};

static LLVMValueRef any(struct emitter *e, const struct warp_masks *m) {
    LLVMValueRef all = m->of[e->from];
    for (unsigned w = e->from + 1; w < e->to; w++) all = masks_or(e, all, m->of[w]);
    return masks_any(e, all);
}

/* Sets the masks; with no lane left it goes to the next reconvergence point. */
static void set_masks(struct emitter *e, const struct warp_masks *m, bool may_be_empty) {
    for (unsigned w = e->from; w < e->to; w++) masks_put(e, m->of[w], e->mask[w]);
    if (may_be_empty) emit_branch(e, any(e, m), NULL, empty(e));
}

static bool may_empty(const struct emitter *e) {
    return !e->one_lane && plan_shape(e->plan)->inst_flags[e->i] & SHAPE_MAY_EMPTY;
}

/* All lanes of the warps being emitted take the branch alike. */
static bool agreed(const struct emitter *e) {
    return e->one_lane || shape_branch(plan_shape(e->plan), e->i) >=
                              (e->to - e->from > 1 ? SHAPE_GROUP : SHAPE_WARP);
}

static struct open_region *enter(struct emitter *e, bool loop, bool divergent) {
    struct open_region *r = &e->open[++e->depth];
    memset(r, 0, sizeof *r);
    r->loop = loop;
    r->divergent = divergent;
    if (divergent) {
        bool far, continues;
        warpregions_jumps(e->k, e->i, &far, &continues);
        r->reconverges = !far;
        r->no_continue = loop && !continues;
    }
    for (unsigned w = e->from; divergent && w < e->to; w++) {
        r->left[w] = masks_slot(e, "left");
        r->continued[w] = masks_slot(e, "continued");
        LLVMValueRef none = LLVMConstNull(e->c->vector[ISA_PRED]);
        masks_put(e, r->reconverges ? emit_mask(e, w) : none, r->left[w]);
        masks_put(e, none, r->continued[w]);
    }
    return r;
}

static LLVMValueRef predicate(struct emitter *e, unsigned w, bool as_lanes) {
    struct warp_value p = value_read(e, isa_srcs(e->k, e->inst)[0], w);
    /* Otherwise uniform, unless nothing comes here. */
    return as_lanes ? value_vector(e, &p) : value_piece(e, &p, 0);
}

static void begin_if(struct emitter *e) {
    bool uniform = agreed(e);
    LLVMValueRef one = uniform ? predicate(e, e->from, false) : NULL;
    struct open_region *r = enter(e, false, !uniform);
    if (uniform) {
        emit_branch(e, one, NULL, *target(e, &r->end));
        return;
    }
    struct warp_masks m;
    for (unsigned w = e->from; w < e->to; w++) {
        LLVMValueRef mask = emit_mask(e, w), p = predicate(e, w, true);
        masks_put(e, masks_without(e, mask, p), r->reconverges ? r->continued[w] : r->left[w]);
        m.of[w] = masks_and(e, mask, p);
    }
    set_masks(e, &m, true);
}

void control_else(struct emitter *e, bool reached) {
    struct open_region *r = &e->open[e->depth];
    r->is_else = true;
    if (!r->divergent) {
        if (reached && is_open(e)) LLVMBuildBr(e->b, *target(e, &r->exit));
        arrive(e, &r->end);
        return;
    }
    arrive(e, &r->end);
    struct warp_masks on;
    for (unsigned w = e->from; w < e->to; w++) {
        on.of[w] = masks_get(e, r->reconverges ? r->continued[w] : r->left[w]);
        if (!r->reconverges) masks_put(e, emit_mask(e, w), r->left[w]);
    }
    set_masks(e, &on, true);
}

/* The active masks, if those are wanted, with those of the lanes in the slots, NULL: none, added.
 */
static struct warp_masks joined(struct emitter *e, bool active, const LLVMValueRef *slots) {
    struct warp_masks m = {0};
    for (unsigned w = e->from; w < e->to; w++) {
        LLVMValueRef on = active ? emit_mask(e, w) : NULL, of = slots ? masks_get(e, slots[w]) : on;
        m.of[w] = active && slots ? masks_or(e, on, of) : of;
    }
    return m;
}

/* At a region's end the lanes that have left it reconverge. */
static void reconverge(struct emitter *e, const struct open_region *r) {
    struct warp_masks m = joined(e, !r->reconverges, r->left);
    set_masks(e, &m, !r->reconverges && may_empty(e));
}

static void end_loop(struct emitter *e, struct open_region *r) {
    struct warp_masks m;
    arrive(e, &r->end);
    if (!r->divergent) {
        m = joined(e, true, NULL);
        if (may_empty(e))
            emit_branch(e, any(e, &m), r->head, NULL);
        else
            LLVMBuildBr(e->b, r->head);
        if (is_open(e)) LLVMBuildBr(e->b, empty(e));
        return;
    }
    if (r->no_continue) { /* with lanes left, or it would have gone to where the loop is over */
        m = joined(e, true, NULL);
        if (r->asks)
            emit_branch(e, any(e, &m), r->head, NULL);
        else
            LLVMBuildBr(e->b, r->head);
        arrive(e, &r->over);
    } else {
        m = joined(e, true, r->continued);
        for (unsigned w = e->from; w < e->to; w++) {
            masks_put(e, LLVMConstNull(e->c->vector[ISA_PRED]), r->continued[w]);
            masks_put(e, m.of[w], e->mask[w]);
        }
        emit_branch(e, any(e, &m), r->head, NULL);
    }
    m = joined(e, false, r->left);
    set_masks(e, &m, !r->reconverges);
}

void control_end(struct emitter *e) {
    struct open_region r = e->open[e->depth--];
    if (r.loop) {
        end_loop(e, &r);
        e->cached = r.cached;
    } else {
        arrive(e, &r.end);
        if (r.divergent) reconverge(e, &r);
    }
    if (r.merge) {
        arrive(e, &r.merge);
        reconverge(e, &r);
    }
    arrive(e, &r.exit);
}

/* At an iteration's beginning: what is left of the loop may be done lane by lane. */
static void shorten(struct emitter *e, struct open_region *r, LLVMValueRef iterations) {
    LLVMValueRef none = LLVMConstNull(e->c->vector[ISA_PRED]), left = r->left[e->from];
    LLVMBasicBlockRef next = lanecode_leave(e, iterations);
    LLVMValueRef on = masks_get(e, e->mask[e->from]);
    if (!r->reconverges) masks_put(e, masks_or(e, masks_get(e, left), on), left);
    masks_put(e, none, e->mask[e->from]);
    emit_goto(e, empty(e), next);
}

static void begin(struct emitter *e) {
    bool loop = e->inst->op == ISA_loop;
    bool lanes =
        plan_get(e->plan, serialised)->of[e->i].most && !e->one_lane && e->to - e->from == 1;
    struct open_region *r =
        enter(e, loop, plan_get(e->plan, regions)->of.divergent[e->i] && !e->one_lane);
    if (!loop) return;
    LLVMValueRef iterations = lanes ? lanecode_begin(e) : NULL;
    r->cached = e->cached;
    const struct plan *p = e->plan;
    uint32_t test =
        rowstores_test(e->k, &plan_get(p, row_loops)->of, &plan_get(p, regions)->of, e->i);
    if (test && !r->divergent && !e->one_lane) e->cached = stream_loop(e, e->i, test);
    r->head = emit_block(e, "loop");
    emit_goto(e, r->head, r->head);
    if (iterations) shorten(e, r, iterations);
}

/* Where all lanes that are left leave region `r`. */
static LLVMBasicBlockRef leaving(struct emitter *e, struct open_region *r, bool continues) {
    if (continues) return *target(e, &r->end);
    if (!r->divergent) return *target(e, &r->exit);
    return *target(e, r->loop ? &r->merge : &r->end);
}

/* What is computed from instruction n on, or back from it, up to *end: nothing but exits of the
 * innermost loop lies between. */
static uint32_t operations(const struct emitter *e, uint32_t n, int by, uint32_t *end) {
    for (uint32_t count = 0;; n += (uint32_t)by) {
        const struct isa_inst *i = &e->k->insts[n];
        *end = n;
        uint32_t flags = isa_op_info[i->op].flags & (ISA_OP_PURE | ISA_OP_MATH);
        if (flags != ISA_OP_PURE && (i->op != ISA_breakif || i->imm)) return count;
        count += opcosts_operation(i).operations;
    }
}

/* Lanes leave the innermost loop, and little is left of the iteration: whether a lane is left is
 * asked behind it, so that the iteration is one block. Where vectors are few that is worth more
 * than what is computed for no lane in the end. */
static bool asked_later(const struct emitter *e, const struct open_region *r) {
    enum native_level level = e->plan->request->level;
    uint32_t end, before = operations(e, e->i, -1, &end), rest = operations(e, e->i + 1, 1, &end);
    return r->loop && r == &e->open[e->depth] && !plan_off(e->plan, PLAN_late_exit) &&
           isa_op_info[e->k->insts[end].op].flags & ISA_OP_REGION_END &&
           rest <= LIMIT_BEHIND_EXIT && level > NATIVE_BASELINE &&
           (level == NATIVE_AVX2 || rest <= before);
}

static void jump(struct emitter *e) {
    const struct isa_inst *i = e->inst;
    bool uniform = agreed(e), conditional = i->op == ISA_breakif;
    if (i->op == ISA_ret) {
        if (!uniform) {
            LLVMValueRef live = masks_get(e, e->live[e->from]);
            masks_put(e, masks_without(e, live, emit_mask(e, e->from)), e->live[e->from]);
            masks_put(e, LLVMConstNull(e->c->vector[ISA_PRED]), e->mask[e->from]);
        }
        LLVMBuildBr(e->b, uniform ? e->c->finish : empty(e));
        return;
    }
    struct open_region *r = &e->open[e->depth - (uint32_t)i->imm];
    bool continues = i->op == ISA_continue;
    if (uniform) {
        if (conditional)
            emit_branch(e, predicate(e, e->from, false), leaving(e, r, continues), NULL);
        else
            LLVMBuildBr(e->b, leaving(e, r, continues));
        return;
    }
    struct warp_masks m;
    for (unsigned w = e->from; w < e->to; w++) {
        LLVMValueRef mask = emit_mask(e, w), slot = continues ? r->continued[w] : r->left[w],
                     off = NULL;
        if (conditional) off = predicate(e, w, true);
        m.of[w] = off ? masks_without(e, mask, off) : LLVMConstNull(e->c->vector[ISA_PRED]);
        if (!continues && r->reconverges) continue;
        off = off ? masks_and(e, mask, off) : mask;
        masks_put(e, masks_or(e, masks_get(e, slot), off), slot);
    }
    bool later = conditional && !continues && asked_later(e, r);
    if (later) emit_tell(e, PLAN_late_exit, "asked at the end of the iteration");
    r->asks |= later;
    set_masks(e, &m, conditional && !later);
    if (!conditional) LLVMBuildBr(e->b, empty(e));
}

/* ---- barriers ---- */

static LLVMValueRef state(struct emitter *e, unsigned w, uint32_t at) {
    LLVMValueRef all = emit_of_run(e, state, e->c->pointer);
    LLVMValueRef index =
        LLVMBuildMul(e->b, LLVMBuildZExt(e->b, e->c->warp[w], e->c->wide, ""),
                     LLVMConstInt(e->c->wide, plan_get(e->plan, state)->bytes, false), "");
    index = LLVMBuildAdd(e->b, index, LLVMConstInt(e->c->wide, at, false), "");
    return emit_beyond(e, all, index);
}

static void move_mask(struct emitter *e, bool save, LLVMValueRef slot, unsigned w, uint32_t at) {
    if (save)
        value_put(e, masks_get(e, slot), state(e, w, at), 4);
    else
        masks_put(e, value_get(e, e->c->vector[ISA_PRED], state(e, w, at), 4), slot);
}

/* Masks first: the warp's, then two for each open region; then the registers that live across. What
 * is one for the bundle its first warp keeps. */
static void move_state(struct emitter *e, bool save, unsigned w) {
    move_mask(e, save, e->mask[w], w, 0);
    move_mask(e, save, e->live[w], w, 4);
    for (uint32_t d = 1; d <= e->depth; d++) {
        if (!e->open[d].divergent) continue;
        move_mask(e, save, e->open[d].left[w], w, 8 * d);
        move_mask(e, save, e->open[d].continued[w], w, 8 * d + 4);
    }
    for (uint32_t r = 0; r < e->k->nregs; r++) {
        if (plan_get(e->plan, liveness)->of.first[r] > e->i ||
            plan_get(e->plan, liveness)->of.last[r] < e->i || (e->regs.shared[r] && w != e->from))
            continue;
        for (unsigned h = 0; h < value_slots(e, r); h++) {
            LLVMTypeRef type = value_type(e, r);
            LLVMValueRef slot = value_slot(e, r, w)[h];
            LLVMValueRef at = state(e, w, plan_get(e->plan, state)->at[r] + 8 * h);
            if (save)
                value_put(e, LLVMBuildLoad2(e->b, type, slot, ""), at, 4);
            else
                LLVMBuildStore(e->b, value_get(e, type, at, 4), slot);
        }
    }
}

/* Lanes that have returned do not count; all others must be here (6.11.8). */
static void check_all_here(struct emitter *e) {
    LLVMValueRef live = emit_bits(e, masks_get(e, e->live[0]));
    struct ways y = {0};
    assisted_if(e, &y, 0, LLVMBuildICmp(e->b, LLVMIntNE, emit_mask_bits(e, 0), live, ""));
    ways_end(e, &y, NULL, 0);
}

/* Where all warps of the group are in lockstep all of them are here, and so is each of their lanes;
 * a warp that is the only one goes on at once. */
static void barrier(struct emitter *e) {
    bool resumable = plan_get(e->plan, bundle)->resumable;
    if (!resumable && (plan_get(e->plan, regions)->of.all_lockstep ||
                       shape_full(plan_shape(e->plan), e->i) >= SHAPE_WARP))
        return;
    if (!emit_many(e)) check_all_here(e); /* in lockstep they are */
    if (!resumable) return;
    LLVMBasicBlockRef next = emit_block(e, "resume");
    for (unsigned w = e->from; w < e->to; w++) move_state(e, true, w);
    uint32_t point = ++e->c->points;
    probes_end(e);
    LLVMBuildRet(e->b, emit_word(e, point));
    LLVMAddCase(e->c->resume, emit_word(e, point), next);
    LLVMPositionBuilderAtEnd(e->b, next);
    for (unsigned w = e->from; w < e->to; w++) move_state(e, false, w);
}

static void leave(struct emitter *e) {
    LLVMBasicBlockRef other = emit_block(e, "leave"), stay = emit_block(e, "");
    emit_branch(e, predicate(e, e->from, false), stay, other);
    LLVMPositionBuilderAtEnd(e->b, other);
    LLVMBuildRet(e->b, emit_word(e, NATIVE_LEAVES));
    LLVMPositionBuilderAtEnd(e->b, stay);
}

void control_emit(struct emitter *e) {
    switch (e->inst->op) {
    case ISA_if: begin_if(e); break;
    case ISA_loop:
    case ISA_block: begin(e); break;
    case ISA_bar: barrier(e); break;
    case ISA_leave: leave(e); break;
    case ISA_fence:
        if (e->inst->imm & ISA_FENCE_GLOBAL)
            LLVMBuildFence(e->b, LLVMAtomicOrderingSequentiallyConsistent, false, "");
        break;
    default: jump(e);
    }
}
