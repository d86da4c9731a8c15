/* Stores that go past the caches. What a launch writes in rows, once, and does not read, is worth
 * no place there when it is more than the caches hold: the lines need not be fetched first. Which
 * stores those are is known here; how much a launch writes, when it starts (tier.c). */
#include "device/native/emit.h"

enum { LINE = 64, LEAST_SIZE = 4 }; /* bytes: of a line of the cache; of an element */
enum {
    STREAM_ONCE = 1,
    STREAM_LOOP /* in iterations of a loop: how many is known when it begins */
};

static bool in_rows(const struct emitter *e, const struct isa_inst *i) {
    uint32_t size = isa_type_size[i->type];
    if (i->op != ISA_st || i->space != ISA_GLOBAL || (i->flags & ISA_VOLATILE)) return false;
    isa_operand at = isa_srcs(e->k, i)[0];
    if (!isa_is_reg(at) || size < LEAST_SIZE) return false;
    if (transposed_may(e, i)) return true;
    enum kind kind = (enum kind)e->kinds[at];
    return (kind == KIND_LINEAR || kind == KIND_HALVES) &&
           e->shape->regs[at].stride == (int32_t)(size * i->count);
}

void stream_plan(struct emitter *e) {
    const struct isa_kernel *k = e->k;
    uint64_t read = 0;
    uint32_t depth = 0, full_mask = 0; /* the end of a loop with full-mask iterations */
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        bool memory = (isa_op_info[i->op].flags & ISA_OP_MEMORY) && i->space == ISA_GLOBAL;
        if (memory && i->ndst) read |= provenance_of(e, i);
    }
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (i->op == ISA_loop) depth++;
        if (i->op == ISA_endloop) depth--;
        if (i->op == ISA_loop && fullmask_may(e, n)) full_mask = i->match;
        if ((depth && n >= full_mask) || !in_rows(e, i) || (provenance_of(e, i) & read)) continue;
        e->streams[n] = depth ? STREAM_LOOP : STREAM_ONCE;
        if (depth) continue;
        e->streamed += (uint32_t)isa_type_size[i->type] * i->count;
    }
}

/* The row begins a line, all its lanes are on, and the launch is large. on: lanes, or NULL: all. */
static LLVMValueRef fits(struct emitter *e, LLVMValueRef at, LLVMValueRef on) {
    LLVMValueRef cached = e->cached;
    if (e->streams[e->i] == STREAM_ONCE)
        cached = emit_field(e, offsetof(struct native_run, cached), e->word, "cached");
    LLVMValueRef low = LLVMBuildTrunc(e->b, LLVMBuildPtrToInt(e->b, at, e->wide, ""), e->word, "");
    low = LLVMBuildAnd(e->b, LLVMBuildOr(e->b, low, cached, ""), emit_word(e, LINE - 1), "");
    LLVMValueRef begins = LLVMBuildICmp(e->b, LLVMIntEQ, low, emit_word(e, 0), "");
    if (!on) return begins;
    LLVMTypeRef bits = LLVMIntTypeInContext(e->context, LLVMGetVectorSize(LLVMTypeOf(on)));
    LLVMValueRef all = LLVMBuildICmp(e->b, LLVMIntEQ, LLVMBuildBitCast(e->b, on, bits, ""),
                                     LLVMConstAllOnes(bits), "");
    return LLVMBuildAnd(e->b, begins, all, "");
}

/* Stores a row past the caches where that is right; goes on where it is not, and returns the block
 * where both ways meet, or NULL when there is but one. */
LLVMBasicBlockRef stream_put(struct emitter *e, LLVMValueRef v, LLVMValueRef at, LLVMValueRef on) {
    static const char name[] = "nontemporal";
    if (!e->streams[e->i]) return NULL;
    if (e->streams[e->i] == STREAM_LOOP && (!e->full_mask || !e->cached)) return NULL;
    LLVMBasicBlockRef past = emit_block(e, "past"), plain = emit_block(e, "plain"),
                      after = emit_block(e, "");
    LLVMBuildCondBr(e->b, fits(e, at, on), past, plain);
    LLVMPositionBuilderAtEnd(e->b, past);
    LLVMValueRef store = LLVMBuildStore(e->b, v, at);
    LLVMSetAlignment(store, LINE);
    LLVMMetadataRef one = LLVMValueAsMetadata(emit_word(e, 1));
    LLVMSetMetadata(store, LLVMGetMDKindIDInContext(e->context, name, sizeof name - 1),
                    LLVMMetadataAsValue(e->context, LLVMMDNodeInContext2(e->context, &one, 1)));
    LLVMBuildBr(e->b, after);
    LLVMPositionBuilderAtEnd(e->b, plain);
    return after;
}
