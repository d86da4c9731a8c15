/* Analyses of a kernel, and rewrites of more than one instruction. */
#ifndef SIMTCL_NATIVE_REWRITES_H
#define SIMTCL_NATIVE_REWRITES_H

#include "device/native/emit.h"

/* ---- plan ---- */

bool specialise_plan(struct plan *plan);
void specialise_free(struct plan *plan);
bool switchconv_plan(struct plan *plan);
bool liveranges_plan(struct plan *plan);
bool bounds_plan(struct plan *plan);
bool guarded_plan(struct plan *plan);
void guarded_drop(struct plan *plan); /* there are none */
bool fullmask_find(struct plan *plan);
bool fullmask_plan(struct plan *plan);
bool pressure_plan(struct plan *plan);
bool provenance_plan(struct plan *plan);
bool serialise_plan(struct plan *plan);

/* Vectors that registers hold at once, at most, at the instructions [from, to). */
uint32_t pressure_most(const struct plan *plan, uint32_t from, uint32_t to);

/* The only instruction of the loop at `begin` that writes a register; begin: none does, the loop's
 * end: several do. And whether an operand is the same in all iterations. */
uint32_t loopvars_writer(const struct isa_kernel *k, uint32_t begin, isa_operand reg);
bool loopvars_invariant(const struct isa_kernel *k, uint32_t begin, isa_operand o);

/* ---- code ---- */

/* The switch that begins here, for one warp: its lanes may still go one way. */
void switchconv_emit(struct emitter *e);

/* The region that begins here, if it is one that all lanes mostly pass: once for that, and once
 * more. The cursor is then at its end. */
bool guarded_emit(struct emitter *e);

/* The iterations of the loop that begins here that all lanes make, for all warps. Behind it the
 * loop goes on, or comes to its end, from the beginning of an iteration. */
void fullmask_emit(struct emitter *e);

/* Before a loop begins that lanes may end one by one: a variable that counts its iterations. */
LLVMValueRef serialise_begin(struct emitter *e);
/* At the beginning of an iteration: after some of them does all that is left of the loop. The
 * builder is then left where that has been done; returns the block where it has not. */
LLVMBasicBlockRef serialise_emit(struct emitter *e, LLVMValueRef iterations);

#endif
