#include "rewriter.h"
#include "value.h"

#include <string.h>

enum { MOST_TOGETHER = 64, LEAST_TOGETHER = 6, PARTS = 8 };

/* Instructions of a block that compute by lanes, and what each is for one part of the lanes. */
struct vectororder {
    struct rewriter *w;
    unsigned parts, count;
    LLVMValueRef of[MOST_TOGETHER], part[MOST_TOGETHER][PARTS];
    bool always; /* that is worth it */
};

/* ---- which ---- */

/* A vector of all lanes, whose elements fill vectors of the CPU, or which is a mask. */
static bool is_whole(LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    if (!emit_is_vector(v) || LLVMGetVectorSize(type) != ISA_WARP) return false;
    type = LLVMGetElementType(type);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    unsigned bits = kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || bits == 1 || bits >= 32;
}

static bool is_by_lanes(LLVMValueRef i) {
    static const char *const calls[] = {"llvm.fma",    "llvm.fabs", "llvm.minnum",
                                        "llvm.maxnum", "llvm.sqrt", "llvm.smin",
                                        "llvm.smax",   "llvm.umin", "llvm.umax"};
    bool good = LLVMIsABinaryOperator(i) || LLVMIsAUnaryOperator(i) || LLVMIsACmpInst(i) ||
                LLVMIsACastInst(i) || LLVMIsASelectInst(i);
    unsigned operands = (unsigned)LLVMGetNumOperands(i), id = 0;
    if (LLVMIsAIntrinsicInst(i)) id = LLVMGetIntrinsicID(LLVMGetOperand(i, --operands));
    for (size_t n = 0; id && n < sizeof calls / sizeof *calls; n++)
        good |= id == LLVMLookupIntrinsicID(calls[n], strlen(calls[n]));
    for (unsigned n = 0; n < operands; n++) good = good && is_whole(LLVMGetOperand(i, n));
    return good && is_whole(i);
}

/* Is the block an iteration, but for one block before it at most, that moves no lanes of memory? */
static bool is_body(LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    LLVMBasicBlockRef head = sink_predecessor(block);
    bool round = false;
    for (unsigned n = 0; n < LLVMGetNumSuccessors(end); n++)
        round |= LLVMGetSuccessor(end, n) == block || LLVMGetSuccessor(end, n) == head;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); round && i; i = LLVMGetNextInstruction(i))
        round = !(LLVMIsALoadInst(i) && emit_is_vector(i)) && !LLVMIsAStoreInst(i);
    return round;
}

/* Do lanes leave it by themselves: does it end with a test of any or all of them? */
static bool ends_by_lanes(LLVMBasicBlockRef block) {
    LLVMValueRef v = LLVMGetBasicBlockTerminator(block);
    if (LLVMIsABranchInst(v) && LLVMIsConditional(v)) v = LLVMGetCondition(v);
    if (LLVMIsAICmpInst(v)) v = LLVMGetOperand(v, 0);
    return LLVMIsABitCastInst(v) && emit_is_vector(LLVMGetOperand(v, 0));
}

/* Where its instruction is among those of the block; count: it is none of them. */
static unsigned place_of(const struct vectororder *x, LLVMValueRef v) {
    unsigned n = 0;
    while (n < x->count && x->of[n] != v) n++;
    return n;
}

/* Registers that are saved where what is made and used in an iteration is there for one part after
 * the other are more than those that are then needed for what all lanes have alike, and which would
 * be loaded once each otherwise. */
static bool gains(const struct vectororder *x) {
    unsigned last[MOST_TOGETHER] = {0}, alike = 0, most = 0;
    LLVMValueRef seen[3 * MOST_TOGETHER];
    for (unsigned n = 0; n < x->count; n++)
        for (unsigned o = 0; o < (unsigned)LLVMGetNumOperands(x->of[n]); o++) {
            LLVMValueRef v = LLVMGetOperand(x->of[n], o);
            unsigned at = place_of(x, v), k = 0;
            if (at < x->count) last[at] = n;
            bool splat =
                LLVMIsAShuffleVectorInst(v) && LLVMIsAInsertElementInst(LLVMGetOperand(v, 0));
            if (!is_whole(v) || !(splat || LLVMIsConstant(v))) continue;
            while (k < alike && seen[k] != v) k++;
            if (k == alike) seen[alike++] = v;
        }
    for (unsigned n = 0; n < x->count; n++) {
        unsigned now = 0;
        for (unsigned m = 0; m <= n; m++) now += last[m] > n;
        if (now > most) most = now;
    }
    return x->always || (x->parts - 1) * most > alike;
}

/* ---- their parts ---- */

static LLVMValueRef part_of(struct vectororder *x, LLVMValueRef v, unsigned part) {
    unsigned n = place_of(x, v);
    if (n < x->count) return x->part[n][part];
    return value_part(x->w->b, v, x->w->lanes, part);
}

static LLVMValueRef made(struct vectororder *x, LLVMValueRef i, unsigned part) {
    LLVMTypeRef type = LLVMVectorType(LLVMGetElementType(LLVMTypeOf(i)), x->w->lanes);
    bool call = LLVMIsAIntrinsicInst(i);
    unsigned operands = (unsigned)LLVMGetNumOperands(i) - call;
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMBuilderRef b = x->w->b;
    LLVMValueRef in[3];
    for (unsigned n = 0; n < operands; n++) in[n] = part_of(x, LLVMGetOperand(i, n), part);
    if (call) {
        unsigned id = LLVMGetIntrinsicID(LLVMGetOperand(i, operands));
        LLVMValueRef function = LLVMGetIntrinsicDeclaration(x->w->module, id, &type, 1);
        return LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, in, operands, "");
    }
    if (op == LLVMFNeg) return LLVMBuildFNeg(b, in[0], "");
    if (op == LLVMICmp) return LLVMBuildICmp(b, LLVMGetICmpPredicate(i), in[0], in[1], "");
    if (op == LLVMFCmp) return LLVMBuildFCmp(b, LLVMGetFCmpPredicate(i), in[0], in[1], "");
    if (op == LLVMSelect) return LLVMBuildSelect(b, in[0], in[1], in[2], "");
    return LLVMIsACastInst(i) ? LLVMBuildCast(b, op, in[0], type, "")
                              : LLVMBuildBinOp(b, op, in[0], in[1], "");
}

/* Makes those that are there in parts, before an instruction. */
static void make_parts(struct vectororder *x, LLVMValueRef before) {
    unsigned count = x->count;
    bool good = count >= LEAST_TOGETHER && gains(x);
    x->count = 0;
    if (!good) return;
    LLVMPositionBuilderBefore(x->w->b, before);
    for (unsigned p = 0; p < x->parts; p++)
        for (x->count = 0; x->count < count; x->count++)
            x->part[x->count][p] = made(x, x->of[x->count], p);
    while (x->count--) {
        LLVMValueRef i = x->of[x->count];
        LLVMValueRef *part = x->part[x->count];
        if (LLVMGetFirstUse(i))
            LLVMReplaceAllUsesWith(i, value_chain(x->w->b, part, x->parts, x->w->lanes));
        LLVMInstructionEraseFromParent(i);
    }
    x->count = 0;
    x->w->count += count;
}

static void order(struct rewriter *w, LLVMValueRef end) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(end);
    if (!LLVMIsATerminatorInst(end) || !is_body(block)) return;
    struct vectororder x = {.w = w, .parts = ISA_WARP / w->lanes, .always = ends_by_lanes(block)};
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        bool own = x.count < MOST_TOGETHER && is_by_lanes(i), last = LLVMIsATerminatorInst(i);
        for (int n = 0; !own && !last && n < LLVMGetNumOperands(i); n++)
            last = place_of(&x, LLVMGetOperand(i, (unsigned)n)) < x.count;
        if (own) x.of[x.count++] = i;
        if (last) make_parts(&x, i);
    }
}

const struct rewriter_pass vectororder_pass = {.steps = {order}};
