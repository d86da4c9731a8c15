/* A kernel as one LLVM function. */
#include "device/native/emit.h"

#include <stdio.h>
#include <string.h>

#include "device/native/instructions.h"
#include "device/native/math/operations.h"
#include "device/native/mem/accesses.h"
#include "device/native/opt/rewrites.h"
#include "device/native/value.h"

/* ---- small things ---- */

LLVMValueRef emit_alloca(struct emitter *e, LLVMTypeRef type, const char *name) {
    return LLVMBuildAlloca(e->c->entry_end, type, name);
}

LLVMBasicBlockRef emit_block(struct emitter *e, const char *name) {
    char text[64];
    if (e->c->names) {
        unsigned line = e->inst ? e->inst->line : 0;
        snprintf(text, sizeof text, "%s.line%u", *name ? name : "next", line);
        name = text;
    }
    return LLVMAppendBasicBlockInContext(e->c->context, e->function, name);
}

void emit_goto(struct emitter *e, LLVMBasicBlockRef to, LLVMBasicBlockRef next) {
    LLVMBuildBr(e->b, to);
    LLVMPositionBuilderAtEnd(e->b, next);
}

void emit_branch(struct emitter *e, LLVMValueRef condition, LLVMBasicBlockRef yes,
                 LLVMBasicBlockRef no) {
    LLVMBasicBlockRef next = yes && no ? yes : emit_block(e, "");
    LLVMBuildCondBr(e->b, condition, yes ? yes : next, no ? no : next);
    LLVMPositionBuilderAtEnd(e->b, next);
}

LLVMValueRef emit_word(struct emitter *e, uint32_t value) {
    return LLVMConstInt(e->c->word, value, false);
}

LLVMValueRef emit_compare(struct emitter *e, LLVMIntPredicate is, LLVMValueRef v, uint32_t to) {
    return LLVMBuildICmp(e->b, is, v, emit_word(e, to), "");
}

LLVMValueRef emit_typed(struct emitter *e, const char *name, LLVMTypeRef *types, unsigned ntypes,
                        LLVMValueRef *args, unsigned nargs) {
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef fn = LLVMGetIntrinsicDeclaration(e->c->module, id, types, ntypes);
    return LLVMBuildCall2(e->b, LLVMIntrinsicGetType(e->c->context, id, types, ntypes), fn, args,
                          nargs, "");
}

LLVMValueRef emit_listed(struct emitter *e, const char *name, LLVMValueRef *args, unsigned nargs) {
    LLVMTypeRef type = LLVMTypeOf(args[0]);
    bool typed = LLVMIntrinsicIsOverloaded(LLVMLookupIntrinsicID(name, strlen(name)));
    return emit_typed(e, name, &type, typed, args, nargs);
}

void emit_metadata(struct emitter *e, LLVMValueRef inst, const char *name, LLVMMetadataRef *parts,
                   unsigned n) {
    unsigned kind = LLVMGetMDKindIDInContext(e->c->context, name, (unsigned)strlen(name));
    LLVMMetadataRef node = LLVMMDNodeInContext2(e->c->context, parts, n);
    LLVMSetMetadata(inst, kind, LLVMMetadataAsValue(e->c->context, node));
}

LLVMValueRef emit_lowest_bit(struct emitter *e, LLVMValueRef bits) {
    return emit_intrinsic(e, "llvm.cttz", bits, LLVMConstInt(e->c->scalar[ISA_PRED], 1, false));
}

void emit_call(struct emitter *e, LLVMValueRef function, LLVMValueRef *args, unsigned nargs) {
    LLVMTypeRef types[8], none = LLVMVoidTypeInContext(e->c->context);
    for (unsigned n = 0; n < nargs; n++) types[n] = LLVMTypeOf(args[n]);
    LLVMBuildCall2(e->b, LLVMFunctionType(none, types, nargs, false), function, args, nargs, "");
}

LLVMValueRef emit_early(struct emitter *e, LLVMTypeRef type, LLVMValueRef from, size_t offset,
                        const char *name) {
    LLVMValueRef at = LLVMConstInt(e->c->wide, offset, false);
    at = LLVMBuildGEP2(e->c->entry_end, e->c->scalar[ISA_I8], from, &at, 1, "");
    return LLVMBuildLoad2(e->c->entry_end, type, at, name);
}

LLVMValueRef emit_field(struct emitter *e, size_t offset, LLVMTypeRef type, const char *name) {
    LLVMValueRef *field = &e->c->fields[offset / 4];
    if (!*field) *field = emit_early(e, type, e->c->run, offset, name);
    return *field;
}

LLVMValueRef emit_unit(struct emitter *e, unsigned n) {
    size_t at = offsetof(struct native_run, units) + n * sizeof(float);
    return emit_field(e, at, e->c->scalar[ISA_F32], "unit");
}

LLVMValueRef emit_splat(struct emitter *e, LLVMValueRef scalar) {
    unsigned lanes = e->c->lanes;
    LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(scalar), lanes);
    LLVMValueRef one =
        LLVMBuildInsertElement(e->b, LLVMGetPoison(type), scalar, emit_word(e, 0), "");
    return LLVMBuildShuffleVector(e->b, one, LLVMGetPoison(type),
                                  LLVMConstNull(LLVMVectorType(e->c->word, lanes)), "");
}

LLVMValueRef emit_words(struct emitter *e, uint32_t value) {
    return emit_splat(e, emit_word(e, value));
}

bool emit_is_vector(LLVMValueRef v) { return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind; }

LLVMValueRef emit_like(struct emitter *e, LLVMValueRef v, LLVMValueRef scalar) {
    return emit_is_vector(v) ? emit_splat(e, scalar) : scalar;
}

LLVMValueRef emit_element(struct emitter *e, LLVMTypeRef type, LLVMValueRef at, LLVMValueRef n) {
    return LLVMBuildGEP2(e->b, type, at, &n, 1, "");
}

LLVMValueRef emit_beyond(struct emitter *e, LLVMValueRef at, LLVMValueRef bytes) {
    return emit_element(e, e->c->scalar[ISA_I8], at, bytes);
}

LLVMValueRef emit_inside(struct emitter *e, LLVMValueRef at, int64_t bytes) {
    return emit_beyond(e, at, LLVMConstInt(e->c->wide, (uint64_t)bytes, true));
}

LLVMValueRef emit_bits(struct emitter *e, LLVMValueRef lanes) {
    LLVMTypeRef bits = LLVMIntTypeInContext(e->c->context, LLVMGetVectorSize(LLVMTypeOf(lanes)));
    lanes = LLVMBuildBitCast(e->b, lanes, bits, "");
    return LLVMBuildZExt(e->b, lanes, e->c->word, "");
}

LLVMValueRef emit_all_bits(struct emitter *e) {
    return emit_word(e, ~0u >> (ISA_WARP - e->c->lanes));
}

bool emit_full(const struct emitter *e) {
    return e->one_lane || (e->guarded && plan_get(e->plan, guards)->full[e->i]) ||
           (!e->partial && shape_full(plan_shape(e->plan), e->i) >= SHAPE_WARP);
}

LLVMValueRef emit_mask(struct emitter *e, unsigned w) {
    if (emit_full(e)) return LLVMConstAllOnes(e->c->vector[ISA_PRED]);
    return masks_get(e, e->mask[w]);
}

LLVMValueRef emit_mask_bits(struct emitter *e, unsigned w) {
    if (e->lane)
        return LLVMBuildShl(e->b, emit_word(e, 1), LLVMBuildTrunc(e->b, e->lane, e->c->word, ""),
                            "");
    return emit_full(e) ? emit_all_bits(e) : emit_bits(e, emit_mask(e, w));
}

LLVMValueRef emit_number(struct emitter *e) {
    const uint32_t *origins = sized_origins(&plan_get(e->plan, sized)->made);
    return emit_word(e, origins ? origins[e->i] : e->i);
}

/* ---- computing ---- */

/* Lanes count: of a known 1 LLVM would make the mask a vector that is added, which is more than an
 * addition under a mask. */
static bool counts(const struct emitter *e, isa_operand o) {
    const struct isa_inst *i = e->inst;
    if (e->request->level != NATIVE_AVX512 || (i->op != ISA_add && i->op != ISA_sub)) return false;
    if (!plan_masked(e->plan, e->i) || i->type != ISA_I32) return false;
    if (!isa_is_const(o) || isa_srcs(e->k, i)[0] != isa_dsts(e->k, i)[0]) return false;
    uint32_t by = (uint32_t)e->k->consts[isa_const_index(o)].bits;
    return by == 1 || by == UINT32_MAX;
}

static void emit_alu(struct emitter *e, unsigned w) {
    const struct isa_inst *i = e->inst;
    const isa_operand *src = isa_srcs(e->k, i), *dst = isa_dsts(e->k, i);
    enum kind kind = emit_kind(e, dst[0]);
    struct warp_value s[3], v[2];
    bool scalars = true, uniform = true;
    for (unsigned n = 0; n < i->nsrc && n < 3; n++) {
        s[n] = value_read(e, src[n], w);
        scalars &= s[n].kind != KIND_VARYING;
        uniform &= s[n].kind == KIND_UNIFORM;
    }
    if (uniform || !scalars) kind = uniform ? KIND_UNIFORM : KIND_VARYING;
    for (unsigned h = 0; h < (kind == KIND_HALVES ? 2 : 1); h++) {
        LLVMValueRef in[3] = {NULL};
        for (unsigned n = 0; n < i->nsrc && n < 3; n++) {
            bool choice = i->op == ISA_select && n == 0 && s[n].kind == KIND_UNIFORM;
            bool vector = kind == KIND_VARYING && !choice;
            if (kind == KIND_VARYING && counts(e, src[n])) s[n].v[0] = value_obscured(e, s[n].v[0]);
            in[n] = vector ? value_vector(e, &s[n]) : value_piece(e, &s[n], h);
        }
        for (unsigned d = 0; d < i->ndst; d++) {
            if (!h) v[d] = value_of(kind, (enum isa_type)e->k->reg_types[dst[d]], NULL);
            v[d].v[h] = alu_emit(e, d, in, kind == KIND_VARYING);
            if (!v[d].v[h]) {
                assisted_emit(e, w);
                return;
            }
        }
    }
    for (unsigned d = 0; d < i->ndst; d++) {
        if (kind == KIND_LINEAR || kind == KIND_HALVES) v[d].stride = plan_stride(e->plan, dst[d]);
        value_write(e, dst[d], w, v[d]);
    }
}

LLVMValueRef emit_within_half(struct emitter *e, LLVMValueRef address) {
    uint32_t half = UINT32_C(1) << 31;
    LLVMMetadataRef limits[] = {LLVMValueAsMetadata(emit_word(e, half)),
                                LLVMValueAsMetadata(emit_word(e, half - ISA_MAX_DISPLACEMENT))};
    emit_metadata(e, address, "range", limits, 2);
    return address;
}

static void emit_address(struct emitter *e, unsigned w) {
    LLVMValueRef base = e->inst->op == ISA_localaddr ? emit_of_run(e, local_base, e->c->word)
                                                     : emit_of_run(e, constant_base, e->c->word);
    emit_within_half(e, base);
    LLVMValueRef v = LLVMBuildAdd(e->b, base, emit_word(e, (uint32_t)e->inst->imm), "");
    value_result(e, 0, w, v);
}

/* The cursor's instruction, which is no control flow. */
static void emit_one(struct emitter *e, unsigned w) {
    const struct isa_inst *i = e->inst;
    uint32_t flags = isa_op_info[i->op].flags;
    if (flags & ISA_OP_MATH && !sfu_has((enum isa_op)i->op, (enum isa_type)i->type) &&
        !veclib_has(e))
        assisted_math(e, w);
    else if (flags & ISA_OP_ATOMIC)
        atomic_emit(e, w);
    else if (flags & ISA_OP_IMAGE)
        images_emit(e, w);
    else if (flags & ISA_OP_PROBE)
        probes_emit(e, w);
    else if (flags & ISA_OP_HOST)
        lanevalues_other(e, w);
    else
        switch (i->op) {
        case ISA_special: lanevalues_special(e, w); break;
        case ISA_localaddr:
        case ISA_constaddr: emit_address(e, w); break;
        case ISA_ld:
        case ISA_st: access_emit(e, w); break;
        case ISA_printf: assisted_emit(e, w); break;
        case ISA_copies:
        case ISA_index: break;
        default: emit_alu(e, w);
        }
}

/* ---- the list of instructions ---- */

static bool is_control(const struct isa_inst *i) {
    return i->op == ISA_bar || i->op == ISA_fence || i->op == ISA_leave ||
           (isa_op_info[i->op].flags & (ISA_OP_REGION_BEGIN | ISA_OP_JUMP));
}

/* All destinations belong to the bundle: computed once. */
static bool for_bundle(const struct emitter *e) {
    const struct isa_inst *i = e->inst;
    for (unsigned n = 0; n < i->ndst; n++)
        if (!e->regs.shared[isa_dsts(e->k, i)[n]]) return false;
    return i->ndst > 0 && (isa_op_info[i->op].flags & ISA_OP_PURE || i->op == ISA_ld);
}

/* Of more warps the slowest would hold up the others for longer than it gains. */
static bool in_lockstep(const struct emitter *e) {
    enum { MOST = 2 };
    return plan_get(e->plan, regions)->of.lockstep[e->i] && plan_bundle(e->plan) <= MOST;
}

/* The region that begins here, warp by warp. */
static void emit_per_warp(struct emitter *e) {
    uint32_t begin = e->i, end = warpregions_end(e->k, begin);
    for (unsigned w = e->from; w < e->to; w++) {
        struct emitter one = emit_at(e, begin);
        one.from = w;
        one.to = w + 1;
        if (plan_get(e->plan, regions)->of.per_warp[begin] == REGION_OWN)
            pressure_emit(&one, begin, end);
        else
            emit_range(&one, begin, end + 1);
    }
    e->i = end;
}

static void emit_plain(struct emitter *e) {
    unsigned end = e->to;
    if (for_bundle(e)) {
        if (e->later) return;
        end = e->from + 1;
    }
    struct ways y = {0};
    access_overwritten(e, &y);
    bool done = transposed_emit(e, &y);
    for (unsigned w = e->from; w < end && !done; w++) emit_one(e, w);
    ways_end(e, &y, NULL, 0);
}

struct emitter emit_at(const struct emitter *e, uint32_t n) {
    struct emitter copy = *e;
    copy.i = n;
    copy.inst = &e->k->insts[n];
    return copy;
}

void emit_range(struct emitter *e, uint32_t from, uint32_t to) {
    const struct plan_regions *regions = plan_get(e->plan, regions);
    bool reached = true;
    for (e->i = from; e->i < to; e->i++) {
        e->inst = &e->k->insts[e->i];
        uint32_t flags = isa_op_info[e->inst->op].flags;
        if (flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END)) {
            if (flags & ISA_OP_REGION_ELSE)
                control_else(e, reached);
            else
                control_end(e);
            reached = true;
        } else if (!reached) {
            if (flags & ISA_OP_REGION_BEGIN) e->i = warpregions_end(e->k, e->i);
        } else if (flags & ISA_OP_REGION_BEGIN && e->refused != e->i + 1 && guarded_emit(e)) {
            continue;
        } else if (flags & ISA_OP_REGION_BEGIN && strips_emit(e)) {
            continue;
        } else if (regions->of.per_warp[e->i] && emit_many(e) && !in_lockstep(e) &&
                   !plan_get(e->plan, together)->of[e->i]) {
            emit_per_warp(e);
        } else if (is_control(e->inst)) {
            control_emit(e);
            reached = !(flags & ISA_OP_JUMP) || e->inst->op == ISA_breakif;
        } else if (!segments_emit(e)) {
            emit_plain(e);
        }
    }
}

/* ---- the function ---- */

static void set_lanes(struct codegen *c, unsigned lanes) {
    c->lanes = lanes;
    for (int t = ISA_PRED; t < ISA_TYPE_COUNT; t++)
        c->vector[t] = LLVMVectorType(c->scalar[t], lanes);
}

struct codegen emit_narrow(const struct codegen *c, unsigned lanes) {
    struct codegen narrow = *c;
    set_lanes(&narrow, lanes);
    return narrow;
}

static void make_types(struct codegen *c) {
    LLVMContextRef x = c->context;
    LLVMTypeRef types[ISA_TYPE_COUNT] = {
        [ISA_PRED] = LLVMInt1TypeInContext(x), [ISA_I8] = LLVMInt8TypeInContext(x),
        [ISA_I16] = LLVMInt16TypeInContext(x), [ISA_I32] = LLVMInt32TypeInContext(x),
        [ISA_I64] = LLVMInt64TypeInContext(x), [ISA_F32] = LLVMFloatTypeInContext(x),
        [ISA_F64] = LLVMDoubleTypeInContext(x)};
    memcpy(c->scalar, types, sizeof types);
    set_lanes(c, ISA_WARP);
    c->word = types[ISA_I32];
    c->wide = types[ISA_I64];
    c->pointer = LLVMPointerTypeInContext(x, 0);
}

/* The zeros that registers of f32 begin as. LLVM would take a sum with one that it knows for the
 * other operand, and a denormal would not be flushed. */
static void make_zeros(struct emitter *e, LLVMValueRef *one, LLVMValueRef *lanes) {
    *one = LLVMConstNull(e->c->scalar[ISA_F32]);
    *lanes = LLVMConstNull(e->c->vector[ISA_F32]);
    if (!e->request->flush) return;
    *one = emit_unit(e, 2);
    LLVMPositionBuilderAtEnd(e->b, e->c->entry);
    *lanes = emit_splat(e, *one);
}

/* Where registers are; the builder is where warps begin. A zero that nobody reads is not stored:
 * LLVM's time to keep a register that is assigned once does not grow with the blocks of the kernel.
 */
static void make_slots(struct emitter *e, LLVMBasicBlockRef begin) {
    const struct liveranges *live = &plan_get(e->plan, liveness)->of;
    LLVMValueRef zero, zeros;
    make_zeros(e, &zero, &zeros);
    LLVMPositionBuilderAtEnd(e->b, begin);
    for (uint32_t r = 0; r < e->k->nregs; r++) {
        if (live->first[r] == UINT32_MAX) continue;
        LLVMValueRef first = LLVMConstNull(value_type(e, r));
        if (e->k->reg_types[r] == ISA_F32) first = emit_kind(e, r) == KIND_VARYING ? zeros : zero;
        for (unsigned w = 0; w < (e->regs.shared[r] ? 1 : plan_bundle(e->plan)); w++) {
            LLVMValueRef *slot = value_slot(e, r, w);
            value_make(e, r, slot);
            for (unsigned h = 0; h < value_slots(e, r); h++) {
                value_name(e, slot[h], r, w, h);
                if (live->zero[r]) LLVMBuildStore(e->b, first, slot[h]);
            }
        }
    }
    for (unsigned w = 0; w < plan_bundle(e->plan); w++) {
        e->mask[w] = masks_slot(e, "mask");
        e->live[w] = masks_slot(e, "live");
    }
}

/* The warps' indices in the group. */
static void make_warps(struct emitter *e, LLVMValueRef first_warp) {
    for (unsigned w = 0; w < plan_bundle(e->plan); w++)
        e->c->warp[w] = plan_bundle(e->plan) == e->plan->warps
                            ? emit_word(e, w)
                            : LLVMBuildAdd(e->b, first_warp, emit_word(e, w), "");
}

/* Lanes that the group has. */
static void make_masks(struct emitter *e) {
    for (unsigned w = e->from; w < e->to; w++) {
        LLVMValueRef mask = LLVMConstAllOnes(e->c->vector[ISA_PRED]);
        if (e->partial)
            mask = LLVMBuildICmp(e->b, LLVMIntULT, lanevalues_threads(e, w),
                                 emit_words(e, e->plan->items), "");
        masks_put(e, mask, e->mask[w]);
        masks_put(e, mask, e->live[w]);
    }
}

/* Each version has an end of its own, behind which nobody reads local memory. */
static void emit_body(struct emitter *e) {
    LLVMBasicBlockRef finish = e->c->finish, end = e->c->finish = emit_block(e, "end");
    emit_range(e, 0, e->k->ninsts);
    if (!LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(e->b))) LLVMBuildBr(e->b, end);
    LLVMPositionBuilderAtEnd(e->b, end);
    localrows_forget(e);
    LLVMBuildBr(e->b, finish);
    e->c->finish = finish;
}

/* The kernel for launches whose local arguments are smaller than the rows in which they may be
 * accessed; the builder is left where they are not. */
static void emit_without_rows(struct emitter *e) {
    LLVMBasicBlockRef rows = emit_block(e, "rows"), none = emit_block(e, "no_rows");
    emit_branch(e, localrows_fit(e), rows, none);
    LLVMPositionBuilderAtEnd(e->b, none);
    struct emitter other = *e;
    other.rows_off = true;
    emit_body(&other);
    LLVMPositionBuilderAtEnd(e->b, rows);
}

/* The kernel for the group's last warp, some lanes of which are not there; the builder is left
 * where it is for whole warps. */
static void emit_tail(struct emitter *e) {
    LLVMBasicBlockRef tail = emit_block(e, "tail"), whole = emit_block(e, "whole");
    LLVMValueRef last = emit_compare(e, LLVMIntEQ, e->c->warp[0], e->plan->warps - 1);
    emit_branch(e, last, tail, whole);
    struct emitter other = *e;
    other.partial = true;
    other.to = 1;
    make_masks(&other);
    emit_body(&other);
    LLVMPositionBuilderAtEnd(e->b, whole);
}

/* Where the first warp of a bundle begins, and where its last one has ended: a call runs the
 * bundles one after the other. */
static LLVMValueRef begin_bundle(struct emitter *e, LLVMBasicBlockRef begin) {
    LLVMValueRef first = LLVMGetParam(e->function, 1);
    if (!plan_get(e->plan, bundle)->rounds) return first;
    LLVMPositionBuilderAtEnd(e->b, begin);
    LLVMValueRef warp = LLVMBuildPhi(e->b, e->c->word, "warp");
    LLVMAddIncoming(warp, &first, &e->c->entry, 1);
    return warp;
}

static void end_bundle(struct emitter *e, LLVMBasicBlockRef begin, LLVMValueRef warp) {
    if (!plan_get(e->plan, bundle)->rounds) return;
    LLVMBasicBlockRef ended = emit_block(e, "ended"), here = LLVMGetInsertBlock(e->b);
    LLVMValueRef next = LLVMBuildAdd(e->b, warp, emit_word(e, plan_bundle(e->plan)), "");
    LLVMValueRef more = emit_compare(e, LLVMIntULT, next, e->plan->warps);
    LLVMBuildCondBr(e->b, more, begin, ended);
    LLVMAddIncoming(warp, &next, &here, 1);
    LLVMPositionBuilderAtEnd(e->b, ended);
}

static void make_function(struct emitter *e) {
    struct codegen *c = e->c;
    LLVMTypeRef types[] = {c->pointer, c->word, c->word};
    e->function =
        LLVMAddFunction(c->module, NATIVE_FUNCTION, LLVMFunctionType(c->word, types, 3, false));
    c->run = LLVMGetParam(e->function, 0);
    c->entry = emit_block(e, "entry");
    LLVMPositionBuilderAtEnd(c->entry_end, c->entry);
    LLVMBasicBlockRef begin = emit_block(e, "begin");
    c->start = emit_block(e, "start");
    c->finish = emit_block(e, "finish");
    LLVMValueRef first = begin_bundle(e, begin);
    make_slots(e, begin);
    probes_begin(e);
    e->base = emit_of_run(e, base, c->pointer);
    c->params = emit_of_run(e, params, c->pointer);
    LLVMPositionBuilderAtEnd(e->b, begin);
    make_warps(e, first);
    if (e->plan->tail) emit_tail(e);
    make_masks(e);
    if (plan_get(e->plan, bundle)->resumable)
        c->resume = LLVMBuildSwitch(e->b, LLVMGetParam(e->function, 2), c->start, 8);
    else
        LLVMBuildBr(e->b, c->start);
    LLVMPositionBuilderAtEnd(e->b, c->start);
    if (plan_get(e->plan, addresses)->known.arguments) emit_without_rows(e);
    emit_body(e);
    LLVMPositionBuilderAtEnd(e->b, c->finish);
    probes_end(e);
    end_bundle(e, begin, first);
    LLVMBuildRet(e->b, emit_word(e, 0));
    LLVMBuildBr(c->entry_end, begin);
}

/* Room for what registers are in LLVM's terms; those of one lane are all scalars. */
static void make_room(struct codegen *c, const struct plan *plan, struct arena *a) {
    size_t regs = plan->k->nregs + 1ull, slots = regs * plan_bundle(plan) * 2;
    size_t rows = (size_t)plan_get(plan, lanerows)->of.count * plan_bundle(plan) * ELEMENTROWS_MOST;
    LLVMValueRef **values[] = {&c->slots, &c->strips.slots, &c->lane.slots, &c->lane.again};
    for (size_t n = 0; n < sizeof values / sizeof *values; n++)
        *values[n] = ARENA_ARRAY(a, LLVMValueRef, slots);
    c->local_rows = ARENA_ARRAY(a, LLVMValueRef, plan->k->nparams + 1ull);
    c->lanerows = ARENA_ARRAY(a, LLVMValueRef, rows + 1);
    c->strips.memory = ARENA_ARRAY(a, LLVMValueRef, regs);
    c->strips.of = ARENA_ARRAY(a, uint8_t, regs);
    c->lane.kinds = memset(ARENA_ARRAY(a, uint8_t, regs), KIND_UNIFORM, regs);
    c->lane.shared = memset(ARENA_ARRAY(a, uint8_t, regs), 1, regs);
    c->told = ARENA_ARRAY(a, uint64_t, plan->k->ninsts + 1ull);
}

void emit_tell(const struct emitter *e, enum plan_step step, const char *what) {
    if (e->c->told[e->i] >> step & 1) return;
    e->c->told[e->i] |= 1ull << step;
    plan_tell(e->plan, step, e->i, "%s", what);
}

bool emit_kernel(struct codegen *c, const struct plan *plan) {
    struct arena_try memory;
    if (ARENA_FAILS(&memory)) return false;
    make_room(c, plan, memory.arena);
    struct emitter e = {.request = plan->request,
                        .plan = plan,
                        .k = plan->k,
                        .c = c,
                        .open = ARENA_ARRAY(memory.arena, struct open_region, EMIT_REGIONS),
                        .to = plan_bundle(plan),
                        .partial = plan->partial && !plan->tail,
                        .regs = {plan_get(plan, kinds)->of, plan_get(plan, shared)->of, c->slots}};
    e.b = LLVMCreateBuilderInContext(c->context);
    c->entry_end = LLVMCreateBuilderInContext(c->context);
    make_types(c);
    make_function(&e);
    LLVMDisposeBuilder(e.b);
    LLVMDisposeBuilder(c->entry_end);
    arena_free(memory.arena);
    return true;
}
