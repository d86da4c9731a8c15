#include "rewriter.h"
#include "value.h"

enum { LEAST_LANES = 4, MOST_LANES = 64 }; /* of a mask that is looked at */

static bool is_mask(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind && LLVMGetVectorSize(type) >= LEAST_LANES &&
           LLVMGetVectorSize(type) <= MOST_LANES &&
           LLVMGetElementType(type) == LLVMInt1TypeInContext(LLVMGetTypeContext(type));
}

static LLVMTypeRef words_of(const struct rewriter *w, LLVMTypeRef mask) {
    return LLVMVectorType(w->word, LLVMGetVectorSize(mask));
}

/* A mask that is made of masks alone, by lanes or by moving them: words do as well. */
static bool is_logic(LLVMValueRef v) {
    if (!is_mask(LLVMTypeOf(v))) return false;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMPHI:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMSelect: return true;
    case LLVMShuffleVector: return is_mask(LLVMTypeOf(LLVMGetOperand(v, 0)));
    default: return false;
    }
}

/* A comparison that is used where it stands, other than by what becomes words, needs none. */
static bool is_wanted(LLVMValueRef v) {
    LLVMBasicBlockRef here = LLVMGetInstructionParent(v);
    if (!is_mask(LLVMTypeOf(v)) || is_logic(v)) return is_logic(v);
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (is_logic(user) || LLVMGetInstructionParent(user) != here || LLVMIsABitCastInst(user))
            return true;
    }
    return false;
}

/* ---- their words, right before what becomes them, and right behind what does not ---- */

/* Makes them, of what becomes words without what they are made of. */
static void begin(struct rewriter *w, LLVMValueRef v) {
    if (!is_wanted(v)) return;
    LLVMTypeRef type = words_of(w, LLVMTypeOf(v));
    LLVMPositionBuilderBefore(w->b, is_logic(v) ? v : LLVMGetNextInstruction(v));
    if (LLVMIsAPHINode(v))
        LLVMBuildPhi(w->b, type, "");
    else if (is_logic(v))
        LLVMBuildFreeze(w->b, LLVMGetPoison(type), "");
    else
        LLVMBuildSExt(w->b, v, type, "");
    w->count++;
}

static LLVMValueRef words(struct rewriter *w, LLVMValueRef v) {
    if (is_logic(v)) return LLVMGetPreviousInstruction(v);
    if (LLVMIsAInstruction(v) && is_mask(LLVMTypeOf(v))) return LLVMGetNextInstruction(v);
    return LLVMBuildSExt(w->b, v, words_of(w, LLVMTypeOf(v)), ""); /* a constant's are folded */
}

/* One element, as often as there are lanes. */
static bool is_splat(LLVMValueRef v) {
    LLVMValueRef from = LLVMGetOperand(v, 0);
    unsigned lanes = LLVMGetNumMaskElements(v);
    if (!LLVMIsAInsertElementInst(from)) return false;
    LLVMValueRef at = LLVMGetOperand(from, 2);
    if (!LLVMIsAConstantInt(at) || LLVMConstIntGetZExtValue(at)) return false;
    for (unsigned n = 0; n < lanes; n++)
        if (LLVMGetMaskValue(v, n) > 0) return false;
    return true;
}

static LLVMValueRef shuffled(struct rewriter *w, LLVMValueRef v) {
    LLVMValueRef from[2] = {NULL};
    uint32_t pick[MOST_LANES];
    unsigned lanes = LLVMGetNumMaskElements(v);
    for (unsigned n = 0; n < lanes; n++) pick[n] = (uint32_t)LLVMGetMaskValue(v, n); /* -1: any */
    if (is_splat(v)) {
        LLVMTypeRef type = words_of(w, LLVMTypeOf(v));
        LLVMValueRef one = LLVMGetOperand(LLVMGetOperand(v, 0), 1);
        one = LLVMBuildSExt(w->b, one, w->word, "");
        from[0] = LLVMBuildInsertElement(w->b, LLVMGetPoison(type), one,
                                         LLVMConstInt(w->word, 0, false), "");
    } else {
        for (unsigned n = 0; n < 2; n++) from[n] = words(w, LLVMGetOperand(v, n));
    }
    return value_shuffled(w->b, from[0], from[1], pick, lanes);
}

static LLVMValueRef selected(struct rewriter *w, LLVMValueRef v) {
    LLVMValueRef condition = LLVMGetOperand(v, 0), both[2];
    for (unsigned n = 0; n < 2; n++) both[n] = words(w, LLVMGetOperand(v, 1 + n));
    if (!is_mask(LLVMTypeOf(condition)))
        return LLVMBuildSelect(w->b, condition, both[0], both[1], "");
    condition = words(w, condition);
    if (LLVMIsNull(both[1])) return LLVMBuildAnd(w->b, condition, both[0], "");
    if (LLVMIsConstant(both[0]) && both[0] == LLVMConstAllOnes(LLVMTypeOf(both[0])))
        return LLVMBuildOr(w->b, condition, both[1], "");
    LLVMValueRef on =
        LLVMBuildICmp(w->b, LLVMIntSLT, condition, LLVMConstNull(LLVMTypeOf(condition)), "");
    return LLVMBuildSelect(w->b, on, both[0], both[1], "");
}

static void fill_phi(struct rewriter *w, LLVMValueRef phi) {
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
        LLVMPositionBuilderBefore(w->b, LLVMGetBasicBlockTerminator(block));
        LLVMValueRef v = words(w, LLVMGetIncomingValue(phi, i));
        LLVMAddIncoming(words(w, phi), &v, &block, 1);
    }
}

/* When all have words, makes those of `v` what they are made of. */
static void fill(struct rewriter *w, LLVMValueRef v) {
    if (!is_logic(v)) return;
    if (LLVMIsAPHINode(v)) {
        fill_phi(w, v);
        return;
    }
    LLVMValueRef place = words(w, v), made;
    LLVMPositionBuilderBefore(w->b, place);
    if (LLVMIsAShuffleVectorInst(v))
        made = shuffled(w, v);
    else if (LLVMIsASelectInst(v))
        made = selected(w, v);
    else
        made = LLVMBuildBinOp(w->b, LLVMGetInstructionOpcode(v), words(w, LLVMGetOperand(v, 0)),
                              words(w, LLVMGetOperand(v, 1)), "");
    /* What the builder has folded stands elsewhere, or nowhere. */
    if (LLVMGetPreviousInstruction(place) != made) made = LLVMBuildFreeze(w->b, made, "");
    LLVMReplaceAllUsesWith(place, made);
    LLVMInstructionEraseFromParent(place);
}

/* ---- their uses ---- */

/* All lanes of a vector of words in the first few, by `op`. */
static LLVMValueRef folded(struct rewriter *w, LLVMValueRef v, LLVMOpcode op) {
    for (unsigned n = LLVMGetVectorSize(LLVMTypeOf(v)); n > w->lanes; n /= 2) {
        LLVMValueRef half[2];
        for (unsigned h = 0; h < 2; h++) half[h] = value_part(w->b, v, n / 2, h);
        v = LLVMBuildBinOp(w->b, op, half[0], half[1], "");
    }
    return v;
}

static LLVMValueRef signs(struct rewriter *w, LLVMValueRef v) {
    return LLVMBuildICmp(w->b, LLVMIntSLT, v, LLVMConstNull(LLVMTypeOf(v)), "");
}

/* A comparison of a mask's bits with 0 or -1. */
static bool is_test(LLVMValueRef user, LLVMValueRef bits) {
    if (!LLVMIsAICmpInst(user) || LLVMGetOperand(user, 0) != bits) return false;
    LLVMValueRef with = LLVMGetOperand(user, 1);
    LLVMIntPredicate p = LLVMGetICmpPredicate(user);
    return (p == LLVMIntEQ || p == LLVMIntNE) &&
           (LLVMIsNull(with) || with == LLVMConstAllOnes(LLVMTypeOf(with)));
}

/* Bits of a mask: tests of any or all lanes get theirs. */
static void rewrite_bits(struct rewriter *w, LLVMValueRef bits, LLVMValueRef v) {
    unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(v));
    if (lanes < w->lanes || (lanes & (lanes - 1))) return;
    for (LLVMUseRef u = LLVMGetFirstUse(bits), next; u; u = next) {
        LLVMValueRef test = LLVMGetUser(u);
        next = LLVMGetNextUse(u);
        if (!is_test(test, bits)) continue;
        bool any = LLVMIsNull(LLVMGetOperand(test, 1));
        LLVMPositionBuilderBefore(w->b, test);
        LLVMValueRef few = signs(w, folded(w, v, any ? LLVMOr : LLVMAnd));
        LLVMTypeRef type = LLVMIntTypeInContext(LLVMGetModuleContext(w->module),
                                                LLVMGetVectorSize(LLVMTypeOf(few)));
        few = LLVMBuildBitCast(w->b, few, type, "");
        LLVMSetOperand(test, 0, few);
        LLVMSetOperand(test, 1, any ? LLVMConstNull(type) : LLVMConstAllOnes(type));
    }
}

/* `user` takes the words of `v`, or masks made of them. */
static void rewrite_use(struct rewriter *w, LLVMValueRef user, LLVMValueRef v) {
    LLVMValueRef own = words(w, v), on = LLVMGetPoison(LLVMTypeOf(v));
    if (LLVMIsABitCastInst(user)) rewrite_bits(w, user, own);
    LLVMPositionBuilderBefore(w->b, user);
    if (LLVMIsASExtInst(user) && LLVMTypeOf(user) == LLVMTypeOf(own))
        LLVMReplaceAllUsesWith(user, own);
    else if (LLVMIsAZExtInst(user) && LLVMTypeOf(user) == LLVMTypeOf(own))
        LLVMReplaceAllUsesWith(user, LLVMBuildNeg(w->b, own, ""));
    else
        on = signs(w, own);
    for (int o = 0; o < LLVMGetNumOperands(user); o++)
        if (LLVMGetOperand(user, (unsigned)o) == v) LLVMSetOperand(user, (unsigned)o, on);
}

/* What stays of a mask's uses when all that combine masks are gone. */
static void rewrite_uses(struct rewriter *w, LLVMValueRef v) {
    if (!is_wanted(v)) return;
    LLVMValueRef own = words(w, v);
    if (!is_logic(v) && (!LLVMIsASExtInst(own) || LLVMGetOperand(own, 0) != v)) return; /* new */
    for (LLVMUseRef u = LLVMGetFirstUse(v); u;) {
        LLVMValueRef user = LLVMGetUser(u);
        bool stays = user == own || is_logic(user);
        if (!stays) rewrite_use(w, user, v);
        u = stays ? LLVMGetNextUse(u) : LLVMGetFirstUse(v);
    }
}

static void erase(struct rewriter *w, LLVMValueRef v) {
    (void)w;
    if (!is_logic(v)) return;
    LLVMReplaceAllUsesWith(v, LLVMGetPoison(LLVMTypeOf(v)));
    LLVMInstructionEraseFromParent(v);
}

/* ---- choices ---- */

/* What an operation, used once, makes `made` of besides x, where 0 would leave x; or NULL. */
static LLVMValueRef added_to(LLVMValueRef made, LLVMValueRef x) {
    if (!LLVMIsABinaryOperator(made) || LLVMGetNextUse(LLVMGetFirstUse(made))) return NULL;
    LLVMValueRef a = LLVMGetOperand(made, 0), b = LLVMGetOperand(made, 1);
    switch (LLVMGetInstructionOpcode(made)) {
    case LLVMAdd:
    case LLVMOr:
    case LLVMXor: return a == x ? b : b == x ? a : NULL;
    case LLVMSub: return a == x ? b : NULL;
    default: return NULL;
    }
}

/* A choice of x and of what an operation makes of x, as the operation by what is chosen: such CPUs
 * take several operations for a choice, one for a mask. */
static void choose_operand(struct rewriter *w, LLVMValueRef choice) {
    if (!LLVMIsASelectInst(choice)) return;
    LLVMValueRef c = LLVMGetOperand(choice, 0), arm[2];
    if (!is_mask(LLVMTypeOf(c)) || LLVMTypeOf(choice) != words_of(w, LLVMTypeOf(c))) return;
    for (unsigned n = 0; n < 2; n++) arm[n] = LLVMGetOperand(choice, 1 + n);
    LLVMValueRef by[2] = {added_to(arm[0], arm[1]), added_to(arm[1], arm[0])};
    unsigned made = !by[0];
    if (!by[made]) return;
    LLVMPositionBuilderBefore(w->b, choice);
    LLVMValueRef mask = LLVMBuildSExt(w->b, c, LLVMTypeOf(choice), "");
    if (made) mask = LLVMBuildNot(w->b, mask, "");
    mask = LLVMBuildAnd(w->b, mask, by[made], "");
    LLVMOpcode op = LLVMGetInstructionOpcode(arm[made]);
    LLVMReplaceAllUsesWith(choice, LLVMBuildBinOp(w->b, op, arm[!made], mask, ""));
    LLVMInstructionEraseFromParent(choice);
    LLVMInstructionEraseFromParent(arm[made]);
    w->count++;
}

const struct rewriter_pass widemasks_pass = {
    .steps = {choose_operand, begin, fill, rewrite_uses, erase}};
