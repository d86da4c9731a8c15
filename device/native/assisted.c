/* Instructions that C functions execute, on operands in memory: math functions, images, printf, and
 * what is too rare to be worth code of its own. */
#include "device/native/instructions.h"
#include "device/native/value.h"

/* A buffer for 32 lanes, the same for all instructions that need an n-th one. */
LLVMValueRef assisted_buffer(struct emitter *e, unsigned n) {
    if (!e->c->buffers[n]) {
        e->c->buffers[n] = emit_alloca(
            e, LLVMArrayType2(LLVMInt8TypeInContext(e->c->context), 8 * ISA_WARP), "lanes");
        LLVMSetAlignment(e->c->buffers[n], 128);
    }
    return e->c->buffers[n];
}

static LLVMValueRef list(struct emitter *e, LLVMValueRef *where) {
    if (!*where) *where = emit_alloca(e, LLVMArrayType2(e->c->pointer, EMIT_BUFFERS), "operands");
    return *where;
}

static void enter(struct emitter *e, LLVMValueRef array, unsigned n, LLVMValueRef at) {
    LLVMValueRef index = emit_word(e, n);
    LLVMBuildStore(e->b, at, LLVMBuildGEP2(e->b, e->c->pointer, array, &index, 1, ""));
}

static LLVMValueRef as_stored(struct emitter *e, enum isa_type type, LLVMValueRef lanes) {
    return type == ISA_PRED ? emit_bits(e, lanes) : lanes;
}

static LLVMValueRef put_sources(struct emitter *e, unsigned w, unsigned *used) {
    const struct isa_inst *i = e->inst;
    LLVMValueRef array = list(e, &e->c->sources);
    for (unsigned n = 0; n < i->nsrc; n++) {
        struct warp_value v = value_read(e, isa_srcs(e->k, i)[n], w);
        LLVMValueRef at = assisted_buffer(e, *used);
        LLVMBuildStore(e->b, as_stored(e, v.type, value_vector(e, &v)), at);
        enter(e, array, n, at);
        ++*used;
    }
    return array;
}

static LLVMValueRef lanes_type_load(struct emitter *e, enum isa_type type, LLVMValueRef at) {
    if (type != ISA_PRED) return LLVMBuildLoad2(e->b, e->c->vector[type], at, "");
    return LLVMBuildBitCast(e->b, LLVMBuildLoad2(e->b, e->c->word, at, ""), e->c->vector[ISA_PRED],
                            "");
}

static LLVMValueRef put_results(struct emitter *e, unsigned *used, unsigned *first) {
    const struct isa_inst *i = e->inst;
    LLVMValueRef array = list(e, &e->c->results);
    *first = *used;
    for (unsigned n = 0; n < i->ndst; n++, ++*used) {
        LLVMValueRef at = assisted_buffer(e, *used);
        enum isa_type type = (enum isa_type)e->k->reg_types[isa_dsts(e->k, i)[n]];
        LLVMBuildStore(e->b, LLVMConstNull(type == ISA_PRED ? e->c->word : e->c->vector[type]), at);
        enter(e, array, n, at);
    }
    return array;
}

static void take_results(struct emitter *e, unsigned w, unsigned first) {
    const struct isa_inst *i = e->inst;
    for (unsigned n = 0; n < i->ndst; n++) {
        enum isa_type type = (enum isa_type)e->k->reg_types[isa_dsts(e->k, i)[n]];
        LLVMValueRef v = lanes_type_load(e, type, assisted_buffer(e, first + n));
        value_write(e, isa_dsts(e->k, i)[n], w, value_of(KIND_VARYING, type, v));
    }
}

void assisted_emit(struct emitter *e, unsigned w) {
    unsigned used = 0, first;
    LLVMValueRef src = put_sources(e, w, &used), dst = put_results(e, &used, &first);
    LLVMTypeRef types[] = {e->c->pointer, e->c->word,    e->c->word,
                           e->c->word,    e->c->pointer, e->c->pointer};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(e->c->context), types, 6, false);
    LLVMValueRef assist =
        emit_field(e, offsetof(struct native_run, assist), e->c->pointer, "assist");
    LLVMValueRef args[] = {e->c->run, emit_number(e), e->c->warp[w], emit_mask_bits(e, w), src,
                           dst};
    LLVMBuildCall2(e->b, type, assist, args, 6, "");
    take_results(e, w, first);
}

void assisted_branch(struct emitter *e, LLVMValueRef condition, LLVMBasicBlockRef rare,
                     LLVMBasicBlockRef usual) {
    static const char name[] = "prof", weights[] = "branch_weights";
    LLVMValueRef branch = LLVMBuildCondBr(e->b, condition, rare, usual);
    LLVMMetadataRef parts[] = {LLVMMDStringInContext2(e->c->context, weights, sizeof weights - 1),
                               LLVMValueAsMetadata(emit_word(e, 1)),
                               LLVMValueAsMetadata(emit_word(e, 1 << 20))};
    LLVMMetadataRef node = LLVMMDNodeInContext2(e->c->context, parts, 3);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(e->c->context, name, sizeof name - 1),
                    LLVMMetadataAsValue(e->c->context, node));
}

void assisted_if(struct emitter *e, struct ways *y, unsigned w, LLVMValueRef condition) {
    ways_rarely(e, y, condition, "rare");
    assisted_emit(e, w);
    ways_else(e, y, NULL, 0);
}

/* math.h's contract: all 32 lanes are computed. */
void assisted_math(struct emitter *e, unsigned w) {
    const struct isa_inst *i = e->inst;
    unsigned used = 0, first;
    LLVMValueRef src = put_sources(e, w, &used), dst = put_results(e, &used, &first);
    enum isa_type type = (enum isa_type)(i->op == ISA_ilogb ? i->type2 : i->type);
    LLVMTypeRef types[] = {e->c->pointer, e->c->pointer};
    LLVMTypeRef function = LLVMFunctionType(LLVMVoidTypeInContext(e->c->context), types, 2, false);
    LLVMValueRef index = LLVMConstInt(e->c->wide, 2ull * i->op + (type == ISA_F64), false);
    LLVMValueRef table = emit_field(e, offsetof(struct native_run, math), e->c->pointer, "math");
    LLVMValueRef at = LLVMBuildGEP2(e->b, e->c->pointer, table, &index, 1, "");
    LLVMValueRef fn = LLVMBuildLoad2(e->b, e->c->pointer, at, "");
    LLVMBuildCall2(e->b, function, fn, (LLVMValueRef[]){src, dst}, 2, "");
    take_results(e, w, first);
}
