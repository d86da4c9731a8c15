#include "kernelcopy.h"

#include <stdlib.h>
#include <string.h>

#include "rewrite.h"

bool kernelcopy_finish(struct isa_kernel *k) {
    if (!isa_sites_finish(k)) return false;
    rewrite_match(k);
    return true;
}

/* ---- one that is written ---- */

bool kernelcopy_begin(struct kernelcopy *c, const struct isa_kernel *k, uint32_t most) {
    *c = (struct kernelcopy){.k = k, .most = most};
    c->out = isa_kernel_copy(k);
    if (c->out) c->out->ninsts = c->out->noperands = 0;
    c->origins = malloc((most + 1ull) * sizeof *c->origins);
    c->failed = !c->out || !c->origins;
    return !c->failed;
}

void kernelcopy_drop(struct kernelcopy *c) {
    isa_kernel_free(c->out);
    free(c->origins);
    free(c->names);
    *c = (struct kernelcopy){0};
}

void kernelcopy_take(struct kernelcopy *c, struct isa_kernel *k, struct arena *arena) {
    struct isa_kernel *was = ARENA_NEW(arena, struct isa_kernel);
    struct rewrite_code old = rewrite_take(k, arena);
    *was = *k;
    was->insts = old.insts;
    was->operands = old.operands;
    was->ninsts = old.ninsts;
    /* k's own move when it gets more of them */
    was->consts = ARENA_ARRAY(arena, struct isa_const, k->nconsts + 1u);
    was->reg_types = ARENA_ARRAY(arena, uint8_t, k->nregs + 1u);
    if (k->nconsts) memcpy(was->consts, k->consts, k->nconsts * sizeof *k->consts);
    if (k->nregs) memcpy(was->reg_types, k->reg_types, k->nregs * sizeof *k->reg_types);
    *c = (struct kernelcopy){.k = was, .out = k, .most = UINT32_MAX};
    c->names = ARENA_ARRAY(arena, isa_operand, k->nregs + 1u);
    kernelcopy_keep_names(c);
}

static bool has_room(struct kernelcopy *c) {
    c->failed |= c->out->ninsts >= c->most;
    return !c->failed;
}

static void written(struct kernelcopy *c, uint32_t n) {
    c->failed = isa_kernel_failed(c->out);
    if (!c->failed && c->origins) c->origins[c->out->ninsts - 1] = n;
}

void kernelcopy_keep_names(struct kernelcopy *c) {
    if (!c->names) c->names = malloc((c->k->nregs + 1ull) * sizeof *c->names);
    c->failed |= !c->names;
    for (uint32_t r = 0; c->names && r < c->k->nregs; r++) c->names[r] = r;
}

void kernelcopy_rename(struct kernelcopy *c, isa_operand reg) {
    c->names[reg] = isa_reg_new(c->out, (enum isa_type)c->out->reg_types[reg]);
}

isa_operand kernelcopy_named(const struct kernelcopy *c, isa_operand o) {
    return c->names && isa_is_reg(o) ? c->names[o] : o;
}

/* The sources of instruction n by their names. */
static void name_sources(const struct kernelcopy *c, uint32_t n, isa_operand *named) {
    const struct isa_inst *i = &c->k->insts[n];
    for (unsigned s = 0; s < i->nsrc; s++) named[s] = kernelcopy_named(c, isa_srcs(c->k, i)[s]);
}

struct isa_inst *kernelcopy_put_with(struct kernelcopy *c, uint32_t n, const isa_operand *src) {
    const struct isa_inst *i = &c->k->insts[n];
    isa_operand dst[UINT8_MAX];
    if (!has_room(c)) return &c->out->lost;
    for (unsigned d = 0; d < i->ndst; d++) dst[d] = kernelcopy_named(c, isa_dsts(c->k, i)[d]);
    struct isa_inst *is = rewrite_put(c->out, i, dst, src);
    written(c, n);
    return is;
}

struct isa_inst *kernelcopy_put(struct kernelcopy *c, uint32_t n) {
    isa_operand named[UINT8_MAX];
    name_sources(c, n, named);
    return kernelcopy_put_with(c, n, named);
}

void kernelcopy_put_range(struct kernelcopy *c, uint32_t from, uint32_t to) {
    for (uint32_t n = from; n < to && !c->failed; n++) kernelcopy_put(c, n);
}

void kernelcopy_put_anew(struct kernelcopy *c, uint32_t n) {
    const struct isa_inst *i = &c->k->insts[n];
    isa_operand named[UINT8_MAX];
    name_sources(c, n, named);
    for (unsigned d = 0; d < i->ndst; d++) kernelcopy_rename(c, isa_dsts(c->k, i)[d]);
    kernelcopy_put_with(c, n, named);
}

struct isa_inst *kernelcopy_add(struct kernelcopy *c, enum isa_op op, enum isa_type type,
                                isa_operand to, isa_operand a, isa_operand b) {
    bool compares = isa_op_info[op].operands[0] == 'p' && type != ISA_PRED;
    isa_operand src[] = {a, b};
    if (!has_room(c)) return &c->out->lost;
    const struct isa_inst *place = c->at < c->k->ninsts ? &c->k->insts[c->at] : &c->k->lost;
    c->out->cur_file = place->file;
    c->out->cur_line = place->line;
    struct isa_inst *i =
        isa_emit(c->out, op, compares ? ISA_PRED : type, compares ? type : ISA_NONE_T,
                 to != ISA_NO_OPERAND, &to, (a != ISA_NO_OPERAND) + (b != ISA_NO_OPERAND), src);
    written(c, c->at);
    return i;
}

isa_operand kernelcopy_result(struct kernelcopy *c, enum isa_op op, enum isa_type type,
                              isa_operand a, isa_operand b) {
    bool compares = isa_op_info[op].operands[0] == 'p';
    isa_operand to = isa_reg_new(c->out, compares ? ISA_PRED : type);
    kernelcopy_add(c, op, type, to, a, b);
    return to;
}

void kernelcopy_move(struct kernelcopy *c, isa_operand to, isa_operand from) {
    kernelcopy_add(c, ISA_mov, isa_operand_type(c->out, to), to, from, ISA_NO_OPERAND);
}

void kernelcopy_control(struct kernelcopy *c, enum isa_op op, isa_operand a) {
    kernelcopy_add(c, op, ISA_NONE_T, ISA_NO_OPERAND, a, ISA_NO_OPERAND);
}

void kernelcopy_otherwise(struct kernelcopy *c, uint32_t from, uint32_t to, const uint8_t *skip) {
    if (c->names) kernelcopy_keep_names(c);
    c->at = from;
    kernelcopy_control(c, ISA_else, ISA_NO_OPERAND);
    for (uint32_t n = from; n < to; n++)
        if (!skip || !skip[n]) kernelcopy_put(c, n);
    kernelcopy_control(c, ISA_endif, ISA_NO_OPERAND);
}

isa_operand kernelcopy_converted(struct kernelcopy *c, enum isa_op op, enum isa_type to,
                                 enum isa_type from, isa_operand a) {
    if (to == from) return a;
    isa_operand r = isa_reg_new(c->out, to);
    kernelcopy_add(c, op, to, r, a, ISA_NO_OPERAND)->type2 = (uint8_t)from;
    return r;
}

isa_operand kernelcopy_select(struct kernelcopy *c, enum isa_type type, isa_operand p,
                              isa_operand yes, isa_operand no) {
    isa_operand to = isa_reg_new(c->out, type), src[] = {p, yes, no};
    if (!has_room(c)) return to;
    isa_emit(c->out, ISA_select, type, ISA_NONE_T, 1, &to, 3, src);
    written(c, c->at);
    return to;
}

isa_operand kernelcopy_joined(struct kernelcopy *c, enum isa_op op, isa_operand a, isa_operand b) {
    return a == ISA_NO_OPERAND ? b : kernelcopy_result(c, op, ISA_PRED, a, b);
}

isa_operand kernelcopy_special(struct kernelcopy *c, uint32_t which) {
    isa_operand to = isa_reg_new(c->out, ISA_I32);
    kernelcopy_add(c, ISA_special, ISA_I32, to, ISA_NO_OPERAND, ISA_NO_OPERAND)->imm =
        (int32_t)which;
    return to;
}

isa_operand kernelcopy_alone(struct kernelcopy *c, uint32_t params) {
    isa_operand all = kernelcopy_word(c, params);
    isa_operand alone = kernelcopy_special(c, ISA_SPECIAL_alone);
    alone = kernelcopy_result(c, ISA_and, ISA_I32, alone, all);
    return kernelcopy_result(c, ISA_eq, ISA_I32, alone, all);
}

isa_operand kernelcopy_argument(struct kernelcopy *c, uint32_t offset) {
    isa_operand to = isa_reg_new(c->out, ISA_I32), none = ISA_NO_OPERAND;
    if (!has_room(c)) return to;
    struct isa_inst *i = isa_emit(c->out, ISA_ld, ISA_I32, ISA_NONE_T, 1, &to, 1, &none);
    i->space = ISA_PARAM;
    i->imm = (int32_t)offset;
    written(c, c->at);
    return to;
}

isa_operand kernelcopy_lanes(struct kernelcopy *c, enum isa_type type, int32_t stride) {
    isa_operand thread = kernelcopy_special(c, ISA_SPECIAL_thread_id);
    isa_operand lane =
        kernelcopy_result(c, ISA_and, ISA_I32, thread, kernelcopy_word(c, ISA_WARP - 1));
    lane = kernelcopy_converted(c, ISA_zext, type, ISA_I32, lane);
    if (stride == 1) return lane;
    return kernelcopy_result(c, ISA_mul, type, lane, kernelcopy_number(c, type, stride));
}
