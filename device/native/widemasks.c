#include "module.h"
#include <stdlib.h>

enum { LEAST_LANES = 4, MOST_LANES = 64 }; /* of a mask that is looked at */

/* One instruction that makes a vector of i1, and its words once they are made. */
struct narrow {
    LLVMValueRef mask, words;
    bool widened; /* it becomes words, as some other does that it is combined with */
};

struct widemasks {
    LLVMContextRef context;
    LLVMBuilderRef b;
    unsigned lanes;
    struct narrow *all;     /* in the function's order */
    uint32_t count, *table; /* the index of each + 1, by its address; 0: none */
    uint32_t slots;         /* of the table, a power of two */
};

static bool is_mask(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind && LLVMGetVectorSize(type) >= LEAST_LANES &&
           LLVMGetVectorSize(type) <= MOST_LANES &&
           LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(LLVMGetElementType(type)) == 1;
}

static uint32_t hash(const struct widemasks *w, LLVMValueRef v) {
    return (uint32_t)((uintptr_t)v * 0x9e3779b97f4a7c15u >> 32) & (w->slots - 1);
}

static struct narrow *find(const struct widemasks *w, LLVMValueRef v) {
    for (uint32_t h = hash(w, v); w->table[h]; h = (h + 1) & (w->slots - 1))
        if (w->all[w->table[h] - 1].mask == v) return &w->all[w->table[h] - 1];
    return NULL;
}

static LLVMTypeRef words_of(const struct widemasks *w, LLVMTypeRef mask) {
    return LLVMVectorType(LLVMInt32TypeInContext(w->context), LLVMGetVectorSize(mask));
}

/* Made of masks alone, by lanes or by moving them: words do as well. */
static bool is_logic(LLVMValueRef v) {
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMPHI:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor: return true;
    case LLVMSelect: return is_mask(LLVMTypeOf(LLVMGetOperand(v, 1)));
    case LLVMShuffleVector: return is_mask(LLVMTypeOf(LLVMGetOperand(v, 0)));
    default: return false;
    }
}

/* ---- which ---- */

/* A comparison that is used where it stands, other than by what becomes words, needs none. */
static bool is_wanted(const struct widemasks *w, LLVMValueRef v) {
    LLVMBasicBlockRef here = LLVMGetInstructionParent(v);
    if (is_logic(v)) return true;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (find(w, user) && is_logic(user)) return true;
        if (LLVMGetInstructionParent(user) != here || LLVMIsABitCastInst(user)) return true;
    }
    return false;
}

static bool collect(struct widemasks *w, LLVMValueRef function) {
    w->count = 0;
    for (int pass = 0; pass < 2; pass++) {
        uint32_t n = 0;
        for (LLVMBasicBlockRef at = LLVMGetFirstBasicBlock(function); at;
             at = LLVMGetNextBasicBlock(at))
            for (LLVMValueRef i = LLVMGetFirstInstruction(at); i; i = LLVMGetNextInstruction(i)) {
                if (!is_mask(LLVMTypeOf(i))) continue;
                if (pass) w->all[n].mask = i;
                n++;
            }
        if (pass || !n) break;
        w->count = n;
        for (w->slots = 8; w->slots < 2 * n; w->slots *= 2) continue;
        w->all = calloc(n, sizeof *w->all);
        w->table = calloc(w->slots, sizeof *w->table);
        if (!w->all || !w->table) return false;
    }
    for (uint32_t n = 0; n < w->count; n++) {
        uint32_t h = hash(w, w->all[n].mask);
        while (w->table[h]) h = (h + 1) & (w->slots - 1);
        w->table[h] = n + 1;
    }
    for (uint32_t n = 0; n < w->count; n++) w->all[n].widened = is_wanted(w, w->all[n].mask);
    return true;
}

/* ---- their words ---- */

static void after(struct widemasks *w, LLVMValueRef v) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(v);
    LLVMValueRef next = LLVMGetNextInstruction(v);
    while (next && LLVMIsAPHINode(next)) next = LLVMGetNextInstruction(next);
    LLVMPositionBuilder(w->b, block, next);
}

static LLVMValueRef words(struct widemasks *w, LLVMValueRef v);

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

static LLVMValueRef shuffled(struct widemasks *w, LLVMValueRef v) {
    LLVMTypeRef word = LLVMInt32TypeInContext(w->context);
    LLVMValueRef pick[MOST_LANES], from[2];
    unsigned lanes = LLVMGetNumMaskElements(v);
    for (unsigned n = 0; n < lanes; n++) {
        int at = LLVMGetMaskValue(v, n);
        pick[n] = at < 0 ? LLVMGetPoison(word) : LLVMConstInt(word, (unsigned)at, false);
    }
    if (is_splat(v)) {
        LLVMTypeRef type = words_of(w, LLVMTypeOf(v));
        after(w, v);
        LLVMValueRef one = LLVMGetOperand(LLVMGetOperand(v, 0), 1);
        one = LLVMBuildSExt(w->b, one, word, "");
        from[0] = LLVMBuildInsertElement(w->b, LLVMGetPoison(type), one,
                                         LLVMConstInt(word, 0, false), "");
        from[1] = LLVMGetPoison(type);
    } else {
        for (unsigned n = 0; n < 2; n++) from[n] = words(w, LLVMGetOperand(v, n));
        after(w, v);
    }
    return LLVMBuildShuffleVector(w->b, from[0], from[1], LLVMConstVector(pick, lanes), "");
}

static LLVMValueRef selected(struct widemasks *w, LLVMValueRef v) {
    LLVMValueRef condition = LLVMGetOperand(v, 0), both[2];
    for (unsigned n = 0; n < 2; n++) both[n] = words(w, LLVMGetOperand(v, 1 + n));
    if (!is_mask(LLVMTypeOf(condition))) {
        after(w, v);
        return LLVMBuildSelect(w->b, condition, both[0], both[1], "");
    }
    condition = words(w, condition);
    after(w, v);
    if (LLVMIsNull(both[1])) return LLVMBuildAnd(w->b, condition, both[0], "");
    if (LLVMIsConstant(both[0]) && both[0] == LLVMConstAllOnes(LLVMTypeOf(both[0])))
        return LLVMBuildOr(w->b, condition, both[1], "");
    LLVMValueRef on =
        LLVMBuildICmp(w->b, LLVMIntSLT, condition, LLVMConstNull(LLVMTypeOf(condition)), "");
    return LLVMBuildSelect(w->b, on, both[0], both[1], "");
}

static LLVMValueRef combined(struct widemasks *w, LLVMValueRef v) {
    if (LLVMIsAShuffleVectorInst(v)) return shuffled(w, v);
    if (LLVMIsASelectInst(v)) return selected(w, v);
    LLVMValueRef x = words(w, LLVMGetOperand(v, 0)), y = words(w, LLVMGetOperand(v, 1));
    after(w, v);
    return LLVMBuildBinOp(w->b, LLVMGetInstructionOpcode(v), x, y, "");
}

static LLVMValueRef words(struct widemasks *w, LLVMValueRef v) {
    LLVMTypeRef type = words_of(w, LLVMTypeOf(v));
    struct narrow *n = find(w, v);
    if (LLVMIsAArgument(v)) {
        LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(LLVMGetParamParent(v));
        LLVMPositionBuilder(w->b, entry, LLVMGetFirstInstruction(entry));
    }
    if (!n) return LLVMBuildSExt(w->b, v, type, ""); /* a constant's are folded */
    if (n->words) return n->words;
    LLVMValueRef made;
    if (is_logic(v) && !LLVMIsAPHINode(v)) {
        made = combined(w, v);
    } else {
        after(w, v);
        made = LLVMBuildSExt(w->b, v, type, "");
    }
    return n->words = made;
}

static void make_phis(struct widemasks *w) {
    for (uint32_t n = 0; n < w->count; n++) {
        if (!LLVMIsAPHINode(w->all[n].mask)) continue;
        LLVMPositionBuilderBefore(w->b, w->all[n].mask);
        w->all[n].words = LLVMBuildPhi(w->b, words_of(w, LLVMTypeOf(w->all[n].mask)), "");
    }
}

static void fill_phis(struct widemasks *w) {
    for (uint32_t n = 0; n < w->count; n++) {
        LLVMValueRef phi = w->all[n].mask;
        if (!LLVMIsAPHINode(phi)) continue;
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
            LLVMValueRef v = words(w, LLVMGetIncomingValue(phi, i));
            LLVMAddIncoming(w->all[n].words, &v, &block, 1);
        }
    }
}

/* ---- their uses ---- */

/* All lanes of a vector of words in the first few, by `op`. */
static LLVMValueRef folded(struct widemasks *w, LLVMValueRef v, LLVMOpcode op) {
    LLVMTypeRef word = LLVMInt32TypeInContext(w->context);
    for (unsigned n = LLVMGetVectorSize(LLVMTypeOf(v)); n > w->lanes; n /= 2) {
        LLVMValueRef half[2], pick[MOST_LANES];
        for (unsigned h = 0; h < 2; h++) {
            for (unsigned i = 0; i < n / 2; i++)
                pick[i] = LLVMConstInt(word, i + h * (n / 2), false);
            half[h] = LLVMBuildShuffleVector(w->b, v, LLVMGetPoison(LLVMTypeOf(v)),
                                             LLVMConstVector(pick, n / 2), "");
        }
        v = LLVMBuildBinOp(w->b, op, half[0], half[1], "");
    }
    return v;
}

static LLVMValueRef signs(struct widemasks *w, LLVMValueRef v) {
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
static void rewrite_bits(struct widemasks *w, LLVMValueRef bits, LLVMValueRef v) {
    unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(v));
    if (lanes < w->lanes || (lanes & (lanes - 1))) return;
    for (LLVMUseRef u = LLVMGetFirstUse(bits), next; u; u = next) {
        LLVMValueRef test = LLVMGetUser(u);
        next = LLVMGetNextUse(u);
        if (!is_test(test, bits)) continue;
        bool any = LLVMIsNull(LLVMGetOperand(test, 1));
        LLVMPositionBuilderBefore(w->b, test);
        LLVMValueRef few = signs(w, folded(w, v, any ? LLVMOr : LLVMAnd));
        LLVMTypeRef type = LLVMIntTypeInContext(w->context, LLVMGetVectorSize(LLVMTypeOf(few)));
        few = LLVMBuildBitCast(w->b, few, type, "");
        LLVMSetOperand(test, 0, few);
        LLVMSetOperand(test, 1, any ? LLVMConstNull(type) : LLVMConstAllOnes(type));
    }
}

static void rewrite_use(struct widemasks *w, LLVMValueRef user, struct narrow *n) {
    if (LLVMIsABitCastInst(user)) rewrite_bits(w, user, n->words);
    LLVMPositionBuilderBefore(w->b, user);
    if (LLVMIsASExtInst(user) && LLVMTypeOf(user) == LLVMTypeOf(n->words)) {
        LLVMReplaceAllUsesWith(user, n->words);
        return;
    }
    LLVMValueRef on = signs(w, n->words);
    for (int o = 0; o < LLVMGetNumOperands(user); o++)
        if (LLVMGetOperand(user, (unsigned)o) == n->mask) LLVMSetOperand(user, (unsigned)o, on);
}

/* What stays of a mask's uses when all that combine masks are gone. */
static bool rewrite_uses(struct widemasks *w, struct narrow *n) {
    size_t count = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(n->mask); u; u = LLVMGetNextUse(u)) count++;
    LLVMValueRef *users = calloc(count + 1, sizeof *users);
    if (!users) return false;
    count = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(n->mask); u; u = LLVMGetNextUse(u))
        users[count++] = LLVMGetUser(u);
    for (size_t i = 0; i < count; i++) {
        const struct narrow *by = find(w, users[i]);
        if (users[i] != n->words && !(by && is_logic(users[i]))) rewrite_use(w, users[i], n);
    }
    free(users);
    return true;
}

static bool rewrite(struct widemasks *w) {
    make_phis(w);
    for (uint32_t n = 0; n < w->count; n++)
        if (w->all[n].widened) words(w, w->all[n].mask);
    fill_phis(w);
    bool done = true;
    for (uint32_t n = 0; n < w->count && done; n++)
        if (w->all[n].widened) done = rewrite_uses(w, &w->all[n]);
    for (uint32_t n = 0; n < w->count && done; n++) {
        LLVMValueRef v = w->all[n].mask;
        if (!is_logic(v)) continue;
        LLVMReplaceAllUsesWith(v, LLVMGetPoison(LLVMTypeOf(v)));
    }
    for (uint32_t n = 0; n < w->count && done; n++)
        if (is_logic(w->all[n].mask)) LLVMInstructionEraseFromParent(w->all[n].mask);
    return done;
}

/* ---- choices ---- */

/* Is `made` what an operation makes of x and something else, 0 of which would leave x? Used once.
 */
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
static bool choose_operand(struct widemasks *w, LLVMValueRef choice) {
    LLVMValueRef c = LLVMGetOperand(choice, 0), arm[2];
    if (!is_mask(LLVMTypeOf(c)) || LLVMTypeOf(choice) != words_of(w, LLVMTypeOf(c))) return false;
    for (unsigned n = 0; n < 2; n++) arm[n] = LLVMGetOperand(choice, 1 + n);
    LLVMValueRef by[2] = {added_to(arm[0], arm[1]), added_to(arm[1], arm[0])};
    unsigned made = !by[0];
    if (!by[made]) return false;
    LLVMPositionBuilderBefore(w->b, choice);
    LLVMValueRef mask = LLVMBuildSExt(w->b, c, LLVMTypeOf(choice), "");
    if (made) mask = LLVMBuildNot(w->b, mask, "");
    mask = LLVMBuildAnd(w->b, mask, by[made], "");
    LLVMOpcode op = LLVMGetInstructionOpcode(arm[made]);
    LLVMReplaceAllUsesWith(choice, LLVMBuildBinOp(w->b, op, arm[!made], mask, ""));
    LLVMInstructionEraseFromParent(choice);
    LLVMInstructionEraseFromParent(arm[made]);
    return true;
}

static uint32_t choose_operands(struct widemasks *w, LLVMValueRef function) {
    uint32_t count = 0;
    for (LLVMBasicBlockRef at = LLVMGetFirstBasicBlock(function); at;
         at = LLVMGetNextBasicBlock(at))
        for (LLVMValueRef i = LLVMGetFirstInstruction(at), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (LLVMIsASelectInst(i)) count += choose_operand(w, i);
        }
    return count;
}

bool widemasks_apply(LLVMModuleRef module, unsigned lanes, uint32_t *count) {
    LLVMContextRef context = LLVMGetModuleContext(module);
    struct widemasks w = {.context = context, .lanes = lanes};
    bool done = true;
    w.b = LLVMCreateBuilderInContext(context);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f && done; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f)) continue;
        *count += choose_operands(&w, f);
        done = collect(&w, f) && (!w.count || rewrite(&w));
        for (uint32_t n = 0; n < w.count; n++) *count += w.all && w.all[n].widened;
        free(w.all);
        free(w.table);
        w.all = NULL;
        w.table = NULL;
    }
    LLVMDisposeBuilder(w.b);
    return done;
}
