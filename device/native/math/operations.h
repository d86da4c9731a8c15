/* Operations that compute. */
#ifndef SIMTCL_NATIVE_OPERATIONS_H
#define SIMTCL_NATIVE_OPERATIONS_H

#include "device/native/emit.h"

/* One operation on scalars or vectors; NULL: it has to be assisted. The first source of a select
 * may be a scalar beside vectors. */
LLVMValueRef alu_emit(struct emitter *e, LLVMValueRef *src, bool vectors);
LLVMValueRef alu_fma(struct emitter *e, LLVMValueRef *src, enum isa_type type, bool vectors);
/* A math function that is a sequence of operations at this level. */
bool sfu_has(const struct emitter *e, enum isa_op op, enum isa_type type);
/* Its result; NULL: it is none of those. */
LLVMValueRef sfu_emit(struct emitter *e, enum isa_op op, LLVMValueRef *src, bool vectors);
/* The rounded square root of a scalar or a vector. */
LLVMValueRef intrinsics_sqrt(struct emitter *e, LLVMValueRef x);
/* Vectors of reals, which whole ones are or are cut to, as integers: saturated, a NaN is 0. */
LLVMValueRef intrinsics_saturated(struct emitter *e, enum isa_type to, enum isa_type from,
                                  bool is_signed, LLVMValueRef y);
/* The library's vector function on a scalar or a vector. Not at the baseline level. */
LLVMValueRef veclib_call(struct emitter *e, enum isa_op op, enum isa_type type,
                         const LLVMValueRef *src, unsigned count, bool vectors);
/* A math function whose operands stay in registers; false: it is none of those. */
bool veclib_emit(struct emitter *e, unsigned w);

#endif
