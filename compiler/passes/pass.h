/* The optimiser of the warp IR. Each pass is one file, takes near linear time and leaves a kernel
 * the verifier accepts. Private to compiler/. */
#ifndef SIMTCL_PASS_H
#define SIMTCL_PASS_H

#include "device/isa/arena.h"
#include "device/isa/isa.h"
#include "device/isa/rewrite.h"
#include "device/isa/trace.h"

/* ---- pass_simplify.c: algebra ---- */
/* A pure operation with one result. */
struct pass_node {
    uint16_t op;
    uint8_t type, type2, mod, nsrc;
    isa_operand src[3];
};

/* What is known of an operand: the node that made it, if its sources still hold what they held
 * then. */
typedef bool pass_def_fn(void *context, isa_operand o, struct pass_node *def);

/* Rewrites *n to something equal and cheaper. Returns the operand that already holds the result, or
 * ISA_NO_OPERAND when *n, rewritten or not, has to be emitted. May add constants to k. */
isa_operand pass_simplify(struct isa_kernel *k, struct pass_node *n, pass_def_fn *def,
                          void *context);

/* ---- pass_frame.c: the work-item's private frame ---- */
/* An object of the frame is named by a register of its own that no instruction assigns and that
 * stands for its address. */
struct frame_object {
    isa_operand name;
    uint32_t size, align;
    uint32_t scope; /* objects of scopes that do not lie one in the other may share their place */
    uint32_t line;
    uint32_t variable; /* of the kernel's, + 1: is told where it lies; 0: none */
};

struct pass_frame {
    const struct frame_object *objects;
    uint32_t nobjects;
    const uint32_t *scopes; /* the scope around each; scope 0 has none */
    uint32_t nscopes;
};
/* What an instruction may change in memory, as a set of spaces (pass_value.c). */
unsigned pass_clobbers(const struct isa_inst *i);

/* ---- pass_demote.c ---- */
/* What a double in memory looks like whose kernels compute with floats: the float in the lower half
 * of its 64 bits. */
uint64_t pass_demoted(uint64_t bits);
uint64_t pass_promoted(uint64_t demoted); /* and back */

/* ---- pass.c: all of them, in the order of passes.def. A kernel that runs out of memory has failed
 * (isa_kernel_failed). ---- */
struct pass_options {
    bool off;               /* -cl-opt-disable: only what must be done */
    uint32_t max_registers; /* of a work-item; 0: any number */
    uint32_t max_private;   /* bytes that a frame may have */
    struct pass_frame frame;
    const struct trace *trace; /* may be NULL */
    bool demotes;              /* doubles become floats */
    bool exact;                /* floats are computed as the GPU does */
    bool values; /* -fcheck-values: what nothing has set stays so, and nothing is computed
                    that no lane wants */
};
void pass_run(const struct isa_module *m, struct isa_kernel *k, struct arena *arena,
              const struct pass_options *options);

/* A pass at work. */
struct pass {
    const struct isa_module *module;
    struct isa_kernel *k;
    struct arena *arena; /* what is allocated here is given back after the pass */
    const struct pass_options *options;
    bool off;                /* do only what must be done */
    struct trace_pass trace; /* to tell what was done */
};
/* The passes. True: there may be something new for value numbering to find. */
#define PASS(name, must, what) bool pass_##name(const struct pass *p);
#include "passes.def"

#endif
