/* Operations that compute. */
#ifndef SIMTCL_NATIVE_OPERATIONS_H
#define SIMTCL_NATIVE_OPERATIONS_H

#include "device/native/emit.h"

/* A result of one operation on scalars or vectors; NULL: it has to be assisted. The first source of
 * a select may be a scalar beside vectors. Math functions are those that sfu or veclib has. */
LLVMValueRef alu_emit(struct emitter *e, unsigned result, LLVMValueRef *src, bool vectors);
LLVMValueRef alu_fma(struct emitter *e, LLVMValueRef *src, enum isa_type type, bool vectors);
/* A math function that is a sequence of operations at this level: without fused multiply-add it
 * would be thousands of instructions, and seconds of LLVM's time. */
bool sfu_has(enum isa_op op, enum isa_type type);
/* Its result; NULL: it is none of those. */
LLVMValueRef sfu_emit(struct emitter *e, enum isa_op op, LLVMValueRef *src, bool vectors);
/* The rounded square root of a scalar or a vector. */
LLVMValueRef intrinsics_sqrt(struct emitter *e, LLVMValueRef x);
/* Vectors of reals, which whole ones are or are cut to, as integers: saturated, a NaN is 0. */
LLVMValueRef intrinsics_saturated(struct emitter *e, enum isa_type to, enum isa_type from,
                                  bool is_signed, LLVMValueRef y);
/* The cursor's is a function of the vector library; that on a scalar or a vector. Not at the
 * baseline level. */
bool veclib_has(const struct emitter *e);
LLVMValueRef veclib_call(struct emitter *e, enum isa_op op, enum isa_type type,
                         const LLVMValueRef *src, unsigned count, bool vectors);

#endif
