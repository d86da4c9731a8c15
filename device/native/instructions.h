/* What emits the cursor's instruction, for warp w if it is told one, by kinds: control flow,
 * special registers, those that C functions execute, probes, and what lanes know of each other. */
#ifndef SIMTCL_NATIVE_INSTRUCTIONS_H
#define SIMTCL_NATIVE_INSTRUCTIONS_H

#include "device/native/emit.h"

/* control.c: regions, jumps and barriers. */
void control_emit(struct emitter *e);
void control_else(struct emitter *e,
                  bool reached); /* reached: the part before it goes on to its end */
void control_end(struct emitter *e);

/* lanevalues.c: special registers; operations that tell of the warp's lanes among themselves
 * (ISA_OP_HOST). */
void lanevalues_special(struct emitter *e, unsigned w);
void lanevalues_other(struct emitter *e, unsigned w);
/* The indices in the group of the warp's lanes. */
LLVMValueRef lanevalues_threads(struct emitter *e, unsigned w);

/* assisted.c: instructions that C functions execute, on operands in memory. */
void assisted_emit(struct emitter *e, unsigned w);
void assisted_math(struct emitter *e, unsigned w);
/* A function of floats, of one result, by device/math. src: `count` values of all lanes, or one of
 * each for all of them, as is the result. */
LLVMValueRef assisted_function(struct emitter *e, enum isa_op op, const LLVMValueRef *src,
                               unsigned count, bool vectors);
/* Goes to `rare` when `condition` holds, else to `usual`. */
void assisted_branch(struct emitter *e, LLVMValueRef condition, LLVMBasicBlockRef rare,
                     LLVMBasicBlockRef usual);
/* Leaves the instruction to C when `condition` holds, which is rare: a way of y. The builder is
 * where it does not. */
void assisted_if(struct emitter *e, struct ways *y, unsigned w, LLVMValueRef condition);
/* Room for 32 lanes of any type: the same for all instructions that need an n-th one. */
LLVMValueRef assisted_buffer(struct emitter *e, unsigned n);

/* probes.c: probes, which observers put into a kernel (device/observe). At the function's
 * beginning, once the cursor's entry block is there: its counters are 0. */
void probes_begin(struct emitter *e);
/* Where the function returns: what it has counted goes to the thread's counters. */
void probes_end(struct emitter *e);
void probes_emit(struct emitter *e, unsigned w);
/* The probes among instructions [from, to), which the cursor has passed over: `probes_later`. */
void probes_emit_later(struct emitter *e, uint32_t from, uint32_t to);

static inline bool probes_is(const struct isa_inst *i) {
    return isa_op_info[i->op].flags & ISA_OP_PROBE;
}

#endif
