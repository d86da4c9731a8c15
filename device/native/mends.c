/* What LLVM gets wrong. Every instruction is looked at, behind all passes over the module. */
#include "device/native/module.h"

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

/* ---- halves of masks, and zeros behind them ---- */

/* May a half of a mask be a part of a whole one, the rest of which lies behind it in its register?
 */
static bool is_part(LLVMValueRef half, unsigned deep) {
    bool part = LLVMIsAShuffleVectorInst(half);
    deep *= LLVMIsAPHINode(half) || LLVMIsASelectInst(half);
    for (int n = 0; deep && n < LLVMGetNumOperands(half); n++)
        part |= is_part(LLVMGetOperand(half, (unsigned)n), deep - 1);
    return part;
}

static bool is_part_and_zeros(struct rewriter *w, LLVMValueRef i) {
    if (w->lanes < ISA_WARP / 2 || !LLVMIsAShuffleVectorInst(i)) return false;
    if (LLVMGetVectorSize(LLVMTypeOf(i)) != ISA_WARP) return false;
    return LLVMTypeOf(LLVMGetOperand(i, 0)) == LLVMVectorType(w->bit, ISA_WARP / 2) &&
           LLVMIsNull(LLVMGetOperand(i, 1)) && is_part(LLVMGetOperand(i, 0), 3);
}

static void cut_behind(struct rewriter *w, LLVMValueRef i) {
    LLVMValueRef next = LLVMGetNextInstruction(i);
    LLVMValueRef low = unseen(w, next, LLVMConstInt(w->word, 0xffff, false));
    low = LLVMBuildBitCast(w->b, low, LLVMTypeOf(i), "");
    LLVMValueRef cut = LLVMBuildAnd(w->b, low, i, "");
    LLVMReplaceAllUsesWith(i, cut);
    LLVMSetOperand(cut, 1, i);
}

/* ---- lanes that become zeros ---- */

static bool has_zeros(struct rewriter *w, LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    unsigned zeros = 0, n = 0;
    if (!LLVMIsConstant(v) || LLVMGetTypeKind(type) != LLVMVectorTypeKind) return false;
    if (LLVMGetElementType(type) == w->bit) return false;
    for (LLVMValueRef at; n < LLVMGetVectorSize(type); n++, zeros += LLVMIsNull(at))
        if (!(at = LLVMGetAggregateElement(v, n))) return false;
    return zeros;
}

static void mend(struct rewriter *w, LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    for (unsigned n = 0; (op == LLVMAnd || op == LLVMMul) && n < 2; n++)
        if (has_zeros(w, LLVMGetOperand(i, n)))
            LLVMSetOperand(i, n, unseen(w, i, LLVMGetOperand(i, n)));
    if (is_part_and_zeros(w, i)) cut_behind(w, i);
}

void mends_apply(LLVMModuleRef module, unsigned lanes) {
    rewriter_run(module, lanes, false, (rewriter_step *const[]){mend, NULL});
}
