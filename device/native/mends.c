/* What LLVM gets wrong; behind all passes over the module. */
#include <math.h>

#include "device/native/rewriter.h"

/* The constant from memory that LLVM does not look into, before an instruction. */
static LLVMValueRef unseen(struct rewriter *w, LLVMValueRef before, LLVMValueRef constant) {
    LLVMTypeRef type = LLVMTypeOf(constant);
    LLVMValueRef place = LLVMAddGlobal(w->module, type, "unseen");
    LLVMSetInitializer(place, constant);
    LLVMSetGlobalConstant(place, true);
    LLVMSetLinkage(place, LLVMPrivateLinkage);
    LLVMPositionBuilderBefore(w->b, before);
    return LLVMBuildLoad2(w->b, type, place, "");
}

/* Half of a mask, and zeros behind it, or in front. */
static bool is_half_and_zeros(struct rewriter *w, LLVMValueRef i) {
    if (w->lanes < ISA_WARP / 2 || !LLVMIsAShuffleVectorInst(i)) return false;
    return LLVMGetVectorSize(LLVMTypeOf(i)) == ISA_WARP && LLVMIsNull(LLVMGetOperand(i, 1)) &&
           LLVMTypeOf(LLVMGetOperand(i, 0)) == LLVMVectorType(w->bit, ISA_WARP / 2);
}

static void cut_zeros(struct rewriter *w, LLVMValueRef i) {
    uint32_t half = 0;
    for (unsigned n = 0; n < ISA_WARP; n++)
        half |= (uint32_t)((unsigned)LLVMGetMaskValue(i, n) < ISA_WARP / 2) << n;
    LLVMValueRef cut = unseen(w, LLVMGetNextInstruction(i), LLVMConstInt(w->word, half, false));
    cut = LLVMBuildAnd(w->b, LLVMBuildBitCast(w->b, cut, LLVMTypeOf(i), ""), i, "");
    LLVMReplaceAllUsesWith(i, cut);
    LLVMSetOperand(cut, 1, i);
}

/* ---- lanes of constants ---- */

static bool is_real(LLVMValueRef v) {
    LLVMTypeRef type = emit_is_vector(v) ? LLVMGetElementType(LLVMTypeOf(v)) : LLVMTypeOf(v);
    return LLVMGetTypeKind(type) == LLVMFloatTypeKind;
}

/* Does LLVM simplify by a lane of an operand, for the part of a vector, or the choice, it is in? */
static bool simplifies(struct rewriter *w, LLVMOpcode op, unsigned operand, LLVMValueRef lane) {
    LLVMBool cut;
    double x = LLVMIsAConstantFP(lane) && is_real(lane) ? LLVMConstRealGetDouble(lane, &cut) : NAN;
    switch (op) {
    case LLVMAnd:
    case LLVMMul:
    case LLVMAShr: return LLVMIsNull(lane) && LLVMTypeOf(lane) != w->bit;
    case LLVMFAdd: return x == 0 && signbit(x);
    case LLVMFSub: return x == 0 && !(signbit(x) && operand);
    case LLVMFMul: return fabs(x) == 1;
    case LLVMFDiv: return fabs(x) == 1 && operand;
    case LLVMShuffleVector: return x == 0 || fabs(x) == 1; /* for whatever comes of that */
    default: return false;
    }
}

/* Operand n of an operation is an operand of i: its own, or a choice's. */
static void hide_lanes(struct rewriter *w, LLVMOpcode op, unsigned n, LLVMValueRef i, unsigned at) {
    LLVMValueRef v = LLVMGetOperand(i, at), lane;
    unsigned k = LLVMIsConstant(v) && emit_is_vector(v) ? LLVMGetVectorSize(LLVMTypeOf(v)) : 0;
    bool hidden = false;
    while (k-- && !hidden && (lane = LLVMGetAggregateElement(v, k)))
        hidden = simplifies(w, op, n, lane);
    if (hidden) LLVMSetOperand(i, at, unseen(w, i, v));
}

/* Takes a denormal for zero, and makes none. */
static bool flushes(LLVMValueRef v) {
    if (!LLVMIsAIntrinsicInst(v)) return LLVMIsABinaryOperator(v) || LLVMIsAFCmpInst(v);
    return LLVMGetIntrinsicID(LLVMGetCalledValue(v)) == LLVMLookupIntrinsicID("llvm.fma", 8);
}

/* Do all flush that read it, or choose for those? */
static bool is_read_flushed(LLVMValueRef v, unsigned deep) {
    bool all = true;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u && all; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        all = flushes(user) || (deep && LLVMIsASelectInst(user) && is_read_flushed(user, deep - 1));
    }
    return all;
}

/* Are a choice's values without denormals, or flushed by who reads it? */
static bool is_flushed(LLVMValueRef i) {
    unsigned kind = LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(i)), "flushed", 7);
    return LLVMGetMetadata(i, kind) || is_read_flushed(i, 2);
}

/* The less or the greater one of two as a choice of bits. */
static void choose_bits(struct rewriter *w, LLVMValueRef i) {
    LLVMValueRef c = LLVMIsASelectInst(i) ? LLVMIsAFCmpInst(LLVMGetOperand(i, 0)) : NULL, arm[2];
    bool flushed = true;
    for (unsigned n = 0; c && n < 2; n++) {
        arm[n] = LLVMGetOperand(i, 1 + n);
        flushed &= flushes(arm[n]) || LLVMIsConstant(arm[n]);
        if (arm[n] != LLVMGetOperand(c, 0) && arm[n] != LLVMGetOperand(c, 1)) return;
    }
    if (!c || flushed || !is_real(i) || is_flushed(i)) return;
    LLVMTypeRef type = w->word;
    if (emit_is_vector(i)) type = LLVMVectorType(type, LLVMGetVectorSize(LLVMTypeOf(i)));
    LLVMPositionBuilderBefore(w->b, i);
    for (unsigned n = 0; n < 2; n++) arm[n] = LLVMBuildBitCast(w->b, arm[n], type, "");
    LLVMValueRef bits = LLVMBuildSelect(w->b, c, arm[0], arm[1], "");
    LLVMReplaceAllUsesWith(i, LLVMBuildBitCast(w->b, bits, LLVMTypeOf(i), ""));
    LLVMInstructionEraseFromParent(i);
}

/* The second of two where the first is a NaN by itself: the CPU has an instruction for the rest. */
static void split_choice(struct rewriter *w, LLVMValueRef i) {
    LLVMValueRef c = LLVMIsASelectInst(i) && is_real(i) ? LLVMGetOperand(i, 0) : NULL;
    for (unsigned n = 0; c && n < 2 && LLVMGetInstructionOpcode(c) == LLVMOr; n++) {
        LLVMValueRef none = LLVMGetOperand(c, n), beyond = LLVMGetOperand(c, 1 - n);
        LLVMValueRef y = LLVMGetOperand(i, 1), x = LLVMGetOperand(i, 2);
        if (!LLVMIsAFCmpInst(none) || LLVMGetFCmpPredicate(none) != LLVMRealUNO) continue;
        if (!LLVMIsAFCmpInst(beyond) || LLVMGetOperand(none, 0) != x || !is_flushed(i)) continue;
        if (LLVMGetOperand(beyond, 0) != y || LLVMGetOperand(beyond, 1) != x) continue;
        LLVMPositionBuilderBefore(w->b, i);
        LLVMSetOperand(i, 2, LLVMBuildSelect(w->b, beyond, y, x, ""));
        LLVMSetOperand(i, 0, none);
        if (!LLVMGetFirstUse(c)) LLVMInstructionEraseFromParent(c);
        return;
    }
}

/* A mask as numbers, whose sums LLVM turns round for ever if lanes of it are known. */
static void choose_numbers(struct rewriter *w, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i);
    if (!emit_is_vector(i) || w->lanes < 16 || (!LLVMIsASExtInst(i) && !LLVMIsAZExtInst(i))) return;
    LLVMValueRef mask = LLVMGetOperand(i, 0), ones = LLVMConstAllOnes(type);
    if (LLVMGetElementType(LLVMTypeOf(mask)) != w->bit) return;
    ones = unseen(w, i, LLVMIsASExtInst(i) ? ones : LLVMConstNeg(ones));
    LLVMReplaceAllUsesWith(i, LLVMBuildSelect(w->b, mask, ones, LLVMConstNull(type), ""));
    LLVMInstructionEraseFromParent(i);
}

static void mend(struct rewriter *w, LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    for (unsigned n = 0; n < 2 && (int)n < LLVMGetNumOperands(i); n++) {
        LLVMValueRef v = LLVMGetOperand(i, n);
        hide_lanes(w, op, n, i, n);
        for (unsigned arm = 1; arm < 3 && LLVMIsASelectInst(v) && is_real(v); arm++)
            hide_lanes(w, op, n, v, arm);
    }
    if (is_half_and_zeros(w, i)) cut_zeros(w, i);
    choose_numbers(w, i);
}

const struct rewriter_pass choices_pass = {.steps = {choose_bits, split_choice}};
const struct rewriter_pass mends_pass = {.steps = {mend}};
