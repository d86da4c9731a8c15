
#include "device/native/instructions.h"

void ways_and(struct emitter *e, struct ways *y, LLVMValueRef condition, const char *name) {
    LLVMBasicBlockRef here = emit_block(e, name);
    emit_branch(e, condition, here, y->other);
}

void ways_if(struct emitter *e, struct ways *y, LLVMValueRef condition, const char *name) {
    y->other = emit_block(e, "");
    ways_and(e, y, condition, name);
}

void ways_rarely(struct emitter *e, struct ways *y, LLVMValueRef condition, const char *name) {
    LLVMBasicBlockRef here = emit_block(e, name);
    y->other = emit_block(e, "");
    assisted_branch(e, condition, here, y->other);
    LLVMPositionBuilderAtEnd(e->b, here);
}

static void leave(struct emitter *e, struct ways *y, const LLVMValueRef *v, unsigned n) {
    assert(y->count < WAYS_MOST && n <= WAYS_VALUES);
    if (!y->after) y->after = emit_block(e, "");
    y->from[y->count] = LLVMGetInsertBlock(e->b);
    for (unsigned i = 0; i < n; i++) y->v[y->count][i] = v[i];
    y->count++;
    LLVMBuildBr(e->b, y->after);
}

void ways_else(struct emitter *e, struct ways *y, const LLVMValueRef *v, unsigned n) {
    leave(e, y, v, n);
    LLVMPositionBuilderAtEnd(e->b, y->other);
}

void ways_end(struct emitter *e, struct ways *y, LLVMValueRef *v, unsigned n) {
    if (!y->count) return;
    leave(e, y, v, n);
    LLVMPositionBuilderAtEnd(e->b, y->after);
    for (unsigned i = 0; i < n; i++) {
        bool all = true;
        for (unsigned way = 0; way < y->count; way++) all &= y->v[way][i] != NULL;
        v[i] = all ? LLVMBuildPhi(e->b, LLVMTypeOf(v[i]), "") : NULL;
        for (unsigned way = 0; all && way < y->count; way++)
            LLVMAddIncoming(v[i], &y->v[way][i], &y->from[way], 1);
    }
}
