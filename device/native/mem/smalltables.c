/* Loads by lanes' indices from a table that a few vector registers hold, as what is known of the
 * index says, or a test of lanes near each other: it is loaded as a whole, and permuted, where it
 * lies on one page, so that nothing is touched which the lanes do not. */
#include "device/native/instructions.h"
#include "device/native/mem/accesses.h"

/* Registers of a table that are worth it. */
enum { MOST_AVX512 = 4, MOST_AVX2 = 2 };

struct small_table {
    uint32_t least;           /* index */
    unsigned count;           /* registers, */
    unsigned bytes;           /* of which each has so many, */
    unsigned cell;            /* and what is permuted: words, or halves of them */
    const char *one, *of_two; /* the permutation of a register; of two at once, or NULL */
};

static struct small_table table_shape(const struct emitter *e, unsigned unit) {
    bool wide = e->request->level == NATIVE_AVX512;
    struct small_table t = {.bytes = wide ? 64 : 32, .cell = 4};
    t.one = wide ? "llvm.x86.avx512.permvar.si.512" : "llvm.x86.avx2.permd";
    if (wide) t.of_two = "llvm.x86.avx512.vpermi2var.d.512";
    if (wide && unit < 4) {
        t.cell = 2;
        t.one = "llvm.x86.avx512.permvar.hi.512";
        t.of_two = "llvm.x86.avx512.vpermi2var.hi.512";
    }
    return t;
}

static struct small_table table_of(const struct emitter *e, const struct splitaddress *split) {
    struct small_table t = table_shape(e, 1u << split->shift);
    unsigned size = isa_type_size[e->inst->type];
    struct interval index = numbers_unsigned(&plan_get(e->plan, bounds)->of, e->k, split->core);
    uint64_t bytes = ((uint64_t)(index.most - index.least) << split->shift) + size;
    unsigned most = t.of_two ? MOST_AVX512 : MOST_AVX2;
    t.least = (uint32_t)index.least;
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

static LLVMTypeRef row_type(const struct emitter *e, const struct small_table *t) {
    return LLVMVectorType(e->c->scalar[t->cell == 4 ? ISA_I32 : ISA_I16], t->bytes / t->cell);
}

/* The lanes' elements, at `offset` in the table: bytes from its first cell on. */
static LLVMValueRef read_table(struct emitter *e, const struct small_table *t,
                               const LLVMValueRef *table, LLVMValueRef offset) {
    LLVMTypeRef cell = LLVMGetElementType(row_type(e, t));
    LLVMTypeRef type = e->c->vector[e->inst->type];
    unsigned size = isa_type_size[e->inst->type];
    offset = LLVMBuildTrunc(e->b, offset, LLVMVectorType(cell, e->c->lanes), "");
    LLVMValueRef index = emit_like(e, offset, LLVMConstInt(cell, t->cell / 2, false)); /* log2 */
    LLVMValueRef v = pick(e, t, table, t->count, LLVMBuildLShr(e->b, offset, index, ""));
    if (size < t->cell) { /* in the cell */
        LLVMValueRef by = emit_like(e, offset, LLVMConstInt(cell, t->cell - size, false));
        by = LLVMBuildAnd(e->b, offset, by, "");
        by = LLVMBuildShl(e->b, by, emit_like(e, offset, LLVMConstInt(cell, 3, false)), "");
        v = LLVMBuildTrunc(e->b, LLVMBuildLShr(e->b, v, by, ""), type, "");
    }
    return LLVMBuildBitCast(e->b, v, type, "");
}

void smalltables_move(struct emitter *e, const struct access_plan *p, unsigned w, LLVMValueRef *v) {
    struct small_table t = table_of(e, &p->split);
    LLVMValueRef table[MOST_AVX512], uniform = dense_uniform(e, &p->split, w);
    LLVMValueRef offset = value_read_vector(e, p->split.core, w);
    LLVMValueRef at = emit_word(e, (t.least << p->split.shift) + (uint32_t)e->inst->imm);
    struct ways y = {0};
    emit_tell(e, PLAN_smalltables, "a table that registers hold is permuted");
    offset = LLVMBuildSub(e->b, offset, emit_words(e, t.least), "");
    offset = LLVMBuildShl(e->b, offset, emit_words(e, p->split.shift), "");
    if (uniform) at = LLVMBuildAdd(e->b, at, uniform, "");
    ways_if(e, &y, access_on_page(e, at, t.count * t.bytes), "table");
    if (!p->full) ways_and(e, &y, masks_any(e, emit_mask(e, w)), "some");
    at = access_host(e, at, 0);
    for (unsigned n = 0; n < t.count; n++)
        table[n] = access_plain(e, row_type(e, &t), emit_inside(e, at, (int64_t)n * t.bytes));
    *v = read_table(e, &t, table, offset);
    ways_else(e, &y, v, 1);
    scattered_move(e, value_vector(e, &p->at), w, v);
    ways_end(e, &y, v, 1);
}

/* ---- lanes near each other ---- */

enum { NEAR = 2 /* registers */, PARTS = 4 /* of a warp */ };

static enum neighbours_kind lanes_kind(const struct emitter *e) {
    return plan_likely_kind(e->plan, isa_srcs(e->k, e->inst)[0]);
}

/* The warp's last lane is as near to its first one as it may be. */
static LLVMValueRef is_short(struct emitter *e, LLVMValueRef core, unsigned most) {
    LLVMValueRef first = LLVMBuildExtractElement(e->b, core, emit_word(e, 0), "");
    LLVMValueRef last = LLVMBuildExtractElement(e->b, core, emit_word(e, ISA_WARP - 1), "");
    last = LLVMBuildAdd(e->b, LLVMBuildSub(e->b, last, first, ""), emit_word(e, most), "");
    return emit_compare(e, LLVMIntULT, last, 2 * most);
}

bool smalltables_near_fits(const struct emitter *e, const struct access_plan *p, unsigned count) {
    struct small_table t = table_shape(e, 1u << p->split.shift);
    unsigned unit = 1u << p->split.shift;
    bool few = p->size == 4 || count == 1 || count * p->size <= unit; /* permutations */
    return e->inst->op == ISA_ld && !p->lanes && p->at.kind == KIND_VARYING && p->size <= 4 &&
           p->size <= unit && unit <= NEAR * t.cell && (t.of_two || (lanes_kind(e) && few)) &&
           neighbours_near(&plan_get(e->plan, neighbours)->of, e->k, isa_srcs(e->k, e->inst)[0],
                           p->split.core) &&
           e->request->level >= NATIVE_AVX2 && !isa_is_watched(e->inst) &&
           !plan_off(e->plan, PLAN_smalltables);
}

/* The lanes that one permutation serves lie in two registers from the lower one of the first and
 * the last lane on. */
void smalltables_near(struct emitter *e, struct ways *y, const struct access_plan *p, unsigned w,
                      int64_t imm, unsigned count, LLVMValueRef *v) {
    struct small_table t = table_shape(e, 1u << p->split.shift);
    unsigned lanes = t.bytes / t.cell, parts = ISA_WARP / lanes, bytes = NEAR * t.bytes;
    LLVMValueRef core = value_read_vector(e, p->split.core, w), ends[2], rows[NEAR][PARTS];
    LLVMValueRef uniform, on_page = NULL, at[PARTS], table[NEAR];
    uint32_t from[ISA_WARP], spare = (bytes >> p->split.shift) - lanes;
    uint32_t slack = lanes_kind(e) ? 0 : spare / 2; /* of lanes that are swapped */
    t.count = NEAR;
    emit_tell(e, PLAN_smalltables, "lanes that are near each other: two registers are permuted");
    ways_if(e, y, is_short(e, core, parts * bytes >> p->split.shift), "short");
    for (unsigned last = 0; last < 2; last++) {
        for (unsigned i = 0; i < ISA_WARP; i++) from[i] = i / lanes * lanes + last * (lanes - 1);
        ends[last] = value_shuffled(e->b, core, NULL, from, ISA_WARP);
    }
    LLVMValueRef base = emit_intrinsic(e, "llvm.umin", ends[0], ends[1]);
    base = LLVMBuildSub(e->b, base, emit_words(e, slack), "");
    LLVMValueRef index = LLVMBuildSub(e->b, core, base, "");
    LLVMValueRef far = emit_words(e, (bytes - count * p->size) >> p->split.shift);
    far = LLVMBuildICmp(e->b, LLVMIntUGT, index, far, "");
    ways_and(e, y, masks_none(e, far), "near");
    if (!p->full) ways_and(e, y, masks_all(e, w), "all");
    uniform = dense_uniform(e, &p->split, w);
    for (unsigned n = 0; n < parts; n++) {
        at[n] = LLVMBuildExtractElement(e->b, base, emit_word(e, n * lanes), "");
        at[n] = LLVMBuildShl(e->b, at[n], emit_word(e, p->split.shift), "");
        at[n] = LLVMBuildAdd(e->b, at[n], emit_word(e, (uint32_t)imm), "");
        if (uniform) at[n] = LLVMBuildAdd(e->b, at[n], uniform, "");
        LLVMValueRef own = access_on_page(e, at[n], bytes);
        on_page = on_page ? LLVMBuildAnd(e->b, on_page, own, "") : own;
    }
    ways_and(e, y, on_page, "page");
    for (unsigned n = 0; n < parts; n++)
        for (unsigned r = 0; r < NEAR; r++)
            rows[r][n] = access_plain(e, row_type(e, &t),
                                      emit_inside(e, access_host(e, at[n], 0), r * t.bytes));
    for (unsigned r = 0; r < NEAR; r++) table[r] = value_chain(e->b, rows[r], parts, lanes);
    index = LLVMBuildShl(e->b, index, emit_words(e, p->split.shift), "");
    for (unsigned c = 0; c < count; c++)
        v[c] = read_table(e, &t, table, LLVMBuildAdd(e->b, index, emit_words(e, c * p->size), ""));
}
