/* What only a branch needs is computed in it. */
#ifndef SIMTCL_NATIVE_SINK_H
#define SIMTCL_NATIVE_SINK_H

#include "device/native/emit.h"

/* Moves instructions that touch no memory to where all of their uses are, if that is a block that
 * is reached by branches from theirs alone. For kernels that LLVM's own sinking of machine code is
 * left out for. Returns how many. */
uint32_t sink_apply(LLVMModuleRef module);

#endif
