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

/* Half of a mask, and zeros behind it. */
static bool is_half_and_zeros(struct rewriter *w, LLVMValueRef i) {
    if (w->lanes < ISA_WARP / 2 || !LLVMIsAShuffleVectorInst(i)) return false;
    return LLVMGetVectorSize(LLVMTypeOf(i)) == ISA_WARP && LLVMIsNull(LLVMGetOperand(i, 1)) &&
           LLVMTypeOf(LLVMGetOperand(i, 0)) == LLVMVectorType(w->bit, ISA_WARP / 2);
}

static void cut_behind(struct rewriter *w, LLVMValueRef i) {
    LLVMValueRef low = LLVMConstInt(w->word, 0xffff, false), cut;
    low = unseen(w, LLVMGetNextInstruction(i), low);
    cut = LLVMBuildAnd(w->b, LLVMBuildBitCast(w->b, low, LLVMTypeOf(i), ""), i, "");
    LLVMReplaceAllUsesWith(i, cut);
    LLVMSetOperand(cut, 1, i);
}

/* ---- lanes of constants ---- */

/* Is a lane of an operand one by which LLVM simplifies, for the part of a vector that it is in? */
static bool simplifies(struct rewriter *w, LLVMOpcode op, unsigned operand, LLVMValueRef lane) {
    bool real = LLVMIsAConstantFP(lane) && LLVMGetTypeKind(LLVMTypeOf(lane)) == LLVMFloatTypeKind;
    LLVMBool cut;
    double size = real ? fabs(LLVMConstRealGetDouble(lane, &cut)) : NAN;
    switch (op) {
    case LLVMAnd:
    case LLVMMul:
    case LLVMAShr: return LLVMIsNull(lane) && LLVMTypeOf(lane) != w->bit;
    case LLVMFAdd:
    case LLVMFSub: return size == 0;
    case LLVMFMul: return size == 1;
    case LLVMFDiv: return size == 1 && operand;
    case LLVMShuffleVector: return size == 0 || size == 1; /* for whatever comes of that */
    default: return false;
    }
}

static void hide_lanes(struct rewriter *w, LLVMValueRef i, unsigned operand) {
    LLVMValueRef v = LLVMGetOperand(i, operand), lane;
    unsigned n = LLVMIsConstant(v) && emit_is_vector(v) ? LLVMGetVectorSize(LLVMTypeOf(v)) : 0;
    bool hidden = false;
    while (n-- && !hidden && (lane = LLVMGetAggregateElement(v, n)))
        hidden = simplifies(w, LLVMGetInstructionOpcode(i), operand, lane);
    if (hidden) LLVMSetOperand(i, operand, unseen(w, i, v));
}

static void mend(struct rewriter *w, LLVMValueRef i) {
    for (unsigned n = 0; n < 2 && (int)n < LLVMGetNumOperands(i); n++) hide_lanes(w, i, n);
    if (is_half_and_zeros(w, i)) cut_behind(w, i);
}

const struct rewriter_pass mends_pass = {.steps = {mend}};
