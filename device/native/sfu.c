/* The special function unit's sequences as code. */
#include "emit.h"

/* What a sequence is built with; `real` and `word` are scalars or vectors. */
struct sequence {
    struct emitter *e;
    LLVMBuilderRef b;
    bool vectors;
    LLVMTypeRef real, word;
};
typedef const struct sequence *sfu_context;
typedef LLVMValueRef sfu_real, sfu_word, sfu_flag;

static sfu_real sfu_bits(sfu_context c, uint32_t u) {
    LLVMValueRef f = LLVMConstBitCast(emit_word(c->e, u), c->e->scalar[ISA_F32]);
    return c->vectors ? emit_splat(c->e, f) : f;
}
static sfu_real sfu_number(sfu_context c, float f) {
    LLVMValueRef v = LLVMConstReal(c->e->scalar[ISA_F32], (double)f);
    return c->vectors ? emit_splat(c->e, v) : v;
}
static sfu_real sfu_add(sfu_context c, sfu_real x, sfu_real y) {
    return LLVMBuildFAdd(c->b, x, y, "");
}
static sfu_real sfu_sub(sfu_context c, sfu_real x, sfu_real y) {
    return LLVMBuildFSub(c->b, x, y, "");
}
static sfu_real sfu_mul(sfu_context c, sfu_real x, sfu_real y) {
    return LLVMBuildFMul(c->b, x, y, "");
}
static sfu_real sfu_div(sfu_context c, sfu_real x, sfu_real y) {
    return LLVMBuildFDiv(c->b, x, y, "");
}
static sfu_real sfu_mad(sfu_context c, sfu_real x, sfu_real y, sfu_real z) {
    return alu_fma(c->e, (LLVMValueRef[]){x, y, z}, ISA_F32, c->vectors);
}
static sfu_real sfu_sqrt(sfu_context c, sfu_real x) {
    LLVMTypeRef type = c->real;
    return emit_intrinsic(c->e, "llvm.sqrt", &type, 1, &x, 1);
}
static sfu_word sfu_word_of(sfu_context c, sfu_real x) {
    return LLVMBuildBitCast(c->b, x, c->word, "");
}
static sfu_real sfu_real_of(sfu_context c, sfu_word w) {
    return LLVMBuildBitCast(c->b, w, c->real, "");
}
static sfu_real sfu_convert(sfu_context c, sfu_word w) {
    return LLVMBuildSIToFP(c->b, w, c->real, "");
}
static sfu_word sfu_plus(sfu_context c, sfu_word v, sfu_word w) {
    return LLVMBuildAdd(c->b, v, w, "");
}
static sfu_word sfu_minus(sfu_context c, sfu_word v, sfu_word w) {
    return LLVMBuildSub(c->b, v, w, "");
}
static sfu_word sfu_and(sfu_context c, sfu_word v, sfu_word w) {
    return LLVMBuildAnd(c->b, v, w, "");
}
static sfu_word sfu_xor(sfu_context c, sfu_word v, sfu_word w) {
    return LLVMBuildXor(c->b, v, w, "");
}
static sfu_word sfu_count(sfu_context c, unsigned n) {
    LLVMValueRef count = emit_word(c->e, n);
    return c->vectors ? emit_splat(c->e, count) : count;
}
static sfu_word sfu_left(sfu_context c, sfu_word w, unsigned n) {
    return LLVMBuildShl(c->b, w, sfu_count(c, n), "");
}
static sfu_word sfu_right(sfu_context c, sfu_word w, unsigned n) {
    return LLVMBuildAShr(c->b, w, sfu_count(c, n), "");
}
static sfu_flag sfu_below(sfu_context c, sfu_word v, sfu_word w) {
    return LLVMBuildICmp(c->b, LLVMIntULT, v, w, "");
}
static sfu_flag sfu_less(sfu_context c, sfu_real x, sfu_real y) {
    return LLVMBuildFCmp(c->b, LLVMRealOLT, x, y, "");
}
static sfu_real sfu_select(sfu_context c, sfu_flag f, sfu_real x, sfu_real y) {
    return LLVMBuildSelect(c->b, f, x, y, "");
}

#include "math/sfu.h"

LLVMValueRef sfu_emit(struct emitter *e, LLVMValueRef *src, bool vectors) {
    struct sequence s = {.e = e, .b = e->b, .vectors = vectors};
    s.real = vectors ? e->vector[ISA_F32] : e->scalar[ISA_F32];
    s.word = vectors ? e->vector[ISA_I32] : e->scalar[ISA_I32];
#define SFU_FUNCTION1(name)                                                                        \
    if (e->inst->op == ISA_native_##name) return sfu_##name(&s, src[0]);
#define SFU_FUNCTION2(name)                                                                        \
    if (e->inst->op == ISA_native_##name) return sfu_##name(&s, src[0], src[1]);
    SFU_FUNCTIONS
    return NULL;
}
