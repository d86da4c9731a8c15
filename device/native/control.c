/* Regions, jumps, barriers: the same masks and places to wait as device/lanes/control.c has, and
 * branches where shape says that all lanes agree. */
#include <string.h>

#include "emit.h"

static LLVMValueRef load_mask(struct emitter *e, LLVMValueRef at) {
    return LLVMBuildLoad2(e->b, e->vector[ISA_PRED], at, "");
}

static bool is_open(const struct emitter *e) {
    return !LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(e->b));
}

static LLVMBasicBlockRef *target(struct emitter *e, LLVMBasicBlockRef *place) {
    if (!*place) *place = emit_block(e, "");
    return place;
}

/* Goes on at the place, from here and from all jumps to it. */
static void arrive(struct emitter *e, LLVMBasicBlockRef *place) {
    if (!*place) {
        if (is_open(e)) return;
        *place = emit_block(e, "dead");
    }
    if (is_open(e)) LLVMBuildBr(e->b, *place);
    LLVMPositionBuilderAtEnd(e->b, *place);
    *place = NULL;
}

/* Where a warp with an empty mask goes on: the next place where lanes wait. */
static LLVMBasicBlockRef empty(struct emitter *e) {
    uint32_t n = e->depth;
    while (n && !e->open[n].waits) n--;
    return n ? *target(e, &e->open[n].end) : e->finish;
}

static LLVMValueRef any(struct emitter *e, LLVMValueRef mask) {
    return LLVMBuildICmp(e->b, LLVMIntNE, emit_bits(e, mask), emit_word(e, 0), "");
}

static void go_if(struct emitter *e, LLVMValueRef condition, LLVMBasicBlockRef yes,
                  LLVMBasicBlockRef no) {
    LLVMBasicBlockRef next = emit_block(e, "");
    LLVMBuildCondBr(e->b, condition, yes ? yes : next, no ? no : next);
    LLVMPositionBuilderAtEnd(e->b, next);
}

/* Sets the mask; with none left it goes to where lanes wait. */
static void set_mask(struct emitter *e, LLVMValueRef mask, bool may_be_empty) {
    LLVMBuildStore(e->b, mask, e->mask[e->from]);
    if (may_be_empty) go_if(e, any(e, mask), NULL, empty(e));
}

static bool may_empty(const struct emitter *e) {
    return e->shape->inst_flags[e->i] & SHAPE_MAY_EMPTY;
}

/* The branch is one for all warps being emitted. */
static bool together(const struct emitter *e) {
    return shape_branch(e->shape, e->i) >= (e->to - e->from > 1 ? SHAPE_GROUP : SHAPE_WARP);
}

static struct open_region *enter(struct emitter *e, bool loop, bool waits) {
    struct open_region *r = &e->open[++e->depth];
    memset(r, 0, sizeof *r);
    r->loop = loop;
    r->waits = waits;
    if (!waits) return r;
    r->left = emit_alloca(e, e->vector[ISA_PRED], "left");
    r->again = emit_alloca(e, e->vector[ISA_PRED], "again");
    return r;
}

static LLVMValueRef predicate(struct emitter *e, bool as_lanes) {
    struct value p = value_read(e, isa_srcs(e->k, e->inst)[0], e->from);
    if (as_lanes) return value_vector(e, &p);
    /* Otherwise uniform, unless nothing comes here. */
    return p.kind == KIND_UNIFORM
               ? p.v[0]
               : LLVMBuildExtractElement(e->b, value_vector(e, &p), emit_word(e, 0), "");
}

static void begin_if(struct emitter *e) {
    bool uniform = together(e);
    LLVMValueRef p = predicate(e, !uniform);
    struct open_region *r = enter(e, false, !uniform);
    if (uniform) {
        go_if(e, p, NULL, *target(e, &r->end));
        return;
    }
    LLVMValueRef mask = emit_mask(e, e->from);
    LLVMBuildStore(e->b, LLVMBuildAnd(e->b, mask, LLVMBuildNot(e->b, p, ""), ""), r->left);
    set_mask(e, LLVMBuildAnd(e->b, mask, p, ""), true);
}

void control_else(struct emitter *e, bool reached) {
    struct open_region *r = &e->open[e->depth];
    r->is_else = true;
    if (!r->waits) {
        if (reached && is_open(e)) LLVMBuildBr(e->b, *target(e, &r->exit));
        arrive(e, &r->end);
        return;
    }
    arrive(e, &r->end);
    LLVMValueRef on = load_mask(e, r->left);
    LLVMBuildStore(e->b, emit_mask(e, e->from), r->left);
    set_mask(e, on, true);
}

/* Those that wait at an end join in. */
static void join(struct emitter *e, const struct open_region *r) {
    LLVMValueRef mask = LLVMBuildOr(e->b, emit_mask(e, e->from), load_mask(e, r->left), "");
    set_mask(e, mask, may_empty(e));
}

static void end_loop(struct emitter *e, struct open_region *r) {
    arrive(e, &r->end);
    if (!r->waits) {
        if (may_empty(e))
            go_if(e, any(e, emit_mask(e, e->from)), r->head, NULL);
        else
            LLVMBuildBr(e->b, r->head);
        if (is_open(e)) LLVMBuildBr(e->b, empty(e));
        return;
    }
    LLVMValueRef mask = LLVMBuildOr(e->b, emit_mask(e, e->from), load_mask(e, r->again), "");
    LLVMBuildStore(e->b, LLVMConstNull(e->vector[ISA_PRED]), r->again);
    LLVMBuildStore(e->b, mask, e->mask[e->from]);
    go_if(e, any(e, mask), r->head, NULL);
    set_mask(e, load_mask(e, r->left), true);
}

void control_end(struct emitter *e) {
    struct open_region r = e->open[e->depth--];
    if (r.loop) {
        end_loop(e, &r);
    } else {
        arrive(e, &r.end);
        if (r.waits) join(e, &r);
    }
    if (r.merge) {
        arrive(e, &r.merge);
        join(e, &r);
    }
    arrive(e, &r.exit);
}

static void begin(struct emitter *e) {
    bool loop = e->inst->op == ISA_loop;
    struct open_region *r = enter(e, loop, e->waits[e->i]);
    if (r->waits) {
        LLVMBuildStore(e->b, LLVMConstNull(e->vector[ISA_PRED]), r->left);
        LLVMBuildStore(e->b, LLVMConstNull(e->vector[ISA_PRED]), r->again);
    }
    if (!loop) return;
    r->head = emit_block(e, "loop");
    LLVMBuildBr(e->b, r->head);
    LLVMPositionBuilderAtEnd(e->b, r->head);
}

/* Where all lanes that are left leave region `r`. */
static LLVMBasicBlockRef leaving(struct emitter *e, struct open_region *r, bool again) {
    if (again) return *target(e, &r->end);
    if (!r->waits) return *target(e, &r->exit);
    return *target(e, r->loop ? &r->merge : &r->end);
}

static void jump(struct emitter *e) {
    const struct isa_inst *i = e->inst;
    bool uniform = together(e), conditional = i->op == ISA_breakif;
    if (i->op == ISA_ret) {
        if (!uniform) {
            LLVMValueRef gone = LLVMBuildNot(e->b, emit_mask(e, e->from), "");
            LLVMBuildStore(e->b, LLVMBuildAnd(e->b, load_mask(e, e->live[e->from]), gone, ""),
                           e->live[e->from]);
            LLVMBuildStore(e->b, LLVMConstNull(e->vector[ISA_PRED]), e->mask[e->from]);
        }
        LLVMBuildBr(e->b, uniform ? e->finish : empty(e));
        return;
    }
    struct open_region *r = &e->open[e->depth - (uint32_t)i->imm];
    bool again = i->op == ISA_continue;
    if (uniform) {
        if (conditional)
            go_if(e, predicate(e, false), leaving(e, r, again), NULL);
        else
            LLVMBuildBr(e->b, leaving(e, r, again));
        return;
    }
    LLVMValueRef mask = emit_mask(e, e->from), slot = again ? r->again : r->left, off = mask;
    if (conditional) off = LLVMBuildAnd(e->b, mask, predicate(e, true), "");
    LLVMBuildStore(e->b, LLVMBuildOr(e->b, load_mask(e, slot), off, ""), slot);
    if (conditional) {
        set_mask(e, LLVMBuildAnd(e->b, mask, LLVMBuildNot(e->b, off, ""), ""), true);
    } else {
        LLVMBuildStore(e->b, LLVMConstNull(e->vector[ISA_PRED]), e->mask[e->from]);
        LLVMBuildBr(e->b, empty(e));
    }
}

/* ---- barriers ---- */

static LLVMValueRef state(struct emitter *e, uint32_t at) {
    LLVMValueRef all = emit_field(e, offsetof(struct native_run, state), e->pointer, "state");
    LLVMValueRef index = LLVMBuildMul(e->b, LLVMBuildZExt(e->b, e->warp[0], e->wide, ""),
                                      LLVMConstInt(e->wide, e->state_bytes, false), "");
    index = LLVMBuildAdd(e->b, index, LLVMConstInt(e->wide, at, false), "");
    return LLVMBuildGEP2(e->b, LLVMInt8TypeInContext(e->context), all, &index, 1, "");
}

static void move_value(struct emitter *e, bool save, LLVMTypeRef type, LLVMValueRef slot,
                       uint32_t at) {
    bool lanes = type == e->vector[ISA_PRED];
    LLVMTypeRef stored = lanes ? e->word : type;
    if (save) {
        LLVMValueRef v = LLVMBuildLoad2(e->b, type, slot, "");
        LLVMValueRef s = LLVMBuildStore(e->b, lanes ? emit_bits(e, v) : v, state(e, at));
        LLVMSetAlignment(s, 4);
    } else {
        LLVMValueRef v = LLVMBuildLoad2(e->b, stored, state(e, at), "");
        LLVMSetAlignment(v, 4);
        LLVMBuildStore(e->b, lanes ? LLVMBuildBitCast(e->b, v, type, "") : v, slot);
    }
}

/* Masks first: the warp's, then two for each open region; then the registers that live across. */
static void move_state(struct emitter *e, bool save) {
    LLVMTypeRef lanes = e->vector[ISA_PRED];
    move_value(e, save, lanes, e->mask[0], 0);
    move_value(e, save, lanes, e->live[0], 4);
    for (uint32_t d = 1; d <= e->depth; d++) {
        if (!e->open[d].waits) continue;
        move_value(e, save, lanes, e->open[d].left, 8 * d);
        move_value(e, save, lanes, e->open[d].again, 8 * d + 4);
    }
    for (uint32_t r = 0; r < e->k->nregs; r++) {
        if (e->first[r] > e->i || e->last[r] < e->i) continue;
        enum isa_type type = (enum isa_type)e->k->reg_types[r];
        LLVMTypeRef t = e->kinds[r] == KIND_VARYING ? e->vector[type] : e->scalar[type];
        LLVMValueRef *slot = value_slot(e, r, 0);
        move_value(e, save, t, slot[0], e->state_at[r]);
        if (e->kinds[r] == KIND_HALVES) move_value(e, save, t, slot[1], e->state_at[r] + 8);
    }
}

static void barrier(struct emitter *e) {
    if (!e->resumable) return; /* all warps of the group are here */
    LLVMValueRef all = LLVMBuildICmp(e->b, LLVMIntEQ, emit_mask_bits(e, 0),
                                     emit_bits(e, load_mask(e, e->live[0])), "");
    LLVMBasicBlockRef good = emit_block(e, "barrier"), bad = emit_block(e, "apart"),
                      next = emit_block(e, "resume");
    LLVMBuildCondBr(e->b, all, good, bad);
    LLVMPositionBuilderAtEnd(e->b, bad);
    assisted_emit(e, 0);
    LLVMBuildBr(e->b, good);
    LLVMPositionBuilderAtEnd(e->b, good);
    move_state(e, true);
    uint32_t point = ++e->points;
    LLVMBuildRet(e->b, emit_word(e, point));
    LLVMAddCase(e->resume, emit_word(e, point), next);
    LLVMPositionBuilderAtEnd(e->b, next);
    move_state(e, false);
}

void control_emit(struct emitter *e) {
    switch (e->inst->op) {
    case ISA_if: begin_if(e); break;
    case ISA_loop:
    case ISA_block: begin(e); break;
    case ISA_bar: barrier(e); break;
    case ISA_fence:
        if (e->inst->imm & ISA_FENCE_GLOBAL)
            LLVMBuildFence(e->b, LLVMAtomicOrderingSequentiallyConsistent, false, "");
        break;
    default: jump(e);
    }
}

/* ---- plan ---- */

/* Which regions lanes leave one by one; which warps pass one by one; and whether what happens in
 * those stays in them. */
bool control_plan(struct emitter *e) {
    const struct isa_kernel *k = e->k;
    uint32_t begins[ISA_MAX_NESTING + 1] = {0}, depth = 0;
    bool lockstep = true;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        enum shape_span span = shape_branch(e->shape, n);
        if (flags & ISA_OP_REGION_BEGIN) begins[++depth] = n;
        if (flags & ISA_OP_REGION_END) depth--;
        if (i->op == ISA_if && span < SHAPE_GROUP) e->alone[n] = 1;
        if (!(flags & ISA_OP_JUMP)) continue;
        if (i->op == ISA_ret) {
            lockstep &= span == SHAPE_GROUP;
            continue;
        }
        uint32_t to = begins[depth - (uint32_t)i->imm];
        if (span < SHAPE_WARP) e->waits[to] = 1;
        if (span < SHAPE_GROUP) e->alone[to] = 1;
    }
    /* no jump may leave a region that is passed alone, and no barrier be in one */
    uint32_t outer = 0; /* depth of the outermost one, 0: none */
    depth = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        if (flags & ISA_OP_REGION_BEGIN) {
            depth++;
            if (e->alone[n] && !outer) outer = depth;
        }
        if (flags & ISA_OP_REGION_END) {
            if (depth == outer) outer = 0;
            depth--;
        }
        if (!outer) continue;
        if (i->op == ISA_bar || i->op == ISA_ret) lockstep = false;
        if ((flags & ISA_OP_JUMP) && i->op != ISA_ret && depth - (uint32_t)i->imm < outer)
            lockstep = false;
    }
    return lockstep;
}
