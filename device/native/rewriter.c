#include "device/native/rewriter.h"

static void step_block(struct rewriter *w, LLVMBasicBlockRef block, bool backward,
                       rewriter_step *step) {
    LLVMValueRef i = backward ? LLVMGetLastInstruction(block) : LLVMGetFirstInstruction(block);
    for (LLVMValueRef next; i; i = next) {
        next = backward ? LLVMGetPreviousInstruction(i) : LLVMGetNextInstruction(i);
        step(w, i);
    }
}

uint32_t rewriter_run(const struct rewriter_pass *p, LLVMModuleRef module, unsigned lanes) {
    LLVMContextRef c = LLVMGetModuleContext(module);
    struct rewriter w = {.module = module, .lanes = lanes};
    w.b = LLVMCreateBuilderInContext(c);
    w.bit = LLVMInt1TypeInContext(c), w.word = LLVMInt32TypeInContext(c);
    for (unsigned n = 0; p->steps[n]; n++)
        for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
            LLVMBasicBlockRef at =
                p->backward ? LLVMGetLastBasicBlock(f) : LLVMGetFirstBasicBlock(f);
            for (; at; at = p->backward ? LLVMGetPreviousBasicBlock(at) : LLVMGetNextBasicBlock(at))
                step_block(&w, at, p->backward, p->steps[n]);
        }
    LLVMDisposeBuilder(w.b);
    return w.count;
}
