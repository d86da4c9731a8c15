/* Masks of 32 lanes. A host with mask registers computes in vectors of 16 lanes, and putting two of
 * their masks together and taking them apart costs as much as the operations under them: masks are
 * kept, and computed with, as two halves. They are passed on as one, which LLVM sees through. */
#include "device/native/value.h"

static bool in_halves(const struct emitter *e) {
    return e->request->level == NATIVE_AVX512 && e->c->lanes == ISA_WARP;
}

static LLVMTypeRef half_type(struct emitter *e) {
    return LLVMVectorType(e->c->scalar[ISA_PRED], ISA_WARP / 2);
}

static LLVMValueRef half_at(struct emitter *e, LLVMValueRef slot, unsigned half) {
    LLVMValueRef index[] = {emit_word(e, 0), emit_word(e, half)};
    return LLVMBuildGEP2(e->b, LLVMArrayType2(half_type(e), 2), slot, index, 2, "");
}

LLVMValueRef masks_slot(struct emitter *e, const char *name) {
    if (!in_halves(e)) return emit_alloca(e, e->c->vector[ISA_PRED], name);
    return emit_alloca(e, LLVMArrayType2(half_type(e), 2), name);
}

LLVMValueRef masks_get(struct emitter *e, LLVMValueRef slot) {
    if (!in_halves(e)) return LLVMBuildLoad2(e->b, e->c->vector[ISA_PRED], slot, "");
    LLVMValueRef half[2];
    for (unsigned h = 0; h < 2; h++)
        half[h] = LLVMBuildLoad2(e->b, half_type(e), half_at(e, slot, h), "");
    return value_joined(e, half[0], half[1]);
}

void masks_put(struct emitter *e, LLVMValueRef mask, LLVMValueRef slot) {
    if (!in_halves(e)) {
        LLVMBuildStore(e->b, mask, slot);
        return;
    }
    for (unsigned h = 0; h < 2; h++)
        LLVMBuildStore(e->b, value_half(e, mask, h), half_at(e, slot, h));
}

static LLVMValueRef combined(struct emitter *e, LLVMOpcode op, LLVMValueRef x, LLVMValueRef y) {
    if (!in_halves(e)) return LLVMBuildBinOp(e->b, op, x, y, "");
    LLVMValueRef half[2];
    for (unsigned h = 0; h < 2; h++)
        half[h] = LLVMBuildBinOp(e->b, op, value_half(e, x, h), value_half(e, y, h), "");
    return value_joined(e, half[0], half[1]);
}

LLVMValueRef masks_and(struct emitter *e, LLVMValueRef x, LLVMValueRef y) {
    return combined(e, LLVMAnd, x, y);
}

LLVMValueRef masks_or(struct emitter *e, LLVMValueRef x, LLVMValueRef y) {
    return combined(e, LLVMOr, x, y);
}

LLVMValueRef masks_without(struct emitter *e, LLVMValueRef mask, LLVMValueRef off) {
    LLVMValueRef on = combined(e, LLVMXor, off, LLVMConstAllOnes(e->c->vector[ISA_PRED]));
    return combined(e, LLVMAnd, mask, on);
}

LLVMValueRef masks_any(struct emitter *e, LLVMValueRef mask) {
    if (!in_halves(e)) return emit_compare(e, LLVMIntNE, emit_bits(e, mask), 0);
    LLVMTypeRef type = LLVMInt16TypeInContext(e->c->context);
    LLVMValueRef all = LLVMBuildOr(e->b, value_half(e, mask, 0), value_half(e, mask, 1), "");
    all = LLVMBuildBitCast(e->b, all, type, "");
    return LLVMBuildICmp(e->b, LLVMIntNE, all, LLVMConstNull(type), "");
}

LLVMValueRef masks_none(struct emitter *e, LLVMValueRef mask) {
    return emit_compare(e, LLVMIntEQ, emit_bits(e, mask), 0);
}

LLVMValueRef masks_all(struct emitter *e, unsigned w) {
    return LLVMBuildICmp(e->b, LLVMIntEQ, emit_mask_bits(e, w), emit_all_bits(e), "");
}

LLVMValueRef masks_count(struct emitter *e, unsigned w) {
    if (emit_full(e)) return emit_word(e, ISA_WARP);
    return emit_intrinsic(e, "llvm.ctpop", emit_mask_bits(e, w));
}

LLVMValueRef masks_half(struct emitter *e, unsigned w, unsigned half) {
    LLVMValueRef lanes = emit_word(e, half ? 0xffff0000u : 0xffff);
    lanes = LLVMBuildAnd(e->b, emit_mask_bits(e, w), lanes, "");
    return emit_compare(e, LLVMIntNE, lanes, 0);
}
