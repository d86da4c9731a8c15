/* Masks as words, for CPUs whose vectors have no mask registers. */
#ifndef SIMTCL_NATIVE_WIDEMASKS_H
#define SIMTCL_NATIVE_WIDEMASKS_H

#include "device/native/emit.h"

/* Rewrites the functions of a module that no pass of LLVM's is to see any more: vectors of i1 that
 * are combined, or are alive in another block than their comparison's, become vectors of i32 that
 * are 0 or -1, one for each lane, and tests of any or all lanes look at signs. LLVM by itself packs
 * such masks into bytes and takes them apart again. lanes: of i32, that a vector of the CPU holds.
 * Adds to *count how many became words. false: out of memory; the module is of no use then. */
bool widemasks_apply(LLVMModuleRef module, unsigned lanes, uint32_t *count);

#endif
