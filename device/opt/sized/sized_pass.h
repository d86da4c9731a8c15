/* What the passes of sized.def are to sized.c, and what they share. Private to device/opt/sized. */
#ifndef SIMTCL_SIZED_PASS_H
#define SIMTCL_SIZED_PASS_H

#include "sized.h"

/* Each makes a kernel of s->k, if that is worth it. False: there is no memory; *made is then freed
 * by who calls. */
#define PASS(name, label, function, what)                                                          \
    bool function(const struct sized *s, const struct trace_pass *p, struct sized_kernel *made);
#include "sized.def"
#undef PASS

void sized_kernel_drop(struct sized_kernel *made);
/* Room for something of each register of s->k, zeros; NULL: out of memory. */
void *sized_of_registers(const struct sized *s, size_t size);

/* ---- kernels that are made of another one: of its registers, constants and sites ---- */

/* A copy without instructions; NULL: out of memory. */
struct isa_kernel *kernelcopy_empty(const struct isa_kernel *k);
/* When all instructions are there: regions know their ends and sites what became of them. False:
 * out of memory. */
bool kernelcopy_finish(struct isa_kernel *k);
/* A new instruction, to = a (op) b, with the line of `place`; operands may be ISA_NO_OPERAND. */
struct isa_inst *kernelcopy_make(struct isa_kernel *k, const struct isa_inst *place, enum isa_op op,
                                 enum isa_type type, isa_operand to, isa_operand a, isa_operand b);

#endif
