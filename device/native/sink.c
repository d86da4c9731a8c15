#include "rewriter.h"

enum { MOST_BRANCHES = 8 }; /* between an instruction and its uses */

static bool may_move(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMGetElementPtr:
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
    case LLVMSelect:
    case LLVMICmp:
    case LLVMFCmp: return true;
    default: return LLVMIsABinaryOperator(i) || LLVMIsACastInst(i);
    }
}

LLVMBasicBlockRef sink_predecessor(LLVMBasicBlockRef block) {
    LLVMBasicBlockRef found = NULL;
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u; u = LLVMGetNextUse(u)) {
        LLVMBasicBlockRef from = LLVMGetInstructionParent(LLVMGetUser(u));
        if (found && from != found) return NULL;
        found = from;
    }
    return found;
}

/* Is the one block the other, or a block through which alone that is come to? */
static bool leads_to(LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    for (unsigned n = 0; to && to != from; n++)
        to = n < MOST_BRANCHES ? sink_predecessor(to) : NULL;
    return to;
}

/* The last block that leads to both, or NULL. */
static LLVMBasicBlockRef before_both(LLVMBasicBlockRef a, LLVMBasicBlockRef b) {
    for (unsigned n = 0; a && !leads_to(a, b); n++)
        a = n < MOST_BRANCHES ? sink_predecessor(a) : NULL;
    return a;
}

/* The last block that leads to all uses of the value, or NULL. */
static LLVMBasicBlockRef place_of_uses(LLVMValueRef v) {
    LLVMBasicBlockRef place = NULL;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        LLVMBasicBlockRef at = LLVMGetInstructionParent(user);
        if (LLVMIsAPHINode(user)) return NULL;
        place = place ? before_both(place, at) : at;
        if (!place) return NULL;
    }
    return place;
}

static void sink(struct rewriter *w, LLVMValueRef i) {
    LLVMBasicBlockRef from = LLVMGetInstructionParent(i), to = place_of_uses(i);
    if (!to || to == from || !may_move(i) || !leads_to(from, to)) return;
    LLVMValueRef first = LLVMGetFirstInstruction(to);
    while (LLVMIsAPHINode(first)) first = LLVMGetNextInstruction(first);
    LLVMInstructionRemoveFromParent(i);
    LLVMPositionBuilderBefore(w->b, first);
    LLVMInsertIntoBuilder(w->b, i);
    w->count++;
}

const struct rewriter_pass sink_pass = {.backward = true, .steps = {sink}};
