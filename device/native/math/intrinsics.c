/* Intrinsics of LLVM's, of which it makes worse code: the same results. */
#include <math.h>

#include "device/native/emit.h"
#include "device/native/math/operations.h"
#include "device/costs/opcosts.h"
#include "device/native/value.h"

/* ---- square roots of at least two vectors of the host ---- */

/* Its divider takes as long for one as for a dozen products, which it lets others do meanwhile:
 * half of the lanes' roots come from there, the others' from an approximation and products. Both
 * are the rounded square root. */

/* One over the root, to 14 bits, or on AVX2 to 11. */
static LLVMValueRef approximated(struct emitter *e, LLVMValueRef x) {
    LLVMTypeRef t = LLVMTypeOf(x), on = LLVMInt16TypeInContext(e->c->context);
    if (e->request->level == NATIVE_AVX512)
        return emit_intrinsic(e, "llvm.x86.avx512.rsqrt14.ps.512", x, LLVMConstNull(t),
                              LLVMConstAllOnes(on));
    return value_by_parts(e, "llvm.x86.avx.rsqrt.ps.256", opcosts_of(NATIVE_AVX2)->lanes, &x, 1);
}

/* As llvm.sqrt for x whose residues are no denormals. The steps leave an error of about one unit in
 * the last place; of the numbers that near, of any exponent, what follows makes the rounded square
 * root, whatever the approximation's last bits are. */
static LLVMValueRef by_products(struct emitter *e, LLVMValueRef x) {
    LLVMBuilderRef b = e->b;
    LLVMTypeRef t = LLVMTypeOf(x);
    LLVMValueRef half = LLVMConstReal(LLVMGetElementType(t), 0.5), y = approximated(e, x);
    half = value_part(e->b, emit_splat(e, half), LLVMGetVectorSize(t), 0);
    LLVMValueRef g = LLVMBuildFMul(b, x, y, ""), h = LLVMBuildFMul(b, y, half, "");
    for (unsigned step = e->request->level == NATIVE_AVX512; step < 2; step++) {
        LLVMValueRef less = LLVMBuildFNeg(b, g, "");
        LLVMValueRef off = emit_intrinsic(e, "llvm.fma", less, h, half);
        g = emit_intrinsic(e, "llvm.fma", g, off, g);
        h = emit_intrinsic(e, "llvm.fma", h, off, h);
    }
    LLVMValueRef less = LLVMBuildFNeg(b, g, "");
    LLVMValueRef rest = emit_intrinsic(e, "llvm.fma", less, g, x);
    return emit_intrinsic(e, "llvm.fma", rest, h, g);
}

static LLVMValueRef words(struct emitter *e, uint32_t bits, unsigned lanes) {
    return value_part(e->b, emit_words(e, bits), lanes, 0);
}

/* Whether all are numbers in [2^-70, infinite), as an i1. */
static LLVMValueRef usual(struct emitter *e, LLVMValueRef x) {
    enum { LEAST = (127 - 70) << 23, INFINITE = 0x7f800000 };
    unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(x));
    LLVMValueRef from = words(e, LEAST, lanes), count = words(e, INFINITE - LEAST, lanes);
    LLVMValueRef bits = LLVMBuildBitCast(e->b, x, LLVMTypeOf(from), "");
    return masks_none(
        e, LLVMBuildICmp(e->b, LLVMIntUGE, LLVMBuildSub(e->b, bits, from, ""), count, ""));
}

/* Does the divider take longer than all else in the innermost loop, or the kernel without one? */
static bool waits_for_divider(const struct emitter *e) {
    const struct loops *l = plan_loops(e->plan);
    uint32_t loop = l->loop_of[e->i], begin = loop ? l->loops[loop].begin : 0,
             end = loop ? l->loops[loop].end : e->k->ninsts, divider = 0, all = 0;
    for (uint32_t n = begin; n < end; n++) {
        const struct isa_inst *i = &e->k->insts[n];
        if (!plan_makes_vector(e->plan, i)) continue;
        if (i->op == ISA_sqrt || i->op == ISA_rsqrt || i->op == ISA_fdiv)
            divider += LIMIT_DIVIDER;
        else
            all += opcosts_operation(i).operations;
    }
    return all < divider;
}

/* Both halves are done in one block: in two, LLVM moves the divider's part to where its results
 * are wanted, away from the products. */
LLVMValueRef intrinsics_sqrt(struct emitter *e, LLVMValueRef x) {
    LLVMTypeRef t = LLVMTypeOf(x);
    bool vector = t == e->c->vector[ISA_F32] && e->request->level != NATIVE_BASELINE;
    unsigned half = vector ? LLVMGetVectorSize(t) / 2 : 0;
    if (!vector || half < opcosts_of(e->request->level)->lanes ||
        plan_off(e->plan, PLAN_squareroot) || !waits_for_divider(e))
        return emit_intrinsic(e, "llvm.sqrt", x);
    emit_tell(e, PLAN_squareroot, "one half by products");
    LLVMValueRef low = value_part(e->b, x, half, 0), high = value_part(e->b, x, half, 1), all;
    struct ways y = {0};
    ways_if(e, &y, usual(e, high), "products");
    low = emit_intrinsic(e, "llvm.sqrt", low);
    all = value_picked(e->b, low, by_products(e, high), 0, 1, 2 * half);
    ways_else(e, &y, &all, 1);
    all = emit_intrinsic(e, "llvm.sqrt", x);
    ways_end(e, &y, &all, 1);
    return all;
}

/* ---- vectors of reals to integers ---- */

/* As llvm.fptosi.sat and llvm.fptoui.sat, which LLVM takes apart into lanes: what lies beyond is
 * the least or the largest integer, a NaN is 0. */

enum {
    DIGITS = 24,
    LONG_DIGITS = 53, /* of f32 and f64 */
    HOST_ROUNDING = 4 /* the current one */
};

static LLVMValueRef splat_of(struct emitter *e, LLVMTypeRef type, double v) {
    return emit_splat(e, LLVMConstReal(LLVMGetElementType(type), v));
}

/* As the host converts f32 to words: what lies beyond them, and a NaN, is the least one. */
static LLVMValueRef host_words(struct emitter *e, LLVMValueRef y) {
    bool wide = e->request->level == NATIVE_AVX512;
    unsigned each = opcosts_of(e->request->level)->lanes;
    const char *name = wide ? "llvm.x86.avx512.mask.cvttps2dq.512" : "llvm.x86.avx.cvtt.ps2dq.256";
    LLVMValueRef args[] = {y, LLVMConstNull(LLVMVectorType(e->c->word, each)),
                           LLVMConstAllOnes(LLVMInt16TypeInContext(e->c->context)),
                           emit_word(e, HOST_ROUNDING)};
    return value_by_parts(e, name, each, args, wide ? 4 : 1);
}

/* Reals next to the least and the largest integer are taken first, so that none is converted for
 * which the conversion is not defined. */
LLVMValueRef intrinsics_saturated(struct emitter *e, enum isa_type to, enum isa_type from,
                                  bool is_signed, LLVMValueRef y) {
    LLVMBuilderRef b = e->b;
    LLVMTypeRef reals = e->c->vector[from], result = e->c->vector[to],
                words = isa_type_size[to] < 4 ? e->c->vector[ISA_I32] : result;
    int bits = (int)(8u * isa_type_size[to]) - is_signed,
        digits = from == ISA_F32 ? DIGITS : LONG_DIGITS;
    double end = ldexp(1, bits), step = bits > digits ? ldexp(1, bits - digits) : 1;
    LLVMValueRef least = splat_of(e, reals, is_signed ? -end : 0),
                 most = splat_of(e, reals, end - step), r;
    if (is_signed && from == ISA_F32 && to == ISA_I32 && e->request->level != NATIVE_BASELINE) {
        r = host_words(e, y);
    } else {
        r = LLVMBuildSelect(b, LLVMBuildFCmp(b, LLVMRealOGT, y, least, ""), y, least, "");
        r = LLVMBuildSelect(b, LLVMBuildFCmp(b, LLVMRealOLT, r, most, ""), r, most, "");
        r = is_signed || words != result ? LLVMBuildFPToSI(b, r, words, "")
                                         : LLVMBuildFPToUI(b, r, words, "");
    }
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
