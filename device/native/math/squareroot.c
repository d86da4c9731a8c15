/* Square roots of 32 lanes where the host has vectors of 16. Its divider takes as long for them as
 * for a dozen products, which it lets others do meanwhile: one half-warp's roots come from there,
 * the other's from an approximation and products. Both are the rounded square root. */
#include "device/native/emit.h"
#include "device/native/value.h"
#include "device/native/masks.h"
#include "device/native/math/operations.h"

/* As llvm.sqrt for x whose residues are no denormals: two steps from 14 bits. The first leaves an
 * error below one unit in the last place; of the numbers that near, of any exponent, the second
 * makes the rounded square root, whatever the approximation's last bits are. */
static LLVMValueRef by_products(struct emitter *e, LLVMValueRef x) {
    LLVMBuilderRef b = e->b;
    LLVMTypeRef t = LLVMTypeOf(x), on = LLVMInt16TypeInContext(e->c->context);
    LLVMValueRef half = value_half(e, emit_splat(e, LLVMConstReal(LLVMGetElementType(t), 0.5)), 0);
    LLVMValueRef y = emit_intrinsic(e, "llvm.x86.avx512.rsqrt14.ps.512", NULL, 0,
                                    (LLVMValueRef[]){x, LLVMConstNull(t), LLVMConstAllOnes(on)}, 3);
    LLVMValueRef g = LLVMBuildFMul(b, x, y, ""), h = LLVMBuildFMul(b, y, half, "");
    LLVMValueRef less = LLVMBuildFNeg(b, g, "");
    LLVMValueRef off = emit_intrinsic(e, "llvm.fma", &t, 1, (LLVMValueRef[]){less, h, half}, 3);
    g = emit_intrinsic(e, "llvm.fma", &t, 1, (LLVMValueRef[]){g, off, g}, 3);
    h = emit_intrinsic(e, "llvm.fma", &t, 1, (LLVMValueRef[]){h, off, h}, 3);
    less = LLVMBuildFNeg(b, g, "");
    LLVMValueRef rest = emit_intrinsic(e, "llvm.fma", &t, 1, (LLVMValueRef[]){less, g, x}, 3);
    return emit_intrinsic(e, "llvm.fma", &t, 1, (LLVMValueRef[]){rest, h, g}, 3);
}

static LLVMValueRef words(struct emitter *e, uint32_t bits) {
    return value_half(e, emit_splat(e, emit_word(e, bits)), 0);
}

/* Whether all of 16 are numbers in [2^-70, infinite), as an i1. */
static LLVMValueRef usual(struct emitter *e, LLVMValueRef x) {
    enum { LEAST = (127 - 70) << 23, INFINITE = 0x7f800000 };
    LLVMValueRef from = words(e, LEAST), count = words(e, INFINITE - LEAST);
    LLVMValueRef bits = LLVMBuildBitCast(e->b, x, LLVMTypeOf(from), "");
    bits = LLVMBuildICmp(e->b, LLVMIntUGE, LLVMBuildSub(e->b, bits, from, ""), count, "");
    LLVMTypeRef all = LLVMInt16TypeInContext(e->c->context);
    bits = LLVMBuildBitCast(e->b, bits, all, "");
    return LLVMBuildICmp(e->b, LLVMIntEQ, bits, LLVMConstNull(all), "");
}

/* Both halves are done in one block: in two, LLVM moves the divider's part to where its results
 * are wanted, away from the products. */
LLVMValueRef squareroot_emit(struct emitter *e, LLVMValueRef x) {
    LLVMTypeRef t = LLVMTypeOf(x);
    if (e->request->level != NATIVE_AVX512 || t != e->c->vector[ISA_F32] ||
        plan_off(e->plan, PLAN_squareroot))
        return emit_intrinsic(e, "llvm.sqrt", &t, 1, &x, 1);
    emit_tell(e, PLAN_squareroot, "one half by products");
    LLVMValueRef low = value_half(e, x, 0), high = value_half(e, x, 1), both[2];
    LLVMTypeRef part = LLVMTypeOf(low);
    LLVMBasicBlockRef products = emit_block(e, "products"), odd = emit_block(e, "odd"),
                      after = emit_block(e, "");
    LLVMBuildCondBr(e->b, usual(e, high), products, odd);
    LLVMPositionBuilderAtEnd(e->b, products);
    low = emit_intrinsic(e, "llvm.sqrt", &part, 1, &low, 1);
    both[0] = value_joined(e, low, by_products(e, high));
    LLVMBuildBr(e->b, after);
    LLVMPositionBuilderAtEnd(e->b, odd);
    both[1] = emit_intrinsic(e, "llvm.sqrt", &t, 1, &x, 1);
    LLVMBuildBr(e->b, after);
    LLVMPositionBuilderAtEnd(e->b, after);
    LLVMValueRef result = LLVMBuildPhi(e->b, t, "");
    LLVMAddIncoming(result, both, (LLVMBasicBlockRef[]){products, odd}, 2);
    return result;
}
