/* Accesses whose addresses shape analysis cannot place, although they come from thread ids alone
 * (by way of a minimum, a remainder, a choice at the edge of a grid): more often than not each
 * half-warp's lie in a row all the same. That is tested at run time, and then vectors are moved. */
#include "emit.h"

enum { HALF = ISA_WARP / 2 };

/* Marks the registers that hold, or come from, what lanes have read from memory each on its own:
 * addresses made of such values are hardly ever in order. */
void dense_plan(struct emitter *e) {
    const struct isa_kernel *k = e->k;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = 0; n < k->ninsts; n++) {
            const struct isa_inst *i = &k->insts[n];
            bool read = isa_op_info[i->op].flags & (ISA_OP_MEMORY | ISA_OP_IMAGE);
            for (unsigned s = 0; s < i->nsrc && !read; s++)
                read = isa_is_reg(isa_srcs(k, i)[s]) && e->scattered[isa_srcs(k, i)[s]];
            for (unsigned d = 0; read && d < i->ndst; d++) {
                uint32_t dst = isa_dsts(k, i)[d];
                if (e->kinds[dst] != KIND_VARYING || e->scattered[dst]) continue;
                e->scattered[dst] = 1;
                changed = true;
            }
        }
    }
}

/* Without masks for the access a row is no better than lanes one by one. */
static bool has_masks(const struct emitter *e) {
    enum native_level least = isa_type_size[e->inst->type] < 4 ? NATIVE_AVX512 : NATIVE_AVX2;
    return e->request->level >= least;
}

static bool likely(struct emitter *e) {
    const struct isa_inst *i = e->inst;
    isa_operand at = isa_srcs(e->k, i)[0];
    if (!emit_full(e) && !has_masks(e)) return false;
    return i->count == 1 && !(i->flags & ISA_VOLATILE) && isa_is_reg(at) && !e->scattered[at];
}

/* A warp's access while it is made. */
struct attempt {
    LLVMValueRef row[2], on[2]; /* of each half-warp: host address; lanes that are on, NULL: all */
    LLVMBasicBlockRef scattered, after;
};

/* Goes on where the active lanes of each half-warp are known to lie in a row. */
static struct attempt begin(struct emitter *e, LLVMValueRef address, int64_t displacement,
                            unsigned w) {
    uint32_t size = isa_type_size[e->inst->type];
    LLVMValueRef steps[ISA_WARP], firsts[ISA_WARP];
    for (unsigned i = 0; i < ISA_WARP; i++) {
        steps[i] = emit_word(e, i % HALF * size);
        firsts[i] = emit_word(e, i / HALF * HALF);
    }
    LLVMValueRef base = LLVMBuildSub(e->b, address, LLVMConstVector(steps, ISA_WARP), "");
    LLVMValueRef first = LLVMBuildShuffleVector(e->b, base, LLVMGetPoison(LLVMTypeOf(base)),
                                                LLVMConstVector(firsts, ISA_WARP), "");
    LLVMValueRef apart = LLVMBuildICmp(e->b, LLVMIntNE, base, first, "");
    if (!emit_full(e)) apart = LLVMBuildAnd(e->b, apart, emit_mask(e, w), "");
    struct attempt a = {.scattered = emit_block(e, "scattered"), .after = emit_block(e, "")};
    LLVMBasicBlockRef rows = emit_block(e, "rows");
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntEQ, emit_bits(e, apart), emit_word(e, 0), ""),
                    rows, a.scattered);
    LLVMPositionBuilderAtEnd(e->b, rows);
    for (unsigned h = 0; h < 2; h++) {
        LLVMValueRef at = LLVMBuildExtractElement(e->b, base, emit_word(e, h * HALF), "");
        a.row[h] = access_host(e, at, displacement);
        if (!emit_full(e)) a.on[h] = access_half(e, emit_mask(e, w), h);
    }
    return a;
}

LLVMValueRef dense_load(struct emitter *e, LLVMValueRef address, int64_t displacement, unsigned w) {
    if (!likely(e)) return scattered_load(e, address, displacement, w);
    struct attempt a = begin(e, address, displacement, w);
    LLVMTypeRef part = LLVMVectorType(e->scalar[e->inst->type], HALF);
    LLVMValueRef half[2], v[2];
    LLVMBasicBlockRef from[2];
    for (unsigned h = 0; h < 2; h++) half[h] = access_row(e, part, a.row[h], a.on[h]);
    v[0] = access_joined(e, half[0], half[1]);
    from[0] = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, a.after);
    LLVMPositionBuilderAtEnd(e->b, a.scattered);
    v[1] = scattered_load(e, address, displacement, w);
    from[1] = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, a.after);
    LLVMPositionBuilderAtEnd(e->b, a.after);
    LLVMValueRef result = LLVMBuildPhi(e->b, LLVMTypeOf(v[0]), "");
    LLVMAddIncoming(result, v, from, 2);
    return result;
}

void dense_store(struct emitter *e, LLVMValueRef value, LLVMValueRef address, int64_t displacement,
                 unsigned w) {
    if (!likely(e)) {
        scattered_store(e, value, address, displacement, w);
        return;
    }
    struct attempt a = begin(e, address, displacement, w);
    for (unsigned h = 0; h < 2; h++) access_put_row(e, access_half(e, value, h), a.row[h], a.on[h]);
    LLVMBuildBr(e->b, a.after);
    LLVMPositionBuilderAtEnd(e->b, a.scattered);
    scattered_store(e, value, address, displacement, w);
    LLVMBuildBr(e->b, a.after);
    LLVMPositionBuilderAtEnd(e->b, a.after);
}
