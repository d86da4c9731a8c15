#include "device/native/module.h"

static void pass_block(struct rewriter *w, LLVMBasicBlockRef block, bool backward,
                       rewriter_step *step) {
    LLVMValueRef i = backward ? LLVMGetLastInstruction(block) : LLVMGetFirstInstruction(block);
    for (LLVMValueRef next; i; i = next) {
        next = backward ? LLVMGetPreviousInstruction(i) : LLVMGetNextInstruction(i);
        step(w, i);
    }
}

uint32_t rewriter_run(LLVMModuleRef module, unsigned lanes, bool backward,
                      rewriter_step *const *steps) {
    LLVMContextRef c = LLVMGetModuleContext(module);
    struct rewriter w = {.module = module, .context = c, .lanes = lanes};
    w.b = LLVMCreateBuilderInContext(c);
    w.bit = LLVMInt1TypeInContext(c), w.word = LLVMInt32TypeInContext(c);
    for (; *steps; steps++)
        for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
            LLVMBasicBlockRef at = backward ? LLVMGetLastBasicBlock(f) : LLVMGetFirstBasicBlock(f);
            for (; at; at = backward ? LLVMGetPreviousBasicBlock(at) : LLVMGetNextBasicBlock(at))
                pass_block(&w, at, backward, *steps);
        }
    LLVMDisposeBuilder(w.b);
    return w.count;
}
