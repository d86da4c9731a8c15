/* Loads by lanes' indices from a table that a few vector registers hold, as what is known of the
 * index says: the table is loaded as a whole, and permuted. It is where it lies on one page, so
 * that nothing is touched which the lanes do not. */
#include "device/native/instructions.h"
#include "device/native/mem/accesses.h"

/* Registers of a table that are worth it. */
enum { MOST_AVX512 = 4, MOST_AVX2 = 2, PAGE = 4096 };

struct small_table {
    uint32_t least;           /* index */
    unsigned count;           /* registers, */
    unsigned bytes;           /* of which each has so many, */
    unsigned cell;            /* and what is permuted: words, or halves of them */
    const char *one, *of_two; /* the permutation of a register; of two at once, or NULL */
};

static struct small_table table_of(const struct emitter *e, const struct splitaddress *split) {
    bool wide = e->request->level == NATIVE_AVX512;
    unsigned size = isa_type_size[e->inst->type];
    struct small_table t = {.bytes = wide ? 64 : 32, .cell = 4};
    struct interval index = numbers_unsigned(&plan_get(e->plan, bounds)->of, e->k, split->core);
    uint64_t bytes = ((uint64_t)(index.most - index.least) << split->shift) + size;
    t.one = wide ? "llvm.x86.avx512.permvar.si.512" : "llvm.x86.avx2.permd";
    if (wide) t.of_two = "llvm.x86.avx512.vpermi2var.d.512";
    if (wide && size < 4) {
        t.cell = 2;
        t.one = "llvm.x86.avx512.permvar.hi.512";
        t.of_two = "llvm.x86.avx512.vpermi2var.hi.512";
    }
    t.least = (uint32_t)index.least;
    unsigned most = wide ? MOST_AVX512 : MOST_AVX2;
    if (size == 1u << split->shift && bytes <= (uint64_t)most * t.bytes)
        for (t.count = 1; t.count * t.bytes < bytes;) t.count *= 2;
    return t;
}

bool smalltables_fits(const struct emitter *e, const struct access_plan *p) {
    const struct isa_inst *i = e->inst;
    return i->op == ISA_ld && i->count == 1 && p->size <= 4 && p->at.kind == KIND_VARYING &&
           isa_is_reg(isa_srcs(e->k, i)[0]) && e->request->level >= NATIVE_AVX2 &&
           !isa_is_watched(i) && !plan_off(e->plan, PLAN_smalltables) &&
           table_of(e, &p->split).count;
}

/* What lanes have of `count` registers from the first on. */
static LLVMValueRef pick(struct emitter *e, const struct small_table *t, const LLVMValueRef *table,
                         unsigned count, LLVMValueRef index) {
    unsigned lanes = t->bytes / t->cell, half = count / 2;
    if (count == 1) return value_by_parts(e, t->one, lanes, (LLVMValueRef[]){table[0], index}, 2);
    if (count == 2 && t->of_two)
        return value_by_parts(e, t->of_two, lanes, (LLVMValueRef[]){table[0], index, table[1]}, 3);
    LLVMTypeRef type = LLVMTypeOf(index), one = LLVMGetElementType(type);
    LLVMValueRef bit = emit_like(e, index, LLVMConstInt(one, half * lanes, false));
    bit = LLVMBuildAnd(e->b, index, bit, "");
    bit = LLVMBuildICmp(e->b, LLVMIntNE, bit, LLVMConstNull(type), "");
    return LLVMBuildSelect(e->b, bit, pick(e, t, table + half, half, index),
                           pick(e, t, table, half, index), "");
}

void smalltables_move(struct emitter *e, const struct access_plan *p, unsigned w, LLVMValueRef *v) {
    struct small_table t = table_of(e, &p->split);
    LLVMTypeRef cell = e->c->scalar[t.cell == 4 ? ISA_I32 : ISA_I16], cells;
    LLVMTypeRef row = LLVMVectorType(cell, t.bytes / t.cell), type = e->c->vector[e->inst->type];
    LLVMValueRef table[MOST_AVX512], uniform = dense_uniform(e, &p->split, w);
    LLVMValueRef offset = value_read_vector(e, p->split.core, w);
    LLVMValueRef at = emit_word(e, (t.least << p->split.shift) + (uint32_t)e->inst->imm);
    struct ways y = {0};
    emit_tell(e, PLAN_smalltables, "a table that registers hold is permuted");
    offset = LLVMBuildSub(e->b, offset, emit_words(e, t.least), "");
    offset = LLVMBuildShl(e->b, offset, emit_words(e, p->split.shift), "");
    if (uniform) at = LLVMBuildAdd(e->b, at, uniform, "");
    LLVMValueRef in_page = LLVMBuildAnd(e->b, at, emit_word(e, PAGE - 1), "");
    ways_if(e, &y, emit_compare(e, LLVMIntULE, in_page, PAGE - t.count * t.bytes), "table");
    if (!p->full) ways_and(e, &y, masks_any(e, emit_mask(e, w)), "some");
    at = access_host(e, at, 0);
    for (unsigned n = 0; n < t.count; n++)
        table[n] = access_plain(e, row, emit_inside(e, at, (int64_t)n * t.bytes));
    cells = LLVMVectorType(cell, e->c->lanes);
    offset = LLVMBuildTrunc(e->b, offset, cells, "");
    LLVMValueRef index = emit_like(e, offset, LLVMConstInt(cell, t.cell / 2, false)); /* log2 */
    *v = pick(e, &t, table, t.count, LLVMBuildLShr(e->b, offset, index, ""));
    if (p->size < t.cell) { /* in the cell */
        LLVMValueRef by = emit_like(e, offset, LLVMConstInt(cell, t.cell - p->size, false));
        by = LLVMBuildAnd(e->b, offset, by, "");
        by = LLVMBuildShl(e->b, by, emit_like(e, offset, LLVMConstInt(cell, 3, false)), "");
        *v = LLVMBuildTrunc(e->b, LLVMBuildLShr(e->b, *v, by, ""), type, "");
    }
    *v = LLVMBuildBitCast(e->b, *v, type, "");
    ways_else(e, &y, v, 1);
    scattered_move(e, value_vector(e, &p->at), w, v);
    ways_end(e, &y, v, 1);
}
