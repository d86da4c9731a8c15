/* The output side of decoding: ops, jumps between them, and operands brought into the form handlers
 * want. */
#ifndef SIMTCL_EMIT_H
#define SIMTCL_EMIT_H

#include "decode.h"
#include "frame.h"
#include "fuse.h"
#include "device/analysis/shape.h"

/* A jump whose target is not known yet: its op, times two, plus 1 when `extra` holds the distance.
 * Chains of them run through the field itself. */
typedef uint32_t chain;
#define EMIT_NO_JUMP UINT32_MAX

struct emitter {
    const struct isa_kernel *k;
    const struct lanes *t;
    const struct math_table *math;
    struct shape *shape;
    struct fuse fuse;
    struct frame frame;
    struct decoded *code;
    uint32_t nops, cap_ops, nlists, cap_lists;
    uint32_t temps, most_temps; /* places for any register: of this instruction; of the worst one */
    const struct isa_inst *inst; /* being decoded */
    uint32_t i;                  /* its index */
    bool failed;
    struct op spare; /* written when no memory is left */
};

/* Appends an op; it is valid until the next one. A handler that does not exist fails the decoding.
 */
struct op *emit_op(struct emitter *d, op_fn run);
struct op *emit_unary(struct emitter *d, op_fn run, uint32_t dst, uint32_t a);
/* Appends to the lists; returns the place. */
uint32_t emit_list(struct emitter *d, uint32_t value);
/* A place for any register, until the next instruction. */
uint32_t emit_temp(struct emitter *d);

/* Makes the op last emitted jump, by its field imm or extra, once `c` has its label. */
void emit_jump(struct emitter *d, chain *c, bool extra);
/* Lets all jumps of a chain go to the op emitted next. */
void emit_label(struct emitter *d, chain *c);

bool emit_is_uniform(const struct emitter *d, isa_operand o);
uint32_t emit_place(const struct emitter *d, isa_operand o);
unsigned emit_log_size(enum isa_type type);
/* The place of an operand as 32 lanes; predicates have but one form. */
uint32_t emit_varying(struct emitter *d, isa_operand o, enum isa_type type);

/* A destination: where a handler is to write, and what must follow to bring it to its register. */
struct target {
    uint32_t at, reg;
    enum isa_type type;
    bool move, uniform, masked;
};

/* For a handler that writes all 32 lanes. move: not into the register itself, whatever it is. */
struct target emit_target_at(struct emitter *d, isa_operand reg, bool move);
struct target emit_target(struct emitter *d, isa_operand reg);
/* For one that writes active lanes only. */
struct target emit_target_merged(struct emitter *d, isa_operand reg);
void emit_settle(struct emitter *d, struct target t);
/* For one that writes one scalar. */
struct target emit_target_scalar(struct emitter *d, isa_operand reg);
void emit_settle_scalar(struct emitter *d, struct target t);

#endif
