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

static LLVMTypeRef result_type(const struct emitter *e, unsigned n) {
    return e->c->vector[e->k->reg_types[isa_dsts(e->k, e->inst)[n]]];
}

/* Where the operands are that are entered into a list. */
static LLVMValueRef list(struct emitter *e, LLVMValueRef *where) {
    if (!*where) *where = emit_alloca(e, LLVMArrayType2(e->c->pointer, EMIT_BUFFERS), "operands");
    return *where;
}

/* Puts v into a buffer, which is entry n of the list. */
static void put(struct emitter *e, LLVMValueRef list, unsigned n, unsigned buffer, LLVMValueRef v) {
    LLVMValueRef at = assisted_buffer(e, buffer);
    value_put(e, v, at, 0);
    LLVMBuildStore(e->b, at, emit_element(e, e->c->pointer, list, emit_word(e, n)));
}

/* The lists of sources, and of results, which are zeros. */
static void put_operands(struct emitter *e, unsigned w, LLVMValueRef lists[2]) {
    const struct isa_inst *i = e->inst;
    lists[0] = list(e, &e->c->sources);
    for (unsigned n = 0; n < i->nsrc; n++)
        put(e, lists[0], n, n, value_read_vector(e, isa_srcs(e->k, i)[n], w));
    lists[1] = list(e, &e->c->results);
    for (unsigned n = 0; n < i->ndst; n++)
        put(e, lists[1], n, i->nsrc + n, LLVMConstNull(result_type(e, n)));
}

static void take_results(struct emitter *e, unsigned w) {
    for (unsigned n = 0; n < e->inst->ndst; n++) {
        LLVMValueRef at = assisted_buffer(e, e->inst->nsrc + n);
        LLVMValueRef v = value_get(e, result_type(e, n), at, 0);
        if (e->lane) v = LLVMBuildExtractElement(e->b, v, e->lane, "");
        value_result(e, n, w, v);
    }
}

void assisted_emit(struct emitter *e, unsigned w) {
    LLVMValueRef lists[2];
    put_operands(e, w, lists);
    LLVMValueRef args[] = {e->c->run, emit_number(e), e->c->warp[w], emit_mask_bits(e, w),
                           lists[0],  lists[1]};
    emit_call(e, emit_of_run(e, assist, e->c->pointer), args, 6);
    take_results(e, w);
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
static void call_math(struct emitter *e, enum isa_op op, enum isa_type type, LLVMValueRef *lists) {
    LLVMValueRef index = LLVMConstInt(e->c->wide, 2ull * op + (type == ISA_F64), false);
    LLVMValueRef at = emit_element(e, e->c->pointer, emit_of_run(e, math, e->c->pointer), index);
    emit_call(e, LLVMBuildLoad2(e->b, e->c->pointer, at, ""), lists, 2);
}

void assisted_math(struct emitter *e, unsigned w) {
    const struct isa_inst *i = e->inst;
    LLVMValueRef lists[2];
    put_operands(e, w, lists);
    call_math(e, (enum isa_op)i->op, (enum isa_type)(i->op == ISA_ilogb ? i->type2 : i->type),
              lists);
    take_results(e, w);
}

LLVMValueRef assisted_function(struct emitter *e, enum isa_op op, const LLVMValueRef *src,
                               unsigned count, bool vectors) {
    unsigned first = EMIT_BUFFERS - count - 1; /* whatever uses the first ones may go on */
    LLVMValueRef lists[] = {list(e, &e->c->sources), list(e, &e->c->results)}, result;
    LLVMTypeRef type = e->c->vector[ISA_F32];
    for (unsigned n = 0; n < count; n++)
        put(e, lists[0], n, first + n, vectors ? src[n] : emit_splat(e, src[n]));
    put(e, lists[1], 0, first + count, LLVMGetPoison(type));
    call_math(e, op, ISA_F32, lists);
    result = value_get(e, type, assisted_buffer(e, first + count), 0);
    return vectors ? result : LLVMBuildExtractElement(e->b, result, emit_word(e, 0), "");
}
