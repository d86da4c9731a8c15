/* Instructions that C functions execute, for warp w, on operands in memory. */
#ifndef SIMTCL_NATIVE_ASSISTED_H
#define SIMTCL_NATIVE_ASSISTED_H

#include "device/native/emit.h"

void assisted_emit(struct emitter *e, unsigned w);
void assisted_math(struct emitter *e, unsigned w);
/* Leaves the instruction to C when `condition` holds, which is rare. The builder is where it does
 * not; what is built there has to go on to the block returned. */
void assisted_branch(struct emitter *e, LLVMValueRef condition, LLVMBasicBlockRef rare,
                     LLVMBasicBlockRef usual);
LLVMBasicBlockRef assisted_if(struct emitter *e, unsigned w, LLVMValueRef condition);
/* Room for 32 lanes of any type: the same for all instructions that need an n-th one. */
LLVMValueRef assisted_buffer(struct emitter *e, unsigned n);

#endif
