/* Masks of 32 lanes: where one is kept, and what is computed with them, each a <32 x i1>. */
#ifndef SIMTCL_NATIVE_MASKS_H
#define SIMTCL_NATIVE_MASKS_H

#include "device/native/emit.h"

LLVMValueRef masks_slot(struct emitter *e, const char *name);
LLVMValueRef masks_get(struct emitter *e, LLVMValueRef slot);
void masks_put(struct emitter *e, LLVMValueRef mask, LLVMValueRef slot);
LLVMValueRef masks_and(struct emitter *e, LLVMValueRef x, LLVMValueRef y);
LLVMValueRef masks_or(struct emitter *e, LLVMValueRef x, LLVMValueRef y);
LLVMValueRef masks_without(struct emitter *e, LLVMValueRef mask, LLVMValueRef off);
/* How many lanes of warp w are on. */
LLVMValueRef masks_count(struct emitter *e, unsigned w);
/* As an i1: some of its lanes are on; none is; all lanes of warp w are; some of its half are. */
LLVMValueRef masks_any(struct emitter *e, LLVMValueRef mask);
LLVMValueRef masks_none(struct emitter *e, LLVMValueRef mask);
LLVMValueRef masks_all(struct emitter *e, unsigned w);
LLVMValueRef masks_half(struct emitter *e, unsigned w, unsigned half);

#endif
