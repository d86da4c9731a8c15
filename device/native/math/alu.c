/* Computing operations. Each gives the bits that device/lanes gives, which isa.def defines. */
#include <string.h>

#include "device/native/emit.h"
#include "device/native/instructions.h"
#include "device/native/value.h"
#include "device/native/math/operations.h"

/* What an operation works with: types of its operands and results, as scalars or vectors. */
struct alu {
    struct emitter *e;
    LLVMBuilderRef b;
    const struct isa_inst *i;
    bool vectors;
    LLVMTypeRef t; /* of the operands */
    unsigned width;
    LLVMValueRef *s;
};

static LLVMTypeRef type_of(const struct alu *a, enum isa_type type) {
    return a->vectors ? a->e->c->vector[type] : a->e->c->scalar[type];
}

static LLVMTypeRef shaped(const struct alu *a, LLVMTypeRef scalar) {
    return a->vectors ? LLVMVectorType(scalar, a->e->c->lanes) : scalar;
}

static LLVMValueRef splat(const struct alu *a, LLVMValueRef v) {
    return a->vectors ? emit_splat(a->e, v) : v;
}

static LLVMTypeRef element_of(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

static LLVMValueRef integer(const struct alu *a, LLVMTypeRef type, uint64_t v) {
    return splat(a, LLVMConstInt(element_of(type), v, false));
}

static LLVMValueRef real(const struct alu *a, LLVMTypeRef type, double v) {
    return splat(a, LLVMConstReal(element_of(type), v));
}

static LLVMValueRef counted(const struct alu *a, LLVMValueRef count) {
    return LLVMBuildAnd(a->b, count, integer(a, a->t, a->width - 1), "");
}

static bool has_fma(const struct alu *a) { return a->e->request->level != NATIVE_BASELINE; }

/* ---- integers ---- */

static LLVMValueRef multiply_high(const struct alu *a, bool is_signed) {
    if (a->width == 64 && a->vectors) return NULL;
    LLVMTypeRef wide = shaped(a, LLVMIntTypeInContext(a->e->c->context, 2 * a->width));
    LLVMValueRef x[2];
    for (int n = 0; n < 2; n++) x[n] = LLVMBuildIntCast2(a->b, a->s[n], wide, is_signed, "");
    LLVMValueRef product = LLVMBuildMul(a->b, x[0], x[1], "");
    product = LLVMBuildLShr(a->b, product, integer(a, wide, a->width), "");
    return LLVMBuildTrunc(a->b, product, a->t, "");
}

/* The middle of two numbers: what they share and half of what they do not. */
static LLVMValueRef halved(const struct alu *a, bool is_signed, bool up) {
    LLVMValueRef differ = LLVMBuildXor(a->b, a->s[0], a->s[1], ""), one = integer(a, a->t, 1);
    LLVMValueRef half =
        is_signed ? LLVMBuildAShr(a->b, differ, one, "") : LLVMBuildLShr(a->b, differ, one, "");
    if (up) return LLVMBuildSub(a->b, LLVMBuildOr(a->b, a->s[0], a->s[1], ""), half, "");
    return LLVMBuildAdd(a->b, LLVMBuildAnd(a->b, a->s[0], a->s[1], ""), half, "");
}

static LLVMValueRef as_real(const struct alu *a, LLVMValueRef x, LLVMTypeRef type, bool is_signed) {
    return is_signed ? LLVMBuildSIToFP(a->b, x, type, "") : LLVMBuildUIToFP(a->b, x, type, "");
}

static LLVMValueRef as_integer(const struct alu *a, LLVMValueRef x, bool is_signed) {
    return is_signed ? LLVMBuildFPToSI(a->b, x, a->t, "") : LLVMBuildFPToUI(a->b, x, a->t, "");
}

/* Truncated quotient of vectors of up to 32 bits, exact in a format with more digits; the divisor
 * is not zero, and the quotient fits. */
static LLVMValueRef real_quotient(const struct alu *a, LLVMValueRef x, LLVMValueRef y,
                                  bool is_signed) {
    LLVMTypeRef type = type_of(a, a->width < 32 ? ISA_F32 : ISA_F64);
    x = as_real(a, x, type, is_signed);
    return as_integer(a, LLVMBuildFDiv(a->b, x, as_real(a, y, type, is_signed), ""), is_signed);
}

/* The divisor is one for the warp, and not known yet. */
static bool one_divisor(const struct alu *a) {
    isa_operand y = isa_srcs(a->e->k, a->i)[1];
    return a->vectors && a->width >= 32 && isa_is_reg(y) && emit_kind(a->e, y) == KIND_UNIFORM;
}

/* The reciprocal of a divisor that is one for the warp, for products instead of divisions. It is
 * made greater by a unit in its last place, so the product with a multiple of the divisor is not
 * below the whole quotient; and with any other number of up to 50 bits it is too small, by 2^-51 of
 * the quotient, to come to the next one, from which that quotient is 1 / y away. */
static LLVMValueRef shared_reciprocal(const struct alu *a, LLVMValueRef y) {
    LLVMBuilderRef b = a->b;
    LLVMTypeRef one_real = a->e->c->scalar[ISA_F64];
    LLVMValueRef by = LLVMBuildFDiv(b, LLVMConstReal(one_real, 1), y, "");
    by = LLVMBuildBitCast(b, by, a->e->c->wide, "");
    by = LLVMBuildAdd(b, by, LLVMConstInt(a->e->c->wide, 1, false), "");
    return emit_splat(a->e, LLVMBuildBitCast(b, by, one_real, ""));
}

/* The same as real_quotient where the divisor of 32 bits is one for the warp. */
static LLVMValueRef shared_quotient(const struct alu *a, LLVMValueRef x, LLVMValueRef y,
                                    bool is_signed) {
    LLVMBuilderRef b = a->b;
    LLVMTypeRef one_real = a->e->c->scalar[ISA_F64], real_type = a->e->c->vector[ISA_F64];
    y = as_real(a, LLVMBuildExtractElement(b, y, emit_word(a->e, 0), ""), one_real, is_signed);
    x = as_real(a, x, real_type, is_signed);
    return as_integer(a, LLVMBuildFMul(b, x, shared_reciprocal(a, y), ""), is_signed);
}

static LLVMValueRef whole(const struct alu *a, enum isa_op op, LLVMValueRef x);

/* Where LLVM comes to know some lanes of the count, and that is 0, it takes the shift to the right
 * by all bits, which the processor does, for one that means nothing. */
static LLVMValueRef rotated(const struct alu *a, LLVMValueRef x, LLVMValueRef y) {
    if (a->vectors && !LLVMIsConstant(y)) y = value_obscured(a->e, y);
    return emit_intrinsic(a->e, "llvm.fshl", x, x, y);
}

/* Vectors of 64 bits of which all numbers are near 0, as a rule: |x| < 2^50. Whole numbers of that
 * size, their quotients and the products of those with the divisor are exact as f64. */
enum { NEAR_BITS = 50 };

/* Whether all are, signed or not. */
static LLVMValueRef all_near(const struct alu *a, LLVMValueRef x, LLVMValueRef y, bool is_signed) {
    LLVMBuilderRef b = a->b;
    LLVMValueRef middle = integer(a, a->t, is_signed ? 1ull << NEAR_BITS : 0);
    LLVMValueRef bits =
        LLVMBuildOr(b, LLVMBuildAdd(b, x, middle, ""), LLVMBuildAdd(b, y, middle, ""), "");
    bits = emit_intrinsic(a->e, "llvm.vector.reduce.or", bits);
    return LLVMBuildICmp(b, LLVMIntULT, bits,
                         LLVMConstInt(a->e->c->wide, (is_signed ? 2ull : 1ull) << NEAR_BITS, false),
                         "");
}

/* Numbers near 0 lie in the last bits of a number of f64 whose units are whole. */
static const double whole_units = 0x1.8p52;

static LLVMValueRef near_real(const struct alu *a, LLVMValueRef x) {
    LLVMTypeRef type = type_of(a, ISA_F64);
    LLVMValueRef bits = LLVMBuildBitCast(a->b, real(a, type, whole_units), a->t, "");
    x = LLVMBuildBitCast(a->b, LLVMBuildAdd(a->b, x, bits, ""), type, "");
    return LLVMBuildFSub(a->b, x, real(a, type, whole_units), "");
}

static LLVMValueRef near_integer(const struct alu *a, LLVMValueRef x) {
    LLVMValueRef units = real(a, type_of(a, ISA_F64), whole_units);
    LLVMValueRef bits = LLVMBuildBitCast(a->b, LLVMBuildFAdd(a->b, x, units, ""), a->t, "");
    return LLVMBuildSub(a->b, bits, LLVMBuildBitCast(a->b, units, a->t, ""), "");
}

/* Quotient or remainder of such numbers; the divisor is not zero. */
static LLVMValueRef near_quotient(const struct alu *a, LLVMValueRef x, LLVMValueRef y, bool shared,
                                  bool rest) {
    LLVMBuilderRef b = a->b;
    LLVMValueRef q, over = near_real(a, x), by = near_real(a, y);
    if (shared) {
        LLVMValueRef one = LLVMBuildExtractElement(b, by, emit_word(a->e, 0), "");
        q = LLVMBuildFMul(b, over, shared_reciprocal(a, one), "");
    } else
        q = LLVMBuildFDiv(b, over, by, "");
    q = whole(a, ISA_ftrunc, q);
    if (rest) q = LLVMBuildFSub(b, over, LLVMBuildFMul(b, q, by, ""), "");
    return near_integer(a, q);
}

static LLVMValueRef divide_any(const struct alu *a, bool is_signed, bool rest) {
    LLVMBuilderRef b = a->b;
    LLVMValueRef x = a->s[0], y = a->s[1], zero = integer(a, a->t, 0), one = integer(a, a->t, 1);
    bool integers = !a->vectors || a->width == 64 || LLVMIsConstant(y);
    /* LLVM, where it comes to know some lanes, moves their division before the test for 0. */
    if (a->vectors && integers && !LLVMIsConstant(y)) y = value_obscured(a->e, y);
    LLVMValueRef none = integer(a, a->t, (a->width < 64 ? (1ull << a->width) : 0) - 1);
    LLVMValueRef by_zero = LLVMBuildICmp(b, LLVMIntEQ, y, zero, ""), bad = by_zero, over = NULL;
    if (is_signed) {
        LLVMValueRef least = integer(a, a->t, 1ull << (a->width - 1));
        over = LLVMBuildAnd(b, LLVMBuildICmp(b, LLVMIntEQ, y, none, ""),
                            LLVMBuildICmp(b, LLVMIntEQ, x, least, ""), "");
        bad = LLVMBuildOr(b, by_zero, over, "");
    }
    bool shared = a->width == 32 && one_divisor(a);
    LLVMValueRef safe = LLVMBuildSelect(b, shared ? by_zero : bad, one, y, ""), q;
    if (shared) {
        q = shared_quotient(a, x, safe, is_signed);
        if (over) q = LLVMBuildSelect(b, over, x, q, "");
    } else if (integers)
        q = is_signed ? LLVMBuildSDiv(b, x, safe, "") : LLVMBuildUDiv(b, x, safe, "");
    else
        q = real_quotient(a, x, safe, is_signed);
    if (!rest) return LLVMBuildSelect(b, by_zero, none, q, "");
    LLVMValueRef r = LLVMBuildSub(b, x, LLVMBuildMul(b, q, safe, ""), "");
    return LLVMBuildSelect(b, by_zero, x, r, "");
}

/* By a constant LLVM multiplies, which is faster; and without instructions that round, divisions
 * lane by lane are. */
static LLVMValueRef divide(const struct alu *a, bool is_signed, bool rest) {
    LLVMBuilderRef b = a->b;
    LLVMValueRef x = a->s[0], y = a->s[1], one = integer(a, a->t, 1);
    if (!a->vectors || a->width < 64 || LLVMIsConstant(y) || !has_fma(a))
        return divide_any(a, is_signed, rest);
    LLVMValueRef by_zero = LLVMBuildICmp(b, LLVMIntEQ, y, LLVMConstNull(a->t), "");
    struct ways near = {0};
    ways_if(a->e, &near, all_near(a, x, y, is_signed), "near");
    LLVMValueRef safe = LLVMBuildSelect(b, by_zero, one, y, "");
    LLVMValueRef q = near_quotient(a, x, safe, one_divisor(a), rest);
    q = LLVMBuildSelect(b, by_zero, rest ? x : LLVMConstAllOnes(a->t), q, "");
    ways_else(a->e, &near, &q, 1);
    q = divide_any(a, is_signed, rest);
    ways_end(a->e, &near, &q, 1);
    return q;
}

static LLVMValueRef low24(const struct alu *a, LLVMValueRef x, bool is_signed) {
    if (!is_signed) return LLVMBuildAnd(a->b, x, integer(a, a->t, 0xffffff), "");
    LLVMValueRef eight = integer(a, a->t, 8);
    return LLVMBuildAShr(a->b, LLVMBuildShl(a->b, x, eight, ""), eight, "");
}

/* What LLVM has an operation or a function for. */
static const struct {
    LLVMOpcode opcode;
    const char *name;
} plain[ISA_OP_COUNT] = {
#define PLAIN(op, of_llvm) [ISA_##op] = {.opcode = LLVM##of_llvm},
#define NAMED(op, of_llvm) [ISA_##op] = {.name = "llvm." of_llvm},
#include "alu.def"
};

static LLVMValueRef plainly(const struct alu *a) {
    unsigned op = a->i->op;
    if (plain[op].name) return emit_listed(a->e, plain[op].name, a->s, a->i->nsrc);
    return plain[op].opcode ? LLVMBuildBinOp(a->b, plain[op].opcode, a->s[0], a->s[1], "") : NULL;
}

/* ---- what LLVM is not to know ---- */

/* The constant at native_run.units[u]. */
static LLVMValueRef hidden_unit(const struct alu *a, int u) {
    return splat(a, emit_unit(a->e, (unsigned)u));
}

/* The place of a constant among native_run.units, or -1. A flushed denormal counts as zero. */
static int unit(const struct alu *a, uint64_t bits) {
    if (bits == 0x3f800000 || bits == 0xbf800000) return bits >> 31 & 1;
    uint64_t zero = a->e->request->flush ? 0x7f800000 : 0x7fffffff;
    return bits & zero ? -1 : 2 + (int)(bits >> 31 & 1);
}

/* A constant by which LLVM would simplify the operation, and lose a flush, comes from memory. */
static void hide_units(const struct alu *a, unsigned n) {
    const isa_operand *src = isa_srcs(a->e->k, a->i);
    if (isa_operand_type(a->e->k, src[0]) != ISA_F32) return;
    for (unsigned s = 0; s < n; s++) {
        int u = isa_is_const(src[s]) ? unit(a, a->e->k->consts[isa_const_index(src[s])].bits) : -1;
        if (u < 0) continue;
        a->s[s] = hidden_unit(a, u);
    }
}

/* So that LLVM does not know all operands. */
static void hide_first(const struct alu *a) {
    LLVMTypeRef type = LLVMTypeOf(a->s[0]);
    bool wide = isa_operand_type(a->e->k, isa_srcs(a->e->k, a->i)[0]) == ISA_F64;
    LLVMValueRef bits = LLVMBuildBitCast(a->b, a->s[0], type_of(a, wide ? ISA_I64 : ISA_I32), "");
    a->s[0] = LLVMBuildBitCast(a->b, value_obscured(a->e, bits), type, "");
}

/* LLVM compares bits where one side is zero; but a denormal that is flushed is equal to it, too. */
static void hide_zeros(const struct alu *a) {
    const isa_operand *src = isa_srcs(a->e->k, a->i);
    if (a->i->type2 != ISA_F32 || !a->e->request->flush) return;
    if (isa_is_const(src[0]) || isa_is_const(src[1]))
        hide_units(a, 2);
    else if (src[0] != src[1])
        a->s[0] = LLVMBuildFMul(a->b, a->s[0], hidden_unit(a, 0), "");
}

/* ---- floating point ---- */

LLVMValueRef alu_fma(struct emitter *e, LLVMValueRef *src, enum isa_type type, bool vectors) {
    struct alu a = {.e = e, .b = e->b, .i = e->inst, .vectors = vectors, .s = src};
    a.t = type_of(&a, type);
    if (has_fma(&a)) return emit_listed(e, "llvm.fma", src, 3);
    return type == ISA_F32 ? assisted_function(e, ISA_fma, src, 3, vectors) : NULL;
}

/* As lanes/floats.c does them. What decides are bits: a denormal counts as zero. */
static LLVMValueRef fmad(const struct alu *a) {
    LLVMBuilderRef b = a->b;
    LLVMTypeRef wide = type_of(a, ISA_F64), bits_type = type_of(a, ISA_I64);
    LLVMTypeRef word = type_of(a, ISA_I32);
    LLVMValueRef x[3];
    for (int n = 0; n < 3; n++) x[n] = LLVMBuildFPExt(b, a->s[n], wide, "");
    LLVMValueRef bits = LLVMBuildBitCast(b, LLVMBuildFMul(b, x[0], x[1], ""), bits_type, "");
    bits = LLVMBuildAnd(b, bits, integer(a, bits_type, ~(uint64_t)0x1fffffff), "");
    LLVMValueRef product = LLVMBuildBitCast(b, bits, wide, "");
    LLVMValueRef cut = LLVMBuildFPTrunc(b, LLVMBuildFAdd(b, product, x[2], ""), a->t, "");
    LLVMValueRef apart = LLVMBuildFAdd(b, LLVMBuildFMul(b, a->s[0], a->s[1], ""), a->s[2], "");
    LLVMValueRef size =
        LLVMBuildAnd(b, LLVMBuildBitCast(b, a->s[2], word, ""), integer(a, word, 0x7fffffff), "");
    LLVMValueRef zero = LLVMBuildICmp(b, LLVMIntULT, size, integer(a, word, 0x800000), "");
    return LLVMBuildSelect(b, zero, apart, cut, "");
}

static LLVMValueRef canon(const struct alu *a) {
    LLVMBuilderRef b = a->b;
    LLVMTypeRef word = type_of(a, ISA_I32);
    LLVMValueRef bits = LLVMBuildBitCast(b, a->s[0], word, "");
    LLVMValueRef size = LLVMBuildAnd(b, bits, integer(a, word, 0x7fffffff), "");
    LLVMValueRef sign = LLVMBuildAnd(b, bits, integer(a, word, 0x80000000), "");
    LLVMValueRef nan = LLVMBuildICmp(b, LLVMIntUGT, size, integer(a, word, 0x7f800000), "");
    LLVMValueRef small = LLVMBuildICmp(b, LLVMIntULT, size, integer(a, word, 0x800000), "");
    bits = LLVMBuildSelect(b, small, sign, bits, "");
    bits = LLVMBuildSelect(b, nan, integer(a, word, 0x7fffffff), bits, "");
    return LLVMBuildBitCast(b, bits, a->t, "");
}

/* Whole numbers near x, as lanes/rounding.h. */
static LLVMValueRef whole(const struct alu *a, enum isa_op op, LLVMValueRef x) {
    LLVMBuilderRef b = a->b;
    LLVMTypeRef t = LLVMTypeOf(x);
    if (has_fma(a) && op != ISA_round) {
        static const char *const names[] = {"llvm.floor", "llvm.ceil", "llvm.trunc", "llvm.rint"};
        return emit_intrinsic(a->e, names[op - ISA_floor], x);
    }
    LLVMValueRef big =
        real(a, t, LLVMGetTypeKind(element_of(t)) == LLVMFloatTypeKind ? 0x1p23 : 0x1p52);
    LLVMValueRef size = emit_intrinsic(a->e, "llvm.fabs", x), one = real(a, t, 1);
    LLVMValueRef r = LLVMBuildFSub(b, LLVMBuildFAdd(b, size, big, ""), big, "");
    if (op == ISA_floor || op == ISA_ceil) {
        r = emit_intrinsic(a->e, "llvm.copysign", r, x);
        bool down = op == ISA_floor;
        LLVMValueRef beyond = LLVMBuildFCmp(b, down ? LLVMRealOGT : LLVMRealOLT, r, x, "");
        LLVMValueRef moved = down ? LLVMBuildFSub(b, r, one, "") : LLVMBuildFAdd(b, r, one, "");
        r = LLVMBuildSelect(b, beyond, moved, r, "");
    } else if (op != ISA_rint) {
        LLVMValueRef beyond = LLVMBuildFCmp(b, LLVMRealOGT, r, size, "");
        r = LLVMBuildSelect(b, beyond, LLVMBuildFSub(b, r, one, ""), r, "");
        if (op == ISA_round) {
            LLVMValueRef rest = LLVMBuildFSub(b, size, r, "");
            LLVMValueRef far = LLVMBuildFCmp(b, LLVMRealOGE, rest, real(a, t, 0.5), "");
            r = LLVMBuildSelect(b, far, LLVMBuildFAdd(b, r, one, ""), r, "");
        }
    }
    r = emit_intrinsic(a->e, "llvm.copysign", r, x);
    /* x + x quietens a NaN as x + 0 does, and cannot be simplified; the rest is x itself */
    LLVMValueRef is_nan = LLVMBuildFCmp(b, LLVMRealUNO, x, x, "");
    LLVMValueRef as_is = LLVMBuildSelect(b, is_nan, LLVMBuildFAdd(b, x, x, ""), x, "");
    return LLVMBuildSelect(b, LLVMBuildFCmp(b, LLVMRealOLT, size, big, ""), r, as_is, "");
}

/* The operand that is not a NaN; otherwise the second where it lies beyond the first. A constant
 * that is no zero may as well be taken where they are equal. */
static LLVMValueRef extreme(const struct alu *a, LLVMRealPredicate beyond) {
    const isa_operand *src = isa_srcs(a->e->k, a->i);
    bool normal = isa_is_normal(a->e->k, src[1]), wide = a->i->type != ISA_F32;
    bool first = wide || value_flushed(a->e, src[0]), second = wide || value_flushed(a->e, src[1]);
    if (first != second) a->s[first] = LLVMBuildFMul(a->b, a->s[first], hidden_unit(a, 0), "");
    LLVMValueRef x = a->s[normal], y = a->s[!normal], r = LLVMBuildFCmp(a->b, beyond, y, x, "");
    if (!normal) r = LLVMBuildOr(a->b, LLVMBuildFCmp(a->b, LLVMRealUNO, x, x, ""), r, "");
    r = LLVMBuildSelect(a->b, r, y, x, "");
    if (!first && !second) return LLVMBuildFMul(a->b, r, hidden_unit(a, 0), "");
    if (!wide && LLVMIsAInstruction(r)) emit_metadata(a->e, r, "flushed", NULL, 0);
    return r;
}

/* A row of the table as a case of a switch. */
#define CASE(op, result)                                                                           \
    case ISA_##op: return result;

static LLVMValueRef of_numbers(const struct alu *a) {
    if (plain[a->i->op].opcode || a->i->nsrc == 3) hide_units(a, a->i->nsrc);
    if (a->i->op == ISA_feq || a->i->op == ISA_fne) hide_zeros(a);
    LLVMBuilderRef b = a->b;
    LLVMValueRef *s = a->s, x = s[0], y = s[1];
    LLVMValueRef no = LLVMConstInt(a->e->c->scalar[ISA_PRED], 0, false);
    switch (a->i->op) {
#define NUMBER CASE
#include "alu.def"
    default: return plainly(a);
    }
}

/* ---- conversions ---- */

static LLVMValueRef to_integer(const struct alu *a, bool is_signed) {
    static const enum isa_op rounding[] = {ISA_rint, ISA_ftrunc, ISA_ceil, ISA_floor};
    bool truncated = a->i->mod == ISA_RTZ; /* as conversions do */
    LLVMValueRef y = truncated ? a->s[0] : whole(a, rounding[a->i->mod], a->s[0]);
    if (a->vectors && (a->i->type != ISA_I64 || a->e->request->level == NATIVE_AVX512))
        return intrinsics_saturated(a->e, (enum isa_type)a->i->type, (enum isa_type)a->i->type2,
                                    is_signed, y);
    LLVMTypeRef types[] = {type_of(a, (enum isa_type)a->i->type), a->t};
    return emit_typed(a->e, is_signed ? "llvm.fptosi.sat" : "llvm.fptoui.sat", types, 2, &y, 1);
}

static bool exact_in(unsigned width, enum isa_type type) {
    return width <= (type == ISA_F32 ? 16 : 32);
}

static LLVMValueRef convert(const struct alu *a) {
    const struct isa_inst *i = a->i;
    LLVMBuilderRef b = a->b;
    LLVMValueRef x = a->s[0];
    LLVMTypeRef to = type_of(a, (enum isa_type)i->type),
                half = shaped(a, LLVMHalfTypeInContext(a->e->c->context));
    switch (i->op) {
#define CONVERSION CASE
#include "alu.def"
    case ISA_s2f:
    case ISA_u2f:
        if (i->mod != ISA_RTE && !exact_in(a->width, (enum isa_type)i->type)) return NULL;
        return as_real(a, x, to, i->op == ISA_s2f);
    case ISA_f2f:
        if (i->type == i->type2) return x;
        if (i->type == ISA_F64) return LLVMBuildFPExt(b, x, to, "");
        return i->mod == ISA_RTE ? LLVMBuildFPTrunc(b, x, to, "") : NULL;
    case ISA_h2f:
        if (!has_fma(a)) return NULL;
        x = LLVMBuildFPExt(b, LLVMBuildBitCast(b, x, half, ""), type_of(a, ISA_F32), "");
        return i->type == ISA_F64 ? LLVMBuildFPExt(b, x, to, "") : x;
    case ISA_f2h:
        if (!has_fma(a) || i->mod != ISA_RTE || i->type2 != ISA_F32) return NULL;
        return LLVMBuildBitCast(b, LLVMBuildFPTrunc(b, x, half, ""), to, "");
    default: return NULL;
    }
}

/* ---- all ---- */

static LLVMValueRef of_predicates(const struct alu *a) {
    LLVMBuilderRef b = a->b;
    LLVMValueRef *s = a->s, ones = LLVMConstAllOnes(a->t);
    switch (a->i->op) {
#define PREDICATE CASE
#include "alu.def"
    default: return NULL;
    }
}

static LLVMValueRef bits_of(const struct alu *a) {
    LLVMTypeRef to = type_of(a, (enum isa_type)a->i->type);
    if (a->i->type == ISA_F32 && a->i->type2 != ISA_F32)
        return value_real(a->e, isa_srcs(a->e->k, a->i)[0], a->s[0], to);
    return LLVMBuildBitCast(a->b, a->s[0], to, "");
}

static LLVMValueRef of_math(const struct alu *a, unsigned result) {
    enum isa_op op = (enum isa_op)a->i->op;
    enum isa_type type = (enum isa_type)a->i->type;
    if (op == ISA_sincos) op = result ? ISA_cos : ISA_sin; /* by definition */
    if (!sfu_has(op, type)) return veclib_call(a->e, op, type, a->s, a->i->nsrc, a->vectors);
    if (value_loses_flush(a->e, a->i)) hide_first(a);
    hide_units(a, a->i->nsrc);
    return sfu_emit(a->e, op, a->s, a->vectors);
}

LLVMValueRef alu_emit(struct emitter *e, unsigned result, LLVMValueRef *src, bool vectors) {
    const struct isa_inst *i = e->inst;
    struct alu a = {.e = e, .b = e->b, .i = i, .vectors = vectors, .s = src};
    enum isa_type type = (enum isa_type)(i->type2 ? i->type2 : i->type);
    a.t = type_of(&a, type);
    a.width = type == ISA_PRED ? 1 : 8u * isa_type_size[type];
    if (isa_op_info[i->op].flags & ISA_OP_MATH) return of_math(&a, result);
    if (value_loses_flush(e, i)) hide_first(&a);
    if (i->op == ISA_mov) return src[0];
    if (i->op == ISA_bits) return bits_of(&a);
    if (i->op == ISA_select) return LLVMBuildSelect(e->b, src[0], src[1], src[2], "");
    if (type == ISA_PRED) return of_predicates(&a);
    if (i->op >= ISA_trunc && i->op <= ISA_f2h) return convert(&a);
    return of_numbers(&a);
}
