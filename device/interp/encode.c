#include "encode.h"

#include <stdlib.h>

/* ---- output ---- */

static bool grow(void **array, uint32_t *cap, uint32_t size) {
    uint64_t wanted = *cap ? (uint64_t)*cap * 2 : 64;
    void *bigger = wanted <= UINT32_MAX / 2 ? realloc(*array, wanted * size) : NULL;
    if (!bigger) return false;
    *array = bigger;
    *cap = (uint32_t)wanted;
    return true;
}

struct lanes_op *encode_op(struct encoder *d, op_fn run) {
    if (!run ||
        (d->nops == d->cap_ops && !grow((void **)&d->code->ops, &d->cap_ops, sizeof *d->code->ops)))
        d->failed = true;
    if (d->failed) return &d->spare;
    struct lanes_op *op = &d->code->ops[d->nops++];
    *op = (struct lanes_op){.run = run};
    return op;
}

struct lanes_op *encode_unary(struct encoder *d, op_fn run, uint32_t dst, uint32_t a) {
    struct lanes_op *op = encode_op(d, run);
    op->d = dst;
    op->a = a;
    return op;
}

uint32_t encode_list(struct encoder *d, uint32_t value) {
    if (d->nlists == d->cap_lists &&
        !grow((void **)&d->code->lists, &d->cap_lists, sizeof *d->code->lists))
        d->failed = true;
    if (d->failed) return 0;
    d->code->lists[d->nlists] = value;
    return d->nlists++;
}

uint32_t encode_temp(struct encoder *d) {
    if (++d->temps > d->most_temps) d->most_temps = d->temps;
    return d->frame.temps + (d->temps - 1) * FRAME_TEMP_BYTES;
}

/* ---- jumps ---- */

static uint32_t *field(struct encoder *d, chain at) {
    struct lanes_op *op = &d->code->ops[at / 2];
    return at & 1 ? &op->extra : (uint32_t *)&op->imm;
}

void encode_jump(struct encoder *d, chain *c, bool extra) {
    if (d->failed) return;
    chain at = (d->nops - 1) * 2 + extra;
    *field(d, at) = *c;
    *c = at;
}

void encode_label(struct encoder *d, chain *c) {
    if (d->failed) return;
    for (chain at = *c, next; at != ENCODE_NO_JUMP; at = next) {
        next = *field(d, at);
        *field(d, at) = d->nops - at / 2;
    }
    *c = ENCODE_NO_JUMP;
}

/* ---- operands ---- */

bool encode_is_uniform(const struct encoder *d, isa_operand o) {
    return !isa_is_reg(o) || shape_is_uniform(d->shape, o);
}

uint32_t encode_place(const struct encoder *d, isa_operand o) {
    if (o == ISA_NO_OPERAND) return d->frame.consts + 8 * d->k->nconsts;
    if (isa_is_const(o)) return d->frame.consts + 8 * isa_const_index(o);
    return d->frame.regs[o];
}

unsigned encode_log_size(enum isa_type type) {
    switch (isa_type_size[type]) {
    case 1: return 0;
    case 2: return 1;
    case 4: return 2;
    default: return 3;
    }
}

uint32_t encode_varying(struct encoder *d, isa_operand o, enum isa_type type) {
    if (type == ISA_PRED || !encode_is_uniform(d, o)) return encode_place(d, o);
    uint32_t t = encode_temp(d);
    encode_unary(d, d->t->splat[encode_log_size(type)], t, encode_place(d, o));
    return t;
}

struct encode_target encode_target_at(struct encoder *d, isa_operand reg, bool move) {
    struct encode_target t = {.reg = d->frame.regs[reg],
                              .type = d->k->reg_types[reg],
                              .uniform = shape_is_uniform(d->shape, reg),
                              .masked = (d->shape->inst_flags[d->i] & SHAPE_MASKED) != 0};
    t.move = move || t.uniform || t.masked;
    t.at = t.move ? encode_temp(d) : t.reg;
    return t;
}

struct encode_target encode_target(struct encoder *d, isa_operand reg) {
    return encode_target_at(d, reg, false);
}

struct encode_target encode_target_merged(struct encoder *d, isa_operand reg) {
    struct encode_target t = encode_target_at(d, reg, false);
    if (!t.uniform) t.move = false, t.at = t.reg;
    return t;
}

void encode_write_back(struct encoder *d, struct encode_target t) {
    if (!t.move) return;
    unsigned log = encode_log_size(t.type);
    if (t.type == ISA_PRED)
        encode_unary(d,
                     t.uniform  ? d->t->pred_pick
                     : t.masked ? d->t->pred_masked
                                : d->t->pred_move,
                     t.reg, t.at);
    else if (t.uniform)
        encode_unary(d, d->t->pick_first[log], t.reg, t.at);
    else
        encode_unary(d, t.masked ? d->t->move_masked[log] : d->t->move[log], t.reg, t.at);
}

struct encode_target encode_target_scalar(struct encoder *d, isa_operand reg) {
    struct encode_target t = encode_target(d, reg);
    t.move = !t.uniform && (t.type != ISA_PRED || t.masked);
    t.at = t.move ? encode_temp(d) : t.reg;
    return t;
}

void encode_write_back_scalar(struct encoder *d, struct encode_target t) {
    if (!t.move) return;
    unsigned log = encode_log_size(t.type);
    if (t.type == ISA_PRED)
        encode_unary(d, d->t->pred_masked, t.reg, t.at);
    else
        encode_unary(d, t.masked ? d->t->splat_masked[log] : d->t->splat[log], t.reg, t.at);
}
