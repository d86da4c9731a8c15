/* Operations that compute. */
#ifndef SIMTCL_NATIVE_OPERATIONS_H
#define SIMTCL_NATIVE_OPERATIONS_H

#include "device/native/emit.h"

/* One operation on scalars or vectors; NULL: it has to be assisted. The first source of a select
 * may be a scalar beside vectors. */
LLVMValueRef alu_emit(struct emitter *e, LLVMValueRef *src, bool vectors);
LLVMValueRef alu_fma(struct emitter *e, LLVMValueRef *src, enum isa_type type, bool vectors);
/* Likewise for the native_ functions; NULL: it is none of them. */
LLVMValueRef sfu_emit(struct emitter *e, LLVMValueRef *src, bool vectors);
/* The rounded square root of a scalar or a vector. */
LLVMValueRef squareroot_emit(struct emitter *e, LLVMValueRef x);
/* A math function whose operands stay in registers; false: it is none of those. */
bool veclib_emit(struct emitter *e, unsigned w);

#endif
