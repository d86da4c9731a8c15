/* What rewrites a module of LLVM's that none of LLVM's passes is to see any more. */
#ifndef SIMTCL_NATIVE_REWRITER_H
#define SIMTCL_NATIVE_REWRITER_H

#include "device/native/emit.h"

struct rewriter {
    LLVMModuleRef module;
    LLVMBuilderRef b;
    LLVMTypeRef bit, word; /* i1, i32 */
    unsigned lanes;        /* of i32, that a vector of the CPU holds */
    uint32_t count;        /* of what was rewritten */
};
/* Looks at an instruction; may take that one away, and build others. */
typedef void rewriter_step(struct rewriter *w, LLVMValueRef i);
/* Steps, each over all instructions, in their order or from the last to the first. */
struct rewriter_pass {
    bool backward;
    rewriter_step *steps[6]; /* and a NULL */
};
/* Returns how much has been rewritten. */
uint32_t rewriter_run(const struct rewriter_pass *p, LLVMModuleRef module, unsigned lanes);

/* Moves instructions that touch no memory to where all of their uses are, if that is a block that
 * is reached by branches from theirs alone: what only a branch needs is computed in it. For kernels
 * that LLVM's own sinking of machine code is left out for. */
extern const struct rewriter_pass sink_pass;
/* The block from which all branches to this one come, or NULL. */
LLVMBasicBlockRef sink_predecessor(LLVMBasicBlockRef block);
/* The less or the greater one of two by the CPU's instruction, what is a NaN by others. */
extern const struct rewriter_pass choices_pass;
/* Masks as words, for CPUs whose vectors have no mask registers: vectors of i1 that are combined,
 * or are alive in another block than their comparison's, become vectors of i32 that are 0 or -1,
 * one for each lane, and tests of any or all lanes look at signs. LLVM by itself packs such masks
 * into bytes and takes them apart again. */
extern const struct rewriter_pass widemasks_pass;
/* Loops which only compute, where lanes leave one by one, or where an iteration needs more vectors
 * at once than a CPU has: it goes through so many lanes after the others, those of a vector of the
 * CPU, unless what all have alike would then need as many. */
extern const struct rewriter_pass vectororder_pass;
/* What LLVM gets wrong is hidden from it; README.md says what that is. */
extern const struct rewriter_pass mends_pass;

#endif
