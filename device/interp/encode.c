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

struct op *emit_op(struct emitter *d, op_fn run) {
    if (!run ||
        (d->nops == d->cap_ops && !grow((void **)&d->code->ops, &d->cap_ops, sizeof *d->code->ops)))
        d->failed = true;
    if (d->failed) return &d->spare;
    struct op *op = &d->code->ops[d->nops++];
    *op = (struct op){.run = run};
    return op;
}

struct op *emit_unary(struct emitter *d, op_fn run, uint32_t dst, uint32_t a) {
    struct op *op = emit_op(d, run);
    op->d = dst;
    op->a = a;
    return op;
}

uint32_t emit_list(struct emitter *d, uint32_t value) {
    if (d->nlists == d->cap_lists &&
        !grow((void **)&d->code->lists, &d->cap_lists, sizeof *d->code->lists))
        d->failed = true;
    if (d->failed) return 0;
    d->code->lists[d->nlists] = value;
    return d->nlists++;
}

uint32_t emit_temp(struct emitter *d) {
    if (++d->temps > d->most_temps) d->most_temps = d->temps;
    return d->frame.temps + (d->temps - 1) * FRAME_TEMP_BYTES;
}

/* ---- jumps ---- */

static uint32_t *field(struct emitter *d, chain at) {
    struct op *op = &d->code->ops[at / 2];
    return at & 1 ? &op->extra : (uint32_t *)&op->imm;
}

void emit_jump(struct emitter *d, chain *c, bool extra) {
    if (d->failed) return;
    chain at = (d->nops - 1) * 2 + extra;
    *field(d, at) = *c;
    *c = at;
}

void emit_label(struct emitter *d, chain *c) {
    if (d->failed) return;
    for (chain at = *c, next; at != EMIT_NO_JUMP; at = next) {
        next = *field(d, at);
        *field(d, at) = d->nops - at / 2;
    }
    *c = EMIT_NO_JUMP;
}

/* ---- operands ---- */

bool emit_is_uniform(const struct emitter *d, isa_operand o) {
    return !isa_is_reg(o) || shape_is_uniform(d->shape, o);
}

uint32_t emit_place(const struct emitter *d, isa_operand o) {
    if (o == ISA_NO_OPERAND) return d->frame.consts + 8 * d->k->nconsts;
    if (isa_is_const(o)) return d->frame.consts + 8 * isa_const_index(o);
    return d->frame.regs[o];
}

unsigned emit_log_size(enum isa_type type) {
    switch (isa_type_size[type]) {
    case 1: return 0;
    case 2: return 1;
    case 4: return 2;
    default: return 3;
    }
}

uint32_t emit_varying(struct emitter *d, isa_operand o, enum isa_type type) {
    if (type == ISA_PRED || !emit_is_uniform(d, o)) return emit_place(d, o);
    uint32_t t = emit_temp(d);
    emit_unary(d, d->t->splat[emit_log_size(type)], t, emit_place(d, o));
    return t;
}

struct target emit_target_at(struct emitter *d, isa_operand reg, bool move) {
    struct target t = {.reg = d->frame.regs[reg],
                       .type = d->k->reg_types[reg],
                       .uniform = shape_is_uniform(d->shape, reg),
                       .masked = (d->shape->inst_flags[d->i] & SHAPE_MASKED) != 0};
    t.move = move || t.uniform || t.masked;
    t.at = t.move ? emit_temp(d) : t.reg;
    return t;
}

struct target emit_target(struct emitter *d, isa_operand reg) {
    return emit_target_at(d, reg, false);
}

struct target emit_target_merged(struct emitter *d, isa_operand reg) {
    struct target t = emit_target_at(d, reg, false);
    if (!t.uniform) t.move = false, t.at = t.reg;
    return t;
}

void emit_settle(struct emitter *d, struct target t) {
    if (!t.move) return;
    unsigned log = emit_log_size(t.type);
    if (t.type == ISA_PRED)
        emit_unary(d,
                   t.uniform  ? d->t->pred_pick
                   : t.masked ? d->t->pred_masked
                              : d->t->pred_move,
                   t.reg, t.at);
    else if (t.uniform)
        emit_unary(d, d->t->pick_first[log], t.reg, t.at);
    else
        emit_unary(d, t.masked ? d->t->move_masked[log] : d->t->move[log], t.reg, t.at);
}

struct target emit_target_scalar(struct emitter *d, isa_operand reg) {
    struct target t = emit_target(d, reg);
    t.move = !t.uniform && (t.type != ISA_PRED || t.masked);
    t.at = t.move ? emit_temp(d) : t.reg;
    return t;
}

void emit_settle_scalar(struct emitter *d, struct target t) {
    if (!t.move) return;
    unsigned log = emit_log_size(t.type);
    if (t.type == ISA_PRED)
        emit_unary(d, d->t->pred_masked, t.reg, t.at);
    else
        emit_unary(d, t.masked ? d->t->splat_masked[log] : d->t->splat[log], t.reg, t.at);
}
