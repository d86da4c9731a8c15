/* Instructions that C functions execute, on operands in memory: math functions, images, printf, and
 * what is too rare to be worth code of its own. */
#include "device/native/instructions.h"
#include "device/native/value.h"

/* A buffer for 32 lanes, the same for all instructions that need an n-th one. */
LLVMValueRef assisted_buffer(struct emitter *e, unsigned n) {
    if (!e->c->buffers[n]) {
        e->c->buffers[n] =
            emit_alloca(e, LLVMArrayType2(e->c->scalar[ISA_I8], 8 * ISA_WARP), "lanes");
        LLVMSetAlignment(e->c->buffers[n], 128);
    }
    return e->c->buffers[n];
}

static LLVMValueRef list(struct emitter *e, LLVMValueRef *where) {
    if (!*where) *where = emit_alloca(e, LLVMArrayType2(e->c->pointer, EMIT_BUFFERS), "operands");
    return *where;
}

static void enter(struct emitter *e, LLVMValueRef array, unsigned n, LLVMValueRef at) {
    LLVMBuildStore(e->b, at, emit_element(e, e->c->pointer, array, emit_word(e, n)));
}

static LLVMValueRef put_sources(struct emitter *e, unsigned w, unsigned *used) {
    const struct isa_inst *i = e->inst;
    LLVMValueRef array = list(e, &e->c->sources);
    for (unsigned n = 0; n < i->nsrc; n++) {
        LLVMValueRef v = value_read_vector(e, isa_srcs(e->k, i)[n], w);
        LLVMValueRef at = assisted_buffer(e, *used);
        value_put(e, v, at, 0);
        enter(e, array, n, at);
        ++*used;
    }
    return array;
}

static LLVMValueRef put_results(struct emitter *e, unsigned *used, unsigned *first) {
    const struct isa_inst *i = e->inst;
    LLVMValueRef array = list(e, &e->c->results);
    *first = *used;
    for (unsigned n = 0; n < i->ndst; n++, ++*used) {
        LLVMValueRef at = assisted_buffer(e, *used);
        enum isa_type type = (enum isa_type)e->k->reg_types[isa_dsts(e->k, i)[n]];
        value_put(e, LLVMConstNull(e->c->vector[type]), at, 0);
        enter(e, array, n, at);
    }
    return array;
}

static void take_results(struct emitter *e, unsigned w, unsigned first) {
    const struct isa_inst *i = e->inst;
    for (unsigned n = 0; n < i->ndst; n++) {
        enum isa_type type = (enum isa_type)e->k->reg_types[isa_dsts(e->k, i)[n]];
        LLVMValueRef v = value_get(e, e->c->vector[type], assisted_buffer(e, first + n), 0);
        value_write(e, isa_dsts(e->k, i)[n], w, value_of(KIND_VARYING, type, v));
    }
}

void assisted_emit(struct emitter *e, unsigned w) {
    unsigned used = 0, first;
    LLVMValueRef src = put_sources(e, w, &used), dst = put_results(e, &used, &first);
    LLVMValueRef args[] = {e->c->run, emit_number(e), e->c->warp[w], emit_mask_bits(e, w), src,
                           dst};
    emit_call(e, emit_of_run(e, assist, e->c->pointer), args, 6);
    take_results(e, w, first);
}

void assisted_branch(struct emitter *e, LLVMValueRef condition, LLVMBasicBlockRef rare,
                     LLVMBasicBlockRef usual) {
    static const char weights[] = "branch_weights";
    LLVMValueRef branch = LLVMBuildCondBr(e->b, condition, rare, usual);
    LLVMMetadataRef parts[] = {LLVMMDStringInContext2(e->c->context, weights, sizeof weights - 1),
                               LLVMValueAsMetadata(emit_word(e, 1)),
                               LLVMValueAsMetadata(emit_word(e, 1 << 20))};
    emit_metadata(e, branch, "prof", parts, 3);
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
    LLVMValueRef index = LLVMConstInt(e->c->wide, 2ull * i->op + (type == ISA_F64), false);
    LLVMValueRef table = emit_of_run(e, math, e->c->pointer);
    LLVMValueRef at = emit_element(e, e->c->pointer, table, index);
    emit_call(e, LLVMBuildLoad2(e->b, e->c->pointer, at, ""), (LLVMValueRef[]){src, dst}, 2);
    take_results(e, w, first);
}
