/* Ways that code may go at run time, one of several, until they meet again. What each way gives is
 * told at its end; where they meet it is one value. */
#ifndef SIMTCL_NATIVE_WAYS_H
#define SIMTCL_NATIVE_WAYS_H

#include "device/native/emit.h"

enum { WAYS_MOST = 6, WAYS_VALUES = 16 };

struct ways { /* zeros: none has begun */
    LLVMBasicBlockRef other, after;
    LLVMBasicBlockRef from[WAYS_MOST];
    LLVMValueRef v[WAYS_MOST][WAYS_VALUES];
    unsigned count;
};

/* Begins a way where the condition, an i1, holds. */
void ways_if(struct emitter *e, struct ways *y, LLVMValueRef condition, const char *name);
/* In a way that has just begun: goes on where another condition holds, too. */
void ways_and(struct emitter *e, struct ways *y, LLVMValueRef condition, const char *name);
/* The same as ways_if where that is rare. */
void ways_rarely(struct emitter *e, struct ways *y, LLVMValueRef condition, const char *name);
/* Ends a way, which gives n values; the builder is where the condition did not hold. */
void ways_else(struct emitter *e, struct ways *y, const LLVMValueRef *v, unsigned n);
/* Ends the last way, likewise; the builder is where all meet, and v has what they gave: NULL where
 * one of them gave NULL. */
void ways_end(struct emitter *e, struct ways *y, LLVMValueRef *v, unsigned n);

#endif
