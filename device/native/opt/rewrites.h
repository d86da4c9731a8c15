/* Analyses of a kernel, and rewrites of more than one instruction. */
#ifndef SIMTCL_NATIVE_REWRITES_H
#define SIMTCL_NATIVE_REWRITES_H

#include "device/costs/opcosts.h"
#include "device/native/emit.h"

/* ---- plan ---- */

bool guarded_plan(struct plan *plan);
void guarded_drop(struct plan *plan); /* there are none */
bool guarded_plan_loops(struct plan *plan);
bool guarded_plan_together(struct plan *plan);
bool pressure_plan(struct plan *plan);
bool lanecode_plan(struct plan *plan);
bool strips_plan(struct plan *plan);
bool segments_plan(struct plan *plan);

/* Vectors that registers hold at once, at most, at the instructions [from, to), of so many warps in
 * lockstep. */
uint32_t pressure_most(const struct plan *plan, uint32_t from, uint32_t to, uint32_t warps);
/* What the instructions [begin, end] of a warp are, to be counted in clocks. */
struct opcosts_iteration pressure_iteration(const struct plan *plan, uint32_t begin, uint32_t end);

/* ---- code ---- */

/* The region that begins here, if it is one that all lanes mostly pass: once for that, and once
 * more. The cursor is then at its end. */
bool guarded_emit(struct emitter *e);

/* The loop that begins here, which is a warp's own as it holds too many vectors: registers hold
 * what it carries while it runs, memory where those of other warps do. LLVM would keep values in
 * registers, or in memory, for as long as they live. */
void pressure_emit(struct emitter *e, uint32_t begin, uint32_t end);

/* The loop that begins here, if it goes by strips; the cursor is then at its end. */
bool strips_emit(struct emitter *e);

/* The segment that begins here, if it is passed by some warps at a time; the cursor is then at its
 * last instruction. */
bool segments_emit(struct emitter *e);

/* Before a loop begins that lanes may end one by one: a variable that counts its iterations. */
LLVMValueRef lanecode_begin(struct emitter *e);
/* At the beginning of an iteration: after some of them does all that is left of the loop. The
 * builder is then left where that has been done; returns the block where it has not. */
LLVMBasicBlockRef lanecode_leave(struct emitter *e, LLVMValueRef iterations);

#endif
