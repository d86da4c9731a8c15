/* Vectors of reals to integers, as llvm.fptosi.sat and llvm.fptoui.sat, which LLVM takes apart into
 * lanes: what lies beyond is the least or the largest integer, a NaN is 0. */
#include <math.h>

#include "device/native/emit.h"
#include "device/native/math/operations.h"

enum { DIGITS = 24, LONG_DIGITS = 53 }; /* of f32 and f64 */

static LLVMValueRef splat_of(struct emitter *e, LLVMTypeRef type, double v) {
    return emit_splat(e, LLVMConstReal(LLVMGetElementType(type), v));
}

/* Reals next to the least and the largest integer are taken first, so that none is converted for
 * which the conversion is not defined. */
LLVMValueRef saturate_emit(struct emitter *e, enum isa_type to, enum isa_type from, bool is_signed,
                           LLVMValueRef y) {
    LLVMBuilderRef b = e->b;
    LLVMTypeRef reals = e->c->vector[from], result = e->c->vector[to],
                words = isa_type_size[to] < 4 ? e->c->vector[ISA_I32] : result;
    int bits = (int)(8u * isa_type_size[to]) - is_signed,
        digits = from == ISA_F32 ? DIGITS : LONG_DIGITS;
    double end = ldexp(1, bits), step = bits > digits ? ldexp(1, bits - digits) : 1;
    LLVMValueRef least = splat_of(e, reals, is_signed ? -end : 0),
                 most = splat_of(e, reals, end - step), r;
    r = LLVMBuildSelect(b, LLVMBuildFCmp(b, LLVMRealOGT, y, least, ""), y, least, "");
    r = LLVMBuildSelect(b, LLVMBuildFCmp(b, LLVMRealOLT, r, most, ""), r, most, "");
    r = is_signed || words != result ? LLVMBuildFPToSI(b, r, words, "")
                                     : LLVMBuildFPToUI(b, r, words, "");
    if (words != result) r = LLVMBuildTrunc(b, r, result, "");
    if (bits > digits) {
        LLVMValueRef over = LLVMBuildFCmp(b, LLVMRealOGE, y, splat_of(e, reals, end), "");
        uint64_t largest = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
        LLVMTypeRef one = LLVMGetElementType(result);
        r = LLVMBuildSelect(b, over, emit_splat(e, LLVMConstInt(one, largest, false)), r, "");
    }
    if (!is_signed) return r;
    LLVMValueRef none = LLVMBuildFCmp(b, LLVMRealUNO, y, y, "");
    return LLVMBuildSelect(b, none, LLVMConstNull(result), r, "");
}
