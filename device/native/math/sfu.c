/* The sequences of the special function unit, and of single.h, as code. */
#include <string.h>

#include "device/native/emit.h"
#include "device/costs/opcosts.h"
#include "device/native/value.h"
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

static LLVMValueRef in_all(sfu_context c, LLVMValueRef scalar) {
    return c->vectors ? emit_splat(c->e, scalar) : scalar;
}
static sfu_real sfu_bits(sfu_context c, uint32_t u) {
    return in_all(c, LLVMConstBitCast(emit_word(c->e, u), c->e->c->scalar[ISA_F32]));
}
static sfu_real sfu_number(sfu_context c, float f) {
    return in_all(c, LLVMConstReal(c->e->c->scalar[ISA_F32], (double)f));
}
/* Of two operands. */
#define BINARY(type, name, build)                                                                  \
    static type name(sfu_context c, type x, type y) { return build(c->b, x, y, ""); }
BINARY(sfu_real, sfu_add, LLVMBuildFAdd)
BINARY(sfu_real, sfu_sub, LLVMBuildFSub)
BINARY(sfu_real, sfu_mul, LLVMBuildFMul)
BINARY(sfu_real, sfu_div, LLVMBuildFDiv)
BINARY(sfu_word, sfu_plus, LLVMBuildAdd)
BINARY(sfu_word, sfu_minus, LLVMBuildSub)
BINARY(sfu_word, sfu_and, LLVMBuildAnd)
BINARY(sfu_word, sfu_xor, LLVMBuildXor)
BINARY(sfu_flag, sfu_both, LLVMBuildAnd)
#undef BINARY
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
static sfu_word sfu_count(sfu_context c, unsigned n) { return in_all(c, emit_word(c->e, n)); }
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
    LLVMValueRef args[6];
    memcpy(args, rows, n * sizeof *rows);
    args[n++] = last ? last : rows[0];
    args[n++] = LLVMConstAllOnes(mask);
    args[n++] = emit_word(c->e, CURRENT_ROUNDING);
    return value_by_parts(c->e, name, ISA_WARP / 2, args, n);
}

static bool sfu_scales(sfu_context c) {
    return c->vectors && c->e->request->level == NATIVE_AVX512 && c->e->request->flush;
}
static bool sfu_at_once(sfu_context c) {
    return c->vectors && c->e->request->level == NATIVE_AVX512;
}
static sfu_real sfu_size(sfu_context c, sfu_real x) { return emit_intrinsic(c->e, "llvm.fabs", x); }
static sfu_real sfu_negate(sfu_context c, sfu_real x) { return LLVMBuildFNeg(c->b, x, ""); }
static bool sfu_keeps(sfu_context c) { return !c->e->request->flush; }
static sfu_real sfu_by_lowest(sfu_context c, sfu_word w, sfu_real x, sfu_real y) {
    LLVMTypeRef bit = LLVMInt1TypeInContext(c->e->c->context);
    if (c->vectors) bit = LLVMVectorType(bit, c->e->c->lanes);
    return sfu_select(c, LLVMBuildTrunc(c->b, w, bit, ""), x, y);
}
static sfu_real sfu_scale(sfu_context c, sfu_real x, sfu_real k) {
    return at_once(c, "llvm.x86.avx512.mask.scalef.ps.512", (LLVMValueRef[]){x, k}, 2, NULL);
}

/* By choices, bit by bit. */
static sfu_real choose_one(sfu_context c, const float *table, sfu_word w) {
    sfu_real of[8];
    for (unsigned n = 0; n < 8; n++) of[n] = sfu_number(c, table[n]);
    for (unsigned n = 8; n /= 2; w = sfu_right(c, w, 1))
        for (unsigned k = 0; k < n; k++) of[k] = sfu_by_lowest(c, w, of[2 * k + 1], of[2 * k]);
    return of[0];
}

/* By a permutation of a vector register, which goes by the lowest bits. */
static sfu_real sfu_pick(sfu_context c, const float *table, sfu_word w) {
    struct emitter *e = c->e;
    if (!c->vectors || e->request->level == NATIVE_BASELINE) return choose_one(c, table, w);
    bool wide = e->request->level == NATIVE_AVX512;
    unsigned lanes = wide ? 16 : 8;
    LLVMValueRef entries[16], args[2];
    for (unsigned n = 0; n < lanes; n++)
        entries[n] = LLVMConstReal(e->c->scalar[ISA_F32], (double)table[n % 8]);
    args[0] = LLVMConstVector(entries, lanes);
    const char *name = wide ? "llvm.x86.avx512.permvar.sf.512" : "llvm.x86.avx2.permps";
    args[1] = w;
    return value_by_parts(e, name, lanes, args, 2);
}

/* Special cases by one instruction, which goes by the kind of x. FIXED(NaNs, zero, one, -infinity,
 * infinity, negative, positive): what becomes of each. */
enum { KEEP = 0, SAME_NAN = 2, NEW_NAN = 3, MINUS = 4, PLUS = 5, SIGNED = 6, ZERO = 8 };
#define FIXED(nans, zero, one, minus, plus, negative, positive)                                    \
    ((nans) | (nans) << 4 | (zero) << 8 | (one) << 12 | (minus) << 16 | (plus) << 20 |             \
     (negative) << 24 | (positive) << 28)
static sfu_real fixed(sfu_context c, sfu_real x, sfu_real y, uint32_t kinds) {
    sfu_real rows[] = {y, x, emit_words(c->e, kinds)};
    return at_once(c, "llvm.x86.avx512.mask.fixupimm.ps.512", rows, 3, emit_word(c->e, 0));
}

static sfu_real sfu_log_ends(sfu_context c, sfu_real x, sfu_real y) {
    return fixed(c, x, y, FIXED(SAME_NAN, MINUS, KEEP, NEW_NAN, PLUS, NEW_NAN, KEEP));
}

/* A way that is gone only where the condition does not hold for all lanes. */
typedef struct ways sfu_branch;

static LLVMValueRef not_all(sfu_context c, sfu_flag holds) {
    if (!c->vectors) return LLVMBuildNot(c->b, holds, "");
    return LLVMBuildICmp(c->b, LLVMIntNE, emit_bits(c->e, holds), emit_all_bits(c->e), "");
}

static sfu_branch sfu_unless(sfu_context c, sfu_flag holds) {
    sfu_branch b = {0};
    ways_rarely(c->e, &b, not_all(c, holds), "ends");
    return b;
}

/* By the largest of a register's lanes: a comparison for each vector is saved. */
static sfu_branch sfu_unless_below(sfu_context c, sfu_word v, sfu_word w) {
    struct emitter *e = c->e;
    unsigned lanes = e->c->lanes, least = e->request->level == NATIVE_AVX512 ? 16 : 8;
    sfu_branch b = {0};
    if (!c->vectors) return sfu_unless(c, sfu_below(c, v, w));
    for (; lanes > least; lanes /= 2) {
        LLVMValueRef half[] = {value_part(e->b, v, lanes / 2, 0),
                               value_part(e->b, v, lanes / 2, 1)};
        v = emit_listed(e, "llvm.umax", half, 2);
    }
    LLVMValueRef below = sfu_below(c, v, value_part(e->b, w, lanes, 0));
    LLVMTypeRef bits = LLVMIntTypeInContext(e->c->context, lanes);
    below = LLVMBuildBitCast(c->b, below, bits, "");
    LLVMValueRef some = LLVMBuildICmp(c->b, LLVMIntNE, below, LLVMConstAllOnes(bits), "");
    ways_rarely(e, &b, some, "ends");
    return b;
}

static sfu_real sfu_meet(sfu_context c, sfu_branch b, sfu_real usual, sfu_real mended) {
    ways_else(c->e, &b, &mended, 1);
    ways_end(c->e, &b, &usual, 1);
    return usual;
}

/* Elsewhere by a jump. */
static sfu_real sfu_root_ends(sfu_context c, sfu_real x, sfu_real y, sfu_real s) {
    if (sfu_scales(c))
        return fixed(c, x, y, FIXED(SAME_NAN, SIGNED, KEEP, NEW_NAN, ZERO, NEW_NAN, KEEP));
    sfu_word u = sfu_word_of(c, x), least = sfu_word_of(c, sfu_bits(c, 0x00800000));
    sfu_word infinite = sfu_word_of(c, sfu_bits(c, 0x7f800000));
    sfu_word part = sfu_minus(c, u, least), range = sfu_minus(c, infinite, least);
    sfu_branch ends =
        sfu_keeps(c) ? sfu_unless_below(c, part, range)
                     : sfu_unless_below(c, sfu_word_of(c, s), sfu_word_of(c, sfu_number(c, 0.5f)));
    sfu_flag normal = sfu_below(c, part, range);
    sfu_word sign = sfu_and(c, u, sfu_word_of(c, sfu_bits(c, 0x80000000)));
    sfu_word nan = sfu_word_of(c, sfu_bits(c, 0x7fc00000)), none = LLVMConstNull(c->word);
    sfu_word end =
        LLVMBuildSelect(c->b, LLVMBuildICmp(c->b, LLVMIntEQ, u, infinite, ""), none, nan, "");
    end = LLVMBuildSelect(c->b, sfu_below(c, LLVMBuildXor(c->b, u, sign, ""), least),
                          LLVMBuildOr(c->b, sign, infinite, ""), end, "");
    return sfu_meet(c, ends, y, sfu_select(c, normal, y, sfu_real_of(c, end)));
}

#include "device/math/sfu.h"
#include "device/math/single.h"

/* pow: where any lane is not common, the library's for those that are not. */
static LLVMValueRef power_of(sfu_context c, enum isa_op op, LLVMValueRef *src) {
    LLVMValueRef common, y = single_pow_common(c, src[0], src[1], &common);
    sfu_branch ends = sfu_unless(c, common);
    LLVMValueRef exact = veclib_call(c->e, op, ISA_F32, src, 2, c->vectors);
    return sfu_meet(c, ends, y, sfu_select(c, common, y, exact));
}

/* sin(x + quarter pi / 2). Of 16 registers these would want more for a warp's four vectors: it
 * goes two by two. */
static LLVMValueRef circle(sfu_context c, LLVMValueRef x, unsigned quarter) {
    enum { LANES = 16 };
    struct emitter *e = c->e;
    if (!c->vectors || e->request->level != NATIVE_AVX2) return single_circle(c, x, quarter);
    struct codegen narrow = emit_narrow(e->c, LANES);
    struct emitter on_narrow = *e;
    struct sequence s = {.e = &on_narrow, .b = c->b, .vectors = true};
    LLVMValueRef parts[ISA_WARP];
    on_narrow.c = &narrow;
    s.real = narrow.vector[ISA_F32], s.word = narrow.vector[ISA_I32];
    for (unsigned n = 0; n < ISA_WARP; n += LANES)
        parts[n / LANES] = single_circle(&s, value_part(e->b, x, LANES, n / LANES), quarter);
    return value_whole(e, parts, LANES);
}

/* What that gives is for angles below SINGLE_ANGLES; where any lane has none, the library's for
 * those that have not. */
static LLVMValueRef angle(sfu_context c, enum isa_op op, LLVMValueRef x) {
    LLVMValueRef y = circle(c, x, op == ISA_cos);
    sfu_branch large = sfu_unless_within(c, x, SINGLE_ANGLES);
    LLVMValueRef small = sfu_less(c, sfu_size(c, x), sfu_number(c, SINGLE_ANGLES));
    LLVMValueRef exact = veclib_call(c->e, op, ISA_F32, &x, 1, c->vectors);
    return sfu_meet(c, large, y, sfu_select(c, small, y, exact));
}

bool sfu_has(enum isa_op op, enum isa_type type) {
    if (op >= ISA_native_sin && op <= ISA_native_divide) return true;
    return type == ISA_F32 &&
           (op == ISA_sin || op == ISA_cos || op == ISA_exp || op == ISA_log || op == ISA_pow);
}

LLVMValueRef sfu_emit(struct emitter *e, enum isa_op op, LLVMValueRef *src, bool vectors) {
    struct sequence s = {.e = e, .b = e->b, .vectors = vectors};
    s.real = vectors ? e->c->vector[ISA_F32] : e->c->scalar[ISA_F32];
    s.word = vectors ? e->c->vector[ISA_I32] : e->c->scalar[ISA_I32];
#define SFU_FUNCTION1(name)                                                                        \
    if (op == ISA_native_##name) return sfu_##name(&s, src[0]);
#define SFU_FUNCTION2(name)                                                                        \
    if (op == ISA_native_##name) return sfu_##name(&s, src[0], src[1]);
    SFU_FUNCTIONS
    switch (op) {
    case ISA_sin:
    case ISA_cos: return angle(&s, op, src[0]);
    case ISA_exp: return single_exp(&s, src[0]);
    case ISA_log: return single_log(&s, src[0]);
    case ISA_pow: return power_of(&s, op, src);
    default: return NULL;
    }
}
