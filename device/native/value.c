/* Registers and operands in LLVM's terms. */
#include <stdio.h>
#include <string.h>

#include "device/analysis/known.h"
#include "device/native/value.h"

LLVMValueRef *value_slot(struct emitter *e, isa_operand reg, unsigned w) {
    if (e->regs.shared[reg]) w = 0;
    return e->regs.slots + ((size_t)reg * plan_bundle(e->plan) + w) * 2;
}

LLVMTypeRef value_type(const struct emitter *e, isa_operand reg) {
    enum isa_type type = (enum isa_type)e->k->reg_types[reg];
    return emit_kind(e, reg) == KIND_VARYING ? e->c->vector[type] : e->c->scalar[type];
}

void value_make(struct emitter *e, isa_operand reg, LLVMValueRef *slots) {
    for (unsigned h = 0; h < value_slots(e, reg); h++)
        if (!slots[h]) slots[h] = emit_alloca(e, value_type(e, reg), "");
}

void value_copy(struct emitter *e, isa_operand reg, const LLVMValueRef *from, LLVMValueRef *to) {
    for (unsigned h = 0; h < value_slots(e, reg); h++)
        LLVMBuildStore(e->b, LLVMBuildLoad2(e->b, value_type(e, reg), from[h], ""), to[h]);
}

void value_put(struct emitter *e, LLVMValueRef v, LLVMValueRef at, unsigned align) {
    if (LLVMTypeOf(v) == e->c->vector[ISA_PRED]) v = emit_bits(e, v);
    LLVMValueRef store = LLVMBuildStore(e->b, v, at);
    if (align) LLVMSetAlignment(store, align);
}

LLVMValueRef value_get(struct emitter *e, LLVMTypeRef type, LLVMValueRef at, unsigned align) {
    bool lanes = type == e->c->vector[ISA_PRED];
    LLVMValueRef v = LLVMBuildLoad2(e->b, lanes ? e->c->word : type, at, "");
    if (align) LLVMSetAlignment(v, align);
    return lanes ? LLVMBuildBitCast(e->b, v, type, "") : v;
}

LLVMTypeRef value_word_type(const struct codegen *c, enum isa_type type, bool vector) {
    if (type == ISA_PRED) type = ISA_I32;
    return vector ? c->vector[type] : c->scalar[type];
}

void value_put_words(struct emitter *e, enum isa_type type, LLVMValueRef v, LLVMValueRef at,
                     unsigned align) {
    LLVMTypeRef words = value_word_type(e->c, type, emit_is_vector(v));
    value_put(e, type == ISA_PRED ? LLVMBuildSExt(e->b, v, words, "") : v, at, align);
}

LLVMValueRef value_get_words(struct emitter *e, enum isa_type type, bool vector, LLVMValueRef at,
                             unsigned align) {
    LLVMValueRef v = value_get(e, value_word_type(e->c, type, vector), at, align);
    if (type != ISA_PRED) return v;
    return LLVMBuildICmp(e->b, LLVMIntSLT, v, LLVMConstNull(LLVMTypeOf(v)), "");
}

LLVMValueRef value_lanes(struct emitter *e, LLVMTypeRef element, int64_t step) {
    LLVMValueRef lanes[ISA_WARP];
    for (unsigned i = 0; i < e->c->lanes; i++)
        lanes[i] = LLVMConstInt(element, (uint64_t)(step * (int64_t)i), true);
    return LLVMConstVector(lanes, e->c->lanes);
}

void value_name(struct emitter *e, LLVMValueRef v, isa_operand reg, unsigned w, unsigned half) {
    char text[48];
    size_t length;
    if (!e->c->names || !LLVMIsAInstruction(v) || *LLVMGetValueName2(v, &length)) return;
    int n = snprintf(text, sizeof text, "%c%u.w%u%s", isa_reg_letter[e->k->reg_types[reg]],
                     (unsigned)reg, w, half ? ".h1" : "");
    LLVMSetValueName2(v, text, (size_t)n);
}

/* ---- denormals that LLVM must not see ---- */

bool value_loses_flush(const struct emitter *e, const struct isa_inst *i) {
    const struct known *known = plan_get(e->plan, denormals)->of;
    return e->request->flush && known_loses_flush(known->spans, e->k, i);
}

bool value_flushed(const struct emitter *e, isa_operand o) {
    return known_is_flushed(plan_get(e->plan, denormals)->of, e->k, o);
}

/* ---- halves ---- */

LLVMValueRef value_shuffled(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y, const uint32_t *from,
                            unsigned n) {
    LLVMValueRef pick[16 * ISA_WARP];
    LLVMTypeRef word = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(x)));
    for (unsigned i = 0; i < n; i++)
        pick[i] = from[i] == UINT32_MAX ? LLVMGetPoison(word) : LLVMConstInt(word, from[i], false);
    if (!y) y = LLVMGetPoison(LLVMTypeOf(x));
    return LLVMBuildShuffleVector(b, x, y, LLVMConstVector(pick, n), "");
}

LLVMValueRef value_picked(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y, int first, int step,
                          unsigned n) {
    uint32_t from[16 * ISA_WARP];
    for (unsigned i = 0; i < n; i++) from[i] = (uint32_t)(first + (int)i * step);
    return value_shuffled(b, x, y, from, n);
}

LLVMValueRef value_part(LLVMBuilderRef b, LLVMValueRef v, unsigned lanes, unsigned n) {
    return value_picked(b, v, NULL, (int)(lanes * n), 1, lanes);
}

LLVMValueRef value_chain(LLVMBuilderRef b, LLVMValueRef *v, unsigned count, unsigned lanes) {
    for (; count > 1; count = (count + 1) / 2, lanes *= 2)
        for (unsigned n = 0; n < count; n += 2) {
            LLVMValueRef next = n + 1 < count ? v[n + 1] : LLVMGetPoison(LLVMTypeOf(v[n]));
            v[n / 2] = value_picked(b, v[n], next, 0, 1, 2 * lanes);
        }
    return v[0];
}

LLVMValueRef value_whole(struct emitter *e, LLVMValueRef *parts, unsigned lanes) {
    return value_chain(e->b, parts, e->c->lanes / lanes, lanes);
}

LLVMValueRef value_by_parts(struct emitter *e, const char *name, unsigned lanes,
                            const LLVMValueRef *args, unsigned nargs) {
    LLVMValueRef parts[ISA_WARP], own[6];
    unsigned count = 1;
    for (unsigned p = 0; p < count; p++) {
        for (unsigned n = 0; n < nargs; n++) {
            unsigned all = emit_is_vector(args[n]) ? LLVMGetVectorSize(LLVMTypeOf(args[n])) : 0;
            if (n && args[n] == args[0])
                own[n] = own[0];
            else
                own[n] = all > lanes ? value_part(e->b, args[n], lanes, p) : args[n];
            if (all > lanes) count = all / lanes;
        }
        parts[p] = emit_listed(e, name, own, nargs);
    }
    return value_chain(e->b, parts, count, lanes);
}

LLVMValueRef value_raised(struct emitter *e, LLVMValueRef v, LLVMValueRef fill, unsigned by) {
    uint32_t from[ISA_WARP];
    for (unsigned n = 0; n < ISA_WARP; n++) from[n] = n < by ? ISA_WARP + n : n - by;
    return value_shuffled(e->b, v, fill, from, ISA_WARP);
}

LLVMValueRef value_half(struct emitter *e, LLVMValueRef v, unsigned half) {
    return value_part(e->b, v, ISA_WARP / 2, half);
}

LLVMValueRef value_joined(struct emitter *e, LLVMValueRef low, LLVMValueRef high) {
    return value_whole(e, (LLVMValueRef[]){low, high}, ISA_WARP / 2);
}

LLVMValueRef value_obscured(struct emitter *e, LLVMValueRef bits) {
    LLVMTypeRef type = LLVMTypeOf(bits);
    if (emit_is_vector(bits)) type = LLVMGetElementType(type);
    LLVMValueRef zero = LLVMBuildBitCast(e->b, emit_unit(e, 2), e->c->word, "");
    zero = LLVMBuildIntCast2(e->b, zero, type, false, "");
    return LLVMBuildOr(e->b, bits, emit_like(e, bits, zero), "");
}

static bool may_be_known(const struct emitter *e, isa_operand o) {
    return e->request->flush && (isa_is_const(o) || !plan_get(e->plan, denormals)->of->read[o]);
}

LLVMValueRef value_real(struct emitter *e, isa_operand from, LLVMValueRef bits, LLVMTypeRef type) {
    if (may_be_known(e, from)) bits = value_obscured(e, bits);
    return LLVMBuildBitCast(e->b, bits, type, "");
}

struct warp_value value_stored(struct emitter *e, isa_operand o, unsigned w) {
    struct warp_value v = value_read(e, o, w);
    if (v.type == ISA_PRED || v.type >= ISA_F32 || !may_be_known(e, o) ||
        !plan_get(e->plan, denormals)->of->reinterprets)
        return v;
    v.v[0] = value_obscured(e, v.v[0]);
    if (v.kind == KIND_HALVES) v.v[1] = value_obscured(e, v.v[1]);
    return v;
}

static LLVMValueRef real_constant(struct emitter *e, uint32_t bits) {
    LLVMValueRef b = LLVMConstInt(e->c->word, bits, false);
    bool denormal = !(bits & 0x7f800000) && bits & 0x7fffff;
    if (denormal && e->request->flush) b = value_obscured(e, b);
    return LLVMBuildBitCast(e->b, b, e->c->scalar[ISA_F32], "");
}

/* ---- reading ---- */

static LLVMValueRef constant(struct emitter *e, enum isa_type type, uint64_t bits) {
    if (type == ISA_F32) return real_constant(e, (uint32_t)bits);
    if (type == ISA_F64)
        return LLVMConstBitCast(LLVMConstInt(e->c->wide, bits, false), e->c->scalar[type]);
    return LLVMConstInt(e->c->scalar[type], bits, false);
}

struct warp_value value_read(struct emitter *e, isa_operand o, unsigned w) {
    if (o == ISA_NO_OPERAND) return value_of(KIND_UNIFORM, ISA_I32, emit_word(e, 0));
    enum isa_type type = isa_operand_type(e->k, o);
    if (isa_is_const(o))
        return value_of(KIND_UNIFORM, type,
                        constant(e, type, e->k->consts[isa_const_index(o)].bits));
    struct warp_value v = {.kind = emit_kind(e, o), .type = type};
    LLVMValueRef *slot = value_slot(e, o, w);
    if (v.kind == KIND_LINEAR || v.kind == KIND_HALVES) v.stride = plan_stride(e->plan, o);
    for (unsigned h = 0; h < value_slots(e, o); h++) {
        v.v[h] = LLVMBuildLoad2(e->b, value_type(e, o), slot[h], "");
        value_name(e, v.v[h], o, w, h);
    }
    return v;
}

LLVMValueRef value_piece(struct emitter *e, const struct warp_value *v, unsigned half) {
    if (v->kind == KIND_HALVES) return v->v[half];
    if (v->kind == KIND_VARYING)
        return LLVMBuildExtractElement(e->b, v->v[0], emit_word(e, half * ISA_WARP / 2), "");
    if (v->kind == KIND_LINEAR && half)
        return LLVMBuildAdd(
            e->b, v->v[0],
            LLVMConstInt(e->c->scalar[v->type], (uint64_t)(16 * (int64_t)v->stride), true), "");
    return v->v[0];
}

LLVMValueRef value_of_lane(struct emitter *e, const struct warp_value *v, LLVMValueRef lane) {
    LLVMValueRef first = v->v[0], half = LLVMConstInt(LLVMTypeOf(lane), ISA_WARP / 2, false);
    LLVMTypeRef type = LLVMTypeOf(first);
    if (v->kind == KIND_HALVES) {
        LLVMValueRef low = LLVMBuildICmp(e->b, LLVMIntULT, lane, half, "");
        first = LLVMBuildSelect(e->b, low, first, v->v[1], "");
        lane = LLVMBuildURem(e->b, lane, half, "");
    }
    if (v->kind == KIND_UNIFORM || !v->stride) return first;
    lane = LLVMBuildIntCast2(e->b, lane, type, false, "");
    lane = LLVMBuildMul(e->b, lane, LLVMConstInt(type, (uint64_t)(int64_t)v->stride, true), "");
    return LLVMBuildAdd(e->b, first, lane, "");
}

LLVMValueRef value_first(struct emitter *e, const struct warp_value *v) {
    return e->strip ? value_of_lane(e, v, e->strip) : v->v[0];
}

LLVMValueRef value_vector(struct emitter *e, const struct warp_value *v) {
    if (v->kind == KIND_VARYING) return v->v[0];
    LLVMValueRef all = emit_splat(e, value_first(e, v));
    LLVMTypeRef t = e->c->scalar[v->type];
    bool evenly = e->strip || v->kind == KIND_LINEAR;
    if (v->kind == KIND_UNIFORM || (evenly && !v->stride)) return all;
    if (evenly) return LLVMBuildAdd(e->b, all, value_lanes(e, t, v->stride), "");
    LLVMValueRef step[ISA_WARP];
    uint32_t from[ISA_WARP];
    for (unsigned i = 0; i < ISA_WARP; i++) {
        from[i] = i < 16 ? i : 16 + i;
        step[i] =
            v->stride ? LLVMConstInt(t, (uint64_t)((int64_t)v->stride * (i % 16)), true) : NULL;
    }
    all = value_shuffled(e->b, all, emit_splat(e, v->v[1]), from, ISA_WARP);
    return v->stride ? LLVMBuildAdd(e->b, all, LLVMConstVector(step, ISA_WARP), "") : all;
}

LLVMValueRef value_read_vector(struct emitter *e, isa_operand o, unsigned w) {
    struct warp_value v = value_read(e, o, w);
    return value_vector(e, &v);
}

/* ---- writing ---- */

LLVMValueRef value_active(struct emitter *e, unsigned w, LLVMValueRef v, LLVMValueRef off) {
    return emit_full(e) ? v : LLVMBuildSelect(e->b, emit_mask(e, w), v, off, "");
}

LLVMValueRef value_lane(struct emitter *e, LLVMValueRef v, enum isa_type type, LLVMValueRef lane) {
    if (type != ISA_PRED) return LLVMBuildExtractElement(e->b, v, lane, "");
    LLVMValueRef bits = LLVMBuildLShr(e->b, emit_bits(e, v), lane, "");
    return LLVMBuildTrunc(e->b, bits, e->c->scalar[ISA_PRED], "");
}

/* The value of lane 16 * half as an active lane of that piece has it. */
static LLVMValueRef pick(struct emitter *e, const struct warp_value *v, unsigned w, unsigned half,
                         bool halves, int32_t stride) {
    LLVMValueRef first = emit_word(e, 16 * half), lane = first;
    if (!emit_full(e)) {
        LLVMValueRef on = emit_mask_bits(e, w);
        if (halves) on = LLVMBuildAnd(e->b, on, emit_word(e, half ? 0xffff0000u : 0xffff), "");
        on = LLVMBuildOr(e->b, on, emit_word(e, halves && !half ? 0x8000 : 0x80000000u), "");
        lane = emit_lowest_bit(e, on);
    }
    LLVMValueRef value = value_lane(e, v->v[0], v->type, lane);
    if (!stride) return value;
    LLVMValueRef steps = LLVMBuildSub(e->b, lane, first, "");
    if (v->type == ISA_I64) steps = LLVMBuildZExt(e->b, steps, e->c->wide, "");
    steps = LLVMBuildMul(e->b, steps,
                         LLVMConstInt(e->c->scalar[v->type], (uint64_t)(int64_t)stride, true), "");
    return LLVMBuildSub(e->b, value, steps, "");
}

static void write_halves(struct emitter *e, isa_operand reg, unsigned w,
                         const struct warp_value *v) {
    LLVMValueRef *slot = value_slot(e, reg, w);
    bool masked = plan_masked(e->plan, e->i) && !emit_full(e) && !e->strip;
    for (unsigned h = 0; h < 2; h++) {
        LLVMValueRef value = v->kind == KIND_VARYING
                                 ? pick(e, v, w, h, true, plan_stride(e->plan, reg))
                                 : value_piece(e, v, h);
        if (masked) {
            LLVMValueRef on = masks_half(e, w, h);
            LLVMValueRef old = LLVMBuildLoad2(e->b, e->c->scalar[v->type], slot[h], "");
            value = LLVMBuildSelect(e->b, on, value, old, "");
        }
        value_name(e, value, reg, w, h);
        LLVMBuildStore(e->b, value, slot[h]);
    }
}

void value_write(struct emitter *e, isa_operand reg, unsigned w, struct warp_value v) {
    LLVMValueRef *slot = value_slot(e, reg, w);
    switch (emit_kind(e, reg)) {
    case KIND_UNIFORM:
    case KIND_LINEAR:
        if (v.kind == KIND_VARYING) v.v[0] = pick(e, &v, w, 0, false, plan_stride(e->plan, reg));
        value_name(e, v.v[0], reg, w, 0);
        LLVMBuildStore(e->b, v.v[0], slot[0]);
        break;
    case KIND_HALVES: write_halves(e, reg, w, &v); break;
    case KIND_VARYING: {
        LLVMValueRef value = value_vector(e, &v);
        if (plan_masked(e->plan, e->i) && !emit_full(e)) {
            LLVMValueRef old = LLVMBuildLoad2(e->b, e->c->vector[v.type], slot[0], "");
            value = value_active(e, w, value, old);
        }
        value_name(e, value, reg, w, 0);
        LLVMBuildStore(e->b, value, slot[0]);
    }
    }
}

void value_result(struct emitter *e, unsigned d, unsigned w, LLVMValueRef v) {
    isa_operand reg = isa_dsts(e->k, e->inst)[d];
    enum kind kind = emit_is_vector(v) ? KIND_VARYING : KIND_UNIFORM;
    value_write(e, reg, w, value_of(kind, isa_operand_type(e->k, reg), v));
}
