/* What the host passes are to opt.c. Private to device/opt. */
#ifndef SIMTCL_OPT_PASS_H
#define SIMTCL_OPT_PASS_H

#include "device/isa/arena.h"
#include "device/isa/isa.h"
#include "device/isa/trace.h"

/* Each takes near linear time and leaves a kernel that the verifier accepts. One that runs out of
 * memory leaves through the arena, or has failed (isa_kernel_failed). */
#define PASS(name, function, what)                                                                 \
    void function(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p);
#include "opt.def"
#undef PASS

/* Are the low bits of what it gives made of as many low bits of its operands? */
static inline bool opt_makes_low(enum isa_op op) {
    return op == ISA_mov || op == ISA_add || op == ISA_sub || op == ISA_mul || op == ISA_and ||
           op == ISA_or || op == ISA_xor || op == ISA_not;
}

#endif
