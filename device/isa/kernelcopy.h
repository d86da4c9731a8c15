/* Kernels that are made of another one: of its registers, constants and sites. Private to passes.
 */
#ifndef SIMTCL_KERNELCOPY_H
#define SIMTCL_KERNELCOPY_H

#include "arena.h"
#include "isa.h"

/* When all instructions are there: regions know their ends and sites what became of them. False:
 * out of memory. */
bool kernelcopy_finish(struct isa_kernel *k);

/* One that is written: instructions of k, and new ones in the place of one of them. Nothing more is
 * written once it has failed. */
struct kernelcopy {
    const struct isa_kernel *k; /* as it was */
    struct isa_kernel *out;
    uint32_t *origins;  /* of its instructions; NULL: nobody asks */
    isa_operand *names; /* of k's registers in what is written; NULL: what they were */
    uint32_t most;      /* instructions */
    uint32_t at;        /* of k: new ones are in its place */
    bool failed;        /* no memory, or there would be more */
};

/* False: out of memory. kernelcopy_drop is to be called if `out` and `origins` are not given on;
 * else `names`, if there are some, are to be freed. */
bool kernelcopy_begin(struct kernelcopy *c, const struct isa_kernel *k, uint32_t most);
void kernelcopy_drop(struct kernelcopy *c);
/* One of the kernel's own code, which is taken out of it and put back. It and its names are in the
 * arena. */
void kernelcopy_take(struct kernelcopy *c, struct isa_kernel *k, struct arena *arena);
/* Registers are what they were, from here on, and may get names; a new one; what an operand is. */
void kernelcopy_keep_names(struct kernelcopy *c);
void kernelcopy_rename(struct kernelcopy *c, isa_operand reg);
isa_operand kernelcopy_named(const struct kernelcopy *c, isa_operand o);
/* Instruction n of k; those [from, to); the same with other sources, which have their names
 * already; the same with new names of its results. Never NULL. */
struct isa_inst *kernelcopy_put(struct kernelcopy *c, uint32_t n);
void kernelcopy_put_range(struct kernelcopy *c, uint32_t from, uint32_t to);
struct isa_inst *kernelcopy_put_with(struct kernelcopy *c, uint32_t n, const isa_operand *src);
void kernelcopy_put_anew(struct kernelcopy *c, uint32_t n);
/* A new instruction, to = a (op) b; operands may be ISA_NO_OPERAND; the same with a new register as
 * result; a copy, of what type `to` has; of regions; a special register. */
struct isa_inst *kernelcopy_add(struct kernelcopy *c, enum isa_op op, enum isa_type type,
                                isa_operand to, isa_operand a, isa_operand b);
isa_operand kernelcopy_result(struct kernelcopy *c, enum isa_op op, enum isa_type type,
                              isa_operand a, isa_operand b);
void kernelcopy_move(struct kernelcopy *c, isa_operand to, isa_operand from);
void kernelcopy_control(struct kernelcopy *c, enum isa_op op, isa_operand a);
/* The other part of an `if` whose first one is a version of [from, to): these, as they were, but
 * for instructions of k that skip marks; NULL: none. */
void kernelcopy_otherwise(struct kernelcopy *c, uint32_t from, uint32_t to, const uint8_t *skip);
isa_operand kernelcopy_special(struct kernelcopy *c, uint32_t which);
/* Whether these parameters, as bits, are alone in their buffers. */
isa_operand kernelcopy_alone(struct kernelcopy *c, uint32_t params);
/* By how much each lane of a warp is more than the first one, of what is evenly spaced. */
isa_operand kernelcopy_lanes(struct kernelcopy *c, enum isa_type type, int32_t stride);
/* Of integers: by sext, zext or trunc; the same if the type is. */
isa_operand kernelcopy_converted(struct kernelcopy *c, enum isa_op op, enum isa_type to,
                                 enum isa_type from, isa_operand a);
isa_operand kernelcopy_select(struct kernelcopy *c, enum isa_type type, isa_operand p,
                              isa_operand yes, isa_operand no);
/* What the argument block holds at the offset. */
isa_operand kernelcopy_argument(struct kernelcopy *c, uint32_t offset);
/* a (op) b of predicates; where a is ISA_NO_OPERAND, b. */
isa_operand kernelcopy_joined(struct kernelcopy *c, enum isa_op op, isa_operand a, isa_operand b);
/* A constant of an integer type; an i32. */
static inline isa_operand kernelcopy_number(struct kernelcopy *c, enum isa_type type,
                                            int64_t value) {
    return isa_const_new(c->out, type, isa_cut(type, (uint64_t)value));
}
static inline isa_operand kernelcopy_word(struct kernelcopy *c, uint32_t value) {
    return isa_const_new(c->out, ISA_I32, value);
}

#endif
