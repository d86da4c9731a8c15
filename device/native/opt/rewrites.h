/* Analyses of a kernel, and rewrites of more than one instruction. */
#ifndef SIMTCL_NATIVE_REWRITES_H
#define SIMTCL_NATIVE_REWRITES_H

#include "device/isa/loops.h"
#include "device/native/emit.h"

/* ---- plan ---- */

bool regroup_plan(struct plan *plan);
void regroup_free(struct plan *plan);
bool specialise_plan(struct plan *plan);
void specialise_free(struct plan *plan);
bool dealt_plan(struct plan *plan);
void dealt_free(struct plan *plan);
bool rowversions_plan(struct plan *plan);
void rowversions_free(struct plan *plan);
bool switchconv_plan(struct plan *plan);
bool liveranges_plan(struct plan *plan);
bool bounds_plan(struct plan *plan);
bool guarded_plan(struct plan *plan);
void guarded_drop(struct plan *plan); /* there are none */
bool fullmask_find(struct plan *plan);
bool fullmask_plan(struct plan *plan);
bool pressure_plan(struct plan *plan);
bool serialise_plan(struct plan *plan);
bool seldom_plan(struct plan *plan);
bool strips_plan(struct plan *plan);
bool segments_plan(struct plan *plan);

/* Vectors that registers hold at once, at most, at the instructions [from, to). */
uint32_t pressure_most(const struct plan *plan, uint32_t from, uint32_t to);

/* ---- kernels that are made of another one: of its registers, constants and sites ---- */

/* A copy without instructions; NULL: out of memory. */
struct isa_kernel *kernelcopy_empty(const struct isa_kernel *k);
/* When all instructions are there: regions know their ends and sites what became of them. False:
 * out of memory. */
bool kernelcopy_finish(struct isa_kernel *k);
/* A new instruction, to = a (op) b, with the line of `place`; operands may be ISA_NO_OPERAND. */
struct isa_inst *kernelcopy_make(struct isa_kernel *k, const struct isa_inst *place, enum isa_op op,
                                 enum isa_type type, isa_operand to, isa_operand a, isa_operand b);
/* k has been made by the rewrite `label`: dumps it, and has the verifier look at it where that is
 * wanted. False: it is refused, and the plan unsound. */
bool kernelcopy_sound(struct plan *plan, struct isa_kernel *k, const char *label);

/* ---- code ---- */

/* The switch that begins here, for one warp: its lanes may still go one way. */
void switchconv_emit(struct emitter *e);

/* The region that begins here, if it is one that all lanes mostly pass: once for that, and once
 * more. The cursor is then at its end. */
bool guarded_emit(struct emitter *e);

/* The iterations of the loop that begins here that all lanes make, for all warps. Behind it the
 * loop goes on, or comes to its end, from the beginning of an iteration. */
void fullmask_emit(struct emitter *e);

/* The loop that begins here, if it goes by strips; the cursor is then at its end. */
bool strips_emit(struct emitter *e);

/* The segment that begins here, if it is passed by some warps at a time; the cursor is then at its
 * last instruction. */
bool segments_emit(struct emitter *e);

/* Before a loop begins that lanes may end one by one: a variable that counts its iterations. */
LLVMValueRef serialise_begin(struct emitter *e);
/* At the beginning of an iteration: after some of them does all that is left of the loop. The
 * builder is then left where that has been done; returns the block where it has not. */
LLVMBasicBlockRef serialise_emit(struct emitter *e, LLVMValueRef iterations);

#endif
