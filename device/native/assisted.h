/* Instructions that C functions execute, for warp w, on operands in memory. */
#ifndef SIMTCL_NATIVE_ASSISTED_H
#define SIMTCL_NATIVE_ASSISTED_H

#include "device/native/ways.h"

void assisted_emit(struct emitter *e, unsigned w);
void assisted_math(struct emitter *e, unsigned w);
/* Goes to `rare` when `condition` holds, else to `usual`. */
void assisted_branch(struct emitter *e, LLVMValueRef condition, LLVMBasicBlockRef rare,
                     LLVMBasicBlockRef usual);
/* Leaves the instruction to C when `condition` holds, which is rare: a way of y. The builder is
 * where it does not. */
void assisted_if(struct emitter *e, struct ways *y, unsigned w, LLVMValueRef condition);
/* Room for 32 lanes of any type: the same for all instructions that need an n-th one. */
LLVMValueRef assisted_buffer(struct emitter *e, unsigned n);

#endif
