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
#define ENCODE_NO_JUMP UINT32_MAX

struct encoder {
    const struct isa_kernel *k;
    const struct lanes_table *t;
    const struct math_table *math;
    struct shape *shape;
    struct fuse fuse;
    struct frame_map frame;
    struct decoded *code;
    uint32_t nops, cap_ops, nlists, cap_lists;
    uint32_t temps, most_temps; /* places for any register: of this instruction; of the worst one */
    const struct isa_inst *inst; /* being decoded */
    uint32_t i;                  /* its index */
    bool failed;
    struct lanes_op spare; /* written when no memory is left */
};

/* Appends an op; it is valid until the next one. A handler that does not exist fails the decoding.
 */
struct lanes_op *encode_op(struct encoder *d, op_fn run);
struct lanes_op *encode_unary(struct encoder *d, op_fn run, uint32_t dst, uint32_t a);
/* Appends to the lists; returns the place. */
uint32_t encode_list(struct encoder *d, uint32_t value);
/* A place for any register, until the next instruction. */
uint32_t encode_temp(struct encoder *d);

/* Makes the op last emitted jump, by its field imm or extra, once `c` has its label. */
void encode_jump(struct encoder *d, chain *c, bool extra);
/* Lets all jumps of a chain go to the op emitted next. */
void encode_label(struct encoder *d, chain *c);

bool encode_is_uniform(const struct encoder *d, isa_operand o);
uint32_t encode_place(const struct encoder *d, isa_operand o);
unsigned encode_log_size(enum isa_type type);
/* The place of an operand as 32 lanes; predicates have but one form. */
uint32_t encode_varying(struct encoder *d, isa_operand o, enum isa_type type);

/* A destination: where a handler is to write, and what must follow to bring it to its register. */
struct encode_target {
    uint32_t at, reg;
    enum isa_type type;
    bool move, uniform, masked;
};

/* For a handler that writes all 32 lanes. move: not into the register itself, whatever it is. */
struct encode_target encode_target_at(struct encoder *d, isa_operand reg, bool move);
struct encode_target encode_target(struct encoder *d, isa_operand reg);
/* For one that writes active lanes only. */
struct encode_target encode_target_merged(struct encoder *d, isa_operand reg);
void encode_write_back(struct encoder *d, struct encode_target t);
/* For one that writes one scalar. */
struct encode_target encode_target_scalar(struct encoder *d, isa_operand reg);
void encode_write_back_scalar(struct encoder *d, struct encode_target t);

#endif
