/* Math functions that are one of the vector library's, called with operands in registers. */
#include <string.h>

#include "device/native/emit.h"
#include "device/native/instructions.h"
#include "device/native/value.h"
#include "device/native/math/operations.h"
#include "device/math/math.h"

/* What the library has, per operation and type; the other operations, and all on the baseline
 * level, go through memory. */
static const bool in_library[ISA_OP_COUNT][MATH_TYPE_COUNT] = {
#define MATH_SLEEF1(op, function, bound)   [ISA_##op] = {true, true},
#define MATH_TRIG1(op)                     [ISA_##op] = {true, true},
#define MATH_ANGLE1(op)                    [ISA_##op] = {false, true}, /* sequences for float */
#define MATH_SINGLE1(op, function, bound)  [ISA_##op] = {false, true},
#define MATH_SINGLE2F(op, function, bound) [ISA_##op] = {true, false},
#define MATH_OWN(op)
#define MATH_OWN32(op)
#include "device/math/math.def"
};

/* Looked up once, at the beginning. */
static LLVMValueRef function_of(struct emitter *e, enum isa_op op, enum isa_type type) {
    size_t at = offsetof(struct math_table, vector) +
                sizeof(math_vector_fn) * (MATH_TYPE_COUNT * op + (type == ISA_F64));
    LLVMValueRef table = emit_of_run(e, math, e->c->pointer);
    return emit_early(e, e->c->pointer, table, at, isa_op_info[op].name);
}

/* A call depends on its operands alone, so LLVM may move it, merge it or leave it out. */
static void mark_pure(struct emitter *e, LLVMValueRef call) {
    static const char *const names[] = {"memory", "nounwind", "willreturn"};
    for (unsigned n = 0; n < 3; n++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(names[n], strlen(names[n]));
        LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
                                 LLVMCreateEnumAttribute(e->c->context, kind, 0));
    }
}

LLVMValueRef veclib_call(struct emitter *e, enum isa_op op, enum isa_type type,
                         const LLVMValueRef *src, unsigned count, bool vectors) {
    if (e->request->level == NATIVE_BASELINE) return assisted_function(e, op, src, count, vectors);
    unsigned bytes = e->request->level == NATIVE_AVX512 ? 64 : 32;
    unsigned lanes = bytes / isa_type_size[type];
    LLVMTypeRef part = LLVMVectorType(e->c->scalar[type], lanes), types[] = {part, part};
    LLVMTypeRef signature = LLVMFunctionType(part, types, count, false);
    LLVMValueRef fn = function_of(e, op, type), in[2], args[2], parts[ISA_WARP] = {NULL};
    for (unsigned n = 0; n < count; n++) in[n] = vectors ? src[n] : emit_splat(e, src[n]);
    for (unsigned first = 0; first < (vectors ? ISA_WARP : lanes); first += lanes) {
        for (unsigned n = 0; n < count; n++)
            args[n] = value_part(e->b, in[n], lanes, first / lanes);
        parts[first / lanes] = LLVMBuildCall2(e->b, signature, fn, args, count, "");
        mark_pure(e, parts[first / lanes]);
    }
    if (!vectors) return LLVMBuildExtractElement(e->b, parts[0], emit_word(e, 0), "");
    return value_whole(e, parts, lanes);
}

bool veclib_has(const struct emitter *e) {
    const struct isa_inst *i = e->inst;
    return e->request->level != NATIVE_BASELINE && i->op != ISA_ilogb &&
           (i->op == ISA_sincos || in_library[i->op][i->type == ISA_F64]);
}
