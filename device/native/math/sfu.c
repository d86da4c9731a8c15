/* The special function unit's sequences as code. */
#include "device/native/emit.h"
#include "device/native/value.h"
#include "device/native/masks.h"
#include "device/native/math/operations.h"

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
    LLVMValueRef f = LLVMConstBitCast(emit_word(c->e, u), c->e->c->scalar[ISA_F32]);
    return c->vectors ? emit_splat(c->e, f) : f;
}
static sfu_real sfu_number(sfu_context c, float f) {
    LLVMValueRef v = LLVMConstReal(c->e->c->scalar[ISA_F32], (double)f);
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

/* One instruction of AVX-512 for 32 lanes, in two halves; `last`: what its operands end with. */
static sfu_real at_once(sfu_context c, const char *name, const LLVMValueRef *rows, unsigned n,
                        LLVMValueRef last) {
    enum { CURRENT_ROUNDING = 4 };
    LLVMTypeRef mask = LLVMInt16TypeInContext(c->e->c->context);
    LLVMValueRef half[2], args[6];
    for (unsigned h = 0; h < 2; h++) {
        unsigned used = 0;
        for (; used < n; used++) args[used] = value_half(c->e, rows[used], h);
        args[used++] = last ? last : args[0];
        args[used++] = LLVMConstAllOnes(mask);
        args[used++] = emit_word(c->e, CURRENT_ROUNDING);
        half[h] = emit_intrinsic(c->e, name, NULL, 0, args, used);
    }
    return value_joined(c->e, half[0], half[1]);
}

static bool sfu_scales(sfu_context c) {
    return c->vectors && c->e->request->level == NATIVE_AVX512 && c->e->request->flush;
}
static sfu_real sfu_scale(sfu_context c, sfu_real x, sfu_real k) {
    return at_once(c, "llvm.x86.avx512.mask.scalef.ps.512", (LLVMValueRef[]){x, k}, 2, NULL);
}

/* The special cases of a square root: one instruction, which goes by the kind of x: NaNs, zero,
 * one, the infinities, negative, positive. */
static sfu_real fixed(sfu_context c, sfu_real x, sfu_real y) {
    enum { KEEP = 0, SAME_NAN = 2, NEW_NAN = 3, SIGNED_INFINITE = 6, ZERO = 8 };
    static const uint32_t table = SAME_NAN | SAME_NAN << 4 | SIGNED_INFINITE << 8 | KEEP << 12 |
                                  NEW_NAN << 16 | ZERO << 20 | NEW_NAN << 24 | KEEP << 28;
    LLVMValueRef rows[] = {y, x, emit_splat(c->e, emit_word(c->e, table))};
    return at_once(c, "llvm.x86.avx512.mask.fixupimm.ps.512", rows, 3, emit_word(c->e, 0));
}

/* Elsewhere a jump around what is seldom wanted. */
static sfu_real sfu_root_ends(sfu_context c, sfu_real x, sfu_real y) {
    struct emitter *e = c->e;
    if (sfu_scales(c)) return fixed(c, x, y);
    sfu_word u = sfu_word_of(c, x), least = sfu_word_of(c, sfu_bits(c, 0x00800000));
    sfu_word infinite = sfu_word_of(c, sfu_bits(c, 0x7f800000));
    sfu_flag normal = sfu_below(c, sfu_minus(c, u, least), sfu_minus(c, infinite, least));
    LLVMValueRef all = normal;
    if (c->vectors)
        all = LLVMBuildICmp(c->b, LLVMIntEQ, emit_bits(e, normal), emit_word(e, ~0u), "");
    LLVMBasicBlockRef here = LLVMGetInsertBlock(c->b), ends = emit_block(e, "ends"),
                      after = emit_block(e, "");
    LLVMBuildCondBr(c->b, all, after, ends);
    LLVMPositionBuilderAtEnd(c->b, ends);
    sfu_word sign = sfu_and(c, u, sfu_word_of(c, sfu_bits(c, 0x80000000)));
    sfu_word nan = sfu_word_of(c, sfu_bits(c, 0x7fc00000)), none = LLVMConstNull(c->word);
    sfu_word end =
        LLVMBuildSelect(c->b, LLVMBuildICmp(c->b, LLVMIntEQ, u, infinite, ""), none, nan, "");
    end = LLVMBuildSelect(c->b, sfu_below(c, LLVMBuildXor(c->b, u, sign, ""), least),
                          LLVMBuildOr(c->b, sign, infinite, ""), end, "");
    LLVMValueRef v[] = {y, sfu_select(c, normal, y, sfu_real_of(c, end))};
    LLVMBuildBr(c->b, after);
    LLVMPositionBuilderAtEnd(c->b, after);
    LLVMValueRef result = LLVMBuildPhi(c->b, c->real, "");
    LLVMAddIncoming(result, v, (LLVMBasicBlockRef[]){here, ends}, 2);
    return result;
}

#include "device/math/sfu.h"

LLVMValueRef sfu_emit(struct emitter *e, LLVMValueRef *src, bool vectors) {
    struct sequence s = {.e = e, .b = e->b, .vectors = vectors};
    s.real = vectors ? e->c->vector[ISA_F32] : e->c->scalar[ISA_F32];
    s.word = vectors ? e->c->vector[ISA_I32] : e->c->scalar[ISA_I32];
#define SFU_FUNCTION1(name)                                                                        \
    if (e->inst->op == ISA_native_##name) return sfu_##name(&s, src[0]);
#define SFU_FUNCTION2(name)                                                                        \
    if (e->inst->op == ISA_native_##name) return sfu_##name(&s, src[0], src[1]);
    SFU_FUNCTIONS
    return NULL;
}
